//! The comments of a node that the old default has, too: three files, merged line by line.
//!
//! What the merge leaves may still stand twice: a line of the old default's that came to stand above another key in the
//! user's file, since the one that it belonged to is gone, is the user's own there. Where the release has it elsewhere it
//! goes once all nodes have their places.

use foldhash::{HashMap, HashSet};

use super::gaps::Part;
use super::paragraphs::leading_blanks;
use super::style::write_alike;
use super::{Chooser, Comments, Site, has_comment, has_own_lines, lines, own_lines_mut};
use crate::text::scan::{self, Start};
use crate::yaml::commented_out::key_in;
use crate::yaml::tree::{Kind, Line, Node, Origin, UpdateComments};

impl Part {
    /// What the old default and the update have there.
    pub(super) fn defaults<'n, 'a>(self, theirs: &'n UpdateComments<'a>) -> [&'n [Line<'a>]; 2] {
        let base = theirs.base.as_deref();
        match self {
            Self::Above => [base.map_or(&[], |base| &base.above), &theirs.above],
            Self::Header => [base.map_or(&[], |base| &base.header), &theirs.header],
            Self::Below => [base.map_or(&[], |base| &base.below), &theirs.below],
        }
    }
}

impl<'a> Chooser<'_, '_, 'a> {
    /// Merges the comments of a node with those that the old default and the update have there.
    pub(super) fn merge_with_base(&mut self, node: &mut Node<'a>) {
        if self.choice.policy == Comments::User {
            return;
        }
        let Some(mut theirs) = node.update_comments.take() else { return };
        leave_out_live_items(node, &mut theirs);
        if let Some(base) = theirs.base.as_deref() {
            restore_header(node, Part::Header.defaults(&theirs));
            self.merge_above(node, Part::Above.defaults(&theirs));
            if !node.is_commented_out() && has_own_lines(node) {
                self.merge(own_lines_mut(node), &base.header, &theirs.header);
            } else if node.is_commented_out() && !base.header.is_empty() {
                self.merge_option(node.continuation.vec(), &base.header, &theirs.header);
                theirs.header.clear();
            }
            let updated = node.below.change(|own| {
                let is_untouched = lines::same(own, &base.below);
                self.merge(own, &base.below, &theirs.below);
                is_untouched
            });
            if updated && node.children.is_empty() {
                node.indent = theirs.indent;
            }
        }
        node.update_comments = Some(theirs);
    }

    /// Merges what stands above a node. Keys that the user commented out there stay above all that the release says of it.
    fn merge_above(&mut self, node: &mut Node<'a>, defaults: [&[Line<'a>]; 2]) {
        if are_written_alike(&node.above, defaults) {
            return;
        }
        let own_keys = split_own_keys(&mut node.above, &node.name, defaults);
        let [base, update] = defaults;
        self.merge(&mut node.above, base, update);
        if !own_keys.is_empty() {
            let blanks = leading_blanks(&node.above).len();
            node.above.splice(blanks..blanks, own_keys);
        }
    }

    /// Merges the lines of a commented-out key. It does not end with an ornament that neither file ends with: who reads it
    /// would not take that for a part of the key. What the user wrote anew stays the user's, whole: of two wordings that are
    /// merged line by line nobody could make a block again.
    fn merge_option(&mut self, own: &mut Vec<Line<'a>>, base: &[Line<'a>], update: &[Line<'a>]) {
        if both_changed_first(own, base, update) || holds_something_else(own, [base, update]) {
            return;
        }
        let merged = lines::merge(base, own.clone(), update);
        if doubles_keys(&merged, [own, update]) {
            return;
        }
        if !lines::hold_words(own, &merged) {
            write_alike(own, [update, base]);
        }
        let user = own.last().cloned();
        self.merge(own, base, update);
        let ends_so = |file: Option<&Line<'_>>| file.map(Line::said) == own.last().map(Line::said);
        if !ends_so(user.as_ref()) && !ends_so(update.last()) {
            let end = own.iter().rposition(Line::has_words).map_or(own.len(), |last| last + 1);
            own.truncate(end);
        }
    }

    /// Merges the comments of one place.
    fn merge(&mut self, own: &mut Vec<Line<'a>>, base: &[Line<'a>], update: &[Line<'a>]) {
        if are_written_alike(own, [base, update]) {
            return;
        }
        let blanks = |lines: &[Line<'a>]| lines.iter().filter(|line| !line.is_comment()).cloned().collect::<Vec<_>>();
        let blanks = took_only_entries_out(own, [base, update]).then(|| blanks(base));
        let base = blanks.as_deref().unwrap_or(base);
        if has_comment(own) || !has_comment(base) {
            *own = self.choice.merged(base, std::mem::take(own), update);
            return;
        }
        // A whole comment that the user took out stays out, whatever the release adds to it. The blank lines above it do not.
        self.choice.leave_out(update);
        let [mine, old, new] = [own, base, update].map(leading_blanks);
        if mine.len() == own.len() && mine.len() == old.len() {
            *own = new.to_vec();
        }
    }

    /// Whether a node got its comments from three files.
    pub(super) fn is_decided(&self, theirs: &UpdateComments<'_>) -> bool {
        theirs.base.is_some() && self.choice.policy != Comments::User
    }

    /// Takes out of a merged comment what the release says elsewhere now. All of it stays where a further merge would change
    /// what is left.
    pub(super) fn leave_out_moved(
        &mut self,
        merged: &mut Vec<Line<'a>>,
        [base, update]: [&[Line<'a>]; 2],
        site: &Site<'_>,
    ) {
        let Some(mut left) = self.choice.without_moved_since(merged, [base, update], site.place) else { return };
        if !has_comment(&left.lines) && !has_comment(update) {
            // The blank lines that set it off have nothing to set off any more.
            left.lines = update.to_vec();
        }
        if lines::merge(base, left.lines.clone(), update) == left.lines {
            *merged = std::mem::take(&mut left.lines);
            self.tell(left, site);
        }
    }
}

/// Whether all that the user took out in a place is commented-out keys and items, and the release has none there: what it says
/// of what stands below is new to the user.
fn took_only_entries_out(own: &[Line<'_>], [base, update]: [&[Line<'_>]; 2]) -> bool {
    let is_entry = |line: &Line<'_>| line.comments_out_item() || key_in(line.trimmed()).is_some();
    !has_comment(own) && base.iter().filter(|line| line.is_comment()).all(is_entry) && !update.iter().any(is_entry)
}

fn are_written_alike(own: &[Line<'_>], defaults: [&[Line<'_>]; 2]) -> bool {
    defaults.into_iter().all(|lines| lines::is_written_alike(lines, own))
}

/// Cuts off the keys that the user commented out above all that the defaults say of a key, with the words about them: nothing
/// comes in between a key and what the release says of it.
fn split_own_keys<'a>(own: &mut Vec<Line<'a>>, key: &str, defaults: [&[Line<'_>]; 2]) -> Vec<Line<'a>> {
    let Some(start) = own.iter().position(Line::is_comment) else { return Vec::new() };
    let say = |lines: &[Line<'_>], said: &str| lines.iter().any(|line| line.is_comment() && line.said() == said);
    // Most comments are those of the release.
    if defaults.iter().any(|lines| say(lines, own[start].said())) || !has_comment(defaults[1]) {
        return Vec::new();
    }
    let known: HashSet<_> = defaults.into_iter().flatten().filter(|line| line.is_comment()).map(Line::said).collect();
    let is_other_key = |line: &Line<'_>| key_in(line.trimmed()).is_some_and(|name| name != key);
    let (mut at, mut end) = (start, start);
    while own.get(at).is_some_and(|line| !known.contains(line.said())) {
        let block = at..lines::end_of_block(own, at);
        at = block.end;
        if own[block].iter().any(is_other_key) {
            end = at;
        }
    }
    if end == start {
        return Vec::new();
    }
    let rest = &own[end..];
    // What a blank line sets off stands where it is, and where all is gone that was said nothing comes in.
    let is_apart = rest.first().is_some_and(|next| !next.has_words());
    if is_apart || (has_comment(defaults[0]) && !has_comment(rest)) {
        return Vec::new();
    }
    own.drain(start..end).collect()
}

/// Leaves out of what the defaults have at the end of a list the commented-out items that the user made live: who did that took
/// no comment out.
fn leave_out_live_items(list: &Node<'_>, theirs: &mut UpdateComments<'_>) {
    let Some(base) = theirs.base.as_deref_mut().filter(|base| list.kind() == Kind::List && has_comment(&base.below))
    else {
        return;
    };
    let live: HashSet<_> = list.children.iter().map(|item| item.value_text.trim_ascii()).collect();
    let is_live = |line: &&Line<'_>| line.said().strip_prefix('-').is_some_and(|text| live.contains(text.trim_ascii()));
    let left: HashSet<_> = list.below.iter().map(Line::said).collect();
    let made_live = base.below.iter().filter(is_live).filter(|line| !left.contains(line.said()));
    let made_live: HashSet<_> = made_live.map(|line| line.said().to_owned()).collect();
    if !made_live.is_empty() {
        base.below.retain(|line| !made_live.contains(line.said()));
        theirs.below.retain(|line| !made_live.contains(line.said()));
    }
}

/// Makes the header of a document, which both defaults have, of what the user has of it above a key: the blank line that set
/// it off is gone, and nothing else.
fn restore_header(document: &mut Node<'_>, defaults: [&[Line<'_>]; 2]) {
    let [base, update] = defaults;
    let has_none = document.header_mut().is_some_and(|own| !has_comment(own));
    if !has_none || !has_comment(base) || !has_comment(update) {
        return;
    }
    for child in document.children.iter_mut().filter(|child| child.merged || child.origin == Origin::Current) {
        let Some(header) = [update, base].into_iter().find(|header| says_first(&child.above, header)) else { continue };
        let lines = header.iter().filter(|line| line.is_comment()).count();
        let comments = child.above.iter().enumerate().filter(|(_, line)| line.is_comment());
        let end = comments.map(|(at, _)| at + 1).nth(lines - 1).unwrap_or(child.above.len());
        let header = child.above.drain(..end).collect();
        if let Some(own) = document.header_mut() {
            *own = header;
        }
        return;
    }
}

/// Whether some comments start with all that others say.
fn says_first(lines: &[Line<'_>], others: &[Line<'_>]) -> bool {
    let mut said = lines.iter().filter(|line| line.is_comment()).map(Line::said);
    others.iter().filter(|line| line.is_comment()).all(|other| said.next() == Some(other.said()))
}

/// Whether both the user and the release changed what a commented-out key says on its first line. Like a value it stays the
/// user's then: one key that is commented out does not become two.
fn both_changed_first(user: &[Line<'_>], base: &[Line<'_>], update: &[Line<'_>]) -> bool {
    let [mine, old, new] = [user, base, update].map(|lines| lines.first().map(Line::said));
    mine.is_some() && new.is_some() && mine != old && new != old && mine != new
}

/// Whether the user gave a commented-out key a value below which what the defaults have there cannot stand: a text in the place
/// of a section, for example.
fn holds_something_else(own: &[Line<'_>], defaults: [&[Line<'_>]; 2]) -> bool {
    let below = |lines: &[Line<'_>]| {
        let (_, value) = scan::key_and_rest(lines.first()?.said())?;
        Some(match scan::value_start(value).0 {
            Start::Nothing => Below::Entries,
            Start::Block(_) => Below::Text,
            Start::Plain | Start::Quoted | Start::Flow => Below::Nothing,
        })
    };
    below(own).is_some_and(|mine| defaults.into_iter().filter_map(below).all(|default| default != mine))
}

/// What can stand below the first line of a key.
#[derive(PartialEq, Eq)]
enum Below {
    Nothing,
    Entries,
    Text,
}

/// Whether a key is in merged lines more often than in either of the files that they are from.
fn doubles_keys(merged: &[Line<'_>], files: [&[Line<'_>]; 2]) -> bool {
    fn keys<'l>(lines: &'l [Line<'_>]) -> HashMap<&'l str, usize> {
        let mut keys = HashMap::default();
        let names = lines.iter().filter_map(|line| scan::key_and_rest(line.said()));
        names.for_each(|(name, _)| *keys.entry(name.trim_ascii()).or_default() += 1);
        keys
    }
    let files = files.map(keys);
    let is_doubled =
        |(name, count): (&str, usize)| files.iter().all(|file| file.get(name).is_none_or(|own| *own < count));
    keys(merged).into_iter().any(is_doubled)
}
