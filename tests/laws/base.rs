//! What the old default has to mean, whatever three files look like (`docs/rules.md` rule 10).
//!
//! These laws hold the table together: who changed nothing gets the new default, byte for byte; a release that changed
//! nothing changes no value and no comment, though order and layout become the default's (rules 3 and 5); at each path
//! stands what the table says (`table.rs`); with the same base a second run changes nothing, with the new default as the
//! next base nothing but layout; and release by release comes to the same as all the way.

use proptest::prelude::*;
use yamlift::{Answer, Base, ChangeKind, OnConflict, Options, Take, Upgrade};

use crate::anchors;
use crate::model::File;
use crate::mutate::mutate;
use crate::oracle::may_be_refused;
use crate::pairs::{Pair, tapes};
use crate::render::render;
use crate::table;
use crate::tags;
use crate::tape::Tape;
use crate::tree::{Node, Tree};

/// A user's file, the default that it was made from, and a new default.
#[derive(Debug, Clone)]
pub(crate) struct Triple {
    base: String,
    pair: Pair,
}

impl Triple {
    pub(crate) fn of(current: &str, update: &str, base: &str) -> Self {
        let pair = Pair { name: "found".to_owned(), current: current.to_owned(), update: update.to_owned() };
        Self { base: base.to_owned(), pair }
    }
}

/// Two versions of a file and that file.
pub(crate) fn triples() -> impl Strategy<Value = Triple> {
    tapes().prop_map(|(file, current, update)| Triple {
        base: Pair::descend(&file, &[], &[]).current,
        pair: Pair::descend(&file, &current, &update),
    })
}

/// The same with streams of documents.
pub(crate) fn streams() -> impl Strategy<Value = Triple> {
    tapes().prop_map(|(file, current, update)| Triple {
        base: Pair::of_stream(&file, &[], &[]).current,
        pair: Pair::of_stream(&file, &current, &update),
    })
}

/// The same with files full of anchors.
pub(crate) fn anchored() -> impl Strategy<Value = Triple> {
    let pairs = (anchors::anchored(), anchors::anchored());
    pairs.prop_map(|((pair, _), (other, _))| Triple { base: other.current, pair })
}

/// The same with files full of tags; every other user changed nothing.
pub(crate) fn tagged() -> impl Strategy<Value = Triple> {
    let triples = (tags::tagged(), any::<bool>());
    triples.prop_map(|((pair, base), same)| Triple { base: if same { pair.current.clone() } else { base }, pair })
}

/// A user's file, the default that it was made from, and two further releases, each made from the one before.
pub(crate) fn releases() -> impl Strategy<Value = [String; 4]> {
    let tape = |length| proptest::collection::vec(any::<u8>(), 0..length);
    (tape(600), tape(100), tape(100), tape(100)).prop_map(|(file, current, first, second)| {
        let base = File::draw(&mut Tape::new(&file));
        let next = |file: &File, tape: &[u8]| mutate(file, &mut Tape::new(tape));
        let (current, first) = (next(&base, &current), next(&base, &first));
        let second = next(&first, &second);
        [base, current, first, second].map(|file| render(&file))
    })
}

/// Release by release has the values of one upgrade all the way, where no conflict is told.
pub(crate) fn steps_add_up([base, current, first, second]: &[String; 4]) -> Result<(), String> {
    let Some(step) = upgrade(current, first, base)? else { return Ok(()) };
    let Some(two) = upgrade(step.text(), second, first)? else { return Ok(()) };
    let Some(one) = upgrade(current, second, base)? else { return Ok(()) };
    if [&step, &two, &one].iter().any(|done| is_disputed(done)) {
        return Ok(());
    }
    table::same_in_two_steps([base, current, first, second], two.text(), one.text()).map_err(|what| {
        format!("{what}\n==== step\n{}\n==== two\n{}\n==== one\n{}", step.text(), two.text(), one.text())
    })
}

fn is_disputed(done: &Upgrade) -> bool {
    use ChangeKind::{BothAdded, BothChanged, KindDiffers, NotAdded};
    done.report().changes().iter().any(|change| [BothAdded, BothChanged, KindDiffers, NotAdded].contains(&change.kind))
}

/// Real releases: the user has the old default as it came.
pub(crate) fn untouched(pair: &Pair) -> Result<(), String> {
    let Some(done) = upgrade(&pair.current, &pair.update, &pair.current)? else { return Ok(()) };
    let what = "who changed nothing does not get the new default";
    if is_mixed(&pair.current) || is_mixed(&pair.update) {
        // Of lines that end in different ways each keeps its own.
        return same(
            what,
            &pair.update.replace("\r\n", "\n").replace('\r', "\n"),
            &done.text().replace("\r\n", "\n").replace('\r', "\n"),
        );
    }
    same(what, &pair.update, done.text())
}

/// Whether a line of an outline tells of a key that is commented out.
fn is_commented_out(line: &str) -> bool {
    line.split_once('|').is_some_and(|(_, row)| row.trim_start().starts_with("# "))
}

pub(crate) fn holds_together(triple: &Triple) -> Result<(), String> {
    let Triple { base, pair } = triple;
    let is_empty = |text: &str| {
        Tree::read(text).is_some_and(|tree| tree.documents.iter().any(Node::is_null))
            || yamlift::outline(text).is_ok_and(|rows| rows.lines().all(is_commented_out))
    };
    // Blanks behind the last line break of a text that is kept as it ends are none of a document that comes in whole.
    let is_filled = is_empty(base) && !is_empty(&pair.update) && pair.update.ends_with('\n');
    if is_filled || is_empty(base) == is_empty(&pair.update) {
        untouched(&Pair { current: base.clone(), ..pair.clone() })?;
    }
    if is_empty(base) != is_empty(&pair.update) {
        // A default that is nothing but comments has no value to take the place of a list.
        return Ok(());
    }
    if is_empty(&pair.current) {
        // A file without any value is filled.
        return Ok(());
    }
    if let Some(done) = upgrade(&pair.current, base, base)? {
        let told =
            done.report().changes().iter().find(|change| {
                ![ChangeKind::LeftOut, ChangeKind::CommentedOut, ChangeKind::Alias].contains(&change.kind)
            });
        if let Some(told) = told {
            return Err(format!("a release that changed nothing changes something: {told:?}\n{}", done.text()));
        }
        same("a release that changed nothing changes comments", &comments(&pair.current), &comments(done.text()))?;
    }
    let Some(first) = upgrade(&pair.current, &pair.update, base)? else { return Ok(()) };
    table::holds(&pair.current, &pair.update, base, &first)
        .map_err(|what| format!("{what}\n==== result\n{}\n{}", first.text(), first.report()))?;
    let Some(second) = upgrade(first.text(), &pair.update, &pair.update)? else { return Ok(()) };
    // An item may be found again by another base, and take over the layout of what it is then.
    let what = "a second run with the new default as base differs";
    same(what, &bare(first.text()), &bare(second.text()))?;
    if table::means_the_same(first.text(), second.text()) { Ok(()) } else { same(what, first.text(), second.text()) }
}

/// The same command with the same base again changes nothing, byte for byte.
pub(crate) fn a_second_run_changes_nothing(triple: &Triple) -> Result<(), String> {
    let Triple { base, pair } = triple;
    let Some(first) = upgrade(&pair.current, &pair.update, base)? else { return Ok(()) };
    let Some(second) = upgrade(first.text(), &pair.update, base)? else { return Ok(()) };
    same("a second run with the same base differs", first.text(), second.text())
}

/// One answer to all conflicts does what `--on-conflict` does, and leaves none; a file of them reads as it was written.
pub(crate) fn answers_decide(triple: &Triple) -> Result<(), String> {
    let Triple { base, pair } = triple;
    let mut options = Options::default();
    options.base = Some(Base::from(base.as_str()));
    let upgrade = |options: &Options| yamlift::upgrade(&pair.current, &pair.update, options).ok();
    let Some(first) = upgrade(&options) else { return Ok(()) };
    let paths: Vec<_> = first.report().changes().iter().filter_map(|change| change.in_default.clone()).collect();
    for (take, on_conflict) in [(Take::Mine, OnConflict::User), (Take::Theirs, OnConflict::Update)] {
        let mut asked = options.clone();
        asked.on_conflict = on_conflict;
        let Some(expected) = upgrade(&asked) else { continue };
        let answer = |path: &String| Answer::new(path, take.clone());
        let answers: Vec<_> = paths.iter().map(answer).collect();
        let read = Answer::read("answers", &Answer::file(&answers)).map_err(|error| error.to_string())?;
        if read != answers {
            return Err(format!("answers are not read as they were written: {answers:?}, {read:?}"));
        }
        (asked.answers, asked.on_conflict) = (answers, OnConflict::Fail);
        let Some(done) = upgrade(&asked) else {
            return Err(format!("what is answered is refused: {paths:?}"));
        };
        same("answers do something else than --on-conflict", expected.text(), done.text())?;
    }
    Ok(())
}

/// With `--sparse` a file stays as it is, byte for byte, where nothing is to move, to be converted or to go.
pub(crate) fn sparse_stays(triple: &Triple) -> Result<(), String> {
    let Triple { base, pair } = triple;
    for base in [Some(Base::from(base.as_str())), None] {
        let mut options = Options::default();
        options.base = base;
        options.sparse = true;
        let done = match yamlift::upgrade(&pair.current, &pair.update, &options) {
            Ok(done) => done,
            Err(error) if may_be_refused(&error) => continue,
            Err(error) => return Err(format!("refused: {error}")),
        };
        same("a sparse file does not stay as it is", &pair.current, done.text())?;
        let told = done.report().changes().iter().find(|change| change.kind == ChangeKind::Added);
        told.map_or(Ok(()), |told| Err(format!("a sparse file is told to have gained something: {told:?}")))?;
    }
    Ok(())
}

/// Whether lines end in more than one way.
fn is_mixed(text: &str) -> bool {
    let crlf = text.matches("\r\n").count();
    let (lf, cr) = (text.matches('\n').count() - crlf, text.matches('\r').count() - crlf);
    [crlf, lf, cr].iter().filter(|count| **count > 0).count() > 1
}

/// All lines without their blanks, without dashes, and without quotes, which may be a key's, sorted.
fn bare(text: &str) -> String {
    let mut lines: Vec<_> = text.lines().map(|line| line.replace([' ', '\t', '\'', '"', '-'], "")).collect();
    lines.retain(|line| !line.is_empty());
    lines.sort_unstable();
    lines.join("\n")
}

/// All comment lines, sorted.
/// What the comments say. The blanks behind a `#` do not count: what is commented out at the margin follows its block with them.
fn comments(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let said = text.lines().filter_map(|line| line.trim().strip_prefix('#')).map(str::trim_start);
    let mut said: Vec<_> = said.collect();
    said.sort_unstable();
    said.join("\n")
}

fn upgrade(current: &str, update: &str, base: &str) -> Result<Option<Upgrade>, String> {
    let mut options = Options::default();
    options.base = Some(Base::from(base));
    match yamlift::upgrade(current, update, &options) {
        Ok(done) => Ok(Some(done)),
        Err(error) if may_be_refused(&error) => Ok(None),
        Err(error) => Err(format!("refused: {error}\n==== current\n{current}\n==== update\n{update}")),
    }
}

fn same(what: &str, expected: &str, found: &str) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    Err(format!("{what}\n==== expected\n{expected}\n==== found\n{found}\n{expected:?}\n{found:?}"))
}
