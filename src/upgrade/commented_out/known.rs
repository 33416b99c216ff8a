//! What other versions of a file tell of its comments.

use foldhash::HashSet;

use crate::yaml::commented_out::{Found, KeyOfMap, Known};
use crate::yaml::tree::Node;

/// What a document of a new default has commented out, where other versions of it are known: where its prose starts with
/// what is a live key in them alone, a web address behind that is a value here, too.
pub(super) fn found_in_update<'n, 'a>(update: &'n Node<'a>, others: [Option<&Node<'_>>; 2]) -> Found<'n, 'a> {
    let found = Found::in_document(update);
    let names = live_in_others_alone(found.names_in_prose(), update, others);
    if names.is_empty() { found } else { found.knowing_more(&Known::of_names(names.clone()), &names) }
}

/// What a user's document has commented out, by what the new default tells, and what that tells in all. What starts with a
/// key that is live in its map there, and that the user has live in no such map, is that key, whatever its value reads like.
pub(super) fn found_in_current<'n: 'k, 'k, 'a>(
    current: &'n Node<'a>,
    update: &'k Node<'_>,
    mut known: Known<'k>,
) -> (Found<'n, 'a>, Known<'k>) {
    let mut found = Found::knowing(current, &known);
    let mut names = found.names_in_prose();
    names.retain(|name| known.names.contains(name));
    if !names.is_empty() {
        let [here, mut there] = [current, update].map(|file| keys_of_maps(file, &names));
        there.retain(|key| !here.contains(key));
        known.live_there_alone = there;
    }
    if !known.live_there_alone.is_empty() {
        let names = known.live_there_alone.iter().map(|(_, name)| *name).collect();
        found = found.knowing_more(&known, &names);
    }
    (found, known)
}

/// The live keys of a document that have one of these names.
fn keys_of_maps<'n>(document: &'n Node<'_>, names: &HashSet<&str>) -> HashSet<KeyOfMap<'n>> {
    fn add<'n>(node: &'n Node<'_>, owner: Option<&'n str>, names: &HashSet<&str>, keys: &mut HashSet<KeyOfMap<'n>>) {
        keys.extend(node.live_children().filter(|key| names.contains(&*key.name)).map(|key| (owner, &*key.name)));
        node.children.iter().for_each(|child| add(child, Some(&child.name), names, keys));
    }
    let mut keys = HashSet::default();
    add(document, None, names, &mut keys);
    keys
}

/// Those of some names that are live keys of other versions of a file, and not of the file itself.
fn live_in_others_alone<'n>(
    mut names: HashSet<&'n str>,
    file: &Node<'_>,
    others: [Option<&Node<'_>>; 2],
) -> HashSet<&'n str> {
    if !names.is_empty() {
        let (mut here, mut there) = (HashSet::default(), HashSet::default());
        file.add_live_keys(&mut here);
        others.into_iter().flatten().for_each(|other| other.add_live_keys(&mut there));
        names.retain(|name| there.contains(name) && !here.contains(name));
    }
    names
}

/// What a new default tells of the comments in other versions of it.
pub(super) fn known_by<'n>(found: &'n Found<'_, '_>, update: &'n Node<'_>) -> Known<'n> {
    let mut known = Known::default();
    known.prose.extend(found.prose());
    known.names.extend(found.names());
    update.add_live_keys(&mut known.names);
    add_same_as_parent(update, &mut known.same_as_parent);
    known
}

/// Adds the keys inside of a node that are live in the map of a key of the same name.
fn add_same_as_parent<'n>(node: &'n Node<'_>, names: &mut HashSet<&'n str>) {
    names.extend(node.live_children().filter(|child| child.name == node.name).map(|child| &*child.name));
    node.children.iter().for_each(|child| add_same_as_parent(child, names));
}
