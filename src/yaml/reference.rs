//! The reference parser's understanding of a text: saphyr's events → [`Outline`].
//!
//! Only the event iterator of saphyr-parser is used: its loaders expand aliases and overflow the stack on deep input.
//! Where it is laxer than YAML, [`Strict`] looks again at each event, and this at what they make together: duplicate
//! keys, anchors that outlive their document, recursion.

mod complex_key;
mod flaw;
mod input;
#[cfg(test)]
mod tests;

use foldhash::HashMap;
use std::borrow::Cow;
use std::collections::BTreeMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Tag};

use self::complex_key::ComplexKey;
use self::flaw::Flaw;
use self::input::Bytes;
use crate::text::error::{Cause, Error, Place, visible};
use crate::text::piece::Piece;
use crate::text::source::{Columns, Source};
use crate::yaml::limits::MAX_DEPTH;
use crate::yaml::mistakes::{self, TOO_DEEP};
use crate::yaml::names::FEW;
use crate::yaml::outline::{Anchor, Anchored, Outline, Row, RowKind, Target, is_text};
use crate::yaml::row::RowId;
use crate::yaml::strict::{Seen, Strict};
use crate::yaml::view::View;

/// What is made of a key that appears twice in a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Duplicates {
    #[default]
    Refused,
    /// As most programs have it.
    LastCounts,
}

/// Reads a text with the reference parser. Refuses what is not valid YAML, with the place and a way out.
pub(crate) fn outline<'a>(source: &Source<'a>, view: &View) -> Result<Outline<'a>, Error> {
    outline_with(source, view, Duplicates::Refused)
}

/// The same for a text in which keys may appear twice.
pub(crate) fn outline_with<'a>(source: &Source<'a>, view: &View, duplicates: Duplicates) -> Result<Outline<'a>, Error> {
    let (mut strict, mut columns) = (Strict::of(source), Columns::default());
    let mut builder = Builder { duplicates, ..Builder::default() };
    // A row for each line, unless most of them are empty.
    builder.outline.rows.reserve(source.lines.len().min(source.text.len() / 8));
    let text = view.text(source);
    let unbroken = (!text.ends_with(['\n', '\r'])).then(|| text.chars().count());
    for event in Parser::new(Bytes::of(&text)) {
        let (mut event, span) =
            event.map_err(|error| mistakes::explain(source, &error, view.place(source, place(error.marker()))))?;
        if unbroken == Some(span.end.index()) {
            builder.outline.unbroken |= end_text(&mut event);
        }
        let at = view.place(source, place(&span.start));
        let end = view.place(source, place(&span.end));
        strict.check(source, &mut columns, &Seen { event: &event, at, end })?;
        let text = match &event {
            Event::Scalar(text, ..) => as_written(columns.cut(source, at).1, text),
            Event::Alias(_) => Piece::Borrowed(alias_name(columns.cut(source, at).1)),
            _ => Piece::Borrowed(""),
        };
        builder.event(event, text, span.start).map_err(|flaw| flaw.error(source, view))?;
    }
    Ok(builder.outline)
}

/// Takes the line break from a text that ends its file without one; whether it had one. The reference parser gives such a
/// text the line break that other parsers, by YAML 1.2.2 §8.1.1.2, do not: see [`chomping`](crate::yaml::chomping).
fn end_text(event: &mut Event<'_>) -> bool {
    let Event::Scalar(text, ScalarStyle::Literal | ScalarStyle::Folded, ..) = event else { return false };
    let Some(own) = text.strip_suffix('\n').map(str::len) else { return false };
    text.to_mut().truncate(own);
    true
}

/// The text of a scalar, borrowed from what stands on its first line, where it stands there just like that. saphyr hands
/// out owned texts with room to grow, and there is one for every key.
fn as_written<'a>(line: &'a str, text: &str) -> Piece<'a> {
    let quoted = || line.strip_prefix(['"', '\'']).filter(|line| line.starts_with(text));
    // Most texts over several lines are longer than the first of them.
    let inside = || (text.len() <= line.len()).then(|| line.find(text)).flatten().map(|start| &line[start..]);
    match Some(line).filter(|line| line.starts_with(text)).or_else(quoted).or_else(inside) {
        Some(found) => Piece::Borrowed(&found[..text.len()]),
        None => Piece::from(text.to_owned()),
    }
}

/// The alias that a text starts with, as written: the events only number it.
fn alias_name(text: &str) -> &str {
    text.split([' ', '\t', ',', '[', ']', '{', '}']).next().unwrap_or_default()
}

/// What a tag stands for, however it is written: `!local`, or a whole URI (YAML 1.2.2 §6.9.1).
fn full_name(tag: &Tag) -> String {
    format!("{}{}", tag.handle, tag.suffix)
}

fn place(marker: &Marker) -> Place {
    Place { line: marker.line(), column: marker.col() + 1 }
}

/// A collection that is still open: its row, and where it stands between key and value.
struct Open<'a> {
    row: RowId,
    map: bool,
    key: Option<Key<'a>>,
}

/// A key whose value comes next.
struct Key<'a> {
    name: Piece<'a>,
    at: Marker,
    /// Whether it is text for its quotes alone.
    quoted: bool,
}

#[derive(Default)]
struct Builder<'a> {
    outline: Outline<'a>,
    open: Vec<Open<'a>>,
    /// What each anchor of this document stands before, by saphyr's number.
    anchors: BTreeMap<usize, Target>,
    key: Option<ComplexKey>,
    duplicates: Duplicates,
    /// Room for the values of a map that ends, but for those of empty keys.
    fields: Vec<RowId>,
}

impl<'a> Builder<'a> {
    /// Takes the next event; `text` is that of a scalar or the name of an alias.
    fn event(&mut self, event: Event<'_>, text: Piece<'a>, at: Marker) -> Result<(), Flaw> {
        if self.key.is_some() || (self.wants_key() && is_start(&event)) {
            return self.key_event(&event, &text, at);
        }
        match event {
            Event::DocumentStart(_) => self.anchors.clear(),
            Event::Scalar(_, style, anchor, tag) => {
                if self.wants_key() {
                    let quoted = style != ScalarStyle::Plain && !is_text(&text);
                    self.name(Key { name: text, at, quoted });
                    self.define_in_key(anchor, Anchored::Key(Some(style).filter(|_| tag.is_none())));
                } else {
                    let row = self.scalar(text, style, at, tag);
                    self.define(anchor, row);
                }
            }
            Event::Alias(anchor) => self.alias(anchor, text, at)?,
            Event::SequenceStart(anchor, tag) => self.start(RowKind::List, anchor, at, tag)?,
            Event::MappingStart(anchor, tag) => self.start(RowKind::Map, anchor, at, tag)?,
            Event::SequenceEnd | Event::MappingEnd => self.end()?,
            Event::DocumentEnd | Event::StreamStart | Event::StreamEnd | Event::Nothing => {}
        }
        Ok(())
    }

    fn wants_key(&self) -> bool {
        self.open.last().is_some_and(|open| open.map && open.key.is_none())
    }

    fn name(&mut self, key: Key<'a>) {
        if let Some(open) = self.open.last_mut() {
            open.key = Some(key);
        }
    }

    fn define(&mut self, anchor: usize, row: RowId) {
        if anchor > 0 {
            self.outline[row].anchored = true;
            self.define_target(anchor, Target { row, part: Anchored::Value });
        }
    }

    /// An anchor before a key, or inside of one, belongs to the value that comes next.
    fn define_in_key(&mut self, anchor: usize, part: Anchored) {
        if anchor > 0 {
            self.define_target(anchor, Target { row: self.outline.end(), part });
        }
    }

    fn define_target(&mut self, anchor: usize, target: Target) {
        self.anchors.insert(anchor, target);
        self.outline.anchors.push(Anchor { target, written: String::new() });
    }

    fn scalar(&mut self, text: Piece<'a>, style: ScalarStyle, at: Marker, tag: Option<Cow<'_, Tag>>) -> RowId {
        let row = self.push(RowKind::Scalar(style), at, tag);
        self.outline[row].text = text;
        row
    }

    fn push(&mut self, kind: RowKind, at: Marker, tag: Option<Cow<'_, Tag>>) -> RowId {
        let row = self.outline.end();
        let key = self.open.last_mut().and_then(|open| open.key.take());
        if self.open.is_empty() {
            self.outline.documents.push(row);
        }
        let line = key.as_ref().map_or(at, |key| key.at).line();
        let (name, quoted_key) = key.map_or((None, false), |key| (Some(key.name), key.quoted));
        self.outline.rows.push(Row {
            depth: u8::try_from(self.open.len()).unwrap_or(u8::MAX),
            line,
            kind,
            name,
            text: Piece::Borrowed(""),
            tagged: false,
            anchored: false,
            end: row.next(),
            gone: false,
        });
        if quoted_key {
            self.outline.set_quoted_key(row);
        }
        if let Some(tag) = tag {
            self.outline.set_tag(row, full_name(&tag));
        }
        row
    }

    fn alias(&mut self, anchor: usize, name: Piece<'a>, at: Marker) -> Result<(), Flaw> {
        self.outline.aliases += 1;
        let target = self.target(anchor, at)?;
        if self.wants_key() {
            self.name(Key { name, at, quoted: false });
        } else {
            let row = self.push(RowKind::Alias(target), at, None);
            self.outline[row].text = name;
        }
        Ok(())
    }

    /// What an alias refers to.
    fn target(&self, anchor: usize, at: Marker) -> Result<Target, Flaw> {
        let Some(&target) = self.anchors.get(&anchor) else {
            let what = "this alias has no anchor before it in its document";
            let flaw = Flaw::new(at, what, "an anchor holds only up to the end of its document");
            return Err(flaw.because(Cause::AliasWithoutAnchor));
        };
        if self.open.iter().any(|open| Some(open.row) == target.value()) {
            Err(Flaw::recursive(at))
        } else {
            Ok(target)
        }
    }

    fn start(&mut self, kind: RowKind, anchor: usize, at: Marker, tag: Option<Cow<'_, Tag>>) -> Result<(), Flaw> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Flaw::new(at, format!("nested more than {MAX_DEPTH} levels deep"), TOO_DEEP));
        }
        let row = self.push(kind, at, tag);
        self.define(anchor, row);
        self.open.push(Open { row, map: kind == RowKind::Map, key: None });
        Ok(())
    }

    fn end(&mut self) -> Result<(), Flaw> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        self.outline[open.row].end = self.outline.end();
        let refuses = open.map && self.duplicates == Duplicates::Refused;
        if refuses { self.refuse_duplicates(open.row) } else { Ok(()) }
    }

    /// YAML 1.2.2 §3.2.1.3 wants keys to be unique; saphyr lets them pass, and other programs take the last one. Empty
    /// keys pass here too: the public test suite (2JQS) holds them to be valid, and no configuration has any.
    fn refuse_duplicates(&mut self, map: RowId) -> Result<(), Flaw> {
        self.collect_fields(map);
        let Some((first, again)) = self.duplicate(map) else { return Ok(()) };
        let rows = &self.outline;
        let name = rows[again].name.as_deref().unwrap_or_default();
        let what = format!("key `{}` appears twice, first on line {}", visible(name), rows[first].line);
        let at = Marker::new(0, rows[again].line, 0);
        Err(Flaw::new(at, what, "programs disagree which one counts: keep one").at_word(name))
    }

    fn collect_fields(&mut self, map: RowId) {
        self.fields.clear();
        let mut empty_keys = 0;
        for at in self.outline.children(map) {
            match self.outline[at].name.as_deref() {
                Some("") => empty_keys += 1,
                Some(_) => self.fields.push(at),
                None => {}
            }
        }
        self.outline.has_twin_empty_keys |= empty_keys > 1;
    }

    /// The first two values of a map that have the same name. The names of a large map are kept to be looked up again.
    fn duplicate(&mut self, map: RowId) -> Option<(RowId, RowId)> {
        let name = |at: RowId| self.outline[at].name.as_ref();
        if self.fields.len() <= FEW {
            let twin = |before: &[RowId], at: RowId| before.iter().copied().find(|&first| name(first) == name(at));
            let mut fields = self.fields.iter().enumerate();
            return fields.find_map(|(place, &at)| Some((twin(&self.fields[..place], at)?, at)));
        }
        let mut names = HashMap::default();
        for &at in &self.fields {
            if let Some(first) = names.insert(name(at)?.clone(), at) {
                return Some((first, at));
            }
        }
        self.outline.large.insert(map, names);
        None
    }

    /// A collection as a key is kept as text: it is compared, but never looked into.
    fn key_event(&mut self, event: &Event<'_>, written: &str, at: Marker) -> Result<(), Flaw> {
        let mut key = self.key.take().unwrap_or(ComplexKey { text: String::new(), open: Vec::new(), at });
        if key.open.len() >= MAX_DEPTH {
            return Err(Flaw::new(at, format!("nested more than {MAX_DEPTH} levels deep"), TOO_DEEP));
        }
        if let Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) | Event::Scalar(_, _, anchor, _) = event
        {
            self.define_in_key(*anchor, if key.open.is_empty() { Anchored::Key(None) } else { Anchored::InKey });
        }
        if let Event::Alias(anchor) = event {
            self.outline.aliases += 1;
            self.target(*anchor, at)?;
            if key.open.iter().any(|inside| inside.anchor == *anchor) {
                return Err(Flaw::recursive(at));
            }
        }
        if let Some(name) = key.add(event, written) {
            let what = format!("key `{}` appears twice", visible(&name));
            return Err(Flaw::new(at, what, "programs disagree which one counts: keep one").at_word(&name));
        }
        if key.open.is_empty() {
            self.name(Key { name: Piece::from(key.text), at: key.at, quoted: false });
        } else {
            self.key = Some(key);
        }
        Ok(())
    }
}

fn is_start(event: &Event<'_>) -> bool {
    matches!(event, Event::SequenceStart(..) | Event::MappingStart(..))
}

/// The text of one scalar as it is written, quotes and escapes resolved; nothing where it is not one.
pub(crate) fn scalar(written: &str) -> Option<String> {
    // A document marker is one only in column 0.
    let inside = if written.starts_with(['-', '.']) { Piece::from(format!(" {written}")) } else { written.into() };
    let mut texts = Parser::new_from_str(&inside).map_while(Result::ok).filter_map(|(event, _)| match event {
        Event::Scalar(text, ..) => Some(Some(text.into_owned())),
        Event::MappingStart(..) | Event::SequenceStart(..) | Event::Alias(_) => Some(None),
        _ => None,
    });
    let text = texts.next()??;
    texts.next().is_none().then_some(text)
}

/// Whether a text can stand in a flow collection, as item, key and value, without quotes.
pub(crate) fn is_plain_in_flow(text: &str) -> bool {
    is_plain_three_times(text, &format!("[{text}, {{{text}: {text}}}]"))
}

/// Whether a text can stand on one line outside of brackets, as item or value, without quotes.
pub(crate) fn is_plain_in_block(text: &str) -> bool {
    is_plain_three_times(text, &format!("- {text}\n- - {text}\n- - - {text}\n"))
}

fn is_plain_three_times(text: &str, sample: &str) -> bool {
    let mut scalars = 0;
    let all = Parser::new_from_str(sample).all(|event| match event {
        Ok((Event::Scalar(found, ScalarStyle::Plain, 0, None), _)) => {
            scalars += 1;
            found == text
        }
        Ok((Event::Scalar(..) | Event::Alias(_), _)) | Err(_) => false,
        Ok(_) => true,
    });
    all && scalars == 3 && !text.contains('\n')
}
