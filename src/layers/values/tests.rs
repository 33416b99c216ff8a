mod comments;
mod tags;

use super::*;
use crate::text::testdata::yaml_files_and;
use crate::yaml::reference::Duplicates;

/// What a change of the first layer makes of it; the others are handed to the change.
fn changed(texts: &[&str], change: impl for<'a> Fn(&mut Value<'a>, Vec<Value<'a>>)) -> String {
    let layers: Vec<_> =
        texts.iter().map(|text| Layer { name: "layer".to_owned(), text: (*text).to_owned() }).collect();
    let mut reads: Vec<_> =
        layers.iter().enumerate().map(|(at, layer)| layer.read(at, Duplicates::Refused).unwrap()).collect();
    let others = reads.split_off(1).into_iter().map(|mut read| read.documents.remove(0)).collect();
    let Read { mut documents, below, .. } = reads.remove(0);
    change(&mut documents[0], others);
    write(&documents, &below, layers[0].style().unwrap()).unwrap()
}

fn joined(a: &str, b: &str) -> String {
    changed(&[a, b], |a, mut b| {
        let entries = b.remove(0).into_children();
        for entry in entries {
            match a.position(entry.name()) {
                Some(at) if entry.is_list() && a.children()[at].is_list() => {
                    let list = a.child_mut(at).unwrap();
                    list.gain_comments(&entry);
                    entry.into_children().into_iter().for_each(|item| list.push(item));
                }
                Some(at) => a.child_mut(at).unwrap().replace(entry),
                None => a.push(entry),
            }
        }
    })
}

#[test]
fn what_is_not_changed_is_written_as_it_was() {
    for text in [
        "# head\n\na: 1 # one\n\n# over b\nb:\n- x  # first\n-   y: [1,2 , {z: 3}]\n    # end\n\n# the end\n",
        "a: &x\n  b: 1\nc: *x\nd:\n  <<: *x\n  e: 2\n",
        "{a: 1, b: [&x y, *x]}\n",
        "--- # mine\na: |\n  text\n\n  more\nb: >-\n  folded\n  text\n",
        "? complex\n: value\n\"quoted\": 'it''s'\n",
        "a:\r\n  - 1\r\n",
        "- a: 1\n  b: 2\n-\n  - 1\n- - 2\n  - 3\n",
    ] {
        assert_eq!(changed(&[text], |_, _| ()), text);
    }
}

#[test]
fn items_bring_their_comments() {
    let a = "# ours\nl:\n  # one\n  - 1\n  - 2 # two\nm: 1\n";
    let b = "# theirs\nl:\n# three\n- 3 # drei\n- a: 4\n  b: 5\n";
    let both = "# ours\n# theirs\nl:\n  # one\n  - 1\n  - 2 # two\n  # three\n  - 3 # drei\n  - a: 4\n    b: 5\nm: 1\n";
    assert_eq!(joined(a, b), both);
}

#[test]
fn a_placeholder_keeps_its_comments() {
    let put = |a: &str, b: &str| {
        changed(&[a, b], |a, mut b| {
            let new = b.remove(0).into_children().remove(0);
            a.child_mut(0).unwrap().give_way_to(new);
        })
    };
    assert_eq!(put("# ours\na: x # filled in\n", "# theirs\na: 1 # one\n"), "# ours\na: 1 # filled in\n");
    assert_eq!(put("a: x\n", "# theirs\na: 1 # one\n"), "# theirs\na: 1 # one\n");
    assert_eq!(put("a: x # filled in\n", "a:\n  b: 1\n  # end\n"), "a: # filled in\n  b: 1\n  # end\n");
    assert_eq!(put("a: # ours\n  b: 1\n  # end\n", "a: [1]\n"), "a: [1] # ours\n  # end\n");
}

#[test]
fn comments_of_maps_give_way_where_the_other_has_some() {
    let yielded = |a: &str, b: &str| changed(&[a, b], |a, b| a.yield_comments(&b[0]));
    let a = "\n# ours\na: # our line\n  # inside\n  b: 1 # one\n# kept\nc: {}\n";
    assert_eq!(
        yielded(a, "# theirs\na: # their line\n  b: 2 # two\nc: {d: 1}\n"),
        "\na: # their line\n  # inside\n  b: 1 # one\n# kept\nc: {}\n"
    );
    assert_eq!(yielded(a, "a:\n  b: 2\n"), a);
}

#[test]
fn brackets_stay_where_they_can() {
    assert_eq!(joined("l: [1, 2] # ours\n", "l: ['3', x]\n"), "l: [1, 2, '3', x] # ours\n");
    assert_eq!(joined("l: [1]\n", "l:\n- 2\n- a: 3\n"), "l:\n  - 1\n  - 2\n  - a: 3\n");
    assert_eq!(joined("l:\n- 1\n", "l: [2, {a: b}, [c]]\n"), "l:\n- 1\n- 2\n- {a: b}\n- [c]\n");
    assert_eq!(joined("l: []\n", "l:\n- 1 # one\n"), "l:\n  - 1 # one\n");
    assert_eq!(joined("l: [\n  1, # one\n  2\n] # all\n", "l: [3]\n"), "l: # all\n  - 1 # one\n  - 2\n  - 3\n");
    assert_eq!(joined("l: [\n  1,\n  # last\n]\n", "l: [3]\n"), "l:\n  - 1\n  - 3\n  # last\n");
    assert_eq!(joined("a:\n- 1\nl: [1]\n", "l:\n  - 2\n  - b: 3\n"), "a:\n- 1\nl:\n- 1\n- 2\n- b: 3\n");
    assert_eq!(joined("{a: 1, l: [2]}\n", "b: {c: 3}\n"), "a: 1\nl: [2]\nb: {c: 3}\n");
}

#[test]
fn a_comment_behind_an_entry_in_braces_stays_behind_its_last_line() {
    assert_eq!(joined("{c: 1}\n", "{a: 'x\n y', # one\n b: 2}\n"), "c: 1\na: 'x\n  y' # one\nb: 2\n");
}

#[test]
fn a_value_brings_its_comments_or_takes_those_that_are_there() {
    let a = "# ours\na: 1 # one\n\n# over b\nb: 2\n";
    assert_eq!(joined(a, "a: 3 # three\n# theirs\nb: |\n  text\n"), "# ours\na: 3 # three\n\n# theirs\nb: |\n  text\n");
    assert_eq!(joined("a:\n  b: 1\n  c: 2\nd: 3\n", "a: x\nd:\n- 1\n"), "a: x\nd:\n- 1\n");
}

#[test]
fn aliases_are_written_out_where_their_anchor_is_another() {
    let a = "base: &x {a: 1}\nuse: *x\n";
    assert_eq!(joined(a, "base: 2\n"), "base: 2\nuse:\n  a: 1\n");
    assert_eq!(joined("base: &x\n  a: 1\nuse: *x # it\n", "base: 2\n"), "base: 2\nuse: # it\n  a: 1\n");
    assert_eq!(joined("x: &x 1\ny: *x\n", "x: &x 2\nz: *x\n"), "x: &x 2\ny: 1\nz: *x\n");
    let merged = "base: &x\n  a: 1\nuse:\n  <<: *x\n  b: 2\n";
    assert_eq!(joined(merged, "base: 2\n"), "base: 2\nuse:\n  b: 2\n  a: 1\n");
    let kept = changed(&[merged], |a, _| a.get_mut("use").unwrap().set("a", Value::text("new")));
    assert_eq!(kept, "base: &x\n  a: 1\nuse:\n  <<: *x\n  b: 2\n  a: new\n");
    let without = changed(&[merged], |a, _| {
        let map = a.get_mut("use").unwrap();
        let at = map.position("a").unwrap();
        map.remove(at);
    });
    assert_eq!(without, "base: &x\n  a: 1\nuse:\n  b: 2\n");
}

#[test]
fn one_name_is_an_anchor_in_one_layer_only() {
    let a = "a: &x 1\nb: *x\n";
    assert_eq!(joined(a, "c: &x 2\nd: *x\n"), "a: &x 1\nb: *x\nc: 2\nd: 2\n");
    assert_eq!(joined(a, "c: !t &x  v # it\n"), "a: &x 1\nb: *x\nc: !t v # it\n");
    assert_eq!(joined(a, "c: &x # it\n  k: 1\nd: *x\n"), "a: &x 1\nb: *x\nc: # it\n  k: 1\nd:\n  k: 1\n");
    assert_eq!(joined(a, "c: [1, &x {k: 1}, *x]\n"), "a: &x 1\nb: *x\nc:\n  - 1\n  - {k: 1}\n  - k: 1\n");
    assert_eq!(joined(a, "c:\n  &x long\n  text\n"), "a: &x 1\nb: *x\nc:\n  long\n  text\n");
    assert_eq!(joined(a, "c: &x |\n  text\n"), "a: &x 1\nb: *x\nc: |\n  text\n");
    assert_eq!(joined("a: &x 1\nb: &x 2\n", "c: 3\n"), "a: &x 1\nb: &x 2\nc: 3\n");
    assert_eq!(joined(a, "&x c: 2\nd: *x\n"), "a: &x 1\nb: *x\nc: 2\nd: c\n");
    assert_eq!(joined(a, "? &x c\n: 2\n"), "a: &x 1\nb: *x\n? c\n: 2\n");
    assert_eq!(joined(a, "c:\n  <<: &x {d: 2}\n"), "a: &x 1\nb: *x\nc:\n  <<: {d: 2}\n");
    assert_eq!(joined("&x a: 1\n", "a: 2\nb: &x 3\nc: *x\n"), "&x a: 2\nb: 3\nc: 3\n");
}

#[test]
fn what_is_written_for_an_alias_has_no_anchors() {
    let b = "b: [&x {k: &y {v: 1}}]\nc: *y\na: [*x]\n";
    assert_eq!(joined("a: 0\n", b), "a:\n  - k: {v: 1}\nb: [&x {k: &y {v: 1}}]\nc: *y\n");
    let b = "b: &x\n  k: &y {v: 1}\n  l: {m: *y}\na:\n  <<: *x\n";
    assert_eq!(joined("a: 0\n", b), "a:\n  k: {v: 1}\n  l:\n    m:\n      v: 1\nb: &x\n  k: &y {v: 1}\n  l: {m: *y}\n");
}

#[test]
fn what_no_layer_has_is_written_as_it_must_be() {
    let made = changed(&["a: 1 # one\n"], |a, _| {
        a.set("a", Value::text("yes"));
        a.set("null", Value::null());
        a.set("map", Value::map());
        let mut list = Value::list();
        list.push(Value::text("x: y"));
        let mut inner = Value::map();
        inner.set("b", Value::text("two\nlines\n"));
        inner.set("c", Value::list());
        list.push(inner);
        a.set("list", list);
    });
    assert_eq!(
        made,
        "a: \"yes\"\n\"null\": null\nmap: {}\nlist:\n  - \"x: y\"\n  - b: \"two\\nlines\\n\"\n    c: []\n"
    );
}

#[test]
fn a_value_can_stand_alone() {
    let alone = |text: &str| {
        let layer = Layer { name: "layer".to_owned(), text: text.to_owned() };
        let mut read = layer.read(0, Duplicates::Refused).unwrap();
        let value = read.documents.remove(0).into_children().remove(0).document();
        write(&[value], &[], Style::default()).unwrap()
    };
    assert_eq!(alone("# on a\na: 1 # one\n"), "# on a\n1 # one\n");
    assert_eq!(alone("a:\n  b: 1\n  c:\n    - 2\n"), "b: 1\nc:\n  - 2\n");
    assert_eq!(alone("a: !t # one\n  b: 1\n"), "# one\n--- !t\nb: 1\n");
    assert_eq!(alone("a: [1, 2]\n"), "[1, 2]\n");
    assert_eq!(alone("a: |\n  x\n   y\n"), "|\n x\n  y\n");
    assert_eq!(alone("a:\n- 1\n- b: 2\n"), "- 1\n- b: 2\n");
}

#[test]
fn aliases_cannot_be_a_bomb() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for at in 1..9 {
        let before = at - 1;
        let items = [format!("*a{before}").as_str(); 6].join(", ");
        text.extend([format!("a{at}: &a{at} [{items}]\n")]);
    }
    let layer = Layer { name: "layer".to_owned(), text };
    let refused = layer.read(0, Duplicates::Refused).unwrap_err();
    assert!(refused.what().contains("aliases stand for too much"), "{refused}");
}

#[test]
fn the_last_of_two_keys_counts_where_that_is_asked_for() {
    let layer = Layer { name: "layer".to_owned(), text: "a: 1\nb: 2\na: 3 # last\n".to_owned() };
    assert!(layer.read(0, Duplicates::Refused).is_err());
    let read = layer.read(0, Duplicates::LastCounts).unwrap();
    assert_eq!(read.warnings, ["layer:3: key `a` appears twice, the last one counts"]);
    assert_eq!(write(&read.documents, &read.below, Style::default()).unwrap(), "a: 3 # last\nb: 2\n");
}

/// The documents of a text, written again with their merge keys and aliases; nothing where it is refused.
fn again(text: &str, touch: fn(&mut Value<'_>)) -> Option<Result<String, crate::text::error::Error>> {
    let layer = Layer { name: "layer".to_owned(), text: text.to_owned() };
    let mut read = layer.read(0, Duplicates::Refused).ok()?;
    read.documents.iter_mut().for_each(touch);
    Some(write(&read.documents, &read.below, layer.style().ok()?))
}

#[test]
fn every_file_is_written_as_it_was() {
    let mut tried = 0;
    for path in yaml_files_and("testdata", "YAMLIFT_CORPUS") {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Some(written) = again(&text, |_| ()) else { continue };
        // An alias that is a key is written out.
        let keys = |line: &str| line.contains('*') && line.contains(" :");
        if text.lines().any(keys) {
            continue;
        }
        assert_eq!(written.unwrap(), text, "{}", path.display());
        tried += 1;
    }
    assert!(tried > 500, "{tried}");
}

/// All that is in brackets is laid out anew, and every alias may have to be written out.
#[test]
fn every_file_means_the_same_when_all_of_it_was_touched() {
    fn touch(value: &mut Value<'_>) {
        for at in 0..value.children().len() {
            value.child_mut(at).into_iter().for_each(touch);
        }
        value.children_mut();
    }
    for path in yaml_files_and("testdata", "YAMLIFT_CORPUS") {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        // What is written is read again and compared before it is handed out.
        let Some(written) = again(&text, touch) else { continue };
        written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

#[test]
fn the_deepest_file_fits_on_a_small_stack() {
    let deep = |open: &str, close: &str, levels: usize| format!("{}x{}\n", open.repeat(levels), close.repeat(levels));
    let block = (0..190).map(|at| " ".repeat(at) + "a:\n").collect::<String>() + &" ".repeat(190) + "b: 1\n";
    let texts = [deep("[", "]", 190), deep("{a: ", "}", 190), block];
    let small = std::thread::Builder::new().stack_size(2 << 20);
    let all = move || {
        for text in texts {
            let same = again(&text, |_| ()).unwrap().unwrap();
            assert_eq!(same, text);
            again(&text, |value| value.touched = true).unwrap().unwrap();
        }
    };
    small.spawn(all).unwrap().join().unwrap();
}

#[test]
fn a_handle_for_tags_is_refused_in_a_further_layer() {
    let text = "%TAG !e! tag:example.org,2026:\n---\na: !e!b 1\n".to_owned();
    let layer = Layer { name: "layer".to_owned(), text };
    assert!(layer.read(0, Duplicates::Refused).is_ok());
    let refused = layer.read(1, Duplicates::Refused).unwrap_err();
    assert_eq!(refused.place().map(|place| (place.line, place.column)), Some((1, 1)));
}

#[test]
fn comments_of_both_stay_where_two_are_joined() {
    let lists = |a, b| joined(a, b);
    assert_eq!(lists("l: # ours\n- 1\n", "l: # theirs\n- 2\n"), "# theirs\nl: # ours\n- 1\n- 2\n");
    assert_eq!(lists("l:\n- 1\n", "l: [2] # theirs\n"), "l: # theirs\n- 1\n- 2\n");
    assert_eq!(lists("l: [1] # same\n", "l: [2]   # same\n"), "l: [1, 2] # same\n");
    let banner = "# ----\n# ours\n# ----\nl:\n- 1\n";
    assert_eq!(
        lists(banner, "# ----\n# theirs\n# ----\nl:\n- 2\n"),
        "# ----\n# ours\n# ----\n# ----\n# theirs\n# ----\nl:\n- 1\n- 2\n"
    );
    assert_eq!(lists(banner, "# ----\n# ours\n# ----\nl:\n- 2\n"), "# ----\n# ours\n# ----\nl:\n- 1\n- 2\n");
}

#[test]
fn a_scalar_that_says_the_same_keeps_the_comment_behind_it() {
    assert_eq!(joined("a: 1 # one\nb: 2 # two\n", "a: 1\nb: 3\n"), "a: 1 # one\nb: 3\n");
    assert_eq!(joined("a: 1 # one\n", "a: 1 # theirs\n"), "a: 1 # theirs\n");
}

#[test]
fn a_value_can_mean_something_else_under_its_comments() {
    let made = changed(&["# over it\na: '[1]' # one\nt: |  # text\n  x\n"], |a, _| {
        let mut list = Value::list();
        list.push(Value::text("1"));
        a.get_mut("a").unwrap().becomes(list);
        let text = a.get("t").unwrap().with_text("x\ny\n".to_owned());
        a.get_mut("t").unwrap().replace(text);
    });
    assert_eq!(made, "# over it\na: # one\n  - \"1\"\nt: | # text\n  x\n  y\n");
}

#[test]
fn what_becomes_the_first_is_not_set_off() {
    let text = "a: 1\n\n# over b\nb: 2\n\nc: 3\n";
    let kept = |keep: fn(usize) -> bool| changed(&[text], |a, _| a.retain(|at, _| keep(at)));
    assert_eq!(kept(|at| at != 0), "# over b\nb: 2\n\nc: 3\n");
    assert_eq!(kept(|at| at == 2), "c: 3\n");
    assert_eq!(kept(|_| true), text);
    assert_eq!(changed(&[text], |a, _| drop(a.remove(0))), "# over b\nb: 2\n\nc: 3\n");
    let before = changed(&["- 1 # one\n", "# over 2\n- 2\n- 3\n"], |a, mut b| a.prepend(b.remove(0).into_children()));
    assert_eq!(before, "# over 2\n- 2\n- 3\n- 1 # one\n");
}

#[test]
fn values_that_are_the_same_have_the_same_meaning() {
    let layer = Layer {
        name: "layer".to_owned(),
        text: "[1, '1', x, 'x', ~, null, [1], ['1'], {a: 1, b: [x]}, {b: ['x'], a: 1}, {a: 1}, !t x, '']\n".to_owned(),
    };
    let list = layer.read(0, Duplicates::Refused).unwrap().documents.remove(0);
    for a in list.children() {
        for b in list.children() {
            assert!(!same(a, b) || meaning(a) == meaning(b), "{a:?} {b:?}");
        }
    }
    let meanings: std::collections::HashSet<_> = list.children().iter().map(meaning).collect();
    assert!(meanings.len() >= 7, "{}", meanings.len());
}

#[test]
fn an_error_points_at_its_word() {
    let layer =
        Layer { name: "layer".to_owned(), text: "a: {port: 1, my_port: 2, \u{fc} port: 3}\n  b: 1\n".to_owned() };
    let column = |line, word| layer.error_about("wrong", line, word).place().unwrap().column;
    assert_eq!((column(1, "port"), column(1, "my_port"), column(2, "c"), column(9, "a")), (5, 14, 3, 1));
}

#[test]
fn texts_that_are_joined_keep_their_form_and_their_comments() {
    let both = |a: &str, b: &str| {
        changed(&[a, b], |a, mut b| {
            let text = b.remove(0).into_children().remove(0);
            a.get_mut("t").unwrap().append_text(&text);
        })
    };
    assert_eq!(both("# ours\nt: a # one\n", "# theirs\nt: b # two\n"), "# ours\n# theirs\n# two\nt: ab # one\n");
    assert_eq!(both("t: |\n  a\n", "t: |\n  b\n"), "t: |\n  a\n  b\n");
    assert_eq!(both("t: '1'\n", "t: '2'\n"), "t: \"12\"\n");
}

#[test]
fn a_text_can_start_with_comments_whatever_becomes_of_its_first_key() {
    let without_first = |text: &str| {
        changed(&[text], |a, _| {
            let comments = a.take_first_comments(|comment| comment.starts_with("#!"));
            a.put_first_comments(comments);
            a.remove(0);
        })
    };
    assert_eq!(without_first("#! x\n# on a\na: 1\nb: 2\n"), "#! x\nb: 2\n");
    assert_eq!(without_first("#! x\n\n# on a\na: 1\nb: 2\n"), "#! x\n\nb: 2\n");
    assert_eq!(without_first("#! x\n---\na: 1\nb: 2\n"), "#! x\n---\nb: 2\n");
    assert_eq!(without_first("#! x\n{a: 1, b: 2}\n"), "#! x\nb: 2\n");
}

#[test]
fn lines_count_from_the_start_of_the_file_that_a_text_stands_in() {
    let layer = Layer { name: "layer".to_owned(), text: "a: |\n  x\nb: >\n  y\nb: 1\n".to_owned() };
    let read = layer.read_below(0, Duplicates::LastCounts, 10).unwrap();
    let first_lines: Vec<_> = read.documents[0].children().iter().map(Value::first_line).collect();
    assert_eq!(first_lines, [Some(12), None]);
    assert_eq!(read.warnings, ["layer:15: key `b` appears twice, the last one counts"]);
}

#[test]
fn tags_stay_with_their_values() {
    let a = "base: &x !circle {r: 1}\nuse: *x\nname: &n !!str 12\nagain: *n\n";
    let both = "base: 2\nuse: !circle\n  r: 1\nname: 3\nagain: !!str 12\n";
    assert_eq!(joined(a, "base: 2\nname: 3\n"), both);
    assert_eq!(joined("l: !set [1, 2]\n", "l: [3]\n"), "l: !set [1, 2, 3]\n");
    let emptied = changed(&["l: !set\n  - 1\n"], |a, _| {
        a.get_mut("l").unwrap().remove(0);
    });
    assert_eq!(emptied, "l: !set []\n");
}
