//! What both parsers understand of a text, printed: a line for every value, and for every key that is commented out.

use crate::report::secrets::Secrets;
use crate::text::error::{Error, visible};
use crate::text::masking::MASK;
use crate::text::named::NamedText;
use crate::text::source::Source;
use crate::yaml::check::{self, Checked};
use crate::yaml::commented_out::Found;
use crate::yaml::commented_out::listing::Listed;
use crate::yaml::outline::{Outline, Printed, numbered};
use crate::yaml::row::RowId;
use crate::yaml::tree::Node;

/// How a text is understood, by both parsers alike: a line for every value, with its line number, name and text. A
/// collection that is a key is its name, in flow style. A commented-out key is shown with a `#` before it and without its
/// value, where it would stand if it were live.
///
/// # Errors
/// Refuses what is not valid YAML, with the place.
///
/// ```
/// assert_eq!(yamlift::outline("a:\n- b: 'x'\n")?, "1| a:\n2|   -\n2|     b: \"x\"\n");
/// assert_eq!(yamlift::outline("a: 1\n#b: 2\n")?, "1| a: 1\n2| # b: commented out\n");
/// # Ok::<(), yamlift::Error>(())
/// ```
pub fn outline<'t>(text: impl Into<NamedText<'t>>) -> Result<String, Error> {
    let (name, text) = text.into().or("text");
    lines_of(name, text, &mut Secrets::default()).map(|lines| text_of(&lines))
}

/// Lines of an outline as text, with their numbers.
pub(crate) fn text_of(lines: &[Printed]) -> String {
    numbered(lines, lines.iter().map(|line| line.line).max().unwrap_or(1))
}

/// The lines of an outline of a text with a name for its errors, without what is secret in it.
pub(crate) fn lines_of(name: &str, text: &str, secrets: &mut Secrets) -> Result<Vec<Printed>, Error> {
    let source = Source::new(name, text)?;
    let Checked { stream, outline } = check::read(&source)?;
    let hidden = secrets.learn_rows(&outline);
    let shown = |row, text: String| if hidden.contains(&row) { MASK.to_owned() } else { secrets.mask_words(&text) };
    let mut lines = Vec::with_capacity(outline.rows.len());
    let mut printed = RowId::FIRST;
    for (before, line) in stream.children.iter().flat_map(|document| commented_out(document, &outline)) {
        lines.extend(printed.up_to(before).filter_map(|row| outline.line_as(row, &shown)));
        lines.push(line);
        printed = before;
    }
    lines.extend(printed.up_to(outline.end()).filter_map(|row| outline.line_as(row, &shown)));
    Ok(lines)
}

/// The lines for what is commented out in a document, each with the row that it stands before.
fn commented_out(document: &Node<'_>, outline: &Outline<'_>) -> Vec<(RowId, Printed)> {
    // A document without a value has the row of that at its end.
    let root = document.row.and_then(|at| Some((at, outline.row(at)?)));
    let end = root.map_or(outline.end(), |(at, root)| if root.is_null() { at } else { root.end });
    let mut lines = Vec::new();
    for entry in Found::in_document(document).listed() {
        let before = entry.next.and_then(|next| next.row).unwrap_or(end);
        let above = outline.row_of(entry.holder).map_or(0, |row| row.depth.into());
        let printed = labels(&entry).map(|(deeper, text)| (before, line_of(&entry, above + deeper, text)));
        lines.extend(printed);
    }
    lines
}

fn line_of(entry: &Listed<'_, '_>, above: usize, text: String) -> Printed {
    Printed { line: entry.line, depth: above + entry.depth, text }
}

/// How a commented-out key or item reads, and how much deeper: the key on the line of an item is inside of that.
fn labels(entry: &Listed<'_, '_>) -> impl Iterator<Item = (usize, String)> + use<> {
    let key = |name: &str| format!("# {}: commented out", visible(name));
    let own = match (entry.name, entry.first_key) {
        (Some(name), _) => key(name),
        (None, Some(_)) => "# -".to_owned(),
        (None, None) => "# - commented out".to_owned(),
    };
    std::iter::once((0, own)).chain(entry.first_key.map(|name| (1, key(name))))
}
