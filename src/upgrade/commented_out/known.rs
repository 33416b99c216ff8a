//! What other versions of a file tell of its comments.

use foldhash::HashSet;

use crate::yaml::commented_out::{Found, Known};
use crate::yaml::tree::Node;

/// What a document of a new default has commented out, where other versions of it are known.
pub(super) fn found_in_update<'n, 'a>(update: &'n Node<'a>, others: [Option<&Node<'_>>; 2]) -> Found<'n, 'a> {
    let found = Found::in_document(update);
    let names = keys_in_prose(&found, update, others);
    if names.is_empty() { found } else { Found::knowing(update, &Known::of_names(names)) }
}

/// The names in the prose of a new default that look like those of keys, and that other versions of it have as live keys: a
/// web address behind `Server:` is its value there, too.
fn keys_in_prose<'n>(found: &Found<'n, '_>, update: &Node<'_>, others: [Option<&Node<'_>>; 2]) -> HashSet<&'n str> {
    let mut names = found.names_in_prose();
    if !names.is_empty() {
        let (mut here, mut there) = (HashSet::default(), HashSet::default());
        update.add_live_keys(&mut here);
        others.into_iter().flatten().for_each(|other| other.add_live_keys(&mut there));
        names.retain(|name| there.contains(name) && !here.contains(name));
    }
    names
}

/// What a new default tells of the comments in other versions of it.
pub(super) fn known_by<'n>(found: &'n Found<'_, '_>, update: &'n Node<'_>) -> Known<'n> {
    let mut known = Known::default();
    known.prose.extend(&found.prose);
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
