//! Comment lines of three files, merged line by line.
//!
//! Lines that the user never touched follow the update; those that the user added or changed stay, those taken out stay
//! out, also where the update has other words for them. Where both changed the same line, the user's stays under the
//! update's (`docs/rules.md` rule 10). A line that only stands closer to its `#` was not changed, but stays as it is where
//! the update has it, too: `#tags: x` is `# tags: x`.

mod blanks;
mod files;
mod in_turn;
mod keys;
mod leading;
mod phrases;

use foldhash::HashSet;
use std::ops::Range;

use similar::{Algorithm, DiffOp};

use self::blanks::{apart, without_doubled_ornaments, without_loose_blanks};
use self::files::Files;
use self::leading::leading;
pub(super) use self::phrases::end_of_block;
use crate::text::diff::diff;
use crate::yaml::tree::Line;

/// Merges the lines that three files have at the same place.
///
/// Where lines repeat, what comes out can look to a second run as if somebody had changed it: so the result is what that would
/// leave alone. Where there is no such thing the blank lines that the user added go, and at last all stays as the user has it.
pub(crate) fn merge<'a>(base: &[Line<'_>], user: Vec<Line<'a>>, update: &[Line<'a>]) -> Vec<Line<'a>> {
    let settled = |own_blanks| settled(base, user.clone(), update, own_blanks);
    let blank = user.first().zip(update.first()).filter(|(own, new)| !own.is_comment() && !new.is_comment());
    let blank = blank.map(|(_, new)| new.clone());
    let merged = settled(OwnBlanks::Stay).or_else(|| settled(OwnBlanks::Go)).unwrap_or(user);
    match blank.filter(|_| merged.first().is_none_or(Line::is_comment)) {
        Some(blank) => set_off(base, merged, update, blank),
        None => merged,
    }
}

/// Puts a blank line over the lines that were merged: both files have one there, whichever of several in the old default that
/// was. Not where the next run would take it out again.
fn set_off<'a>(base: &[Line<'_>], merged: Vec<Line<'a>>, update: &[Line<'a>], blank: Line<'a>) -> Vec<Line<'a>> {
    let apart: Vec<_> = std::iter::once(blank).chain(merged.iter().cloned()).collect();
    let again = merge_once(base, apart.clone(), update.to_vec(), OwnBlanks::Stay);
    if again == apart { apart } else { merged }
}

/// What becomes of blank lines that the user added.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OwnBlanks {
    Stay,
    Go,
}

/// Up to this many runs may change what the one before has left.
const MOST_RUNS: usize = 4;

/// What comes out and a further run leaves alone; nothing where each run changes it again.
fn settled<'a>(
    base: &[Line<'_>],
    user: Vec<Line<'a>>,
    update: &[Line<'a>],
    own_blanks: OwnBlanks,
) -> Option<Vec<Line<'a>>> {
    let mut merged = merge_once(base, user, update.to_vec(), own_blanks);
    for _ in 0..MOST_RUNS {
        let again = merge_once(base, merged.clone(), update.to_vec(), OwnBlanks::Stay);
        if again == merged {
            return Some(merged);
        }
        merged = again;
    }
    None
}

fn merge_once<'a>(
    base: &[Line<'_>],
    user: Vec<Line<'a>>,
    update: Vec<Line<'a>>,
    own_blanks: OwnBlanks,
) -> Vec<Line<'a>> {
    let (old, mine, theirs) = (texts(base), texts(&user), texts(&update));
    if (mine == old || mine == theirs) && !is_written_alike(&user, &update) {
        return update;
    }
    if (theirs == old && is_written_alike(base, &update)) || said(&user) == said(&update) {
        return user;
    }
    if directives(&mine).chain(directives(&theirs)).next().is_some() && !directives(&mine).eq(directives(&theirs)) {
        return if directives(&mine).eq(directives(&old)) { update } else { user };
    }
    if directives(&mine).next().is_some() && holds_in_order(&mine, &theirs) {
        return user;
    }
    let places = without_loose_blanks(places(base, &user, &update, own_blanks), &user, &update);
    collect(apart(places, &user, &update), user, update)
}

/// Which lines stand in the result, in their order.
fn places(base: &[Line<'_>], user: &[Line<'_>], update: &[Line<'_>], own_blanks: OwnBlanks) -> Vec<Place> {
    let files = Files::of([base, user, update], own_blanks);
    let leading = leading(user, [&files.own, &files.new], |line| files.in_update.contains(&line));
    let mut places = Vec::new();
    for at in 0..=base.len() {
        places.extend(files.inserted(at));
        let Some((was, kept)) = base.get(at).zip(files.own.kept.get(at).copied().flatten()) else { continue };
        match files.new.kept[at] {
            Some(line) if [was.trimmed(), update[line].trimmed()].contains(&user[kept].trimmed()) => {
                places.push(Place::Update(line));
            }
            None if !leading.contains(&kept) => {}
            _ => places.push(Place::User(kept)),
        }
    }
    without_doubled_ornaments(&places, user, update)
}

/// Before which line of the update that stands which the base has before one of its lines; nothing where neither this one
/// nor the one above is the same in both.
pub(crate) fn counterpart(base: &[Line<'_>], before: usize, update: &[Line<'_>]) -> Option<usize> {
    let kept = Edits::of(&texts(base), &texts(update)).kept;
    let kept = |at: usize| kept.get(at).copied().flatten();
    kept(before).or_else(|| Some(kept(before.checked_sub(1)?)? + 1))
}

/// The directives among the lines over a document. Those of two files do not add up: a handle has one meaning.
fn directives<'t>(texts: &'t [&str]) -> impl Iterator<Item = &'t str> {
    texts.iter().copied().filter(|text| text.starts_with('%'))
}

/// Whether the first lines are the second ones with others between.
fn holds_in_order(lines: &[&str], others: &[&str]) -> bool {
    let mut lines = lines.iter();
    others.iter().all(|other| lines.any(|line| line == other))
}

/// Which line stands at a place of the result.
#[derive(Clone, Copy)]
enum Place {
    User(usize),
    Update(usize),
}

fn collect<'a>(places: Vec<Place>, user: Vec<Line<'a>>, update: Vec<Line<'a>>) -> Vec<Line<'a>> {
    let mut user: Vec<_> = user.into_iter().map(Some).collect();
    let mut update: Vec<_> = update.into_iter().map(Some).collect();
    let take = |place| match place {
        Place::User(at) => user.get_mut(at).and_then(Option::take),
        Place::Update(at) => update.get_mut(at).and_then(Option::take),
    };
    places.into_iter().filter_map(take).collect()
}

/// Whether lines say the same; how far they are indented does not matter.
pub(crate) fn same(lines: &[Line<'_>], other: &[Line<'_>]) -> bool {
    lines.iter().map(Line::said).eq(other.iter().map(Line::said))
}

/// Whether lines say all that others say.
pub(crate) fn hold_words(lines: &[Line<'_>], others: &[Line<'_>]) -> bool {
    let said: HashSet<_> = lines.iter().map(Line::said).collect();
    others.iter().filter(|line| line.has_words()).all(|line| said.contains(line.said()))
}

/// Whether a line with words of some says what one of others does.
pub(crate) fn share_words(lines: &[Line<'_>], others: &[Line<'_>]) -> bool {
    let said: HashSet<_> = lines.iter().filter(|line| line.has_words()).map(Line::said).collect();
    others.iter().any(|line| said.contains(line.said()))
}

/// Whether lines differ at most in how they end.
pub(crate) fn is_written_alike(user: &[Line<'_>], update: &[Line<'_>]) -> bool {
    user.len() == update.len()
        && user.iter().zip(update).all(|(mine, new)| match (mine, new) {
            (Line::Blank(mine, _), Line::Blank(new, _)) => mine == new,
            (Line::Text(at, mine, _), Line::Text(other, new, _)) => at == other && mine == new,
            _ => false,
        })
}

fn texts<'l>(lines: &'l [Line<'_>]) -> Vec<&'l str> {
    lines.iter().map(Line::trimmed).collect()
}

fn said<'l>(lines: &'l [Line<'_>]) -> Vec<&'l str> {
    lines.iter().map(Line::said).collect()
}

/// What one side did to the lines of the base.
struct Edits {
    /// For each line of the base where it is now.
    kept: Vec<Option<usize>>,
    /// What stands before each line of the base, and behind the last.
    inserted: Vec<Range<usize>>,
    /// Instead of how many lines of the base that stands there.
    replaced: Vec<usize>,
}

impl Edits {
    fn of(old: &[&str], new: &[&str]) -> Self {
        let gaps = old.len() + 1;
        let mut edits = Self { kept: vec![None; old.len()], inserted: vec![0..0; gaps], replaced: vec![0; gaps] };
        for op in diff(Algorithm::Patience, old, new) {
            match op {
                DiffOp::Equal { old_index, new_index, len } => {
                    (0..len).for_each(|at| edits.kept[old_index + at] = Some(new_index + at));
                }
                DiffOp::Insert { old_index, new_index, new_len }
                | DiffOp::Replace { old_index, new_index, new_len, .. } => {
                    edits.insert(old_index, new_index..new_index + new_len);
                    edits.lift_blanks(old_index, new);
                }
                DiffOp::Delete { .. } => {}
            }
            if let DiffOp::Replace { old_index, old_len, .. } = op {
                edits.replaced[old_index] = old_len;
            }
        }
        edits
    }

    fn insert(&mut self, at: usize, lines: Range<usize>) {
        let before = &mut self.inserted[at];
        let start = if before.start == before.end { lines.start } else { before.start };
        *before = start..lines.end;
    }

    /// Of several blank lines one below the other any can be the new one. It is the first, for the comment below the last is
    /// what others change.
    fn lift_blanks(&mut self, mut at: usize, new: &[&str]) {
        while let Some(above) = at.checked_sub(1) {
            let Range { start, end } = self.inserted[at];
            let blanks = new[start..end].iter().take_while(|text| text.is_empty()).count();
            let Some(kept) = self.kept[above].filter(|&kept| kept + 1 == start && new[kept].is_empty()) else { return };
            if blanks == 0 || !self.inserted[above].is_empty() {
                return;
            }
            self.inserted[above] = kept..kept + blanks;
            self.kept[above] = Some(kept + blanks);
            self.inserted[at] = start + blanks..end;
            at = above;
        }
    }

    /// Whether what some new lines stand instead of is gone, or else what is around them.
    fn took_out_for(&self, at: usize, (run, replaced): (&[&str], usize), old: &[&str]) -> bool {
        if replaced == 0 { self.took_out_around(at, run, old) } else { self.took_out(at, &old[at..at + replaced]) }
    }

    /// Whether what stands in the base directly above and below some new lines, in one paragraph with them, is gone, and
    /// nothing stands in its place.
    fn took_out_around(&self, at: usize, run: &[&str], old: &[&str]) -> bool {
        let has_words = |text: Option<&&str>| text.is_some_and(|text| !text.is_empty());
        let above = at.checked_sub(1).filter(|&above| has_words(old.get(above)) && has_words(run.first()));
        let below = Some(at).filter(|&below| has_words(old.get(below)) && has_words(run.last()));
        match (above, below) {
            (Some(above), Some(below)) => self.took_out(above, &old[above..=below]),
            (Some(line), None) | (None, Some(line)) => self.took_out(line, &old[line..=line]),
            (None, None) => false,
        }
    }

    /// Whether these lines of the base, of which the first one is at `first`, are gone, and nothing stands in their place. Blank
    /// lines alone are nothing that somebody takes out: other tools write files without them.
    fn took_out(&self, first: usize, lines: &[&str]) -> bool {
        let end = first + lines.len();
        lines.iter().any(|text| !text.is_empty())
            && self.kept[first..end].iter().all(Option::is_none)
            && self.inserted[first..=end].iter().all(|range| range.start == range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::piece::Piece;
    use crate::text::source::End;
    use crate::yaml::tree::Offset;

    fn lines(text: &str) -> Vec<Line<'_>> {
        let line = |line| Line::Text(Offset::Beside(0), Piece::Borrowed(line), End::Lf);
        text.lines().map(|text| if text.is_empty() { Line::Blank("", End::Lf) } else { line(text) }).collect()
    }

    fn merged(base: &str, user: &str, update: &str) -> String {
        let merged = merge(&lines(base), lines(user), &lines(update));
        merged.iter().map(Line::trimmed).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn whoever_touched_a_line_decides_on_it() {
        let table = [
            ("# a\n# b", "# a\n# b", "# a2\n# b", "# a2\n# b"),
            ("# a\n# b", "# a\n# ours\n# b", "# a2\n# b2", "# a2\n# b2\n# ours"),
            ("# a\n# b", "# ours\n# a\n# b", "# a\n# b2", "# ours\n# a\n# b2"),
            ("# a\n# b", "# b", "# a\n# b2", "# b2"),
            ("# a\n# b", "# a\n# mine", "# a\n# b2", "# a\n# b2\n# mine"),
            ("# a", "# a\n# new", "# a\n# new\n# more", "# a\n# new\n# more"),
            ("# a\n# b\n# c\n# d", "# a\n# d", "# a\n# b\n# new\n# c\n# d", "# a\n# d"),
            ("# a\n# b\n\n# c\n# d", "# a\n# d", "# a\n# b\n\n# new\n\n# c\n# d", "# a\n\n# new\n\n# d"),
            ("# a\n\n# b\n# c", "# a", "# a\n\n# new\n# b\n# c", "# a"),
            ("# a", "", "# a2", ""),
            ("", "# ours", "# new", "# new\n# ours"),
            ("", "# ours\n#\n# more", "# new\n#\n# words", "# new\n#\n# words\n# ours\n#\n# more"),
            ("", "# --\n# new\n# --\n# ours", "# --\n# new\n# --", "# --\n# new\n# --\n# ours"),
            ("\n# a", "\n# ours\n# a", "\n\n# a2", "\n\n# ours\n# a2"),
            ("# a", "# ours\n\n# a", "# a2", "# ours\n\n# a2"),
            ("# a", "# ours\n\n# a2\n# more", "# a2", "# ours\n\n# a2\n# more"),
            ("\n# a", "\n\n# a", "\n# a2", "\n\n# a2"),
            ("# a", "#a", "# a2", "# a2"),
            ("# a", "#a", "# a", "#a"),
            ("# a\n# b", "#a\n# b", "# a\n# b2", "#a\n# b2"),
            ("# z\n\n# a", "# z\n\n\n# a", "# z\n\n# a2\n# b", "# z\n\n\n# a2\n# b"),
        ];
        for (base, user, update, expected) in table {
            assert_eq!(merged(base, user, update), expected, "{base:?} {user:?} {update:?}");
        }
    }

    /// All comments of up to so many lines.
    fn small(one: &[&str], most: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut from = 0;
        for _ in 0..most {
            let longer = all[from..]
                .iter()
                .flat_map(|text| one.iter().map(move |line| format!("{text}{line}")))
                .collect::<Vec<_>>();
            from = all.len();
            all.extend(longer);
        }
        all
    }

    fn text(lines: &[Line<'_>]) -> String {
        lines.iter().flat_map(|line| [line.trimmed(), "\n"]).collect()
    }

    #[test]
    fn a_second_merge_with_the_same_base_changes_nothing() {
        try_all(&small(&["\n", "# a\n", "# b\n"], 3));
        try_all(&small(&["\n", "# a\n", "#a\n", "# b\n"], 2));
        try_all(&small(&["#a:\n", "#  - b\n", "#  - c\n"], 3));
        try_all(&small(&["#\n", "# a\n", "# b\n"], 3));
    }

    fn try_all(all: &[String]) {
        let mut failed = Vec::new();
        for base in all {
            for user in all {
                for update in all {
                    let once = text(&merge(&lines(base), lines(user), &lines(update)));
                    let twice = text(&merge(&lines(base), lines(&once), &lines(update)));
                    if once != twice {
                        failed.push((base, user, update, once, twice));
                    }
                }
            }
        }
        assert!(failed.is_empty(), "{} failed: {:#?}", failed.len(), &failed[..failed.len().min(12)]);
    }

    #[test]
    fn what_leads_to_a_line_of_the_users_in_a_dropped_block_stays() {
        let old = "# A list.\n#more:\n#  - x\n#  - y\n# Index.";
        assert_eq!(merged(old, &old.replace("- x", "- mine"), "# Index."), "#more:\n#  - mine\n# Index.");
    }
}
