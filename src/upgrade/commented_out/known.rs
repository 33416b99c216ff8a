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
/// what is a live key in them alone, a web address behind that is a value here, too; and where a comment is a key without a value,
/// or could be one of several maps, it is the one that is live in its map in them alone.
pub(super) fn found_in_update<'n, 'a>(
    update: &'n Node<'a>,
    others: [Option<&Node<'_>>; 2],
) -> (Found<'n, 'a>, LiveKeys<'n>) {
    let found = Found::in_document(update);
    let keys = LiveKeys::of(&found);
    let mut names = found.names_in_prose();
    names.retain(|name| !keys.names.contains(name));
    let unsure = found.unsure().chain(found.open_names_in_prose()).collect();
    let mut known = live_in(others, &names, &unsure);
    known.same_as_parent.extend(&keys.same_as_parent);
    leave_out(&mut known.live_there_alone, &keys_of_maps(&found, &unsure));
    let tell = known.names.union(&known.same_as_parent).copied().chain(names_of(&known.live_there_alone)).collect();
    let found = look_again(found, &known, &tell);
    (found, keys)
}

/// Which of some names are live keys of other versions of a file, and in which maps those of others are.
fn live_in<'k>(others: [Option<&'k Node<'_>>; 2], names: &HashSet<&str>, of_maps: &HashSet<&str>) -> Known<'k> {
    fn add<'k>(owner: Option<&'k str>, node: &'k Node<'_>, names: [&HashSet<&str>; 2], live: &mut Known<'k>) {
        for child in &node.children {
            if matches!(child.opener, Opener::Key(_)) {
                let [is_asked, is_of_map] = names.map(|names| names.contains(&*child.name));
                live.names.extend(is_asked.then_some(&*child.name));
                live.live_there_alone.extend(is_of_map.then_some((owner, &*child.name)));
            }
            add(Some(&child.name), child, names, live);
        }
    }
    let mut live = Known::default();
    if !names.is_empty() || !of_maps.is_empty() {
        others.into_iter().flatten().for_each(|other| add(None, other, [names, of_maps], &mut live));
    }
    live
}

fn look_again<'n, 'a>(found: Found<'n, 'a>, known: &Known<'_>, tell: &HashSet<&str>) -> Found<'n, 'a> {
    if tell.is_empty() { found } else { found.knowing_more(known, tell) }
}

fn names_of<'k>(keys: &HashSet<KeyOfMap<'k>>) -> impl Iterator<Item = &'k str> {
    keys.iter().map(|(_, name)| *name)
}

/// What a new default tells of the comments in other versions of it.
pub(super) fn known_by<'n>(found: &Found<'n, '_>, keys: LiveKeys<'n>) -> Known<'n> {
    let mut known = Known::of_names(keys.names);
    known.names.extend(found.names());
    known.prose.extend(found.prose());
    known.same_as_parent = keys.same_as_parent;
    known.commented_out_there.extend(found.keys_of_maps());
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
    names.extend(found.unsure());
    known.live_there_alone = keys_of_maps(update, &names);
    leave_out(&mut known.live_there_alone, &keys_of_maps(&found, &names));
    let found = look_again(found, &known, &names_of(&known.live_there_alone).collect());
    (found, known)
}

/// Leaves out of the live keys of another version those that are live here, too.
fn leave_out(there: &mut HashSet<KeyOfMap<'_>>, here: &HashSet<KeyOfMap<'_>>) {
    if !here.is_empty() {
        there.retain(|key| !here.contains(key));
    }
}

/// The live keys of a document that have one of these names.
fn keys_of_maps<'n>(found: &Found<'n, '_>, names: &HashSet<&str>) -> HashSet<KeyOfMap<'n>> {
    if names.is_empty() {
        return HashSet::default();
    }
    let nodes = &found.gaps.nodes;
    let keys = nodes.iter().skip(1).filter(|key| names.contains(&*key.node.name));
    keys.map(|key| (found.gaps.key(key.parent()), &*key.node.name)).collect()
}
