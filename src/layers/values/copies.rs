//! What copies of values take of the [`Budget`] of a run.

use super::{Content, Value};
use crate::text::budget::Budget;
use crate::yaml::limits::MAX_DEPTH;
use crate::yaml::tree::Line;

/// What a value takes besides its texts: as one of a layer, as a node that is written, and as a row that checks that.
const OF_A_VALUE: usize = 1 << 10;

impl Value<'_> {
    /// Counts a copy of this value, and looks whether it is nested too deeply to be put below something.
    ///
    /// # Errors
    /// It would be too much, in words.
    pub(crate) fn count_copy(&self, budget: &Budget) -> Result<(), String> {
        if !is_within(self, MAX_DEPTH) {
            return Err(format!("values would be nested more than {MAX_DEPTH} levels deep"));
        }
        budget.take(of_value(self, budget.left()))
    }

    /// How much memory it takes to copy, to write and to check it; it stops counting above `most`.
    pub(crate) fn size(&self, most: usize) -> usize {
        of_value(self, most)
    }
}

fn is_within(value: &Value<'_>, levels: usize) -> bool {
    value.children().is_empty()
        || levels.checked_sub(1).is_some_and(|below| value.children().iter().all(|child| is_within(child, below)))
}

/// What a copy of a value takes; it stops counting above `most`.
fn of_value(value: &Value<'_>, most: usize) -> usize {
    let lines =
        value.shell.above.iter().chain(value.shell.header()).chain(&value.shell.continuation).chain(&value.shell.below);
    let of_line = |line: &Line<'_>| line.trimmed().len() + size_of::<Line<'_>>();
    let own = OF_A_VALUE + value.shell.name.len() + value.shell.value_text.len() + lines.map(of_line).sum::<usize>();
    own + of_content(&value.content, most.saturating_sub(own))
}

/// What a copy of what a value holds takes; it stops counting above `most`.
pub(super) fn of_content(content: &Content<'_>, most: usize) -> usize {
    let children = match content {
        Content::Scalar(scalar) => return scalar.text.len(),
        Content::Map(children) | Content::List(children) => children,
    };
    let mut sum = 0;
    for child in children.iter() {
        if sum > most {
            break;
        }
        sum += of_value(child, most - sum);
    }
    sum
}
