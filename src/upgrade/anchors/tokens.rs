//! Where anchors, aliases and tags stand in the text of a node.

use crate::text::scan;
use crate::yaml::tree::{Node, Shape};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Anchor,
    Alias,
    Tag,
}

/// An anchor, alias or tag by its offset in a text; `start` is that of its `&`, `*` or `!`, `end` the one behind its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) sort: Sort,
}

impl Token {
    pub(super) fn is_anchor(self) -> bool {
        self.sort == Sort::Anchor
    }
}

/// How far a text is looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// The properties before a value, or an alias in its place: what follows is one scalar.
    Value,
    /// A flow collection.
    Flow,
    /// The lines of an explicit key; each may start with a value.
    Block,
}

impl Extent {
    pub(super) fn of(node: &Node<'_>) -> Self {
        if let Shape::Flow { .. } = node.shape { Self::Flow } else { Self::Value }
    }
}

/// The anchors, aliases and tags of a text, in their order.
pub(super) fn tokens(text: &str, extent: Extent) -> Vec<Token> {
    let mut scanner =
        Scanner { text, at: 0, starts: true, depth: usize::from(extent == Extent::Flow), found: Vec::new() };
    while let Some(byte) = scanner.byte(0) {
        let over = scanner.step(byte, extent);
        if over && extent == Extent::Value {
            break;
        }
    }
    scanner.found
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// Whether a value may start here.
    starts: bool,
    /// How many brackets are open; entries of a flow collection are in one, though it need not be in the text.
    depth: usize,
    found: Vec<Token>,
}

impl Scanner<'_> {
    /// Passes over one thing; whether that was a scalar, an alias or a bracket.
    fn step(&mut self, byte: u8, extent: Extent) -> bool {
        match byte {
            b'\n' => self.pass(self.starts || extent == Extent::Block),
            b' ' | b'\t' => self.pass(self.starts),
            b'#' if self.is_separated() => self.at += self.length(|byte| byte == b'\n'),
            b'[' | b'{' if extent != Extent::Value => {
                self.depth += 1;
                self.pass(true);
            }
            b',' if extent != Extent::Value => self.pass(true),
            b'?' | b'-' | b':' if self.is_indicator(byte, extent) => self.pass(true),
            b'!' if self.starts => self.token(Sort::Tag, scan::property_end(self.text, self.at)),
            b'&' if self.starts => self.token(Sort::Anchor, self.word_end()),
            _ => {
                self.scalar(byte, extent);
                return true;
            }
        }
        false
    }

    fn scalar(&mut self, byte: u8, extent: Extent) {
        match byte {
            b'*' if self.starts => self.token(Sort::Alias, self.word_end()),
            b'"' | b'\'' if self.starts => {
                self.at += scan::quote_end(&self.text[self.at..]).unwrap_or(self.text.len() - self.at);
            }
            b']' | b'}' if extent != Extent::Value => {
                self.depth = self.depth.saturating_sub(1);
                self.at += 1;
            }
            _ => self.plain(extent),
        }
        self.starts = false;
    }

    /// A plain scalar goes on up to what can end one (YAML 1.2.2 §7.3.3).
    fn plain(&mut self, extent: Extent) {
        self.at += self.text[self.at..].chars().next().map_or(1, char::len_utf8);
        while let Some(byte) = self.byte(0) {
            let colon = byte == b':' && self.is_indicator(byte, extent);
            let ends = colon || byte == b'\n' || self.ends_in_flow(byte);
            if ends || (byte == b'#' && self.is_separated()) {
                return;
            }
            self.at += 1;
        }
    }

    fn pass(&mut self, starts: bool) {
        self.at += 1;
        self.starts = starts;
    }

    fn token(&mut self, sort: Sort, end: usize) {
        self.found.push(Token { start: self.at, end, sort });
        self.at = end;
    }

    fn word_end(&self) -> usize {
        self.at + self.length(ends_word)
    }

    /// Whether a `?`, `-` or `:` is an indicator. Behind a quote or bracket a colon needs no blank (YAML 1.2.2 §7.4.2).
    fn is_indicator(&self, byte: u8, extent: Extent) -> bool {
        let next = self.byte(1).is_none_or(|next| b" \t\n".contains(&next) || self.ends_in_flow(next));
        let quoted = self.at > 0 && matches!(self.text.as_bytes()[self.at - 1], b'"' | b'\'' | b']' | b'}');
        match byte {
            b':' => extent != Extent::Value && (next || (quoted && !self.starts)),
            _ => extent != Extent::Value && next && self.starts,
        }
    }

    /// Inside of brackets these end a plain scalar; elsewhere they are text: `hosts[0]`.
    fn ends_in_flow(&self, byte: u8) -> bool {
        self.depth > 0 && b",[]{}".contains(&byte)
    }

    fn is_separated(&self) -> bool {
        self.at == 0 || b" \t\n".contains(&self.text.as_bytes()[self.at - 1])
    }

    fn length(&self, ends: impl Fn(u8) -> bool) -> usize {
        let rest = &self.text[self.at..];
        rest.bytes().position(ends).unwrap_or(rest.len())
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }
}

/// What cannot be in the name of an anchor (YAML 1.2.2 §6.9.2).
pub(super) fn ends_word(byte: u8) -> bool {
    b" \t\n,[]{}".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, extent: Extent) -> Vec<&str> {
        tokens(text, extent).into_iter().map(|token| &text[token.start..token.end]).collect()
    }

    #[test]
    fn anchors_aliases_and_tags_are_told_from_text() {
        assert_eq!(found(" !t &a *b", Extent::Value), ["!t", "&a", "*b"]);
        assert_eq!(found(" x, *b &c # *d", Extent::Value), [""; 0]);
        assert_eq!(found(" # &n\n &a\n |", Extent::Value), ["&a"]);
        assert_eq!(
            found("{a: &x [1, *y], 'b *c': \"*d\", !<e,f> e: f *g !h, \"h\":*i, *j : !k} # *l", Extent::Flow),
            ["&x", "*y", "!<e,f>", "*i", "*j", "!k"]
        );
        assert_eq!(found("? &k a[*b, &c]:[!d]\n? [e, *f]: !g", Extent::Block), ["&k", "*f", "!g"]);
        assert_eq!(found("? &k a\n: - *b\n  - c: *d", Extent::Block), ["&k", "*b", "*d"]);
    }
}
