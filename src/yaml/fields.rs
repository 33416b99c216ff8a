//! A YAML text read as what it has to be: maps with known keys, lists, texts. Whatever is not so is refused with its place.

mod places;

use saphyr_parser::ScalarStyle;

use self::places::{Stands, places};
use crate::text::error::{Error, Place, nearest, visible};
use crate::text::scan;
use crate::text::source::Source;
use crate::yaml::flow;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::pattern::Pattern;
use crate::yaml::reference;
use crate::yaml::row::RowId;

/// The version of the format that is read here.
const FORMAT: &str = "1";

/// A text and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) text: String,
    pub(crate) place: Place,
}

/// A file that is read strictly.
pub(crate) struct Fields<'f, 'a> {
    source: &'f Source<'a>,
    outline: &'f Outline<'a>,
    stands: Vec<Stands>,
}

impl<'f, 'a> Fields<'f, 'a> {
    pub(crate) fn of(source: &'f Source<'a>, outline: &'f Outline<'a>) -> Self {
        Self { source, outline, stands: places(source, outline) }
    }

    pub(crate) fn error(&self, place: Place, what: &str) -> Error {
        self.source.error(what, place)
    }

    pub(crate) fn value(&self, row: RowId) -> Place {
        self.stands[row.index()].value
    }

    pub(crate) fn key(&self, row: RowId) -> Place {
        self.stands[row.index()].key
    }

    /// The keys of a map with the rows of their values.
    pub(crate) fn entries(&self, row: RowId, what: &str) -> Result<Vec<(Words, RowId)>, Error> {
        if self.outline[row].kind != RowKind::Map {
            return Err(self.wrong_kind(row, what, "a map"));
        }
        let entry = |row: RowId| {
            let text = self.outline[row].name.as_deref().unwrap_or_default().to_owned();
            (Words { text, place: self.key(row) }, row)
        };
        Ok(self.outline.children(row).map(entry).collect())
    }

    /// The rows of the keys of a map, in the order in which they are known; others are refused.
    pub(crate) fn known<const N: usize>(
        &self,
        row: RowId,
        what: &str,
        known: [&str; N],
    ) -> Result<[Option<RowId>; N], Error> {
        let mut found = [None; N];
        for (key, row) in self.entries(row, what)? {
            match known.iter().position(|name| *name == key.text) {
                Some(at) => found[at] = Some(row),
                None => return Err(self.unknown(&key, &format!("key of {what}"), &known)),
            }
        }
        Ok(found)
    }

    /// A word that is none of those that are known.
    pub(crate) fn unknown(&self, word: &Words, what: &str, known: &[&str]) -> Error {
        self.error(word.place, &format!("`{}` is no {what}", visible(&word.text))).help(nearest(&word.text, known))
    }

    pub(crate) fn list(&self, row: RowId, what: &str) -> Result<Vec<RowId>, Error> {
        if self.outline[row].kind != RowKind::List {
            return Err(self.wrong_kind(row, what, "a list"));
        }
        Ok(self.outline.children(row).collect())
    }

    pub(crate) fn is_map(&self, row: RowId) -> bool {
        self.outline[row].kind == RowKind::Map
    }

    /// A scalar that is not empty.
    pub(crate) fn text(&self, row: RowId, what: &str) -> Result<Words, Error> {
        let found = &self.outline[row];
        match found.kind {
            RowKind::Scalar(_) if found.is_null() => {
                let error = self.error(self.value(row), &format!("{what} has no value"));
                Err(error.help("give it one, or take the key out"))
            }
            RowKind::Scalar(_) => Ok(Words { text: found.text.to_string(), place: self.value(row) }),
            _ => Err(self.wrong_kind(row, what, "a text")),
        }
    }

    /// The value of `yamlift`: a file of a later format may mean something else by the same words.
    pub(crate) fn format(&self, root: RowId, row: Option<RowId>) -> Result<(), Error> {
        let Some(row) = row else {
            let what = "this does not say which format it is in";
            return Err(self.error(self.value(root), what).help("start it with `yamlift: 1`"));
        };
        let format = self.text(row, "`yamlift`")?;
        if format.text == FORMAT {
            return Ok(());
        }
        let what = format!("format `{}` is not known", visible(&format.text));
        Err(self.error(format.place, &what).help("this version of yamlift reads `yamlift: 1`"))
    }

    /// A path with stars.
    pub(crate) fn pattern(&self, words: &Words) -> Result<Pattern, Error> {
        Pattern::read(&words.text).map_err(|bad| {
            let help = "a path reads like server/ports[2], users[name=ann]/shell or 'a.b'/c";
            self.error(words.place, bad.what()).help(help)
        })
    }

    /// A value as it is written, collections in flow style.
    pub(crate) fn written(&self, row: RowId) -> Result<String, Error> {
        let quoted =
            matches!(self.outline[row].kind, RowKind::Scalar(ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted));
        let as_it_is = quoted.then(|| self.quoted(row)).flatten();
        as_it_is.or_else(|| flow::render(row, self.outline)).filter(|text| !text.is_empty()).ok_or_else(|| {
            self.error(self.value(row), "this value cannot be written on one line").help("write it without an anchor")
        })
    }

    /// A scalar in quotes on one line.
    fn quoted(&self, row: RowId) -> Option<String> {
        let stands = &self.stands[row.index()];
        let line = self.source.lines.get(stands.value.line - 1)?.0;
        let text = line.get(stands.offset.checked_sub(1)?..)?;
        let written = &text[..scan::quote_end(text).filter(|_| text.starts_with(['"', '\'']))?];
        let reads_back = reference::scalar(written).is_some_and(|found| self.outline[row].text == found);
        reads_back.then(|| written.to_owned())
    }

    fn wrong_kind(&self, row: RowId, what: &str, wanted: &str) -> Error {
        let found = match self.outline[row].kind {
            RowKind::Alias(_) => "an alias",
            _ if self.outline[row].is_null() => "nothing",
            _ => self.outline.kind_name(row),
        };
        let place = if self.outline[row].name.is_some() { self.key(row) } else { self.value(row) };
        let help = match wanted {
            "a list" => "write each item behind `- `, or all of them in brackets",
            "a map" => "write `key: value` on lines below, or in braces",
            _ => "write it on one line, in quotes where it has `: ` or ` #` in it",
        };
        self.error(place, &format!("{what} has to be {wanted}, and this is {found}")).help(help)
    }
}
