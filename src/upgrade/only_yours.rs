//! Keys that the new default does not know: two files cannot tell whether they are the user's own, misspelt, or no longer
//! used (`docs/rules.md` rule 12).
//!
//! Left out: maps of which the new default knows no key, such as `labels: {}`. They are there to be filled by users. A default
//! in which nothing is live knows the outermost keys that it has commented out. Nor is a key told that is an alias or a
//! collection, or that the new default has commented out.
//! Of a key that is not known the keys below are not told, and of items with the same key only the first.

use foldhash::{HashMap, HashSet};

use crate::report::shown::{File, shown};
use crate::report::{Change, ChangeKind, Value, Values};
use crate::text::error::{Error, Place, visible};
use crate::upgrade::strangers::Keyed;
use crate::yaml::flow;
use crate::yaml::key_paths::{self, Key};
use crate::yaml::outline::Outline;
use crate::yaml::path::{Path, Step};
use crate::yaml::pattern::Pattern;
use crate::yaml::row::RowId;

/// So many names are compared for hints: they are not worth that a run takes long.
const COMPARED: usize = 20_000;

/// A key that only the user's file has.
pub(crate) struct OnlyYours {
    path: Path,
    /// Its row in the user's file.
    pub(crate) row: RowId,
    hint: Option<Hint>,
}

/// What the new default has instead, perhaps.
enum Hint {
    /// A key of nearly the same name in the same map, which the user's file lacks.
    Near(String),
    /// A key of the same name at this one other place, where the user's file has none. One that went deeper in the same map
    /// is likelier than a misspelt one.
    Elsewhere(Path),
}

impl OnlyYours {
    fn hint(&self) -> Option<String> {
        Some(match self.hint.as_ref()? {
            Hint::Near(name) => format!("did you mean `{}`?", visible(name)),
            Hint::Elsewhere(path) => format!("the new default has it at `{}`", visible(&path.to_string())),
        })
    }

    /// The entry of the report for the key at a path of the result; nothing where it is not there.
    pub(crate) fn change(&self, (name, current): File<'_, '_>, path: &Path, result: &Outline<'_>) -> Option<Change> {
        let line = result[result.row_at(path)?].line;
        let value = shown(current, self.row);
        let hint = self.hint().map_or_else(String::new, |hint| format!("   ({hint})"));
        let text = format!("{value}{hint}");
        let current = Value { file: name.to_owned(), line: current[self.row].line, text: value };
        let values = Some(Values { current: Some(current), ..Values::default() });
        Some(Change { kind: ChangeKind::OnlyYours, path: path.to_string(), line, text, values, in_default: None })
    }
}

/// The refusal of `--fail-on unknown`, with all of these keys; nothing where there is none.
pub(crate) fn refuse(unknown: &[OnlyYours], current: &Keyed<'_, '_>) -> Result<(), Error> {
    let Some(first) = unknown.first() else { return Ok(()) };
    let line = |key: &OnlyYours| current.outline[key.row].line;
    let all: Vec<_> = unknown
        .iter()
        .map(|key| {
            let hint = key.hint().map_or_else(String::new, |hint| format!(", {hint}"));
            format!("   line {}: {}{hint}", line(key), visible(&key.path.to_string()))
        })
        .collect();
    let what = match unknown.len() {
        1 => "a key that the new default does not know".to_owned(),
        keys => format!("{keys} keys that the new default does not know"),
    };
    let text = current.source.lines.numbered(line(first));
    let place = Place { line: line(first), column: text.len() - text.trim_start().len() + 1 };
    Err(Error::conflict(what)
        .at(place, current.source.text)
        .in_file(current.source.name)
        .detail(all.join("\n"))
        .help("correct them or take them out, or leave out --fail-on unknown if they are your own"))
}

/// A key of the user's file, with its path and the number of that of its map.
struct Own<'f> {
    row: RowId,
    name: &'f str,
    map: u64,
    path: Path,
}

impl<'f> Own<'f> {
    fn of(row: RowId, outline: &'f Outline<'_>) -> Option<Self> {
        let (name, path) = (outline[row].name.as_deref()?, outline.path(row));
        let (_, map) = inside_of_document(&path).split_last()?;
        Some(Self { row, name, map: key_paths::number(map), path })
    }
}

/// The keys that the user's file has and no default, but for those at places that are the user's alone or go anyway.
pub(crate) fn find(
    current: &Keyed<'_, '_>,
    base: Option<&Keyed<'_, '_>>,
    update: &Keyed<'_, '_>,
    left_out: &[Pattern],
) -> Vec<OnlyYours> {
    let rows = current.alone([base.unwrap_or(update), update]);
    if rows.is_empty() {
        return Vec::new();
    }
    let own: Vec<_> = rows.into_iter().filter_map(|row| Own::of(row, current.outline)).collect();
    let (maps, names): (HashSet<_>, HashSet<_>) = own.iter().map(|key| (key.map, key.name)).unzip();
    let (mut known, mut hints) = (KnownMaps::default(), Hints::of(current));
    key_paths::visit_keys(update.outline, &mut |key| {
        if maps.contains(&key.map) {
            known.add(&key, update.outline);
        }
        if names.contains(key.name) {
            hints.add(&key, update.outline);
        }
    });
    if update.has_nothing_live() {
        known.add_outermost(update.outermost_commented_keys());
    }
    let commented_out: HashSet<_> = update.commented_keys().into_iter().filter(|name| names.contains(name)).collect();
    let mut unknown = Vec::new();
    for Own { row, name, map, path } in own {
        if name == "<<" || !is_scalar_key(current, row, name) || commented_out.contains(name) {
            continue;
        }
        let Some(names) = known.names(map, name, update.outline) else { continue };
        let steps = inside_of_document(&path);
        let is_left_out = |pattern: &Pattern| (1..=steps.len()).any(|length| pattern.names(&steps[..length]));
        if !left_out.iter().any(is_left_out) {
            let hint = hints.of_key(name, steps, names);
            unknown.push(OnlyYours { path, row, hint });
        }
    }
    unknown
}

/// Whether a key is no alias and no collection: what reads like one is none in quotes.
fn is_scalar_key(current: &Keyed<'_, '_>, row: RowId, name: &str) -> bool {
    let line = current.source.lines.numbered(current.outline[row].line);
    flow::is_scalar_key(name) || line.trim_start_matches([' ', '-']).starts_with(['"', '\''])
}

/// The steps of a path without the number of its document.
fn inside_of_document(path: &Path) -> &[Step] {
    let has_document = matches!(path.0.first(), Some(Step::Document(_)));
    &path.0[usize::from(has_document)..]
}

/// The keys of some maps of a file, by the paths of the maps.
#[derive(Default)]
struct KnownMaps<'f>(HashMap<u64, KnownMap<'f>>);

/// The keys of the maps at one path.
#[derive(Default)]
struct KnownMap<'f> {
    names: Vec<&'f str>,
    /// What is merged into them by `<<`.
    merged: HashSet<RowId>,
}

/// A key is looked for in no more merged maps than that: where there are more, it is taken for one of theirs.
const MERGED: usize = 50;

impl<'f> KnownMaps<'f> {
    fn add(&mut self, key: &Key<'f>, outline: &Outline<'_>) {
        let map = self.0.entry(key.map).or_default();
        if key.name == "<<" {
            map.merged.insert(outline.behind_alias(key.row));
        } else {
            map.names.push(key.name);
        }
    }

    /// Adds the outermost keys of a file; where there are none it knows nothing of these.
    fn add_outermost(&mut self, names: Vec<&'f str>) {
        let map = KnownMap { names, merged: HashSet::default() };
        self.0.extend((!map.names.is_empty()).then_some((key_paths::ROOT, map)));
    }

    /// The names of the keys of a map, where a key may be unknown in it: none that may come through `<<` is.
    fn names(&self, map: u64, name: &str, outline: &Outline<'_>) -> Option<&[&'f str]> {
        let map = self.0.get(&map)?;
        let comes = map.merged.len() > MERGED || map.merged.iter().any(|row| outline.merged_in(*row, name).is_some());
        (!comes).then_some(&map.names)
    }
}

/// What only the new default has, for hints.
struct Hints<'h, 'f, 'a> {
    current: &'h Keyed<'f, 'a>,
    /// Where each of the names that are not known is, if that is one place.
    places: HashMap<String, Option<Path>>,
    compared: usize,
}

impl<'h, 'f, 'a> Hints<'h, 'f, 'a> {
    fn of(current: &'h Keyed<'f, 'a>) -> Self {
        Self { current, places: HashMap::default(), compared: 0 }
    }

    /// Notes where the new default has a key.
    fn add(&mut self, key: &Key<'_>, update: &Outline<'_>) {
        let path = (!self.current.has(key.path())).then(|| update.path(key.row));
        self.places.entry(key.name.to_owned()).and_modify(|place| *place = None).or_insert(path);
    }

    /// The hint for a key, by the steps to it and by the names that the new default has in its map.
    fn of_key(&mut self, name: &str, steps: &[Step], names: &[&str]) -> Option<Hint> {
        let mut other = steps.to_vec();
        let mut is_new = |name: &&str| {
            if let Some(last) = other.last_mut() {
                *last = Step::Key((*name).to_owned());
            }
            !self.current.has(key_paths::number(&other))
        };
        let left = COMPARED - self.compared.min(COMPARED);
        let new: Vec<_> = names.iter().take(left).copied().filter(&mut is_new).collect();
        self.compared += names.len();
        let elsewhere = self.places.get(name).cloned().flatten();
        let map = steps.split_last().map_or(steps, |(_, map)| map);
        let is_deeper =
            !map.is_empty() && elsewhere.as_ref().is_some_and(|path| inside_of_document(path).starts_with(map));
        match misspelt(name, &new).filter(|_| !is_deeper) {
            Some(near) => Some(Hint::Near(near.to_owned())),
            None => elsewhere.map(Hint::Elsewhere),
        }
    }
}

/// The key that a misspelt one may stand for; upper and lower case do not matter. No more than a third of its letters are
/// other ones, left out, put in or swapped, or it alone has all words of the other one and more: keys that only start alike
/// are about different things.
fn misspelt<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let name = name.to_lowercase();
    let with_distance = |known: &&'k str| {
        let letters = name.chars().count().max(known.chars().count()).max(3);
        let distance = strsim::osa_distance(&known.to_lowercase(), &name);
        (distance <= letters / 3).then_some((distance, *known))
    };
    let near = known.iter().filter_map(with_distance).min_by_key(|(distance, _)| *distance);
    near.map(|(_, known)| known).or_else(|| {
        let mut longer = known.iter().filter(|known| has_more_words(&known.to_lowercase(), &name));
        longer.next().filter(|_| longer.next().is_none()).copied()
    })
}

/// Whether a name is another one with more words before or behind that.
fn has_more_words(name: &str, other: &str) -> bool {
    let is_parted = |rest: &str| rest.starts_with(['_', '-', '.']) || rest.ends_with(['_', '-', '.']);
    !other.is_empty() && [name.strip_prefix(other), name.strip_suffix(other)].into_iter().flatten().any(is_parted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_key_is_near_and_one_that_only_starts_alike_is_not() {
        for (name, known) in
            [("lisen_port", "listen_port"), ("Prot", "port"), ("tiemout", "timeout"), ("idle", "idle_timeout")]
        {
            assert_eq!(misspelt(name, &["kube_owner", known]), Some(known), "{name}");
        }
        let only_alike =
            [("kube_version", "kube_owner"), ("enable_metrics", "enable_tls"), ("globalArguments", "global")];
        for (name, known) in only_alike {
            assert_eq!(misspelt(name, &[known]), None, "{name}");
        }
    }
}
