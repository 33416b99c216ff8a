//! The table of `docs/rules.md` rule 10, looked up path by path: what the result has at a path is told by what the
//! three files have there. Of maps only, as which items of two lists are the same only the merge knows.

use std::sync::LazyLock;

use regex::Regex;
use yamlift::{Change, ChangeKind, Upgrade};

use crate::tree::{Kind, Node, Path, Step, Tree, Value, print};
use crate::values::{inside, same};

/// Whether a result has at each path what it must have.
pub(crate) fn holds(current: &str, update: &str, base: &str, done: &Upgrade) -> Result<(), String> {
    let Some(trees) = trees(&[base, current, update, done.text()]) else { return Ok(()) };
    let [base, current, update, result] = roots(&trees);
    Table { done }.at(Row { base, current, update, result }, &mut Vec::new())
}

/// The trees of files with one document each and without aliases, which may stand for anything; nothing for others.
fn trees<const N: usize>(texts: &[&str; N]) -> Option<Vec<Tree>> {
    let trees: Vec<_> = texts.iter().filter_map(|text| Tree::read(text)).collect();
    let is_alias = |node: &Node| matches!(node.value, Value::Alias { .. });
    let plain = |tree: &Tree| tree.documents.len() == 1 && !tree.nodes().iter().any(|(_, _, node)| is_alias(node));
    (trees.len() == N && trees.iter().all(plain) && !texts.iter().any(|text| text.contains("<<"))).then_some(trees)
}

fn roots<const N: usize>(trees: &[Tree]) -> [Option<&Node>; N] {
    std::array::from_fn(|at| trees[at].documents.first().filter(|root| !root.is_null()))
}

/// What four files have at one path.
#[derive(Clone, Copy)]
struct Row<'t> {
    base: Option<&'t Node>,
    current: Option<&'t Node>,
    update: Option<&'t Node>,
    result: Option<&'t Node>,
}

impl<'t> Row<'t> {
    fn below(self, name: &str) -> Self {
        let get = |node: Option<&'t Node>| node.and_then(|node| node.get(name));
        let Self { base, current, update, result } = self;
        Self { base: get(base), current: get(current), update: get(update), result: get(result) }
    }
}

/// Whether the report says that one of these happened at a path, or at one above it.
fn is_told(done: &Upgrade, path: &[Step], kinds: &[ChangeKind]) -> bool {
    let above: Vec<_> = (0..=path.len()).map(|length| print(None, &path[..length])).collect();
    done.report().changes().iter().any(|change| kinds.contains(&change.kind) && above.contains(&change.path))
}

/// Whether the report says that something inside of a list was kept: words of the user's own keep it.
fn is_kept_inside(done: &Upgrade, path: &[Step], node: &Node) -> bool {
    let list = print(None, path);
    let is_kept = |change: &Change| change.kind == ChangeKind::KeptDropped && change.path.starts_with(&list);
    node.kind() == Kind::List && done.report().changes().iter().any(is_kept)
}

struct Table<'t> {
    done: &'t Upgrade,
}

impl Table<'_> {
    fn at(&self, row: Row<'_>, path: &mut Path) -> Result<(), String> {
        let Row { base, current, update, .. } = row;
        let map = |node: Option<&Node>| node.is_none_or(|node| matches!(node.value, Value::Map(_)));
        let full = current.is_some_and(|node| !node.children().is_empty());
        if full && (base.is_some() || update.is_some()) && map(base) && map(current) && map(update) {
            let names = names(&[base, current, update, row.result]);
            return names.into_iter().try_for_each(|name| {
                let below = row.below(&name);
                inside(path, Step::Key(name), |path| self.at(below, path))
            });
        }
        self.value(row, path)
    }

    fn value(&self, row: Row<'_>, path: &[Step]) -> Result<(), String> {
        let Row { base, current, update, result } = row;
        let told = |kinds: &[ChangeKind]| is_told(self.done, path, kinds);
        let both = |kind: Kind| [current, update].iter().flatten().all(|node| node.kind() == kind);
        let (what, expected) = match (base, current, update) {
            (None, None, new)
                if told(&[ChangeKind::NotAdded, ChangeKind::KindDiffers, ChangeKind::CommentedOut])
                    || new.is_none() =>
            {
                return Ok(());
            }
            (None, None, new) => ("a new key is missing", new),
            // A flow collection of which all goes is the update's as a whole.
            (Some(_), None, _) if told(&[ChangeKind::DefaultChanged]) => return Ok(()),
            (Some(_), None, _) => ("what the user removed is there", None),
            (Some(old), Some(mine), None) if means(old, mine) && told(&[ChangeKind::KeptDropped]) => return Ok(()),
            (Some(old), Some(mine), new) if means(old, mine) => {
                if told(&[
                    ChangeKind::BothChanged,
                    ChangeKind::BothAdded,
                    ChangeKind::NotAdded,
                    ChangeKind::KindDiffers,
                ]) || is_kept_inside(self.done, path, mine)
                {
                    return Ok(());
                }
                ("an old default is there", new)
            }
            // Of collections each entry is decided on its own.
            (_, Some(_), Some(_)) if both(Kind::List) || both(Kind::Map) => return Ok(()),
            (Some(_), Some(mine), _) if mine.kind() == Kind::Map => return Ok(()),
            (_, mine, _) => ("a value of the user's is gone", mine),
        };
        match (expected, result) {
            (None, None) => Ok(()),
            (Some(expected), Some(result)) if same(expected, result) => Ok(()),
            // The user's writing of what the update says, or of some of it.
            (Some(expected), Some(result))
                if means(result, expected)
                    && (current.is_some_and(|mine| same(mine, result))
                        || base.zip(current).is_some_and(|(old, mine)| !same(old, mine))) =>
            {
                Ok(())
            }
            // The order of keys in which the user wrote an item, or a map, stays where the release has not changed it.
            (Some(expected), Some(result))
                if base.zip(current).is_some_and(|(old, mine)| !same(old, mine))
                    && are_same_in_any_order(expected, result) =>
            {
                Ok(())
            }
            // Nothing is left of a map that was the whole file, or a value of one.
            (None, Some(left)) if left.kind() != Kind::Scalar && left.children().is_empty() => Ok(()),
            _ => Err(format!("{what}: {}", print(None, path))),
        }
    }
}

/// All keys of some maps.
fn names(maps: &[Option<&Node>]) -> Vec<String> {
    let mut names: Vec<_> = maps
        .iter()
        .flatten()
        .flat_map(|map| map.children())
        .filter_map(|(step, _)| match step {
            Step::Key(name) => Some(name),
            Step::Item(_) => None,
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Whether an upgrade in two steps has the values of one that goes all the way, wherever the versions do not say
/// otherwise. The versions are the base, the user's file, and two releases.
pub(crate) fn same_in_two_steps(versions: [&str; 4], two: &str, one: &str) -> Result<(), String> {
    let [base, current, first, second] = versions;
    let Some(trees) = trees(&[base, current, first, second, two, one]) else { return Ok(()) };
    steps(roots(&trees), &mut Vec::new())
}

fn steps(row: [Option<&Node>; 6], path: &mut Path) -> Result<(), String> {
    let [base, current, first, second, two, one] = row;
    if two.is_some_and(|two| matches!(&two.value, Value::Map(keys) if keys.is_empty())) {
        // A map of which a release left nothing gains nothing (rule 1).
        return Ok(());
    }
    if row.iter().flatten().all(|node| matches!(node.value, Value::Map(_))) {
        return names(&row).into_iter().try_for_each(|name| {
            let below = row.map(|node| node.and_then(|node| node.get(&name)));
            inside(path, Step::Key(name), |path| steps(below, path))
        });
    }
    // Which items are the same is found out anew in each step, and a value may become another kind of thing.
    let scalars = row.iter().flatten().all(|node| node.kind() == Kind::Scalar);
    let again = base.is_some() && first.is_none() && second.is_some();
    // What the user has became the default meanwhile, and is one.
    let default = alike(current, first) && !alike(base, first);
    if alike(two, one) || !scalars || again || default {
        return Ok(());
    }
    Err(format!("in two steps something else comes out: {}", print(None, path)))
}

fn alike(a: Option<&Node>, b: Option<&Node>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// Whether two texts mean the same, whatever the order of their keys and how they are written.
pub(crate) fn means_the_same(text: &str, other: &str) -> bool {
    let [text, other] = [text, other].map(Tree::read);
    let alike = |text: &Tree, other: &Tree| {
        let pairs = || text.documents.iter().zip(&other.documents);
        text.documents.len() == other.documents.len() && pairs().all(|(one, other)| means(one, other))
    };
    text.zip(other).is_some_and(|(text, other)| alike(&text, &other))
}

fn means(a: &Node, b: &Node) -> bool {
    let values = match (&a.value, &b.value) {
        (Value::Scalar { text, plain }, Value::Scalar { text: other, plain: is_plain }) => {
            let are_words = *plain && *is_plain && !is_text(text) && !is_text(other);
            let are_alike = text.eq_ignore_ascii_case(other) || (is_null(text) && is_null(other));
            text == other && (plain == is_plain || is_text(text)) || (are_words && are_alike)
        }
        (Value::Alias { target, .. }, Value::Alias { target: other, .. }) => target == other,
        (Value::Map(keys), Value::Map(others)) => {
            keys.len() == others.len()
                && keys.iter().all(|(name, value)| b.get(name).is_some_and(|other| means(value, other)))
        }
        (Value::List(items), Value::List(others)) => {
            items.len() == others.len() && items.iter().zip(others).all(|(item, other)| means(item, other))
        }
        _ => false,
    };
    values && a.tag == b.tag
}

/// Whether two values are the same but for the order of keys.
fn are_same_in_any_order(a: &Node, b: &Node) -> bool {
    let inside = match (&a.value, &b.value) {
        (Value::Map(keys), Value::Map(others)) => {
            let is_same =
                |name: &str, value: &Node| b.get(name).is_some_and(|other| are_same_in_any_order(value, other));
            keys.len() == others.len() && keys.iter().all(|(name, value)| is_same(name, value))
        }
        (Value::List(items), Value::List(others)) => {
            items.len() == others.len() && items.iter().zip(others).all(|(a, b)| are_same_in_any_order(a, b))
        }
        _ => same(a, b),
    };
    inside && a.tag == b.tag
}

fn is_null(word: &str) -> bool {
    matches!(word, "" | "~" | "null" | "Null" | "NULL")
}

/// Whether a text needs no quotes to be one: no number, date, boolean or null of YAML 1.2.2 §10.3.2 or of YAML 1.1
/// (<https://yaml.org/type/>) looks like this.
pub(crate) fn is_text(text: &str) -> bool {
    const OTHERS: &str = r"(?x)^(?:
        | (?i: null | true | false | yes | no | on | off | y | n ) | ~ | =
        | [-+]? (?: 0b[01_]+ | 0o?[0-7_]+ | 0x[0-9a-fA-F_]+ | [0-9][0-9_]* )
        | [-+]? [0-9][0-9_]* (?: : [0-5]?[0-9] )+ (?: \. [0-9_]* )?
        | [-+]? (?: [0-9][0-9_]* (?: \. [0-9_]* )? | \. [0-9][0-9_]* ) (?: [eE] [-+]? [0-9]+ )?
        | [-+]? \. (?: inf | Inf | INF ) | \. (?: nan | NaN | NAN )
        | [0-9]{4} - [0-9]{1,2} - [0-9]{1,2} (?: (?: [Tt] | [\ \t]+ ) [0-9] .* )?
    )$";
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(OTHERS).unwrap_or_else(|error| panic!("{error}")));
    !PATTERN.is_match(text)
}
