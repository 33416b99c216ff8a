//! Changes of meaning between two files, as data and as lines for people.
//!
//! Left out: how they are found, see [`differences`](crate::upgrade::differences).

use serde::Serialize;

use crate::text::error::visible;
use crate::yaml::path::Path;

/// What became of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DifferenceKind {
    /// The new file alone has it.
    Added,
    /// The old file alone has it.
    Removed,
    /// Both have it, and it means something else.
    Changed,
    /// The value of another path of the old file stands here now.
    Moved,
    /// A list that has its items in another order.
    Reordered,
}

impl DifferenceKind {
    /// The character that a line of text starts with.
    pub(super) fn sign(self) -> char {
        match self {
            Self::Added => '+',
            Self::Removed => '-',
            Self::Changed | Self::Reordered => '~',
            Self::Moved => '>',
        }
    }
}

/// One change of meaning: comments, order of keys, quotes and indentation are none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// What became of the value.
    pub kind: DifferenceKind,
    /// Where, in the form that the tool reads again; items by what they are called, where they are called anything.
    pub path: String,
    /// The line in the new file, from 1; in the old one for what is gone.
    pub line: usize,
    /// The value in the old file on one line, shortened where it is long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The value in the new file, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The items that a list has gained.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gained: Vec<String>,
    /// The items that a list has lost.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
    /// Why, in words for people, where an upgrade knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The path in the file that the line is of, items by their numbers.
    #[serde(skip)]
    pub(crate) place: Path,
}

impl Difference {
    /// How much memory it takes, about.
    pub(crate) fn size(&self) -> usize {
        let texts = [&self.before, &self.after, &self.why].into_iter().flatten();
        let items = self.gained.iter().chain(&self.lost);
        let texts: usize = texts.chain(items).map(|text| size_of::<String>() + text.len()).sum();
        size_of::<Self>() + self.path.len() + OF_A_STEP * self.place.0.len() + texts
    }
}

/// What a step of a path takes, about.
const OF_A_STEP: usize = 64;

/// One difference as it is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) kind: DifferenceKind,
    pub(crate) text: String,
}

/// Differences as lines, one each, that are at most so many characters wide where that is possible.
pub(crate) fn lines(differences: &[Difference], width: usize) -> Vec<Shown> {
    let paths: Vec<_> = differences.iter().map(|difference| visible(&difference.path)).collect();
    let widest = paths.iter().map(|path| path.chars().count()).filter(|&width| width <= WIDEST).max().unwrap_or(0);
    let shown = |(difference, path): (&Difference, String)| {
        let start = format!("    {} {path:widest$}  ", difference.kind.sign());
        let why = difference.why.as_deref().map_or_else(String::new, |why| format!("   {}", visible(why)));
        let left = width.saturating_sub(start.chars().count() + why.chars().count()).max(NARROWEST);
        let text = format!("{start}{}{why}", difference.value(left)).trim_end().to_owned();
        Shown { kind: difference.kind, text }
    };
    differences.iter().zip(paths).map(shown).collect()
}

/// A longer path does not push the column of all others to the right.
const WIDEST: usize = 40;

/// So much of the values is shown on any terminal.
pub(super) const NARROWEST: usize = 24;

impl Difference {
    /// The values, in at most so many characters.
    fn value(&self, width: usize) -> String {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) if self.gained.len() + self.lost.len() == 0 || fits(before, after, width) => {
                change(&visible(before), &visible(after), width)
            }
            _ if self.gained.len() + self.lost.len() > 0 => items(&self.gained, &self.lost, width),
            (Some(value), None) | (None, Some(value)) if self.kind != DifferenceKind::Reordered => {
                cut(&visible(value), width)
            }
            (_, Some(after)) => cut(&format!("in another order: {}", visible(after)), width),
            _ => String::new(),
        }
    }
}

/// Whether two short lists are read more easily than what came and went.
fn fits(before: &str, after: &str, width: usize) -> bool {
    let length = |text: &str| text.chars().count();
    length(before) + length(after) <= width.min(SHORT)
}

/// Two lists that take no more than this are shown whole.
const SHORT: usize = 60;

const ARROW: &str = " → ";

/// Both values. Where they do not fit, what they start with alike is left out, and of each so much as there is room for.
fn change(before: &str, after: &str, width: usize) -> String {
    let room = width.saturating_sub(ARROW.chars().count());
    let length = |text: &str| text.chars().count();
    if length(before) + length(after) <= room {
        return format!("{before}{ARROW}{after}");
    }
    let [before, after] = without_like_start(before, after);
    let (old, new) = (length(&before), length(&after));
    // The shorter one may be shown in full, and the other one has the rest.
    let half = room / 2;
    let old_room = if old <= half { old } else { room.saturating_sub(new.min(half)) };
    cut(&before, old_room) + ARROW + &cut(&after, room.saturating_sub(old.min(old_room)))
}

/// Two values from a little before the place where they part.
fn without_like_start(before: &str, after: &str) -> [String; 2] {
    let alike = before.chars().zip(after.chars()).take_while(|(old, new)| old == new).count();
    let left_out = alike.saturating_sub(KEPT);
    let rest = |text: &str| ['…'].into_iter().chain(text.chars().skip(left_out)).collect();
    if left_out <= KEPT { [before.to_owned(), after.to_owned()] } else { [rest(before), rest(after)] }
}

/// So many characters of what is alike are shown; no fewer are worth to be left out.
const KEPT: usize = 6;

/// The items that came and went, as many as there is room for.
fn items(gained: &[String], lost: &[String], width: usize) -> String {
    let signed =
        |sign: char, items: &[String]| items.iter().map(|item| format!("{sign} {}", visible(item))).collect::<Vec<_>>();
    let all = [signed('+', gained), signed('-', lost)].concat();
    let mut text = String::new();
    for (at, item) in all.iter().enumerate() {
        let gap = if at == 0 { "" } else { "  " };
        let rest = all.len() - at;
        let needed = text.chars().count() + gap.len() + item.chars().count();
        let is_last = rest == 1;
        if at > 0 && needed + if is_last { 0 } else { "  and 99 more".len() } > width {
            return format!("{text}  and {rest} more");
        }
        text.push_str(gap);
        text.push_str(&cut(item, width));
    }
    text
}

/// The start of a text, with a sign that there is more.
pub(super) fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some(_) => text.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(items: &[&str]) -> Vec<String> {
        items.iter().map(|&item| item.to_owned()).collect()
    }

    #[test]
    fn a_long_value_leaves_room_for_a_short_one() {
        assert_eq!(change("1", "22222222222222222222", 12), "1 → 2222222…");
        assert_eq!(change("22222222222222222222", "1", 12), "2222222… → 1");
        assert_eq!(change("2222222222222222", "3333333333333333", 13), "2222… → 3333…");
        assert_eq!(change("a", "b", 24), "a → b");
    }

    #[test]
    fn long_values_are_shown_where_they_part() {
        let url = "https://example.org/search?q={query}";
        let page = format!("{url}&p={{page}}");
        assert_eq!(change(url, &page, 30), "…query} → …query}&p={page}");
        assert_eq!(change("aaaaaaaaaaaa", "aaaaaaaaaaab", 13), "aaaa… → aaaa…");
    }

    #[test]
    fn items_that_do_not_fit_are_counted() {
        assert_eq!(items(&strings(&["a", "b"]), &strings(&["c"]), 24), "+ a  + b  - c");
        assert_eq!(items(&strings(&["aaaaaaaa", "bbbbbbbb", "cccccccc"]), &[], 24), "+ aaaaaaaa  and 2 more");
        assert_eq!(items(&strings(&["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]), &[], 24), "+ aaaaaaaaaaaaaaaaaaaaa…");
    }
}
