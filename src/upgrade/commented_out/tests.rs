use super::in_turn::Lines;
use super::*;
use crate::text::source::Source;
use crate::text::testdata::yaml_files_and;
use crate::yaml::check;
use crate::yaml::writer;

/// The text of a file whose options were made nodes and comments again, and the paths of the options.
fn opened(text: &str) -> (String, Vec<String>) {
    let source = Source::new("config", text).unwrap();
    let Ok(mut reading) = check::read(&source) else { return (text.to_owned(), Vec::new()) };
    let mut expected = reading.stream.clone();
    let wanted = Wanted::Update {
        choices: &Choices::default(),
        own: None,
        passed_over: &Lines::default(),
        overridden: &Overridden::default(),
        items: &OwnItems::default(),
    };
    for document in &mut reading.stream.children {
        let mut edits = Edits::of(&Found::in_document(document), &wanted, &KeyPaths::default());
        edits.apply(document, &mut 0);
    }
    let mut paths = Vec::new();
    reading.stream.children.iter().for_each(|document| list(document, "", &mut paths));
    close(&mut reading.stream);
    let written = |stream: &Node<'_>| writer::write(stream, source.bom, "\n").text;
    assert_eq!(written(&mut expected), written(&reading.stream), "{text}");
    (written(&reading.stream), paths)
}

fn list(node: &Node<'_>, path: &str, paths: &mut Vec<String>) {
    for child in &node.children {
        let path = format!("{path}/{}", child.name);
        if child.is_commented_out() {
            paths.push(path.clone());
        }
        list(child, &path, paths);
    }
}

#[test]
fn an_option_has_the_path_that_it_would_have_without_its_hash() {
    let table: [(&str, &[&str]); 9] = [
        ("a: 1\n#b: 2\n# c: 3\nd: 4\n", &["/b", "/c"]),
        (
            "#env:\n  # The terminal\n  #TERM: x\n\n  # Another\n  #PAGER: y\nz: 1\n",
            &["/env", "/env/TERM", "/env/PAGER"],
        ),
        ("#env:\n#  TERM: x\nz: 1\n", &["/env", "/env/TERM"]),
        ("# Head\n\n# The a\n#a: 1\n", &["/a"]),
        ("server:\n  port: 1\n  # Debugging\n  # debug: true\nz: 1\n", &["/server/debug"]),
        ("storage:\n  # size: 1\nz: 1\n", &["/storage/size"]),
        ("a: 1\n# Note: only here\n# motd: A text with a lot of words\nb: 2\n", &[]),
        ("a: 1\n#b: 1\n#b: 2\n#a: 3\n", &["/b"]),
        (
            "#style:\n  # One of these:\n  #   - Block\n  #shape: Block\n\n  # Blinks\n  #blinking: Off\nz: 1\n",
            &["/style", "/style/shape", "/style/blinking"],
        ),
    ];
    for (text, paths) in table {
        let (written, found) = opened(text);
        assert_eq!(written, text);
        assert_eq!(found, paths, "{text}");
    }
}

/// `YAMLIFT_CORPUS=DIR` tries every YAML file below a directory.
#[test]
fn options_are_written_as_they_were_read() {
    for path in yaml_files_and("testdata/upgrade", "YAMLIFT_CORPUS") {
        if let Ok(text) = std::fs::read_to_string(path) {
            opened(&text);
        }
    }
}
