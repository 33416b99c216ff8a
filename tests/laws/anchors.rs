//! Every alias means after an upgrade what it meant before: files full of anchors, and the law.
//!
//! Both files take their keys and anchor names from the same few, so that anchors are lost, doubled, put behind their
//! aliases and deleted all the time. What an alias means is looked up in the tests' own trees.

use proptest::prelude::*;
use yamlift::Options;

use crate::oracle::{self, Law};
use crate::pairs::Pair;
use crate::tape::Tape;
use crate::tree::{Node, Path, Step, Tree, Value, print};
use crate::values::wild;

/// Two files that have keys and anchor names in common, and what is to be deleted from the first.
pub(crate) fn anchored() -> impl Strategy<Value = (Pair, Vec<String>)> {
    let tape = |length| proptest::collection::vec(any::<u8>(), 0..length);
    (tape(160), tape(160), tape(6)).prop_map(|(current, update, delete)| {
        let text = |tape: &[u8]| File::default().draw(&mut Tape::new(tape));
        let pair = Pair { name: "anchors".to_owned(), current: text(&current), update: text(&update) };
        let paths = deletions(&pair.current, &mut Tape::new(&delete));
        (pair, paths)
    })
}

const KEYS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const ANCHORS: [&str; 3] = ["x", "y", "z"];

/// A file in the making.
#[derive(Default)]
struct File {
    text: String,
    /// The anchors whose values are complete, and whether these are maps.
    defined: Vec<(&'static str, bool)>,
}

impl File {
    fn draw(mut self, tape: &mut Tape<'_>) -> String {
        self.map(tape, 0, None);
        self.text
    }

    /// The keys of a map; the first may share the line that is given.
    fn map(&mut self, tape: &mut Tape<'_>, column: usize, mut shared: Option<String>) {
        let mut keys = KEYS.to_vec();
        let merged = self.merged(tape);
        for at in 0..=tape.below(if column == 0 { 6 } else { 3 }) {
            let key = keys.remove(tape.below(keys.len()));
            let start = shared.take().unwrap_or_else(|| " ".repeat(column));
            match merged.as_ref().filter(|_| at == 1) {
                Some(merged) => self.push(&format!("{start}<<: {merged}\n")),
                None => self.entry(tape, column, &format!("{start}{key}:")),
            }
        }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn merged(&self, tape: &mut Tape<'_>) -> Option<String> {
        let maps: Vec<_> = self.defined.iter().filter(|(_, map)| *map).map(|(name, _)| *name).collect();
        if maps.is_empty() || !tape.chance(30) {
            return None;
        }
        let (one, other) = (*tape.pick(&maps), *tape.pick(&maps));
        Some(if tape.chance(20) { format!("[*{one}, *{other}]") } else { format!("*{one}") })
    }

    /// A value behind its key or dash.
    fn entry(&mut self, tape: &mut Tape<'_>, column: usize, opener: &str) {
        let kind = tape.below(10);
        if kind < 3 && !self.defined.is_empty() {
            let (name, _) = *tape.pick(&self.defined);
            return self.push(&format!("{opener} *{name}\n"));
        }
        let anchor = tape.chance(40).then(|| *tape.pick(&ANCHORS));
        // Inside of its own value an anchor means that value.
        self.defined.retain(|(other, _)| Some(*other) != anchor);
        let property = anchor.map_or_else(String::new, |name| format!(" &{name}"));
        let deep = column < 6;
        match kind {
            3 | 4 if deep => {
                self.push(&format!("{opener}{property}\n"));
                self.map(tape, column + 2, None);
            }
            5 if deep => self.list(tape, column, &format!("{opener}{property}\n")),
            6 => {
                let inside = self.in_flow(tape);
                self.push(&format!("{opener}{property} {inside}\n"));
            }
            7 => self.push(&format!("{opener}{property}\n")),
            _ => self.push(&format!("{opener}{property} {}\n", tape.pick(&["1", "2", "'x'"]))),
        }
        if let Some(name) = anchor {
            self.defined.retain(|(other, _)| *other != name);
            self.defined.push((name, matches!(kind, 3 | 4) && deep));
        }
    }

    fn list(&mut self, tape: &mut Tape<'_>, column: usize, opener: &str) {
        self.text.push_str(opener);
        let start = " ".repeat(column + 2);
        let mut names = vec!["n", "m", "o"];
        for _ in 0..=tape.below(2) {
            let name = names.remove(tape.below(names.len()));
            let anchor = tape.chance(30).then(|| *tape.pick(&ANCHORS));
            self.defined.retain(|(other, _)| Some(*other) != anchor);
            match anchor {
                Some(anchor) => self.push(&format!("{start}- &{anchor}\n{start}  name: {name}\n")),
                None => self.push(&format!("{start}- name: {name}\n")),
            }
            if tape.chance(50) {
                let key = *tape.pick(&KEYS);
                self.entry(tape, column + 4, &format!("{start}  {key}:"));
            }
            if let Some(name) = anchor {
                self.defined.retain(|(other, _)| *other != name);
                self.defined.push((name, true));
            }
        }
    }

    fn in_flow(&self, tape: &mut Tape<'_>) -> String {
        let mut keys = KEYS.to_vec();
        let entries: Vec<_> = (0..=tape.below(2))
            .map(|_| {
                let key = keys.remove(tape.below(keys.len()));
                let alias = (tape.chance(40) && !self.defined.is_empty()).then(|| tape.pick(&self.defined).0);
                alias.map_or_else(|| format!("{key}: 1"), |name| format!("{key}: *{name}"))
            })
            .collect();
        format!("{{{}}}", entries.join(", "))
    }
}

/// Paths of maps and of what is in them; lists keep their items, so that paths stay what they are.
fn deletions(text: &str, tape: &mut Tape<'_>) -> Vec<String> {
    let tree = Tree::read(text).unwrap_or_default();
    let keys = |path: &Path| !path.is_empty() && path.iter().all(|step| matches!(step, Step::Key(_)));
    let in_flow = |path: &Path| {
        let above = &path[..path.len().saturating_sub(1)];
        tree.documents.first().is_some_and(|root| root.any_on_the_way(above, |node| node.flow))
    };
    let paths: Vec<_> =
        tree.nodes().into_iter().map(|(_, path, _)| path).filter(|path| keys(path) && !in_flow(path)).collect();
    let count = if paths.is_empty() { 0 } else { tape.below(3) };
    (0..count).map(|_| print(None, tape.pick::<Path>(&paths).as_slice())).collect()
}

/// Laws that hold for such files as for all others.
pub(crate) const LAWS: [Law; 6] = [
    oracle::upgraded_with_itself_it_is_itself,
    oracle::a_second_run_changes_nothing,
    oracle::nothing_is_lost,
    oracle::every_line_comes_from_an_input,
    oracle::the_report_tells_the_differences,
    aliases_keep_their_meaning,
];

/// The law without anything deleted.
pub(crate) fn aliases_keep_their_meaning(pair: &Pair) -> Result<(), String> {
    keep_their_meaning(pair, &[])
}

/// Every alias means after what it meant before.
pub(crate) fn keep_their_meaning(pair: &Pair, delete: &[String]) -> Result<(), String> {
    let mut options = Options::default();
    options.delete = delete.to_vec();
    let done = match yamlift::upgrade(&pair.current, &pair.update, &options) {
        Ok(done) => done,
        Err(error) if oracle::may_be_refused(&error) => return Ok(()),
        // What was deleted is needed, and nothing comes in its place.
        Err(error) if !delete.is_empty() && error.what().contains("this alias needs") => return Ok(()),
        Err(error) => return Err(format!("refused: {error}\ndelete {delete:?}")),
    };
    let read = |text: &str| Tree::read(text).map(|tree| tree.documents);
    let (Some(current), Some(update), Some(result)) = (read(&pair.current), read(&pair.update), read(done.text()))
    else {
        return Err(format!("the reference parser refuses\n{}", done.text()));
    };
    let ([current], [update], [result]) = (&current[..], &update[..], &result[..]) else { return Ok(()) };
    let seen = Seen { current, update, result, options: &options };
    seen.check().map_err(|what| format!("{what}\ndelete {delete:?}\n---- result\n{}\n{}", done.text(), done.report()))
}

struct Seen<'s> {
    current: &'s Node,
    update: &'s Node,
    result: &'s Node,
    options: &'s Options,
}

impl Seen<'_> {
    fn check(&self) -> Result<(), String> {
        let all = all(self.result);
        all.iter().try_for_each(|(path, node)| {
            let Value::Alias { target, .. } = &node.value else { return Ok(()) };
            let fits = self.is_of(self.current, path, target, false) || self.is_of(self.update, path, target, true);
            if fits { Ok(()) } else { Err(format!("an alias means something else: {}", print(None, path))) }
        })?;
        self.written_out_well()
    }

    /// Whether an alias of the result at `path` that means `target` does so as in a file. What is in lists of the update
    /// may have another place. An alias in a value that was written out counts as where that was.
    fn is_of(&self, file: &Node, path: &[Step], target: &Path, loose: bool) -> bool {
        let alike = |a: &[Step], b: &[Step]| if loose { wild(a) == wild(b) } else { a == b };
        let aliases = all(file);
        let meant = aliases.iter().filter_map(|(place, node)| match &node.value {
            Value::Alias { target, .. } => Some((place, target)),
            _ => None,
        });
        let meant: Vec<_> = meant.collect();
        let origins = |path: &[Step]| {
            let inside = meant.iter().filter_map(|(place, whole)| {
                let written = path.len() > place.len() && alike(place, &path[..place.len()]);
                written.then(|| [whole.as_slice(), &path[place.len()..]].concat())
            });
            std::iter::once(path.to_vec()).chain(inside).collect::<Vec<_>>()
        };
        let origins = |path: &[Step]| {
            let mut places = origins(path);
            for _ in 0..4 {
                let more: Vec<_> = places.iter().flat_map(|path| origins(path)).collect();
                places.extend(more.into_iter().filter(|path| !places.contains(path)).collect::<Vec<_>>());
            }
            places
        };
        let places = origins(path);
        let targets = meant.iter().filter(|(place, _)| places.iter().any(|path| alike(path, place)));
        targets.into_iter().any(|(_, before)| {
            let now = all(self.result);
            let at_path = |path: &[Step]| alike(path, before);
            at_path(target)
                || now.iter().any(|(path, node)| {
                    at_path(path) && matches!(&node.value, Value::Alias { target: other, .. } if other == target)
                })
                || meant
                    .iter()
                    .any(|(place, other)| other == before && origins(target).iter().any(|path| alike(path, place)))
                || origins(target).iter().any(|path| alike(path, before))
        })
    }

    /// Where an alias has become a value, that is the value that it meant.
    fn written_out_well(&self) -> Result<(), String> {
        for (file, loose) in [(self.current, false), (self.update, true)] {
            for (path, node) in all(file) {
                let Value::Alias { target, .. } = &node.value else { continue };
                let Some(there) = self.result.find(&path) else { continue };
                let own = loose && self.current.find(&path).is_some() && self.options.delete.is_empty();
                if own || is_alias(there) {
                    continue;
                }
                let sources = [self.current, self.update];
                let values = sources.iter().filter_map(|file| file.find(target));
                // Which item of a list is which only the merge knows.
                let beside = all(file).into_iter().filter(|(other, _)| *other != path && wild(other) == wild(&path));
                let values = values.chain(beside.map(|(_, node)| node).filter(|node| !is_alias(node)));
                if !values.into_iter().any(|value| is_like(value, there)) && self.options.delete.is_empty() {
                    return Err(format!("what an alias meant is not what was written: {}", print(None, &path)));
                }
            }
        }
        Ok(())
    }
}

fn is_alias(node: &Node) -> bool {
    matches!(node.value, Value::Alias { .. })
}

/// Whether a value was written out well: the same, but for aliases inside of it.
fn is_like(value: &Node, there: &Node) -> bool {
    match (&value.value, &there.value) {
        (Value::Alias { .. }, _) => true,
        (Value::Scalar { text, .. }, Value::Scalar { text: other, .. }) => text == other,
        _ => {
            let (a, b) = (value.children(), there.children());
            value.kind() == there.kind()
                && a.len() == b.len()
                && a.iter().zip(&b).all(|((step, a), (other, b))| step == other && is_like(a, b))
        }
    }
}

fn all(root: &Node) -> Vec<(Path, &Node)> {
    let mut found = vec![(Vec::new(), root)];
    let mut at = 0;
    while let Some((path, node)) = found.get(at).cloned() {
        found.extend(node.children().into_iter().map(|(step, child)| ([&path[..], &[step]].concat(), child)));
        at += 1;
    }
    found
}
