//! A migration file: what becomes of old keys, shipped with a release (`docs/rules.md` rule 11, `docs/migration.md`).
//!
//! It is read as strictly as code: whoever writes one finds out from the place of the mistake, and not from a thousand
//! configurations. What it says is data; [`moves`](crate::upgrade::moves) carries it out.

pub(crate) mod prove;
pub(crate) mod suggested;
mod version;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::text::error::{Error, Place, visible};
use crate::text::source::Source;
use crate::upgrade::rules::{ListMerge, ListRule, Rules};
use crate::yaml::check;
use crate::yaml::fields::{Fields, Words};
use crate::yaml::outline::Outline;
use crate::yaml::path::Path;
use crate::yaml::pattern::{Pattern, Word};
use crate::yaml::row::RowId;

/// What a release says about the keys that it moved, dropped or wrote anew.
///
/// ```
/// let file = "yamlift: 1\nsteps:\n- version: 2\n  move: {port: http/port}\n";
/// let migration = yamlift::Migration::read("2.0.yml", file)?;
/// let mut options = yamlift::Options::default();
/// options.migration = Some(migration);
/// let upgrade = yamlift::upgrade("port: 8080\n", "http:\n  port: 80\n", &options)?;
/// assert_eq!(upgrade.text(), "http:\n  port: 8080\n");
/// # Ok::<(), yamlift::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Migration {
    /// How errors name the file.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) steps: Vec<Release>,
    pub(crate) rules: Rules,
    /// What no report shows.
    pub(crate) secret: Vec<Pattern>,
    /// Whether configurations of this product hold only what somebody changed.
    pub(crate) sparse: bool,
}

/// What one version changed.
#[derive(Debug, Clone)]
pub(crate) struct Release {
    pub(crate) version: String,
    /// Where the version stands.
    pub(crate) place: Place,
    pub(crate) moves: Vec<Move>,
    pub(crate) delete: Vec<Words>,
    pub(crate) convert: Vec<(Words, Form)>,
    pub(crate) reset: Vec<Words>,
    pub(crate) note: Option<String>,
}

impl Release {
    /// Moves that no file says.
    pub(crate) fn of(moves: Vec<Move>) -> Self {
        Self {
            version: String::new(),
            place: Place::START,
            moves,
            delete: Vec::new(),
            convert: Vec::new(),
            reset: Vec::new(),
            note: None,
        }
    }
}

/// A value that has another place now, and perhaps another form.
#[derive(Debug, Clone)]
pub(crate) struct Move {
    pub(crate) from: Words,
    pub(crate) to: Words,
    pub(crate) form: Option<Form>,
}

/// The new form of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    /// A list of the parts between these.
    Split(String),
    /// Another value for each of these texts, as written.
    Map(Vec<(String, String)>),
    /// A text in which `{}` is the value's.
    As(String),
}

impl Migration {
    /// Reads a migration file; `name` is how errors call it.
    ///
    /// # Errors
    /// Whatever is not as `docs/migration.md` has it, with its place: an unknown key or version, another kind of value, a
    /// path that is not well formed, steps that are not in order.
    pub fn read(name: &str, text: &str) -> Result<Self, Error> {
        let source = Source::new(name, text)?;
        let checked = check::read(&source)?;
        Reader { fields: Fields::of(&source, &checked.outline), outline: &checked.outline }.file(name, text)
    }

    /// The steps for who comes from a version, all of them for who does not say.
    pub(crate) fn steps_from(&self, from: Option<&str>) -> impl Iterator<Item = &Release> {
        let from = from.map(str::to_owned);
        let is_new = move |step: &&Release| {
            from.as_ref().is_none_or(|from| version::compare(&step.version, from) == Ordering::Greater)
        };
        self.steps.iter().filter(is_new)
    }

    /// The steps that are left out for who comes from a version.
    pub(crate) fn steps_up_to(&self, from: &str) -> impl Iterator<Item = &Release> {
        self.steps.iter().filter(move |step| version::compare(&step.version, from) != Ordering::Greater)
    }

    /// Refuses a word as the version that somebody comes from, unless it is like a version or is the name of a step's.
    pub(crate) fn check_from(&self, from: Option<&str>) -> Result<(), Error> {
        let Some(from) = from else { return Ok(()) };
        let known: Vec<_> = self.steps.iter().map(|step| step.version.as_str()).collect();
        if version::has_number(from) || known.contains(&from) {
            return Ok(());
        }
        let steps = if known.is_empty() { "no steps".to_owned() } else { format!("steps for {}", known.join(", ")) };
        let help = format!("name the version that your file is of, such as 1.4; {} has {steps}", self.name);
        Err(Error::input(format!("--from `{}`: that is not a version", visible(from))).help(visible(&help)))
    }

    /// The key by which the items of a list are found again.
    pub(crate) fn list_key(&self, list: &Path) -> Option<&str> {
        self.rules.lists.iter().filter(|rule| rule.path.matches(list)).find_map(|rule| rule.key.as_deref())
    }

    /// An error at a place of this file.
    pub(crate) fn error(&self, place: Place, what: &str) -> Error {
        Error::input(what).at(place, &self.text).in_file(&self.name)
    }
}

struct Reader<'f, 'a> {
    fields: Fields<'f, 'a>,
    outline: &'f Outline<'a>,
}

impl Reader<'_, '_> {
    fn file(&self, name: &str, text: &str) -> Result<Migration, Error> {
        let &[root] = &self.outline.documents[..] else {
            let what = "a migration file is one document";
            return Err(self.fields.error(Place::START, what).help("it starts with `yamlift: 1`"));
        };
        let known = ["yamlift", "steps", "lists", "own", "secret", "sparse"];
        let [format, steps, lists, own, secret, sparse] = self.fields.known(root, "a migration file", known)?;
        self.fields.format(root, format)?;
        Ok(Migration {
            name: name.to_owned(),
            text: text.to_owned(),
            steps: steps.map_or(Ok(Vec::new()), |row| self.steps(row))?,
            rules: Rules {
                lists: lists.map_or(Ok(Vec::new()), |row| self.lists(row))?,
                own: own.map_or(Ok(Vec::new()), |row| self.patterns(row, "`own`"))?,
            },
            secret: secret.map_or(Ok(Vec::new()), |row| self.patterns(row, "`secret`"))?,
            sparse: sparse.map_or(Ok(false), |row| self.is_true(row, "`sparse`"))?,
        })
    }

    fn is_true(&self, row: RowId, what: &str) -> Result<bool, Error> {
        match &*self.fields.text(row, what)?.text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => {
                let error = self.fields.error(self.fields.value(row), &format!("{what} has to be true or false"));
                Err(error.help("leave it out where users' files hold most of the default"))
            }
        }
    }

    fn steps(&self, row: RowId) -> Result<Vec<Release>, Error> {
        let mut steps: Vec<Release> = Vec::new();
        for row in self.fields.list(row, "`steps`")? {
            let (step, version) = self.step(row)?;
            if let Some(last) = steps.last() {
                self.in_order(last, &version)?;
            }
            steps.push(step);
        }
        Ok(steps)
    }

    fn in_order(&self, last: &Release, version: &Words) -> Result<(), Error> {
        let (before, this) = (visible(&last.version), visible(&version.text));
        let what = match version::compare(&last.version, &version.text) {
            Ordering::Less => return Ok(()),
            Ordering::Equal => format!("version `{this}` has a step already"),
            Ordering::Greater => format!("version `{this}` stands behind `{before}`, which is later"),
        };
        let help = "one step for each version, the oldest first";
        Err(self.fields.error(version.place, &what).help(help))
    }

    fn step(&self, row: RowId) -> Result<(Release, Words), Error> {
        let known = ["version", "move", "delete", "convert", "reset", "note"];
        let [version, moves, delete, convert, reset, note] = self.fields.known(row, "a step", known)?;
        let Some(version) = version else {
            let error = self.fields.error(self.fields.value(row), "a step without a version");
            return Err(error.help("write `version:` with the release that made these changes"));
        };
        let version = self.fields.text(version, "`version`")?;
        let step = Release {
            version: version.text.clone(),
            place: version.place,
            moves: moves.map_or(Ok(Vec::new()), |row| self.moves(row))?,
            delete: delete.map_or(Ok(Vec::new()), |row| self.paths(row, "`delete`"))?,
            convert: convert.map_or(Ok(Vec::new()), |row| self.conversions(row))?,
            reset: reset.map_or(Ok(Vec::new()), |row| self.paths(row, "`reset`"))?,
            note: note.map(|row| self.fields.text(row, "`note`")).transpose()?.map(|note| note.text),
        };
        Ok((step, version))
    }

    fn moves(&self, row: RowId) -> Result<Vec<Move>, Error> {
        let entries = self.fields.entries(row, "`move`")?;
        entries.into_iter().map(|(from, row)| self.one_move(from, row)).collect()
    }

    fn one_move(&self, from: Words, row: RowId) -> Result<Move, Error> {
        let (to, form) = if self.fields.is_map(row) {
            let [to, split, map, template] = self.fields.known(row, "a move", ["to", "split", "map", "as"])?;
            let error = || self.fields.error(self.fields.key(row), "a move without its new path");
            let to = to.ok_or_else(|| error().help("write `{to: new/path}`"))?;
            (self.fields.text(to, "`to`")?, self.form(row, [split, map, template])?)
        } else {
            (self.fields.text(row, "the new path")?, None)
        };
        let (old, new) = (self.path(&from)?, self.path(&to)?);
        self.target(&to, &old, &new)?;
        Ok(Move { from, to, form })
    }

    /// A value moves to a key, and each star of the new path is one of the old path.
    fn target(&self, to: &Words, old: &Pattern, new: &Pattern) -> Result<(), Error> {
        let refuse = |what: &str, help: &str| Err(self.fields.error(to.place, what).help(help));
        if !new.is_target() {
            return refuse("a move ends at a key", "name the key that has the value now");
        }
        if new == old {
            return refuse("the new path is the old one", "name the key that has the value now");
        }
        if new.stars() > 0 && new.stars() != old.stars() {
            return refuse("each `*` of the new path needs one in the old", "they stand for the same steps in order");
        }
        Ok(())
    }

    fn conversions(&self, row: RowId) -> Result<Vec<(Words, Form)>, Error> {
        let entries = self.fields.entries(row, "`convert`")?.into_iter();
        let one = |(path, row): (Words, RowId)| {
            self.path(&path)?;
            let forms = self.fields.known(row, "a conversion", ["split", "map", "as"])?;
            let none = || self.fields.error(path.place, "a conversion that does not say how");
            let form = self.form(row, forms)?.ok_or_else(|| none().help("write `split:`, `map:` or `as:`"))?;
            Ok((path, form))
        };
        entries.map(one).collect()
    }

    /// The one of `split`, `map` and `as` that is given.
    fn form(&self, row: RowId, [split, map, template]: [Option<RowId>; 3]) -> Result<Option<Form>, Error> {
        let found = match (split, map, template) {
            (None, None, None) => return Ok(None),
            (Some(split), None, None) => Form::Split(self.separator(split)?),
            (None, Some(map), None) => Form::Map(self.mapping(map)?),
            (None, None, Some(template)) => Form::As(self.template(template)?),
            _ => {
                let error = self.fields.error(self.fields.key(row), "more than one of `split`, `map` and `as`");
                return Err(error.help("give a value its new form in one way"));
            }
        };
        Ok(Some(found))
    }

    fn separator(&self, row: RowId) -> Result<String, Error> {
        let between = self.fields.text(row, "`split`")?;
        if !between.text.is_empty() {
            return Ok(between.text);
        }
        let error = self.fields.error(between.place, "`split` needs what stands between the parts");
        Err(error.help("write it like `split: \",\"`"))
    }

    fn mapping(&self, row: RowId) -> Result<Vec<(String, String)>, Error> {
        let entries = self.fields.entries(row, "`map`")?.into_iter();
        entries.map(|(old, row)| Ok((old.text, self.fields.written(row)?))).collect()
    }

    fn template(&self, row: RowId) -> Result<String, Error> {
        let template = self.fields.text(row, "`as`")?;
        if template.text.matches("{}").count() == 1 {
            return Ok(template.text);
        }
        let error = self.fields.error(template.place, "`as` needs one `{}`, in whose place the value comes");
        Err(error.help("write it like `as: \"{}ms\"`"))
    }

    fn paths(&self, row: RowId, what: &str) -> Result<Vec<Words>, Error> {
        let path = |row| {
            let words = self.fields.text(row, "a path")?;
            self.path(&words).map(|_| words)
        };
        self.fields.list(row, what)?.into_iter().map(path).collect()
    }

    /// A path as words, refused where it is not well formed. `**` names too many places to change them all.
    fn path(&self, words: &Words) -> Result<Pattern, Error> {
        let pattern = self.fields.pattern(words)?;
        if pattern.has(&Word::Deep) {
            let what = format!("`{}` names too many places: no `**` here", visible(&words.text));
            return Err(self.fields.error(words.place, &what).help("`*` stands for one step"));
        }
        Ok(pattern)
    }

    fn patterns(&self, row: RowId, what: &str) -> Result<Vec<Pattern>, Error> {
        let rows = self.fields.list(row, what)?.into_iter();
        rows.map(|row| self.fields.pattern(&self.fields.text(row, "a path")?)).collect()
    }

    fn lists(&self, row: RowId) -> Result<Vec<ListRule>, Error> {
        let entries = self.fields.entries(row, "`lists`")?.into_iter();
        let rule = |(path, row): (Words, RowId)| {
            let [key, merge] = self.fields.known(row, "a rule for lists", ["key", "merge"])?;
            let key = key.map(|row| self.fields.text(row, "`key`")).transpose()?.map(|key| key.text);
            let merge = merge.map(|row| self.merge(row)).transpose()?;
            Ok(ListRule { path: self.fields.pattern(&path)?, key, merge })
        };
        entries.map(rule).collect()
    }

    fn merge(&self, row: RowId) -> Result<ListMerge, Error> {
        let word = self.fields.text(row, "`merge`")?;
        ListMerge::named(&word.text).ok_or_else(|| self.fields.unknown(&word, "way to merge lists", &ListMerge::NAMES))
    }
}
