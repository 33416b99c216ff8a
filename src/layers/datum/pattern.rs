//! The expressions of Datum's options are those of .NET; here they are those of the crate `regex`.
//!
//! What both have means the same in both. What only .NET has is refused by name, and so is what the crate reads
//! otherwise than .NET does, such as the subtraction of classes: a wrong strategy is worse than none.

use regex::{Regex, RegexBuilder};

/// Why an expression cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// .NET would not take it either; what the crate says of it.
    Invalid(String),
    /// .NET has it, and the crate has not.
    NotSupported(&'static str),
}

/// How large a compiled expression may be.
const MOST_BYTES: usize = 1 << 20;

/// What stands behind `(?` in an expression that is .NET's alone, longest first.
const GROUPS: [(&str, &str); 7] = [
    ("<=", "look-behind `(?<=…)`"),
    ("<!", "look-behind `(?<!…)`"),
    ("=", "look-ahead `(?=…)`"),
    ("!", "look-ahead `(?!…)`"),
    (">", "an atomic group `(?>…)`"),
    ("(", "a condition `(?(…)…)`"),
    ("#", "a comment `(?#…)`"),
];

/// Compiles an expression for paths, where `/` stands for their separator, too.
pub(super) fn compile_path(text: &str) -> Result<Regex, Problem> {
    compile(&text.replace("\\/", "/").replace('/', r"\\"))
}

/// Compiles an expression; upper and lower case do not matter.
pub(super) fn compile(text: &str) -> Result<Regex, Problem> {
    if let Some(what) = not_supported(text) {
        return Err(Problem::NotSupported(what));
    }
    let built = RegexBuilder::new(text).case_insensitive(true).size_limit(MOST_BYTES).build();
    built.map_err(|error| Problem::Invalid(said(&error)))
}

/// The last line of what the crate says, which is the reason.
fn said(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.trim_start_matches("error: ").to_owned()
}

/// The first thing in an expression that only .NET has, or that means something else there.
fn not_supported(text: &str) -> Option<&'static str> {
    let mut scanner = Scanner { rest: text, is_in_class: false };
    while let Some(c) = scanner.rest.chars().next() {
        scanner.rest = &scanner.rest[c.len_utf8()..];
        let found = scanner.character(c);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// An expression, from left to right.
struct Scanner<'t> {
    rest: &'t str,
    is_in_class: bool,
}

impl Scanner<'_> {
    fn character(&mut self, c: char) -> Option<&'static str> {
        match (c, self.is_in_class) {
            ('\\', _) => return self.escape(),
            ('(', false) => return group(self.rest),
            ('[', false) => {
                self.is_in_class = true;
                // A bracket directly behind the opening one is an item.
                self.rest = self.rest.strip_prefix('^').unwrap_or(self.rest);
                self.rest = self.rest.strip_prefix(']').unwrap_or(self.rest);
            }
            (']', true) => self.is_in_class = false,
            ('{', false) if !self.rest.starts_with(|c: char| c.is_ascii_digit()) => {
                return Some("`{` that repeats nothing (write `\\{`)");
            }
            (_, true) => return inside_of_class(c, self.rest),
            _ => {}
        }
        None
    }

    fn escape(&mut self) -> Option<&'static str> {
        let escaped = self.rest.chars().next().unwrap_or_default();
        self.rest = self.rest.strip_prefix(escaped).unwrap_or_default();
        let name = self.rest.strip_prefix('{').filter(|_| matches!(escaped, 'p' | 'P'));
        self.rest = name.and_then(|name| name.split_once('}')).map_or(self.rest, |(_, behind)| behind);
        match name {
            Some(name) if name.starts_with("Is") => Some("a block of Unicode `\\p{Is…}`"),
            _ if self.is_in_class && escaped.is_ascii_digit() => None,
            _ => escape(escaped),
        }
    }
}

fn group(rest: &str) -> Option<&'static str> {
    let rest = rest.strip_prefix('?')?;
    GROUPS.iter().find(|(start, _)| rest.starts_with(start)).map(|(_, what)| *what)
}

fn inside_of_class(c: char, rest: &str) -> Option<&'static str> {
    match c {
        '[' => Some("`[` inside of a class (write `\\[`; the subtraction of classes is .NET's alone)"),
        '&' | '~' | '-' if rest.starts_with(c) => Some("`&&`, `--` or `~~` in a class"),
        _ => None,
    }
}

fn escape(c: char) -> Option<&'static str> {
    match c {
        '1'..='9' => Some("a back-reference `\\1`"),
        'k' => Some("a back-reference `\\k<name>`"),
        'Z' => Some("`\\Z` (write `$`)"),
        'G' => Some("`\\G`"),
        'c' => Some("a control character `\\cX`"),
        'e' => Some("`\\e`"),
        '<' | '>' => Some("`\\<` and `\\>` (write them without the backslash)"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backslash_that_is_escaped_parts_steps() {
        let pattern = compile(r"^LCM_Config\\.*").unwrap();
        assert!(pattern.is_match(r"lcm_config\Settings"));
        assert!(!pattern.is_match("LCM_Config"));
        assert!(compile_path("^LCM_Config/.*").unwrap().is_match(r"LCM_Config\Settings"));
        assert!(compile(r"^Roles\\[a-z]+\\Packages$").unwrap().is_match(r"Roles\web\Packages"));
    }

    #[test]
    fn what_dot_net_alone_has_is_named() {
        let why = |text| compile(text).unwrap_err();
        for text in [
            r"^(?!Base)",
            r"^(?<=a)b",
            r"^(a)\1",
            "^[a-z-[aeiou]]",
            "^(?>a)",
            r"^a\Z",
            "^[a&&b]",
            "^a{b}",
            r"^\p{IsGreek}",
        ] {
            assert!(matches!(why(text), Problem::NotSupported(_)), "{text}");
        }
        assert!(matches!(why("^M("), Problem::Invalid(_)));
        assert!(matches!(why("^[a"), Problem::Invalid(_)));
        assert!(compile(r"^\p{L}{2,3}\{x\}$").is_ok());
        assert!(compile(r"^(?<role>\w+)[]\-x]$").is_ok());
    }
}
