//! Tags keep their meaning, too.
//!
//! What `!e!red` stands for the `%TAG` directives of its document say (YAML 1.2.2 §6.8.2), and two files that are merged
//! may have different ones. So where there is any, each tag carries what it means while they are merged, and in the end
//! one that would mean something else is written in full: `!<tag:example.org,2000:red>`.

use foldhash::HashMap;

use super::mark::{part_mut, tags};
use super::tokens::{Extent, Sort, tokens};
use crate::report::note::{Note, Noted};
use crate::yaml::document::is_document;
use crate::yaml::outline::CORE;
use crate::yaml::path::Step;
use crate::yaml::tree::{Line, Node};

/// The tags of two files whose trees are marked: each as it is written, and its full name.
pub(crate) struct Tags {
    sign: char,
    all: Vec<(String, String)>,
}

/// Marks the tags of two files that are to be merged; nothing where neither says what a handle stands for.
pub(crate) fn mark_tags(current: &mut Node<'_>, update: &mut Node<'_>, texts: [&str; 2]) -> Option<Tags> {
    let declares = |stream: &Node<'_>| stream.children.iter().any(|document| !Handles::of(document).0.is_empty());
    if !declares(current) && !declares(update) {
        return None;
    }
    let sign = ('\u{f0000}'..='\u{ffffd}').find(|&sign| !texts.iter().any(|text| text.contains(sign)))?;
    let mut tags = Tags { sign, all: Vec::new() };
    current.children.iter_mut().for_each(|document| tags.mark(document));
    update.children.iter_mut().for_each(|document| tags.mark(document));
    Some(tags)
}

impl Tags {
    fn mark(&mut self, document: &mut Node<'_>) {
        let handles = Handles::of(document);
        rewrite(document, &mut |tag| {
            let full = handles.full(tag)?;
            self.all.push((tag.to_owned(), full));
            Some(format!("!<{}{}>", self.sign, self.all.len() - 1))
        });
    }

    /// Takes the marks away from the merged tree, from what was noted, and from what was deleted.
    pub(crate) fn repair<'t>(
        &self,
        stream: &mut Node<'_>,
        notes: &mut [Note],
        deleted: impl Iterator<Item = &'t mut String>,
    ) {
        let mut of_documents = Vec::new();
        for document in &mut stream.children {
            let handles = Handles::of(document);
            rewrite(document, &mut |tag| self.written(tag, &handles));
            of_documents.extend(is_document(document).then_some(handles));
        }
        for Note { path, what } in notes {
            let document = if let Some(Step::Document(at)) = path.0.first() { *at } else { 0 };
            if let (Noted::AddedInFlow(text), Some(handles)) = (what, of_documents.get(document)) {
                for token in tokens(text, Extent::Flow).into_iter().rev().filter(|token| token.sort == Sort::Tag) {
                    let range = token.start..token.end;
                    let written = text.get(range.clone()).and_then(|tag| self.written(tag, handles));
                    written.inspect(|written| text.replace_range(range, written));
                }
            }
        }
        deleted.for_each(|text| *text = self.as_it_was(text));
    }

    /// A tag as it has to be written. One without a mark came from the outline, which knows no directives.
    fn written(&self, tag: &str, handles: &Handles) -> Option<String> {
        let (written, full) = match self.marked(tag) {
            Some((written, full)) => (written.as_str(), full.clone()),
            None => (tag, Handles::default().full(tag)?),
        };
        let same = handles.full(written).is_some_and(|found| found == full);
        Some(if same { written.to_owned() } else { format!("!<{full}>") })
    }

    fn as_it_was(&self, text: &str) -> String {
        let start = format!("!<{}", self.sign);
        let mut parts = text.split(&start);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for (number, behind) in parts.filter_map(|part| part.split_once('>')) {
            out.extend([self.numbered(number).map_or("", |(written, _)| written), behind]);
        }
        out
    }

    fn marked(&self, tag: &str) -> Option<&(String, String)> {
        self.numbered(tag.strip_prefix("!<")?.strip_prefix(self.sign)?.strip_suffix('>')?)
    }

    fn numbered(&self, number: &str) -> Option<&(String, String)> {
        self.all.get(number.parse::<usize>().ok()?)
    }
}

/// Writes each tag of a node, and of all below, anew where there is something to write.
fn rewrite(node: &mut Node<'_>, write: &mut impl FnMut(&str) -> Option<String>) {
    for found in tags(node).into_iter().rev() {
        let range = found.token.start..found.token.end;
        if let Some(text) = part_mut(node, found.part)
            && let Some(new) = text.get(range.clone()).and_then(&mut *write)
        {
            text.replace_range(range, &new);
        }
    }
    node.children.iter_mut().for_each(|child| rewrite(child, write));
}

/// What the directives of a document say that handles stand for.
#[derive(Default)]
struct Handles(HashMap<String, String>);

impl Handles {
    fn of(document: &Node<'_>) -> Self {
        let declared = |line: &Line<'_>| {
            let mut words = line.trimmed().strip_prefix("%TAG")?.split_ascii_whitespace().map(str::to_owned);
            words.next().zip(words.next())
        };
        Self(document.above.iter().filter_map(declared).collect())
    }

    /// The full name of a tag; nothing for one that is written in full already, or alone, and where nothing says what its
    /// handle stands for.
    fn full(&self, tag: &str) -> Option<String> {
        let name = tag.strip_prefix('!').filter(|name| !name.is_empty() && !name.starts_with('<'))?;
        let handle = name.find('!').map_or(1, |end| end + 2);
        let (handle, suffix) = tag.split_at(handle);
        let prefix = match (self.0.get(handle), handle) {
            (Some(prefix), _) => prefix,
            (None, "!") => "!",
            (None, "!!") => CORE,
            (None, _) => return None,
        };
        Some(format!("{prefix}{suffix}"))
    }
}
