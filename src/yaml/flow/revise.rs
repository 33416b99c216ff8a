//! Changes values inside of a flow collection, takes entries out of it and puts items into it, and leaves all else as it
//! is.

use foldhash::{HashMap, HashSet};

use super::gone::take_out;
use super::layout::{Fresh, Layout};
use super::parse::Collection;
use super::text::{Edit, Text};
use crate::yaml::outline::Outline;
use crate::yaml::row::RowId;
use crate::yaml::tree::Node;

/// What is to change, by the rows of the file.
#[derive(Debug, Default)]
pub(crate) struct Revision {
    pub(crate) gone: HashSet<RowId>,
    /// Values by what they become.
    pub(crate) replaced: HashMap<RowId, String>,
    /// For lists their new items, each with the one that it follows.
    pub(crate) inserted: HashMap<RowId, Vec<(Option<RowId>, String)>>,
}

impl Revision {
    /// Where all items of a list go and others come in, these take the place of the first: brackets that lose all they hold
    /// would go, too.
    pub(crate) fn keep_brackets(&mut self, list: RowId, outline: &Outline<'_>) {
        let mut items = outline.children(list);
        let Some(first) = items.next().filter(|first| self.gone.contains(first)) else { return };
        if items.all(|item| self.gone.contains(&item))
            && let Some(inserted) = self.inserted.remove(&list)
        {
            let texts: Vec<_> = inserted.into_iter().map(|(_, text)| text).collect();
            self.gone.remove(&first);
            self.replaced.insert(first, texts.join(", "));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.replaced.is_empty() && self.inserted.is_empty()
    }
}

/// Revises the collection of a node; nothing where it is not understood.
pub(crate) fn revise(node: &mut Node<'_>, outline: &Outline<'_>, revision: &Revision) -> Option<()> {
    let row = node.row?;
    take_out(node, outline, &revision.gone)?;
    let text = Text::of(node);
    let root = text.collection()?;
    let mut reviser = Reviser { text: &text, outline, revision, edits: Vec::new() };
    reviser.collection(&root, row)?;
    let edits = reviser.edits;
    text.write(edits, node);
    Some(())
}

struct Reviser<'r, 'a> {
    text: &'r Text<'a>,
    outline: &'r Outline<'a>,
    revision: &'r Revision,
    edits: Vec<Edit>,
}

impl Reviser<'_, '_> {
    fn collection(&mut self, collection: &Collection, row: RowId) -> Option<()> {
        let rows: Vec<_> = self.outline.children(row).filter(|row| !self.revision.gone.contains(row)).collect();
        if rows.len() != collection.entries.len() {
            return None;
        }
        for (entry, &row) in collection.entries.iter().zip(&rows) {
            // An item of one pair is a map of its own (YAML 1.2.2 §7.5).
            let is_map = entry.pair && !collection.map;
            if let Some(value) = self.revision.replaced.get(&row).filter(|_| is_map) {
                self.edits.push(Edit { range: entry.start..entry.end, text: value.clone(), lines: Vec::new() });
                continue;
            }
            let row = if is_map { self.outline.children(row).next()? } else { row };
            if let Some(value) = self.revision.replaced.get(&row) {
                let (start, before) = match () {
                    () if (entry.pair || collection.map) && !entry.colon => (entry.end, ": "),
                    () if entry.colon && entry.holds.is_empty() => (entry.end, " "),
                    () => (entry.holds.start, ""),
                };
                let text = format!("{before}{value}");
                self.edits.push(Edit { range: start..entry.end, text, lines: Vec::new() });
            } else if let Some(inner) = &entry.value {
                self.collection(inner, row)?;
            }
        }
        self.insert(collection, row, &rows);
        Some(())
    }

    fn insert(&mut self, collection: &Collection, row: RowId, rows: &[RowId]) {
        let inserted = self.revision.inserted.get(&row).map_or(&[][..], Vec::as_slice);
        if collection.entries.is_empty() && !inserted.is_empty() {
            let texts: Vec<_> = inserted.iter().map(|(_, text)| text.as_str()).collect();
            return self.edits.push(Edit::insert(collection.start + 1, texts.join(", ")));
        }
        let places: HashMap<_, _> = rows.iter().enumerate().map(|(at, &row)| (row, at)).collect();
        let mut fresh: HashMap<Option<usize>, Vec<Fresh>> = HashMap::default();
        for (behind, text) in inserted {
            let behind = behind.and_then(|behind| places.get(&behind).copied());
            fresh.entry(behind).or_default().push(Fresh { text: text.clone(), row });
        }
        let layout = Layout::of(self.text, collection);
        for (behind, fresh) in fresh {
            layout.insert(layout.place(behind), &fresh, &HashMap::default(), &mut self.edits);
        }
    }
}
