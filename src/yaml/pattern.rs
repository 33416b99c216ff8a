//! Paths that are read as they stand, without a file that decides: the target of a move, which is not there yet, and
//! patterns that name many places.
//!
//! Only the first form of `docs/rules.md` rule 7 is read here (`a/b[2]/'c.d'`, or a JSON Pointer). `*` stands for any
//! one key or item, `[*]` for any item, `**` for any number of steps.

use std::collections::BTreeMap;
use std::fmt;

use crate::text::error::{Error, Place, visible};
use crate::yaml::find;
use crate::yaml::path::{Path, Step};
use crate::yaml::place::Place as Value;
use crate::yaml::tree::Kind;

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
        find::check(text)?;
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
        // Twice any number of steps is any number of them.
        words.dedup_by(|a, b| *a == Word::Deep && *b == Word::Deep);
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

    /// The path that this is, if none of its steps is open.
    pub(crate) fn path(&self) -> Option<Path> {
        let step = |word: &Word| if let Word::Step(step) = word { Some(step.clone()) } else { None };
        self.0.iter().map(step).collect::<Option<_>>().map(Path)
    }

    /// Whether a path is one of those that this names. Items are known by their number alone here.
    pub(crate) fn matches(&self, path: &Path) -> bool {
        self.names(&path.0)
    }

    /// Whether these steps are one of the places that this names.
    pub(crate) fn names(&self, steps: &[Step]) -> bool {
        steps.iter().fold(Reached::start(&self.0), |reached, step| reached.by(step)).whole().is_some()
    }

    /// Whether these steps are a place that this names, or lead into one.
    pub(crate) fn holds(&self, steps: &[Step]) -> bool {
        let mut reached = Reached::start(&self.0);
        steps.iter().any(|step| {
            reached = reached.by(step);
            reached.whole().is_some()
        })
    }

    /// All places that this names in a file, each once, with the steps that stand for its stars.
    pub(crate) fn places(&self, document: Value<'_, '_>) -> Vec<(Vec<usize>, Vec<Step>)> {
        let mut found = Vec::new();
        find(&Reached::start(&self.0), document, &mut Vec::new(), &mut found);
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
        let (name, rest) = find::quoted_step(text)?;
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

/// How far into the words of a pattern the steps of a path may have come, each with the steps that stand for its stars.
/// A path may fit in many ways; of those that come as far the first is enough, so all of them take one look at each step.
struct Reached<'p> {
    words: &'p [Word],
    ends: BTreeMap<usize, Vec<Step>>,
}

impl<'p> Reached<'p> {
    fn start(words: &'p [Word]) -> Self {
        let mut reached = Self { words, ends: BTreeMap::new() };
        reached.add(0, Vec::new());
        reached
    }

    /// A `**` may also stand for no step.
    fn add(&mut self, at: usize, stars: Vec<Step>) {
        if self.words.get(at) == Some(&Word::Deep) {
            self.ends.entry(at + 1).or_insert_with(|| stars.clone());
        }
        self.ends.entry(at).or_insert(stars);
    }

    /// One step on, where `fits` tells whether a word may stand for it, and the step that it is then.
    fn next(&self, fits: impl Fn(&Word) -> Option<Step>) -> Self {
        let mut next = Self { words: self.words, ends: BTreeMap::new() };
        for (&at, stars) in &self.ends {
            let Some(word) = self.words.get(at) else { continue };
            let Some(step) = fits(word) else { continue };
            let mut stars = stars.clone();
            stars.extend(matches!(word, Word::Any | Word::AnyItem).then_some(step));
            next.add(at + usize::from(*word != Word::Deep), stars);
        }
        next
    }

    fn by(&self, step: &Step) -> Self {
        self.next(|word| fits(word, step).then(|| step.clone()))
    }

    /// What stands for the stars, where all of the words are used up.
    fn whole(&self) -> Option<&Vec<Step>> {
        self.ends.get(&self.words.len())
    }

    fn is_astray(&self) -> bool {
        self.ends.is_empty()
    }
}

fn fits(word: &Word, step: &Step) -> bool {
    match word {
        Word::Step(wanted) => wanted == step,
        Word::Any => !matches!(step, Step::Document(_)),
        Word::AnyItem | Word::Named(..) => matches!(step, Step::Item(_)),
        Word::Deep => true,
    }
}

/// A way down, and the steps that stand for stars on it.
type Found = (Vec<usize>, Vec<Step>);

fn find(reached: &Reached<'_>, value: Value<'_, '_>, way: &mut Vec<usize>, found: &mut Vec<Found>) {
    found.extend(reached.whole().map(|stars| (way.clone(), stars.clone())));
    for (at, child) in value.children().into_iter().enumerate() {
        let next = reached.next(|word| step(value, at, child, word));
        if next.is_astray() {
            continue;
        }
        way.push(at);
        find(&next, child, way, found);
        way.pop();
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
    fn many_deep_stars_on_a_deep_path_take_no_time() {
        let path = Path(vec![Step::Key("a".to_owned()); 200]);
        let read = |end: &str| Pattern::read(&format!("{}{end}", "**/a/".repeat(50))).unwrap();
        assert!(read("**/a").matches(&path) && !read("**/b").matches(&path) && !read("b").holds(&path.0));
        assert!(Pattern::read(&"**/*/".repeat(50)).is_err());
        assert!(Pattern::read(&format!("{}b", "**/*/".repeat(50))).is_ok_and(|pattern| !pattern.matches(&path)));
        assert_eq!(Pattern::read("**/**/**/a").unwrap(), Pattern::read("**/a").unwrap());
    }

    #[test]
    fn refuses_what_is_not_a_path() {
        for (text, column) in [("a//b", 3), ("a/", 2), ("a[x]", 2), ("a[1]b", 5), ("a[", 2)] {
            assert_eq!(Pattern::read(text).unwrap_err().place().unwrap().column, column, "{text}");
        }
    }
}
