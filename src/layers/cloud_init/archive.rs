//! `#cloud-config-archive`: a list of parts in one file.

use std::rc::Rc;

use super::Options;
use super::part::{Fault, Field, Outer, Part, decoded, inside};
use crate::layers::values::{Schema, Value};
use crate::text::error::Error;

/// Keys of a member that are no headers.
const OWN: [&str; 7] =
    ["content", "filename", "type", "launch-index", "content-disposition", "number-attachments", "content-type"];

/// The members of an archive: texts, and maps with `content`.
///
/// # Errors
/// An archive that is no list.
pub(super) fn members(archive: &Part, options: &Options<'_>, warnings: &mut Vec<String>) -> Result<Vec<Part>, Error> {
    let duplicates = options.reading.duplicates();
    let document = archive.read(&archive.layer, 0, duplicates)?;
    warnings.extend(document.warnings);
    let Some(list) = document.value else { return Ok(Vec::new()) };
    if !list.is_list() {
        let what = format!("an archive is a list of parts, and this is {}", list.kind_name(Schema::Yaml11));
        return Err(archive.error(&Fault::new(what, list.line()).help("write each part as `- content: |`")));
    }
    let mut members = Vec::new();
    let file = archive.text();
    for (at, item) in list.children().iter().enumerate() {
        if let Some(member) = member(archive, &file, at + 1, item) {
            members.push(member);
        } else {
            let what = format!("{} is no member of an archive, and is passed over", item.kind_name(Schema::Yaml11));
            warnings.push(archive.warning(&Fault::new(what, item.line())));
        }
    }
    Ok(members)
}

fn member(archive: &Part, file: &Rc<str>, number: usize, item: &Value<'_>) -> Option<Part> {
    let file_name = item.get("filename").and_then(|name| name.as_text(Schema::Yaml11));
    let name = inside(archive.name(), file_name, number);
    let content = if item.is_map() { item.get("content") } else { Some(item) };
    let text = content.map_or(Some(""), |content| content.as_text(Schema::Yaml11))?.to_owned();
    let first = content.and_then(Value::first_line);
    let outer = first.map(|first| Outer { text: Rc::clone(file), above: first - 1 });
    let name = if outer.is_some() { name } else { decoded(&name) };
    let declared = item.get("type").and_then(|kind| kind.as_text(Schema::Yaml11)).filter(|kind| !kind.is_empty());
    Some(Part { outer, ..Part::member(&name, text, declared) }.with_headers(headers(item)))
}

/// Every other key of a member is a header.
fn headers(member: &Value<'_>) -> Vec<Field> {
    let entries = member.children().iter().filter(|_| member.is_map());
    let entries = entries.filter(|entry| !OWN.contains(&entry.name().to_lowercase().as_str()));
    let field = |entry: &Value<'_>| {
        let value = entry.scalar().map_or_else(String::new, |scalar| scalar.text.to_string());
        Field { name: entry.name().to_owned(), value, line: Some(entry.line()) }
    };
    entries.map(field).collect()
}
