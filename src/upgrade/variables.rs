//! Variables: names in a file, such as `#{host}`, and the texts that they stand for.
//!
//! `key: #{name}` is a comment to YAML, so placeholders are found before anything is parsed. Each is hidden behind a
//! plain word of the same length, which YAML reads as text and which leaves every place in the file as it is; the
//! reference parser then says in which scalar a placeholder stands, and that scalar's style says how a value is written
//! into it. Last, the result is parsed again: it must have the same structure, and each value must read back exactly.
//! So no value can open a key, a comment or a document.
//!
//! Left out on purpose: the environment (the command decides what is defined), defaults such as `#{name:x}`, and
//! placeholders in anchors, tags and directives, where a text would be a name. No error here shows a value.

#[cfg(feature = "properties")]
mod properties;
mod scalars;
mod tokens;
mod writing;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use memchr::memmem;
use saphyr_parser::{Event, ScalarStyle};

use crate::text::budget::Budget;
use crate::text::error::{Error, Place};
use crate::text::source::Source;
use scalars::{Flaw, Scalar, Seen};
use tokens::Tokens;
use writing::{Caution, Edit, Filled};

/// Names and the texts that they stand for: a placeholder `#{name}` in a new default is replaced by its text.
///
/// The last definition of a name counts. Nothing is defined unless it is set here: the environment of the process is
/// never looked at.
///
/// ```
/// let mut variables = yamlift::Variables::default();
/// variables.set("host", "localhost");
/// variables.set("host", "db.example.org");
/// assert_eq!(variables.get("host"), Some("db.example.org"));
/// assert_eq!(variables.get("port"), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variables {
    values: BTreeMap<String, String>,
    strict: bool,
}

impl Variables {
    /// Defines a name, or defines it anew.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.values.insert(name.into(), value.into());
    }

    /// Refuses a new default with a placeholder whose name is not defined. Else it stays as it is, and is reported.
    ///
    /// ```
    /// let mut options = yamlift::Options::default();
    /// options.variables.refuse_unknown();
    /// let refused = yamlift::install("host: #{host}\n", &options).unwrap_err();
    /// assert!(refused.to_string().starts_with("update:1:7: no value for the variable #{host}"));
    /// ```
    pub fn refuse_unknown(&mut self) {
        self.strict = true;
    }

    /// Whether no name is defined.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The text that a name stands for.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }
}

/// A text with its variables put in.
#[derive(Debug)]
pub(crate) struct Applied<'a> {
    pub(crate) text: Cow<'a, str>,
    /// The names that were put in with their texts, sorted, each once.
    pub(crate) used: Vec<(String, String)>,
    /// The names of placeholders that were left as they are, sorted, each once.
    pub(crate) unknown: Vec<String>,
}

/// Puts the texts of `variables` in place of the placeholders of a new default; `name` is the file's name in errors.
pub(crate) fn apply<'a>(name: &str, text: &'a str, variables: &Variables) -> Result<Applied<'a>, Error> {
    if variables.strict {
        refuse_unknown(name, text.strip_prefix('\u{feff}').unwrap_or(text), variables)?;
    }
    apply_known(name, text, variables)
}

/// The names of all placeholders in these texts.
pub(crate) fn names<'t>(texts: &[&'t str]) -> BTreeSet<&'t str> {
    texts.iter().flat_map(|text| placeholders(text)).map(|(_, name)| name).collect()
}

fn refuse_unknown(name: &str, text: &str, variables: &Variables) -> Result<(), Error> {
    let Some((at, unknown)) = placeholders(text).find(|(_, name)| variables.get(name).is_none()) else {
        return Ok(());
    };
    Err(Error::input(format!("no value for the variable #{{{unknown}}}"))
        .at(place(text, at.start), text)
        .in_file(name)
        .help(format!("give it one: `--env {unknown}=VALUE`")))
}

/// The same, whatever else stands in the text.
pub(crate) fn apply_known<'a>(name: &str, text: &'a str, variables: &Variables) -> Result<Applied<'a>, Error> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut known = Vec::new();
    let mut unknown = BTreeSet::new();
    for (at, name) in placeholders(body) {
        if let Some(value) = variables.get(name) {
            known.push(Placeholder { at, name, value });
        } else {
            unknown.insert(name.to_owned());
        }
    }
    let unknown = unknown.into_iter().collect();
    if known.is_empty() {
        return Ok(Applied { text: Cow::Borrowed(text), used: Vec::new(), unknown });
    }
    let source = Source::new(name, text)?;
    let used = used(&known);
    refuse_too_long(&source, &known, &used)?;
    let filled = fill(&source, &known)?;
    let mark = if source.bom { "\u{feff}" } else { "" };
    Ok(Applied { text: Cow::Owned(format!("{mark}{filled}")), used, unknown })
}

/// How often the text of a variable is in memory while it is put in and read back.
const COPIES: usize = 8;

/// A long text for a name that stands in many places is refused where it would be too much.
fn refuse_too_long(source: &Source<'_>, known: &[Placeholder<'_>], used: &[(String, String)]) -> Result<(), Error> {
    let values: usize = used.iter().map(|(_, value)| value.len()).sum();
    let budget = Budget::of(source.text.len() + values);
    known.iter().try_for_each(|it| {
        budget.take(COPIES * it.value.len()).map_err(|why| {
            let what = format!("the text of `{}` stands in too many places: {why}", it.name);
            source.error(&what, place(source.text, it.at.start)).help("give it a shorter text")
        })
    })
}

/// A placeholder whose name is known.
#[derive(Debug, Clone)]
struct Placeholder<'a> {
    at: Range<usize>,
    name: &'a str,
    value: &'a str,
}

/// The places and names of all placeholders. A name has no blanks around it: `#{ v }` is none.
fn placeholders(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let opening = "#{";
    memmem::find_iter(text.as_bytes(), opening).filter_map(move |at| {
        let rest = text.get(at + opening.len()..)?;
        let (name, rest) = rest.split_at(rest.find(|c| !is_of_name(c))?);
        let end = at + opening.len() + name.len() + 1;
        (!name.is_empty() && rest.starts_with('}')).then_some((at..end, name))
    })
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}

fn used(known: &[Placeholder<'_>]) -> Vec<(String, String)> {
    let pairs: BTreeMap<_, _> = known.iter().map(|it| (it.name, it.value)).collect();
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn fill(source: &Source<'_>, known: &[Placeholder<'_>]) -> Result<String, Error> {
    let Some(tokens) = Tokens::new(source.text, known) else {
        let error = Error::input("too many variables in one file").in_file(source.name);
        return Err(error.help("give fewer of them texts, and the others in a second run"));
    };
    let hidden = tokens.hide(source.text, known);
    let hidden = Source::new(source.name, &hidden)?;
    let seen = Seen::new(&hidden);
    let events = seen.events().map_err(|flaw| not_yaml(source, &hidden, known, &flaw))?;
    let scalars = scalars::find(hidden.text, &events);
    let comments = scalars::comments(hidden.text, &scalars);
    let filling = Filling { source, known, tokens, scalars, comments };
    let wanted: Vec<_> = events.into_iter().map(|(event, _)| filling.wanted(event)).collect();
    for caution in [Caution::Fitting, Caution::Quoted] {
        let edits = filling.edits(caution)?;
        let text = writing::splice(source.text, 0..source.text.len(), &edits);
        if reads_as(&text, &wanted) {
            return Ok(text);
        }
    }
    Err(Error::verification("with its variables put in, the text does not read as it should").in_file(source.name))
}

/// A file whose placeholders are about to be replaced.
struct Filling<'a> {
    source: &'a Source<'a>,
    known: &'a [Placeholder<'a>],
    tokens: Tokens<'a>,
    /// The scalars and comments of the text with its placeholders hidden.
    scalars: Vec<Scalar>,
    comments: Vec<Range<usize>>,
}

impl Filling<'_> {
    /// What an event of the hidden text must be in the result.
    fn wanted<'v>(&self, event: Event<'v>) -> Event<'v> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                Event::Scalar(Cow::Owned(self.tokens.expand(&text)), style, anchor, tag)
            }
            other => other,
        }
    }

    fn edits(&self, caution: Caution) -> Result<Vec<Edit>, Error> {
        let mut edits = Vec::new();
        let mut rest = self.known;
        while let Some((first, more)) = rest.split_first() {
            let Some(scalar) = scalars::holder(&self.scalars, first.at.start) else {
                edits.push(self.outside(first)?);
                rest = more;
                continue;
            };
            let inside = rest.iter().take_while(|it| scalar.content.contains(&it.at.start)).count();
            let (inside, after) = rest.split_at(inside);
            edits.extend(self.scalar(scalar, inside, caution)?);
            rest = after;
        }
        // A block scalar that becomes quoted takes the place of its header, before a comment that may hold edits.
        edits.sort_by_key(|edit| edit.at.start);
        Ok(edits)
    }

    fn scalar(&self, scalar: &Scalar, inside: &[Placeholder<'_>], caution: Caution) -> Result<Vec<Edit>, Error> {
        let wanted = self.tokens.expand(&scalar.text);
        let written = writing::edits(self.source.text, &Filled { scalar, inside, wanted: &wanted }, caution);
        written.ok_or_else(|| {
            let names: BTreeSet<_> = inside.iter().map(|it| format!("`{}`", it.name)).collect();
            let names = names.into_iter().collect::<Vec<_>>().join(" and ");
            let place = place(self.source.text, scalar.content.start);
            self.source
                .error(&format!("the value of {names} cannot be written here"), place)
                .help("a key holds at most 1024 characters: give a shorter value")
        })
    }

    /// A placeholder in no scalar: in a comment it is text, elsewhere it would be a name.
    fn outside(&self, it: &Placeholder<'_>) -> Result<Edit, Error> {
        if !scalars::is_comment(&self.comments, it.at.start) {
            return Err(misplaced(self.source, it));
        }
        if it.value.chars().all(writing::is_visible) {
            return Ok(Edit { at: it.at.clone(), text: it.value.to_owned() });
        }
        let what =
            format!("the value of `{}` has a line break or a control character and stands in a comment", it.name);
        let place = place(self.source.text, it.at.start);
        Err(self.source.error(&what, place).help("take the placeholder out of the comment"))
    }
}

/// Whether a text has these events. A scalar may be double-quoted where it had another style.
fn reads_as(text: &str, wanted: &[Event<'_>]) -> bool {
    let Ok(source) = Source::new("", text) else { return false };
    let seen = Seen::new(&source);
    let Ok(events) = seen.events() else { return false };
    events.len() == wanted.len() && events.iter().zip(wanted).all(|((is, _), wanted)| is_as_wanted(is, wanted))
}

fn is_as_wanted(is: &Event<'_>, wanted: &Event<'_>) -> bool {
    match (is, wanted) {
        (Event::Scalar(text, style, anchor, tag), Event::Scalar(text2, style2, anchor2, tag2)) => {
            let same_style = style == style2 || *style == ScalarStyle::DoubleQuoted;
            same_style && text == text2 && anchor == anchor2 && tag == tag2
        }
        _ => is == wanted,
    }
}

/// The error for a text that the reference parser refuses: often a placeholder that makes an alias or a tag.
fn not_yaml(source: &Source<'_>, hidden: &Source<'_>, known: &[Placeholder<'_>], flaw: &Flaw) -> Error {
    let at = place(source.text, flaw.at);
    let mut on_line = known.iter().filter(|it| place(source.text, it.at.start).line == at.line);
    match on_line.find(|it| scalars::is_property(hidden.text, it.at.start)) {
        Some(it) => misplaced(source, it),
        None => source
            .error(&format!("not valid YAML: {}", flaw.what), at)
            .help("a placeholder is read as a plain word that stands in its place"),
    }
}

fn misplaced(source: &Source<'_>, it: &Placeholder<'_>) -> Error {
    let place = place(source.text, it.at.start);
    source
        .error("a variable cannot stand in an anchor, a tag or a directive", place)
        .help("variables can stand in keys, values and comments")
}

fn place(text: &str, at: usize) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let breaks = before.matches(['\n', '\r']).count() - before.matches("\r\n").count();
    let column = before.get(line_start..).map_or(0, |line| line.chars().count());
    Place { line: breaks + 1, column: column + 1 }
}
