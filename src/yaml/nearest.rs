//! The path of a file that a misspelt one may stand for: words for messages about a path that names nothing.
//!
//! Left out: whether a path names something, see [`find`](mod@crate::yaml::find) and [`pattern`](crate::yaml::pattern).

use crate::text::error::visible;
use crate::yaml::key_paths;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::path::{Path, Step};
use crate::yaml::pattern::{Pattern, Word};
use crate::yaml::row::RowId;

/// How much alike two names have to be, from 0 to 1.
const NEAR: f64 = 0.8;
/// So many paths are compared for a hint: it is not worth that a run takes long.
const COMPARED: usize = 20_000;

/// The question with which a message about this path ends, such as ``, did you mean `server/port`?``; nothing where no
/// file has a path like it.
pub(crate) fn did_you_mean(path: &str, files: &[&Outline<'_>]) -> String {
    let near = nearest_path(path, files);
    near.map_or_else(String::new, |near| format!(", did you mean `{}`?", visible(&near)))
}

/// The path in any of the files that is nearest to this one, which may have stars.
///
/// The path is followed as far as it exists; from there on each missing key is taken for the one most like it. Where that
/// does not lead to its end, all paths of the files are compared with it. What the path itself leads through is none:
/// nobody who writes `users[7]` means all `users`.
pub(crate) fn nearest_path(path: &str, files: &[&Outline<'_>]) -> Option<String> {
    let ways = [path.replace('.', "/"), path.to_owned()].into_iter();
    let mut corrected = ways.filter_map(|path| corrected(&Pattern::read(&path).ok()?, files));
    let corrected = corrected.find(|other| !path.starts_with(other.as_str()));
    corrected.or_else(|| similar(&Pattern::read(path).ok()?, path, files))
}

/// The path that comes out where each key that is missing is taken for the one most like it.
fn corrected(pattern: &Pattern, files: &[&Outline<'_>]) -> Option<String> {
    let (document, words) = match pattern.0.split_first() {
        Some((Word::Step(Step::Document(number)), words)) => (*number, words),
        _ => (0, &pattern.0[..]),
    };
    files.iter().find_map(|file| {
        let mut row = *file.documents.get(document)?;
        for word in words {
            row = match word {
                Word::Step(Step::Key(name)) => value_of(file, row, name).or_else(|| key_like(file, row, name))?,
                Word::Step(Step::Item(at)) if file[row].kind == RowKind::List => file.children(row).nth(*at)?,
                Word::Named(name, value) => item_with(file, row, (name, value))?,
                _ => return None,
            };
        }
        Some(file.path(row).to_string())
    })
}

/// The value of this key, where the row is a map that has it.
fn value_of(file: &Outline<'_>, row: RowId, name: &str) -> Option<RowId> {
    (file[row].kind == RowKind::Map).then(|| file.get(row, name)).flatten()
}

/// The value of the key in a map whose name is most like this one, and like enough.
fn key_like(file: &Outline<'_>, map: RowId, name: &str) -> Option<RowId> {
    let likeness = |row: RowId| Some(likeness(name, file[row].name.as_deref()?));
    let keys = file.children(map).take(COMPARED).filter_map(|row| Some((likeness(row)?, row)));
    keys.filter(|(likeness, _)| *likeness > NEAR).max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, row)| row)
}

/// The item of a list in which this key has this value.
fn item_with(file: &Outline<'_>, list: RowId, (name, value): (&str, &str)) -> Option<RowId> {
    let has = |item: RowId| value_of(file, item, name).is_some_and(|row| file[row].text == value);
    file.children(list).find(|&item| has(item))
}

/// The path most like this one among all of the files; where it has stars, its last key decides.
fn similar(pattern: &Pattern, path: &str, files: &[&Outline<'_>]) -> Option<String> {
    let is_open = pattern.has(&Word::Deep) || pattern.stars() > 0;
    let last = pattern.0.iter().rev().find_map(|word| match word {
        Word::Step(Step::Key(name)) => Some(name),
        _ => None,
    })?;
    let (mut best, mut compared) = (None, 0);
    for file in files {
        key_paths::visit(file, &mut |steps, _| {
            let Some(Step::Key(name)) = steps.last().filter(|_| compared < COMPARED) else { return };
            compared += 1;
            let by_name = likeness(last, name);
            let other = Path(steps.to_vec()).to_string();
            let score = if is_open { by_name } else { f64::midpoint(likeness(path, &other), by_name) };
            if score > best.as_ref().map_or(NEAR, |(score, _)| *score) && !path.starts_with(&other) {
                best = Some((score, other));
            }
        });
    }
    best.map(|(_, path)| path)
}

/// How much alike two words are, from 0 to 1. Upper and lower case do not matter; two of which letters have changed
/// places are near, too.
fn likeness(one: &str, other: &str) -> f64 {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    strsim::jaro_winkler(&one, &other).max(strsim::normalized_damerau_levenshtein(&one, &other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::source::Source;
    use crate::yaml::check;

    #[test]
    fn finds_the_key_below_the_part_that_exists() {
        let text = "server: {port: 1, tls: {certificate: x}}\nusers:\n- name: ann\n  shell: sh\nport: 2\na.b: 1\n";
        let source = Source::new("test", text).unwrap();
        let checked = check::read(&source).unwrap();
        let table = [
            ("server/prt", Some("server/port")),
            ("servr.port", Some("server/port")),
            ("a.c", Some("a.b")),
            ("server.prt", Some("server/port")),
            ("servr.port", Some("server/port")),
            ("a.c", Some("a.b")),
            ("Server/Port", Some("server/port")),
            ("servr/tsl/certifcate", Some("server/tls/certificate")),
            ("users[name=ann]/shel", Some("users[0]/shell")),
            ("users[7]/shell", Some("users[0]/shell")),
            ("tls/certificate", Some("server/tls/certificate")),
            ("@0/server/prt", Some("server/port")),
            ("**/certifcate", Some("server/tls/certificate")),
            ("something/else", None),
            ("users[7]", None),
            ("users[name=bob]/home", None),
            ("", None),
        ];
        for (path, wanted) in table {
            assert_eq!(nearest_path(path, &[&checked.outline]).as_deref(), wanted, "{path}");
        }
    }
}
