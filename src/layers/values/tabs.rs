//! Tabs between the words of a file, which YAML allows and the parser of Python does not.

use super::Value;
use crate::text::scan::comment_behind;

impl Value<'_> {
    /// The first line on which a tab stands outside of quotes and comments, behind a key or before an item.
    pub(crate) fn line_with_tab(&self) -> Option<usize> {
        let text = self.shell.value_text.as_ref();
        let text = text.get(..comment_behind(text).unwrap_or(text.len())).unwrap_or(text);
        let quotes = ['"', '\''].map(|quote| text.find(quote).unwrap_or(text.len()));
        let before_quotes = text.get(..quotes[0].min(quotes[1])).unwrap_or(text);
        let behind_quotes = text.rsplit(['"', '\'']).next().unwrap_or(text);
        let has_tab = before_quotes.contains('\t') || behind_quotes.contains('\t');
        if has_tab { Some(self.line()) } else { self.children().iter().find_map(Value::line_with_tab) }
    }
}
