//! Files full of tags and of the directives that say what these stand for.
//!
//! Both files take their keys and handles from the same few, so that a tag comes under directives that give it another
//! meaning, or none, all the time.

use proptest::prelude::*;

use crate::pairs::Pair;
use crate::tape::Tape;

/// Two files that have keys and handles in common, and a third.
pub(crate) fn tagged() -> impl Strategy<Value = (Pair, String)> {
    let tape = || proptest::collection::vec(any::<u8>(), 0..60);
    (tape(), tape(), tape()).prop_map(|(current, update, base)| {
        let text = |tape: &[u8]| draw(&mut Tape::new(tape));
        (Pair { name: "tags".to_owned(), current: text(&current), update: text(&update) }, text(&base))
    })
}

const KEYS: [&str; 5] = ["a", "b", "c", "d", "e"];
const DIRECTIVES: [&str; 6] = [
    "# as agreed",
    "%YAML 1.2",
    "%TAG ! tag:example.org,2000:",
    "%TAG !! tag:example.org,2000:",
    "%TAG !e! tag:example.org,2000:",
    "%TAG !e! !local-",
];

fn draw(tape: &mut Tape<'_>) -> String {
    let mut text = String::new();
    for at in 0..=tape.below(2) {
        if at > 0 {
            text.push_str("...\n");
        }
        let handles = directives(tape, &mut text);
        if at > 0 || !handles.is_empty() || tape.chance(30) {
            text.push_str("---\n");
        }
        map(tape, &handles, 0, &mut text);
    }
    text
}

/// Writes some directives, each handle once; which handles they declare.
fn directives(tape: &mut Tape<'_>, text: &mut String) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    for line in tape.some(60, 3, |tape| *tape.pick(&DIRECTIVES)) {
        let what: String = line.split(' ').take(if line.starts_with("%TAG") { 2 } else { 1 }).collect();
        if !said.contains(&what) {
            text.extend([line, "\n"]);
            said.push(what);
        }
    }
    said.retain(|what| what.starts_with('%'));
    said
}

fn map(tape: &mut Tape<'_>, handles: &[String], column: usize, text: &mut String) {
    let mut keys = KEYS.to_vec();
    for _ in 0..=tape.below(3) {
        let key = keys.remove(tape.below(keys.len()));
        let (start, tag) = (" ".repeat(column), tag(tape, handles));
        let kind = tape.below(6);
        let deep = kind < 2 && column < 4;
        let value = match kind {
            _ if deep => format!("{}\n", tag.trim_end()),
            2 => format!("\n{start}-{tag}1\n{start}-{}x\n", self::tag(tape, handles)),
            3 => format!("{tag}{{b:{}1, c: 2}}\n", self::tag(tape, handles)),
            4 => format!("{tag}[1,{}x]\n", self::tag(tape, handles)),
            _ => format!("{tag}{}\n", tape.pick(&["1", "x", "'y'"])),
        };
        text.extend([&start, key, ":", &value]);
        if deep {
            map(tape, handles, column + 2, text);
        }
    }
}

/// A tag that may stand under some directives, with the blanks around it.
fn tag(tape: &mut Tape<'_>, handles: &[String]) -> String {
    let declared = handles.iter().any(|handle| handle == "%TAG!e!");
    let tags = [" ", " !red ", " !!blue ", " !<tag:example.org,2000:red> ", " !e!red "];
    let count = if declared { tags.len() } else { tags.len() - 1 };
    tags[tape.below(count)].to_owned()
}
