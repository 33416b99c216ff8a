//! What of the lines that two files have added to those of a third one comes in, and what stays.

use std::cell::OnceCell;
use std::ops::Range;

use foldhash::HashSet;

use super::in_turn::{First, in_turn};
use super::keys::{keys, new_keys};
use super::phrases::{Phrase, heads};
use super::{Edits, OwnBlanks, Place, said};
use crate::text::scan::has_words;
use crate::yaml::tree::Line;

/// What three files say at the same place, and what two of them did to the lines of the base.
pub(super) struct Files<'l> {
    base: Vec<&'l str>,
    user: Vec<&'l str>,
    update: Vec<&'l str>,
    in_base: HashSet<&'l str>,
    in_user: HashSet<&'l str>,
    pub(super) in_update: HashSet<&'l str>,
    pub(super) own: Edits,
    pub(super) new: Edits,
    own_blanks: OwnBlanks,
    /// The lines of the user's and of the update.
    lines: [&'l [Line<'l>]; 2],
    blocks: OnceCell<Blocks<'l>>,
    /// The names of the keys that the user has commented out.
    users_keys: OnceCell<HashSet<&'l str>>,
}

/// In which commented-out blocks lines are.
struct Blocks<'l> {
    /// For each line of the user's the first one of its block.
    heads: Vec<Option<usize>>,
    /// What each line of the user's and of the update says, and where.
    user: Vec<Phrase<'l>>,
    update: Vec<Phrase<'l>>,
}

impl<'l> Files<'l> {
    pub(super) fn of(files: [&'l [Line<'_>]; 3], own_blanks: OwnBlanks) -> Self {
        let [base, user, update] = files.map(said);
        let (own, new) = (Edits::of(&base, &user), Edits::of(&base, &update));
        let [in_base, in_user, in_update] = [&base, &user, &update].map(|lines| lines.iter().copied().collect());
        Self {
            base,
            user,
            update,
            in_base,
            in_user,
            in_update,
            own,
            new,
            own_blanks,
            lines: [files[1], files[2]],
            blocks: OnceCell::new(),
            users_keys: OnceCell::new(),
        }
    }

    /// The lines before one of the base, or behind the last, that it has not.
    pub(super) fn inserted(&self, at: usize) -> Vec<Place> {
        let (came, own) = (self.came(at), self.own.inserted[at].clone());
        // Blank lines that both added at the start of something are the same.
        let starts_with = |came: &[usize]| came.iter().all(|line| self.update[*line].is_empty());
        let is_in_came =
            own.clone().all(|line| self.user[line].is_empty()) && came.get(..own.len()).is_some_and(starts_with);
        if is_in_came {
            return came.into_iter().map(Place::Update).collect();
        }
        // What the user added above a line that the update changed stands above the new one, too.
        let is_only_added = self.own.kept.get(at).copied().flatten().is_some() && self.new.replaced[at] > 0;
        let first = if is_only_added { First::User } else { First::Update };
        let mut run = if came.is_empty() {
            own.map(Place::User).collect()
        } else {
            let blocks = self.blocks();
            in_turn((&blocks.user, own), (&blocks.update, &came), first)
        };
        let came_saying = came.iter().map(|line| self.update[*line]).collect();
        run.retain(|place| !matches!(place, Place::User(line) if !self.stays(*line, at, &came_saying)));
        run
    }

    /// The lines of the update that come in there. What the user has already comes, whatever else is out.
    fn came(&self, at: usize) -> Vec<usize> {
        let Range { start, end } = self.new.inserted[at];
        let (run, replaced) = (&self.update[start..end], self.new.replaced[at]);
        if run.is_empty() || !self.own.took_out_for(at, (run, replaced), &self.base) {
            return (start..end).collect();
        }
        let users_keys = self.users_keys.get_or_init(|| keys(&self.user));
        let new_keys = new_keys(run, &self.base[at..at + replaced], users_keys);
        let is_users = |text: &str| !text.is_empty() && self.in_user.contains(&text);
        (start..end).filter(|line| new_keys.contains(&(line - start)) || is_users(self.update[*line])).collect()
    }

    /// The commented-out blocks that lines are in. Few merges have to know.
    fn blocks(&self) -> &Blocks<'l> {
        self.blocks.get_or_init(|| {
            let [heads, new_heads] = self.lines.map(heads);
            let [user, update] =
                [(&self.user, &heads), (&self.update, &new_heads)].map(|(said, of)| Phrase::all(said, of));
            Blocks { heads, user, update }
        })
    }

    /// Whether a line that the user added there stays, beside those that come in. The ornaments of a comment stay with its
    /// words, and the lines of a commented-out block with the first of them.
    fn stays(&self, line: usize, at: usize, came_saying: &HashSet<&str>) -> bool {
        let text = self.user[line];
        let is_own = |text: &str| self.in_base.contains(&text) || !self.in_update.contains(&text);
        let says_own = |line: usize| {
            self.own.inserted[at].contains(&line) && has_words(self.user[line]) && is_own(self.user[line])
        };
        let is_beside_own = || line.checked_sub(1).is_some_and(says_own) || says_own(line + 1);
        let stays = if text.is_empty() { self.own_blanks == OwnBlanks::Stay } else { is_own(text) };
        let is_of_own_block = || {
            let head = self.blocks().heads[line].filter(|head| self.own.inserted[at].contains(head));
            head.is_some_and(|head| self.stays(head, at, came_saying))
        };
        (stays && !came_saying.contains(&text))
            || (!text.is_empty() && !has_words(text) && is_beside_own())
            || is_of_own_block()
    }
}
