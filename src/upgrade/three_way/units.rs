//! Units that a release took from the name of a key into its value: `timeout_ms: 5000` became `timeout: 5s`.

/// The units of time: the words that names end in, and how the unit is written behind a number.
const TIMES: [(&[&str], &str); 7] = [
    (&["ns", "nanos", "nanoseconds"], "ns"),
    (&["us", "micros", "microseconds"], "us"),
    (&["ms", "msec", "millis", "milliseconds"], "ms"),
    (&["s", "sec", "secs", "seconds"], "s"),
    (&["min", "mins", "minutes"], "m"),
    (&["hours"], "h"),
    (&["days"], "d"),
];

/// The units of size: the words that names end in, and the letter before `iB`, `B` or nothing.
const SIZES: [(&[&str], &str); 4] = [
    (&["bytes"], ""),
    (&["kb", "kib", "kilobytes"], "K"),
    (&["mb", "mib", "megabytes"], "M"),
    (&["gb", "gib", "gigabytes"], "G"),
];

/// The form `{}ms` that gives a number the unit from the end of its old name, in the style of the new value. Nothing where
/// the new name is not the old one without its unit, or the new value has no unit of that kind.
pub(super) fn form(old_name: &[String], new_name: &[String], new_value: &str) -> Option<String> {
    let rest = old_name.strip_prefix(new_name)?;
    let word = match rest {
        [word] => word.as_str(),
        [of, word] if of == "in" => word,
        _ => return None,
    };
    let written = unit(new_value)?;
    let named = |units: &[(&[&str], &'static str)]| Some(units.iter().find(|(words, _)| words.contains(&word))?.1);
    let is_time = TIMES.iter().any(|(_, unit)| *unit == written);
    let unit =
        if is_time { named(&TIMES)?.to_owned() } else { format!("{}{}", named(&SIZES)?, behind_letter(written)?) };
    Some(unit).filter(|unit| !unit.is_empty()).map(|unit| format!("{{}}{unit}"))
}

/// The last unit of a value such as `5s`, `1h30m`, `0.5GiB`.
fn unit(value: &str) -> Option<&str> {
    let start = value.rfind(|c: char| !c.is_ascii_alphabetic())? + 1;
    let is_quantity =
        value.starts_with(|c: char| c.is_ascii_digit()) && value[..start].ends_with(|c: char| c.is_ascii_digit());
    (is_quantity && start < value.len()).then(|| &value[start..])
}

/// What a unit of size has behind its letter: `iB` of `MiB`.
fn behind_letter(unit: &str) -> Option<&str> {
    unit.strip_prefix(['k', 'K', 'M', 'G', 'T']).filter(|rest| matches!(*rest, "" | "i" | "B" | "iB"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::upgrade::three_way::suggest::words;

    #[test]
    fn the_unit_of_a_name_goes_behind_the_number() {
        let table = [
            ("timeout_ms", "timeout", "5s", Some("{}ms")),
            ("max_hint_window_in_ms", "max_hint_window", "3h", Some("{}ms")),
            ("readTimeoutSeconds", "readTimeout", "1m30s", Some("{}s")),
            ("cache_size_mb", "cache_size", "1GiB", Some("{}MiB")),
            ("cache_size_in_kb", "cache_size", "1G", Some("{}K")),
            ("cache_bytes", "cache", "1GB", Some("{}B")),
            ("cache_bytes", "cache", "1G", None),
            ("timeout_ms", "timeout", "5", None),
            ("timeout_ms", "timeout", "64MiB", None),
            ("timeout_ms", "read_timeout", "5s", None),
            ("timeout", "timeout", "5s", None),
            ("rooms", "room", "5s", None),
        ];
        for (old, new, value, expected) in table {
            assert_eq!(form(&words(old), &words(new), value).as_deref(), expected, "{old} {new} {value}");
        }
    }
}
