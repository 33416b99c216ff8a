//! Patterns of substitutions: regular expressions as Python reads them, and the text that takes the place of a match.
//!
//! `fancy-regex` has what Python has, look-around and back references included. What both write differently is put into
//! its words first: a brace that is no count, brackets inside of brackets, `$`, `\Z`, `\<`.

use fancy_regex::{Regex, RegexBuilder};

use crate::text::budget::Budget;

/// How large a compiled pattern may be: `\w{1000}` is.
const MOST_BYTES: usize = 1 << 20;
/// How often a search for one match may go back.
const MOST_STEPS: usize = 100_000;
/// How many matches of a pattern that can go back may be looked for in one text.
const MOST_MATCHES: usize = 10_000;

/// Reads a pattern.
///
/// # Errors
/// What is wrong with it, in the words of the regex crate.
pub(crate) fn read(pattern: &str) -> Result<Regex, String> {
    let mut builder = RegexBuilder::new(&in_words_of_rust(pattern));
    builder.delegate_size_limit(MOST_BYTES).backtrack_limit(MOST_STEPS);
    builder.build().map_err(|error| first_line(&error.to_string()))
}

fn first_line(text: &str) -> String {
    text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

fn in_words_of_rust(pattern: &str) -> String {
    let chars: Vec<char> = pattern.chars().collect();
    let lines = pattern.contains("(?m");
    let (mut out, mut at, mut class) = (String::new(), 0, None);
    while let Some(&c) = chars.get(at) {
        let next = chars.get(at + 1).copied();
        at += 1;
        match (c, next) {
            ('\\', Some(escaped)) => {
                at += 1;
                match escaped {
                    'Z' => out.push_str("\\z"),
                    '<' | '>' => out.push(escaped),
                    other => out.extend(['\\', other]),
                }
            }
            (']', _) if class.is_some_and(|start| start < at - 1) => {
                class = None;
                out.push(c);
            }
            ('[' | '&' | '~', _) if class.is_some() => out.extend(['\\', c]),
            ('[', _) => {
                class = Some(if next == Some('^') { at + 1 } else { at });
                out.push(c);
            }
            ('$', _) if class.is_none() && !lines => out.push_str("(?=\\n?\\z)"),
            ('{', _) if class.is_none() => match count(&chars[at..]).filter(|_| at > 1) {
                Some((count, length)) => {
                    out.push_str(&count);
                    at += length;
                }
                None => out.push_str("\\{"),
            },
            ('}', _) if class.is_none() => out.push_str("\\}"),
            _ => out.push(c),
        }
    }
    out
}

/// A count such as `2}` or `,3}` in the words of Rust, and how many characters it is made of.
fn count(text: &[char]) -> Option<(String, usize)> {
    let end = text.iter().position(|&c| c == '}')?;
    let inside: String = text[..end].iter().collect();
    let (least, most) = inside.split_once(',').unwrap_or((&inside, &inside));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let zero = if least.is_empty() { "0" } else { "" };
    let known = digits(least) && digits(most) && !(least.is_empty() && most.is_empty());
    known.then(|| (format!("{{{zero}{inside}}}"), end + 1))
}

/// Puts a text in the place of every match, its backslashes read as Python's `re.sub` reads them.
///
/// # Errors
/// A reference to a group that is not there, an escape that is none, a pattern that takes too long, or a text that becomes
/// too long.
pub(crate) fn replace_all(pattern: &Regex, text: &str, by: &str, budget: &Budget) -> Result<String, String> {
    let parts = template(by, pattern)?;
    let (mut out, mut end) = (String::new(), 0);
    for (at, captures) in pattern.captures_iter(text).enumerate() {
        let captures = captures.map_err(|error| error.to_string())?;
        if at >= MOST_MATCHES {
            return Err(format!("the pattern is found more than {MOST_MATCHES} times"));
        }
        let Some(whole) = captures.get(0) else { continue };
        out.push_str(text.get(end..whole.start()).unwrap_or_default());
        for part in &parts {
            let piece = match part {
                Part::Text(text) => text,
                Part::Group(at) => captures.get(*at).map_or("", |group| group.as_str()),
            };
            budget.take(piece.len())?;
            out.push_str(piece);
        }
        end = whole.end();
    }
    out.push_str(text.get(end..).unwrap_or_default());
    Ok(out)
}

enum Part {
    Text(String),
    Group(usize),
}

fn template(text: &str, pattern: &Regex) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, escaped)) = rest.split_once('\\') {
        parts.push(Part::Text(before.to_owned()));
        let (part, length) = escape(escaped, pattern)?;
        parts.push(part);
        rest = escaped.get(length..).unwrap_or_default();
    }
    parts.push(Part::Text(rest.to_owned()));
    Ok(parts)
}

/// What stands behind a backslash, and how many bytes of it belong to it.
fn escape(text: &str, pattern: &Regex) -> Result<(Part, usize), String> {
    let Some(first) = text.chars().next() else { return Err("the value ends with a backslash".to_owned()) };
    let plain = |text: &str| Ok((Part::Text(text.to_owned()), 1));
    match first {
        'n' => plain("\n"),
        't' => plain("\t"),
        'r' => plain("\r"),
        'a' => plain("\u{7}"),
        'b' => plain("\u{8}"),
        'f' => plain("\u{c}"),
        'v' => plain("\u{b}"),
        '\\' => plain("\\"),
        '1'..='9' => {
            let length = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
            group(&text[..length], pattern).map(|part| (part, length))
        }
        'g' => {
            let name = text.get(1..).and_then(|rest| rest.strip_prefix('<')?.split_once('>'));
            let Some((name, _)) = name else { return Err("the value has `\\g` without a `<name>`".to_owned()) };
            group(name, pattern).map(|part| (part, name.len() + 3))
        }
        c if c.is_ascii_alphabetic() => Err(format!("the value has `\\{c}`, which no replacement can have")),
        c => Ok((Part::Text(format!("\\{c}")), c.len_utf8())),
    }
}

fn group(name: &str, pattern: &Regex) -> Result<Part, String> {
    let at = match name.parse::<usize>() {
        Ok(at) => (at < pattern.captures_len()).then_some(at),
        Err(_) => pattern.capture_names().position(|known| known == Some(name)),
    };
    at.map(Part::Group).ok_or_else(|| format!("the value refers to group `{name}`, which the pattern has not"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(pattern: &str, text: &str, by: &str) -> Result<String, String> {
        replace_all(&read(pattern)?, text, by, &Budget::of(0))
    }

    #[test]
    fn patterns_are_read_as_python_reads_them() {
        for (pattern, text, by, after) in [
            ("INSERT_[A-Z]+_HERE", "http://a:INSERT_B_HERE@c", "d", "http://a:d@c"),
            ("{domain}", "www.{domain}", "example.org", "www.example.org"),
            ("${ip}", "x ${ip}", "y", "x ${ip}"),
            (r"\$\{ip\}", "x ${ip}", "10.0.0.1", "x 10.0.0.1"),
            ("a{2}", "aaa", "b", "ba"),
            ("a{,2}c", "aac", "b", "b"),
            ("[[x]+", "a[x[b", "-", "a-b"),
            ("[]a]+", "]ab", "-", "-b"),
            ("[^]]+", "ab]", "-", "-]"),
            ("b$", "a\nb\n", "c", "a\nc\n"),
            (r"(?<!a)b", "abb", "c", "abc"),
            (r"(\w)(?P<two>\w)", "xy", r"\2\g<1>\g<two>", "yxy"),
            ("x", "x", "a\\\\b\\n", "a\\b\n"),
        ] {
            assert_eq!(replaced(pattern, text, by), Ok(after.to_owned()), "{pattern}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        assert!(read("(a").is_err());
        assert!(replaced("x", "x", r"\1").unwrap_err().contains("group `1`"));
        assert!(replaced("x", "x", r"\d").unwrap_err().contains(r"`\d`"));
        assert!(replaced("x", "x", "a\\").unwrap_err().contains("backslash"));
    }
}
