//! What was read has its comments where they are read: in a tree that nobody changed none moves.

use crate::comments::arrange;
use crate::text::source::Source;
use crate::text::testdata::yaml_files_and;
use crate::yaml::check;
use crate::yaml::writer;

/// A text, read, arranged and written; nothing where it is not valid.
fn arranged(text: &str) -> Option<String> {
    let source = Source::new("text", text).ok()?;
    let mut stream = check::read(&source).ok()?.stream;
    arrange(&mut stream);
    Some(writer::write(&stream, source.bom, source.common_end()).text)
}

#[test]
fn nothing_moves_in_small_files() {
    let lines = [
        "", "# c", "  # c", "    # c", "a:", "a: |+", "  b: 1", "  - c", "- d: 1", "? e", "---", "...", "\t", "  text",
    ];
    let (mut texts, mut valid) = (vec![String::new()], 0);
    for _ in 0..4 {
        texts = texts.iter().flat_map(|text| lines.iter().map(move |line| format!("{text}{line}\n"))).collect();
        for text in &texts {
            valid += usize::from(arranged(text).inspect(|result| assert_eq!(result, text)).is_some());
        }
    }
    assert!(valid > 5_000, "{valid}");
}

#[test]
fn nothing_moves_in_files_that_people_wrote() {
    for path in yaml_files_and("testdata", "YAMLIFT_CORPUS") {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if let Some(result) = arranged(&text) {
            assert_eq!(result, text, "{}", path.display());
        }
    }
}
