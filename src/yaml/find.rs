//! How a path finds a node: `server/ports[2]`, `users[name=ann]/shell`, `@1/kind` in the second document.
//!
//! What a user types is ambiguous: `a.b` is a key or two, `e[0]` an item or a key that is called so. The tree decides.
//! First every `/` separates and nothing else does; where that finds nothing, keys are tried as prefixes of the text,
//! the longest first, with `/` or `.` behind them. A path that starts with `/` is a JSON Pointer (RFC 6901).

use crate::text::error::{Error, Place};
use crate::yaml::document::is_document;
use crate::yaml::outline::Outline;
use crate::yaml::place::Place as Value;
use crate::yaml::tree::{Kind, Node};

/// Finds what a user's path names in a file: the indices of the children to follow, from the stream node down.
///
/// # Errors
/// A path that finds nothing because it is not well formed: an open quote or bracket.
pub(crate) fn find(stream: &Node<'_>, outline: &Outline<'_>, text: &str) -> Result<Option<Vec<usize>>, Error> {
    let (only, steps) = document_and_steps(text);
    if steps.is_empty() {
        return check(steps).map(|()| None);
    }
    let counted = stream.children.iter().enumerate().filter(|(_, document)| is_document(document));
    let wanted = (0..).zip(counted).filter(|(number, _)| only.is_none_or(|only| *number == only));
    let wanted: Vec<_> = wanted.map(|(_, (at, document))| (at, Value::of(document, outline))).collect();
    for separators in [Separators::Strict, Separators::Loose] {
        for &(at, document) in &wanted {
            let found = match steps.strip_prefix('/') {
                Some(steps) => pointer(document, steps),
                None => separators.find(document, steps),
            };
            if let Some(mut below) = found {
                below.push(at);
                below.reverse();
                return Ok(Some(below));
            }
        }
    }
    check(steps).map(|()| None)
}

/// The document that `@1` at the start of a path names, and the path inside of it. No plain key can start with `@`.
fn document_and_steps(text: &str) -> (Option<usize>, &str) {
    let rest = text.strip_prefix('@').unwrap_or_default();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    match rest[..digits].parse() {
        Ok(number) => (Some(number), rest[digits..].strip_prefix('/').unwrap_or(&rest[digits..])),
        Err(_) => (None, text),
    }
}

/// What separates the steps of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separators {
    /// `/` alone, and a step is a whole key.
    Strict,
    /// `/` or `.`, wherever a key ends.
    Loose,
}

impl Separators {
    /// The way down to what `text` names, last step first.
    fn find(self, value: Value<'_, '_>, text: &str) -> Option<Vec<usize>> {
        if text.is_empty() {
            return Some(Vec::new());
        }
        let children = value.children();
        let steps = match value.kind() {
            Kind::Map => self.keys(&children, text),
            Kind::List => self.items(&children, text).into_iter().collect(),
            Kind::Leaf => Vec::new(),
        };
        steps.into_iter().find_map(|(at, rest)| {
            let mut way = self.find(children[at], rest)?;
            way.push(at);
            Some(way)
        })
    }

    /// The keys of a map that `text` can start with, and what is left behind each; the longest first.
    fn keys<'t>(self, children: &[Value<'_, '_>], text: &'t str) -> Vec<(usize, &'t str)> {
        let quoted = quoted_step(text);
        let rest_behind = |name: &str| match &quoted {
            Some((step, rest)) if step == name => self.behind(rest),
            _ => self.behind(text.strip_prefix(name).filter(|_| self.may_start(text, name))?),
        };
        let keys = children.iter().enumerate();
        let mut found: Vec<_> = keys.filter_map(|(at, child)| Some((at, rest_behind(child.name()?)?))).collect();
        found.sort_by_key(|(_, rest)| rest.len());
        found
    }

    /// A key in a strict path ends at the first `/` or `[`; one that holds them has to be quoted.
    fn may_start(self, text: &str, name: &str) -> bool {
        let end = text.find(['/', '[']).unwrap_or(text.len());
        !name.is_empty() && (self == Separators::Loose || end == name.len())
    }

    /// What is left behind a step and its separator; nothing where the step does not end there.
    fn behind(self, rest: &str) -> Option<&str> {
        match rest.chars().next() {
            None | Some('[') => Some(rest),
            Some('/') => Some(&rest[1..]),
            Some('.') if self == Separators::Loose => Some(&rest[1..]),
            Some(_) => None,
        }
    }

    /// The item that `[2]` or `[name=value]` selects.
    fn items<'t>(self, children: &[Value<'_, '_>], text: &'t str) -> Option<(usize, &'t str)> {
        let (selector, rest) = text.strip_prefix('[')?.split_once(']')?;
        let at = match selector.split_once('=') {
            Some((name, value)) => children.iter().position(|item| item.text_of(name) == Some(value))?,
            None => selector.parse().ok().filter(|at| *at < children.len())?,
        };
        Some((at, self.behind(rest)?))
    }
}

/// RFC 6901: every step behind a `/`, `~1` for `/` and `~0` for `~`; items by number. The way down, last step first.
fn pointer(value: Value<'_, '_>, text: &str) -> Option<Vec<usize>> {
    let (step, rest) = text.split_once('/').map_or((text, None), |(step, rest)| (step, Some(rest)));
    let step = step.replace("~1", "/").replace("~0", "~");
    let children = value.children();
    let at = match value.kind() {
        Kind::Map => children.iter().position(|child| child.name() == Some(&step))?,
        Kind::List => step.parse().ok().filter(|at| *at < children.len())?,
        Kind::Leaf => return None,
    };
    let mut way = rest.map_or(Some(Vec::new()), |rest| pointer(children[at], rest))?;
    way.push(at);
    Some(way)
}

/// A step in quotes at the start of a path, and what follows the closing one.
pub(crate) fn quoted_step(text: &str) -> Option<(String, &str)> {
    if !text.starts_with(['"', '\'']) {
        return None;
    }
    let end = crate::text::scan::quote_end(text)?;
    Some((crate::yaml::reference::scalar(&text[..end])?, &text[end..]))
}

/// Whether a path is well formed.
pub(crate) fn check(text: &str) -> Result<(), Error> {
    let refuse = |what: &str, column: usize| {
        let help = "a path reads like server/ports[2], users[name=ann]/shell or 'a.b'/c";
        Err(Error::input(format!("bad path `{}`: {what}", crate::text::error::visible(text)))
            .at(Place { line: 1, column: column + 1 }, text)
            .help(help))
    };
    if text.is_empty() {
        return refuse("it is empty", 0);
    }
    if text.starts_with(['"', '\'']) && quoted_step(text).is_none() {
        return refuse("the quote is not closed", 0);
    }
    match text.rfind('[') {
        Some(open) if !text[open..].contains(']') => refuse("the bracket is not closed", text[..open].chars().count()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::source::Source;

    const FILE: &str = "a.b:\n  c: 1\nspring:\n  boot.admin:\n    x: 1\ne[0]: 1\nl:\n- name: web\n  port: 1\n- [x]\n\"q/r\": {}\n\"'o'k:n\": 1\n\
        f: {x.y: [{name: db, port: 1}, {name: web,\n  port: 2}, k: {z: 1}], \"q r\": {}}\n";

    fn found(path: &str) -> Option<String> {
        let source = Source::new("test", FILE).unwrap();
        let checked = crate::yaml::check::read(&source).unwrap();
        let way = find(&checked.stream, &checked.outline, path).unwrap()?;
        let value = Value::of(&checked.stream, &checked.outline).follow(&way).unwrap();
        let line = value.node().map_or(checked.outline[value.row()].line, Node::line);
        Some(format!("{line}:{}", value.name().unwrap_or_default()))
    }

    #[test]
    fn finds_what_a_person_would_mean() {
        let table = [
            ("a.b/c", "2:c"),
            ("a.b.c", "2:c"),
            ("'a.b'/c", "2:c"),
            ("spring.boot.admin.x", "5:x"),
            ("e[0]", "6:e[0]"),
            ("l[0]/port", "9:port"),
            ("l[name=web].port", "9:port"),
            ("/l/0/port", "9:port"),
            ("\"q/r\"", "11:q/r"),
            ("/q~1r", "11:q/r"),
            ("@0/l[1]", "10:"),
            ("'o'k:n", "12:'o'k:n"),
            ("l[1][0]", "10:"),
            ("f/x.y[0]/port", "13:port"),
            ("f.x.y[name=web].port", "14:port"),
            ("/f/x.y/1/port", "14:port"),
            ("f/x.y[2]/k/z", "14:z"),
            ("f/'q r'", "14:q r"),
        ];
        for (path, expected) in table {
            assert_eq!(found(path).as_deref(), Some(expected), "{path}");
        }
    }

    #[test]
    fn finds_nothing_rather_than_something_like_it() {
        for path in ["a", "l[2]", "l[name=db]", "sprin", "a.b/c/d", "/l/x", "f/x.y[3]", "f/x.y[0]/port/x", "/f/q r/x"] {
            assert_eq!(found(path), None, "{path}");
        }
    }

    #[test]
    fn comments_that_end_with_a_marker_are_no_document() {
        let source = Source::new("test", "# license\n...\nport: 80\n---\nhost: web\n").unwrap();
        let checked = crate::yaml::check::read(&source).unwrap();
        assert_eq!(find(&checked.stream, &checked.outline, "@1/host").unwrap(), Some(vec![1, 0]));
    }

    #[test]
    fn refuses_what_is_not_a_path() {
        for (path, column) in [("", 1), ("l[0", 2), ("'a", 1)] {
            assert_eq!(check(path).unwrap_err().place().unwrap().column, column, "{path}");
        }
    }
}
