//! Writing the value of a lost anchor at the first alias that means it.

use saphyr_parser::ScalarStyle;

use super::images::Images;
use super::mark::{Definition, Id, Part, part, part_mut, unmarked};
use super::repairs::{Repairs, path};
use super::sites::{Site, sites};
use super::tokens::{Extent, Token, tokens};
use super::{at, at_mut};
use crate::comments;
use crate::text::scan;
use crate::yaml::flow;
use crate::yaml::outline::{Anchored, Outline};
use crate::yaml::tree::{Kind, Node, Opener, Shape};

/// Puts the value that an alias means in its place; whether that can be.
pub(super) fn write_out<'a>(repairs: &mut Repairs<'_, 'a>, stream: &mut Node<'a>, alias: &Site) -> bool {
    let Some(definition) = repairs.anchors.definition(alias.meant) else { return false };
    if let Some(value) = definition.node.as_ref().filter(|_| alias.is_value()) {
        let mut value = value.clone();
        comments::say_once(&mut value, &stream.children[alias.way[0]]);
        let taken = take_value(at_mut(stream, &alias.way), value, alias);
        if taken {
            strip(repairs, stream, alias);
        }
        return taken;
    }
    let Some(text) = in_flow(definition, repairs.outline(alias.meant.file), alias) else { return false };
    let text = stripped(repairs, stream, text, alias);
    let Some(token) = replace_alias(at_mut(stream, &alias.way), &text, alias) else { return false };
    repairs.in_flow.push((path(stream, &alias.way), token, text));
    true
}

/// Gives a node the value of another one.
fn take_value<'a>(node: &mut Node<'a>, value: Node<'a>, alias: &Site) -> bool {
    let Part::Line(line) = alias.found.part else { return false };
    let behind = part(node, alias.found.part).get(alias.found.token.end..).unwrap_or("").to_owned();
    let own = if line > 0 { std::mem::take(&mut node.value_text).into_owned() } else { String::new() };
    let gap = if value.value_text.starts_with([' ', '\t']) { "" } else { " " };
    let mut rest = format!("{gap}{}", value.value_text);
    let open = value.shape == Shape::Open && value.continuation.is_empty();
    if open && !behind.trim_ascii().is_empty() {
        rest.truncate(scan::comment_behind(&rest).unwrap_or(rest.len()));
        rest.truncate(rest.trim_ascii_end().len());
    }
    let free = value.continuation.is_empty() && scan::comment_behind(&rest).is_none();
    let comment = if behind.trim_ascii().is_empty() { own } else { behind };
    node.value_text = if free && !comment.trim_ascii().is_empty() { rest + &comment } else { rest }.into();
    let item = matches!(node.opener, Opener::Item { .. });
    let below = std::mem::take(&mut node.below);
    node.indent = if item && value.kind() != Kind::Leaf { value.indent.max(2) } else { value.indent };
    (node.continuation, node.shape, node.children) = (value.continuation, value.shape, value.children);
    node.below = value.below;
    node.below.extend(below);
    true
}

/// Puts a text in the place of an alias, which is handed back.
fn replace_alias(node: &mut Node<'_>, text: &str, alias: &Site) -> Option<String> {
    let line = part_mut(node, alias.found.part)?;
    let place = alias.found.token.start..alias.found.token.end;
    let token = line.get(place.clone())?.to_owned();
    line.replace_range(place, text);
    if alias.is_value() {
        let (start, _) = scan::value_start(line);
        node.shape = if start == scan::Start::Flow { Shape::Flow { empty: false } } else { Shape::Plain };
    }
    Some(token)
}

/// The value of a definition in flow style, with its anchor. In a key it would make another key.
fn in_flow(definition: &Definition<'_>, outline: &Outline<'_>, alias: &Site) -> Option<String> {
    if alias.found.part.is_key() {
        return None;
    }
    let row = definition.target.row;
    let style = match definition.target.part {
        Anchored::Value => return flow::render(row, outline),
        Anchored::Key(style) => style?,
        Anchored::InKey => return None,
    };
    let (name, anchor) = (outline[row].name.as_deref()?, outline.anchors.get(alias.meant.at)?);
    let text = match style {
        ScalarStyle::Plain if name.is_empty() => String::new(),
        ScalarStyle::Plain => flow::scalar(name),
        _ => flow::quote(name),
    };
    Some(format!("&{} {text}", anchor.written))
}

/// Takes the anchors out of a value that was written, where they stand elsewhere already.
fn strip<'a>(repairs: &Repairs<'_, 'a>, stream: &mut Node<'a>, alias: &Site) {
    let mut all = repairs.sites(stream, alias.way[0]);
    all.retain(|site| !site.way.starts_with(&alias.way));
    let here = sites(at(stream, &alias.way), &mut alias.way.clone(), repairs.anchors.sign);
    let elsewhere = Elsewhere { repairs, alias, others: &all, images: Images::of(stream) };
    let gone = |site: &Site| site.is_anchor() && site.id != alias.id && elsewhere.has(site.id);
    let gone: Vec<_> = here.into_iter().filter(gone).collect();
    for site in gone.into_iter().rev() {
        if let Some(line) = part_mut(at_mut(stream, &site.way), site.found.part) {
            take_out(line, site.found.token);
        }
    }
}

/// A text that is to be written, without the anchors that stand elsewhere already. An anchor alone stays: nothing at all
/// cannot be an item in flow.
fn stripped<'a>(repairs: &Repairs<'_, 'a>, stream: &Node<'a>, whole: String, alias: &Site) -> String {
    let mut text = whole.clone();
    let all = repairs.sites(stream, alias.way[0]);
    let elsewhere = Elsewhere { repairs, alias, others: &all, images: Images::of(stream) };
    for token in tokens(&text, Extent::Flow).into_iter().rev().filter(|token| token.is_anchor()) {
        let id = unmarked(&text[token.start..token.end], repairs.anchors.sign).map(|(_, id)| id);
        if id.is_some_and(|id| id != alias.id && elsewhere.has(id)) {
            take_out(&mut text, token);
        }
    }
    if text.is_empty() { whole } else { text }
}

/// What stands outside of the value that is written in the place of an alias.
struct Elsewhere<'e, 's, 'a> {
    repairs: &'e Repairs<'s, 'a>,
    alias: &'e Site,
    others: &'e [Site],
    images: Images<'e, 'a>,
}

impl Elsewhere<'_, '_, '_> {
    /// Whether an anchor stands there, or can be put there.
    fn has(&self, id: Id) -> bool {
        self.others.iter().any(|site| site.is_anchor() && site.id == id)
            || self
                .repairs
                .image(&self.images, id, self.alias.way[0])
                .is_some_and(|way| !way.starts_with(&self.alias.way))
    }
}

fn take_out(line: &mut String, token: Token) {
    let end = scan::after_blanks(line, token.end);
    line.replace_range(token.start..end, "");
}

#[cfg(test)]
mod tests {
    use crate::{ErrorKind, Options, upgrade};

    #[test]
    fn an_alias_in_a_key_is_refused_where_its_anchor_gave_way() {
        let update = "hosts:\n- &web web\n? [*web]\n: 80\n";
        let refused = upgrade("hosts:\n", update, &Options::default()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Input);
        assert!(refused.what().contains("an alias on this line"), "{refused}");
    }

    #[test]
    fn a_key_with_an_alias_is_refused_where_its_anchor_gets_another_name() {
        let both = "?\n- &x v\n- &x a\n- *x\n?\n- *x\n";
        let deleted = |path: &str| Options { delete: vec![path.to_owned()], ..Options::default() };
        let refused = upgrade(both, both, &deleted("\"[v, a, *x]\"")).err();
        let refused = refused.or_else(|| upgrade(both, both, &deleted("\"[*x]\"")).err()).unwrap();
        assert_eq!(refused.kind(), ErrorKind::Input, "{refused}");
    }

    #[test]
    fn a_key_that_is_an_alias_is_refused_where_it_would_mean_what_it_stands_in() {
        let refused = upgrade("&x\na: 1\n", "a: [&x 1, *x]\n*x : 1\n", &Options::default()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Input);
        assert!(refused.what().contains("an alias on this line"), "{refused}");
    }

    #[test]
    fn a_key_that_is_an_alias_is_refused_where_its_anchor_has_another_name() {
        let refused = upgrade("web: &front a\n", "web: &host a\n*host : 80\n", &Options::default()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Input);
        assert!(refused.what().contains("an alias on this line"), "{refused}");
    }

    #[test]
    fn a_key_with_a_bracket_is_quoted_where_an_alias_of_it_is_written_out() {
        let update = "? &x\n  2]\nb: {a: *x}\n";
        let done = upgrade("{a: 1}\n", update, &Options::default()).unwrap();
        assert_eq!(done.text(), "{a: 1, \"2]\":, b: {a: &x \"2]\"}}\n");
    }
}
