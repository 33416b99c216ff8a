//! Words right behind a key that something else comes to stand behind.
//!
//! `#gateway: 5` right below `network: x`, with a blank line below it, is said of the network to whoever wrote it, though it
//! stands above the next key. Where that is the next one in the result, too, nothing has to be decided. Where a new key comes
//! in between, or one that only the user has stands there, such words stay behind the key that they were written behind.
//!
//! Words that both files have behind the same key are no others of the update's below what only the user has there. The
//! user's own are decided on as a comment on the next key, and what is left of them goes to its place then.

use foldhash::HashMap;

use crate::comments::{self, lines};
use crate::text::piece::Piece;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node};

/// Which keys of two maps stand below words that are said of the key before, each by the name of that.
#[derive(Debug, Default)]
pub(super) struct TrailingWords<'a> {
    user: Vec<(Piece<'a>, Piece<'a>)>,
    update: HashMap<Piece<'a>, Piece<'a>>,
}

impl<'a> TrailingWords<'a> {
    pub(super) fn of(own: &[Box<Node<'a>>], theirs: &[Box<Node<'a>>]) -> Self {
        Self { user: below_words(own).collect(), update: below_words(theirs).collect() }
    }

    /// Leaves out of what the update says the words that stand behind a key in both files, and before a key of the user's own in
    /// the result. What only the user has behind a key is remembered.
    pub(super) fn keep(self, map: &mut Node<'a>, own: &mut AllOwnTrailing<'a>) {
        if self.user.is_empty() {
            return;
        }
        let (row, children) = (map.row, &mut map.children);
        let places = places(children);
        for (before, next) in self.user {
            let (Some(&at), Some(&below)) = (places.get(&before), places.get(&next)) else { continue };
            let words = children[below].above[..length(&children[below].above)].to_vec();
            let theirs = self.update.get(&before).and_then(|name| places.get(name)).copied();
            let is_theirs = |theirs: &usize| starts_with(new_lines(&children[*theirs]), &words);
            match theirs.filter(is_theirs) {
                Some(theirs) if below == at + 1 && theirs != below && !children[below].merged => {
                    cut_update(&mut children[theirs], words.len());
                }
                None if below != at + 1 && !defaults_say(&children[below], &words) => {
                    let is_next_set_off = !children[below].merged || starts_with_blank(new_lines(&children[below]));
                    own.entry(row).or_default().push(OwnTrailing { before, next, words, is_next_set_off });
                }
                _ => {}
            }
        }
    }
}

/// Words of the user's own above a key, that are right behind another one.
#[derive(Debug)]
pub(crate) struct OwnTrailing<'a> {
    before: Piece<'a>,
    next: Piece<'a>,
    words: Vec<Line<'a>>,
    /// Whether a blank line stands above that key where the update has it.
    is_next_set_off: bool,
}

/// Those in each map, by its row in the user's file.
pub(crate) type AllOwnTrailing<'a> = HashMap<Option<RowId>, Vec<OwnTrailing<'a>>>;

/// Brings words of the user's that are left above a key behind the one that they were written behind, where a blank line follows.
pub(crate) fn bring_back<'a>(node: &mut Node<'a>, words: &AllOwnTrailing<'a>) {
    let own = words.get(&node.row).filter(|_| !node.is_new()).map_or(&[][..], Vec::as_slice);
    let children = &mut node.children;
    let places = if own.is_empty() { HashMap::default() } else { places(children) };
    let mut moved = Vec::new();
    for OwnTrailing { before, next, words, is_next_set_off } in own {
        let (Some(&at), Some(&below)) = (places.get(before), places.get(next)) else { continue };
        let count = length(&children[below].above);
        let is_left = count > 0 && lines::hold_words(words, &children[below].above[..count]);
        let is_set_off = children.get(at + 1).is_some_and(|next| sets_off(&next.above));
        if below != at + 1 && is_left && is_set_off {
            let words: Vec<_> = children[below].above.drain(..count).collect();
            if !is_next_set_off {
                let above = &mut children[below].above;
                above.drain(..comments::leading_blanks(above).len());
            }
            moved.push((at + 1, words));
        }
    }
    for (next, words) in moved {
        children[next].above.splice(0..0, words);
    }
    for child in children {
        bring_back(child, words);
    }
}

/// Where the nodes of a map are.
fn places<'a>(children: &[Box<Node<'a>>]) -> HashMap<Piece<'a>, usize> {
    children.iter().enumerate().rev().map(|(at, node)| (node.name.clone(), at)).collect()
}

/// Whether a blank line stands between these lines above a node, or the first of them, and what is above.
fn sets_off(above: &[Line<'_>]) -> bool {
    starts_with_blank(above) || length(above) > 0
}

fn starts_with_blank(lines: &[Line<'_>]) -> bool {
    lines.first().is_some_and(|first| !first.is_comment())
}

/// The nodes that stand below words right behind the node before, which a blank line sets off from them, each with that.
fn below_words<'a>(nodes: &[Box<Node<'a>>]) -> impl Iterator<Item = (Piece<'a>, Piece<'a>)> {
    let pairs = nodes.windows(2).filter(|pair| length(&pair[1].above) > 0);
    pairs.map(|pair| (pair[0].name.clone(), pair[1].name.clone()))
}

/// How many of the lines above a node are words right behind the one before it; none where no blank line follows.
fn length(above: &[Line<'_>]) -> usize {
    above
        .iter()
        .position(|line| !line.is_comment())
        .filter(|words| above[..*words].iter().any(Line::has_words))
        .unwrap_or(0)
}

/// What the update has above a node; of a node that only the user has, what stands there.
fn new_lines<'n, 'a>(node: &'n Node<'a>) -> &'n [Line<'a>] {
    node.update_comments.as_ref().map_or(&node.above, |theirs| &theirs.above)
}

fn starts_with(lines: &[Line<'_>], words: &[Line<'_>]) -> bool {
    length(lines) == words.len() && lines::same(&lines[..words.len()], words)
}

/// Whether one of the defaults says some of these words above a node.
fn defaults_say(node: &Node<'_>, words: &[Line<'_>]) -> bool {
    let theirs = node.update_comments.as_ref();
    let base = theirs.and_then(|theirs| theirs.base.as_ref()).map_or(&[][..], |base| &base.above);
    theirs.is_some_and(|theirs| lines::share_words(words, &theirs.above)) || lines::share_words(words, base)
}

/// Cuts so many lines off what the update has above a node, and off what the base has there if that is the same.
fn cut_update(node: &mut Node<'_>, words: usize) {
    let Some(theirs) = &mut node.update_comments else {
        node.above.drain(..words);
        return;
    };
    let cut: Vec<_> = theirs.above.drain(..words).collect();
    if let Some(base) = theirs.base.as_mut().filter(|base| starts_with(&base.above, &cut)) {
        base.above.drain(..words);
    }
}
