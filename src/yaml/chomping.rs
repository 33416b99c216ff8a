//! Texts that end their file without a line break, and the header that keeps their value when a line follows.
//!
//! A block scalar has a final line break only where one is written (YAML 1.2.2 §8.1.1.2): `a: |⏎  x` at the end of a file
//! is `x`, and `x⏎` as soon as a line follows. So the reader gives such a text the header `|-`, which says `x` wherever it
//! comes to stand, and the writer gives it back the header it had where it ends the file again. What lies between need
//! not know of it. The value itself is put right in [`reference`](crate::yaml::reference), for parsers disagree: libyaml and
//! `PyYAML` say `x`, the reference parser says `x⏎`.

use crate::text::scan::{self, Chomping, Start};
use crate::yaml::tree::{Line, Node};

/// The header that `header`, which may have an anchor or a tag before it, becomes so that its text ends without a line
/// break wherever it stands.
pub(crate) fn stripped(header: &str) -> String {
    let (start, at) = scan::value_start(header);
    let (before, indicators) = header.split_at(at);
    match start {
        Start::Block(found) if found.chomping == Chomping::Keep => {
            format!("{before}{}", indicators.replacen('+', "-", 1))
        }
        Start::Block(found) if found.chomping == Chomping::Clip => {
            let (style, behind) = indicators.split_at(1);
            let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
            format!("{before}{style}{}-{}", &behind[..digits], &behind[digits..])
        }
        _ => header.to_owned(),
    }
}

/// Undoes what [`stripped`] did to the header that starts at `at`.
pub(crate) fn restore(text: &mut String, at: usize, chomping: Chomping) {
    let dash = text.get(at..).and_then(|header| header.find('-'));
    let Some(dash) = dash.map(|dash| at + dash) else { return };
    match chomping {
        Chomping::Strip => {}
        Chomping::Clip => text.replace_range(dash..=dash, ""),
        Chomping::Keep => text.replace_range(dash..=dash, "+"),
    }
}

/// The line of the value of a node that is the header of its block scalar; nothing for the line of its opener.
pub(crate) fn header_line(node: &Node<'_>) -> Option<usize> {
    let is_header = |text: &str| matches!(scan::value_start(text).0, Start::Block(_));
    if is_header(&node.value_text) { None } else { node.continuation.iter().position(|line| is_header(line.trimmed())) }
}

/// Lets the header of a block scalar say that this has no final line break.
pub(crate) fn strip_header(node: &mut Node<'_>) {
    match header_line(node).and_then(|at| node.continuation.get_mut(at)) {
        Some(Line::Text(_, text, _)) => *text = stripped(text).into(),
        Some(Line::Blank(..)) => {}
        None => node.value_text = stripped(&node.value_text).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_comes_back_as_it_was() {
        let table = [
            (" |", " |-", Chomping::Clip),
            (" >2", " >2-", Chomping::Clip),
            ("|+ # why", "|- # why", Chomping::Keep),
            (" &a !t |+2", " &a !t |-2", Chomping::Keep),
            (" |2+", " |2-", Chomping::Keep),
            (" >-", " >-", Chomping::Strip),
        ];
        for (header, expected, chomping) in table {
            let mut text = stripped(header);
            assert_eq!(text, expected);
            let at = text.find(['|', '>']).unwrap_or_default();
            restore(&mut text, at, chomping);
            assert_eq!(text, header);
        }
    }
}
