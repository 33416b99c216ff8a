use std::collections::HashSet;

use super::*;
use crate::layers::values::{Layer, write};
use crate::text::error::ErrorKind;
use crate::text::testdata::yaml_files;
use crate::yaml::reference::Duplicates;

const JOIN: Policy = Policy {
    maps: Maps::Join,
    lists: Lists::Append,
    texts: Texts::Replace,
    others: Whole::Replace,
    clash: Clash::Replace,
    null: Null::Value,
};

/// Two texts folded by a policy that holds everywhere.
fn folded(old: &str, new: &str, policy: &Policy) -> Option<String> {
    let layers = [old, new].map(|text| Layer { name: "layer".to_owned(), text: text.to_owned() });
    let mut mine = layers[0].read(0, Duplicates::Refused).ok()?;
    let mut theirs = layers[1].read(1, Duplicates::Refused).ok()?;
    let policy = |_: &[Step]| policy.clone();
    let fold = Fold { schema: Schema::Core, policy: &policy };
    if mine.documents.len() != 1 || theirs.documents.len() != 1 {
        return None;
    }
    fold.fold(mine.documents.first_mut()?, theirs.documents.remove(0)).ok()?;
    match write(&mine.documents, &mine.below, layers[0].style().ok()?) {
        Ok(text) => Some(text),
        Err(error) => {
            // Tags of two files may mean different things, which nobody but their authors can tell.
            assert!(error.kind() == ErrorKind::Input, "{error}\n--- old\n{old}--- new\n{new}");
            None
        }
    }
}

#[test]
fn values_meet_as_the_policy_says() {
    let old = "a: 1\nl: [1, 2]\nt: one\nm: {x: 1}\n";
    let new = "a: 2\nl: [2, 3]\nt: two\nm: {y: ~}\n";
    let keep = Policy { maps: Maps::Join, lists: Lists::Keep, texts: Texts::Keep, others: Whole::Keep, ..JOIN };
    let table = [
        (JOIN, "a: 2\nl: [1, 2, 2, 3]\nt: two\nm: {x: 1, y: ~}\n"),
        (keep, "a: 1\nl: [1, 2]\nt: one\nm: {x: 1, y: ~}\n"),
        (Policy { lists: Lists::Unique, null: Null::Ignored, ..JOIN }, "a: 2\nl: [1, 2, 3]\nt: two\nm: {x: 1}\n"),
        (Policy { lists: Lists::Prepend, ..JOIN }, "a: 2\nl: [2, 3, 1, 2]\nt: two\nm: {x: 1, y: ~}\n"),
        (Policy { lists: Lists::Index, texts: Texts::Append, ..JOIN }, "a: 2\nl: [2, 3]\nt: onetwo\nm: {x: 1, y: ~}\n"),
        (Policy { maps: Maps::Replace, ..JOIN }, new),
    ];
    for (policy, expected) in table {
        assert_eq!(folded(old, new, &policy).unwrap(), expected, "{policy:?}");
    }
}

#[test]
fn items_are_found_by_their_key() {
    let old = "- name: a # first\n  x: 1\n- name: b\n";
    let new = "- name: b\n  y: 2 # new\n# third\n- name: c\n";
    let union = Policy { lists: Lists::Union("name".to_owned()), ..JOIN };
    let both = "- name: a # first\n  x: 1\n- name: b\n  y: 2 # new\n# third\n- name: c\n";
    assert_eq!(folded(old, new, &union).unwrap(), both);
}

#[test]
fn a_clash_can_be_refused() {
    let layers =
        ["a: {b: 1}\n", "a:\n  b: [1]\n"].map(|text| Layer { name: "layer".to_owned(), text: text.to_owned() });
    let mut old = layers[0].read(0, Duplicates::Refused).unwrap().documents.remove(0);
    let new = layers[1].read(1, Duplicates::Refused).unwrap().documents.remove(0);
    let policy = |_: &[Step]| Policy { clash: Clash::Refuse, ..JOIN };
    let refused = Fold { schema: Schema::Core, policy: &policy }.fold(&mut old, new).unwrap_err();
    assert_eq!((refused.path.to_string().as_str(), refused.layer, refused.line), ("a/b", Some(1), 2));
    assert_eq!((refused.old, refused.new), ("a number", "a list"));
}

fn policies() -> Vec<Policy> {
    let lists = [Lists::Append, Lists::Prepend, Lists::Unique, Lists::Index, Lists::Union("name".to_owned())];
    let notations =
        [Notation::Pairs, Notation::Mounts, Notation::Ports, Notation::Paths, Notation::Secrets, Notation::Configs];
    let short_forms = notations.map(Lists::Latest).into_iter().chain([Lists::UniqueFirst]);
    let policy = |lists| Policy { lists, texts: Texts::Append, ..JOIN };
    let with_lists = |lists| Policy { lists, texts: Texts::List, clash: Clash::List, ..JOIN };
    let maps = Policy { maps: Maps::JoinWhereSame("name".to_owned()), null: Null::DeletesThere, ..JOIN };
    let all = lists.into_iter().chain(short_forms.clone()).map(policy);
    all.chain(short_forms.map(with_lists)).chain([maps]).collect()
}

/// The two files of each case of an upgrade, by every policy: what is written is read again and means what was meant, and
/// no comment is one of neither file.
#[test]
fn any_two_files_become_one() {
    let mut tried = 0;
    for current in yaml_files("testdata/upgrade").into_iter().filter(|path| path.ends_with("current.yml")) {
        let update = current.with_file_name("update.yml");
        let [old, new] = [&current, &update].map(|path| std::fs::read_to_string(path).unwrap_or_default());
        // What stands behind a value may come to stand over it.
        let comments = |line| str::match_indices(line, '#').map(move |(at, _)| line[at..].trim());
        let known: HashSet<_> = old.lines().chain(new.lines()).flat_map(comments).collect();
        for policy in policies() {
            let Some(result) = folded(&old, &new, &policy) else { continue };
            let strange: Vec<_> = result.lines().filter_map(comment).filter(|line| !known.contains(line)).collect();
            assert!(strange.is_empty(), "{}: {strange:?}", current.display());
            tried += 1;
        }
    }
    assert!(tried > 1000, "{tried}");
}

fn comment(line: &str) -> Option<&str> {
    Some(line.trim()).filter(|line| line.starts_with('#'))
}
