//! What takes the most memory for a byte: the shortest values and lines that there are, held to the memory that
//! `docs/safety.md` promises.

use crate::Meant::Taken;
use crate::run::ROLES;
use crate::{Row, numbered, row, tried};

const MEGABYTE: usize = 1 << 20;

/// A word, again and again, for so many bytes.
fn repeat(word: &str, size: usize) -> String {
    word.repeat(size / word.len())
}

/// Half a megabyte of it.
fn half(word: &str) -> String {
    repeat(word, MEGABYTE / 2)
}

fn lines() -> Vec<Row> {
    vec![
        row("a megabyte of items", repeat("- a\n", MEGABYTE), Taken),
        row("a megabyte of blank lines", format!("a: 1\n{}b: 2\n", repeat("\n", MEGABYTE)), Taken),
        row("half a megabyte of items of nothing", half("-\n"), Taken),
        row("a quarter of a megabyte of documents", repeat("---\n", MEGABYTE / 4), Taken),
        row("half a megabyte of comments", format!("{}a: 1\n", half("#\n")), Taken),
        row("half a megabyte of comments behind it all", format!("a: 1\n{}", half("#\n")), Taken),
        row("half a megabyte of lines of a block", format!("a: |\n{}b: 1\n", half(" x\n")), Taken),
        row("half a megabyte of lines of a plain value", format!("a:\n{}b: 1\n", half(" x\n")), Taken),
        row("half a megabyte of keys", numbered(MEGABYTE / 20, "k@: 1\n"), Taken),
        row("half a megabyte of options that are commented out", numbered(MEGABYTE / 20, "#k@: 1\n") + "a: 1\n", Taken),
        row("half a megabyte of ends of documents", format!("a: 1\n{}", half("...\n")), Taken),
    ]
}

fn brackets() -> Vec<Row> {
    let million = repeat("1,", MEGABYTE);
    vec![
        row("a megabyte of items in brackets", format!("a: [{million}1]\n"), Taken),
        row("half a megabyte of items in brackets of an item", format!("a:\n- [{}1]\n", half("1,")), Taken),
        row("half a megabyte of lists in brackets", format!("a: [{}]\n", half("[],")), Taken),
        row("half a megabyte of maps in brackets", format!("a: [{}]\n", half("{},")), Taken),
        row("half a megabyte of keys in braces", format!("a: {{{}}}\n", numbered(MEGABYTE / 20, "k@,")), Taken),
        row("half a megabyte of keys with values", format!("a: {{{}}}\n", numbered(MEGABYTE / 20, "k@: 1,")), Taken),
        row("half a megabyte of pairs in brackets", format!("a: [{}]\n", half("a: b,")), Taken),
        row("half a megabyte of aliases", format!("a: &a 1\nb: [{}]\n", half("*a,")), Taken),
    ]
}

#[test]
fn the_shortest_values_and_lines_take_no_more_memory_than_is_promised() {
    let rows = [lines(), brackets()].concat();
    let over = tried(&rows);
    println!("figures: memory: shapes held to the promise\t{}", rows.len());
    println!("figures: memory: runs\t{}", rows.len() * ROLES.len());
    println!("figures: memory: over\t{}", over.len());
    assert!(over.is_empty(), "{} over\n{}", over.len(), over.join("\n"));
}
