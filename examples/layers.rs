//! Joins three layers by rules of its own, and says who supplied each value.
//!
//! `cargo run --example layers`, also with `--no-default-features --features layers`.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use yamlift::{Error, Mask, MergeRules, NamedText};

const RULES: &str = "yamlift: 1\nlists:\n  users: {merge: union, key: name}\n  '**': append\n";

fn main() -> Result<(), Error> {
    let layers = [
        NamedText::new("default.yml", "# Who may log in\nusers:\n- name: admin\n  shell: sh\nport: 80\n"),
        NamedText::new("site.yml", "users:\n- name: admin\n  shell: bash  # as we like it\n"),
        NamedText::new("host.yml", "port: 8080\ndatabase:\n  password: hunter2\n"),
    ];
    let rules = MergeRules::Own(NamedText::new("rules.yml", RULES));
    let merged = yamlift::merge(&layers, &rules)?;
    println!("{}", merged.text());
    assert!(merged.text().starts_with("# Who may log in\nusers:\n- name: admin\n  shell: bash  # as we like it\n"));
    let supplied = merged.supplied(&Mask::default());
    for value in &supplied {
        println!("{} = {}, from {:?} by {:?}", value.path, value.value, value.file, value.rule);
    }
    let find = |path: &str| supplied.iter().find(|value| value.path == path);
    assert_eq!(find("port").and_then(|value| value.file.as_deref()), Some("host.yml"));
    assert_eq!(find("database/password").map(|value| value.value.as_str()), Some("***"));
    Ok(())
}
