//! The items that a user has live and a new default commented out.
//!
//! Left out: which list of another file is which. That is told by the paths of lists.

use foldhash::HashSet;

use crate::text::scan;
use crate::upgrade::three_way::Plan;
use crate::yaml::commented_out::Found;
use crate::yaml::commented_out::gaps::Numbered;
use crate::yaml::commented_out::recognise::end_of_block;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node};

/// What tells whether an item of the user's takes the place of a commented-out one.
#[derive(Debug, Default)]
pub(super) struct OwnItems {
    /// With an old default the rows of the items that stay, and that the new one has not live.
    kept: Option<HashSet<RowId>>,
    /// The rows of all that is in a value which one of the new default's takes the place of.
    replaced: HashSet<RowId>,
    /// What the user has commented out: such an item is an example beside the live one.
    commented_out: HashSet<ItemSays>,
}

impl OwnItems {
    /// Those of a user's document, of which some go by the plan; with an old default these stay.
    pub(super) fn of(found: &Found<'_, '_>, plan: &Plan<'_, '_>, kept: Option<HashSet<RowId>>) -> Self {
        let mut commented_out = HashSet::default();
        for (between, options) in found.gaps.all().zip(found.by_gap()) {
            if options.iter().all(|option| option.name.is_some()) {
                continue;
            }
            let lines: Vec<_> = between.lines().collect();
            for (at, item) in options.iter().enumerate().filter(|(_, option)| option.name.is_none()) {
                let lines = lines.get(item.start..end_of_block(options, at)).unwrap_or_default();
                commented_out.insert(says(lines.iter().copied()));
            }
        }
        Self { kept, replaced: replaced(found, plan), commented_out }
    }

    /// Whether a live item that says this takes the place of a commented-out one.
    pub(super) fn take_place(&self, item: &Node<'_>, said: &ItemSays) -> bool {
        let is_kept = |row: RowId| self.kept.as_ref().is_none_or(|kept| kept.contains(&row));
        let stays = |row: RowId| is_kept(row) && !self.replaced.contains(&row);
        item.row.is_some_and(stays) && !self.commented_out.contains(said)
    }
}

/// The rows of all that is in values which the plan replaces, in a document.
fn replaced(found: &Found<'_, '_>, plan: &Plan<'_, '_>) -> HashSet<RowId> {
    let nodes = &found.gaps.nodes;
    let mut is_replaced = vec![false; nodes.len()];
    for (number, numbered) in nodes.iter().enumerate().skip(1) {
        let around = numbered.parent();
        let goes = is_replaced.get(around) == Some(&true);
        let is_taken = |around: &Numbered<'_, '_>| plan.taken(around.node.row).is_some();
        is_replaced[number] = goes || nodes.get(around).is_some_and(is_taken);
    }
    let inside = nodes.iter().zip(is_replaced).filter(|(_, is_replaced)| *is_replaced);
    inside.filter_map(|(numbered, _)| numbered.node.row).collect()
}

/// What the lines of an item say, without comments.
pub(super) type ItemSays = Vec<String>;

/// What a commented-out item says in these lines, apart from comments that are commented out with it.
pub(super) fn says<'l, 'm: 'l>(lines: impl Iterator<Item = &'l Line<'m>>) -> ItemSays {
    let texts = lines.filter_map(|line| line.trimmed().strip_prefix('#')).map(str::trim_ascii);
    let texts = texts.filter(|text| !text.is_empty() && !text.starts_with('#'));
    texts.map(|text| without_comment(text).to_owned()).collect()
}

/// The item or key on a line, without what is behind its value.
fn without_comment(text: &str) -> &str {
    let value = text.trim_start_matches("- ");
    let value = scan::key_and_rest(value).map_or(value, |(_, rest)| rest);
    let behind = scan::comment_behind(value).map_or(0, |comment| value.len() - comment);
    text[..text.len() - behind].trim_ascii_end()
}
