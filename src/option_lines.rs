//! Commented-out options: `#port: 80` in the update is the place of a `port` that the user has live.
//!
//! In real users' files nearly half of the keys that a default does not have are such options made live
//! (`upgrade.md` rule 3). The option's line goes, with the deeper commented lines that are its block; what explains it
//! stays above it.

use std::collections::HashMap;

use crate::scan;
use crate::tree::{Line, Offset};

/// The key of a commented-out option, if the line is one.
pub(crate) fn name<'l>(line: &'l Line<'_>) -> Option<&'l str> {
    Some(option(line)?.1)
}

/// The column of the text of a commented-out option, and its key.
fn option<'l>(line: &'l Line<'_>) -> Option<(isize, &'l str)> {
    let (column, text) = uncommented(line)?;
    let (key, _) = scan::key_and_rest(text)?;
    let key = key.trim_end();
    let bare = key.strip_prefix(['"', '\'']).and_then(|inner| inner.strip_suffix(['"', '\''])).unwrap_or(key);
    let is_word = bare.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    is_word.then_some((column, bare))
}

/// The text of a comment behind its `#`, and the column it would stand at.
fn uncommented<'l>(line: &'l Line<'_>) -> Option<(isize, &'l str)> {
    let Line::Text(offset, text, _) = line else { return None };
    let start = match offset {
        Offset::Beside(by) => *by,
        Offset::Margin => 0,
    };
    let inner = text.trim_start_matches('#');
    let content = inner.trim_start_matches([' ', '\t']);
    let width = isize::try_from(text.len() - content.len()).unwrap_or(0);
    (inner.len() < text.len() && !content.is_empty()).then_some((start + width, content))
}

/// An option's name with the lines above it.
type Placed<'a> = (String, Vec<Line<'a>>);

/// Cuts comment lines at the options named in `live`: each with what stands above it, and what is left behind the last.
pub(crate) fn split<'a>(lines: Vec<Line<'a>>, live: &HashMap<String, usize>) -> (Vec<Placed<'a>>, Vec<Line<'a>>) {
    if live.is_empty() {
        return (Vec::new(), lines);
    }
    let mut placed: Vec<Placed<'a>> = Vec::new();
    let mut rest = Vec::new();
    let mut block: Option<isize> = None;
    for line in lines {
        let deeper = uncommented(&line).is_some_and(|(column, _)| block.is_some_and(|option| column > option));
        if deeper {
            continue;
        }
        block = None;
        match option(&line).filter(|(_, name)| live.contains_key(*name) && placed.iter().all(|(had, _)| had != name)) {
            Some((column, name)) => {
                block = Some(column);
                placed.push((name.to_owned(), std::mem::take(&mut rest)));
            }
            None => rest.push(line),
        }
    }
    (placed, rest)
}
