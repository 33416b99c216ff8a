//! What a gap is split into is what the reader's tree says, for all small gaps and for real files.

use super::super::normal::{Lines, join};
use super::super::{After, Before, split};
use super::kinds::{KINDS, Kind};
use super::walk::{Gap, gaps_of};
use crate::text::testdata::yaml_files_and;

/// The lines of gaps here: columns are all that tells comments apart.
const LINES: [&str; 7] = ["", "# c", " # c", "  # c", "   # c", "    # c", "      # c"];

#[test]
fn small_gaps_are_split_as_they_are_read() {
    each_text(&LINES, 3, "\n", &mut |kind, gap| {
        let text = format!("{}{gap}{}", kind.above, kind.below);
        try_kind(kind, &text, gap.lines().count());
    });
}

#[test]
fn longer_gaps_are_split_as_they_are_read() {
    each_text(&["", "# c", "  # c", "    # c"], 4, "\n", &mut |kind, gap| {
        let text = format!("{}{gap}{}", kind.above, kind.below);
        try_kind(kind, &text, gap.lines().count());
    });
}

#[test]
fn gaps_are_split_as_they_are_read_whatever_their_lines_and_files_look_like() {
    let lines = ["", " ", "\t", "  \t", "     ", "#", "#a: 1", " \t# c", "  #- b"];
    each_text(&lines, 2, "\n", &mut |kind, gap| {
        let text = format!("{}{gap}{}", kind.above, kind.below);
        try_text(text.strip_suffix('\n').unwrap_or_default());
        try_text(&format!("\u{feff}{}", text.replace('\n', "\r\n")));
        try_text(text.replace('\n', "\r").strip_suffix('\r').unwrap_or_default());
    });
}

#[test]
fn gaps_between_documents_are_split_as_they_are_read() {
    let lines = ["", "# c", "  # c", "\u{feff}# c", "---", "...", "a: |+", "- b:", "%YAML 1.2"];
    each_gap(&lines, 4, "\n", &mut |text| {
        try_text(text);
        try_text(&format!("a:\n  b: 1\n{text}"));
        try_text(&format!("{text}c: 1"));
    });
}

#[test]
fn gaps_of_files_are_split_as_they_are_read() {
    let (mut files, mut gaps) = (0, 0);
    for path in yaml_files_and("testdata", "YAMLIFT_CORPUS") {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        files += usize::from(gaps_of(&text, |gap| {
            gaps += 1;
            try_gap(gap, &path.to_string_lossy());
        }));
    }
    assert!(files > 300 && gaps > 3_000, "{files} files, {gaps} gaps");
}

/// The gap in question is what it should be, unless the text before it took some of its lines.
fn try_kind(kind: &Kind, text: &str, lines: usize) {
    let mut is_found = lines > 0 && kind.place.text.is_some();
    let is_valid = try_all(text, |gap| {
        let place = gap.place();
        let same = place.around.before == kind.place.around.before
            && place.around.after == kind.place.around.after
            && place.around.closed == kind.place.around.closed;
        is_found |= same && join(gap.owned.clone()).len() == lines && (lines > 0 || place.text == kind.place.text);
    });
    // The reference parser refuses some comments, as that behind an anchor on the line of a `---`.
    assert!(is_found || (lines > 0 && !is_valid), "no such gap in {text:?}");
}

fn try_text(text: &str) {
    try_all(text, |_| ());
}

/// Tries all gaps of a text; whether it is valid.
fn try_all(text: &str, mut also: impl FnMut(&Gap<'_>)) -> bool {
    gaps_of(text, |gap| {
        try_gap(gap, text);
        also(gap);
    })
}

fn try_gap(gap: &Gap<'_>, text: &str) {
    let lines = join(gap.owned.clone());
    let place = gap.place();
    let chunks: Vec<_> = split(&lines, &place.around).map(Lines::from).collect();
    assert_eq!(chunks, gap.owned, "in {text:?}, {place:?}");
    super::laws::hold(&lines, &place);
    assert_ne!((place.around.before, place.around.after), (Before::Directive, After::Node), "{text:?}");
}

/// Every gap of so many lines at most, in every kind of neighbourhood.
fn each_text(lines: &[&str], most: usize, end: &str, tried: &mut impl FnMut(&Kind, &str)) {
    each_gap(lines, most, end, &mut |gap| KINDS.iter().for_each(|kind| tried(kind, gap)));
}

/// Every text of so many of these lines at most.
fn each_gap(lines: &[&str], most: usize, end: &str, tried: &mut impl FnMut(&str)) {
    let mut texts = vec![String::new()];
    for _ in 0..=most {
        for text in &texts {
            tried(text);
        }
        texts = texts.iter().flat_map(|text| lines.iter().map(move |line| format!("{text}{line}{end}"))).collect();
    }
}
