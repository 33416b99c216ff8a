//! A rules file, read strictly, and the policy that it has for a path.

use crate::layers::fold::{Clash, Lists, Maps, Null, Policy, Texts, Whole};
use crate::layers::values::Layer;
use crate::text::error::{Error, Place};
use crate::text::source::Source;
use crate::yaml::check;
use crate::yaml::fields::{Fields, Words};
use crate::yaml::path::Step;
use crate::yaml::pattern::{Pattern, Word};

/// What a rules file says.
#[derive(Debug)]
pub(super) struct Rules {
    /// How errors name the file.
    pub(super) name: String,
    maps: Said<Maps>,
    lists: Said<Lists>,
    texts: Said<Texts>,
    scalars: Said<Whole>,
    nulls: Said<Null>,
    clash: Said<Clash>,
    /// What is the first layer's alone.
    pub(super) own: Vec<Pattern>,
}

/// What holds at some paths; of two rules for a path the first counts.
#[derive(Debug)]
struct Said<T>(Vec<(Pattern, T)>);

impl<T> Said<T> {
    fn at(&self, way: &[Step]) -> Option<&T> {
        self.0.iter().find(|(pattern, _)| pattern.names(way)).map(|(_, word)| word)
    }
}

const MAPS: [(&str, Maps); 3] = [("join", Maps::Join), ("keep", Maps::Keep), ("replace", Maps::Replace)];
const TEXTS: [(&str, Texts); 3] = [("replace", Texts::Replace), ("keep", Texts::Keep), ("append", Texts::Append)];
const SCALARS: [(&str, Whole); 2] = [("replace", Whole::Replace), ("keep", Whole::Keep)];
const NULLS: [(&str, Null); 3] = [("value", Null::Value), ("delete", Null::Deletes), ("ignore", Null::Ignored)];
const CLASH: [(&str, Clash); 3] = [("replace", Clash::Replace), ("keep", Clash::Keep), ("refuse", Clash::Refuse)];
const LISTS: [(&str, Lists); 7] = [
    ("replace", Lists::Replace),
    ("keep", Lists::Keep),
    ("append", Lists::Append),
    ("prepend", Lists::Prepend),
    ("unique", Lists::Unique),
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
        Policy {
            maps: self.maps.at(way).copied().unwrap_or(Maps::Join),
            lists: self.lists.at(way).cloned().unwrap_or(Lists::Replace),
            texts: self.texts.at(way).copied().unwrap_or(as_scalar),
            others,
            clash: self.clash.at(way).copied().unwrap_or(Clash::Replace),
            null: self.nulls.at(way).copied().unwrap_or(Null::Value),
        }
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
    fn file(&self, name: &str, root: usize) -> Result<Rules, Error> {
        let known = ["yamlift", "maps", "lists", "texts", "scalars", "nulls", "other kind", "own"];
        let found = self.fields.known(root, "a rules file", known)?;
        let [format, maps, lists, texts, scalars, nulls, clash, own] = found;
        self.fields.format(root, format)?;
        let own = own.map_or(Ok(Vec::new()), |row| self.fields.list(row, "`own`"))?.into_iter();
        Ok(Rules {
            name: name.to_owned(),
            maps: self.said(maps, "`maps`", |row| self.word(row, "way to merge maps", &MAPS))?,
            lists: self.said(lists, "`lists`", |row| self.lists(row))?,
            texts: self.said(texts, "`texts`", |row| self.word(row, "way to merge texts", &TEXTS))?,
            scalars: self.said(scalars, "`scalars`", |row| self.word(row, "way to merge scalars", &SCALARS))?,
            nulls: self.said(nulls, "`nulls`", |row| self.word(row, "meaning of null", &NULLS))?,
            clash: self
                .said(clash, "`other kind`", |row| self.word(row, "way out for values of other kinds", &CLASH))?,
            own: own.map(|row| self.pattern(&self.fields.text(row, "a path")?)).collect::<Result<_, Error>>()?,
        })
    }

    /// One word for all paths, or one for each of some.
    fn said<T>(
        &self,
        row: Option<usize>,
        what: &str,
        read: impl Fn(usize) -> Result<T, Error>,
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

    fn word<T: Clone>(&self, row: usize, what: &str, known: &[(&str, T)]) -> Result<T, Error> {
        let word = self.fields.text(row, &format!("the {what}"))?;
        let found = known.iter().find(|(name, _)| *name == word.text).map(|(_, meaning)| meaning.clone());
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        found.ok_or_else(|| self.fields.unknown(&word, what, &names))
    }

    /// A word, or `{merge: WORD, key: NAME}`. A key alone is for `union`.
    fn lists(&self, row: usize) -> Result<Lists, Error> {
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
