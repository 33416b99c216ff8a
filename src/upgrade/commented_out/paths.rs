//! The keys of a document by their paths, live and commented out. An item of a list is as good as any other: which is which in
//! another file only the merge knows.
//!
//! Few paths are ever asked for, so what stands below one is only looked at when somebody asks.

use foldhash::{HashMap, HashSet};
use std::cell::OnceCell;

use super::as_comment::as_comment;
use super::examples::Example;
use super::own_items::{ItemSays, says};
use crate::yaml::commented_out::Found;
use crate::yaml::commented_out::gaps::{Gaps, has_empty_braces, has_no_value, is_list_at_own_column};
use crate::yaml::commented_out::recognise::CommentedOut;
use crate::yaml::names::FEW;
use crate::yaml::tree::{Kind, Line, Node, Opener, Shape};

/// The keys of a document, each below the map that holds it.
#[derive(Debug)]
pub(crate) struct Paths<'n, 'a> {
    root: Place<'n, 'a>,
    /// What stands commented out beside live ones of them, in the same map, by their first nodes.
    examples: HashMap<*const Node<'a>, HashSet<String>>,
    /// What its comments say, where somebody asks.
    comments: OnceCell<HashSet<&'n str>>,
}

/// A key, or any item.
pub(super) type Step<'n> = Option<&'n str>;

/// What a document has at a path, the first of all items first: that says what it is.
#[derive(Debug, Default)]
pub(super) struct Place<'n, 'a> {
    first: Option<&'n Node<'a>>,
    others: Vec<&'n Node<'a>>,
    has_option: bool,
    below: OnceCell<Box<Below<'n, 'a>>>,
}

/// The places directly below another.
#[derive(Debug, Default)]
struct Below<'n, 'a> {
    places: Vec<(Step<'n>, Place<'n, 'a>)>,
    /// Where each of them is, where there are many.
    index: HashMap<Step<'n>, usize>,
    /// The items by what they say, where somebody asks for one.
    items: OnceCell<HashMap<ItemSays, &'n Node<'a>>>,
}

impl<'n, 'a> Below<'n, 'a> {
    fn of<'l>(nodes: impl Iterator<Item = &'l &'n Node<'a>>) -> Self
    where
        'n: 'l,
        'a: 'n,
    {
        let mut below = Self::default();
        for node in nodes {
            // All items of a list are in one place.
            below.places.reserve(if node.kind() == Kind::List { 1 } else { node.children.len() });
            node.children.iter().for_each(|child| below.put(child));
        }
        below
    }

    fn put(&mut self, child: &'n Node<'a>) {
        let step = step(child);
        let at = self.position(step).unwrap_or_else(|| self.add(step));
        if let Some((_, place)) = self.places.get_mut(at) {
            place.add(child);
            place.has_option |= child.is_commented_out();
        }
    }

    fn items(&self) -> &HashMap<ItemSays, &'n Node<'a>> {
        self.items.get_or_init(|| {
            let items = self.position(None).map(|at| &self.places[at].1).into_iter();
            let items = items.flat_map(|place| place.first.into_iter().chain(place.others.iter().copied()));
            items.map(|item| (says(as_comment(item).iter()), item)).collect()
        })
    }

    fn position(&self, step: Step<'_>) -> Option<usize> {
        if self.index.is_empty() {
            return self.places.iter().position(|(other, _)| *other == step);
        }
        self.index.get(&step).copied()
    }

    fn add(&mut self, step: Step<'n>) -> usize {
        let at = self.places.len();
        self.places.push((step, Place::default()));
        if at == FEW {
            self.index.extend(self.places.iter().enumerate().map(|(at, (step, _))| (*step, at)));
        } else if at > FEW {
            self.index.insert(step, at);
        }
        at
    }
}

impl<'n, 'a> Place<'n, 'a> {
    fn of(node: &'n Node<'a>) -> Self {
        Self { first: Some(node), ..Self::default() }
    }

    fn add(&mut self, node: &'n Node<'a>) {
        match self.first {
            Some(_) => self.others.push(node),
            None => self.first = Some(node),
        }
    }

    fn at(&self, step: Step<'_>) -> Option<&Self> {
        let below = self.below();
        below.places.get(below.position(step)?).map(|(_, place)| place)
    }

    fn below(&self) -> &Below<'n, 'a> {
        self.below.get_or_init(|| Box::new(Below::of(self.first.iter().chain(&self.others))))
    }

    fn inside<'s>(&self, steps: impl IntoIterator<Item = Step<'s>>) -> Option<&Self> {
        steps.into_iter().try_fold(self, Self::at)
    }
}

impl<'n, 'a> Paths<'n, 'a> {
    /// All keys of a document whose options are nodes, but for those live ones that it has as examples, too.
    pub(super) fn of(document: &'n Node<'a>, examples: Vec<Example>) -> Self {
        let root = Place::of(document);
        let mut texts: HashMap<_, HashSet<_>> = HashMap::default();
        for Example { path, text } in examples {
            let place = root.inside(path.iter().map(|step| step.as_deref()));
            if let Some(key) = place.and_then(|place| place.first) {
                texts.entry(std::ptr::from_ref(key)).or_default().insert(text);
            }
        }
        Self { root, examples: texts, comments: OnceCell::new() }
    }

    fn at(&self, path: &[Step<'_>]) -> Option<&Place<'n, 'a>> {
        self.root.inside(path.iter().copied())
    }

    /// Whether commented-out items below what is at the path of a node belong to that: it is commented out, has no value, an
    /// empty collection, or a list, which stands at its own column where the node has a list too; nothing where there is no
    /// such path.
    pub(super) fn takes_items(&self, gaps: &Gaps<'_, '_>, node: usize) -> Option<bool> {
        let first = self.place(gaps, node).filter(|_| node > 0)?.first?;
        let is_leaf = first.live_children().next().is_none() && has_no_value(first);
        let is_list = || first.kind() == Kind::List && gaps.nodes[node].node.children.is_empty();
        Some(first.is_commented_out() || is_leaf || is_list() || is_list_at_own_column(first))
    }

    /// Whether there is a map at the path of a map, or a list at that of a list, or a key that is commented out.
    pub(super) fn has_block(&self, gaps: &Gaps<'_, '_>, node: usize) -> bool {
        let first = self.place(gaps, node).and_then(|place| place.first);
        first.is_some_and(|first| first.is_commented_out() || first.kind() == gaps.nodes[node].node.kind())
    }

    /// The same where a block can stand there: not where a key without a value has got one.
    pub(super) fn has_room_for_block(&self, gaps: &Gaps<'_, '_>, node: usize) -> bool {
        let is_without_value = |first: &Node<'_>| first.is_commented_out() || has_no_value(first);
        let is_empty = gaps.nodes[node].node.kind() == Kind::Leaf;
        let has_room =
            || !is_empty || self.place(gaps, node).and_then(|place| place.first).is_some_and(is_without_value);
        self.has_block(gaps, node) && has_room()
    }

    /// Whether there is nothing at the path of a node, or no value.
    pub(super) fn has_nothing(&self, gaps: &Gaps<'_, '_>, node: usize) -> bool {
        let first = self.place(gaps, node).and_then(|place| place.first);
        first.is_none_or(|first| first.children.is_empty() && has_no_value(first))
    }

    /// The item of the only list at the path of a node that says this, with all that is inside of it. Where several
    /// items have a list there, nobody knows which of these it is.
    pub(super) fn item(&self, gaps: &Gaps<'_, '_>, list: usize, said: &ItemSays) -> Option<&'n Node<'a>> {
        let list = self.place(gaps, list).filter(|list| list.others.is_empty())?;
        list.below().items().get(said).copied()
    }

    /// Whether keys could stand in what is at the path of a node: in a map that is not in braces, or below a key without a
    /// value or with empty braces. Nothing where there is no such path, and for an item, which may be any of those in the other file.
    pub(super) fn can_hold_keys(&self, gaps: &Gaps<'_, '_>, node: usize) -> Option<bool> {
        let first = self.place(gaps, node).filter(|_| node > 0)?.first?;
        if matches!(first.opener, Opener::Item { .. }) {
            return None;
        }
        let is_empty = first.shape == Shape::Open || has_empty_braces(first);
        Some(first.kind() == Kind::Map || (is_empty && first.children.is_empty()))
    }

    /// What stands at the path of a node; nothing where there is nothing.
    fn place(&self, gaps: &Gaps<'_, '_>, node: usize) -> Option<&Place<'n, 'a>> {
        match gaps.nodes.get(node)? {
            _ if node == 0 => Some(&self.root),
            numbered => self.place(gaps, numbered.parent())?.at(step(numbered.node)),
        }
    }

    /// Whether what is at the path of a node is commented out.
    pub(super) fn is_commented_out(&self, gaps: &Gaps<'_, '_>, node: usize) -> bool {
        let first = self.place(gaps, node).and_then(|place| place.first);
        first.is_some_and(Node::is_commented_out)
    }

    /// The key that is commented out in the map at the path of a node, once and not as one of several.
    pub(super) fn only_option(&self, gaps: &Gaps<'_, '_>, (map, name): (usize, &str)) -> Option<&'n Node<'a>> {
        let place = self.place(gaps, map)?.at(Some(name)).filter(|place| place.others.is_empty())?;
        let is_single = |key: &&Node<'_>| matches!(key.opener, Opener::CommentedOut { is_one_of_several: false });
        place.first.filter(is_single)
    }

    /// What the key of the map at the path of a node has inside of it, line by line.
    pub(super) fn says_inside(&self, gaps: &Gaps<'_, '_>, (map, name): (usize, &str)) -> HashSet<String> {
        let place = self.place(gaps, map).and_then(|place| place.at(Some(name)));
        let key = place.and_then(|place| place.first).filter(|key| !key.children.is_empty());
        let lines = key.map_or_else(Vec::new, as_comment);
        lines.iter().skip(1).map(|line| line.said().to_owned()).collect()
    }

    /// Whether a key of the map at the path of a node follows the same key there as behind so many keys of that node, or none,
    /// as far as both maps have them.
    pub(super) fn follows(&self, gaps: &Gaps<'_, '_>, (map, name): (usize, &str), behind: usize) -> bool {
        fn names<'k>(keys: &'k [Box<Node<'_>>]) -> impl DoubleEndedIterator<Item = &'k str> {
            keys.iter().map(|key| &*key.name)
        }
        let own = &gaps.nodes[map].node.children;
        let keys = self.place(gaps, map).and_then(|place| place.first).map_or(&[][..], |map| &map.children);
        let Some(at) = keys.iter().position(|key| key.name == name) else { return false };
        let [own_names, their_names]: [HashSet<_>; 2] = [own, keys].map(|keys| names(keys).collect());
        let above = names(&own[..behind]).rfind(|name| their_names.contains(name));
        names(&keys[..at]).rfind(|name| own_names.contains(name)) == above
    }

    /// Whether any comment of the document says this, which is a key and its value; not what is a commented-out key.
    pub(super) fn are_comments_saying(&self, words: &str) -> bool {
        fn add<'n>(node: &'n Node<'_>, said: &mut HashSet<&'n str>) {
            // What stands below an example are other values of its key.
            let below = if node.is_commented_out() { &[][..] } else { &node.below };
            let lines = node.above.iter().chain(node.header()).chain(below).map(Line::said);
            said.extend(lines.filter(|line| line.contains(':')));
            node.children.iter().for_each(|child| add(child, said));
        }
        let comments = self.comments.get_or_init(|| {
            let mut said = HashSet::default();
            self.root.first.iter().for_each(|document| add(document, &mut said));
            said
        });
        comments.contains(words)
    }

    /// Whether a key is live in the map at the path of a node; nothing where it is neither live nor commented out. One that
    /// is there in both states is no counterpart of a line that says the same as its example. But an item beside that may
    /// have it commented out alone.
    pub(super) fn is_live(&self, gaps: &Gaps<'_, '_>, (map, name): (usize, &str), text: &str) -> Option<bool> {
        let place = self.place(gaps, map)?.at(Some(name))?;
        let key = place.first?;
        let examples = self.examples.get(&std::ptr::from_ref(key));
        let is_example = || examples.is_some_and(|texts| texts.contains(said(text)));
        let is_live = !key.is_commented_out() && !is_example();
        (is_live || place.has_option).then_some(is_live)
    }
}

/// Keys of a document, by their paths.
#[derive(Debug, Default)]
pub(super) struct KeyPaths<'n> {
    paths: HashSet<Vec<Step<'n>>>,
    /// The names of these keys: few paths of others need to be made to be looked up.
    names: HashSet<&'n str>,
}

impl<'n> FromIterator<Vec<Step<'n>>> for KeyPaths<'n> {
    fn from_iter<I: IntoIterator<Item = Vec<Step<'n>>>>(paths: I) -> Self {
        let paths = HashSet::from_iter(paths);
        let names = paths.iter().filter_map(|path| *path.last()?).collect();
        Self { paths, names }
    }
}

impl<'n> KeyPaths<'n> {
    /// Those that are commented out under one of some names, but for those that these examples have beside a live key.
    fn of_options<'a: 'n>(found: &Found<'n, 'a>, names: &HashSet<&str>, examples: &[Example]) -> Self {
        let path = |option: &CommentedOut<'n>| {
            let (map, name) = option.key().filter(|(_, name)| names.contains(name))?;
            Some((path(&found.gaps, map, name), option.text))
        };
        let examples: HashSet<_> = examples.iter().map(Example::key).collect();
        let is_example =
            |path: &Vec<_>, text: &str| !examples.is_empty() && examples.contains(&(path.clone(), said(text)));
        let all = found.all().iter().filter_map(path);
        all.filter(|(path, text)| !is_example(path, text)).map(|(path, _)| path).collect()
    }

    /// Those that a user has commented out where the new default, or an old one, has something commented out in the live key: they
    /// are live in no item of a list either, and they are commented out neither because the old default has them so nor as an
    /// example of the new one beside the live key. None where the user's live keys are not asked for.
    pub(super) fn switched_off<'a: 'n>(
        found: &Found<'n, 'a>,
        live: Option<&Paths<'_, '_>>,
        (new, old): (&Found<'_, '_>, Option<&Found<'n, 'a>>),
        examples: &[Example],
    ) -> Self {
        let Some(live) = live else { return Self::default() };
        let mut names = names_of_holders(new);
        names.extend(old.map(names_of_holders).unwrap_or_default());
        let all = Self::of_options(found, &names, examples);
        let old = old.map(|old| Self::of_options(old, &all.names, &[])).unwrap_or_default();
        all.paths.into_iter().filter(|path| live.at(path).is_none() && !old.paths.contains(path)).collect()
    }

    pub(super) fn has(&self, gaps: &Gaps<'_, '_>, (map, name): (usize, &str)) -> bool {
        self.names.contains(name) && self.paths.contains(&path(gaps, map, name))
    }

    /// Whether a node is one of these keys, or inside of one.
    pub(super) fn has_around(&self, gaps: &Gaps<'_, '_>, node: usize) -> bool {
        if self.paths.is_empty() || !gaps.around(node).any(|node| self.names.contains(&*node.name)) {
            return false;
        }
        let steps: Vec<_> = gaps.path(node).into_iter().map(step).collect();
        (1..=steps.len()).any(|length| self.paths.contains(&steps[..length]))
    }
}

/// The keys that a file has commented out in one map more than once, and never live: a choice of examples. Each with what
/// the first lines of its examples say.
#[derive(Debug, Default)]
pub(super) struct Choices<'n>(HashMap<Vec<Step<'n>>, Vec<&'n str>>);

impl<'n> Choices<'n> {
    pub(super) fn of<'a: 'n>(found: &Found<'n, 'a>) -> Self {
        let mut choices = Self::default();
        if found.several.is_empty() {
            return choices;
        }
        for option in found.all() {
            let Some((map, name)) = option.key() else { continue };
            if found.several.contains(&(map, name)) && !found.live_too.contains(&(map, name)) {
                choices.0.entry(path(&found.gaps, map, name)).or_default().push(said(option.text));
            }
        }
        choices
    }

    /// Whether a key is one of them in this file, and what is commented out in the other is none of the examples.
    pub(super) fn has_other(&self, gaps: &Gaps<'_, '_>, (map, name): (usize, &str), only: Option<&str>) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let examples = self.0.get(&path(gaps, map, name));
        examples.is_some_and(|examples| !only.is_some_and(|text| examples.contains(&said(text))))
    }
}

/// The names of the live keys in which something is commented out, and of those around them.
fn names_of_holders<'n>(found: &Found<'n, '_>) -> HashSet<&'n str> {
    let holders: HashSet<_> = found.all().iter().filter_map(CommentedOut::holder).collect();
    holders.into_iter().flat_map(|holder| found.gaps.around(holder)).map(|node| &*node.name).collect()
}

/// What the first line of a commented-out key says.
pub(super) fn first_said<'n>(option: &'n Node<'_>) -> Option<&'n str> {
    option.continuation.first().map(|line| said(line.trimmed()))
}

/// What a comment says behind its `#`.
pub(super) fn said(comment: &str) -> &str {
    comment.trim_start_matches(['#', ' ']).trim_ascii_end()
}

/// The path of a key in a map, inside of its document.
pub(super) fn path<'n>(gaps: &Gaps<'n, '_>, map: usize, name: &'n str) -> Vec<Step<'n>> {
    gaps.path(map).into_iter().map(step).chain([Some(name)]).collect()
}

fn step<'n>(node: &'n Node<'_>) -> Step<'n> {
    (!matches!(node.opener, Opener::Item { .. })).then_some(&*node.name)
}
