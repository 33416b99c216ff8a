//! The paths of one node: its facts in the place of `$($Node.X)`.

use std::cell::Cell;

use super::expression;
use super::lookup::find;
use super::precedence::{Part, Precedence, SEPARATORS, refuse_step};
use super::repository::{COMPARED, Node, Repository};
use crate::layers::values::Value;
use crate::text::error::{Error, near, visible};

/// How often a fact may refer to one that refers to another, and so on.
const DEEPEST: usize = 16;
/// So many facts are looked at for one path.
const MOST: usize = 200;
/// How long a fact may be in a path.
const LONGEST: usize = 4 << 10;

/// A path with the facts of a node in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Filled {
    Path(Vec<String>),
    /// The node lacks this fact, so a step has no name.
    Lacking(String),
}

/// What is known of a node.
pub(super) struct Facts<'f, 'a> {
    pub(super) repository: &'f Repository<'a>,
    pub(super) node: &'f Node,
    /// What its file holds.
    pub(super) own: &'f Value<'a>,
}

/// How many facts may still be looked at.
#[derive(Clone, Copy)]
struct Left<'c> {
    /// From one to the next.
    deep: usize,
    all: &'c Cell<usize>,
}

impl Left<'_> {
    /// With one fewer, if there is one.
    fn less(self) -> Option<Self> {
        self.all.set(self.all.get().checked_sub(1)?);
        Some(Self { deep: self.deep.checked_sub(1)?, ..self })
    }
}

/// The text of a fact, and the line of the node's file that it is on.
struct Fact {
    text: String,
    line: usize,
}

impl Facts<'_, '_> {
    /// A path with all that stands for something filled in.
    ///
    /// # Errors
    /// A fact that is no name, one whose value only Datum knows, and PowerShell that is not understood.
    pub(super) fn fill(&self, precedence: &Precedence) -> Result<Filled, Error> {
        let mut path = Vec::new();
        let left = Left { deep: DEEPEST, all: &Cell::new(MOST) };
        for step in &precedence.steps {
            let mut name = String::new();
            for part in step {
                match self.part(part, precedence, left)? {
                    Some(fact) => name.push_str(&self.checked(fact, part)?),
                    None => return Ok(Filled::Lacking(written(part))),
                }
            }
            path.push(name);
        }
        Ok(Filled::Path(path))
    }

    /// A fact that is lacking, and one of the node's that may be meant.
    pub(super) fn near(&self, lacking: &str) -> Option<String> {
        let entries = self.own.children();
        let names: Vec<_> = entries.iter().take(COMPARED).map(Value::name).collect();
        near(lacking, &names).filter(|_| entries.len() <= COMPARED).map(str::to_owned)
    }

    fn part(&self, part: &Part, precedence: &Precedence, left: Left<'_>) -> Result<Option<Fact>, Error> {
        let plain = |text: &str| Ok(Some(Fact { text: text.to_owned(), line: 1 }));
        match part {
            Part::Text(text) => plain(text),
            Part::File => plain(&self.node.name),
            Part::Folder => plain(&self.node.folder),
            Part::Fact { way } if matches!(&way[..], [name] if name.eq_ignore_ascii_case("Name")) => {
                plain(&self.node.name)
            }
            Part::Fact { way } => self.fact(way, precedence, left),
            Part::Unknown(text) => {
                let value = self.repository.supplied.of(&self.node.name, text);
                let value = value.ok_or_else(|| self.unknown(text, precedence))?;
                Ok(value.scalar().map(|scalar| Fact { text: scalar.text.to_string(), line: 1 }))
            }
        }
    }

    /// Says that PowerShell in a path is not understood.
    fn unknown(&self, text: &str, precedence: &Precedence) -> Error {
        let shown = visible(text);
        let what = format!("what `{shown}` comes to cannot be told here");
        let error = self.repository.definition.file.error_about(what, precedence.line, text);
        error.help(format!("supply it with --values FILE, as in '{shown}': web"))
    }

    /// What the node's file says of a fact. Nodes are called as their file is, unless that says something else.
    fn fact(&self, way: &[String], precedence: &Precedence, left: Left<'_>) -> Result<Option<Fact>, Error> {
        let names: Vec<_> = way.iter().map(String::as_str).collect();
        let Some(value) = find(self.own, &names).filter(|value| !value.is_null()) else {
            let is_name = matches!(names[..], [name] if name.eq_ignore_ascii_case("NodeName"));
            return Ok(is_name.then(|| Fact { text: self.node.name.clone(), line: 1 }));
        };
        let line = value.line();
        let Some(scalar) = value.scalar() else {
            let what = format!("the path `{}` needs `{}` as a name", visible(&precedence.text), names.join("."));
            let word = names.last().copied().unwrap_or_default();
            return Err(self.error(&what, line, word).help("give it one word as its value"));
        };
        if !expression::is_handled(&scalar.text) {
            return Ok(Some(Fact { text: scalar.text.to_string(), line }));
        }
        let unknown = || {
            let what = format!("the value of `{}` decides which layers this node has", names.join("."));
            let help = format!("supply it with --values FILE, as in '{}': north", visible(&scalar.text));
            self.error(&what, line, &scalar.text).help(help)
        };
        let (parts, left) = expression::known(&scalar.text).zip(left.less()).ok_or_else(unknown)?;
        let mut text = String::new();
        for part in &parts {
            let fact = self.part(part, precedence, left)?;
            text.push_str(&fact.map_or_else(String::new, |fact| fact.text));
            if text.len() > LONGEST {
                return Err(unknown());
            }
        }
        Ok(Some(Fact { text, line }))
    }

    /// A fact is one name: it leads into no other folder.
    fn checked(&self, fact: Fact, part: &Part) -> Result<String, Error> {
        if fact.text.len() > LONGEST && !matches!(part, Part::Text(_)) {
            let what = format!("a text of {} bytes cannot stand for `{}` in a path", fact.text.len(), written(part));
            return Err(self
                .error(&what, fact.line, "")
                .help("a fact in a path is the name of a file, a folder or a key"));
        }
        if !matches!(part, Part::Text(_)) && (fact.text.contains(SEPARATORS) || refuse_step(&fact.text).is_err()) {
            let (shown, name) = (visible(&fact.text), written(part));
            let what = format!("`{shown}` cannot stand for `{name}` in a path");
            return Err(self
                .error(&what, fact.line, &fact.text)
                .help("a fact in a path is one name, without `/`, `\\` and `..`"));
        }
        Ok(fact.text)
    }

    fn error(&self, what: &str, line: usize, word: &str) -> Error {
        self.repository.file(self.node).error_about(what, line, word)
    }
}

/// A part of a path as messages name it.
fn written(part: &Part) -> String {
    match part {
        Part::Text(text) | Part::Unknown(text) => text.clone(),
        Part::Fact { way } => way.join("."),
        Part::File => "$File.BaseName".to_owned(),
        Part::Folder => "$File.Directory.BaseName".to_owned(),
    }
}
