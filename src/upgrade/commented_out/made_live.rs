//! Keys that the user made live where only the old default tells what they were.
//!
//! Who takes the `#` from one line of a section that stays commented out has a key of the section above it, and a parted
//! comment around that. So has who takes it from a line of prose that reads like a key. What the release changed in these
//! comments would not find its place. So such keys are taken out before the merge, their lines are commented out again as
//! the old default has them, and the comments are merged as if nobody had touched them. When all comments are decided, each
//! key takes the place of its line.
//!
//! ```text
//! tree ──find──▶ keys ──take_out──▶ tree without them ──merge──▶ tree ──put_back──▶ tree with them
//! ```
//!
//! Left out: keys that the old default and the release have commented out in the same map. They are paired by their names.
//! But a list takes the place of its lines alone, so that what is commented out inside of it follows the release.

mod defaults;
mod find;
mod lines;
mod places;
mod put_back;
mod take_out;

pub(super) use self::find::find;
pub(crate) use self::put_back::put_back;
pub(super) use self::take_out::take_out;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node};

/// A key that was taken out of the user's tree.
#[derive(Debug)]
pub(crate) struct MadeLive<'a> {
    key: Node<'a>,
    /// The row of the map that it stands in, and how far right of that.
    pub(crate) map: RowId,
    indent: i32,
    /// Where its line may be found, the surest first.
    places: Vec<Place>,
    /// The lines of the old default that it took the place of.
    commented_out: Vec<Line<'a>>,
    /// The comments that stood behind it, and stand behind these lines now.
    behind: Vec<Line<'a>>,
}

/// A key of the user's, before it is taken out.
#[derive(Debug)]
pub(super) struct ToTakeOut<'a> {
    /// Its row.
    row: RowId,
    /// Where the line is found in the update, the surest first.
    places: Vec<Place>,
    /// The lines of the old default that it took the place of, with their columns as offsets.
    commented_out: Vec<Line<'a>>,
}

/// Where the line of such a key stands in a default.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// It is a commented-out key, at this path; an item is nothing.
    Key(Vec<Option<String>>),
    /// It says these words.
    Words(Words),
}

/// Words of a line between the nearest lines above and below it that stand in a file once.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Words {
    said: String,
    above: Option<String>,
    below: Option<String>,
}
