//! Which parts of a document that is secret as a whole are: its outline knows what it is.

use crate::text::masking::documents::keys;
use crate::yaml::outline::Outline;
use crate::yaml::row::RowId;

/// The keys of a document below which all is secret.
pub(super) fn secret_keys(outline: &Outline<'_>, root: RowId) -> Vec<&'static str> {
    let get = |row: Option<RowId>, name| row.and_then(|row| outline.get(row, name));
    let text = |row: Option<RowId>| row.map(|row| &*outline[row].text);
    let policy = text(get(get(Some(root), "metadata"), "storagePolicy"));
    keys(text(get(Some(root), "schema")), policy, text(get(Some(root), "kind")))
}
