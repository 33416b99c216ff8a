//! The decision at one place.

use foldhash::{HashMap, HashSet};

use super::blocks::{self, May};
use super::pairing::{self, Arrivals, counted};
use super::paragraphs::{has_words, paragraphs, without};
use super::place::{InBase, Place};
use super::{Comments, Words, WordsBefore, lines};
use crate::text::piece::Piece;
use crate::text::source::End;
use crate::yaml::tree::Line;

/// Whose comment stands at a place, as far as the place alone tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    /// The user's: the update has none.
    User,
    /// The user's, unless all of it moved.
    UserFirst,
    /// The update's, be it that the user has all of it and more.
    Update,
}

/// The comment that stays, and the user's lines with words that are no longer there.
#[derive(Default)]
pub(super) struct Chosen<'a> {
    pub(super) lines: Vec<Line<'a>>,
    pub(super) replaced: Vec<Line<'a>>,
    /// Those that stand elsewhere now, where the update has them.
    pub(super) moved: Vec<Line<'a>>,
    /// Whether the lines are the update's.
    pub(super) updated: bool,
}

impl<'a> Chosen<'a> {
    fn user(lines: Vec<Line<'a>>) -> Self {
        Self { lines, ..Self::default() }
    }

    fn update(lines: Vec<Line<'a>>) -> Self {
        Self { lines, updated: true, ..Self::default() }
    }

    fn with_moved(self, moved: Vec<Line<'a>>) -> Self {
        Self { moved, ..self }
    }
}

/// The user's lines without those that moved, and the words of these.
struct Parted<'a> {
    own: Vec<Line<'a>>,
    moved: Vec<Line<'a>>,
}

impl<'a> Parted<'a> {
    fn of(lines: Vec<Line<'a>>, place: Place, goes: &[bool]) -> Self {
        let worded = lines.iter().filter(|line| line.has_words()).zip(goes);
        let moved = worded.filter(|(_, goes)| **goes).map(|(line, _)| line.clone()).collect();
        Self { own: without(lines, place, goes), moved }
    }
}

/// Decides with a policy, and with what comes in.
pub(super) struct Choice<'c, 'a> {
    pub(super) policy: Comments,
    arrivals: Arrivals<'a>,
    /// How often the update says what where the user took it out: in another place of the user's file it has not moved away.
    left_out: HashMap<Piece<'a>, usize>,
    /// What the update says of nodes that are not added, and nowhere else.
    not_added: &'c Words<'a>,
    /// All that the old default says, where there is one.
    old_words: Option<&'c WordsBefore<'a>>,
}

impl<'c, 'a> Choice<'c, 'a> {
    pub(super) fn new(policy: Comments, not_added: &'c Words<'a>, old_words: Option<&'c WordsBefore<'a>>) -> Self {
        Self { policy, arrivals: Arrivals::default(), left_out: HashMap::default(), not_added, old_words }
    }

    /// Notes that lines of the update come in.
    pub(super) fn comes(&mut self, lines: &[Line<'a>]) {
        self.arrivals.come(lines);
    }

    /// Notes that lines of the update stay out where they stand, for the user took out all that was said there.
    pub(super) fn leave_out(&mut self, lines: &[Line<'a>]) {
        lines.iter().filter_map(Line::shared_words).for_each(|words| *self.left_out.entry(words).or_default() += 1);
    }

    /// Notes which lines of the update come in at a place of both files. Those that the user has there are no news.
    pub(super) fn comes_for(&mut self, user: &[Line<'a>], update: &[Line<'a>], place: Place) {
        let stays = holds_more_than_comments(user, update)
            || same(user, update)
            || self.claim(user, update, place) != Claim::Update
            || added(user, update).is_some();
        if stays {
            return;
        }
        self.arrivals.come_besides(counted(user), update);
    }

    /// Merges comments with that of the old default, line by line, and notes what comes in.
    pub(super) fn merged(&mut self, base: &[Line<'_>], user: Vec<Line<'a>>, update: &[Line<'a>]) -> Vec<Line<'a>> {
        let said = if has_words(update) { counted(&user) } else { HashMap::default() };
        let merged = lines::merge(base, user, update);
        if has_words(update) {
            self.arrivals.come_besides(said, &merged);
        }
        merged
    }

    fn claim(&self, user: &[Line<'_>], update: &[Line<'_>], place: Place) -> Claim {
        match () {
            () if !has_comment(update) => Claim::User,
            () if self.is_users(user, place) && !same_words(user, update) => Claim::UserFirst,
            () => Claim::Update,
        }
    }

    /// Whether a comment of the user's does not give way.
    fn is_users(&self, user: &[Line<'_>], place: Place) -> bool {
        let is_users = match place {
            Place::Item | Place::ListEnd | Place::SwitchedOff => true,
            Place::OptionText => false,
            _ => self.policy == Comments::User,
        };
        is_users && has_comment(user)
    }

    /// Decides between the user's and the update's comment at the same place.
    pub(super) fn choose(&mut self, user: Vec<Line<'a>>, mut update: Vec<Line<'a>>, place: Place) -> Chosen<'a> {
        if holds_more_than_comments(&user, &update) || same(&user, &update) {
            return Chosen::user(user);
        }
        end_as(&mut update, &user);
        match self.claim(&user, &update, place) {
            Claim::User => self.users(user, update, place),
            Claim::UserFirst => self.users_first(user, update, place),
            Claim::Update if self.is_users(&user, place) => Chosen::user(user),
            Claim::Update => match added(&user, &update) {
                Some(added) => self.with_added(user, &added, update, place),
                None => self.replaced(&user, update, place),
            },
        }
    }

    /// The user's comment without what moved. Blank lines over an option, and where nothing is left of it, are the update's.
    fn users(&mut self, user: Vec<Line<'a>>, update: Vec<Line<'a>>, place: Place) -> Chosen<'a> {
        let Parted { own, moved } = self.part_moved(user, &update, place);
        let is_nothing = !has_comment(&own) && (place.is_option() || !moved.is_empty());
        Chosen::user(if is_nothing { update } else { own }).with_moved(moved)
    }

    /// The user's comment; the update's where nothing is left of it.
    fn users_first(&mut self, user: Vec<Line<'a>>, update: Vec<Line<'a>>, place: Place) -> Chosen<'a> {
        let said = has_words(&user);
        let Parted { own, moved } = self.part_moved(user, &update, place);
        if said && !has_words(&own) {
            self.comes(&update);
            return Chosen::update(update).with_moved(moved);
        }
        Chosen::user(own).with_moved(moved)
    }

    /// The user's comment, which is the update's with lines `added`; the update's where nothing is left of these.
    fn with_added(&mut self, user: Vec<Line<'a>>, added: &[bool], update: Vec<Line<'a>>, place: Place) -> Chosen<'a> {
        let goes = blocks::moved(&user, May::Users(added), &mut self.arrivals);
        let any = added.iter().zip(&goes).any(|(added, goes)| *added && !goes);
        let Parted { own, moved } = Parted::of(user, place, &goes);
        if any { Chosen::user(own) } else { Chosen::update(update) }.with_moved(moved)
    }

    /// The update's comment, and with it what of the user's it cannot replace; under it all of the user's lines where both
    /// are wanted, and those that an old default does not say, where there is one: they are the user's own.
    fn replaced(&mut self, user: &[Line<'a>], update: Vec<Line<'a>>, place: Place) -> Chosen<'a> {
        let both = self.policy == Comments::Both && place != Place::OptionText;
        let theirs: HashSet<_> = update.iter().map(Line::said).collect();
        // What the update says a part of here is its comment here, and on nothing else.
        let says_any = |own: &[Line<'_>]| own.iter().any(|line| line.has_words() && theirs.contains(line.said()));
        let (kept, own): (Vec<_>, Vec<_>) =
            paragraphs(user).partition(|own| !both && self.is_about_nothing_added(own, user, place) && !says_any(own));
        let is_users = |line: &Line<'_>| self.old_words.is_some_and(|old| !old.are_old(line.said()));
        let stays = |line: &&Line<'_>| both || (place != Place::OptionText && is_users(line));
        let [mut moved, mut stay, mut replaced] = [const { Vec::new() }; 3];
        for paragraph in own {
            let worded = || paragraph.iter().filter(|line| line.has_words());
            let said = worded().filter(|line| !theirs.contains(line.said()));
            let (goes, own): (Vec<_>, Vec<_>) = said.partition(|line| self.arrivals.pair([line.said()].into_iter()));
            let (own, gives_way): (Vec<_>, Vec<_>) = own.into_iter().partition(stays);
            // With all of its words a paragraph keeps the bare `#` around them.
            let is_whole = !own.is_empty() && own.len() == worded().count();
            stay.extend(if is_whole { paragraph.iter().filter(|line| line.is_comment()).collect() } else { own });
            moved.extend(goes);
            replaced.extend(gives_way);
        }
        let moved = moved.into_iter().cloned().collect();
        let mut chosen = Chosen::update(beside_kept(&kept, update, place)).with_moved(moved);
        let end = chosen.lines.iter().rposition(Line::is_comment).map_or(0, |last| last + 1);
        chosen.lines.splice(end..end, stay.into_iter().cloned());
        chosen.replaced = replaced.into_iter().cloned().collect();
        chosen
    }

    /// Whether a paragraph is the update's comment on a node that is not added, as far as half of its lines tell. Such a node
    /// has no place that its comment could move to. What stands directly above a key is about that.
    fn is_about_nothing_added(&self, paragraph: &[Line<'a>], user: &[Line<'a>], place: Place) -> bool {
        let is_last = paragraph.as_ptr_range().end == user.as_ptr_range().end;
        if self.not_added.is_empty() || (is_last && !place.is_edge()) {
            return false;
        }
        let said = || paragraph.iter().filter(|line| line.has_words());
        let known = said().filter(|line| self.not_added.contains(line.said())).count();
        known > 0 && known * 2 >= said().count()
    }

    /// The user's comment at a place that the update has not, without what moved. What the old default does not say is the
    /// user's own, and moves nowhere; but for whole paragraphs on what the old default has not, either: a comment on
    /// anything else counts as a change of that. Nor does move what the update says of the same item.
    pub(super) fn without_moved(
        &mut self,
        (user, same): (Vec<Line<'a>>, &[Line<'a>]),
        place: Place,
        in_base: InBase,
    ) -> Chosen<'a> {
        if holds_more_than_comments(&user, &[]) {
            return Chosen::user(user);
        }
        let mut here = counted(same);
        let is_known = |line: &Line<'_>| self.old_words.is_none_or(|old| old.are_old(line.said()));
        let elsewhere = &mut self.left_out;
        let mut is_paired =
            |line: &Line<'_>| pairing::take(&mut here, line.said()) || pairing::take(elsewhere, line.said());
        let may_move = |line: &Line<'_>| !is_paired(line) && is_known(line);
        let mut may: Vec<_> = user.iter().filter(|line| line.has_words()).map(may_move).collect();
        if self.old_words.is_some() && in_base == InBase::No {
            self.let_copies_move(&user, same, &mut may);
        }
        let goes = self.moved_with_paragraphs(&user, &may);
        let Parted { own, moved } = Parted::of(user, place, &goes);
        Chosen::user(own).with_moved(moved)
    }

    /// A comment that was merged with the old default's, without what only that says here and the update elsewhere; nothing
    /// where it says no such thing. Of words that the user says oftener than the old default, those are the user's own that
    /// stand where that has them not.
    pub(super) fn without_moved_since(
        &mut self,
        merged: &[Line<'a>],
        [base, update]: [&[Line<'a>]; 2],
        place: Place,
    ) -> Option<Chosen<'a>> {
        // Most comments say what the update's does, and nothing of that has moved.
        let says_more = !lines::same(merged, update) && !holds_more_than_comments(merged, update);
        let old = self.old_words.filter(|_| says_more)?;
        let mut here = counted(update);
        let is_own = |said: &str| old.are_added(said) && !base.iter().any(|line| line.said() == said);
        let is_old = |said: &str| old.are_old(said) && !is_own(said);
        let mut may_move = |line: &Line<'_>| !pairing::take(&mut here, line.said()) && is_old(line.said());
        let mut may: Vec<_> = merged.iter().filter(|line| line.has_words()).map(&mut may_move).collect();
        // Words above a live key are a reason to keep it live.
        if place != Place::LiveOption {
            self.let_copies_move(merged, update, &mut may);
        }
        if !may.contains(&true) {
            return None;
        }
        let goes = self.moved_with_paragraphs(merged, &may);
        let Parted { own, moved } = Parted::of(merged.to_vec(), place, &goes);
        goes.contains(&true).then(|| Chosen::user(own).with_moved(moved))
    }

    /// Lets those paragraphs move, too, of which every line comes in elsewhere and none is the update's here: they are a copy
    /// of what the release says. One line alone may be said twice.
    fn let_copies_move(&self, lines: &[Line<'_>], update: &[Line<'_>], may: &mut [bool]) {
        let here: HashSet<_> = update.iter().map(Line::said).collect();
        let mut next = 0;
        for paragraph in paragraphs(lines) {
            let first = next;
            let mut said = paragraph.iter().filter(|line| line.has_words()).map(Line::said);
            next += said.clone().count();
            if next - first > 1 && said.all(|said| !here.contains(said) && self.arrivals.has(said)) {
                may[first..next].fill(true);
            }
        }
    }

    /// The user's lines without those that the update has elsewhere, and not here.
    fn part_moved(&mut self, user: Vec<Line<'a>>, update: &[Line<'a>], place: Place) -> Parted<'a> {
        let mut here = counted(update);
        let worded = user.iter().filter(|line| line.has_words());
        let may: Vec<_> = worded.map(|line| !pairing::take(&mut here, line.said())).collect();
        let goes = blocks::moved(&user, May::Users(&may), &mut self.arrivals);
        Parted::of(user, place, &goes)
    }

    /// The same, and with the sentences of the old default that moved those in the same paragraph that the release changed:
    /// half a paragraph says nothing. Two files do not tell which of its lines are the user's.
    fn moved_with_paragraphs(&mut self, lines: &[Line<'_>], may: &[bool]) -> Vec<bool> {
        let knows_old = self.old_words.is_some();
        let may_move = if knows_old { May::OldDefaults(may) } else { May::Users(may) };
        let mut goes = blocks::moved(lines, may_move, &mut self.arrivals);
        if knows_old && goes.contains(&true) {
            blocks::complete_paragraphs(paragraphs(lines), may, &mut goes);
        }
        goes
    }
}

/// The update's comment with paragraphs of the user's: above a key before it, else behind it.
fn beside_kept<'a>(kept: &[&[Line<'a>]], mut update: Vec<Line<'a>>, place: Place) -> Vec<Line<'a>> {
    let mut kept = kept.concat();
    if kept.is_empty() {
        return update;
    }
    let (above, below) = if place.is_edge() { (&mut update, &mut kept) } else { (&mut kept, &mut update) };
    let touch = above.last().is_some_and(Line::is_comment) && below.first().is_some_and(Line::is_comment);
    above.extend(touch.then_some(Line::Blank("", End::Common)));
    above.append(below);
    std::mem::take(above)
}

/// Whether there is at least one comment line: blank lines alone are none.
pub(crate) fn has_comment(lines: &[Line<'_>]) -> bool {
    lines.iter().any(Line::is_comment)
}

/// Whether two comments differ at most in how their lines end.
pub(crate) fn same(user: &[Line<'_>], update: &[Line<'_>]) -> bool {
    user.len() == update.len()
        && user.iter().zip(update).all(|(a, b)| match (a, b) {
            (Line::Blank(..), Line::Blank(..)) => true,
            (Line::Text(at, a, _), Line::Text(other, b, _)) => at == other && a == b,
            _ => false,
        })
}

/// Ends lines as the same ones of the user's end, from the last on: what ends a comment is not what a move takes away.
fn end_as<'a>(lines: &mut [Line<'a>], user: &[Line<'a>]) {
    let all_alike = lines.first().is_none_or(|first| {
        let is_like_first = |line: &Line<'_>| line.end() == first.end();
        lines.iter().all(is_like_first) && user.iter().all(|line| is_like_first(line) || line.end() == End::Missing)
    });
    if all_alike {
        return;
    }
    let mut places: HashMap<_, Vec<_>> = HashMap::default();
    user.iter().enumerate().for_each(|(at, line)| places.entry(line.said()).or_default().push(at));
    let mut rest = user.len();
    for line in lines.iter_mut().rev() {
        let Some(places) = places.get_mut(line.said()) else { continue };
        if let Some(at) = std::iter::from_fn(|| places.pop()).find(|at| *at < rest) {
            line.end_like(&user[at]);
            rest = at;
        }
    }
}

/// Whether two comments say the same, wherever their lines stand.
fn same_words(user: &[Line<'_>], update: &[Line<'_>]) -> bool {
    fn said<'l>(lines: &'l [Line<'_>]) -> impl Iterator<Item = &'l str> {
        lines.iter().filter(|line| line.has_words()).map(Line::said)
    }
    has_words(user) && said(user).eq(said(update))
}

/// Directives and `...` stand where comments do, but are none: such a place is left as the user has it.
pub(super) fn holds_more_than_comments(user: &[Line<'_>], update: &[Line<'_>]) -> bool {
    user.iter().chain(update).any(|line| !line.is_comment_or_blank())
}

/// Which of the user's lines with words are added to the update's, if all of those stand among the user's, in order.
fn added(user: &[Line<'_>], update: &[Line<'_>]) -> Option<Vec<bool>> {
    let mut theirs = update.iter().filter(|line| line.has_words()).map(Line::said).peekable();
    let mine = user.iter().filter(|line| line.has_words()).map(Line::said);
    let added = mine.map(|text| theirs.next_if_eq(&text).is_none()).collect();
    theirs.peek().is_none().then_some(added)
}
