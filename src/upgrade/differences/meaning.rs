//! A file as what it means, one line for each value: what two files differ in line by line is a difference of meaning.

use super::{Items, Trail};
use crate::report::shown::shown_whole;
use crate::text::error::visible;
use crate::upgrade::matching;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::row::RowId;
use crate::yaml::value::ValueKind;

/// The values of a file, each behind its path, keys of a map in the order of their names and items in theirs. An item is known
/// by what it is called, and else by none: its number would change where another one comes in before it. `shown` may put
/// something else in the place of a value, which comes by its row.
pub(crate) fn meaning(outline: &Outline<'_>, shown: &dyn Fn(RowId, String) -> String) -> String {
    let mut walk = Walk { outline, shown, text: String::new() };
    for &document in &outline.documents {
        walk.value(document, &Trail::root(outline, document), "");
    }
    walk.text
}

struct Walk<'w, 'a> {
    outline: &'w Outline<'a>,
    shown: &'w dyn Fn(RowId, String) -> String,
    text: String,
}

impl Walk<'_, '_> {
    fn value(&mut self, row: RowId, trail: &Trail<'_>, behind: &str) {
        let outline = self.outline;
        let is_empty = outline.children(row).next().is_none();
        match outline[row].kind {
            RowKind::Map if !is_empty => {
                let mut children: Vec<_> = outline.children(row).collect();
                children.sort_by_key(|&child| outline[child].name.as_deref());
                for child in children {
                    let name = outline[child].name.as_deref().unwrap_or_default();
                    self.value(child, &Trail::Key(trail, name), "");
                }
            }
            RowKind::List if !is_empty => self.items(row, trail),
            _ => self.line(row, trail, behind),
        }
    }

    fn items(&mut self, list: RowId, trail: &Trail<'_>) {
        let items = Items::of(self.outline, list);
        let key = matching::name_key(&items.values, &items.values);
        for (at, (&item, &row)) in items.values.iter().zip(&items.rows).enumerate() {
            match trail.item(item, at, key) {
                named @ Trail::Named(..) => self.value(row, &named, ""),
                _ if item.kind() == ValueKind::Map => self.value(row, &Trail::Key(trail, "-"), ""),
                _ => self.value(row, trail, "[]"),
            }
        }
    }

    /// A value, and each line of a text with several on a line of its own.
    fn line(&mut self, row: RowId, trail: &Trail<'_>, behind: &str) {
        let found = &self.outline[row];
        let tag = self.outline.tag(row).map(|tag| format!("!<{tag}> ")).unwrap_or_default();
        let start = format!("{}{behind}: {tag}", trail.path());
        let is_text = matches!(found.kind, RowKind::Scalar(_)) && found.text.contains('\n');
        let whole = if is_text { found.text.to_string() } else { shown_whole(self.outline, row) };
        let value = (self.shown)(row, whole);
        for line in value.split('\n') {
            self.text.extend([&*visible(&start), &visible(line), "\n"]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::source::Source;
    use crate::yaml::check;

    fn of(text: &str) -> String {
        let source = Source::new("test", text).unwrap();
        meaning(&check::read(&source).unwrap().outline, &|_, value| value)
    }

    #[test]
    fn each_value_is_a_line_and_order_of_keys_is_none() {
        let text = "b: [1, {x: y}]\na:\n  t: |\n    one\n    two\n  e: {}\n  n:\n";
        let told = "a/e: {}\na/n: nothing\na/t: one\na/t: two\na/t: \nb[]: 1\nb/-/x: y\n";
        assert_eq!(of(text), told);
        assert_eq!(of("# c\na: {n: , t: \"one\\ntwo\\n\", e: {}}\n\nb:\n- 1\n- x: y\n"), told);
    }

    #[test]
    fn items_are_known_by_what_they_are_called() {
        let told = "jobs[name=b]/at: 2\njobs[name=b]/name: b\njobs[name=a]/at: 1\njobs[name=a]/name: a\n";
        assert_eq!(of("jobs:\n- {name: b, at: 2}\n- {name: a, at: 1}\n"), told);
    }

    #[test]
    fn documents_are_told_apart_and_tags_are_meaning() {
        assert_eq!(of("a: !x 1\n---\n- 2\n"), "@0/a: !<!x> 1\n@1[]: 2\n");
    }
}
