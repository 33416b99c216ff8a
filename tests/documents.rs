//! What a document has besides its values, its directives and anchors, when layers become one.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
mod folder;
mod printed;

use printed::printed;

#[test]
fn a_directive_stays_over_its_marker_where_a_layer_replaces_the_value() {
    for (first, second, expected) in [
        ("%LOCAL 1\n---\na: 1\n", "%LOCAL 1\n---\n- x\n", "%LOCAL 1\n---\n- x\n"),
        ("%LOCAL 1\n---\na: 1\n", "- x\n", "%LOCAL 1\n---\n- x\n"),
        ("%LOCAL 1\n---\na: 1\n", "# ours\n%OTHER 1\n---\n- x\n", "%LOCAL 1\n---\n# ours\n- x\n"),
        ("a: 1\n", "%LOCAL 1\n---\n- x\n", "- x\n"),
    ] {
        let files = [("rules.yml", "yamlift: 1\n"), ("1.yml", first), ("2.yml", second)];
        assert_eq!(printed(&files, &["merge", "--rules", "rules.yml", "1.yml", "2.yml"]), expected, "{first}{second}");
    }
}

const POLICY: &str = "\
schema: deckhand/LayeringPolicy/v1
metadata: {name: policy, schema: metadata/Control/v1}
data: {layerOrder: [global, site]}
---
";

const PARENT: &str = "\
schema: app/Config/v1
metadata:
  name: parent
  schema: metadata/Document/v1
  labels: {part: web}
  layeringDefinition: {abstract: true, layer: global}
data:
";

const CHILD: &str = "\
schema: app/Config/v1
metadata:
  name: child
  schema: metadata/Document/v1
  layeringDefinition:
    abstract: false
    layer: site
    parentSelector: {part: web}
    actions: [{method: merge, path: .}]
data:
";

#[test]
fn a_directive_does_not_come_to_stand_over_a_byte_order_mark() {
    let update = "a: 1\n...\n%TAG !e! tag:example.org,2026:\n---\nb: !e!size 3\n";
    let done = yamlift::upgrade("a: 1\n\u{feff}---\n", update, &yamlift::Options::default()).unwrap();
    assert_eq!(done.text(), update);
}

#[test]
fn blanks_that_end_a_file_are_no_text_of_a_key_that_comes_in_above_them() {
    let update = "? &x\n  b: |+\n---\n";
    let done = yamlift::upgrade("a: 1\r\n\t", update, &yamlift::Options::default()).unwrap();
    assert_eq!(done.text(), "a: 1\r\n? &x\r\n  b: |+\r\n---\r\n");
}

#[test]
fn a_tag_on_a_line_of_its_own_stands_once_where_a_layer_replaces_the_whole_document() {
    let rules = ("rules.yml", "yamlift: 1\n");
    let (list, map) = ("--- # a list\n# first\n!t # tagged\n# second\n- a\n", "!t\nb: 1\n");
    for (text, expected) in [(list, "--- !t\n# a list\n# first\n# tagged\n# second\n- a\n"), (map, "--- !t\nb: 1\n")] {
        let files = [rules, ("1.yml", "text\n"), ("2.yml", text)];
        assert_eq!(printed(&files, &["merge", "--rules", "rules.yml", "1.yml", "2.yml"]), expected);
    }
}

#[test]
fn a_tag_below_the_key_of_a_map_in_braces_stays_where_the_map_gains_keys() {
    let files = [("1.yml", "#cloud-config\na: {c: 1}\n"), ("2.yml", "#cloud-config\na:\n  !t {b: 1}\n")];
    let how = ["merge", "--rules", "cloud-init", "--entry", "levels", "--as-shipped", "1.yml", "2.yml"];
    assert_eq!(printed(&files, &how), "#cloud-config\na: !t\n  b: 1\n  c: 1\n");
}

#[test]
fn an_anchor_of_two_documents_of_one_file_stands_once_in_what_comes_of_them() {
    let parent = format!("{POLICY}{PARENT}  a: &x {{b: 1}}\n  c: *x\n---\n{CHILD}  d: &x {{e: 1}}\n  f: *x\n");
    let shown = printed(&[("all.yml", &parent)], &["layer", "all.yml"]);
    assert!(shown.ends_with("data:\n  a: &x {b: 1}\n  c: *x\n  d: {e: 1}\n  f:\n    e: 1\n"), "{shown}");
}

#[test]
fn a_text_without_a_final_line_break_is_the_same_in_what_layers_become() {
    for header in ["|", ">", "|+", "|-", ">+"] {
        let stripped = format!("{}-", &header[..1]);
        let first = format!("{POLICY}{PARENT}  a: {header}\n    x");
        let second = format!("{CHILD}  b: {header}\n    y");
        let shown = printed(&[("1.yml", &first), ("2.yml", &second)], &["layer", "1.yml", "2.yml"]);
        assert!(shown.ends_with(&format!("data:\n  a: {stripped}\n    x\n  b: {stripped}\n    y\n")), "{shown}");
        for (rules, before) in [("heat", "parameter_defaults:\n"), ("datum", "m:\n"), ("cloud-init", "#cloud-config\n")]
        {
            let files = ["a", "b", "c"].map(|key| (format!("{key}.yml"), format!("{before}  {key}: {header}\n    x")));
            let files = files.each_ref().map(|(name, text)| (&**name, &**text));
            let shown = printed(&files, &["merge", "--rules", rules, "a.yml", "b.yml", "c.yml"]);
            for key in ["a", "b", "c"].iter().filter(|key| shown.contains(&format!("  {key}: "))) {
                assert!(shown.contains(&format!("  {key}: {stripped}\n    x\n")), "{rules}: {shown}");
            }
        }
    }
}
