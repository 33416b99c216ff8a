use super::*;

fn untag(value: &mut Value<'_>) {
    for at in 0..value.children().len() {
        value.child_mut(at).into_iter().for_each(untag);
    }
    if value.tag().is_some() {
        value.without_tag();
    }
}

#[test]
fn a_tag_goes_from_wherever_it_stands() {
    let table = [
        ("a: !t b # c\n", "a: b # c\n"),
        ("a: !t &x b\nc: *x\n", "a: &x b\nc: b\n"),
        ("a: !t # c\n  b: 1\n", "a:  # c\n  b: 1\n"),
        ("a: !t\n  - b\n", "a:\n  - b\n"),
        ("a:\n  !t\n  - b\n", "a:\n  - b\n"),
        ("a:\n  # c\n  !t\n  b\n", "a:\n  # c\n  b\n"),
        ("- !t |\n  b\n", "- |\n  b\n"),
        ("x: {a: !t [b, !t c], d: !t {}}\n", "x: {a: [b, c], d: {}}\n"),
    ];
    for (text, expected) in table {
        assert_eq!(changed(&[text], |document, _| untag(document)), expected, "{text}");
    }
}

/// What is written is read again and compared before it is handed out.
#[test]
fn every_file_can_do_without_its_tags() {
    let mut tried = 0;
    for path in yaml_files_and("testdata", "YAMLIFT_CORPUS") {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        tried += usize::from(text.contains('!'));
        let Some(written) = again(&text, untag) else { continue };
        written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    assert!(tried > 50, "{tried}");
}
