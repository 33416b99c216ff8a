//! Templates of Helm, Jinja, Ansible and the like, which are YAML only once they are rendered.
//!
//! Left out: what YAML accepts. `{{ x }}` alone is a map that is a key of a map, and `"{{ x }}"` is a text.

use super::{line, strip_openers};
use crate::text::error::{Error, Place};
use crate::text::scan;
use crate::text::source::Source;

/// Words with which a statement of a template starts, as in `{{ if .Values.tls }}`. Any other word is a value.
const STATEMENTS: [&str; 9] = ["if", "else", "end", "range", "with", "define", "include", "template", "block"];

/// The error where the line of a mistake, or the line with content before it, starts with a template, or its value does.
pub(super) fn explain(source: &Source<'_>, place: Place) -> Option<Error> {
    let is_content = |at: &usize| !matches!(line(source, *at).trim_start().bytes().next(), None | Some(b'#'));
    let before = (1..place.line).rev().find(is_content);
    let lines = [Some((place.line, place.column)), before.map(|at| (at, usize::MAX))];
    lines.into_iter().flatten().find_map(|(number, column)| {
        let (at, template) = template(line(source, number))?;
        let place = Place { line: number, column: at };
        (at < column).then(|| error(source, place, template)).flatten()
    })
}

/// The column of a template that starts a line or its value, be it in brackets, and the text from there.
fn template(line: &str) -> Option<(usize, &str)> {
    let text = strip_openers(line);
    let value = scan::key_and_rest(text).map_or(text, |(_, rest)| rest.trim_start_matches([':', ' ', '\t', '[']));
    let column = line.chars().count() - value.chars().count() + 1;
    ["{{", "{%", "{# "].iter().any(|start| value.starts_with(start)).then_some((column, value))
}

/// The error for a template, unless it is a value without text behind it, which YAML accepts.
fn error(source: &Source<'_>, place: Place, template: &str) -> Option<Error> {
    let is_line = line(source, place.line).trim() == template.trim();
    let behind = template.split_once("}}").map(|(_, behind)| behind.trim_end());
    if is_statement(template) || (is_line && behind == Some("")) {
        let what = "not valid YAML: this is a template that has not been rendered";
        let help = "render it first, and upgrade what comes out";
        return Some(source.error(what, place).help(help));
    }
    let behind = behind?;
    let is_accepted = behind.trim_start().is_empty()
        || behind.trim_start().starts_with(['#', ',', ']', '}'])
        || scan::behind_marker(behind, ":").is_some();
    let error = source.error("not valid YAML: text behind the braces that start a value", place);
    (!is_accepted).then(|| error.help("quote the whole value; where the file is a template, render it first"))
}

/// Whether a template is a statement or a comment and stands for no value: `{%`, `{#`, `{{-`, `{{#`, `{{ if`.
fn is_statement(template: &str) -> bool {
    let Some(inner) = template.strip_prefix("{{") else { return true };
    let inner = inner.trim_start();
    let word = inner.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    inner.starts_with(['-', '#', '/', '^', '>']) || STATEMENTS.contains(&word)
}
