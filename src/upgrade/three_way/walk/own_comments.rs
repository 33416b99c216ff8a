//! Comments of the user's own: who wrote one on a key or an item has touched it (`docs/rules.md` rule 10).

use foldhash::{HashMap, HashSet};
use std::cell::OnceCell;

use crate::text::scan;
use crate::yaml::names::Names;
use crate::yaml::tree::{Kind, Line, Node, Opener};

/// The comments and keys of the old default, to know by them what the user says.
pub(super) struct OldComments<'b, 'a> {
    documents: &'b [Box<Node<'a>>],
    current: &'b [Box<Node<'a>>],
    update: &'b [Box<Node<'a>>],
    /// The keys and items that the old default has live and the user not, by how they start. Of what stands inside of one
    /// that is gone as a whole they are only those where the user has that commented out.
    gone: OnceCell<HashSet<&'b str>>,
    /// Only asked for where a node has other comments than it had.
    all: OnceCell<HashSet<&'b str>>,
    /// The comments that are keys live in the new default alone, in a map of the same name. Asked for where something is new
    /// above one of the old default's comments.
    come_live: OnceCell<HashSet<&'b str>>,
    /// The names of the user's keys right above other keys of their map, by these. Asked for where something is new above one.
    keys_above: OnceCell<HashMap<*const Node<'a>, &'b str>>,
}

/// What another value for the key right above a node, or another item of its list, says of the node, above which it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OtherKeys {
    /// Nothing: it stays where the node goes.
    AreApart,
    /// Whatever words say: it would go with what is around the node.
    AreWords,
}

impl<'b, 'a> OldComments<'b, 'a> {
    /// Those of the documents of an old default, beside the user's and the update's.
    pub(super) fn of([documents, current, update]: [&'b [Box<Node<'a>>]; 3]) -> Self {
        Self {
            documents,
            current,
            update,
            gone: OnceCell::new(),
            all: OnceCell::new(),
            come_live: OnceCell::new(),
            keys_above: OnceCell::new(),
        }
    }

    /// Whether the user says something on a node, or on one inside of it.
    pub(super) fn know_not(&self, node: &Node<'a>, old: &Node<'_>) -> bool {
        let known = Known::inside(old);
        self.is_spoken_of(node, (Some(old), &known), OtherKeys::AreApart)
            || node.children.iter().any(|child| self.any(child, &known))
    }

    /// The same where what is said of the key above counts, too.
    pub(super) fn know_not_around(&self, node: &Node<'a>, old: &Node<'_>) -> bool {
        self.any(node, &Known::inside(old))
    }

    /// Whether the user says something on what is inside of a node.
    pub(super) fn know_not_inside(&self, node: &Node<'a>, old: &Node<'_>) -> bool {
        if node.children.is_empty() {
            return false;
        }
        let known = Known::inside(old);
        node.children.iter().any(|child| self.any(child, &known))
    }

    /// Whether the user says something on a node; what is said on those inside of it does not count.
    pub(super) fn know_not_on(&self, node: &Node<'a>, old: &Node<'_>) -> bool {
        self.is_spoken_of(node, (Some(old), &Known::of(on(old).collect())), OtherKeys::AreWords)
    }

    fn any(&self, node: &Node<'a>, known: &Known<'_>) -> bool {
        self.is_spoken_of(node, (None, known), OtherKeys::AreWords)
            || node.children.iter().any(|child| self.any(child, known))
    }

    /// A key or an item of the old default that the user commented out says nothing about what is below, and neither do the
    /// words above it. What the old default itself has commented out there is part of those about the key, unless the release
    /// made it live: then the words above it are about that. What is commented out above a node is held against what its `old`
    /// node has above it, where that is given, and otherwise against all that is `known`.
    fn is_spoken_of(&self, node: &Node<'a>, (old, known): (Option<&Node<'_>>, &Known<'_>), others: OtherKeys) -> bool {
        let is_new = |comment: &&str| !known.said.contains(comment) && !self.all().contains(comment);
        let is_option = |key: &str| known.options().contains(key);
        let is_option_above = |key: &str| match old {
            Some(old) => words(&old.above).any(|comment| key_in(comment) == Some(key)),
            None => is_option(key),
        };
        let is_of_other = |comment: &str| self.is_of_key_above(comment, node) || is_item_beside(comment, node);
        let is_other = |comment: &str| others == OtherKeys::AreApart && is_of_other(comment);
        let is_about = |comment: &&str| {
            if is_new(comment) {
                !self.is_commented_out(comment, &is_option_above) && !is_other(comment)
            } else {
                !self.come_live().contains(comment)
            }
        };
        // Most comments are those of the old default.
        let has_new = words(&node.above).any(|comment| is_new(&comment));
        let is_said_above = || words(&node.above).rev().take_while(is_about).any(|comment| is_new(&comment));
        (has_new && is_said_above())
            || beside(node).filter(is_new).any(|comment| !self.is_commented_out(comment, &is_option))
    }

    /// Whether a comment is a key of the old default, whatever its value, or an item, that the user has no longer live. Beside
    /// the live one it is a note of the user's, say of the value before; and where the old default has the key commented out,
    /// the user gave it another value.
    fn is_commented_out(&self, comment: &str, is_option: &dyn Fn(&str) -> bool) -> bool {
        let line = comment.trim_start_matches(['#', ' ']);
        let item = line.strip_prefix("- ").map(str::trim_ascii);
        let key = opened_key(item.unwrap_or(line));
        item.into_iter().chain(key).any(|start| self.gone().contains(start)) && !key.is_some_and(is_option)
    }

    /// Whether a comment is another value for the key right above a node.
    fn is_of_key_above(&self, comment: &str, node: &Node<'a>) -> bool {
        let keys = self.keys_above.get_or_init(|| {
            let mut keys = HashMap::default();
            self.current.iter().for_each(|document| add_keys_above(document, &mut keys));
            keys
        });
        let above = keys.get(&std::ptr::from_ref(node)).copied();
        above.is_some() && above == key_in(comment)
    }

    fn gone(&self) -> &HashSet<&'b str> {
        self.gone.get_or_init(|| {
            let (mut gone, mut said) = (HashSet::default(), HashSet::default());
            self.current.iter().for_each(|document| collect(document, &mut said));
            let commented_out = Known::of(said);
            for (old, mine) in self.documents.iter().zip(self.current) {
                add_gone(old, mine, commented_out.options(), &mut gone);
            }
            gone
        })
    }

    fn come_live(&self) -> &HashSet<&'b str> {
        self.come_live.get_or_init(|| {
            let mut live = HashSet::default();
            self.update.iter().for_each(|document| collect_live(document, &mut live));
            let comes = |map: &Node<'_>, comment: &str| {
                let key = key_in(comment);
                key.is_some_and(|key| !self.all().contains(key) && live.contains(&(&*map.name, key)))
            };
            let mut come = HashSet::default();
            self.documents.iter().for_each(|document| collect_inside(document, &comes, &mut come));
            come
        })
    }

    fn all(&self) -> &HashSet<&'b str> {
        self.all.get_or_init(|| {
            let mut all = HashSet::default();
            self.documents.iter().for_each(|document| collect(document, &mut all));
            all
        })
    }
}

/// What the old default says on some nodes.
struct Known<'s> {
    said: HashSet<&'s str>,
    options: OnceCell<HashSet<&'s str>>,
}

impl<'s> Known<'s> {
    fn of(said: HashSet<&'s str>) -> Self {
        Self { said, options: OnceCell::new() }
    }

    /// What is said on a node and all that is inside of it.
    fn inside(node: &'s Node<'_>) -> Self {
        let mut said = HashSet::default();
        collect(node, &mut said);
        Self::of(said)
    }

    /// The names of the keys that are commented out among that.
    fn options(&self) -> &HashSet<&'s str> {
        let comments = || self.said.iter().filter(|said| said.starts_with('#'));
        self.options.get_or_init(|| comments().filter_map(|comment| key_in(comment)).collect())
    }
}

/// Whether a comment above an item of a list is another item of it.
fn is_item_beside(comment: &str, node: &Node<'_>) -> bool {
    matches!(node.opener, Opener::Item { .. }) && comment.trim_start_matches(['#', ' ']).starts_with("- ")
}

/// The key that a line opens, as it reads without its quotes.
fn opened_key(line: &str) -> Option<&str> {
    scan::key_and_rest(line).map(|(key, _)| key.trim_ascii().trim_matches(['"', '\'']))
}

/// The key that a comment opens.
fn key_in(comment: &str) -> Option<&str> {
    opened_key(comment.trim_start_matches(['#', ' ']))
}

fn words<'n>(lines: &'n [Line<'_>]) -> impl DoubleEndedIterator<Item = &'n str> {
    lines.iter().filter(|line| line.has_words()).map(Line::trimmed)
}

/// The comments behind a node and at the end of its block.
fn beside<'n>(node: &'n Node<'_>) -> impl Iterator<Item = &'n str> {
    let behind = scan::comment_behind(&node.value_text).map(|start| node.value_text[start..].trim_ascii());
    words(node.header()).chain(words(&node.continuation)).chain(words(&node.below)).chain(behind)
}

fn on<'n>(node: &'n Node<'_>) -> impl Iterator<Item = &'n str> {
    words(&node.above).chain(beside(node))
}

/// The comments of a node and all that is inside of it, the names of the keys and the items that are one line.
fn collect<'n>(node: &'n Node<'_>, said: &mut HashSet<&'n str>) {
    said.extend(on(node));
    said.insert(start_of(node));
    node.children.iter().for_each(|child| collect(child, said));
}

/// Adds the names of the keys inside of a node that stand right above others of their map.
fn add_keys_above<'n, 'a>(node: &'n Node<'a>, keys: &mut HashMap<*const Node<'a>, &'n str>) {
    let pairs = node.children.windows(2).filter(|pair| matches!(pair[0].opener, Opener::Key(_)));
    keys.extend(pairs.map(|pair| (std::ptr::from_ref(&*pair[1]), &*pair[0].name)));
    node.children.iter().for_each(|child| add_keys_above(child, keys));
}

/// The live keys inside of a node, each with the name of the key that its map is the value of.
fn collect_live<'n>(node: &'n Node<'_>, live: &mut HashSet<(&'n str, &'n str)>) {
    live.extend(node.live_children().map(|child| (&*node.name, &*child.name)));
    node.children.iter().for_each(|child| collect_live(child, live));
}

/// Those of the comments between and behind the children of a node, and inside of these, that are wanted in their map.
fn collect_inside<'n>(node: &'n Node<'_>, wanted: &impl Fn(&Node<'_>, &str) -> bool, all: &mut HashSet<&'n str>) {
    let between = node.children.iter().flat_map(|child| words(&child.above));
    all.extend(between.chain(words(&node.below)).filter(|comment| wanted(node, comment)));
    node.children.iter().for_each(|child| collect_inside(child, wanted, all));
}

/// Adds what is live inside of a node and not inside of the user's, who has these keys commented out. A section that is gone
/// and not among them may be one that the release dropped, and an earlier run with it.
fn add_gone<'n>(old: &'n Node<'_>, mine: &Node<'_>, commented_out: &HashSet<&str>, gone: &mut HashSet<&'n str>) {
    if old.kind() == Kind::List {
        // Which item is which is not known yet.
        let mine = starts_inside(mine);
        let is_gone = |start: &str, old: usize| mine.get(start).copied().unwrap_or_default() < old;
        let olds = starts_inside(old).into_iter();
        return gone.extend(olds.filter_map(|(start, old)| is_gone(start, old).then_some(start)));
    }
    let mine: Names<&str, _> = mine.live_children().map(|child| (&*child.name, child)).collect();
    for child in old.live_children() {
        match mine.get(&child.name) {
            Some(mine) => add_gone(child, mine, commented_out, gone),
            None if commented_out.contains(&*child.name) => each_start(child, &mut |start| _ = gone.insert(start)),
            None => _ = gone.insert(start_of(child)),
        }
    }
}

/// The keys and items inside of a node, by how they start, with how many of them there are.
fn starts_inside<'n>(node: &'n Node<'_>) -> HashMap<&'n str, usize> {
    let mut counts = HashMap::default();
    let mut count = |start| *counts.entry(start).or_default() += 1;
    node.children.iter().for_each(|child| each_start(child, &mut count));
    counts
}

/// Shows how a node and all inside of it start.
fn each_start<'n>(node: &'n Node<'_>, show: &mut dyn FnMut(&'n str)) {
    show(start_of(node));
    node.children.iter().for_each(|child| each_start(child, show));
}

/// The name of a key, or an item that is one line.
fn start_of<'n>(node: &'n Node<'_>) -> &'n str {
    match node.opener {
        Opener::Item { joined: false } => node.value_text.trim_ascii(),
        _ => &node.name,
    }
}
