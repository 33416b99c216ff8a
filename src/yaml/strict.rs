//! What the reference parser lets pass although YAML does not: each event is looked at again in the text it came from.
//!
//! Every check names the production of YAML 1.2.2 that it stands for. What needs more than one event and its place
//! (duplicate keys, anchors) is decided where the events are put together.

use saphyr_parser::{Event, ScalarStyle};

use crate::text::error::{Error, Place};
use crate::text::scan;
use crate::text::source::{Columns, Source};
use crate::yaml::limits::LONGEST_KEY;
use crate::yaml::mistakes::{self, LONG_KEY, TAB};

/// An event of the reference parser and where it stands in the file.
pub(crate) struct Seen<'e, 'p> {
    pub(crate) event: &'e Event<'p>,
    pub(crate) at: Place,
    /// Where it ends.
    pub(crate) end: Place,
}

/// How a collection starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opening {
    Block,
    Bracket,
    /// An anchor or a tag stands before the bracket.
    BracketBehindProperty,
}

/// What is known of a text that is looked at event by event.
#[derive(Default)]
pub(crate) struct Strict {
    /// How many collections in block style are open, and how many in flow style inside of those.
    block: usize,
    flow: usize,
    /// Where each open collection starts, and whether behind `?`.
    starts: Vec<(Place, bool)>,
    /// The line on which the event before ended.
    line: usize,
    /// Whether there is any tab in the text, as there is in few.
    has_tabs: bool,
}

impl Strict {
    pub(crate) fn of(source: &Source<'_>) -> Self {
        Self { has_tabs: memchr::memchr(b'\t', source.text.as_bytes()).is_some(), ..Self::default() }
    }

    /// Refuses an event that no valid text has.
    #[inline]
    pub(crate) fn check(
        &mut self,
        source: &Source<'_>,
        columns: &mut Columns,
        seen: &Seen<'_, '_>,
    ) -> Result<(), Error> {
        self.outdented(source, seen)?;
        self.indented_by_tab(source, columns, seen)?;
        self.long_key(source, columns, seen)?;
        match seen.event {
            Event::DocumentStart(true) => directives(source, seen.at),
            Event::Scalar(text, ScalarStyle::Plain, ..) => {
                first_character(source, seen.at, text)?;
                if text.is_empty() { Ok(()) } else { comment_inside(source, seen) }
            }
            Event::Scalar(_, ScalarStyle::Literal | ScalarStyle::Folded, ..) if self.block == 0 => {
                marker_inside(source, seen)
            }
            Event::SequenceStart(anchor, tag) | Event::MappingStart(anchor, tag) => {
                let bracket = before_bracket(source, columns, seen);
                let opening = match bracket {
                    Some(_) if *anchor > 0 || tag.is_some() => Opening::BracketBehindProperty,
                    Some(_) => Opening::Bracket,
                    None => Opening::Block,
                };
                let before = bracket.unwrap_or_else(|| before_block(source, columns, seen));
                self.collection(source, before, seen.end.line, opening)
            }
            Event::Scalar(_, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted, ..) => {
                self.comment_behind_colon(source, columns, seen)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let open = if self.flow > 0 { &mut self.flow } else { &mut self.block };
                *open = open.saturating_sub(1);
                self.comment_behind_colon(source, columns, seen)
            }
            _ => Ok(()),
        }
    }

    /// What goes on inside of brackets stands deeper than the block that these stand in (§7.4): `x: [a\nb]`. Brackets
    /// that close, and comments, may stand at the margin.
    fn outdented(&mut self, source: &Source<'_>, seen: &Seen<'_, '_>) -> Result<(), Error> {
        let first = std::mem::replace(&mut self.line, seen.end.line) + 1;
        if self.flow == 0 || self.block == 0 {
            return Ok(());
        }
        let outdented = |number: &usize| {
            !matches!(line(source, *number).bytes().next(), None | Some(b' ' | b'\t' | b'#' | b']' | b'}'))
        };
        (first..=seen.end.line).find(outdented).map_or(Ok(()), |line| {
            let what = "this line goes on inside of brackets, but is not indented";
            let help = "indent it, or close the bracket or the quote above";
            Err(source.error(what, Place { line, column: 1 }).help(help))
        })
    }

    /// A scalar that starts on a line of its own inside of a block is indented by spaces (§6.1), also where an anchor
    /// stands before it, `? &a⏎⇥b`, and in brackets.
    fn indented_by_tab(&self, source: &Source<'_>, columns: &mut Columns, seen: &Seen<'_, '_>) -> Result<(), Error> {
        let starts = matches!(seen.event, Event::Scalar(text, ..) if !text.is_empty());
        if !starts || self.block == 0 || !self.has_tabs {
            return Ok(());
        }
        let first = first_line(source, columns, seen);
        if line(source, first).starts_with('\t') {
            return Err(source.error(TAB.0, Place { line: first, column: 1 }).help(TAB.1));
        }
        Ok(())
    }

    /// A key in brackets that no `?` stands before has at most 1,024 characters with its anchor and tag (§7.4.2): others
    /// no parser looks for, but the reference parser. In blocks it holds to that, too.
    fn long_key(&mut self, source: &Source<'_>, columns: &mut Columns, seen: &Seen<'_, '_>) -> Result<(), Error> {
        let is_explicit =
            |columns: &mut Columns| without_properties(columns.cut(source, seen.at).0).trim_ascii_end().ends_with('?');
        let (start, explicit) = match seen.event {
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                self.starts.push((seen.at, self.flow > 0 && is_explicit(columns)));
                return Ok(());
            }
            Event::SequenceEnd | Event::MappingEnd => self.starts.pop().unwrap_or((seen.at, false)),
            Event::Scalar(..) if self.flow > 0 && is_long(seen.at, seen.end) => (seen.at, is_explicit(columns)),
            _ => return Ok(()),
        };
        let may_be_key = self.flow > 0 && !explicit && is_long(start, seen.end);
        if !may_be_key || !columns.cut(source, seen.end).1.trim_ascii_start().starts_with(':') {
            return Ok(());
        }
        let characters = |number: usize| line(source, number).chars().count() + 1;
        let length = (start.line..seen.end.line).map(characters).sum::<usize>() + seen.end.column - start.column;
        if length <= LONGEST_KEY {
            return Ok(());
        }
        Err(source.error(LONG_KEY.0, start).help(LONG_KEY.1))
    }

    /// White space comes before a comment (§6.6), also behind the colon of a key in quotes or brackets, which may have its
    /// value right behind it (§7.4.2): `{"a":#b`.
    fn comment_behind_colon(
        &self,
        source: &Source<'_>,
        columns: &mut Columns,
        key: &Seen<'_, '_>,
    ) -> Result<(), Error> {
        if self.flow == 0 {
            return Ok(());
        }
        let (before, behind) = columns.cut(source, key.end);
        let colon = behind.trim_ascii_start();
        if !colon.starts_with(":#") {
            return Ok(());
        }
        let blanks = behind.len() - colon.len();
        let place = Place { line: key.end.line, column: before.chars().count() + blanks + 2 };
        Err(source.error("a comment needs a blank before its `#`", place).help("put one there, or quote the value"))
    }

    /// A collection that starts right behind `before` on its line, perhaps behind an anchor or a tag.
    fn collection(&mut self, source: &Source<'_>, before: &str, line: usize, opening: Opening) -> Result<(), Error> {
        let in_block = self.flow == 0 && opening == Opening::Block;
        *(if in_block { &mut self.block } else { &mut self.flow }) += 1;
        match opening {
            Opening::BracketBehindProperty => blank_behind(source, line, before),
            Opening::Block if in_block => no_tab(source, line, before),
            Opening::Block | Opening::Bracket => Ok(()),
        }
    }
}

/// What stands before a block collection on its line.
fn before_block<'a>(source: &Source<'a>, columns: &mut Columns, seen: &Seen<'_, '_>) -> &'a str {
    let before = columns.cut(source, seen.end).0;
    if matches!(seen.event, Event::SequenceStart(..)) { without_first_dash(before) } else { before }
}

/// What stands on its line before the anchor and the tag of what follows it. The line may be as long as its file.
fn without_properties(before: &str) -> &str {
    let mut before = before.trim_ascii_end();
    loop {
        let (rest, word) = before.split_at(before.rfind([' ', '\t', ',', '[', '{']).map_or(0, |at| at + 1));
        if !word.starts_with(['&', '!']) {
            return before;
        }
        before = rest.trim_ascii_end();
    }
}

/// Whether what stands between two places may be longer than a key.
fn is_long(start: Place, end: Place) -> bool {
    start.line < end.line || end.column > start.column + LONGEST_KEY
}

/// The line on which a scalar starts: for the reference parser an anchor or a tag above it is a part of it.
fn first_line(source: &Source<'_>, columns: &mut Columns, seen: &Seen<'_, '_>) -> usize {
    if seen.at.line == seen.end.line {
        return seen.at.line;
    }
    let is_bare = |text: &str| scan::value_start(text).0 == scan::Start::Nothing;
    if !is_bare(columns.cut(source, seen.at).1) {
        return seen.at.line;
    }
    (seen.at.line + 1..=seen.end.line).find(|&number| !is_bare(line(source, number))).unwrap_or(seen.at.line)
}

/// A `%YAML` directive of another major version announces what no program of today can read (§6.8.1), and the reference
/// parser does not ask for white space behind the handle of a `%TAG` (§6.8.2).
fn directives(source: &Source<'_>, marker: Place) -> Result<(), Error> {
    let above = (1..marker.line).rev().map(|number| (number, line(source, number)));
    let directives = above.take_while(|(_, text)| text.trim_start().is_empty() || text.starts_with(['#', '%']));
    for (number, text) in directives {
        let refused = |what: &str, help: &str| Err(source.error(what, Place { line: number, column: 1 }).help(help));
        let mut words = text.split([' ', '\t']).filter(|word| !word.is_empty());
        let (name, value) = (words.next(), words.next().unwrap_or_default());
        let major = value.split('.').next().and_then(|major| major.parse::<u32>().ok());
        if name == Some("%YAML") && major.is_some_and(|major| major != 1) {
            return refused(
                "this file says that it is not YAML 1",
                "yamlift reads YAML 1.1 and 1.2; is this the right file?",
            );
        }
        if name == Some("%TAG") && !value.ends_with('!') {
            return refused(
                "a blank is missing behind the handle of this directive",
                "it reads like %TAG !e! tag:example.org,2000:",
            );
        }
    }
    Ok(())
}

/// Whether a text may stand without quotes, where the reference parser takes it for a plain scalar.
pub(crate) fn may_be_plain(text: &str) -> bool {
    !text.starts_with(['|', '>']) && text != "?"
}

/// Indicators start no plain scalar (§7.3.3): `[|]`, `{?}`.
fn first_character(source: &Source<'_>, at: Place, text: &str) -> Result<(), Error> {
    if !may_be_plain(text) {
        let what = "a value cannot start with this character";
        return Err(source.error(what, at).help("quote the value"));
    }
    Ok(())
}

/// A comment ends a plain scalar (§6.6); the reference parser skips one that stands behind a tab.
fn comment_inside(source: &Source<'_>, seen: &Seen<'_, '_>) -> Result<(), Error> {
    let comment = (seen.at.line + 1..=seen.end.line).find_map(|number| {
        let text = line(source, number);
        let column = scan::after_blanks(text, 0);
        text[column..].starts_with('#').then_some(Place { line: number, column: column + 1 })
    });
    comment.map_or(Ok(()), |place| {
        let what = "a comment cannot stand inside of a value that goes on below it";
        Err(source.error(what, place).help("quote the value, or move the comment above its key"))
    })
}

/// The reference parser does not see that `---` ends a block scalar whose text stands in column 0 (§9.1.2).
fn marker_inside(source: &Source<'_>, seen: &Seen<'_, '_>) -> Result<(), Error> {
    let last = if seen.end.column > 1 { seen.end.line } else { seen.end.line.saturating_sub(1) };
    let first = if seen.at.column > 1 { seen.at.line + 1 } else { seen.at.line };
    match (first..=last).find(|&number| scan::behind_marker(line(source, number), "---").is_some()) {
        Some(line) => Err(mistakes::scalar_before_document(source, line)),
        None => Ok(()),
    }
}

/// What stands on its line before the bracket that a collection starts with. For the reference parser that ends behind
/// the blanks and the comment that follow it.
fn before_bracket<'s>(source: &Source<'s>, columns: &mut Columns, seen: &Seen<'_, '_>) -> Option<&'s str> {
    let starts_here = seen.at.line == seen.end.line;
    let start = if starts_here { columns.cut(source, seen.at).0.len() } else { 0 };
    let before_end = columns.cut(source, seen.end).0;
    let own = before_end.get(start..)?;
    let is_last = |at: &usize| matches!(own[at + 1..].trim_ascii_start().bytes().next(), None | Some(b'#'));
    own.match_indices(['[', '{']).map(|(at, _)| at).find(is_last).map(|at| &before_end[..start + at])
}

/// A blank separates an anchor or a tag from the bracket that it stands before (§6.9).
fn blank_behind(source: &Source<'_>, line: usize, before: &str) -> Result<(), Error> {
    if before.is_empty() || before.ends_with([' ', '\t']) {
        return Ok(());
    }
    let what = "a blank has to follow an anchor or a tag";
    let place = Place { line, column: before.chars().count() + 1 };
    Err(source.error(what, place).help("put a blank before the bracket"))
}

/// Only spaces indent (§6.1), so a key or item that starts a block has no tab before it on its line: `-⇥name: x`.
fn no_tab(source: &Source<'_>, line: usize, before: &str) -> Result<(), Error> {
    let tab = before
        .bytes()
        .take_while(|byte| matches!(byte, b' ' | b'-' | b'?' | b':' | b'\t'))
        .position(|byte| byte == b'\t');
    tab.map_or(Ok(()), |column| {
        let place = Place { line, column: column + 1 };
        Err(source.error(TAB.0, place).help(TAB.1))
    })
}

/// A list at the column of its key starts, for the reference parser, somewhere behind its first dash; one behind a dash
/// and a tab it refuses itself.
fn without_first_dash(before: &str) -> &str {
    if before.trim_start_matches(' ').starts_with('-') { "" } else { before }
}

fn line<'a>(source: &Source<'a>, number: usize) -> &'a str {
    source.lines.numbered(number)
}

#[cfg(test)]
mod tests {
    use crate::{ErrorKind, Options, outline, upgrade};

    #[test]
    fn a_key_in_brackets_is_not_too_long_to_be_found() {
        for (length, passes) in [(1024, true), (1025, false)] {
            let key = "k".repeat(length);
            for text in [format!("a: {{{key}: 1}}"), format!("a: [b, {key}: 1]"), format!("{{\"{}\":1}}", &key[2..])] {
                assert_eq!(outline(&text).is_ok(), passes, "{length}");
            }
            for text in [format!("{{? {key} : 1}}"), format!("[a, {key}]"), format!("{{a: {key}}}")] {
                assert!(outline(&text).is_ok(), "{length}");
            }
            let list = format!("[{}]", &key[2..]);
            for text in [format!("{{{list}: 1}}"), format!("a: [{list}: 1]"), format!("{{? a : {{b, {list}: 1}}}}")] {
                assert_eq!(outline(&text).is_ok(), passes, "{length}");
            }
            for text in [format!("{{? {list}: 1}}"), format!("{{? &x {list}: 1}}"), format!("[{list}, {{a: {list}}}]")]
            {
                assert!(outline(&text).is_ok(), "{length}");
            }
        }
    }

    #[test]
    fn a_document_behind_a_scalar_that_would_swallow_it_is_refused() {
        let current = "port: 80\n--- |\n";
        let update = "port: 80\n---\nnotes: none\n---\ntimeout: 5\n";
        let refused = upgrade(current, update, &Options::default()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Input);
        assert!(refused.what().contains("block scalar"), "{refused}");
    }

    #[test]
    fn a_handle_that_runs_into_its_prefix_is_refused() {
        let refused = outline("%TAG !e!tag:example.org,2000:\n---\na: !e!b 1\n").unwrap_err();
        assert!(refused.what().contains("a blank is missing"), "{refused}");
        assert!(outline("%TAG !e!\ttag:example.org,2000:\n---\na: !e!b 1\n").is_ok());
    }

    #[test]
    fn a_comment_right_behind_a_colon_is_refused() {
        for (text, column) in [("{\"a\":#\"}\n}", 6), ("x: {'é' :#b\n  1}", 10), ("[[a]:#b\n1]", 6)] {
            let refused = outline(text).unwrap_err();
            assert!(refused.what().contains("a comment needs a blank"), "{refused}");
            assert_eq!(refused.place().map(|place| place.column), Some(column), "{refused}");
        }
        assert!(outline("{\"a\": #b\n1, \"b\":\n#b\n1}").is_ok());
    }

    #[test]
    fn a_bracket_right_behind_an_anchor_is_refused() {
        for text in ["ports: &web[80]", "ports: &web[ 80 ]", "ports: &web[ # none\n  80]", "limits: &all{ cpu: 2 }"] {
            let refused = outline(text).unwrap_err();
            assert!(refused.what().contains("a blank has to follow"), "{refused}");
        }
    }

    #[test]
    fn only_brackets_that_close_and_comments_stand_at_the_margin() {
        let table = [
            ("env: {home\n: /srv}", false),
            ("env: {home: /srv,\n# none\n  lang: C\n}", true),
            ("env: [{\n  lang: C\n}, {\n  lang: D\n}]", true),
            ("- [a\nb]", false),
            ("? [a\nb]", false),
            ("env: {home, [srv\n/tmp]}", false),
            ("- [ a,\nb]", false),
            ("- [ # none\nb]", false),
            ("[a\nb,\nc]", true),
            ("--- {a\n: b}", true),
        ];
        for (text, passes) in table {
            assert_eq!(outline(text).is_ok(), passes, "{text}");
        }
    }
}
