//! Anchors and aliases: bombs, chains, circles, and names that stand for nothing.

use crate::Meant::{Either, Refused, Taken};
use crate::{Row, joined, numbered, row};

/// Lists of `width` aliases each, `levels` of them: `width` to the power of `levels` values, if one looked.
fn laughs(levels: usize, width: usize) -> String {
    let list = |level: usize| {
        let aliases = vec![format!("*a{}", level - 1); width].join(", ");
        format!("a{level}: &a{level} [{aliases}]\n")
    };
    format!("a0: &a0 [lol, lol]\n{}", joined(1..levels, list))
}

fn laughs_in_maps(levels: usize) -> String {
    let map = |level: usize| format!("a{level}: &a{level}\n  x: *a{0}\n  y: *a{0}\n  z: *a{0}\n", level - 1);
    format!("a0: &a0 lol\n{}", joined(1..levels, map))
}

fn laughs_in_merges(levels: usize) -> String {
    let map = |level: usize| format!("a{level}: &a{level}\n  <<: [*a{0}, *a{0}]\n  k{level}: *a{0}\n", level - 1);
    format!("a0: &a0\n  k: lol\n{}", joined(1..levels, map))
}

/// Each value is an alias of the one before in a list or a map of its own.
fn chain(levels: usize, link: &str) -> String {
    let next = |level: usize| format!("a{level}: &a{level} {}\n", link.replace('@', &format!("*a{}", level - 1)));
    format!("a0: &a0 {{k: 1}}\n{}", joined(1..levels, next))
}

/// One big value, and many aliases of it.
fn many_of_one(items: usize, aliases: usize) -> String {
    format!("big: &big [{}]\nall:\n{}", vec!["x"; items].join(", "), "- *big\n".repeat(aliases))
}

/// A list of items without a name, which are compared by what is in them.
fn two_items(value: &str) -> String {
    format!("all:\n- x: {value}\n  y: 1\n- y: 2\n  x: {value}\n")
}

fn bombs() -> Vec<Row> {
    vec![
        row("a billion laughs in lists", laughs(9, 9), Taken),
        row("laughs in lists, 500 levels", laughs(500, 3), Taken),
        row("laughs in maps, 200 levels", laughs_in_maps(200), Taken),
        row("laughs in merges, 100 levels", laughs_in_merges(100), Taken),
        row("one big list many times", many_of_one(3_000, 3_000), Taken),
        row("10,000 aliases in one list", format!("a: &a 1\nall: [{}]\n", vec!["*a"; 10_000].join(", ")), Taken),
        row("a chain of aliases in lists", chain(1_500, "[@]"), Taken),
        row("a chain of aliases in maps", chain(1_500, "{k: @}"), Taken),
        row("laughs in maps that are items", laughs_in_maps(60) + &two_items("*a59"), Taken),
        row("a chain of aliases in maps that are items", chain(3_000, "{k: @}") + &two_items("*a2999"), Taken),
        row("a chain of merges", chain(700, "{<<: @}"), Taken),
        row("a chain of merges in lists", chain(700, "{<<: [@, @]}"), Taken),
        row("3,000 anchors that nobody uses", numbered(3_000, "k@: &a@ x\n"), Taken),
        row("1,000 anchors with an alias each", numbered(1_000, "k@: &a@ x\nl@: *a@\n"), Taken),
        row("one anchor defined 1,000 times", numbered(1_000, "k@: &a x\nl@: *a\n"), Taken),
        row("anchors on 1,000 keys", numbered(1_000, "&a@ k@: x\n"), Taken),
        row("an anchor with a long name", format!("a: &{0} x\nb: *{0}\n", "n".repeat(200_000)), Taken),
        row("an alias with a long name of nothing", format!("a: *{}\n", "n".repeat(200_000)), Refused("anchor")),
        row("aliases as keys", "a: &a x\nb:\n  *a : 1\n", Taken),
        row("an alias as the key of itself", "a: &a x\n*a : 1\n", Either),
    ]
}

fn circles() -> Vec<Row> {
    let inside = Refused("this alias stands inside of what it refers to");
    vec![
        row("a list in itself", "a: &a [*a]\n", inside),
        row("a list deep in itself", "a: &a [[{b: [*a]}]]\n", inside),
        row("a map in itself", "a: &a {b: *a}\n", inside),
        row("a block map in itself", "a: &a\n  b: 1\n  c: *a\n", inside),
        row("a map merged into itself", "a: &a\n  <<: *a\n", inside),
        row("a map merged into a map in itself", "a: &a\n  b:\n    <<: *a\n", inside),
        row("a map among others merged into itself", "o: &o {x: 1}\na: &a\n  <<: [*o, *a]\n", inside),
        row("the whole file in itself", "&a\nb: *a\n", inside),
        row("a map in itself that is a key", "&a {*a : 1}: 2\n", inside),
        row("a list in itself that is a key", "? &a [b, [*a]]\n: 2\n", inside),
        row("two that refer to each other", "a: &a {x: *b}\nb: &b {x: *a}\n", Refused("anchor")),
        row("two merged into each other", "a: &a {<<: *b}\nb: &b {<<: *a}\n", Refused("anchor")),
    ]
}

fn names() -> Vec<Row> {
    vec![
        row("an alias of nothing", "a: *b\n", Refused("anchor")),
        row("an alias before its anchor", "a: *b\nb: &b 1\n", Refused("anchor")),
        row("a merge of nothing", "a:\n  <<: *b\n", Refused("anchor")),
        row("an alias of another document", "a: &a 1\n---\nb: *a\n", Refused("anchor")),
        row("an alias of another document in a key", "a: &a 1\n---\n[*a]: b\n", Refused("anchor")),
        row("an anchor without a name", "a: & b\n", Refused("")),
        row("an alias without a name", "a: * b\n", Refused("")),
        row("an anchor that ends in a bracket", "a: &a] b\n", Refused("")),
        row("two anchors on a value", "a: &a &b c\n", Refused("")),
        row("an anchor on an alias", "a: &a 1\nb: &b *a\n", Refused("")),
        row("a tag on an alias", "a: &a 1\nb: !t *a\n", Refused("")),
        row("an alias with a text behind it", "a: &a 1\nb: *a x\n", Refused("")),
        row("an anchor on nothing", "a: &a\nb: *a\n", Taken),
        row("a merge of a text", "a: &a x\nb:\n  <<: *a\n", Taken),
        row("a merge of no alias", "b:\n  <<: 1\n", Taken),
        row(
            "a merge that stands twice",
            "a: &a {x: 1}\nb: &b {y: 1}\nc:\n  <<: *a\n  <<: *b\n",
            Refused("appears twice"),
        ),
        row("anchors with odd names", "a: &@'\"$ü😀 1\nb: *@'\"$ü😀\n", Taken),
    ]
}

/// An anchor on a key stands for that key alone, so an alias may refer to it from anywhere behind it.
fn keys() -> Vec<Row> {
    let nested = |at: usize| format!("&k{at} n{at}: &v{at} [*k{at}, ");
    vec![
        row("an alias of its own key in braces", "{ &b b: *b, c: *b}\n", Taken),
        row("an alias of its own key", "&b b: *b\nc: *b\n", Taken),
        row("an alias of its own key inside of the value", "&b b: {c: [*b]}\nd: *b\n", Taken),
        row("an alias of its own key in a block below", "&b b:\n  c:\n  - *b\nd: *b\n", Taken),
        row("an alias of its own explicit key", "? &b b\n: *b\nc: *b\n", Taken),
        row("an alias of a key in a key that is a list", "{ &a [a, &b b]: *b, c: [*b, *a] }\n", Either),
        row("an alias that is a key of an alias of its key", "{ &a [a, &b b]: *b, *a : [c, *b, d]}\n", Taken),
        row("an alias of its own key that is a key below", "b: { &b b: {*b : *b}}\nc: *b\n", Taken),
        row("a key and its value with an anchor each", "a: {&k k: &v [*k], c: *v}\nl: [*k, *v]\n", Taken),
        row("a key merged into a map", "{ &b b: *b, <<: *b}\n", Taken),
        row("keys that mean each other", "{ &b b: *b, &c c: *b, d: {&b e: *c, &c f: *b}}\n", Taken),
        row("1,000 aliases of their own keys", format!("{{{}}}\n", numbered(1_000, "&k@ k@: *k@, ")), Taken),
        row(
            "190 aliases of keys in each other",
            format!("{{{}x: y{}}}\n", joined(0..95, |at| format!("{}{{", nested(at))), "}]".repeat(95)),
            Taken,
        ),
    ]
}

/// Values that a default of the user's has no place for, so that their aliases have to be written out.
fn lost() -> Vec<Row> {
    let deep = |levels: usize| {
        let open = joined(0..levels, |at| format!("&a{at} ["));
        let aliases = joined(0..levels, |at| format!("*a{}, ", levels - 1 - at));
        format!("listen: {open}{}{}\nall: [{aliases}]\n", vec!["x"; 2_000].join(", "), "]".repeat(levels))
    };
    let laughs = |levels: usize| {
        let list = |at: usize| format!("&a{at} [*a{0}, *a{0}, *a{0}], ", at - 1);
        format!("listen: [&a0 [x], {}]\nall: *a{}\n", joined(1..levels, list), levels - 1)
    };
    vec![
        row("lost anchors that laugh", laughs(100), Taken),
        row("2,000 lost anchors that laugh", laughs(2_000), Either),
        row("lost anchors around each other", deep(10), Taken),
        row("150 lost anchors around each other", deep(150), Either),
        row(
            "2,000 lost anchors",
            format!("listen: [{}]\nall: [{}]\n", numbered(2_000, "&a@ x, "), numbered(2_000, "*a@, ")),
            Either,
        ),
    ]
}

pub(crate) fn rows() -> Vec<Row> {
    [bombs(), circles(), names(), keys(), lost()].into_iter().flatten().collect()
}
