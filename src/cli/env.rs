//! The words of `--env`: what they define, and where they get it from.
//!
//! Only what a word names is looked up: one variable of the environment, or one properties file. No error or warning here
//! shows a value, for it may be a secret; that is also why an error in a properties file shows no line of it.

use std::fs;
use std::io;
use std::path::Path;

use crate::files;
use crate::text::encoding;
use crate::text::error::{self, Error, visible};
use crate::text::named::NamedText;
use crate::upgrade::variables::{self, Variables};

/// What becomes of a variable or a file that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    Refused,
    Warned,
}

/// Defines what the words say, a later one over an earlier one; returns the warnings. `missing` may make errors of them.
pub(crate) fn defined_by(words: &[String], missing: Missing) -> Result<(Variables, Vec<String>), Error> {
    let mut defined = Variables::default();
    let mut warnings = Vec::new();
    for word in words {
        match Word::of(word) {
            Word::Pair("", _) => return Err(nameless()),
            Word::Pair(name, value) => defined.set(name, value),
            Word::File(name) => warnings.extend(from_file(name, missing, &mut defined)?),
            Word::Environment(name) => warnings.extend(from_environment(name, missing, &mut defined)?),
        }
    }
    Ok((defined, warnings))
}

/// Warnings about words that define a variable which none of the defaults has, most likely a misspelt one. A properties
/// file may hold more than one default needs.
pub(crate) fn unused(words: &[String], defaults: &[&str]) -> Vec<String> {
    let names = words.iter().filter_map(|word| match Word::of(word) {
        Word::Pair(name, _) | Word::Environment(name) => Some(name),
        Word::File(_) => None,
    });
    let known = variables::names(defaults);
    let hint = |name: &str| {
        let near = error::near(name, &known.iter().copied().collect::<Vec<_>>());
        near.map_or_else(String::new, |near| format!(", did you mean `{near}`?"))
    };
    let unused = names.filter(|name| !known.contains(name));
    unused.map(|name| format!("the new default has no #{{{}}}{}", visible(name), hint(name))).collect()
}

enum Word<'a> {
    Pair(&'a str, &'a str),
    File(&'a str),
    Environment(&'a str),
}

impl<'a> Word<'a> {
    /// An `=` decides, even where a file has the whole word as its name: a value may end in `.properties`.
    fn of(word: &'a str) -> Self {
        match word.split_once('=') {
            Some((name, value)) => Self::Pair(name, value),
            None if word.is_empty() => Self::Pair("", ""),
            None if word.strip_suffix(".properties").is_some() => Self::File(word),
            None => Self::Environment(word),
        }
    }
}

fn nameless() -> Error {
    Error::input("variable declaration has no name: `=...`").help("write `NAME=VALUE`, `NAME` or `FILE.properties`")
}

fn from_environment(name: &str, missing: Missing, defined: &mut Variables) -> Result<Option<String>, Error> {
    let Some(value) = std::env::var_os(name) else {
        let what = format!("environment variable `{}` is not set", visible(name));
        let help = format!("set it, or give its text here: `{}=VALUE`", visible(name));
        return if missing == Missing::Refused { Err(Error::input(what).help(help)) } else { Ok(Some(what)) };
    };
    let Ok(value) = value.into_string() else {
        let what = format!("environment variable `{}` is not UTF-8", visible(name));
        return Err(Error::input(what).help("YAML files hold Unicode only: set it to a text in UTF-8"));
    };
    defined.set(name, value);
    Ok(None)
}

fn from_file(name: &str, missing: Missing, defined: &mut Variables) -> Result<Option<String>, Error> {
    let is_missing = fs::metadata(name).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    if is_missing && missing == Missing::Refused {
        let what = format!("variables file does not exist: {}", visible(name));
        return Err(Error::input(what).help("with `--non-strict` a file that is not there is ignored"));
    }
    if is_missing {
        return Ok(Some(format!("variables file ignored, it does not exist: {}", visible(name))));
    }
    let text = files::read(Path::new(name), encoding::LIMIT).map_err(|error| {
        let what = format!("variables file cannot be read: {}: {}", visible(name), error.what());
        Error::input(what).help("it must be a properties file in UTF-8 that you may read")
    })?;
    defined.read_properties(NamedText::new(name, &text)).map(|()| None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    /// A properties file, and its name.
    fn file(text: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("some.properties");
        fs::write(&name, text).unwrap();
        (folder, name.to_str().unwrap().to_owned())
    }

    fn from_text(text: &str) -> Variables {
        let (_folder, name) = file(text);
        defined_by(&[name], Missing::Refused).unwrap().0
    }

    #[test]
    fn a_pair_is_split_at_its_first_equals_sign() {
        let (defined, warnings) = defined_by(&words(&["a=b=c", "e=", "f=x.properties"]), Missing::Refused).unwrap();
        assert_eq!(["a", "e", "f"].map(|name| defined.get(name)), [Some("b=c"), Some(""), Some("x.properties")]);
        assert!(warnings.is_empty());
    }

    #[test]
    fn a_pair_without_a_name_is_refused_and_its_value_not_shown() {
        for word in ["=secret", ""] {
            let refused = defined_by(&words(&[word]), Missing::Warned).unwrap_err();
            assert_eq!(refused.what(), "variable declaration has no name: `=...`");
            assert!(!refused.to_string().contains("secret"));
        }
    }

    #[test]
    fn a_name_alone_is_taken_from_the_environment() {
        let (defined, _) = defined_by(&words(&["CARGO_MANIFEST_DIR"]), Missing::Refused).unwrap();
        assert_eq!(defined.get("CARGO_MANIFEST_DIR"), Some(env!("CARGO_MANIFEST_DIR")));
        assert_eq!(defined.get("PATH"), None);
    }

    #[test]
    fn a_name_that_is_not_set_is_a_warning_or_an_error() {
        let absent = words(&["YAMLIFT_NOT_SET"]);
        let (defined, warnings) = defined_by(&absent, Missing::Warned).unwrap();
        assert!(defined.is_empty());
        assert_eq!(warnings, ["environment variable `YAMLIFT_NOT_SET` is not set"]);
        assert_eq!(defined_by(&absent, Missing::Refused).unwrap_err().what(), warnings[0]);
    }

    #[test]
    fn a_missing_file_is_a_warning_or_an_error() {
        let absent = words(&["/not/there.properties"]);
        let (_, warnings) = defined_by(&absent, Missing::Warned).unwrap();
        assert_eq!(warnings, ["variables file ignored, it does not exist: /not/there.properties"]);
        let refused = defined_by(&absent, Missing::Refused).unwrap_err();
        assert_eq!(refused.what(), "variables file does not exist: /not/there.properties");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        let (folder, name) = file("");
        fs::write(&name, b"a=\xff").unwrap();
        assert!(defined_by(&[name], Missing::Warned).unwrap_err().what().starts_with("variables file cannot be read"));
        let inner = folder.path().join("folder.properties");
        fs::create_dir(&inner).unwrap();
        assert!(defined_by(&[inner.to_str().unwrap().to_owned()], Missing::Warned).is_err());
    }

    #[test]
    fn a_file_is_read_as_java_does() {
        let defined = from_text("a = é\\u00e9 😀\r\nb: x\\\r\n   y\\nz\r\n\r\n! no=1\nc d\ne\n\\ f=\\=\\\\");
        let wanted = [("a", "éé 😀"), ("b", "xy\nz"), ("c", "d"), ("e", ""), (" f", "=\\")];
        for (name, value) in wanted {
            assert_eq!(defined.get(name), Some(value));
        }
        assert_eq!(defined.get("no"), None);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_name() {
        assert_eq!(from_text("\u{feff}é=ü\n").get("é"), Some("ü"));
    }

    #[test]
    fn comments_hold_no_escapes_and_no_continuation() {
        let defined = from_text("# C:\\users\\\na=1\\\n#b\n ! \\u\nc=2\\");
        assert_eq!((defined.get("a"), defined.get("c")), (Some("1#b"), Some("2")));
    }

    #[test]
    fn a_malformed_escape_names_file_and_line_and_no_value() {
        for text in ["a=1\n# c\r\nb=secret\\u12g4\n", "a=1\n\n\nb=secret\\u12", "a=1\r\r\rb=secret\\ud83d\\ude00\n"] {
            let (_folder, name) = file(text);
            let refused = defined_by(std::slice::from_ref(&name), Missing::Warned).unwrap_err();
            let line = if text.contains('#') { 3 } else { 4 };
            let shown = refused.to_string();
            assert!(shown.starts_with(&format!("{name}: malformed `\\u` escape in line {line}\n")), "{shown}");
            assert!(!shown.contains("secret"));
        }
    }

    #[test]
    fn later_words_win() {
        let (_folder, name) = file("a=file\nb=file\n");
        let (defined, _) =
            defined_by(&[vec!["a=1".to_owned(), name], words(&["b=2"])].concat(), Missing::Refused).unwrap();
        assert_eq!((defined.get("a"), defined.get("b")), (Some("file"), Some("2")));
    }
}
