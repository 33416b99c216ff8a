//! Variables that a properties file of Java defines. No error shows a line of it, for a value may be a secret.

use java_properties::{LineContent, PropertiesIter};

use super::Variables;
use crate::text::error::{Error, visible};
use crate::text::named::NamedText;

impl Variables {
    /// Defines what a properties file of Java says, which is read as Java reads it, in UTF-8. Feature `properties`.
    ///
    /// ```
    /// let mut variables = yamlift::Variables::default();
    /// variables.read_properties("host = localhost\n# nobody knows\nport: 80\n")?;
    /// assert_eq!((variables.get("host"), variables.get("port")), (Some("localhost"), Some("80")));
    /// # Ok::<(), yamlift::Error>(())
    /// ```
    ///
    /// # Errors
    /// An escape `\u` without its four digits; what stands before it in the file is defined by then.
    pub fn read_properties<'t>(&mut self, file: impl Into<NamedText<'t>>) -> Result<(), Error> {
        let (name, text) = file.into().or("properties");
        // The properties crate reads Latin text unless a byte-order mark says that it is UTF-8.
        let text = format!("\u{feff}{}", without_comments(text.trim_start_matches('\u{feff}')));
        for line in PropertiesIter::new(text.as_bytes()) {
            let line = line.map_err(|error| malformed(name, error.line_number().unwrap_or_default()))?;
            if let LineContent::KVPair(name, value) = line.consume_content() {
                self.set(name, value);
            }
        }
        Ok(())
    }
}

/// An escape is the one thing that can be wrong in a properties file.
fn malformed(name: &str, line: usize) -> Error {
    Error::input(format!("malformed `\\u` escape in line {line}"))
        .in_file(&visible(name))
        .help("`\\u` takes four hexadecimal digits; characters above U+FFFF are written as they are, in UTF-8")
}

/// The text with each comment as a blank line. The properties crate would look for escapes in comments (`# C:\users` is
/// malformed to it), and drop a last line that ends in `\` without a line break.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    let mut continued = false;
    let text = text.replace("\r\n", "\n");
    for line in text.split(['\n', '\r']) {
        if continued || !line.trim_start_matches([' ', '\t', '\u{c}']).starts_with(['#', '!']) {
            out.push_str(line);
            let slashes = line.len() - line.trim_end_matches('\\').len();
            continued = slashes % 2 == 1;
        }
        out.push('\n');
    }
    out
}
