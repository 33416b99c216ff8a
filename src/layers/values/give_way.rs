//! What layers of documents need: a value that gives way to another and keeps its comments, or leaves them to the other.

use std::collections::HashMap;
use std::sync::Arc;

use super::Value;
use super::paragraphs::join_behind;
use crate::yaml::document::has_directive;
use crate::yaml::tree::{Line, Shape};

impl<'a> Value<'a> {
    /// Another value in the place of this one, which was here as a placeholder: comments of this one stay where it has
    /// any, over its key and behind its value.
    pub(crate) fn give_way_to(&mut self, mut new: Value<'a>) {
        let inline = self.inline();
        if self.shell.above.iter().any(Line::is_comment) {
            new.shell.above.clear();
        }
        let (below, shape) = (std::mem::take(&mut self.shell.below), new.shell.shape);
        if !inline.is_empty() && new.shell.continuation.is_empty() {
            let own = new.shell.value_text.len() - new.inline().len();
            new.shell.value_text = format!("{}{inline}", &new.shell.value_text[..own]).into();
        }
        self.replace(new);
        if shape == Shape::Open && self.is_block() {
            join_behind(self.shell.below.vec(), &below);
        } else {
            self.shell.below.extend(below);
        }
    }

    /// Another map is to be joined with this one: where that has comments over its key or behind it, those of this one
    /// go; so in all maps inside of both.
    pub(crate) fn yield_comments(&mut self, other: &Value<'a>) {
        if other.shell.above.iter().any(Line::is_comment) {
            self.shell.above.retain(|line| !line.is_comment());
        }
        let inline = other.inline();
        if !inline.is_empty() && self.is_block() {
            let own = self.inline();
            let properties = self.shell.value_text.len() - own.len();
            self.shell.value_text = format!("{}{inline}", &self.shell.value_text[..properties]).into();
        }
        let maps = other.children().iter().filter(|entry| entry.is_map());
        let theirs: HashMap<&str, &Value<'a>> = maps.map(|entry| (entry.name(), entry)).collect();
        for at in 0..if theirs.is_empty() { 0 } else { self.children().len() } {
            let pair = self.children().get(at).filter(|own| own.is_map()).and_then(|own| theirs.get(own.name()));
            if let (Some(entry), Some(own)) = (pair, self.child_mut(at)) {
                own.yield_comments(entry);
            }
        }
    }

    /// It comes behind other documents, which are written already; whether a `...` has to end the last of them
    /// (YAML 1.2.2 §9.2).
    pub(crate) fn comes_behind(&mut self) -> bool {
        if self.shell.marker().is_none() {
            self.shell.set_marker(Some("---"));
        }
        has_directive(&self.shell)
    }

    /// Lines that stand behind this document in its file.
    pub(crate) fn stand_below(&mut self, lines: Vec<Line<'a>>) {
        self.shell.below.extend(lines);
    }

    /// Says of all that is inside of this value, too, which rule decided on it.
    pub(crate) fn by_all(&mut self, rule: &Arc<str>) {
        self.origin.rule = Some(Arc::clone(rule));
        for at in 0..self.children().len() {
            if let Some(child) = self.child_mut(at) {
                child.by_all(rule);
            }
        }
    }

    /// Says of it and of all that is inside of it that it is secret.
    pub(crate) fn hide(&mut self) {
        self.origin.is_secret = true;
        for at in 0..self.children().len() {
            if let Some(child) = self.child_mut(at) {
                child.hide();
            }
        }
    }

    /// Whether it is secret, or anything inside of it.
    pub(crate) fn hides(&self) -> bool {
        self.origin.is_secret || self.children().iter().any(Value::hides)
    }
}
