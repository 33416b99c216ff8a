//! What the old default has in a map that both files have.

use foldhash::HashSet;
use std::cell::LazyCell;

use super::by_name;
use super::header::cut_header;
use crate::comments::{self, lines};
use crate::upgrade::commented_out;
use crate::upgrade::merge::part::part;
use crate::yaml::names::Names;
use crate::yaml::tree::{BaseComments, Line, Node};

/// What the old default has in a map.
#[derive(Default)]
pub(super) struct OldMap<'o, 'a> {
    keys: Vec<OldKey<'o, 'a>>,
    /// Where each of them is.
    names: Names<&'o str, usize>,
    pub(super) header: Vec<Line<'a>>,
    pub(super) below: Vec<Line<'a>>,
    /// Whether there is an old default, and a map of its in this place.
    pub(super) is_known: bool,
}

/// A key that the old default has in a map.
struct OldKey<'o, 'a> {
    node: &'o Node<'a>,
    /// What stands above it, with the options over it that are nothing but comments here; nothing where it is one of these.
    above: Option<Vec<Line<'a>>>,
    /// Whether what would be a header above it is none to the user.
    has_no_header: bool,
}

/// Where a key of the old default stands now.
pub(super) enum Standing<'u, 'a> {
    /// In the map of the current file, with this above it; or it comes in there live, with nothing of the user's above it.
    Current(&'u [Line<'a>]),
    /// In the map of the update alone, commented out, with this above it. The user took it out.
    Update(&'u [Line<'a>]),
    /// In neither map: the user removed it, and the release dropped it.
    Removed,
    /// It is no key there any more.
    Nowhere,
}

impl<'o, 'a> OldMap<'o, 'a> {
    /// A map in the place of one of the current file, with its children, each of which `standing` finds in the other files.
    pub(super) fn of<'u>(
        (base, children): (&Node<'a>, Vec<&'o Node<'a>>),
        current: &Node<'a>,
        standing: impl Fn(&Node<'_>) -> Standing<'u, 'a>,
    ) -> Self
    where
        'a: 'u,
    {
        let BaseComments { mut header, mut below, .. } = BaseComments::of(base);
        if base.is_commented_out() {
            below = commented_out::words_at_end_when_live(below, children.last().copied());
        }
        let left_out = children.iter().take_while(|child| !matches!(standing(child), Standing::Current(_))).count();
        let names = children.iter().enumerate().map(|(at, child)| (&*child.name, at)).collect();
        let mut lines = OldLines::default();
        let key = |node: &'o Node<'a>| OldKey { node, above: lines.above(node, &standing(node)), has_no_header: false };
        let mut keys: Vec<_> = children.into_iter().map(key).collect();
        if current.can_have_header() {
            let own = LazyCell::new(|| by_name(&current.children));
            for key in keys.iter_mut().take(left_out + 1) {
                key.has_no_header = is_no_header(key, current, |name| own.get(name).copied());
                let above = key.above.as_mut().filter(|_| !key.has_no_header);
                header.extend(above.into_iter().flat_map(|above| cut_header(above, base.indent)));
            }
        }
        let mut lines = lines.take(&current.below);
        lines.extend(below);
        Self { keys, names, header, below: lines, is_known: true }
    }

    /// Whether a key is there, live or commented out.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.get(name).is_some()
    }

    /// Whether what would be a header above a key is one to the user; nothing where there is no such key.
    pub(super) fn has_header(&self, name: &str) -> Option<bool> {
        self.keys.get(*self.names.get(name)?).map(|key| !key.has_no_header)
    }

    /// What is commented out under a name.
    pub(super) fn option(&self, name: &str) -> Option<&'o Node<'a>> {
        let key = self.keys.get(*self.names.get(name)?)?;
        Some(key.node).filter(|node| node.is_commented_out())
    }

    /// Whether a commented-out key of the user's says what it does here.
    pub(super) fn has_untouched(&self, option: &Node<'_>) -> bool {
        self.option(&option.name).is_some_and(|was| commented_out::is_written_alike(was, option))
    }

    /// A key as it reads where it is commented out, be it live here or not; nothing where there is none.
    pub(super) fn in_comments(&self, name: &str) -> Vec<Line<'a>> {
        let Some(OldKey { node, .. }) = self.names.get(name).and_then(|at| self.keys.get(*at)) else {
            return Vec::new();
        };
        if node.is_commented_out() { commented_out::lines((*node).clone()) } else { commented_out::as_comment(node) }
    }

    /// Whether the keys that all three files have stand in another order in the user's file, and only there. Those that come in
    /// have their places in the update, as the next run will see.
    pub(super) fn is_reordered(
        &self,
        own: &[Box<Node<'_>>],
        update: &[Box<Node<'_>>],
        comes_in: impl Fn(&Node<'_>) -> bool,
    ) -> bool {
        let places = own.iter().filter_map(|node| self.names.get(&node.name));
        if places.is_sorted() {
            return false;
        }
        let is_as_here = |nodes: &[Box<Node<'_>>], stays: &dyn Fn(&Node<'_>) -> bool| {
            nodes.iter().filter(|node| stays(node)).filter_map(|node| self.names.get(&node.name)).is_sorted()
        };
        let [mine, theirs] = [own, update].map(by_name);
        !is_as_here(own, &|node| theirs.get(&node.name).is_some())
            && is_as_here(update, &|node| mine.get(&node.name).is_some() || comes_in(node))
    }

    /// Cuts off what stands above a key.
    pub(super) fn take_above(&mut self, name: &str) -> Option<Vec<Line<'a>>> {
        self.keys.get_mut(*self.names.get(name)?)?.above.take()
    }

    /// Parts the words above keys of the update where the user made a key live out of an example in them; the places of
    /// these keys.
    pub(super) fn part_words(&mut self, own: &mut [Box<Node<'a>>], update: &mut [Box<Node<'a>>]) -> Vec<usize> {
        if !self.is_known {
            return Vec::new();
        }
        let is_own = |node: &Node<'_>| !node.is_commented_out() && self.names.get(&node.name).is_none();
        let has_words = |node: &Node<'_>| node.above.iter().any(Line::has_words);
        let mut parted: Vec<_> = (0..own.len()).filter(|&at| is_own(&own[at]) && has_words(&own[at])).collect();
        if parted.is_empty() {
            return parted;
        }
        let places: Names<_, usize> = update.iter().enumerate().map(|(at, node)| (node.name.clone(), at)).collect();
        parted.retain(|&at| {
            let is_in_update = places.get(&own[at].name).is_some();
            let next = own.get(at + 1).filter(|_| !is_in_update);
            let next = next.and_then(|next| update.get_mut(*places.get(&next.name)?));
            next.is_some_and(|next| self.part_above(next, &mut own[at]).is_some())
        });
        parted
    }

    fn part_above(&mut self, next: &mut Node<'a>, own: &mut Node<'a>) -> Option<()> {
        let base = self.keys.get_mut(*self.names.get(&next.name)?)?.above.as_mut()?;
        part(own, base, &mut next.above)
    }

    /// What the old default has around a key.
    pub(super) fn around(&mut self, name: &str) -> Option<Box<BaseComments<'a>>> {
        let above = self.take_above(name)?;
        Some(Box::new(BaseComments { above, ..BaseComments::default() }))
    }
}

/// What the old default has between two keys that stand.
#[derive(Default)]
struct OldLines<'o, 'a> {
    /// Options that are nothing but comments here.
    options: Vec<Line<'a>>,
    /// What stood above keys that the user took out, and the release dropped, by their names: where the user left it, it is
    /// above the next.
    left: Vec<(&'o str, Vec<Line<'a>>)>,
}

impl<'o, 'a> OldLines<'o, 'a> {
    /// All that stands before what the user has in these lines. What is said of a key that is commented out there stays.
    fn take(&mut self, own: &[Line<'_>]) -> Vec<Line<'a>> {
        let left = std::mem::take(&mut self.left);
        let longest = left.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
        let own_lines = if left.is_empty() { &[][..] } else { own };
        let commented_out: HashSet<_> = own_lines.iter().flat_map(|line| line.names_commented_out(longest)).collect();
        let left = left.into_iter().filter(|(key, _)| !commented_out.contains(key));
        let mut lines: Vec<_> = left.flat_map(|(_, lines)| lines).collect();
        if !hold_any(own, &lines) {
            lines.clear();
        }
        lines.append(&mut self.options);
        lines
    }

    /// What stands above a key, if that stands anywhere.
    fn above(&mut self, node: &'o Node<'a>, standing: &Standing<'_, 'a>) -> Option<Vec<Line<'a>>> {
        match standing {
            Standing::Nowhere if node.is_commented_out() => {
                self.options.extend(commented_out::lines_with_comment(node.clone()));
                None
            }
            Standing::Removed => {
                self.left.push((&node.name, node.above.clone()));
                None
            }
            Standing::Nowhere => None,
            Standing::Current(own) => {
                let mut lines = self.take(own);
                lines.extend_from_slice(&node.above);
                Some(lines)
            }
            Standing::Update(new) => {
                let mut lines = std::mem::take(&mut self.options);
                lines.extend_from_slice(&node.above);
                self.left.push((&node.name, comments::not_said(lines.clone(), new)));
                Some(lines)
            }
        }
    }
}

/// Whether what would be a header above a key is none to the user: all of it stands above the key, which another one precedes
/// or no blank line sets off; or the user has it nowhere, and another key first.
fn is_no_header<'n, 'a: 'n>(
    key: &OldKey<'_, '_>,
    document: &Node<'a>,
    mine: impl Fn(&str) -> Option<&'n Node<'a>>,
) -> bool {
    let header = key.above.as_ref().map_or(&[][..], |above| &above[..comments::header_length(above)]);
    if !comments::has_comment(header) {
        return false;
    }
    let Some((first, mine)) = document.children.first().zip(mine(&key.node.name)) else { return false };
    let is_first = first.name == mine.name;
    let start = if is_first { comments::header_length(&mine.above) } else { 0 };
    let say = |lines: &[Line<'_>]| lines::hold_words(lines, header);
    say(&mine.above[start..]) || (!is_first && !say(&first.above) && !say(document.header()))
}

/// Whether lines say any of what others say.
fn hold_any(lines: &[Line<'_>], others: &[Line<'_>]) -> bool {
    let said: HashSet<_> = others.iter().filter(|line| line.has_words()).map(Line::said).collect();
    !said.is_empty() && lines.iter().any(|line| said.contains(line.said()))
}
