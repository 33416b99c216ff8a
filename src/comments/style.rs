//! How the lines of a commented-out key are written: how far from its `#` each of them stands, and where that does.

use foldhash::HashMap;

use crate::yaml::tree::{Line, Offset};

/// Where a comment stands, and how many blanks are behind its `#`.
#[derive(Clone, Copy)]
struct Style {
    column: i32,
    blanks: i32,
}

impl Style {
    /// Nothing for a comment that does not move, or has several `#`.
    fn of(line: &Line<'_>) -> Option<Self> {
        let Line::Text(Offset::Beside(column), ..) = line else { return None };
        let behind = line.trimmed().strip_prefix('#')?;
        let blanks = behind.len() - line.said().len();
        (line.has_words() && behind[..blanks].trim_ascii().is_empty())
            .then_some(Self { column: *column, blanks: i32::try_from(blanks).ok()? })
    }
}

/// Writes the lines of a commented-out key as others write them that say the same, the first ones before all. Lines that
/// none of the others say are shifted as those are that stood where they do, or else as the line above them is.
///
/// A reader takes commented-out lines for one block only where they are written alike: `#  - b` is not in the list of
/// `# k:` and `# - a`.
pub(super) fn write_alike(lines: &mut [Line<'_>], others: [&[Line<'_>]; 2]) {
    let mut known = HashMap::default();
    for line in others.into_iter().flatten() {
        if let Some(style) = Style::of(line) {
            known.entry(line.said()).or_insert(style);
        }
    }
    let shift_of = |line: &Line<'_>, own: Style| {
        known
            .get(line.said())
            .map(|style| Style { column: style.column - own.column, blanks: style.blanks - own.blanks })
    };
    let place = |line: &Line<'_>, own: Style| (own.column, own.blanks, line.said().starts_with('-'));
    let mut shifts = HashMap::default();
    for line in &*lines {
        if let Some((own, shift)) = Style::of(line).and_then(|own| Some((own, shift_of(line, own)?))) {
            shifts.entry(place(line, own)).or_insert(shift);
        }
    }
    let mut above = Style { column: 0, blanks: 0 };
    for line in lines {
        let Some(own) = Style::of(line) else { continue };
        above = shift_of(line, own).or_else(|| shifts.get(&place(line, own)).copied()).unwrap_or(above);
        let blanks = usize::try_from(own.blanks + above.blanks).unwrap_or(0);
        let text = format!("#{:blanks$}{}", "", line.said());
        if text != line.trimmed() || above.column != 0 {
            *line = Line::Text(Offset::Beside(own.column + above.column), text.into(), line.end());
        }
    }
}
