//! Paths that are read as they stand, without a file that decides: the target of a move, which is not there yet, and
//! patterns that name many places.
//!
//! Only the first form of `upgrade.md` rule 7 is read here (`a/b[2]/'c.d'`, or a JSON Pointer). `*` stands for any one key
//! or item, `[*]` for any item, `**` for any number of steps.

use std::fmt;

use crate::error::{Error, Place, visible};
use crate::path::{self, Path, Step};
use crate::place::Place as Value;
use crate::tree::Kind;

/// One step of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
    /// This key, item or document.
    Step(Step),
    /// The item in which a key has this value: `[name=web]`.
    Named(String, String),
    /// Any one key or item.
    Any,
    /// Any one item.
    AnyItem,
    /// Any number of steps, also none.
    Deep,
}

/// A path whose steps may be open.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Pattern(pub(crate) Vec<Word>);

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// An empty step, a quote or a bracket that is not closed.
    pub(crate) fn read(text: &str) -> Result<Self, Error> {
        path::check(text)?;
        if let Some(pointer) = text.strip_prefix('/') {
            let step = |step: &str| Word::Step(Step::Key(step.replace("~1", "/").replace("~0", "~")));
            return Ok(Self(pointer.split('/').map(step).collect()));
        }
        let mut words = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (word, behind) = word(rest).ok_or_else(|| refuse(text, text.len() - rest.len()))?;
            words.push(word);
            rest = separated(behind).ok_or_else(|| refuse(text, text.len() - behind.len()))?;
        }
        Ok(Self(words))
    }

    /// Whether something can move there: it ends at a key.
    pub(crate) fn is_target(&self) -> bool {
        matches!(self.0.last(), Some(Word::Step(Step::Key(_)))) && !self.has(&Word::Deep)
    }

    /// How many steps are open.
    pub(crate) fn stars(&self) -> usize {
        self.0.iter().filter(|word| matches!(word, Word::Any | Word::AnyItem)).count()
    }

    pub(crate) fn has(&self, word: &Word) -> bool {
        self.0.contains(word)
    }

    /// Whether a path is one of those that this names. Items are known by their number alone here.
    pub(crate) fn matches(&self, path: &Path) -> bool {
        self.names(&path.0)
    }

    /// The same for the steps of a path.
    pub(crate) fn names(&self, steps: &[Step]) -> bool {
        matches(&self.0, steps)
    }

    /// All places that this names in a file, each with the steps that stand for its stars.
    pub(crate) fn places(&self, document: Value<'_, '_>) -> Vec<(Vec<usize>, Vec<Step>)> {
        let mut found = Vec::new();
        find(&self.0, document, &mut (Vec::new(), Vec::new()), &mut found);
        found
    }

    /// The same with these steps in the place of its stars.
    pub(crate) fn filled(&self, steps: &[Step]) -> Self {
        let mut steps = steps.iter();
        let fill = |word: &Word| match word {
            Word::Any | Word::AnyItem => steps.next().map_or_else(|| word.clone(), |step| Word::Step(step.clone())),
            _ => word.clone(),
        };
        Self(self.0.iter().map(fill).collect())
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, word) in self.0.iter().enumerate() {
            let slash = if at > 0 { "/" } else { "" };
            match word {
                Word::Step(step @ Step::Key(_)) => write!(f, "{slash}{}", Path(vec![step.clone()]))?,
                Word::Step(step) => write!(f, "{}", Path(vec![step.clone()]))?,
                Word::Named(name, value) => write!(f, "[{name}={value}]")?,
                Word::Any => write!(f, "{slash}*")?,
                Word::AnyItem => f.write_str("[*]")?,
                Word::Deep => write!(f, "{slash}**")?,
            }
        }
        Ok(())
    }
}

/// The first word of a pattern, and what is left behind it.
fn word(text: &str) -> Option<(Word, &str)> {
    if let Some(inner) = text.strip_prefix('[') {
        let (selector, rest) = inner.split_once(']')?;
        return Some((selected(selector)?, rest));
    }
    if text.starts_with(['"', '\'']) {
        let (name, rest) = path::quoted_step(text)?;
        return Some((Word::Step(Step::Key(name)), rest));
    }
    let (name, rest) = text.split_at(text.find(['/', '[']).unwrap_or(text.len()));
    let word = match name {
        "" => return None,
        "*" => Word::Any,
        "**" => Word::Deep,
        _ => Word::Step(document(name).unwrap_or_else(|| Step::Key(name.to_owned()))),
    };
    Some((word, rest))
}

fn selected(selector: &str) -> Option<Word> {
    match selector.split_once('=') {
        _ if selector == "*" => Some(Word::AnyItem),
        Some((name, value)) => Some(Word::Named(name.to_owned(), value.to_owned())),
        None => Some(Word::Step(Step::Item(selector.parse().ok()?))),
    }
}

/// `@1` is the second document. No plain key can start with `@`.
fn document(name: &str) -> Option<Step> {
    Some(Step::Document(name.strip_prefix('@')?.parse().ok()?))
}

/// What is left behind the separator at the start of a text; a bracket needs none.
fn separated(text: &str) -> Option<&str> {
    match text.strip_prefix('/') {
        Some("") => None,
        Some(rest) => Some(rest),
        None if text.is_empty() || text.starts_with('[') => Some(text),
        None => None,
    }
}

fn refuse(text: &str, at: usize) -> Error {
    let column = text.get(..at).unwrap_or(text).chars().count() + 1;
    Error::input(format!("bad path `{}`: no step can be read here", visible(text)))
        .at(Place { line: 1, column }, text)
        .help("a path reads like server/ports[2], users[name=ann]/shell or 'a.b'/c")
}

fn matches(words: &[Word], steps: &[Step]) -> bool {
    let Some((word, rest)) = words.split_first() else { return steps.is_empty() };
    if *word == Word::Deep {
        return (0..=steps.len()).any(|from| matches(rest, &steps[from..]));
    }
    let Some((step, below)) = steps.split_first() else { return false };
    let fits = match word {
        Word::Step(wanted) => wanted == step,
        Word::Any => !matches!(step, Step::Document(_)),
        Word::AnyItem | Word::Named(..) => matches!(step, Step::Item(_)),
        Word::Deep => false,
    };
    fits && matches(rest, below)
}

/// A way down, and the steps that stand for stars on it.
type Found = (Vec<usize>, Vec<Step>);

fn find(words: &[Word], value: Value<'_, '_>, way: &mut Found, found: &mut Vec<Found>) {
    let Some((word, rest)) = words.split_first() else { return found.push(way.clone()) };
    if *word == Word::Deep {
        find(rest, value, way, found);
    }
    for (at, child) in value.children().into_iter().enumerate() {
        let Some(step) = step(value, at, child, word) else { continue };
        let open = matches!(word, Word::Any | Word::AnyItem);
        way.0.push(at);
        way.1.extend(open.then_some(step));
        find(if *word == Word::Deep { words } else { rest }, child, way, found);
        way.0.pop();
        if open {
            way.1.pop();
        }
    }
}

/// The step to a child, where a word names it.
fn step(parent: Value<'_, '_>, at: usize, child: Value<'_, '_>, word: &Word) -> Option<Step> {
    let step = match parent.kind() {
        Kind::Map => Step::Key(child.name()?.to_owned()),
        Kind::List => Step::Item(at),
        Kind::Leaf => return None,
    };
    let named = match word {
        Word::Step(wanted) => *wanted == step,
        Word::Any | Word::Deep => true,
        Word::AnyItem => parent.kind() == Kind::List,
        Word::Named(name, value) => parent.kind() == Kind::List && child.text_of(name) == Some(value),
    };
    named.then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Path {
        let step = |word: &Word| match word {
            Word::Step(step) => step.clone(),
            other => panic!("{other:?}"),
        };
        Path(Pattern::read(text).unwrap().0.iter().map(step).collect())
    }

    #[test]
    fn stars_stand_for_steps() {
        let table = [
            ("plugins", "plugins", true),
            ("plugins", "plugins[0]", false),
            ("**/tags", "tags", true),
            ("**/tags", "hosts[2]/tags", true),
            ("**/tags", "tags/x", false),
            ("custom/**", "custom/a/b[1]", true),
            ("hosts[*]/port", "hosts[3]/port", true),
            ("hosts[*]/port", "hosts/eu/port", false),
            ("hosts/*/port", "hosts/eu/port", true),
            ("hosts/*/port", "hosts[3]/port", true),
            ("'a/b'/c", "\"a/b\"/c", true),
        ];
        for (pattern, text, expected) in table {
            assert_eq!(Pattern::read(pattern).unwrap().matches(&path(text)), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn refuses_what_is_not_a_path() {
        for (text, column) in [("a//b", 3), ("a/", 2), ("a[x]", 2), ("a[1]b", 5), ("a[", 2)] {
            assert_eq!(Pattern::read(text).unwrap_err().place().unwrap().column, column, "{text}");
        }
    }
}
