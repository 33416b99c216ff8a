//! What a generated file is made of, before it is text.
//!
//! The model holds both what a file says and how it is laid out, so that two versions of it share the layout of what
//! they have in common, as two releases do. Whatever a tape says, the text of a model is valid YAML.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) bom: bool,
    pub(crate) ends: Ends,
    pub(crate) last_newline: bool,
    pub(crate) documents: Vec<Document>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    Lf,
    CrLf,
    Mixed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) directive: bool,
    /// Lines over the marker.
    pub(crate) over: Vec<Remark>,
    /// What stands behind `---`, where there is one.
    pub(crate) marker: Option<String>,
    pub(crate) head: Vec<Remark>,
    pub(crate) root: Option<Block>,
    pub(crate) tail: Vec<Remark>,
    /// Whether `...` ends it.
    pub(crate) closed: bool,
}

/// A line between values, or several that are commented out together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Remark {
    /// So many spaces.
    Blank(usize),
    Comment(Column, String),
    /// A part with all that is below it, behind `#` or `# `.
    CommentedOut(&'static str, Box<Part>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Aligned,
    Margin,
    Right(usize),
    Left(usize),
}

/// The parts of a map or a list in block style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) list: bool,
    pub(crate) indent: usize,
    pub(crate) parts: Vec<Part>,
    pub(crate) below: Vec<Remark>,
}

/// An entry of a map, or an item of a list where it has no key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) above: Vec<Remark>,
    pub(crate) key: Option<Key>,
    /// Whether the first part of its block shares the line of its dash.
    pub(crate) joined: bool,
    /// Blanks before the value.
    pub(crate) gap: usize,
    pub(crate) anchor: Option<String>,
    pub(crate) tag: Option<&'static str>,
    /// Whether the value starts on a line of its own.
    pub(crate) own_line: bool,
    pub(crate) value: Value,
    /// The inline comment, blanks included.
    pub(crate) note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) quote: Quote,
    pub(crate) blank: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    None,
    Single,
    Double,
    /// `? key` with its value on a line of its own.
    Complex,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Word(String),
    /// Lines of a plain or quoted scalar, each with its extra indentation.
    Folded(Vec<(usize, String)>),
    Text(Text),
    Alias(String),
    Flow(Flow),
    Block(Block),
}

/// A block scalar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) style: char,
    pub(crate) chomp: &'static str,
    pub(crate) explicit: bool,
    pub(crate) indent: usize,
    pub(crate) lines: Vec<String>,
}

/// The inside of a flow collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flow {
    pub(crate) map: bool,
    /// Whether each entry has a line of its own, so far to the right.
    pub(crate) broken: Option<usize>,
    pub(crate) trailing_comma: bool,
    /// Whether the closing bracket stands at the column of its key.
    pub(crate) closes_left: bool,
    pub(crate) entries: Vec<FlowEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FlowEntry {
    pub(crate) key: Option<String>,
    pub(crate) value: FlowValue,
    pub(crate) note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FlowValue {
    Null,
    Word(String),
    Flow(Flow),
}

impl Block {
    /// A map has each key once.
    pub(crate) fn keep_names_apart(&mut self) {
        let mut seen = Vec::new();
        self.parts.retain(|part| {
            let name = part.key.as_ref().map(|key| key.name.clone());
            let new = name.is_none() || !seen.contains(&name);
            seen.push(name);
            new
        });
    }
}

impl Text {
    /// Whether any of its lines has more than spaces.
    pub(crate) fn has_text(&self) -> bool {
        self.lines.iter().any(|line| !line.trim_matches(' ').is_empty())
    }
}
