//! Where every line of a result comes from.

use foldhash::{HashMap, HashSet};

use super::comes_from_update;
use crate::report::explanation::{ExplainedLine, LineOrigin};
use crate::report::shown::shown_at_length;
use crate::report::{Difference, DifferenceKind};
use crate::text::error::Error;
use crate::text::source::{Source, lines};
use crate::upgrade::options::Options;
use crate::upgrade::{self, Named, Upgrade, differences};
use crate::yaml::check;
use crate::yaml::outline::Outline;
use crate::yaml::path::Path;
use crate::yaml::row::RowId;

/// An upgrade that was not written, and where each of its lines comes from.
pub(crate) struct Explained {
    pub(crate) upgrade: Upgrade,
    /// One for each line of the result.
    pub(crate) lines: Vec<ExplainedLine>,
}

/// Explains what an upgrade would make of a file, line by line.
///
/// # Errors
/// Those of an upgrade.
pub(crate) fn explain_lines(current: Named<'_>, update: Named<'_>, options: &Options) -> Result<Explained, Error> {
    let upgrade = upgrade::named(current, update, options)?;
    let lines = lines_of(current, update, &upgrade)?;
    Ok(Explained { upgrade, lines })
}

/// Explains line by line what an upgrade made of a file.
///
/// # Errors
/// An update that cannot be compared with the result.
pub(crate) fn lines_of(current: Named<'_>, update: Named<'_>, upgrade: &Upgrade) -> Result<Vec<ExplainedLine>, Error> {
    let source = Source::new(current.0, &upgrade.text)?;
    let outline = check::read(&source)?.outline;
    let from_update = upgrade.report.changes().iter().filter(|change| comes_from_update(change.kind));
    let values = Values {
        new: from_update.map(|change| change.path.clone()).collect(),
        apart: differences::compare(update, (current.0, &upgrade.text))?
            .differences
            .into_iter()
            .map(|difference| (difference.place.to_string(), difference))
            .collect(),
        outline: &outline,
    };
    let mut rows: HashMap<usize, RowId> = HashMap::default();
    for (at, row) in outline.all().filter(|(_, row)| row.depth > 0) {
        rows.entry(row.line).or_insert(at);
    }
    let (mine, theirs) = (comments(current.1), comments(update.1));
    let mut above = LineOrigin::Default;
    let explained = (1..).zip(lines(&upgrade.text)).map(|(number, text)| {
        let words = text.trim();
        let origin = match rows.get(&number) {
            _ if words.is_empty() => None,
            Some(&row) => {
                above = values.origin(row);
                Some(above)
            }
            None if words.starts_with('#') => Some(of_comment(mine.contains(words), theirs.contains(words))),
            None => Some(above),
        };
        ExplainedLine { line: number, origin, text: text.to_owned() }
    });
    Ok(explained.collect())
}

/// The comment lines of a text.
fn comments(text: &str) -> HashSet<&str> {
    lines(text).map(str::trim).filter(|line| line.starts_with('#')).collect()
}

fn of_comment(is_mine: bool, is_theirs: bool) -> LineOrigin {
    match (is_mine, is_theirs) {
        (false, _) => LineOrigin::New,
        (true, true) => LineOrigin::Default,
        (true, false) => LineOrigin::Yours,
    }
}

/// What is known of the values of a result.
struct Values<'v> {
    /// The paths of what came from the update.
    new: HashSet<String>,
    /// What update and result mean differently, by the path in the result.
    apart: HashMap<String, Difference>,
    outline: &'v Outline<'v>,
}

impl Values<'_> {
    fn origin(&self, row: RowId) -> LineOrigin {
        let path = self.outline.path(row);
        let ways = (0..=path.0.len()).rev().map(|length| Path(path.0[..length].to_vec()).to_string());
        for (at, way) in ways.enumerate() {
            if self.new.contains(&way) {
                return LineOrigin::New;
            }
            match self.apart.get(&way).map(|found| (found.kind, found)) {
                Some((DifferenceKind::Added, _)) => return LineOrigin::Yours,
                Some((DifferenceKind::Changed, _)) if at == 0 => return LineOrigin::Yours,
                Some((DifferenceKind::Changed, list)) if list.gained.contains(&shown_at_length(self.outline, row)) => {
                    return LineOrigin::Yours;
                }
                _ => {}
            }
        }
        LineOrigin::Default
    }
}
