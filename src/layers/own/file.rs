//! A rules file, read strictly, and the policy that it has for a path.

use std::collections::HashMap;

use super::tags::{Meaning, Tags};
use crate::layers::fold::{Clash, Lists, Maps, Notation, Null, Policy, Texts, Whole};
use crate::layers::values::Layer;
use crate::text::error::{Error, Place, nearest, visible};
use crate::text::source::Source;
use crate::yaml::check;
use crate::yaml::fields::{Fields, Words};
use crate::yaml::path::{Path, Step};
use crate::yaml::pattern::{Pattern, Word};
use crate::yaml::row::RowId;

/// What a rules file says.
#[derive(Debug)]
pub(super) struct Rules {
    /// How errors name the file.
    pub(super) name: String,
    maps: Said<Maps>,
    lists: Said<Lists>,
    /// What was said of lists besides: it counts before all other words.
    asked: Said<Lists>,
    texts: Said<Texts>,
    scalars: Said<Whole>,
    nulls: Said<Null>,
    clash: Said<Clash>,
    /// What is the first layer's alone.
    pub(super) own: Vec<Pattern>,
    pub(super) tags: Tags,
    /// Whether two spellings of one path are refused, with dots in a key and without.
    pub(super) refuses_dotted: bool,
    /// Whether each document of a file is a layer.
    pub(super) each_document: bool,
    /// Where a document names the profiles that it is for.
    pub(super) profile: Vec<Path>,
    /// The key of the layers that says how each key at their top is merged.
    pub(super) options: Option<String>,
    /// What these options say of each key: it counts before the other words of the file.
    pub(super) of_keys: HashMap<String, (Maps, Lists)>,
}

/// What holds at some paths; of two rules for a path the first counts.
#[derive(Debug)]
struct Said<T>(Vec<(Pattern, T)>);

impl<T> Said<T> {
    /// Lets a rule count before all others.
    fn first(&mut self, pattern: Pattern, word: T) {
        self.0.insert(0, (pattern, word));
    }

    fn at(&self, way: &[Step]) -> Option<&T> {
        self.0.iter().find(|(pattern, _)| pattern.names(way)).map(|(_, word)| word)
    }
}

const MAPS: [(&str, Maps); 3] = [("join", Maps::Join), ("keep", Maps::Keep), ("replace", Maps::Replace)];
const TEXTS: [(&str, Texts); 4] =
    [("replace", Texts::Replace), ("keep", Texts::Keep), ("append", Texts::Append), ("list", Texts::List)];
const SCALARS: [(&str, Whole); 2] = [("replace", Whole::Replace), ("keep", Whole::Keep)];
const NULLS: [(&str, Null); 5] = [
    ("value", Null::Value),
    ("delete", Null::Deletes),
    ("delete default", Null::DeletesThere),
    ("ignore", Null::Ignored),
    ("yield", Null::Yields),
];
const CLASH: [(&str, Clash); 4] =
    [("replace", Clash::Replace), ("keep", Clash::Keep), ("refuse", Clash::Refuse), ("list", Clash::List)];
const TAGS: [(&str, Meaning); 2] = [("delete", Meaning::Delete), ("replace", Meaning::Replace)];
const DOTTED: [(&str, bool); 2] = [("plain", false), ("refuse", true)];
const DOCUMENTS: [(&str, bool); 2] = [("one", false), ("each", true)];
const LISTS: [(&str, Lists); 14] = [
    ("replace", Lists::Replace),
    ("keep", Lists::Keep),
    ("append", Lists::Append),
    ("prepend", Lists::Prepend),
    ("unique", Lists::Unique),
    ("unique first", Lists::UniqueFirst),
    ("pairs", Lists::Latest(Notation::Pairs)),
    ("mounts", Lists::Latest(Notation::Mounts)),
    ("ports", Lists::Latest(Notation::Ports)),
    ("paths", Lists::Latest(Notation::Paths)),
    ("secrets", Lists::Latest(Notation::Secrets)),
    ("configs", Lists::Latest(Notation::Configs)),
    ("union", Lists::UnionByName),
    ("index", Lists::Index),
];

impl Rules {
    /// Reads a rules file.
    ///
    /// # Errors
    /// Whatever is not as `docs/merge-rules.md` has it, with its place.
    pub(super) fn read(layer: &Layer) -> Result<Self, Error> {
        let source = Source::new(&layer.name, &layer.text)?;
        let checked = check::read(&source)?;
        let reader = Reader { fields: Fields::of(&source, &checked.outline) };
        let &[root] = &checked.outline.documents[..] else {
            let what = "a rules file is one document";
            return Err(reader.fields.error(Place::START, what).help("it starts with `yamlift: 1`"));
        };
        reader.file(&layer.name, root)
    }

    /// What becomes of two values at a path.
    pub(super) fn policy(&self, way: &[Step]) -> Policy {
        let others = self.scalars.at(way).copied().unwrap_or(Whole::Replace);
        let as_scalar = match others {
            Whole::Keep => Texts::Keep,
            Whole::Replace => Texts::Replace,
        };
        let (asked, (maps, lists)) = (self.asked.at(way).cloned(), self.collections(way));
        Policy {
            maps: maps.or_else(|| self.maps.at(way).cloned()).unwrap_or(Maps::Join),
            lists: asked.or(lists).or_else(|| self.lists.at(way).cloned()).unwrap_or(Lists::Replace),
            texts: self.texts.at(way).copied().unwrap_or(as_scalar),
            others,
            clash: self.clash.at(way).copied().unwrap_or(Clash::Replace),
            null: self.nulls.at(way).copied().unwrap_or(Null::Value),
        }
    }

    /// Reads `WORD`, for all lists, or `PATH=WORD`, and lets it count before what file and layers say of lists.
    ///
    /// # Errors
    /// An unknown word, a path that cannot be read.
    pub(super) fn say_of_lists(&mut self, said: &str) -> Result<(), Error> {
        let (path, word) = said.rsplit_once('=').unwrap_or(("**", said));
        let found = LISTS.iter().find(|(name, _)| *name == word).map(|(_, lists)| lists.clone());
        let names: Vec<&str> = LISTS.iter().map(|(name, _)| *name).collect();
        let what = format!("`{}` is no way to merge lists", visible(word));
        let lists = found.ok_or_else(|| Error::input(what).help(nearest(word, &names)))?;
        let pattern = Pattern::read(path)?;
        self.asked.first(pattern, lists);
        Ok(())
    }

    /// Whether nulls of the later layers count for the first one alone.
    pub(super) fn deletes_default(&self) -> bool {
        self.nulls.0.iter().any(|(_, null)| *null == Null::DeletesThere)
    }

    /// What options say of maps and lists at a path. A map that is joined without its lists is joined at its top alone.
    fn collections(&self, way: &[Step]) -> (Option<Maps>, Option<Lists>) {
        let (Some(_), Some((first, below))) = (&self.options, way.split_first()) else {
            // Each key at the top has options of its own.
            return (self.options.as_ref().map(|_| Maps::Join), None);
        };
        let said = match first {
            Step::Key(name) => self.of_keys.get(name),
            _ => None,
        };
        let Some((maps, lists)) = said else { return (None, None) };
        let is_joined = below.is_empty() || *lists == Lists::UniqueFirst;
        (is_joined.then(|| maps.clone()), Some(lists.clone()))
    }

    /// Whether a null can take anything away.
    pub(super) fn may_delete(&self) -> bool {
        self.nulls.0.iter().any(|(_, null)| *null == Null::Deletes)
    }
}

struct Reader<'f, 'a> {
    fields: Fields<'f, 'a>,
}

impl Reader<'_, '_> {
    fn file(&self, name: &str, root: RowId) -> Result<Rules, Error> {
        let known = ["maps", "lists", "texts", "scalars", "nulls", "other kind"];
        let others = ["yamlift", "own", "tags", "dotted keys", "documents", "profile", "options"];
        let all: [&str; 13] = std::array::from_fn(|at| *known.get(at).unwrap_or_else(|| &others[at - known.len()]));
        let [maps, lists, texts, scalars, nulls, clash, format, own, tags, dotted, documents, profile, options] =
            self.fields.known(root, "a rules file", all)?;
        self.fields.format(root, format)?;
        Ok(Rules {
            name: name.to_owned(),
            maps: self.said(maps, "`maps`", |row| self.maps(row))?,
            lists: self.said(lists, "`lists`", |row| self.lists(row))?,
            asked: Said(Vec::new()),
            texts: self.said(texts, "`texts`", |row| self.word(row, "way to merge texts", &TEXTS))?,
            scalars: self.said(scalars, "`scalars`", |row| self.word(row, "way to merge scalars", &SCALARS))?,
            nulls: self.said(nulls, "`nulls`", |row| self.word(row, "meaning of null", &NULLS))?,
            clash: self
                .said(clash, "`other kind`", |row| self.word(row, "way out for values of other kinds", &CLASH))?,
            own: self.paths(own, "`own`")?,
            tags: Tags(tags.map_or(Ok(Vec::new()), |row| self.tags(row))?),
            refuses_dotted: dotted.map_or(Ok(false), |row| self.word(row, "word for dotted keys", &DOTTED))?,
            each_document: documents.map_or(Ok(false), |row| self.word(row, "word for documents", &DOCUMENTS))?,
            profile: self.profile(profile)?,
            options: options.map(|row| self.fields.text(row, "`options`")).transpose()?.map(|words| words.text),
            of_keys: HashMap::new(),
        })
    }

    fn paths(&self, row: Option<RowId>, what: &str) -> Result<Vec<Pattern>, Error> {
        let rows = row.map_or(Ok(Vec::new()), |row| self.fields.list(row, what))?.into_iter();
        rows.map(|row| self.pattern(&self.fields.text(row, "a path")?)).collect()
    }

    /// Paths without stars.
    fn profile(&self, row: Option<RowId>) -> Result<Vec<Path>, Error> {
        let Some(row) = row else { return Ok(Vec::new()) };
        let paths = self.paths(Some(row), "`profile`")?.into_iter().map(|pattern| pattern.path());
        paths.collect::<Option<_>>().ok_or_else(|| {
            let error = self.fields.error(self.fields.key(row), "a path to the profiles of a document has no stars");
            error.help("write each path out, like spring/config/activate/on-profile")
        })
    }

    fn tags(&self, row: RowId) -> Result<Vec<(String, Meaning)>, Error> {
        let entries = self.fields.entries(row, "`tags`")?.into_iter();
        entries.map(|(tag, row)| Ok((tag.text, self.word(row, "meaning of a tag", &TAGS)?))).collect()
    }

    /// A word, or `{key: NAME}`.
    fn maps(&self, row: RowId) -> Result<Maps, Error> {
        if !self.fields.is_map(row) {
            return self.word(row, "way to merge maps", &MAPS);
        }
        let [key] = self.fields.known(row, "a rule for maps", ["key"])?;
        let missing = || {
            let error = self.fields.error(self.fields.key(row), "a rule for maps that does not say how");
            error.help("write `key:` with the key in which they must not differ")
        };
        Ok(Maps::JoinWhereSame(self.fields.text(key.ok_or_else(missing)?, "`key`")?.text))
    }

    /// One word for all paths, or one for each of some.
    fn said<T>(
        &self,
        row: Option<RowId>,
        what: &str,
        read: impl Fn(RowId) -> Result<T, Error>,
    ) -> Result<Said<T>, Error> {
        let Some(row) = row else { return Ok(Said(Vec::new())) };
        if !self.fields.is_map(row) {
            if self.fields.list(row, what).is_ok() {
                let error = self.fields.error(self.fields.key(row), &format!("{what} has to be a word or a map"));
                return Err(error.help("write one word for all paths, or each path with its word"));
            }
            return Ok(Said(vec![(Pattern(vec![Word::Deep]), read(row)?)]));
        }
        let entries = self.fields.entries(row, what)?.into_iter();
        let rule = |(path, row)| Ok((self.pattern(&path)?, read(row)?));
        entries.map(rule).collect::<Result<_, Error>>().map(Said)
    }

    fn word<T: Clone>(&self, row: RowId, what: &str, known: &[(&str, T)]) -> Result<T, Error> {
        let word = self.fields.text(row, &format!("the {what}"))?;
        let found = known.iter().find(|(name, _)| *name == word.text).map(|(_, meaning)| meaning.clone());
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        found.ok_or_else(|| self.fields.unknown(&word, what, &names))
    }

    /// A word, or `{merge: WORD, key: NAME}`. A key alone is for `union`.
    fn lists(&self, row: RowId) -> Result<Lists, Error> {
        let what = "way to merge lists";
        if !self.fields.is_map(row) {
            return self.word(row, what, &LISTS);
        }
        let [merge, key] = self.fields.known(row, "a rule for lists", ["merge", "key"])?;
        let key = key.map(|row| self.fields.text(row, "`key`")).transpose()?;
        let lists = merge.map_or(Ok(Lists::UnionByName), |row| self.word(row, what, &LISTS))?;
        match (lists, key) {
            (Lists::UnionByName, Some(key)) => Ok(Lists::Union(key.text)),
            (_, Some(key)) => {
                let error = self.fields.error(key.place, "a key tells items apart for `union` alone");
                Err(error.help("write `merge: union`, or take the key out"))
            }
            (lists, None) if merge.is_some() => Ok(lists),
            (_, None) => {
                let error = self.fields.error(self.fields.key(row), "a rule for lists that does not say how");
                Err(error.help("write `merge:` or `key:`"))
            }
        }
    }

    /// A path with stars. Which item has a name is not known before items have met.
    fn pattern(&self, words: &Words) -> Result<Pattern, Error> {
        let pattern = self.fields.pattern(words)?;
        let refuse = |what: &str, help: &str| Err(self.fields.error(words.place, what).help(help));
        let is_document = |word: &Word| matches!(word, Word::Step(Step::Document(_)));
        match &pattern.0 {
            words if words.iter().any(|word| matches!(word, Word::Named(..))) => {
                refuse("a rule cannot be for an item by its name", "`[*]` stands for any item")
            }
            words if words.iter().any(is_document) => {
                refuse("a rule cannot be for a document", "layers have one document each: leave `@` out")
            }
            _ => Ok(pattern),
        }
    }
}
