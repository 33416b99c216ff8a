//! Text → path, by the grammar of jsonpath-ng.

use super::{Form, Path, Step, To};
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
        let mut parser = Parser { text: text.chars().collect(), at: 0, inside: 0 };
        if matches!(text, "" | "." | "$") {
            return Ok(Self::default());
        }
        let path = parser.path()?;
        if parser.is_done() { Ok(path) } else { parser.unexpected() }
    }
}

struct Parser {
    text: Vec<char>,
    at: usize,
    /// How many brackets it is in.
    inside: usize,
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

    /// A whole path, or one in brackets up to what it cannot read.
    fn path(&mut self) -> Result<Path, Wrong> {
        let blanks = self.blanks();
        let mut steps = Vec::new();
        if !self.take('$') && !matches!(self.peek(), Some('.' | '[')) {
            steps.push(self.operands(blanks)?);
        }
        loop {
            let blanks = self.blanks();
            if !matches!(self.peek(), Some('.' | '[')) {
                return Ok(Path(steps));
            }
            match self.step(blanks)? {
                Step { to: To::Root, .. } => steps.clear(),
                _ if steps.len() >= MAX_DEPTH => {
                    return self.wrong(format!("it has more than {MAX_DEPTH} steps"));
                }
                step => steps.push(step),
            }
        }
    }

    /// Passes over blanks; how what stands behind them is written.
    fn blanks(&mut self) -> Form {
        let start = self.at;
        while self.peek().is_some_and(|c| c == ' ' || c == '\t') {
            self.at += 1;
        }
        if self.at > start { Form::Spaced } else { Form::Plain }
    }

    fn unexpected<T>(&self) -> Result<T, Wrong> {
        match self.peek() {
            Some(c @ ('&' | '?' | '`' | '(' | ')' | '|')) => {
                self.wrong(format!("`{c}`: filters and operators are not supported here"))
            }
            c => self.wrong(format!("`.` or `[` is due before `{}`", c.unwrap_or(' '))),
        }
    }

    fn step(&mut self, before: Form) -> Result<Step, Wrong> {
        if self.take('[') {
            return self.bracketed(before);
        }
        self.take('.');
        let deep = self.take('.');
        let behind = self.blanks();
        let form = if behind == Form::Spaced { behind } else { before };
        let step = if self.take('[') { self.bracketed(form)? } else { self.operands(form)? };
        Ok(Step { deep, ..step })
    }

    fn bracketed(&mut self, form: Form) -> Result<Step, Wrong> {
        let start = self.at;
        let to = self.brackets()?;
        let has_blanks = self.text[start..self.at].contains(&' ');
        Ok(Step { deep: false, to, form: if has_blanks { Form::Spaced } else { form } })
    }

    /// What stands behind a dot: one operand, or several with `|` between, which bind more tightly than dots.
    fn operands(&mut self, form: Form) -> Result<Step, Wrong> {
        let first = self.operand(form)?;
        self.blanks();
        if self.peek() != Some('|') {
            return Ok(first);
        }
        let mut paths = vec![Path(vec![first])];
        while self.take('|') {
            let blanks = self.blanks();
            let mut path = vec![self.operand(blanks)?];
            while self.take('[') {
                path.push(self.bracketed(Form::Plain)?);
            }
            paths.push(Path(path));
            self.blanks();
        }
        Ok(Step { deep: false, to: To::Union(paths), form: Form::Plain })
    }

    fn operand(&mut self, form: Form) -> Result<Step, Wrong> {
        let is_quoted = matches!(self.peek(), Some('\'' | '"'));
        let to = match self.peek() {
            Some('*') => self.past(To::EveryKey),
            Some('$') => self.past(To::Root),
            Some('`') => self.named()?,
            Some('(') => self.group()?,
            _ => self.key()?,
        };
        let form = if is_quoted && form == Form::Plain { Form::Quoted } else { form };
        Ok(Step { deep: false, to, form })
    }

    fn past(&mut self, to: To) -> To {
        self.at += 1;
        to
    }

    /// `` `this` `` or `` `parent` ``.
    fn named(&mut self) -> Result<To, Wrong> {
        for (word, to) in [("`this`", To::This), ("`parent`", To::Parent)] {
            if self.text[self.at..].starts_with(&word.chars().collect::<Vec<_>>()) {
                self.at += word.len();
                return Ok(to);
            }
        }
        self.wrong("only `this` and `parent` can stand in such quotes")
    }

    /// A path in brackets.
    fn group(&mut self) -> Result<To, Wrong> {
        self.at += 1;
        self.inside += 1;
        if self.inside > MOST_BRACKETS {
            return self.wrong(format!("it has more than {MOST_BRACKETS} brackets in each other"));
        }
        let mut path = self.path()?;
        self.inside -= 1;
        if !self.take(')') {
            return self.wrong("`)` is due here");
        }
        match path.0.pop() {
            Some(Step { deep: false, to: to @ To::Union(_), .. }) if path.0.is_empty() => Ok(to),
            last => {
                path.0.extend(last);
                Ok(To::Union(vec![path]))
            }
        }
    }

    /// A key behind a dot, or several with commas between.
    fn key(&mut self) -> Result<To, Wrong> {
        let mut names = vec![self.name()?];
        while self.next_is(',') {
            self.blanks();
            names.push(self.name()?);
        }
        Ok(To::Keys(names))
    }

    /// Whether a character comes next, behind blanks perhaps, which is then passed over.
    fn next_is(&mut self, wanted: char) -> bool {
        let start = self.at;
        self.blanks();
        let found = self.take(wanted);
        if !found {
            self.at = start;
        }
        found
    }

    fn name(&mut self) -> Result<String, Wrong> {
        match self.peek() {
            Some(quote @ ('\'' | '"')) => self.quoted_name(quote),
            Some(c) if c.is_ascii_digit() => {
                let start = self.at;
                while self.peek().is_some_and(|c| c.is_ascii_digit()) {
                    self.at += 1;
                }
                if self.peek().is_some_and(continues_name) {
                    self.at = start;
                    return self.wrong(format!("a key that starts with `{c}` stands in quotes"));
                }
                Ok(self.text[start..self.at].iter().collect())
            }
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
        self.blanks();
        let to = match self.peek() {
            Some('*') => self.past(To::Slice { from: None, to: None, by: 1 }),
            Some(c) if c == ':' || c == '-' || c.is_ascii_digit() => self.numbers()?,
            Some(_) => self.key()?,
            None => return self.wrong("it ends inside of `[`"),
        };
        if self.next_is(']') { Ok(to) } else { self.wrong("`]` is due here") }
    }

    fn numbers(&mut self) -> Result<To, Wrong> {
        let from = self.number()?;
        if !self.next_is(':') {
            return self.items(from);
        }
        let to = self.number()?;
        let by = if self.next_is(':') { self.number()? } else { None };
        match usize::try_from(by.unwrap_or(1)) {
            Ok(by) if by > 0 => Ok(To::Slice { from, to, by }),
            _ => self.wrong("a range goes forward"),
        }
    }

    /// One number, or several with commas between.
    fn items(&mut self, first: Option<isize>) -> Result<To, Wrong> {
        let Some(first) = first else { return self.wrong("a number is due here") };
        let mut all = vec![first];
        while self.next_is(',') {
            match self.number()? {
                Some(number) => all.push(number),
                None => return self.wrong("a number is due here"),
            }
        }
        Ok(if all.len() > 1 { To::Items(all) } else { To::Item(first) })
    }

    fn number(&mut self) -> Result<Option<isize>, Wrong> {
        self.blanks();
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

/// How many brackets may stand in each other.
const MOST_BRACKETS: usize = 20;

fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '@' || ('\u{4e00}'..='\u{9fa5}').contains(&c)
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
            (".a['b', c]", ".a.b,c"),
            (".a[1:]", ".a[1:]"),
            (".a[*].b", ".a[*].b"),
            ("..b", "..b"),
            (".a.*", ".a.*"),
            ("a.b", ".a.b"),
            (".1", ".'1'"),
            (".a.12.b", ".a.'12'.b"),
            (".名", ".名"),
            (".a[0, 1]", ".a[0,1]"),
            (". a .b [ 0 ]", ".a.b[0]"),
            (".a.`this`", ".a.`this`"),
            (".a.`parent`.b", ".a.`parent`.b"),
            (".a|b[0].c", ".(a|b[0]).c"),
            (".(a.b | c).d", ".(a.(b|c)).d"),
            (".(a|b).d", ".(a|b).d"),
        ] {
            let read = Path::parse(text).map(|path| path.to_string());
            assert_eq!(read.unwrap_or_else(|_| "x".to_owned()), shown, "{text}");
        }
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for (text, at) in [
            (".a[[", 3),
            (".a/b", 2),
            (".a.", 3),
            (".1a", 1),
            (".a['b", 3),
            (".a[1", 4),
            (".a|.b", 3),
            (".a&b", 2),
            (".(a", 3),
        ] {
            assert_eq!(Path::parse(text).map_err(|wrong| wrong.at), Err(at), "{text}");
        }
    }
}
