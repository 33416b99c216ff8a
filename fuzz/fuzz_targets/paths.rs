//! A path, the key of a list and a document, NULs between them: no path panics, and one that the tool prints names the
//! same place again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yamlift::{Change, ChangeKind, Options};
use yamlift_fuzz::{SEPARATOR, upgrade};

/// Keys that look like paths, and lists of all kinds.
const DOCUMENT: &str = r#"server: {host: localhost, ports: [80, 443]}
a.b:
  c: 1
e[0]: 1
"q/r":
  "it's": 1
  "": 2
'"quoted"': [1]
users:
- name: ann
  shell: /bin/sh
- name: bob
  groups:
  - - admin
    - x: 1
---
@1: 1
"~": 2
"#;

fuzz_target!(|input: &str| {
    let mut parts = input.splitn(3, SEPARATOR);
    let path = parts.next().unwrap_or_default();
    let key = parts.next().unwrap_or_default();
    let document = parts.next().unwrap_or(DOCUMENT);
    let Some(first) = removed(document, path, key) else { return };
    let again = removed(document, &first.path, key);
    assert_eq!(again.as_ref(), Some(&first), "`{path}` is not where `{}` leads", first.path);
});

/// What a path takes out of a document.
fn removed(document: &str, path: &str, key: &str) -> Option<Change> {
    let mut options = Options::default();
    options.delete = vec![path.to_owned()];
    options.list_keys = vec![(path.to_owned(), key.to_owned()), ("users".to_owned(), key.to_owned())];
    let upgrade = upgrade(document, document, &options)?;
    upgrade.report().changes().iter().find(|change| change.kind == ChangeKind::Removed).cloned()
}
