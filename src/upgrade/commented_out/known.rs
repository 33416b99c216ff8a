//! What other versions of a file tell of its comments.

use foldhash::HashSet;

use crate::yaml::commented_out::{Found, KeyOfMap, Known};
use crate::yaml::tree::{Node, Opener};

/// The live keys of a new default, as far as these tell of comments.
#[derive(Debug, Default)]
pub(super) struct LiveKeys<'n> {
    names: HashSet<&'n str>,
    /// Those in the map of a key of the same name.
    same_as_parent: HashSet<&'n str>,
}

impl<'n> LiveKeys<'n> {
    fn of(found: &Found<'n, '_>) -> Self {
        let mut keys = Self::default();
        let nodes = &found.gaps.nodes;
        for numbered in nodes.iter().skip(1) {
            let node = numbered.node;
            if matches!(node.opener, Opener::Key(_)) {
                keys.names.insert(&node.name);
            }
            if node.name == nodes[numbered.parent()].node.name {
                keys.same_as_parent.insert(&node.name);
            }
        }
        keys
    }
}

/// What a document of a new default has commented out, where other versions of it are known: where its prose starts with
/// what is a live key in them alone, a web address behind that is a value here, too.
pub(super) fn found_in_update<'n, 'a>(
    update: &'n Node<'a>,
    others: [Option<&Node<'_>>; 2],
) -> (Found<'n, 'a>, LiveKeys<'n>) {
    let found = Found::in_document(update);
    let keys = LiveKeys::of(&found);
    let mut names = found.names_in_prose();
    names.retain(|name| !keys.names.contains(name));
    let names = live_in(others, &names);
    let found = if names.is_empty() { found } else { found.knowing_more(&Known::of_names(names.clone()), &names) };
    (found, keys)
}

/// Those of some names that are live keys of other versions of a file.
fn live_in<'n>(others: [Option<&Node<'_>>; 2], names: &HashSet<&'n str>) -> HashSet<&'n str> {
    fn add<'n>(node: &Node<'_>, names: &HashSet<&'n str>, live: &mut HashSet<&'n str>) {
        for child in &node.children {
            if matches!(child.opener, Opener::Key(_)) {
                live.extend(names.get(&*child.name));
            }
            add(child, names, live);
        }
    }
    let mut live = HashSet::default();
    if !names.is_empty() {
        others.into_iter().flatten().for_each(|other| add(other, names, &mut live));
    }
    live
}

/// What a new default tells of the comments in other versions of it.
pub(super) fn known_by<'n>(found: &Found<'n, '_>, keys: LiveKeys<'n>) -> Known<'n> {
    let mut known = Known::of_names(keys.names);
    known.names.extend(found.names());
    known.prose.extend(found.prose());
    known.same_as_parent = keys.same_as_parent;
    known
}

/// What a user's document has commented out, by what the new default tells, and what that tells in all. What starts with a
/// key that is live in its map there, and that the user has live in no such map, is that key, whatever its value reads like.
pub(super) fn found_in_current<'n, 'u, 'a>(
    current: &'n Node<'a>,
    update: &Found<'u, '_>,
    mut known: Known<'u>,
) -> (Found<'n, 'a>, Known<'u>) {
    let found = Found::knowing(current, &known);
    let mut names = found.names_in_prose();
    names.retain(|name| known.names.contains(name));
    let mut there = keys_of_maps(update, &names);
    names.retain(|name| there.iter().any(|(_, key)| key == name));
    let here = keys_of_maps(&found, &names);
    there.retain(|key| !here.contains(key));
    if there.is_empty() {
        return (found, known);
    }
    known.live_there_alone = there;
    let names = known.live_there_alone.iter().map(|(_, name)| *name).collect();
    (found.knowing_more(&known, &names), known)
}

/// The live keys of a document that have one of these names.
fn keys_of_maps<'n>(found: &Found<'n, '_>, names: &HashSet<&str>) -> HashSet<KeyOfMap<'n>> {
    if names.is_empty() {
        return HashSet::default();
    }
    let nodes = &found.gaps.nodes;
    let owner = |parent: usize| (parent > 0).then(|| &*nodes[parent].node.name);
    let keys = nodes.iter().skip(1).filter(|key| names.contains(&*key.node.name));
    keys.map(|key| (owner(key.parent()), &*key.node.name)).collect()
}
