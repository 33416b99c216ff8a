//! The laws, each as a check of one pair.

use yamlift::{Error, ErrorKind, Options, Upgrade};

use crate::commented_out;
use crate::comments;
use crate::lines;
use crate::pairs::Pair;
use crate::reduce;
use crate::tree::{self, Tree};
use crate::values;

/// A check of one pair; what it says starts with words that tell one kind of mistake from another.
pub(crate) type Law = fn(&Pair) -> Result<(), String>;

fn upgrade(current: &str, update: &str) -> Result<Upgrade, Error> {
    yamlift::upgrade(current, update, &Options::default())
}

/// Law 2 (and 1).
pub(crate) fn upgraded_with_itself_it_is_itself(pair: &Pair) -> Result<(), String> {
    for text in [&pair.current, &pair.update] {
        match upgrade(text, text) {
            Ok(same) if same.text() != text => return Err(format!("upgraded with itself it changes\n{}", same.text())),
            Ok(same) if same.report().changed() || !same.report().changes().is_empty() => {
                return Err(format!(
                    "upgraded with itself it has a report\n{}\nchanged: {} {:?}",
                    same.report(),
                    same.report().changed(),
                    same.report().changes()
                ));
            }
            Ok(_) => {}
            Err(error) => refused(&error, &EMPTY)?,
        }
    }
    Ok(())
}

/// Law 3, and that nothing is refused which need not be.
pub(crate) fn a_second_run_changes_nothing(pair: &Pair) -> Result<(), String> {
    run(pair)?.map_or(Ok(()), |first| again(pair, &first))
}

fn again(pair: &Pair, first: &Upgrade) -> Result<(), String> {
    match upgrade(first.text(), &pair.update) {
        Ok(second) if second.text() != first.text() => {
            Err(format!("a second run differs\n{}\n==== second\n{}", first.text(), second.text()))
        }
        Ok(second) if second.report().changed() => Err("a second run says that it changed something".to_owned()),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("the second run is refused: {error}\n{}", first.text())),
    }
}

/// Upgrades, unless the pair may be refused.
fn run(pair: &Pair) -> Result<Option<Upgrade>, String> {
    match upgrade(&pair.current, &pair.update) {
        Ok(done) => Ok(Some(done)),
        Err(error) => refused(&error, &EMPTY).map(|()| None),
    }
}

/// Files without a map or a list may be refused, and those with keys that nobody can tell apart.
const EMPTY: [&str; 3] = ["the file is empty", "one bare value", "several empty keys"];

/// Whether an error is one that says that there is nothing to upgrade.
pub(crate) fn may_be_refused(error: &Error) -> bool {
    refused(error, &EMPTY).is_ok()
}

/// Whether an error is one of the limits that are known.
fn refused(error: &Error, limits: &[&str]) -> Result<(), String> {
    if limits.iter().any(|limit| error.what().contains(limit)) && error.kind() == ErrorKind::Input {
        return Ok(());
    }
    Err(format!("refused: {error}"))
}

/// Law 8: a generated file is valid, and it is only accepted where both parsers agree.
pub(crate) fn a_valid_file_is_accepted(pair: &Pair) -> Result<(), String> {
    for text in [&pair.current, &pair.update] {
        yamlift::outline(text).map_err(|error| format!("not accepted: {error}"))?;
    }
    Ok(())
}

/// The two files of a pair and what became of them, as text, tree and report.
pub(crate) struct Seen<'p> {
    pub(crate) pair: &'p Pair,
    pub(crate) upgrade: Upgrade,
    pub(crate) current: Tree,
    pub(crate) update: Tree,
    pub(crate) result: Tree,
}

/// Upgrades, and hands over what came of it. What may be refused is law 3's business.
fn see(pair: &Pair, check: impl Fn(&Seen<'_>) -> Result<(), String>) -> Result<(), String> {
    upgrade(&pair.current, &pair.update).map_or(Ok(()), |upgrade| seen(pair, upgrade, check))
}

fn seen(pair: &Pair, upgrade: Upgrade, check: impl Fn(&Seen<'_>) -> Result<(), String>) -> Result<(), String> {
    let read = |text: &str| Tree::read(text).ok_or_else(|| format!("the reference parser refuses\n{text}"));
    let (current, update) = (read(&pair.current)?, read(&pair.update)?);
    let result = read(upgrade.text())?;
    let seen = Seen { pair, upgrade, current, update, result };
    check(&seen).map_err(|what| format!("{what}\n---- result\n{}\n{}", seen.upgrade.text(), seen.upgrade.report()))
}

/// All laws at once, in a third of the time that they take one by one.
pub(crate) fn all_hold(pair: &Pair) -> Result<(), String> {
    a_valid_file_is_accepted(pair)?;
    upgraded_with_itself_it_is_itself(pair)?;
    let Some(first) = run(pair)? else { return Ok(()) };
    again(pair, &first)?;
    seen(pair, first, |seen| {
        values::nothing_is_lost(seen)?;
        comments::none_is_lost_or_doubled(seen)?;
        lines::all_come_from_an_input(seen)?;
        report_tells_the_differences(seen)
    })
}

/// Law 4, for values and keys.
pub(crate) fn nothing_is_lost(pair: &Pair) -> Result<(), String> {
    see(pair, values::nothing_is_lost)
}

/// Law 4, for comments.
pub(crate) fn no_comment_is_lost_or_doubled(pair: &Pair) -> Result<(), String> {
    see(pair, comments::none_is_lost_or_doubled)
}

/// Law 5.
pub(crate) fn every_line_comes_from_an_input(pair: &Pair) -> Result<(), String> {
    see(pair, lines::all_come_from_an_input)
}

/// Law 6.
pub(crate) fn the_report_tells_the_differences(pair: &Pair) -> Result<(), String> {
    see(pair, report_tells_the_differences)
}

fn report_tells_the_differences(seen: &Seen<'_>) -> Result<(), String> {
    values::added_is_what_was_added(seen)?;
    commented_out::what_came_in_is_told(seen)?;
    lines::are_where_the_report_says(seen)
}

/// Law 7: whatever is refused is refused with words, and what the parser accepts is not called invalid.
pub(crate) fn what_is_refused_is_told(pair: &Pair) -> Result<(), String> {
    let said = [
        yamlift::outline(&pair.current).err(),
        upgrade(&pair.current, &pair.update).err(),
        upgrade(&pair.update, &pair.current).err(),
    ];
    said.iter().flatten().try_for_each(|error| told_well(pair, error))
}

fn told_well(pair: &Pair, error: &Error) -> Result<(), String> {
    let text = error.to_string();
    let ours = error.kind() == ErrorKind::Verification || text.contains("bug in yamlift");
    match () {
        () if error.what().is_empty() => Err("an error without words".to_owned()),
        () if ours => Err(format!("our own mistake: {text}")),
        () if tree::is_valid(&pair.current)
            && tree::is_valid(&pair.update)
            && error.what().starts_with("not valid YAML") =>
        {
            Err(format!("a valid file is refused: {text}"))
        }
        () => Ok(()),
    }
}

/// What is wrong with a pair, and the smallest part of it for which the same is wrong.
pub(crate) fn told(law: Law, pair: Pair) -> String {
    let Err(what) = law(&pair) else { return "it holds the second time".to_owned() };
    let first_words = |what: &str| what.lines().next().unwrap_or_default().replace(|c: char| c.is_ascii_digit(), "");
    // A file that has lost all of its content, or is no longer valid, would show another mistake.
    let shape = |text: &str| {
        let valid = tree::is_valid(text) || yamlift::outline(text).is_ok();
        (valid, Tree::read(text).map(|tree| tree.documents.len()))
    };
    let (current, update) = (shape(&pair.current), shape(&pair.update));
    let smallest = reduce::reduce(pair, |smaller| {
        let same_shape = shape(&smaller.current) == current && shape(&smaller.update) == update;
        same_shape && law(smaller).is_err_and(|other| first_words(&other) == first_words(&what))
    });
    format!("{}\n{smallest:?}", law(&smallest).err().unwrap_or(what))
}

/// All laws by name.
pub(crate) const LAWS: [(&str, Law); 7] = [
    ("law 2", upgraded_with_itself_it_is_itself),
    ("law 3", a_second_run_changes_nothing),
    ("law 4 values", nothing_is_lost),
    ("law 4 comments", no_comment_is_lost_or_doubled),
    ("law 5", every_line_comes_from_an_input),
    ("law 6", the_report_tells_the_differences),
    ("law 8", a_valid_file_is_accepted),
];
