use super::*;
use crate::text::source::Source;
use crate::text::testdata::yaml_files_and;
use crate::yaml::check;

/// The lines of what is commented out in a text, each held against the line of the file.
fn lines(text: &str) -> Vec<usize> {
    let source = Source::new("config", text).unwrap();
    let Ok(reading) = check::read(&source) else { return Vec::new() };
    let listed = reading.stream.children.iter().flat_map(|document| Found::in_document(document).listed());
    let line = |entry: listing::Listed<'_, '_>| {
        let written = source.lines.at(entry.line - 1).0.trim_start().trim_start_matches(['#', ' ', '\t', '"', '\'']);
        let is_there = entry.name.map_or(written.starts_with("- "), |name| written.starts_with(name));
        assert!(is_there, "{entry:?} is not on line {}:\n{text}", entry.line);
        entry.line
    };
    listed.map(line).collect()
}

#[test]
fn each_is_on_the_line_on_which_it_is_written() {
    let table: [(&str, &[usize]); 16] = [
        ("a: 1\n#b: 2\n\n# c: 3\nd: 4\n", &[2, 4]),
        ("#a: 1\n", &[1]),
        ("# Head\n\n#a: 1\n", &[3]),
        ("---\n# Head\n\n#a: 1\n", &[4]),
        ("#a: 1\n---\nb: 1\n#c: 1\n...\n---\n#d: 1\n", &[4, 7]),
        ("a: |\n  one\n\n  two\n#b: 1\n", &[5]),
        ("a:\n  # of the value\n  one\n  two\n#b: 1\n", &[5]),
        ("a: [1,\n  2]\n#b: 1\n#c: 1\n", &[3, 4]),
        ("? a\n: 1\n#b: 1\n", &[3]),
        ("? a\n#b: 1\n", &[2]),
        ("# Head\n\n{a: 1,\n b: 2}\n#c: 1\n", &[5]),
        ("--- {}\n#c: 1\n", &[2]),
        ("--- # words\n&a\n{}\n#c: 1\n", &[4]),
        ("a:\n  - b: 1\n    #c: 1\n    # d:\n    #   e: 1\n\n  #f: 1\n", &[3, 4, 5]),
        ("\u{feff}a: 1\r\n#b: 2\r\n#c: 3", &[2, 3]),
        ("a: 1\n#b:\u{a0}\nc: 3\n", &[2]),
    ];
    for (text, expected) in table {
        assert_eq!(lines(text), expected, "{text}");
    }
}

/// `YAMLIFT_CORPUS=DIR` tries every YAML file below a directory.
#[test]
fn lines_of_real_files_are_those_of_their_keys() {
    let mut found = 0;
    for path in yaml_files_and("testdata/upgrade", "YAMLIFT_CORPUS") {
        if let Ok(text) = std::fs::read_to_string(path) {
            found += lines(&text).len();
        }
    }
    assert!(found > 100, "only {found} keys are commented out");
}

/// What is known in the end decides, not when it came to be known.
#[test]
fn knowing_more_later_finds_the_same_as_knowing_it_first() {
    let text = "a: 1\n# see: the manual of this and that\n# the port: 80\nb:\n  c: 1\n  # see: 2\n\n# e: 3\n\
                # see: the manual of this and that\nd: 4\n# the port: 80\n";
    let source = Source::new("config", text).unwrap();
    let reading = check::read(&source).unwrap();
    let document = &reading.stream.children[0];
    for names in [&["see"][..], &["the port"], &["see", "the port"], &["a"], &[]] {
        let names: HashSet<&str> = names.iter().copied().collect();
        let live_there_alone = names.iter().map(|name| (None, *name)).collect();
        let mut known = Known::of_names(names.clone());
        known.live_there_alone = live_there_alone;
        let [first, later] =
            [Found::knowing(document, &known), Found::in_document(document).knowing_more(&known, &names)];
        assert_eq!(first.all(), later.all(), "{names:?}");
        assert!(first.by_gap().eq(later.by_gap()), "{names:?}");
        assert!(first.prose().eq(later.prose()), "{names:?}");
        assert_eq!(first.live_too, later.live_too, "{names:?}");
        let has_more = first.all().len() > Found::in_document(document).all().len();
        assert_eq!(has_more, names.contains("the port") || names.contains("see"), "{names:?}");
    }
}

#[test]
fn a_comment_that_could_be_a_key_of_two_maps_is_one_of_the_map_that_has_it_elsewhere() {
    let text = "a:\n  b:\n#   c: 1\n#   d: 2\ne: 1\n";
    let source = Source::new("config", text).unwrap();
    let reading = check::read(&source).unwrap();
    let owners = |known: &Known<'_>| {
        let found = Found::knowing(&reading.stream.children[0], known);
        found.keys_of_maps().map(|(map, name)| format!("{}/{name}", map.unwrap_or_default())).collect::<Vec<_>>()
    };
    assert_eq!(owners(&Known::default()), ["a/c", "a/d"]);
    assert_eq!(owners(&Known::of_maps([(Some("b"), "c")].into_iter())), ["b/c", "b/d"]);
    let mut known = Known::of_maps([(Some("a"), "c")].into_iter());
    known.live_there_alone.insert((Some("b"), "c"));
    assert_eq!(owners(&known), ["a/c", "a/d"]);
}
