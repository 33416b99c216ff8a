//! What users do to a default, each at one place that the old default and the new one both have.

use crate::model::{Block, Column, File, Key, Part, Quote, Remark, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edit {
    None,
    /// Another value.
    Value,
    /// A comment behind a value.
    Inline,
    /// A comment line right above a key.
    Above,
    /// A key removed with the comment lines right above it.
    Delete,
    /// A key and what is below it commented out.
    CommentOut,
    /// A commented-out key made live.
    MakeLive,
    /// A key of the user's own, with a comment, behind another.
    OwnKey,
    /// A commented-out key made live at the end of its map; the line that has it commented out stays.
    Override,
}

/// Those that commute with a release.
pub(crate) const EDITS: [Edit; 8] =
    [Edit::None, Edit::Value, Edit::Inline, Edit::Above, Edit::Delete, Edit::CommentOut, Edit::MakeLive, Edit::OwnKey];

/// An edit and the key that it is made at, by the names on the way to it.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    edit: Edit,
    path: Vec<String>,
}

/// Where both versions of a default have what this edit touches, alike.
pub(crate) fn places(edit: Edit, old: &File, new: &File) -> Vec<Place> {
    let mut places = Vec::new();
    if let (Some(old), Some(new)) = (root(old), root(new)) {
        collect(edit, [old, new], &mut Vec::new(), &mut places);
    }
    places
}

fn root(file: &File) -> Option<&Block> {
    file.documents.first()?.root.as_ref()
}

fn collect(edit: Edit, [old, new]: [&Block; 2], path: &mut Vec<String>, places: &mut Vec<Place>) {
    for name in old.parts.iter().filter_map(name) {
        let (Some(mine), Some(theirs)) = (old.at(name), new.at(name)) else { continue };
        path.push(name.to_owned());
        if fits(edit, [old, new], [mine, theirs]) {
            places.push(Place { edit, path: path.clone() });
        }
        if let (Value::Block(old), Value::Block(new)) = (&old.parts[mine].value, &new.parts[theirs].value)
            && !old.list
            && !new.list
        {
            collect(edit, [old, new], path, places);
        }
        path.pop();
    }
}

/// The name of a key.
pub(crate) fn name(part: &Part) -> Option<&str> {
    part.key.as_ref().map(|key| key.name.as_str())
}

/// Whether an edit at these parts of two blocks touches nothing that the release touched.
fn fits(edit: Edit, blocks: [&Block; 2], at: [usize; 2]) -> bool {
    let [old, new] = [&blocks[0].parts[at[0]], &blocks[1].parts[at[1]]];
    let is_word = matches!((&old.value, &new.value), (Value::Word(_), Value::Word(_)));
    let same_line = is_word && old.value == new.value && old.note == new.note;
    let several = blocks.iter().all(|block| block.parts.len() > 1);
    match edit {
        Edit::None => true,
        Edit::Value => same_line,
        Edit::Inline => same_line && old.note.is_none(),
        Edit::Above => old.above == new.above,
        Edit::OwnKey => is_word,
        Edit::Delete => old == new && several && leaves_alone(blocks, at),
        Edit::CommentOut => {
            same_line
                && old.above == new.above
                && several
                && !blocks.iter().any(|block| block.names_option(old.key.as_ref()))
        }
        Edit::MakeLive | Edit::Override => {
            old.above == new.above
                && option(old).is_some_and(|(_, live)| blocks.iter().all(|block| block.is_free(live)))
        }
    }
}

/// Whether what a deleted key leaves behind stands above the same next key, which the release did not touch unless these
/// are blank lines. Where the first key goes, the head of the file is another.
fn leaves_alone(blocks: [&Block; 2], at: [usize; 2]) -> bool {
    let [old, new] = [0, 1].map(|side| blocks[side].parts.get(at[side] + 1));
    let left = left_behind(&blocks[0].parts[at[0]]);
    let is_same = match (old, new) {
        (Some(old), Some(new)) if left.iter().all(|line| *line == Remark::Blank(0)) => old.key == new.key,
        (Some(old), Some(new)) => old.key == new.key && old.above == new.above,
        _ => false,
    };
    at.iter().all(|at| *at > 0) && (left.is_empty() || is_same)
}

/// What stays where a key is deleted with the comment lines right above it.
fn left_behind(part: &Part) -> &[Remark] {
    let comments = part.above.iter().rev().take_while(|line| matches!(line, Remark::Comment(..))).count();
    &part.above[..part.above.len() - comments]
}

/// The first commented-out key above a part.
fn option(part: &Part) -> Option<(usize, &Part)> {
    part.above.iter().enumerate().find_map(|(at, line)| Some((at, commented_out(line)?)))
}

fn commented_out(line: &Remark) -> Option<&Part> {
    if let Remark::CommentedOut(_, part) = line { Some(part) } else { None }
}

impl Block {
    fn at(&self, name: &str) -> Option<usize> {
        self.parts.iter().position(|part| self::name(part) == Some(name))
    }

    /// All that is commented out between its keys.
    fn options(&self) -> impl Iterator<Item = &Part> {
        let lines = self.parts.iter().flat_map(|part| &part.above).chain(&self.below);
        lines.filter_map(commented_out)
    }

    fn names_option(&self, key: Option<&Key>) -> bool {
        self.options().any(|part| part.key.as_ref() == key)
    }

    /// Whether no key has this name, and nothing else that is commented out.
    fn is_free(&self, part: &Part) -> bool {
        name(part).is_some_and(|name| self.at(name).is_none())
            && self.options().filter(|other| other.key == part.key).count() == 1
    }
}

impl Place {
    /// The file with this edit.
    pub(crate) fn edit(&self, file: &File) -> File {
        let mut file = file.clone();
        let root = file.documents.first_mut().and_then(|document| document.root.as_mut());
        if let (Some(root), Some((last, way))) = (root, self.path.split_last()) {
            let block = way.iter().try_fold(root, |block, name| block.inner(name));
            if let Some((at, block)) = block.and_then(|block| Some((block.at(last)?, block))) {
                self.edit.make(block, at);
            }
        }
        file
    }
}

impl Block {
    fn inner(&mut self, name: &str) -> Option<&mut Self> {
        let at = self.at(name)?;
        if let Value::Block(inner) = &mut self.parts[at].value { Some(inner) } else { None }
    }

    /// Puts lines where a part was.
    fn leave(&mut self, at: usize, lines: Vec<Remark>) {
        let below = self.parts.get_mut(at).map_or(&mut self.below, |part| &mut part.above);
        below.splice(..0, lines);
    }
}

impl Edit {
    fn make(self, block: &mut Block, at: usize) {
        let part = &mut block.parts[at];
        match self {
            Self::None => {}
            Self::Value => part.value = Value::Word("ops".to_owned()),
            Self::Inline => part.note = Some("  # ops did it".to_owned()),
            Self::Above => part.above.push(Remark::Comment(Column::Aligned, "# ops did it".to_owned())),
            Self::Delete => delete(block, at),
            Self::CommentOut => comment_out(block, at),
            Self::MakeLive => make_live(block, at),
            Self::OwnKey => block.parts.insert(at + 1, own_key()),
            Self::Override => override_at_end(block, at),
        }
    }
}

fn delete(block: &mut Block, at: usize) {
    let part = block.parts.remove(at);
    block.leave(at, left_behind(&part).to_vec());
}

fn comment_out(block: &mut Block, at: usize) {
    let mut part = block.parts.remove(at);
    let mut above = std::mem::take(&mut part.above);
    above.push(Remark::CommentedOut("# ", Box::new(part)));
    block.leave(at, above);
}

fn make_live(block: &mut Block, at: usize) {
    let Some((above, made_live)) = option(&block.parts[at]).map(|(at, part)| (at, part.clone())) else { return };
    let mut above: Vec<_> = block.parts[at].above.drain(..=above).collect();
    above.pop();
    block.parts.insert(at, Part { above, ..made_live });
}

fn override_at_end(block: &mut Block, at: usize) {
    let live = option(&block.parts[at]).map(|(_, live)| live.clone());
    block.parts.extend(live);
}

fn own_key() -> Part {
    let key = Key { name: "ops_own".to_owned(), quote: Quote::None, blank: false };
    Part {
        above: vec![Remark::Comment(Column::Aligned, "# ops added this".to_owned())],
        key: Some(key),
        joined: true,
        gap: 1,
        anchor: None,
        tag: None,
        own_line: false,
        value: Value::Word("1".to_owned()),
        note: None,
    }
}
