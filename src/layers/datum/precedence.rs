//! The paths of `ResolutionPrecedence`: where a node's layers are, most specific first, with facts of the node in them.

use crate::layers::values::Layer;
use crate::text::error::{Error, visible};

/// What parts the steps of a path.
pub(super) const SEPARATORS: [char; 2] = ['\\', '/'];

/// A piece of a path, or of a text that a fact is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    /// `$($Node.Role)`: what the node's file has there.
    Fact {
        way: Vec<String>,
    },
    /// `$File.BaseName`: what the node's file is called.
    File,
    /// `$File.Directory.BaseName`: what its folder is called.
    Folder,
    /// PowerShell of another kind, as it is written with its brackets.
    Unknown(String),
}

/// One path of the precedence.
#[derive(Debug)]
pub(super) struct Precedence {
    pub(super) text: String,
    /// Where it stands in the definition.
    pub(super) line: usize,
    /// Between the separators.
    pub(super) steps: Vec<Vec<Part>>,
}

impl Precedence {
    /// Reads a path.
    ///
    /// # Errors
    /// One that leads out of the repository, and PowerShell that is no expression in brackets.
    pub(super) fn read(text: &str, file: &Layer, line: usize) -> Result<Self, Error> {
        let about = |what: &str, word: &str| file.error_about(what, line, word);
        if text.contains("<%") {
            let what = "a path with code between `<%=` and `%>` cannot be followed here";
            return Err(about(what, "<%=").help("write $($Node.X) with a fact of the nodes"));
        }
        let parts = parts(text).map_err(|word| {
            let what = format!("`{}` is no name and no expression in brackets", visible(word));
            about(&what, word).help("write $($Node.X), with brackets")
        })?;
        let steps = steps(parts);
        for step in &steps {
            let name = match step.as_slice() {
                [] => "",
                [Part::Text(name)] => name,
                _ => continue,
            };
            refuse_step(name).map_err(|what| {
                let what = format!("`{}` {what}", visible(text));
                about(&what, if name.is_empty() { text } else { name }).help(
                    "a path is a store of DatumStructure, and below it folders, a file and keys: Roles\\$($Node.Role)",
                )
            })?;
        }
        Ok(Self { text: text.to_owned(), line, steps })
    }

    /// The store that it leads into, where that is said without a fact.
    pub(super) fn store(&self) -> Option<&str> {
        match self.steps.first()?.as_slice() {
            [Part::Text(name)] => Some(name),
            _ => None,
        }
    }
}

/// Whether a name may be a step of a path: what is wrong with it, in words.
pub(super) fn refuse_step(name: &str) -> Result<(), &'static str> {
    match name {
        "" => Err("has a step without a name"),
        "." | ".." => Err("leads out of its folder: `.` and `..` are no names"),
        _ if name.contains(SEPARATORS) => Err("has a separator in a name"),
        _ => Ok(()),
    }
}

/// The parts of a text.
///
/// # Errors
/// A `$` that starts no expression in brackets, with what is behind it.
pub(super) fn parts(text: &str) -> Result<Vec<Part>, &str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (before, expression) = rest.split_at(at);
        parts.extend((!before.is_empty()).then(|| Part::Text(before.to_owned())));
        let Some(length) = bracketed(expression) else {
            let end = expression.find(SEPARATORS).unwrap_or(expression.len());
            return Err(&expression[..end]);
        };
        let written = &expression[..length];
        let inside = written.strip_prefix("$(").and_then(|inside| inside.strip_suffix(')')).unwrap_or_default();
        parts.push(variable(inside.trim()).unwrap_or_else(|| Part::Unknown(written.to_owned())));
        rest = &expression[length..];
    }
    parts.extend((!rest.is_empty()).then(|| Part::Text(rest.to_owned())));
    Ok(parts)
}

/// How long `$( … )` is, with what is in brackets inside of it.
fn bracketed(expression: &str) -> Option<usize> {
    let mut open = 0_usize;
    if !expression.starts_with("$(") {
        return None;
    }
    for (at, c) in expression.char_indices() {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            _ => continue,
        }
        if open == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// A variable whose value is known: `$Node.X`, `$Node['X']`, `$File.BaseName`, `$File.Directory.BaseName`.
pub(super) fn variable(text: &str) -> Option<Part> {
    let (name, members) = text.split_at(text.find(['.', '[']).unwrap_or(text.len()));
    let way = members_of(members)?;
    let is = |words: &[&str]| {
        way.len() == words.len() && way.iter().zip(words).all(|(own, word)| own.eq_ignore_ascii_case(word))
    };
    match name.to_ascii_lowercase().as_str() {
        "$node" if !way.is_empty() => Some(Part::Fact { way }),
        "$file" if is(&["BaseName"]) => Some(Part::File),
        "$file" if is(&["Directory", "BaseName"]) || is(&["Directory", "Name"]) => Some(Part::Folder),
        _ => None,
    }
}

/// The members that `.A['B']` names.
fn members_of(mut text: &str) -> Option<Vec<String>> {
    let mut way = Vec::new();
    while !text.is_empty() {
        let (name, rest) = if let Some(rest) = text.strip_prefix('.') {
            rest.split_at(rest.find(|c: char| !is_name(c)).unwrap_or(rest.len()))
        } else {
            let quote = text.strip_prefix('[')?.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
            let (name, rest) = text[2..].split_once(quote)?;
            (name, rest.strip_prefix(']')?)
        };
        way.push(Some(name.to_owned()).filter(|name| !name.is_empty() && !name.contains('$'))?);
        text = rest;
    }
    Some(way)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Parts as steps, parted where a separator stands outside of an expression.
fn steps(parts: Vec<Part>) -> Vec<Vec<Part>> {
    let mut steps = vec![Vec::new()];
    let push = |steps: &mut Vec<Vec<Part>>, part: Part| {
        if let Some(step) = steps.last_mut() {
            step.push(part);
        }
    };
    for part in parts {
        let Part::Text(text) = part else {
            push(&mut steps, part);
            continue;
        };
        for (at, name) in text.split(SEPARATORS).enumerate() {
            if at > 0 {
                steps.push(Vec::new());
            }
            if !name.is_empty() {
                push(&mut steps, Part::Text(name.to_owned()));
            }
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Precedence, Error> {
        let file = Layer { name: "Datum.yml".to_owned(), text: format!("- {text}\n") };
        Precedence::read(text, &file, 1)
    }

    #[test]
    fn a_path_is_steps_with_facts_in_them() {
        let text = |text: &str| Part::Text(text.to_owned());
        let fact = |way: &[&str]| Part::Fact { way: way.iter().map(|&name| name.to_owned()).collect() };
        let steps = read(r#"Roles\v1/$($Node.Role)-$( $node["Site"].Name )"#).unwrap().steps;
        assert_eq!(steps[..2], [vec![text("Roles")], vec![text("v1")]]);
        assert_eq!(steps[2], [fact(&["Role"]), text("-"), fact(&["Site", "Name"])]);
        let unknown = "$($Node.Name.Substring(0, 3))";
        assert_eq!(read(&format!("A\\{unknown}")).unwrap().steps[1], [Part::Unknown(unknown.to_owned())]);
    }

    #[test]
    fn what_leads_elsewhere_is_refused_where_it_stands() {
        for (path, column) in
            [(r"Roles\..\x", 9), (r"Roles\\x", 3), (r"\etc\x", 3), (r"A\$Node.Role\b", 5), ("A/$(x", 5)]
        {
            let error = read(path).unwrap_err();
            assert_eq!(error.place().map(|place| place.column), Some(column), "{path}: {error}");
            assert!(error.to_string().contains("help: "), "{path}");
        }
        assert!(read("<%= $CurrentNode %>").is_err());
    }
}
