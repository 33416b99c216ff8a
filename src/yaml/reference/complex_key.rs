//! A key that is a collection: its events become a text in flow style, by which maps tell their keys apart.

use foldhash::HashSet;

use saphyr_parser::{Event, Marker};

/// A collection that is a key, on its way to a text in flow style.
pub(super) struct ComplexKey {
    pub(super) text: String,
    pub(super) open: Vec<Inside>,
    pub(super) at: Marker,
}

/// A collection of a key that is still open.
pub(super) struct Inside {
    closing: char,
    /// The number of its anchor, 0 where it has none.
    pub(super) anchor: usize,
    /// How many keys, values and items it has so far.
    parts: usize,
    /// Where its last part starts in the text.
    last: usize,
    keys: HashSet<String>,
}

impl ComplexKey {
    /// Adds what the next event tells; a key that its map has already is handed back.
    pub(super) fn add(&mut self, event: &Event<'_>, written: &str) -> Option<String> {
        if matches!(event, Event::SequenceEnd | Event::MappingEnd) {
            self.text.extend(self.open.pop().map(|inside| inside.closing));
            return None;
        }
        let again = self.open.last_mut().and_then(|inside| inside.part(&mut self.text));
        match event {
            Event::SequenceStart(anchor, _) => self.start(('[', ']'), *anchor),
            Event::MappingStart(anchor, _) => self.start(('{', '}'), *anchor),
            _ => self.text.push_str(written),
        }
        again
    }

    fn start(&mut self, (opening, closing): (char, char), anchor: usize) {
        self.text.push(opening);
        self.open.push(Inside { closing, anchor, parts: 0, last: 0, keys: HashSet::default() });
    }
}

impl Inside {
    /// Separates the next part from the one before. That was a key where a value follows: the key, if it is no new one.
    fn part(&mut self, text: &mut String) -> Option<String> {
        let is_value = self.closing == '}' && self.parts % 2 == 1;
        let key = text.get(self.last..).filter(|key| is_value && !key.is_empty()).map(str::to_owned);
        text.push_str(match self.parts {
            0 => "",
            _ if is_value => ": ",
            _ => ", ",
        });
        self.parts += 1;
        self.last = text.len();
        key.filter(|key| !self.keys.insert(key.clone()))
    }
}
