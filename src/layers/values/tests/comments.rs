use super::changed;

#[test]
fn a_paragraph_of_comments_comes_in_as_a_whole_and_once() {
    let joined = |a: &str, b: &str| changed(&[a, b], |a, b| a.child_mut(0).unwrap().gain_comments(&b[0].children()[0]));
    let a = "# one\n# two\nk:\n  a: 1\n";
    assert_eq!(joined(a, "# two\n# three\nk: {}\n"), "# one\n# two\n# two\n# three\nk:\n  a: 1\n");
    assert_eq!(joined(a, "# two\nk: {}\n"), a);
    assert_eq!(joined(a, "# zero\n# one\n# two\nk: {}\n"), "# zero\n# one\n# two\nk:\n  a: 1\n");
    assert_eq!(joined("# ---\nk: {}\n", "# ---\n# x\nk: {}\n"), "# ---\n# ---\n# x\nk: {}\n");
    assert_eq!(
        joined("k:\n  a: 1\n  # end\n", "k:\n  b: 1\n\n  # end\n\n  # more\n"),
        "k:\n  a: 1\n  # end\n\n  # more\n"
    );
}

#[test]
fn comments_over_files_stand_apart() {
    let joined = |a: &str, b: &str| changed(&[a, b], |a, b| a.gain_comments(&b[0]));
    let b = "# one\n\n# two\n\nb: 1\n";
    assert_eq!(joined("a: 1\n", b), "# one\n\n# two\n\na: 1\n");
    assert_eq!(joined("# zero\n\n# of a\na: 1\n", b), "# zero\n\n# one\n\n# two\n\n# of a\na: 1\n");
    assert_eq!(joined("# two\n---\na: 1\n", "# one\n---\nb: 1\n"), "# two\n\n# one\n---\na: 1\n");
    assert_eq!(joined("# two\n\n---\na: 1\n", "# one\n---\nb: 1\n"), "# two\n\n# one\n\n---\na: 1\n");
    assert_eq!(joined(b, b), b);
}
