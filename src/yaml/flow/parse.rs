//! Where the entries of a flow collection stand in its text.

use std::ops::Range;

/// A flow collection by position.
#[derive(Debug)]
pub(crate) struct Collection {
    pub(crate) map: bool,
    /// The offset of its opening bracket.
    pub(crate) start: usize,
    pub(crate) entries: Vec<Entry>,
    /// The offset behind its closing bracket.
    pub(crate) end: usize,
}

/// An entry of a map, or an item of a list.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) start: usize,
    /// The offset behind its last character.
    pub(crate) end: usize,
    /// The offset of the comma behind it.
    pub(crate) comma: Option<usize>,
    /// Whether it has a key; in a list it is a map of one pair then (YAML 1.2.2 §7.5).
    pub(crate) pair: bool,
    /// Whether a colon stands behind its key: `{a}` and `{? a}` hold a key alone (YAML 1.2.2 §7.4.2).
    pub(crate) colon: bool,
    /// Whether its key is double-quoted, as in JSON.
    pub(crate) quoted: bool,
    /// Its key as written; of an item without one the item.
    pub(crate) key: Range<usize>,
    /// Its value as written, with anchor and tag; empty where there is none.
    pub(crate) holds: Range<usize>,
    /// What it holds, where that is a collection again.
    pub(crate) value: Option<Collection>,
}

impl Entry {
    /// The offset behind it and its comma.
    pub(crate) fn own_end(&self) -> usize {
        self.comma.map_or(self.end, |comma| comma + 1)
    }
}

impl Collection {
    /// Reads the collection whose opening bracket stands at an offset; both parsers have accepted the text.
    pub(crate) fn read(text: &str, at: usize) -> Option<Self> {
        Parser { text, at }.collection()
    }

    /// The entry at the end of a way of child indices, with the collection that it stands in. The one pair of an item
    /// such as `[a: 1]` is a step of the way, but no entry of its own.
    pub(crate) fn find(&self, way: &[usize]) -> Option<(&Self, usize)> {
        let (&at, mut below) = way.split_first()?;
        let entry = self.entries.get(at)?;
        if entry.pair && !self.map {
            below = below.get(1..).unwrap_or_default();
        }
        if below.is_empty() { Some((self, at)) } else { entry.value.as_ref()?.find(below) }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

const BLANKS: &[u8] = b" \t\n";
const INDICATORS: &[u8] = b",[]{}";

impl Parser<'_> {
    fn collection(&mut self) -> Option<Collection> {
        let start = self.at;
        let map = self.byte()? == b'{';
        self.at += 1;
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            self.skip_blanks();
            match self.byte()? {
                b']' | b'}' => {
                    self.at += 1;
                    return Some(Collection { map, start, entries, end: self.at });
                }
                b',' => {
                    entries.last_mut()?.comma = Some(self.at);
                    self.at += 1;
                }
                _ => entries.push(self.entry()?),
            }
        }
    }

    fn entry(&mut self) -> Option<Entry> {
        let start = self.at;
        let explicit = self.skip_question_mark();
        let quoted = self.byte()? == b'"';
        let key_start = self.at;
        let (key, key_end) = self.node(start + usize::from(explicit))?;
        let written = key_start.min(key_end)..key_end;
        self.skip_blanks();
        if self.byte()? != b':' {
            let holds = if explicit { key_end..key_end } else { written.clone() };
            return Some(Entry {
                start,
                end: key_end,
                comma: None,
                pair: explicit,
                colon: false,
                quoted,
                key: written,
                holds,
                value: key,
            });
        }
        self.at += 1;
        let colon = self.at;
        self.skip_blanks();
        let value_start = self.at;
        let (value, end) = self.node(colon)?;
        let holds = value_start.min(end)..end;
        Some(Entry { start, end, comma: None, pair: true, colon: true, quoted, key: written, holds, value })
    }

    /// `? ` before a key says that it is one (YAML 1.2.2 §7.4.2).
    fn skip_question_mark(&mut self) -> bool {
        let next = self.text.as_bytes().get(self.at + 1);
        let explicit = self.byte() == Some(b'?') && next.is_none_or(|next| BLANKS.contains(next));
        if explicit {
            self.at += 1;
            self.skip_blanks();
        }
        explicit
    }

    /// A scalar or collection with its properties, and the offset behind it; `before` where there is none.
    fn node(&mut self, before: usize) -> Option<(Option<Collection>, usize)> {
        let before = self.properties().unwrap_or(before);
        match self.byte()? {
            b'[' | b'{' => {
                let collection = self.collection()?;
                let end = collection.end;
                Some((Some(collection), end))
            }
            b'"' | b'\'' => {
                self.at += crate::text::scan::quote_end(&self.text[self.at..])?;
                Some((None, self.at))
            }
            _ => Some((None, self.plain(before))),
        }
    }

    /// Skips anchors and tags; the offset behind the last one.
    fn properties(&mut self) -> Option<usize> {
        let mut end = None;
        while let Some(b'&' | b'!') = self.byte() {
            self.at = crate::text::scan::property_end(self.text, self.at);
            end = Some(self.at);
            self.skip_blanks();
        }
        end
    }

    /// A plain scalar in flow ends before `, [ ] { }`, a colon that ends a key, or a comment (YAML 1.2.2 §7.3.3).
    fn plain(&mut self, before: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = before;
        while let Some(&byte) = bytes.get(self.at) {
            let next = bytes.get(self.at + 1);
            let colon = byte == b':' && next.is_none_or(|next| BLANKS.contains(next) || INDICATORS.contains(next));
            let comment = byte == b'#' && self.at > 0 && BLANKS.contains(&bytes[self.at - 1]);
            if colon || comment || INDICATORS.contains(&byte) {
                break;
            }
            self.at += 1;
            if !BLANKS.contains(&byte) {
                end = self.at;
            }
        }
        end
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space, line ends and comments.
    fn skip_blanks(&mut self) {
        while let Some(byte) = self.byte() {
            match byte {
                b' ' | b'\t' | b'\n' => self.at += 1,
                b'#' => self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at),
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entries as they are written, with what their own values hold in brackets behind them.
    fn entries(text: &str, collection: &Collection) -> String {
        let shown = collection.entries.iter().map(|entry| {
            let inside = entry.value.as_ref().map_or_else(String::new, |inner| format!("({})", entries(text, inner)));
            format!("<{}>{inside}", &text[entry.start..entry.end])
        });
        shown.collect()
    }

    #[test]
    fn finds_every_entry() {
        let table = [
            ("{a: 1, b: 2}", "<a: 1><b: 2>"),
            ("{a: 1 , b , : c, d: }", "<a: 1><b><: c><d:>"),
            ("{\"a\":1,'b':[x, y],}", "<\"a\":1><'b':[x, y]>(<x><y>)"),
            ("[a: 1, {b: 2}, [], *c]", "<a: 1><{b: 2}>(<b: 2>)<[]>()<*c>"),
            ("{? a : 1, ? b, ?c: 2}", "<? a : 1><? b><?c: 2>"),
            ("{? [a, b] : 1, {c: d}: e}", "<? [a, b] : 1><{c: d}: e>"),
            ("{&x a: &y 1, b: !!str , c: !<t> {d: *x }}", "<&x a: &y 1><b: !!str><c: !<t> {d: *x }>(<d: *x>)"),
            ("{a: it's # no, more}\n, b: \"} ,\n]\"}", "<a: it's><b: \"} ,\n]\">"),
            ("{a: two\n  words , b: x#y, http://z: :x}", "<a: two\n  words><b: x#y><http://z: :x>"),
            ("{ключ: значение, 日: 本}", "<ключ: значение><日: 本>"),
            ("{a: &x\n  [1], b: 'it''s, }'}", "<a: &x\n  [1]>(<1>)<b: 'it''s, }'>"),
            ("{a\n: # none\n  1,\tb\t:\t2\t}", "<a\n: # none\n  1><b\t:\t2>"),
        ];
        for (text, expected) in table {
            let collection = Collection::read(text, 0).unwrap();
            assert_eq!(entries(text, &collection), expected, "{text}");
            assert_eq!(collection.end, text.len(), "{text}");
        }
    }

    #[test]
    fn follows_a_way_through_items_of_one_pair() {
        let text = "[x, a: {b: 1, c: 2}]";
        let root = Collection::read(text, 0).unwrap();
        let found = |way: &[usize]| root.find(way).map(|(map, at)| &text[map.entries[at].start..map.entries[at].end]);
        assert_eq!(found(&[1]), Some("a: {b: 1, c: 2}"));
        assert_eq!(found(&[1, 0, 1]), Some("c: 2"));
        assert_eq!(found(&[2]), None);
        assert_eq!(found(&[0, 0]), None);
    }
}
