//! Text → path, by the grammar of jsonpath-ng.

use super::{Path, Step, To};
use crate::yaml::limits::MAX_DEPTH;

/// What is wrong with a path, and at which of its characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) at: usize,
    pub(crate) what: String,
}

impl Path {
    /// Reads a path; `.`, `$` and an empty text are the root.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, Wrong> {
        let mut parser = Parser { text: text.chars().collect(), at: 0 };
        if matches!(text, "" | "." | "$") {
            return Ok(Self::default());
        }
        let bare = !text.starts_with(['.', '[', '$']);
        let first = if bare { Some(Step { deep: false, to: parser.key()? }) } else { None };
        parser.take('$');
        let mut steps = Vec::from_iter(first);
        while !parser.is_done() {
            match parser.step()? {
                Step { to: To::Root, .. } => steps.clear(),
                _ if steps.len() >= MAX_DEPTH => {
                    return parser.wrong(format!("it has more than {MAX_DEPTH} steps"));
                }
                step => steps.push(step),
            }
        }
        Ok(Self(steps))
    }
}

struct Parser {
    text: Vec<char>,
    at: usize,
}

impl Parser {
    fn is_done(&self) -> bool {
        self.at >= self.text.len()
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        self.at += usize::from(there);
        there
    }

    fn wrong<T>(&self, what: impl Into<String>) -> Result<T, Wrong> {
        Err(Wrong { at: self.at, what: what.into() })
    }

    fn step(&mut self) -> Result<Step, Wrong> {
        if self.take('[') {
            return Ok(Step { deep: false, to: self.brackets()? });
        }
        if !self.take('.') {
            return match self.peek() {
                Some(c @ ('|' | '&' | '(' | ')' | ' ' | '`' | '?')) => {
                    self.wrong(format!("`{c}`: unions, filters and operators are not supported"))
                }
                c => self.wrong(format!("`.` or `[` is due before `{}`", c.unwrap_or(' '))),
            };
        }
        let deep = self.take('.');
        let to = match self.peek() {
            Some('[') => {
                self.at += 1;
                self.brackets()?
            }
            Some('*') => {
                self.at += 1;
                To::EveryKey
            }
            Some('$') => {
                self.at += 1;
                To::Root
            }
            _ => self.key()?,
        };
        Ok(Step { deep, to })
    }

    /// A key behind a dot, or several with commas between.
    fn key(&mut self) -> Result<To, Wrong> {
        let mut names = vec![self.name()?];
        while self.take(',') {
            names.push(self.name()?);
        }
        Ok(To::Keys(names))
    }

    fn name(&mut self) -> Result<String, Wrong> {
        match self.peek() {
            Some(quote @ ('\'' | '"')) => self.quoted_name(quote),
            Some(c) if starts_name(c) => {
                let start = self.at;
                while self.peek().is_some_and(continues_name) {
                    self.at += 1;
                }
                Ok(self.text[start..self.at].iter().collect())
            }
            Some(c) => self.wrong(format!("a key cannot start with `{c}` unless it is in quotes")),
            None => self.wrong("it ends where a key is due"),
        }
    }

    fn quoted_name(&mut self, quote: char) -> Result<String, Wrong> {
        let start = self.at;
        self.at += 1;
        let mut name = String::new();
        while let Some(c) = self.peek() {
            self.at += 1;
            match c {
                '\\' => name.extend(self.peek().inspect(|_| self.at += 1)),
                c if c == quote => return Ok(name),
                c => name.push(c),
            }
        }
        self.at = start;
        self.wrong("this quote is never closed")
    }

    fn brackets(&mut self) -> Result<To, Wrong> {
        let to = match self.peek() {
            Some('*') => {
                self.at += 1;
                To::Slice { from: None, to: None, by: 1 }
            }
            Some(c) if c == ':' || c == '-' || c.is_ascii_digit() => self.numbers()?,
            Some(_) => self.key()?,
            None => return self.wrong("it ends inside of `[`"),
        };
        if self.take(']') { Ok(to) } else { self.wrong("`]` is due here") }
    }

    fn numbers(&mut self) -> Result<To, Wrong> {
        let from = self.number()?;
        if !self.take(':') {
            let item = from.map(To::Item);
            return item.map_or_else(|| self.wrong("a number is due here"), Ok);
        }
        let to = self.number()?;
        let by = if self.take(':') { self.number()? } else { None };
        match usize::try_from(by.unwrap_or(1)) {
            Ok(by) if by > 0 => Ok(To::Slice { from, to, by }),
            _ => self.wrong("a range goes forward"),
        }
    }

    fn number(&mut self) -> Result<Option<isize>, Wrong> {
        let start = self.at;
        self.take('-');
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        if start == self.at {
            return Ok(None);
        }
        let digits: String = self.text[start..self.at].iter().collect();
        digits
            .parse()
            .map_or_else(|_| self.wrong(format!("`{digits}` is no number that a list could have")), |at| Ok(Some(at)))
    }
}

fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '@'
}

fn continues_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit() || c == '-'
}

/// A key as it stands in a path.
pub(super) fn quoted(name: &str) -> String {
    let plain = name.chars().next().is_some_and(starts_name) && name.chars().all(continues_name);
    if plain { name.to_owned() } else { format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_deckhand_reads_and_prints_it_again() {
        for (text, shown) in [
            ("", "."),
            ("$", "."),
            (".$", "."),
            ("$.a.b-c", ".a.b-c"),
            (".a[0][1]", ".a[0][1]"),
            (".a.[2]", ".a[2]"),
            ("[-1]", "[-1]"),
            (".'a.b'.c", ".'a.b'.c"),
            (".\"a b\"", ".'a b'"),
            (".a['b', c]", "x"),
            (".a[1:]", ".a[1:]"),
            (".a[*].b", ".a[*].b"),
            ("..b", "..b"),
            (".a.*", ".a.*"),
            ("a.b", ".a.b"),
        ] {
            let read = Path::parse(text).map(|path| path.to_string());
            assert_eq!(read.unwrap_or_else(|_| "x".to_owned()), shown, "{text}");
        }
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for (text, at) in [(".a[[", 3), (".a/b", 2), (".a.", 3), (".1a", 1), (".a['b", 3), (".a[1", 4), (".a|.b", 2)] {
            assert_eq!(Path::parse(text).map_err(|wrong| wrong.at), Err(at), "{text}");
        }
    }
}
