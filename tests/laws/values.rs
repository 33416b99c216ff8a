//! Values and keys: what a result must have of both inputs, found by walking their trees beside each other.

use yamlift::{Change, ChangeKind};

use crate::oracle::Seen;
use crate::table::is_text;
use crate::tree::{Kind, Node, Path, Step, Tree, Value, print};

/// What a document of the result is made of.
#[derive(Debug, Clone, Copy)]
enum Made<'n> {
    /// Of this document of the current file.
    Of(&'n Node),
    /// Of one without a value, which takes the content of the update's.
    Filled,
    New,
}

/// Law 4: the values of the current file are there, and the keys of the update.
pub(crate) fn nothing_is_lost(seen: &Seen<'_>) -> Result<(), String> {
    if alignments(&seen.current, &seen.result).is_empty() {
        let mut pairs = seen.current.documents.iter().zip(&seen.result.documents);
        pairs.try_for_each(|(mine, there)| contains(mine, there, &mut Vec::new(), &mut Vec::new()))?;
        return Err("a document of the current file is gone".to_owned());
    }
    seen.update.documents.iter().try_for_each(|update| is_complete(seen, update))
}

/// Law 6: what the report calls added is what the result has and the current file has not.
pub(crate) fn added_is_what_was_added(seen: &Seen<'_>) -> Result<(), String> {
    let changes = seen.upgrade.report().changes();
    let mut told: Vec<_> =
        changes.iter().filter(|change| change.kind == ChangeKind::Added).map(|change| change.path.clone()).collect();
    told.sort();
    let mut found = Vec::new();
    for made in alignments(&seen.current, &seen.result) {
        let Some(mut added) = added(seen, &made) else { continue };
        added.sort();
        if added == told {
            return all_from_update(seen, &made);
        }
        found.push(added);
    }
    Err(format!("the report and the trees differ\nreport {told:?}\ntrees  {found:?}"))
}

/// More ways than this are not tried.
const MOST_ALIGNMENTS: usize = 64;

/// The ways to say which document of the result is which of the current file, in order. A file without any document
/// holds one without a value.
fn alignments<'s>(current: &'s Tree, result: &'s Tree) -> Vec<Vec<Made<'s>>> {
    let (mut found, mut made) = (Vec::new(), Vec::new());
    align(&current.documents, &result.documents, &mut made, &mut found);
    if current.documents.is_empty() {
        let first = |mut made: Vec<Made<'s>>| {
            made[0] = Made::Filled;
            made
        };
        found.extend(found.clone().into_iter().filter(|made| !made.is_empty()).map(first).collect::<Vec<_>>());
    }
    found
}

fn align<'s>(current: &'s [Node], result: &[Node], made: &mut Vec<Made<'s>>, found: &mut Vec<Vec<Made<'s>>>) {
    if found.len() >= MOST_ALIGNMENTS || current.len() > result.len() {
        return;
    }
    let Some((there, result)) = result.split_first() else { return found.push(made.clone()) };
    if let Some((node, rest)) = current.split_first() {
        let filled = node.is_null() && !there.is_null();
        if filled || contains(node, there, &mut Vec::new(), &mut Vec::new()).is_ok() {
            made.push(if filled { Made::Filled } else { Made::Of(node) });
            align(rest, result, made, found);
            made.pop();
        }
    }
    made.push(Made::New);
    align(current, result, made, found);
    made.pop();
}

/// The paths that a result gained; nothing where it has not all of the current file.
fn added(seen: &Seen<'_>, made: &[Made<'_>]) -> Option<Vec<String>> {
    let several = made.len() > 1;
    let mut paths = Vec::new();
    for (at, (result, made)) in seen.result.documents.iter().zip(made).enumerate() {
        let document = several.then_some(at);
        match made {
            Made::New => paths.push(print(Some(at), &[])),
            Made::Filled => {
                paths.extend(result.children().iter().map(|(step, _)| print(document, std::slice::from_ref(step))));
            }
            Made::Of(current) => {
                let mut added = Vec::new();
                contains(current, result, &mut Vec::new(), &mut added).ok()?;
                paths.extend(added.iter().map(|path| print(document, path)));
            }
        }
    }
    Some(paths)
}

/// Whether `result` has all of `current`; what else it has is `added`.
fn contains(current: &Node, result: &Node, path: &mut Path, added: &mut Vec<Path>) -> Result<(), String> {
    let lost = |what: &str| Err(format!("a value of the current file is not there: {what}\n{}", print(None, path)));
    if current.tag != result.tag {
        return lost("another tag");
    }
    match (&current.value, &result.value) {
        (Value::Map(mine), Value::Map(theirs)) if mine.is_empty() && !theirs.is_empty() => {
            lost("an empty map gained keys")
        }
        (Value::Map(_), Value::Map(_)) => map_contains(current, result, path, added),
        (Value::List(mine), Value::List(theirs)) if mine.len() == theirs.len() => {
            mine.iter().zip(theirs).enumerate().try_for_each(|(at, (mine, theirs))| {
                inside(path, Step::Item(at), |path| contains(mine, theirs, path, added))
            })
        }
        (Value::List(_), Value::List(_)) => lost("another number of items"),
        (Value::Scalar { text, plain }, Value::Scalar { text: other, plain: is_plain })
            if text == other && plain == is_plain =>
        {
            Ok(())
        }
        // A key below which everything is commented out is a map (`docs/rules.md` rule 1).
        (_, Value::Map(_)) if current.is_null() => {
            added.extend(result.children().into_iter().map(|(step, _)| [path.clone(), vec![step]].concat()));
            Ok(())
        }
        // What it means is a law of its own (`anchors.rs`).
        (Value::Alias { .. }, _) => Ok(()),
        _ => lost("another value"),
    }
}

fn map_contains(current: &Node, result: &Node, path: &mut Path, added: &mut Vec<Path>) -> Result<(), String> {
    for (step, mine) in current.children() {
        let Some(theirs) = result.find(std::slice::from_ref(&step)) else {
            return Err(format!("a key of the current file is gone\n{step:?} of {}", print(None, path)));
        };
        inside(path, step, |path| contains(mine, theirs, path, added))?;
    }
    for (step, _) in result.children() {
        if current.find(std::slice::from_ref(&step)).is_none() {
            inside(path, step, |path| added.push(path.clone()));
        }
    }
    Ok(())
}

pub(crate) fn inside<T>(path: &mut Path, step: Step, visit: impl FnOnce(&mut Path) -> T) -> T {
    path.push(step);
    let visited = visit(path);
    path.pop();
    visited
}

/// Every key of a document of the update is in one of the result.
fn is_complete(seen: &Seen<'_>, update: &Node) -> Result<(), String> {
    let several = seen.result.documents.len() > 1;
    let mut why = Ok(());
    for (at, result) in seen.result.documents.iter().enumerate() {
        why = complete(
            &Complete { seen, document: several.then_some(at), root: result },
            update,
            result,
            &mut Vec::new(),
        );
        if why.is_ok() {
            break;
        }
    }
    why
}

/// Where the keys of an update are looked for.
struct Complete<'s> {
    seen: &'s Seen<'s>,
    document: Option<usize>,
    root: &'s Node,
}

impl Complete<'_> {
    fn is_told(&self, kind: ChangeKind, path: &[Step]) -> bool {
        let path = print(self.document, path);
        self.seen.upgrade.report().changes().iter().any(|change| change.kind == kind && change.path == path)
    }

    /// Whether a map, or one around it, could not take what the update has.
    fn is_closed(&self, path: &[Step]) -> bool {
        (0..=path.len()).any(|length| self.is_told(ChangeKind::NotAdded, &path[..length]))
    }

    /// Whether keys below a path stay away, since they are commented out in the current file.
    fn holds_commented_out(&self, path: &[Step]) -> bool {
        let path = print(self.document, path);
        let below = |change: &Change| change.kind == ChangeKind::CommentedOut && change.path.starts_with(&path);
        self.seen.upgrade.report().changes().iter().any(below)
    }

    /// Whether a map gets a key through `<<` (`docs/rules.md` rule 9).
    fn inherits(&self, map: &Node, name: &str, deep: usize) -> bool {
        map.get("<<").is_some_and(|merged| self.brings(merged, name, deep))
    }

    /// Whether what is merged has a key: a map, or one of a list, also behind an alias.
    fn brings(&self, merged: &Node, name: &str, deep: usize) -> bool {
        match &merged.value {
            _ if deep > 20 => false,
            Value::Alias { target, .. } => {
                self.root.find(target).is_some_and(|source| self.brings(source, name, deep + 1))
            }
            Value::List(items) => items.iter().any(|item| self.brings(item, name, deep + 1)),
            _ => merged.get(name).is_some() || self.inherits(merged, name, deep + 1),
        }
    }
}

/// Items of lists need not come, and what the user has as an alias or as `{}` is the user's value.
fn complete(at: &Complete<'_>, update: &Node, result: &Node, path: &mut Path) -> Result<(), String> {
    match (&update.value, &result.value) {
        (_, Value::Alias { .. }) => Ok(()),
        (Value::Map(theirs), Value::Map(mine)) if !mine.is_empty() => theirs.iter().try_for_each(|(name, value)| {
            let Some(found) = result.get(name) else {
                let is_commented_out =
                    inside(path, Step::Key(name.clone()), |path| at.is_told(ChangeKind::CommentedOut, path));
                let excused = is_commented_out || at.is_closed(path) || at.inherits(result, name, 0);
                return if excused {
                    Ok(())
                } else {
                    Err(format!("a key of the update is missing\n{name:?} of {}", print(None, path)))
                };
            };
            inside(path, Step::Key(name.clone()), |path| complete(at, value, found, path))
        }),
        _ if update.kind() == result.kind() || update.is_null() => Ok(()),
        _ if at.is_told(ChangeKind::KindDiffers, path) || at.is_closed(path) => Ok(()),
        _ if at.holds_commented_out(path) => Ok(()),
        _ => Err(format!("a value is of another kind and nobody says so\n{}", print(None, path))),
    }
}

/// What was added is in the update just like this, at the same path. Which item of a list is which only the merge
/// knows, so that all items count.
fn all_from_update(seen: &Seen<'_>, made: &[Made<'_>]) -> Result<(), String> {
    let nodes = seen.update.nodes();
    for (result, made) in seen.result.documents.iter().zip(made) {
        let mut paths = Vec::new();
        match made {
            Made::Of(current) => contains(current, result, &mut Vec::new(), &mut paths)?,
            Made::New => paths.push(Vec::new()),
            Made::Filled => paths.extend(result.children().into_iter().map(|(step, _)| vec![step])),
        }
        for path in paths {
            let Some(value) = result.find(&path) else { continue };
            if !nodes.iter().any(|(_, other, node)| wild(other) == wild(&path) && same(node, value)) {
                return Err(format!("what was added is not as in the update\n{}", print(None, &path)));
            }
        }
    }
    Ok(())
}

/// A path in which every item is the same.
pub(crate) fn wild(path: &[Step]) -> Path {
    path.iter().map(|step| if let Step::Item(_) = step { Step::Item(0) } else { step.clone() }).collect()
}

/// Whether two values say the same.
pub(crate) fn same(a: &Node, b: &Node) -> bool {
    let inside = || {
        let (a, b) = (a.children(), b.children());
        a.len() == b.len() && a.iter().zip(&b).all(|((step, a), (other, b))| step == other && same(a, b))
    };
    let values = match (&a.value, &b.value) {
        (Value::Scalar { text, plain }, Value::Scalar { text: other, plain: is_plain }) => {
            text == other && (plain == is_plain || (*plain && is_text(text) && needs_quotes_in_flow(text)))
        }
        (Value::Alias { .. }, _) => return true,
        _ => a.kind() == b.kind() && a.kind() != Kind::Scalar && inside(),
    };
    values && a.tag == b.tag
}

/// Whether a plain text has to be quoted in a flow collection. The reference parser takes a dash before a bracket for an item.
fn needs_quotes_in_flow(text: &str) -> bool {
    text.contains([',', '[', ']', '{', '}', '"', '\'', '#', '\n']) || text.ends_with('-')
}
