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
