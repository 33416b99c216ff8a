//! Which mergers a part names, and what they do: `merge_how`, `merge_type` and headers, in string and list form.
//!
//! The words are the document's. Where it says of an option what cloud-init does otherwise, both meanings are told apart
//! here ([`Mergers::of`]), so that the [`walk`](super::walk) only does what it is told.

use super::part::{Fault, is_marker, quoted};
use crate::layers::reading::Reading;
use crate::layers::values::{Content, Schema, Value};
use crate::text::error::{nearest, visible};

/// A merger as a part names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    kind: Kind,
    options: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Dict,
    List,
    Text,
}

impl Kind {
    const NAMES: [&str; 3] = ["dict", "list", "str"];

    fn named(word: &str) -> Option<Self> {
        let at = Self::NAMES.iter().position(|name| *name == word.strip_prefix("m_").unwrap_or(word))?;
        [Self::Dict, Self::List, Self::Text].get(at).copied()
    }

    fn name(self) -> &'static str {
        match self {
            Self::Dict => "dict",
            Self::List => "list",
            Self::Text => "str",
        }
    }

    /// The options that it has, those for values inside of its own included.
    fn options(self) -> &'static [&'static str] {
        match self {
            Self::Dict => &[
                "allow_delete",
                "no_replace",
                "replace",
                "recurse_dict",
                "recurse_list",
                "recurse_array",
                "recurse_str",
            ],
            Self::List => &[
                "append",
                "prepend",
                "no_replace",
                "replace",
                "recurse_dict",
                "recurse_list",
                "recurse_array",
                "recurse_str",
            ],
            Self::Text => &["append", "recurse_dict", "recurse_list", "recurse_array", "recurse_str"],
        }
    }
}

/// The existing keys that a map loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deletes {
    Nothing,
    /// Those that are null in the new map.
    Nulls,
    /// Those as well that the new map has not.
    NullsAndMissing,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dict {
    pub(super) replace: bool,
    pub(super) deletes: Deletes,
    pub(super) inside: Inside,
}

/// Which new values are merged with the old ones that they meet inside of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inside {
    pub(super) maps: bool,
    pub(super) lists: bool,
    pub(super) texts: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Append,
    Prepend,
    Replace,
    NoReplace,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct List {
    pub(super) method: Method,
    pub(super) inside: Inside,
}

/// What merges maps, lists and texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mergers {
    pub(super) dict: Option<Dict>,
    pub(super) list: Option<List>,
    /// Whether a new text comes behind the old one, or in its place.
    pub(super) text: Option<bool>,
    /// Who named them, in words.
    pub(super) by: String,
}

impl Mergers {
    /// Of several mergers for a type the first counts. As the document has it, a list keeps what it has
    /// unless told otherwise, `recurse_dict` is on everywhere, and `allow_delete` takes what the new map has not.
    pub(super) fn of(named: &[Named], reading: Reading, by: String) -> Self {
        let first = |kind| named.iter().find(|named| named.kind == kind);
        let dict = first(Kind::Dict).map(|named| Dict {
            replace: named.has("replace"),
            deletes: match named.has("allow_delete") {
                true if reading.is_documented() => Deletes::NullsAndMissing,
                true => Deletes::Nulls,
                false => Deletes::Nothing,
            },
            inside: Inside { maps: true, ..named.inside() },
        });
        let list = first(Kind::List).map(|named| {
            let inside = named.inside();
            List {
                method: named.method(reading),
                inside: Inside { maps: inside.maps || reading.is_documented(), ..inside },
            }
        });
        Self { dict, list, text: first(Kind::Text).map(|named| named.has("append")), by }
    }
}

impl Named {
    fn has(&self, option: &str) -> bool {
        self.options.iter().any(|other| other == option)
    }

    fn inside(&self) -> Inside {
        let lists = self.has("recurse_list") || self.has("recurse_array");
        Inside { maps: self.has("recurse_dict"), lists, texts: self.has("recurse_str") }
    }

    /// The first of these that it has.
    fn method(&self, reading: Reading) -> Method {
        let methods = [
            ("append", Method::Append),
            ("prepend", Method::Prepend),
            ("replace", Method::Replace),
            ("no_replace", Method::NoReplace),
        ];
        let otherwise = if reading.is_documented() { Method::NoReplace } else { Method::Replace };
        methods.iter().find(|(name, _)| self.has(name)).map_or(otherwise, |(_, method)| *method)
    }
}

/// Reads what parts say about mergers.
pub(super) struct Reader {
    pub(super) reading: Reading,
    /// Options that are not known, and are passed over.
    pub(super) told: Vec<Fault>,
    /// Where what was read stands.
    pub(super) line: Option<usize>,
}

impl Reader {
    pub(super) fn new(reading: Reading) -> Self {
        Self { reading, told: Vec::new(), line: None }
    }

    /// The mergers that nobody named.
    pub(super) fn default(words: &str, reading: Reading) -> Mergers {
        let named = Self::new(Reading::Shipped).text(words, None).unwrap_or_default();
        Mergers::of(&named, reading, "by default".to_owned())
    }

    /// Takes `merge_how` out of a part, or `merge_type` where that is not there or null.
    ///
    /// # Errors
    /// What has another form, or names an unknown merger.
    pub(super) fn taken_from(&mut self, map: &mut Value<'_>) -> Result<Vec<Named>, Fault> {
        let first = map.children().first().map_or(String::new(), |entry| entry.name().to_owned());
        let mut take = |name: &str| {
            let at = map.position(name)?;
            if first == name {
                // What a text starts with is about all of it.
                let head = map.take_first_comments(|_| true);
                map.put_first_comments(head);
            }
            let gone = map.remove(at);
            if first == name {
                map.set_off_from_head(is_marker);
            }
            gone
        };
        let how = take("merge_how").filter(|value| !value.is_null());
        let Some(how) = how else {
            return take("merge_type")
                .filter(|value| !value.is_null())
                .map_or(Ok(Vec::new()), |value| self.value(&value));
        };
        if self.reading.is_documented()
            && let Some(other) = take("merge_type")
        {
            let what = "`merge_type` is passed over, because `merge_how` is there";
            self.told.push(Fault::new(what, other.line()));
        }
        self.value(&how)
    }

    fn value(&mut self, value: &Value<'_>) -> Result<Vec<Named>, Fault> {
        self.line = Some(value.line());
        match value.content() {
            Content::Scalar(_) => match value.as_text(Schema::Yaml11) {
                Some(text) => self.text(text, Some(value.line())),
                None => Err(wrong_form(value)),
            },
            Content::List(items) => {
                let named: Result<Vec<_>, _> = items.iter().map(|item| self.item(item)).collect();
                Ok(named?.into_iter().flatten().collect())
            }
            Content::Map(_) => Err(wrong_form(value)),
        }
    }

    /// Reads `list(append)+dict(no_replace, recurse_list)`.
    ///
    /// # Errors
    /// What has another form, or names an unknown merger.
    pub(super) fn text(&mut self, text: &str, line: Option<usize>) -> Result<Vec<Named>, Fault> {
        self.line = self.line.or(line);
        let pieces = text.split('+').map(str::trim).filter(|piece| !piece.is_empty());
        pieces.map(|piece| self.piece(piece, line)).collect()
    }

    fn piece(&mut self, piece: &str, line: Option<usize>) -> Result<Named, Fault> {
        let normal = piece.to_lowercase().replace('-', "_");
        let Some((name, options)) = name_and_options(&normal) else {
            let what = format!("`{}` is no merger with its options", visible(piece));
            let help = "write the name and its options directly behind it: list(append)+dict(recurse_list)";
            return Err(Fault { line, ..Fault::default() }.of(what, piece, help));
        };
        let kind = known(name, piece, line)?;
        let options = options.split(',').map(str::trim).filter(|option| !option.is_empty());
        self.named(kind, options.map(|option| (option.to_owned(), line)).collect())
    }

    /// Reads `{name: list, settings: [append]}` or `[list, append]`.
    fn item(&mut self, item: &Value<'_>) -> Result<Option<Named>, Fault> {
        let (name, options) = match item.content() {
            Content::Map(_) => (item.get("name"), item.get("settings")),
            Content::List(words) => (words.first(), None),
            Content::Scalar(_) => return Err(wrong_form(item)),
        };
        let Some(name) = name.filter(|name| name.as_text(Schema::Yaml11).is_some()) else {
            let what = "a merger has to have a name that is a text";
            return Err(Fault::new(what, item.line()).help("write it as {name: list, settings: [append]}"));
        };
        let word = name.as_text(Schema::Yaml11).unwrap_or_default();
        let normal = word.replace('-', "_");
        if normal.trim().is_empty() {
            return Ok(None);
        }
        let kind = known(normal.trim(), word, Some(name.line()))?;
        let options = match (item.content(), options) {
            (Content::List(words), _) => texts(words.get(1..).unwrap_or_default()),
            (_, Some(settings)) => self.settings(kind, settings)?,
            (_, None) => {
                let fault = Fault::new("a merger has to have `settings`", item.line());
                return Err(fault.help("write [] where there are none"));
            }
        };
        self.named(kind, options).map(Some)
    }

    /// The options of the list form. cloud-init searches a text for them: `no_replace` has `replace` in it.
    fn settings(&self, kind: Kind, settings: &Value<'_>) -> Result<Vec<Word>, Fault> {
        let line = Some(settings.line());
        match settings.content() {
            Content::List(words) => Ok(texts(words)),
            Content::Map(entries) if self.reading.is_shipped() => {
                Ok(entries.iter().map(|entry| (entry.name().to_owned(), Some(entry.line()))).collect())
            }
            Content::Scalar(_) if self.reading.is_shipped() && settings.as_text(Schema::Yaml11).is_some() => {
                let text = settings.as_text(Schema::Yaml11).unwrap_or_default();
                let found = kind.options().iter().filter(|option| text.contains(**option));
                Ok(found.map(|option| ((*option).to_owned(), line)).collect())
            }
            _ => {
                let what = format!("`settings` has to be a list of options, and this is {}", quoted(settings));
                Err(Fault::new(what, settings.line()).word("settings").help("write it as settings: [append]"))
            }
        }
    }

    fn named(&mut self, kind: Kind, options: Vec<Word>) -> Result<Named, Fault> {
        let names = kind.options();
        for (option, line) in options.iter().filter(|(option, _)| !names.contains(&option.as_str())) {
            let line = *line;
            let what = format!("`{}` is no option of {}", visible(option), kind.name());
            let fault = Fault { line, ..Fault::default() }.of(what, option, &nearest(option, names));
            if self.reading.is_documented() {
                return Err(fault);
            }
            self.told.push(Fault { what: format!("{}, and has no effect", fault.what), ..fault });
        }
        Ok(Named { kind, options: options.into_iter().map(|(option, _)| option).collect() })
    }
}

impl Fault {
    fn of(self, what: String, word: &str, help: &str) -> Self {
        Self { what, word: word.to_owned(), help: help.to_owned(), ..self }
    }
}

/// `name(options)`, where the name is an identifier.
fn name_and_options(piece: &str) -> Option<(&str, &str)> {
    let (name, options) = piece.strip_suffix(')')?.split_once('(')?;
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let goes_on = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (starts && goes_on && !options.contains('\n')).then_some((name, options))
}

fn known(name: &str, word: &str, line: Option<usize>) -> Result<Kind, Fault> {
    Kind::named(name).ok_or_else(|| {
        let what = format!("`{}` is no merger", visible(name));
        let help = format!("{}; classes of your own cannot be loaded", nearest(name, &Kind::NAMES));
        Fault { line, ..Fault::default() }.of(what, word, &help)
    })
}

/// An option, and the line that it stands on.
type Word = (String, Option<usize>);

fn texts(words: &[Value<'_>]) -> Vec<Word> {
    let word = |word: &Value<'_>| Some((word.as_text(Schema::Yaml11)?.to_owned(), Some(word.line())));
    words.iter().filter_map(word).collect()
}

fn wrong_form(value: &Value<'_>) -> Fault {
    let what = format!("{} is no way to name mergers", quoted(value));
    let help = "write list(append)+dict(recurse_list), or a list of {name: list, settings: [append]}";
    let word = value.scalar().map_or("", |scalar| &*scalar.text).to_owned();
    Fault::new(what, value.line()).word(&word).help(help)
}
