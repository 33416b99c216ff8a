//! Flow collections in every layout that YAML allows: what `--delete` takes out of one is all that goes.
//!
//! The other laws are tried on these files, too, so that what a flow map gains is held to the same rules.

use proptest::prelude::*;
use yamlift::{Error, Options, Upgrade};

use crate::lines::cut;
use crate::pairs::Pair;
use crate::tape::Tape;
use crate::tree::{Kind, Node, Step, Tree, Value, print};

/// Two versions of a file with flow collections; each is laid out in its own way.
pub(crate) fn flow_pairs() -> impl Strategy<Value = Pair> {
    let tape = |length| proptest::collection::vec(any::<u8>(), 0..length);
    (tape(120), tape(160), tape(160)).prop_map(|(file, current, update)| descend(&file, &current, &update))
}

fn descend(file: &[u8], current: &[u8], update: &[u8]) -> Pair {
    let map = draw_map(&mut Tape::new(file), 0);
    let version = |tape: &[u8], block: bool| {
        let mut tape = Tape::new(tape);
        let map = thinned(&map, &mut tape);
        write_file(&map, &mut tape, block)
    };
    let block = file.first().is_some_and(|first| first % 3 == 1);
    Pair { name: "flow".to_owned(), current: version(current, false), update: version(update, block) }
}

/// What a flow collection holds.
#[derive(Clone)]
enum Content {
    Word(&'static str),
    Map(Vec<(&'static str, Content)>),
    List(Vec<Content>),
    /// An item of one pair, without braces: `[a: 1]`.
    Pair(&'static str, Box<Content>),
}

const NAMES: [&str; 14] = [
    "a",
    "b",
    "port",
    "c",
    "two words",
    "\"q, r\"",
    "'it''s }'",
    "\"d\"",
    "e.f",
    "g/h",
    "ключ",
    "'k[0]'",
    "? m",
    "x#y",
];

const WORDS: [&str; 16] = [
    "1",
    "x",
    "true",
    "",
    "two words",
    "it's",
    "http://x:80",
    "a#b",
    "\"a, b\"",
    "'] }'",
    "\"# x\"",
    "''",
    "日本 ü",
    "!!str 5",
    "\"two\n     lines, }\"",
    "two\n     plain",
];

fn draw_map(tape: &mut Tape<'_>, depth: usize) -> Content {
    let mut entries: Vec<(&str, Content)> = Vec::new();
    for _ in 0..=tape.below(5) {
        let name = *tape.pick(&NAMES);
        let content = draw(tape, depth + 1);
        if entries.iter().all(|(other, _)| *other != name) {
            entries.push((name, content));
        }
    }
    Content::Map(entries)
}

fn draw(tape: &mut Tape<'_>, depth: usize) -> Content {
    match tape.below(8) {
        5 if depth < 3 => draw_map(tape, depth),
        6 if depth < 3 => Content::List(tape.some(75, 4, |tape| draw_item(tape, depth + 1))),
        7 => Content::Map(Vec::new()),
        _ => Content::Word(tape.pick::<&str>(&WORDS)),
    }
}

fn draw_item(tape: &mut Tape<'_>, depth: usize) -> Content {
    match draw(tape, depth) {
        Content::Word("") => Content::Word("y"),
        content if tape.chance(15) => Content::Pair("p", Box::new(content)),
        content => content,
    }
}

/// A version that lacks some entries; never all of them.
fn thinned(content: &Content, tape: &mut Tape<'_>) -> Content {
    let Content::Map(entries) = content else { return content.clone() };
    let mut kept: Vec<_> = entries.iter().filter(|_| !tape.chance(25)).collect();
    if kept.is_empty() {
        kept.extend(entries.first());
    }
    Content::Map(kept.into_iter().map(|(name, inner)| (*name, thinned(inner, tape))).collect())
}

fn write_file(map: &Content, tape: &mut Tape<'_>, block: bool) -> String {
    let (before, column) = match tape.below(6) {
        3 => ("top:\n  flow: ", 2),
        4 => ("# about it\nflow:\n  ", 0),
        5 => ("flow: !t ", 0),
        _ => ("flow: ", 0),
    };
    let mut out = before.to_owned();
    match map {
        Content::Map(entries) if block && column == 0 && tape.chance(80) => {
            out.replace_range(.., "flow:\n");
            for (name, content) in entries {
                let remark = if tape.chance(40) { format!("  {}\n", comment(tape)) } else { String::new() };
                out.extend([&remark, "  ", name.trim_start_matches("? "), ": "]);
                write(content, &mut Page { out: &mut out, column: 2 }, tape, Layout::Line);
                out.push_str(if tape.chance(20) { " # behind it\n" } else { "\n" });
            }
        }
        _ => {
            let layout = Layout::draw(tape);
            write(map, &mut Page { out: &mut out, column }, tape, layout);
            out.push('\n');
        }
    }
    let text = format!("{out}# the other\nother: 1\n");
    if tape.chance(10) { text.replace('\n', "\r\n") } else { text }
}

/// How the entries of a collection are laid out.
#[derive(Clone, Copy)]
enum Layout {
    Line,
    OneALine { left: bool },
    CommasFirst,
    Hanging,
    Wild,
}

impl Layout {
    fn draw(tape: &mut Tape<'_>) -> Self {
        match tape.below(9) {
            2 | 3 => Self::OneALine { left: tape.chance(50) },
            4 => Self::CommasFirst,
            5 => Self::Hanging,
            6..9 => Self::Wild,
            _ => Self::Line,
        }
    }
}

struct Page<'p> {
    out: &'p mut String,
    /// The column of the key; what follows on further lines has to stand deeper.
    column: usize,
}

impl Page<'_> {
    fn line(&mut self, deeper: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', self.column + deeper));
    }

    fn gap(&mut self, plain: &str, tape: &mut Tape<'_>) {
        match tape.below(20) {
            12 => self.out.push_str("  "),
            // The reference parser takes no tab behind a colon in flow.
            13 if !self.out.ends_with(':') => self.out.push('\t'),
            14 | 15 => self.line(2),
            16 => {
                self.out.extend([" ", &comment(tape)]);
                self.line(2);
            }
            17 => {
                self.line(2);
                self.out.push_str(&comment(tape));
                self.line(1 + tape.below(4));
            }
            18 => {
                self.out.push('\n');
                self.line(2);
            }
            _ => self.out.push_str(plain),
        }
    }

    /// What stands between an opening bracket or comma and the next entry.
    fn before_entry(&mut self, first: bool, layout: Layout, tape: &mut Tape<'_>) {
        match layout {
            Layout::Line | Layout::CommasFirst => self.out.push_str(if first { "" } else { " " }),
            Layout::Hanging if first => {}
            Layout::OneALine { .. } | Layout::Hanging => {
                self.inline_comment(tape);
                self.line(2);
                if tape.chance(20) {
                    self.out.push_str(&comment(tape));
                    self.line(2);
                }
            }
            Layout::Wild => self.gap(if first { "" } else { " " }, tape),
        }
    }

    fn inline_comment(&mut self, tape: &mut Tape<'_>) {
        if tape.chance(20) {
            self.out.extend([" ", &comment(tape)]);
        }
    }
}

fn comment(tape: &mut Tape<'_>) -> String {
    let tail = tape.pick(&["", " }", ", x: 1", " it's", " \"", " ["]);
    format!("# c{}{tail}", tape.below(250))
}

fn write(content: &Content, page: &mut Page<'_>, tape: &mut Tape<'_>, layout: Layout) {
    let (open, close, length) = match content {
        Content::Word(word) => return page.out.push_str(word),
        Content::Pair(name, content) => return write_entry(name, content, page, tape, layout),
        Content::Map(entries) => ('{', '}', entries.len()),
        Content::List(items) => ('[', ']', items.len()),
    };
    page.out.push(open);
    for at in 0..length {
        page.before_entry(at == 0, layout, tape);
        match content {
            Content::Map(entries) => write_entry(entries[at].0, &entries[at].1, page, tape, layout),
            Content::List(items) => write_inner(&items[at], page, tape, layout),
            _ => {}
        }
        if at + 1 < length || tape.chance(25) {
            match layout {
                Layout::CommasFirst => page.line(2),
                Layout::Wild => page.gap("", tape),
                _ => {}
            }
            page.out.push(',');
        }
    }
    match layout {
        Layout::OneALine { left } if length > 0 => {
            page.inline_comment(tape);
            page.line(usize::from(!left));
        }
        Layout::CommasFirst if length > 0 => page.line(2),
        Layout::Wild => page.gap("", tape),
        _ => {}
    }
    page.out.push(close);
}

fn write_inner(content: &Content, page: &mut Page<'_>, tape: &mut Tape<'_>, layout: Layout) {
    let inner = match layout {
        Layout::Wild => Layout::Wild,
        Layout::Line => Layout::Line,
        _ if tape.chance(75) => Layout::Line,
        _ => Layout::Wild,
    };
    write(content, page, tape, inner);
}

fn write_entry(name: &str, content: &Content, page: &mut Page<'_>, tape: &mut Tape<'_>, layout: Layout) {
    page.out.push_str(name);
    if matches!(content, Content::Word("")) && tape.chance(50) {
        return;
    }
    if tape.chance(5) {
        page.out.push(' ');
    }
    page.out.push(':');
    match layout {
        Layout::Wild if !matches!(content, Content::Word("")) => page.gap(" ", tape),
        _ => page.out.push(' '),
    }
    if page.out.ends_with([':']) {
        page.out.push(' ');
    }
    write_inner(content, page, tape, layout);
}

/// Takes out every entry of every flow collection in turn; what is left is all the rest.
pub(crate) fn what_is_taken_out_is_all_that_goes(pair: &Pair) -> Result<(), String> {
    let Some(current) = Tree::read(&pair.current) else { return Ok(()) };
    let paths = current.nodes().into_iter().map(|(_, path, _)| path);
    paths.filter(|path| path.len() > 1).try_for_each(|path| takes_out(pair, &current.documents[0], &path))
}

fn takes_out(pair: &Pair, current: &Node, path: &[Step]) -> Result<(), String> {
    let printed = print(None, path);
    let what = |what: &str, text: &str| format!("{what}\n{printed}\n{text}");
    let upgrade = match delete(&pair.current, &printed) {
        Ok(upgrade) => upgrade,
        Err(error) => return Err(what("what cannot be taken out", &error.to_string())),
    };
    if !upgrade.report().warnings().is_empty() {
        return Err(what("a path finds nothing", &upgrade.report().to_string()));
    }
    let Some(result) = Tree::read(upgrade.text()) else { return Err(what("not readable", upgrade.text())) };
    let mut expected = current.clone();
    take(&mut expected, path);
    if show(&expected) != show(&result.documents[0]) {
        return Err(what("something else is gone", upgrade.text()));
    }
    if changed(&cut(&pair.current), &cut(upgrade.text())) > 2 {
        return Err(what("other lines changed", upgrade.text()));
    }
    Ok(())
}

/// How many lines changed, besides those that are gone: the one with the comma before an entry, and the one behind it.
fn changed(before: &[&str], after: &[&str]) -> usize {
    let same = |(a, b): &(&&str, &&str)| a == b;
    let start = before.iter().zip(after).take_while(same).count();
    let end = before[start..].iter().rev().zip(after[start..].iter().rev()).take_while(same).count();
    let says = |line: &&&str| !line.trim().is_empty() && !line.trim().starts_with('#');
    after[start..after.len() - end].iter().filter(says).count()
}

fn delete(text: &str, path: &str) -> Result<Upgrade, Error> {
    let mut options = Options::default();
    options.delete = vec![path.to_owned()];
    yamlift::upgrade(text, "other: 2\n", &options)
}

/// Takes out a value, and the collections that are empty then.
fn take(node: &mut Node, path: &[Step]) {
    let Some((step, below)) = path.split_first() else { return };
    let at = match step {
        Step::Item(at) => Some(*at),
        Step::Key(name) => match &node.value {
            Value::Map(entries) => entries.iter().position(|(other, _)| other == name),
            _ => None,
        },
    };
    let Some(at) = at else { return };
    let child = match &mut node.value {
        Value::Map(entries) => &mut entries[at].1,
        Value::List(items) => &mut items[at],
        _ => return,
    };
    take(child, below);
    if below.is_empty() || (child.children().is_empty() && child.kind() != Kind::Scalar) {
        match &mut node.value {
            Value::Map(entries) => _ = entries.remove(at),
            Value::List(items) => _ = items.remove(at),
            _ => {}
        }
    }
}

fn show(node: &Node) -> String {
    let inside = node.children().into_iter().map(|(step, child)| format!("{step:?}={}", show(child)));
    let text = match &node.value {
        Value::Scalar { text, plain } => format!("{text:?}{plain}"),
        _ => String::new(),
    };
    format!("{:?}{:?}{text}({})", node.kind(), node.tag, inside.collect::<Vec<_>>().join(" "))
}
