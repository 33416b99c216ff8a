//! Which commented-out keys of a file become nodes, by what the other file has at their paths.

use foldhash::HashSet;

use super::in_turn::Lines;
use super::old::OldOptions;
use super::overridden::Overridden;
use super::own_items::{OwnItems, says};
use super::paths::{Choices, Paths, first_said, said};
use super::renamed::Renamed;
use crate::upgrade::three_way::{FatesInBase, Plan};
use crate::yaml::commented_out::Keys;
use crate::yaml::commented_out::gaps::Gaps;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node};

/// Which options become nodes, by the file that has them. `own` are the user's keys, known where somebody asks for them.
pub(super) enum Wanted<'p, 'n, 'a> {
    /// Of the new default: all that are no choice of examples of the user's, and the one that is all that is left of such a
    /// choice. Of several, those passed over are not the one that the user made live. An item is not wanted in the place of
    /// which the user has a live one. With an old default, those that the user has live elsewhere take part under another name.
    Update {
        choices: &'p Choices<'n>,
        own: Option<&'p Paths<'n, 'a>>,
        passed_over: &'p Lines,
        overridden: &'p Overridden<'n>,
        items: &'p OwnItems,
    },
    /// Of the user's file: those that the new default has, too, be it under another name, as far as an old default, where
    /// there is one, does not know them for something else. Of several, one is more like the new default's than those that
    /// are less alike. What goes by the plan takes nothing with it that stands behind it.
    User {
        update: &'p Paths<'n, 'a>,
        old: Option<&'p OldOptions<'n>>,
        renamed: &'p Renamed<'n>,
        less_alike: &'p Lines,
        overridden: &'p Overridden<'n>,
        plan: &'p Plan<'p, 'a>,
    },
    /// Of an old default: those that the new one has, too, or that the user made live, and all in what is left of dropped
    /// maps. Of several, one is more like the new one's than those that are less alike, and those passed over are not the
    /// one that the user made live. What goes takes as much with it as in the user's file.
    Base {
        update: &'p Paths<'n, 'a>,
        own: Option<&'p Paths<'n, 'a>>,
        less_alike: &'p Lines,
        passed_over: &'p Lines,
        overridden: &'p Overridden<'n>,
        plan: &'p Plan<'p, 'a>,
        fates: &'p FatesInBase,
    },
}

impl<'a> Wanted<'_, '_, 'a> {
    /// Whether a commented-out key becomes a node, by its first line.
    fn has(&self, gaps: &Gaps<'_, '_>, key: (usize, &str), text: &str, several: &Keys<'_>) -> bool {
        let is_one_of_several = several.contains(&key);
        let is_among = |lines: &Lines| lines.contains(&text.as_ptr());
        let users_can_hold =
            |own: Option<&Paths<'_, '_>>| own.and_then(|own| own.can_hold_keys(gaps, key.0)).unwrap_or(true);
        // Of several, the one that is the only one of the other file is the same one.
        let says_the_same = |option: &Node<'_>| first_said(option) == Some(said(text));
        let is_in_both = |update: &Paths<'_, '_>| {
            let is_live = update.is_live(gaps, key, text)?;
            let is_same = || update.only_option(gaps, key).is_some_and(says_the_same);
            Some(is_live || !is_one_of_several || is_same())
        };
        match self {
            Self::Update { choices, own, passed_over, .. } => {
                // One of several takes part only where the user has chosen one.
                let is_chosen =
                    || !is_among(passed_over) && own.is_none_or(|own| own.is_live(gaps, key, text) == Some(true));
                let is_example = choices.has_other(gaps, key, (!is_one_of_several).then_some(text));
                users_can_hold(*own) && !is_example && (!is_one_of_several || is_chosen())
            }
            Self::User { update, less_alike, .. } => match is_in_both(update) {
                Some(is_paired) => is_paired && !is_among(less_alike),
                None => self.is_inner_of_old(gaps, key),
            },
            Self::Base { update, own, less_alike, passed_over, overridden, .. } => {
                // What the release dropped and the user made live is the user's key, with its own words; not where the user
                // has a copy live, and the line as it was.
                let is_made_live = || own.is_some_and(|own| own.is_live(gaps, key, text) == Some(true));
                let is_paired = match is_in_both(update) {
                    Some(true) if !is_among(less_alike) => true,
                    Some(_) => is_one_of_several && !is_among(passed_over) && is_made_live(),
                    None => !is_one_of_several && is_made_live() && !overridden.is_commented_out_too(gaps, key),
                };
                users_can_hold(*own) && is_paired
            }
        }
    }

    /// Whether the old default has a key inside of one that the new default has commented out.
    fn is_inner_of_old(&self, gaps: &Gaps<'_, '_>, key: (usize, &str)) -> bool {
        let Self::User { update, old: Some(old), .. } = self else { return false };
        update.is_commented_out(gaps, key.0) && old.has_inside(gaps, key)
    }

    /// The name of the node that a commented-out key becomes, by its first line: the one that the other file has for it.
    pub(super) fn name_of<'s>(
        &'s self,
        gaps: &Gaps<'_, '_>,
        key: (usize, &'s str),
        text: &str,
        several: &Keys<'_>,
    ) -> Option<&'s str> {
        let new_name = if let Self::User { renamed, .. } = self { renamed.get(key) } else { None };
        new_name.or_else(|| self.has(gaps, key, text, several).then_some(key.1))
    }

    /// Whether a node goes by the plan, or with one around it, without a line that another node has.
    pub(super) fn goes_without(&self, gaps: &Gaps<'_, '_>, node: usize, holder: usize) -> bool {
        let (plan, fates) = match self {
            Self::Update { .. } => return false,
            Self::User { plan, .. } => (plan, None),
            Self::Base { plan, fates, .. } => (plan, Some(fates)),
        };
        let mut around = gaps.around(node).enumerate();
        let users = |row: RowId| fates.map_or(Some(row), |fates| fates.fated.get(&row).copied());
        let goes = |inner: usize, row| plan.goes(row) || (inner > 0 && plan.taken(row).is_some());
        let gone = around.find(|(inner, node)| node.row.and_then(users).is_some_and(|row| goes(*inner, row)));
        gone.is_some_and(|(_, gone)| !gaps.around(holder).any(|node| std::ptr::eq(node, gone)))
    }

    /// Whether a node is what is left of a map that the release dropped, with all that it has commented out.
    pub(super) fn is_remnant(&self, node: &Node<'_>) -> bool {
        matches!(self, Self::Base { fates, .. } if node.row.is_some_and(|row| fates.remnants.contains(&row)))
    }

    /// The name of the node that a commented-out key becomes where the user has it live, and apart from that commented out as
    /// the old default has it. The new default has it commented out, too.
    pub(super) fn overridden(&self, gaps: &Gaps<'_, '_>, key: (usize, &str), text: &str) -> Option<&str> {
        match self {
            Self::Update { overridden, .. } => overridden.name(gaps, key),
            Self::User { overridden, update, .. } | Self::Base { overridden, update, .. } => {
                overridden.name(gaps, key).filter(|name| update.is_live(gaps, (key.0, name), text) == Some(false))
            }
        }
    }

    /// Whether a line is the example of an old default beside a key that is live in the other file.
    pub(super) fn is_old_example(&self, gaps: &Gaps<'_, '_>, key: (usize, &str), text: &str) -> bool {
        matches!(self, Self::User { old: Some(old), .. } if old.is_example(gaps, key, text))
            && self.is_choice(gaps, key, text)
    }

    /// Whether a key, with these keys inside of it, is an example beside the live key of the same map: the new default has it
    /// commented out once, and not live, with none or with one of the same keys inside of it.
    pub(super) fn is_example_of_live<'k>(
        &self,
        gaps: &Gaps<'_, '_>,
        key: (usize, &str),
        inside: impl Iterator<Item = &'k str>,
    ) -> bool {
        let Self::User { update, .. } = self else { return false };
        let mut inside = inside.peekable();
        update.only_option(gaps, key).is_some_and(|option| {
            let keys: HashSet<_> = option.children.iter().map(|child| &*child.name).collect();
            inside.peek().is_none() || keys.is_empty() || inside.any(|name| keys.contains(name))
        })
    }

    /// Whether what stays in its place is laid out as the other file lays its block out.
    pub(super) fn follows_blocks(&self) -> bool {
        matches!(self, Self::User { .. })
    }

    /// Whether an example goes with the live key to its place. With an old default that key stays where the user has it.
    pub(super) fn follows_live(&self) -> bool {
        matches!(self, Self::User { old: None, .. })
    }

    /// Whether the new default says in a comment what a line of the user's says.
    pub(super) fn is_said(&self, text: &str) -> bool {
        matches!(self, Self::User { update, .. } if update.are_comments_saying(said(text)))
    }

    /// Whether the new default has a node of this name for what stands beside a live key, too.
    pub(super) fn has_beside(&self, gaps: &Gaps<'_, '_>, key: (usize, &str)) -> bool {
        matches!(self, Self::User { update, .. } if update.only_option(gaps, key).is_some())
    }

    /// Whether all that is commented out under a name in a map is one key, which is live in the other file.
    pub(super) fn is_choice(&self, gaps: &Gaps<'_, '_>, key: (usize, &str), text: &str) -> bool {
        match self {
            Self::Update { .. } => false,
            Self::User { update, .. } | Self::Base { update, .. } => update.is_live(gaps, key, text) == Some(true),
        }
    }

    /// The live item of the user's in the place of a commented-out one of the same list, which has these lines.
    pub(super) fn live_item<'s, 'l, 'm: 'l>(
        &'s self,
        gaps: &Gaps<'_, '_>,
        list: usize,
        lines: impl Iterator<Item = &'l Line<'m>>,
    ) -> Option<&'s Node<'a>> {
        let Self::Update { own: Some(own), items, .. } = self else { return None };
        let said = says(lines);
        own.item(gaps, list, &said).filter(|item| items.take_place(item, &said))
    }

    /// Whether a map or a list is one in the other file, too, or is commented out there: what is commented out at its end, and
    /// is nothing there, belongs to it. So it does in what the user has and the new default has not, or without a value.
    pub(super) fn has_block(&self, gaps: &Gaps<'_, '_>, node: usize) -> bool {
        match self {
            Self::Update { own, .. } => own.is_none_or(|own| own.has_room_for_block(gaps, node)),
            Self::User { update, .. } => update.has_block(gaps, node) || update.has_nothing(gaps, node),
            Self::Base { update, own, .. } => {
                update.has_block(gaps, node) && own.is_none_or(|own| own.has_room_for_block(gaps, node))
            }
        }
    }

    /// The same for a key that only this file has commented out; what is several words may be prose. One of the new default has a
    /// place of its own.
    pub(super) fn is_end_of_map(&self, gaps: &Gaps<'_, '_>, (map, name): (usize, &str)) -> bool {
        !matches!(self, Self::Update { .. }) && !name.contains(' ') && self.has_block(gaps, map)
    }

    /// Whether what is commented out below a key belongs to that: in the other file it has nothing live below it either, or a
    /// list.
    pub(super) fn has_below(&self, gaps: &Gaps<'_, '_>, key: usize) -> bool {
        let is_users = |own: Option<&Paths<'_, '_>>| own.and_then(|own| own.takes_items(gaps, key)).unwrap_or(true);
        match self {
            Self::Update { own, .. } => is_users(*own),
            Self::User { update, .. } => update.takes_items(gaps, key) == Some(true),
            Self::Base { update, own, .. } => update.takes_items(gaps, key) == Some(true) && is_users(*own),
        }
    }
}
