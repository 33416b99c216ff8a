//! Users who wrote into their file, and releases that rename keys under them: what the user said stays said, and what the
//! release says is not said twice.
//!
//! Law 9 asks what one edit comes to where the release left its place alone. Here any number of edits meet a release that
//! does not care: so the law says less, and says it of lines alone. It counts those with words. Commented-out keys are no
//! such lines: what becomes of them is the business of other laws.

use std::collections::BTreeMap;

use proptest::prelude::*;
use yamlift::{Base, ChangeKind, Options, Upgrade};

use crate::edits::{Edit, places};
use crate::model::{Block, File, Value};
use crate::pairs::{Pair, tapes};
use crate::render::render;
use crate::tape::Tape;
use crate::tidy::{default, release};

/// The old default, what a user made of it, and the new one.
#[derive(Clone)]
pub(crate) struct User {
    name: String,
    old: String,
    current: String,
    new: String,
}

/// What users do who mean to keep their file.
const EDITS: [Edit; 7] =
    [Edit::Above, Edit::Inline, Edit::Value, Edit::OwnKey, Edit::MakeLive, Edit::Delete, Edit::Override];

/// Users with up to eight edits, and releases that rename some keys.
pub(crate) fn users() -> impl Strategy<Value = User> {
    tapes().prop_map(|(file, changes, edits)| User::draw(&file, &changes, &edits))
}

impl User {
    fn draw(file: &[u8], changes: &[u8], edits: &[u8]) -> Self {
        let old = default(&mut Tape::new(file));
        let mut tape = Tape::new(changes);
        let mut new = release(&old, &mut tape);
        if let Some(root) = new.documents.first_mut().and_then(|document| document.root.as_mut()) {
            rename(root, &mut tape);
        }
        let current = edited(&old, &mut Tape::new(edits));
        Self { name: "generated".to_owned(), old: render(&old), current: render(&current), new: render(&new) }
    }

    /// A user of a real default who has a note above some of its keys.
    pub(crate) fn with_notes(pair: &Pair, first: usize) -> Self {
        let mut current = String::new();
        for (at, line) in pair.current.split_inclusive('\n').enumerate() {
            if at % NOTES_APART == first && starts_key(line) {
                let column = line.len() - line.trim_start().len();
                current.extend([&line[..column], "# ops: note ", &at.to_string(), "\n"]);
            }
            current += line;
        }
        Self { name: pair.name.clone(), old: pair.current.clone(), current, new: pair.update.clone() }
    }
}

/// How many lines there are from one line that may get a note to the next.
const NOTES_APART: usize = 17;

/// Whether a line is `key: value`, as far as that can be seen without the lines around it.
fn starts_key(line: &str) -> bool {
    let is_word = |key: &str| !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    line.trim().split_once(": ").is_some_and(|(key, value)| is_word(key) && !value.contains(['|', '>', '"', '\'']))
}

/// A file with some edits; one key of the user's own is enough, for all would have the same name.
fn edited(old: &File, tape: &mut Tape<'_>) -> File {
    let mut file = old.clone();
    let mut edits = EDITS.to_vec();
    for _ in 0..tape.below(9) {
        let at = tape.below(edits.len());
        let places = places(edits[at], &file, &file);
        if places.is_empty() {
            continue;
        }
        file = tape.pick(&places).edit(&file);
        if edits[at] == Edit::OwnKey {
            edits.remove(at);
        }
    }
    file
}

/// Gives some keys another name. What stands above them stays.
fn rename(block: &mut Block, tape: &mut Tape<'_>) {
    for part in &mut block.parts {
        if let Some(key) = part.key.as_mut().filter(|key| !block.list && key.name != "id" && tape.chance(15)) {
            key.name.insert_str(0, "new_");
        }
        if let Value::Block(inner) = &mut part.value {
            rename(inner, tape);
        }
    }
}

/// With the old default and without it: the upgrade is accepted, no line stands more often than in either file, those of
/// the user's own stay or are told, and a second run with the old default changes nothing.
pub(crate) fn what_is_said_stays_said_once(user: &User) -> Result<(), String> {
    for base in [None, Some(Base::from(user.old.as_str()))] {
        let with_base = base.is_some();
        let mut options = Options::default();
        options.base = base;
        let first = upgrade(user, &user.current, &options)?;
        none_is_doubled(user, first.text())?;
        let tells =
            !with_base && first.report().changes().iter().any(|change| change.kind == ChangeKind::CommentReplaced);
        if !tells {
            own_lines_stay(user, first.text())?;
        }
        if with_base {
            stays_so(user, &first, &options)?;
        }
    }
    Ok(())
}

/// A second run changes nothing. Without the old default law 3 says so, of any two files.
fn stays_so(user: &User, first: &Upgrade, options: &Options) -> Result<(), String> {
    let second = upgrade(user, first.text(), options)?;
    if second.text() == first.text() {
        return Ok(());
    }
    Err(format!("a second run differs\n{}\n==== second\n{}", first.text(), second.text()))
}

/// With the old default no line of the user's own goes.
pub(crate) fn notes_stay(user: &User) -> Result<(), String> {
    let mut options = Options::default();
    options.base = Some(Base::from(user.old.as_str()));
    own_lines_stay(user, upgrade(user, &user.current, &options)?.text())
}

fn upgrade(user: &User, current: &str, options: &Options) -> Result<Upgrade, String> {
    yamlift::upgrade(current, &user.new, options).map_err(|error| format!("{}: refused: {error}", user.name))
}

fn none_is_doubled(user: &User, result: &str) -> Result<(), String> {
    let [mine, theirs, found] = [&user.current, &user.new, result].map(said);
    for (line, number) in found {
        let most = [&mine, &theirs].map(|lines| lines.get(line).copied().unwrap_or(0));
        if most.iter().all(|most| number > *most) {
            return Err(format!("{line:?} stands {number} times, and {most:?} in the files\n{result}"));
        }
    }
    Ok(())
}

fn own_lines_stay(user: &User, result: &str) -> Result<(), String> {
    let [mine, old, found] = [&user.current, &user.old, result].map(said);
    let lost = mine
        .into_iter()
        .find(|(line, number)| !old.contains_key(line) && found.get(line).is_none_or(|found| found < number));
    lost.map_or(Ok(()), |(line, _)| Err(format!("{}: {line:?} is gone\n{result}", user.name)))
}

/// How often each comment line stands that says something, but for commented-out keys.
fn said(text: &str) -> BTreeMap<&str, usize> {
    let mut lines = BTreeMap::new();
    let is_said = |line: &&str| line.starts_with('#') && (line.contains(" explains") || line.contains("ops"));
    for line in text.lines().map(str::trim).filter(is_said) {
        *lines.entry(line).or_default() += 1;
    }
    lines
}

impl std::fmt::Debug for User {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let files = [("base", &self.old), ("current", &self.current), ("update", &self.new)];
        files.iter().try_for_each(|(name, text)| writeln!(f, "---- {name}.yml\n{text}"))?;
        f.write_str("----")
    }
}
