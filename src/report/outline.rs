//! What both parsers understand of a text, printed: a line for every value.

use crate::report::secrets::Secrets;
use crate::text::error::Error;
use crate::text::masking::MASK;
use crate::text::source::Source;
use crate::yaml::check;

/// How a text is understood, by both parsers alike: a line for every value, with its line number, name and text. A
/// collection that is a key is its name, in flow style.
///
/// # Errors
/// Refuses what is not valid YAML, with the place.
///
/// ```
/// assert_eq!(yamlift::outline("a:\n- b: 'x'\n")?, "1| a:\n2|   -\n2|     b: \"x\"\n");
/// # Ok::<(), yamlift::Error>(())
/// ```
pub fn outline(text: &str) -> Result<String, Error> {
    outline_of("text", text, &mut Secrets::default())
}

/// The same for a text with a name for its errors, without what is secret in it.
pub(crate) fn outline_of(name: &str, text: &str, secrets: &mut Secrets) -> Result<String, Error> {
    let source = Source::new(name, text)?;
    let outline = check::read(&source)?.outline;
    let hidden = secrets.learn_rows(&outline);
    let shown = |row, text: String| if hidden.contains(&row) { MASK.to_owned() } else { secrets.mask_words(&text) };
    Ok(outline.print_as(0..outline.rows.len(), &shown))
}
