//! Where the scalars of a text stand, by the reference parser's word.
//!
//! Its spans need care: they count characters, a quoted scalar's runs on through the comment behind it, one with an
//! anchor or tag starts at that, and a block scalar's starts at its first line of content, below its header.

use std::borrow::Cow;
use std::ops::Range;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

use crate::text::source::Source;
use crate::yaml::reader;

/// A text as the reference parser gets to see it, and where each of its characters stands in the file.
pub(super) struct Seen<'a> {
    text: Cow<'a, str>,
    /// Offsets into the source, by character.
    offsets: Vec<usize>,
}

/// Why the reference parser refuses a text, and where.
pub(super) struct Flaw {
    pub(super) at: usize,
    pub(super) what: String,
}

pub(super) type Events<'v> = Vec<(Event<'v>, Range<usize>)>;

impl<'a> Seen<'a> {
    /// What the reader refuses is shown as it is: its turn comes when the variables are put in.
    pub(super) fn new(source: &Source<'a>) -> Self {
        let text = reader::read(source).map_or(Cow::Borrowed(source.text), |reading| reading.view.text(source));
        let offsets = offsets(source, &text);
        Self { text, offsets }
    }

    pub(super) fn events(&self) -> Result<Events<'_>, Flaw> {
        Parser::new_from_str(&self.text)
            .map(|event| match event {
                Ok((event, span)) => Ok((event, self.at(&span.start)..self.at(&span.end))),
                Err(error) => Err(Flaw { at: self.at(error.marker()), what: error.info().to_owned() }),
            })
            .collect()
    }

    fn at(&self, marker: &Marker) -> usize {
        self.offsets.get(marker.index()).or(self.offsets.last()).copied().unwrap_or_default()
    }
}

/// Lines of both texts differ only in the blanks that they start with.
fn offsets(source: &Source<'_>, seen: &str) -> Vec<usize> {
    let seen = Source::new(source.name, seen).map(|seen| seen.lines).unwrap_or_default();
    let mut offsets = Vec::with_capacity(source.text.len() + 1);
    let mut start = 0;
    for ((seen, _), (line, end)) in seen.all().zip(source.lines.all()) {
        let (moved, blanks) = (blanks(seen), blanks(line));
        let inside = |at| if at < moved { blanks.min(at) } else { at - moved + blanks };
        offsets.extend(seen.char_indices().map(|(at, _)| start + inside(at)));
        let stop = start + line.len();
        start = stop + end.text("").len();
        offsets.extend(stop..start);
    }
    offsets.push(start);
    offsets
}

fn blanks(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// What surrounds a scalar, as far as it decides what may be written there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Root,
    Value,
    Key,
    FlowValue,
    FlowKey,
}

/// A scalar and where it stands.
#[derive(Debug)]
pub(super) struct Scalar {
    pub(super) text: String,
    pub(super) style: ScalarStyle,
    pub(super) context: Context,
    /// What is read as its text, quotes included; of a block scalar all lines below the header.
    pub(super) content: Range<usize>,
    /// Where the `|` or `>` of a block scalar stands; else the start of the content.
    pub(super) header: usize,
}

/// The scalars of a text, in its order.
pub(super) fn find(text: &str, events: &Events<'_>) -> Vec<Scalar> {
    let mut walk = Walk { text, open: Vec::new(), last: 0, scalars: Vec::new() };
    for (event, span) in events {
        walk.event(event, span);
    }
    walk.scalars
}

/// A collection that is open.
struct Open {
    map: bool,
    flow: bool,
    nodes: usize,
}

struct Walk<'t> {
    text: &'t str,
    open: Vec<Open>,
    /// Where the last thing ended that can hold a `|` or `>` of its own.
    last: usize,
    scalars: Vec<Scalar>,
}

impl Walk<'_> {
    fn event(&mut self, event: &Event<'_>, span: &Range<usize>) {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let properties = usize::from(*anchor > 0) + usize::from(tag.is_some());
                self.scalar(text, *style, properties, span);
            }
            Event::SequenceStart(anchor, tag) | Event::MappingStart(anchor, tag) => {
                let properties = usize::from(*anchor > 0) + usize::from(tag.is_some());
                self.start(event, properties, span);
            }
            Event::Alias(_) => {
                self.node();
                self.last = span.end;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let flow = self.open.pop().is_some_and(|open| open.flow);
                self.last = if flow { self.last.max(span.end) } else { self.last };
            }
            Event::DocumentStart(true) => self.last = span.end,
            _ => {}
        }
    }

    fn start(&mut self, event: &Event<'_>, properties: usize, span: &Range<usize>) {
        self.node();
        let at = after_properties(self.text, span.start, properties);
        let bracket = !span.is_empty() && self.text.get(at..).is_some_and(|text| text.starts_with(['[', '{']));
        let flow = bracket || self.open.last().is_some_and(|open| open.flow);
        let map = matches!(event, Event::MappingStart(..));
        self.open.push(Open { map, flow, nodes: 0 });
        self.last = self.last.max(at);
    }

    /// Counts a node of the collection that is open, and says what surrounds it.
    fn node(&mut self) -> Context {
        let Some(open) = self.open.last_mut() else { return Context::Root };
        open.nodes += 1;
        match (open.map && open.nodes % 2 == 1, open.flow) {
            (false, false) => Context::Value,
            (true, false) => Context::Key,
            (false, true) => Context::FlowValue,
            (true, true) => Context::FlowKey,
        }
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, properties: usize, span: &Range<usize>) {
        let context = self.node();
        let start = after_properties(self.text, span.start, properties);
        let (header, inside) = match style {
            ScalarStyle::Plain => (start, start..span.end),
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => (start, start..quote_end(self.text, start)),
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let header = block_header(self.text, if properties > 0 { start } else { self.last });
                (header, line_end(self.text, header)..span.end)
            }
        };
        self.last = inside.end.max(self.last);
        self.scalars.push(Scalar { text: text.to_owned(), style, context, content: inside, header });
    }
}

/// The offset behind so many anchors and tags, and behind the white space and comments after each.
fn after_properties(text: &str, start: usize, properties: usize) -> usize {
    let mut at = start;
    for _ in 0..properties {
        let rest = text.get(at..).unwrap_or_default();
        at += rest.find([' ', '\t', '\n', '\r']).unwrap_or(rest.len());
        at = after_comments(text, at);
    }
    at
}

fn after_comments(text: &str, start: usize) -> usize {
    let mut rest = text.get(start..).unwrap_or_default();
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        let Some(comment) = rest.strip_prefix('#') else { return text.len() - rest.len() };
        rest = comment.find(['\n', '\r']).and_then(|end| comment.get(end..)).unwrap_or_default();
    }
}

/// The offset behind the quote that closes the one at `start`.
fn quote_end(text: &str, start: usize) -> usize {
    let mut chars = text.get(start..).unwrap_or_default().char_indices().peekable();
    let quote = chars.next().map(|(_, c)| c);
    while let Some((at, c)) = chars.next() {
        if c == '\\' && quote == Some('"') {
            chars.next();
        } else if Some(c) == quote && (c == '"' || chars.next_if(|(_, c)| *c == '\'').is_none()) {
            return start + at + 1;
        }
    }
    text.len()
}

/// The next `|` or `>` that is not in a comment. Before it can only stand blanks, comments and `:`, `-` or `?`.
fn block_header(text: &str, start: usize) -> usize {
    let mut comment = false;
    let header = text.get(start..).unwrap_or_default().char_indices().find(|(_, c)| {
        comment = *c == '#' || comment && !matches!(c, '\n' | '\r');
        !comment && matches!(c, '|' | '>')
    });
    header.map_or(text.len(), |(at, _)| start + at)
}

/// Where the line of an offset ends, before its line break.
fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.find(['\n', '\r'])).map_or(text.len(), |end| at + end)
}

/// The scalar in whose content an offset is.
pub(super) fn holder(scalars: &[Scalar], at: usize) -> Option<&Scalar> {
    let after = scalars.partition_point(|scalar| scalar.content.start <= at);
    scalars.get(..after)?.last().filter(|scalar| scalar.content.contains(&at))
}

/// The comments of a text, in its order: each from a `#` after white space to the end of its line (YAML 1.2.2 §6.6).
pub(super) fn comments(text: &str, scalars: &[Scalar]) -> Vec<Range<usize>> {
    let (mut found, mut start) = (Vec::new(), 0);
    for line in text.split_inclusive(['\n', '\r']) {
        let opens = |&(hash, _): &(usize, &str)| {
            let before = line.get(..hash).unwrap_or_default();
            (before.is_empty() || before.ends_with([' ', '\t'])) && holder(scalars, start + hash).is_none()
        };
        let first = line.match_indices('#').find(opens);
        found.extend(first.map(|(hash, _)| start + hash..start + line.len()));
        start += line.len();
    }
    found
}

/// Whether an offset outside of all scalars is in one of the comments.
pub(super) fn is_comment(comments: &[Range<usize>], at: usize) -> bool {
    let after = comments.partition_point(|comment| comment.start <= at);
    comments.get(..after).and_then(<[_]>::last).is_some_and(|comment| comment.contains(&at))
}

/// Whether the word around an offset is an anchor, an alias or a tag, or its line a directive.
pub(super) fn is_property(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let word = before.rfind([' ', '\t', '\n', '\r', '[', '{', ',']).map_or(0, |end| end + 1);
    let line = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let starts = |at: usize, marks: &[char]| before.get(at..).is_some_and(|text| text.starts_with(marks));
    starts(word, &['&', '*', '!']) || starts(line, &['%'])
}
