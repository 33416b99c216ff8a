//! Whatever stands in a migration file, it is read or refused with its place.

use super::*;
use crate::text::error::ErrorKind;

const FILE: &str = r#"yamlift: 1   # the format
steps:
  - version: "1.4"
    move: {server/port: http/port, "a.b": 'c d/e', wait_ms: {to: wait, as: "{}ms"}}
    delete: [legacy, cache/size]
  - version: 2.0
    convert:
      excludes: {split: ","}
      debug: {map: {"yes": true, 'no': "n\"o", on: [1, {a: b}]}}
    reset:
      - logging/levels
    note: "TLS is on"
lists:
  "**/tags": {key: name, merge: unique}
own: [custom/**]
secret: ["**/password"]
"#;

#[test]
fn all_of_a_file_is_read() {
    let read = Migration::read("m.yml", FILE).unwrap();
    let [first, second] = &read.steps[..] else { panic!("{:?}", read.steps) };
    let moves: Vec<_> = first.moves.iter().map(|a| (&*a.from.text, &*a.to.text, a.form.clone())).collect();
    let form = Some(Form::As("{}ms".to_owned()));
    let expected = [("server/port", "http/port", None), ("a.b", "c d/e", None), ("wait_ms", "wait", form)];
    assert_eq!(moves, expected);
    assert_eq!(first.moves[2].to.place, Place { line: 4, column: 66 });
    let pairs = [("yes", "true"), ("no", "\"n\\\"o\""), ("on", "[1, {a: b}]")];
    let pairs = pairs.map(|(old, new)| (old.to_owned(), new.to_owned()));
    let forms: Vec<_> = second.convert.iter().map(|(path, form)| (&*path.text, form.clone())).collect();
    assert_eq!(forms, [("excludes", Form::Split(",".to_owned())), ("debug", Form::Map(pairs.to_vec()))]);
    assert_eq!(second.reset[0].place, Place { line: 11, column: 9 });
    assert_eq!((read.rules.own.len(), read.secret.len(), read.rules.lists[0].merge), (1, 1, Some(ListMerge::Unique)));
}

#[test]
fn steps_up_to_a_version_are_left_out() {
    let read = Migration::read("m.yml", FILE).unwrap();
    let versions = |from| read.steps_from(from).map(|step| step.version.as_str()).collect::<Vec<_>>();
    assert_eq!(versions(None), ["1.4", "2.0"]);
    assert_eq!(versions(Some("1.3.9")), ["1.4", "2.0"]);
    assert_eq!(versions(Some("1.4.0")), ["2.0"]);
    assert!(versions(Some("2")).is_empty());
}

#[test]
fn a_damaged_file_is_read_or_refused_with_words() {
    for (at, c) in FILE.char_indices() {
        let (before, behind) = (&FILE[..at], &FILE[at + c.len_utf8()..]);
        for damage in ["", ":", " ", "[", "}", "\"", "*", "&x ", "!t ", "#", "\n", "ü", "<<: "] {
            if let Err(error) = Migration::read("m.yml", &format!("{before}{damage}{behind}")) {
                assert_eq!(error.kind(), ErrorKind::Input, "{at} {damage:?}: {error}");
            }
        }
    }
}
