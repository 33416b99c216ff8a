//! Lines: where those of a result come from, and whether they are what the report says.

use std::collections::HashSet;

use yamlift::{Change, ChangeKind};

use crate::commented_out;
use crate::oracle::Seen;
use crate::tree::{Step, Tree, print};

/// Law 5: every line of the result comes from an input.
pub(crate) fn all_come_from_an_input(seen: &Seen<'_>) -> Result<(), String> {
    let inputs = Inputs::new(seen);
    let lines = cut(seen.upgrade.text());
    let is_told = |at: usize| inputs.told.contains(&(opener(&lines, at) + 1));
    match lines.iter().enumerate().find(|&(at, line)| !is_told(at) && !inputs.has(line)) {
        Some((_, line)) => Err(format!("a line comes from neither file\n{line:?}")),
        None => Ok(()),
    }
}

/// The line that opens what a line says: of a value behind its `:`, that of its key behind `?`.
fn opener(lines: &[&str], at: usize) -> usize {
    let key =
        bare(lines[at]).starts_with(':').then(|| lines[..at].iter().rposition(|line| bare(line).starts_with('?')));
    key.flatten().unwrap_or(at)
}

/// The lines of a text without what ends them.
pub(crate) fn cut(text: &str) -> Vec<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let ended = text.strip_suffix('\n').unwrap_or(text);
    let lines = ended.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'));
    // Inside of a file a byte-order mark says nothing.
    let lines = lines.map(|line| line.trim_start_matches('\u{feff}'));
    if text.is_empty() { Vec::new() } else { lines.collect() }
}

struct Inputs<'s> {
    current: Vec<&'s str>,
    update: Vec<&'s str>,
    all: HashSet<&'s str>,
    /// Lines of the current file and of the update without their commas and blanks.
    packed: Vec<String>,
    keys: Vec<String>,
    added: Vec<&'s Change>,
    /// Whether a file ends without a line break.
    unbroken: bool,
    /// Lines that the report names for an anchor.
    told: Vec<usize>,
}

impl<'s> Inputs<'s> {
    fn new(seen: &'s Seen<'_>) -> Self {
        let bare = |text: &'s str| cut(text).into_iter().map(bare).collect::<Vec<_>>();
        let (current, update) = (bare(&seen.pair.current), bare(&seen.pair.update));
        let changes = seen.upgrade.report().changes();
        Self {
            all: current.iter().chain(&update).copied().collect(),
            packed: current.iter().map(|line| packed(line)).collect(),
            keys: update.iter().map(|line| packed(line)).collect(),
            added: changes.iter().filter(|change| change.kind == ChangeKind::Added).collect(),
            told: changes.iter().filter(|change| change.kind == ChangeKind::Alias).map(|change| change.line).collect(),
            unbroken: [&seen.pair.current, &seen.pair.update].iter().any(|text| !text.ends_with(['\n', '\r'])),
            current,
            update,
        }
    }

    fn has(&self, line: &str) -> bool {
        let line = bare(line);
        line.is_empty()
            // A document of its own, and no value before an empty key.
            || matches!(line, "---" | "..." | ":")
            || self.all.contains(line)
            || self.is_rekeyed(line)
            || self.gained_a_comma(line)
            || self.is_part(&packed(line))
            || self.has_gained(line)
            || self.has_another_alias(line)
            || self.is_behind_marker(line)
            || self.keeps_its_end(line)
            || self.is_aligned(line)
    }

    /// What is commented out at the margin follows its block behind its `#`.
    fn is_aligned(&self, line: &str) -> bool {
        line.starts_with('#') && self.current.iter().any(|own| aligned(own) == aligned(line))
    }

    /// The header of a text that ended its file without a line break says so where a line follows.
    fn keeps_its_end(&self, line: &str) -> bool {
        let header = line.rfind(['|', '>']).and_then(|at| Some(at + line[at..].find('-')?));
        let with = |at: usize, sign: &str| format!("{}{sign}{}", &line[..at], &line[at + 1..]);
        let was = |line: String| self.all.contains(&*line) || self.is_rekeyed(&line);
        self.unbroken && header.is_some_and(|at| was(with(at, "")) || was(with(at, "+")))
    }

    /// The update's value behind the user's `---`, with the comment that stood there.
    fn is_behind_marker(&self, line: &str) -> bool {
        let marked = line.strip_prefix("--- ").and_then(|line| line.rsplit_once('#'));
        marked.is_some_and(|(value, comment)| {
            self.current.iter().any(|own| own.starts_with("---") && own.ends_with(comment))
                && self.update.iter().any(|new| new.contains(value.trim_end()))
        })
    }

    /// A line whose alias has another name, for its anchor has, or whose anchor stands elsewhere.
    fn has_another_alias(&self, line: &str) -> bool {
        let in_flow = line.contains('*') && line.contains('{');
        let bare = nameless(line);
        // A flow map that has grown too long gets one entry a line.
        let broken = |other: &str| other.contains('{') && packed(&nameless(other)).contains(&packed(&bare));
        !self.told.is_empty() && (in_flow || self.all.iter().any(|other| nameless(other) == bare || broken(other)))
    }

    /// The key is written as in the update, where it may stand in a flow map, and the value as in the current file.
    fn is_rekeyed(&self, line: &str) -> bool {
        line.match_indices(':').map(|(at, _)| line.split_at(at + 1)).any(|(key, value)| {
            let name = key.trim_end_matches(':');
            let writes = |other: &&str| {
                other.strip_prefix(key).is_some_and(ends_key)
                    || other.trim_end_matches(',') == name
                    || (other.contains('{') && other.contains(name))
            };
            let is_value = |mine: &str| mine.strip_suffix(value).is_some_and(|key| key.ends_with(':'));
            // A flow map that has grown too long goes on below.
            let opens = |mine: &str| value.ends_with('{') && mine.contains(&format!(":{value}"));
            self.update.iter().any(writes) && self.current.iter().any(|mine| is_value(mine) || opens(mine))
        })
    }

    /// A packed line of the current file, whoever its key is from.
    fn is_packed(&self, line: &str) -> bool {
        let rekeyed = |(key, value): (&str, &str)| {
            self.keys.iter().any(|other| other.starts_with(key)) && self.packed.iter().any(|mine| mine.ends_with(value))
        };
        self.packed.iter().any(|mine| mine == line)
            || line.match_indices(':').any(|(at, _)| rekeyed(line.split_at(at + 1)))
    }

    /// The line before an entry that a flow collection gained.
    fn gained_a_comma(&self, line: &str) -> bool {
        !self.added.is_empty() && line.contains(',') && self.is_packed(&packed(line))
    }

    /// A part of a line of a flow collection: the first entry may leave its bracket, the bracket the last entry, and a
    /// collection that has grown too long gets one entry a line.
    fn is_part(&self, packed: &str) -> bool {
        !self.added.is_empty() && self.packed.iter().any(|mine| mine.contains(['{', '}']) && mine.contains(packed))
    }

    /// A line of a flow collection that gained entries, or an entry of one that became a line of a block.
    fn has_gained(&self, line: &str) -> bool {
        let told: Vec<_> = self.added.iter().filter(|change| line.contains(&change.text)).collect();
        let told: Vec<_> = told.iter().map(|change| packed(&change.text)).collect();
        told.iter().any(|entry| self.is_without(&packed(line), entry, &told))
    }

    /// Whether this is a comment that stands behind something in the update.
    fn is_remark(&self, rest: &str) -> bool {
        rest.starts_with('#') && self.keys.iter().any(|line| line.ends_with(rest))
    }

    /// Whether a line without one entry, and perhaps others, is one of the current file or nothing.
    fn is_without(&self, line: &str, entry: &str, told: &[String]) -> bool {
        line.match_indices(entry).any(|(at, _)| {
            let rest = format!("{}{}", &line[..at], &line[at + entry.len()..]);
            let more = || told.iter().any(|entry| self.is_without(&rest, entry, told));
            rest.is_empty() || self.is_part(&rest) || self.is_packed(&rest) || self.is_remark(&rest) || more()
        })
    }
}

/// A line without the names of its aliases, and without its anchors.
fn nameless(line: &str) -> String {
    let line: Vec<_> = line.split(' ').filter(|word| !word.starts_with('&')).collect();
    let line = line.join(" ");
    let name = |c: char| c.is_alphanumeric() || c == '-';
    let mut parts = line.split('*');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| line + "*" + part.trim_start_matches(name))
}

fn ends_key(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([' ', '\t'])
}

/// A comment without the blanks behind its `#`.
pub(crate) fn aligned(comment: &str) -> Option<&str> {
    comment.strip_prefix('#').map(|text| text.trim_start_matches(' '))
}

/// What a comment says, however many `#` and blanks it starts with.
pub(crate) fn said(comment: &str) -> &str {
    comment.trim().trim_start_matches('#').trim_start()
}

/// A line without its indentation and dashes, for an item may be joined with its dash or not.
fn bare(line: &str) -> &str {
    let line = line.trim();
    match line.strip_prefix('-') {
        Some(rest) if rest.is_empty() || rest.starts_with([' ', '\t']) => bare(rest),
        _ => line,
    }
}

fn packed(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, ',' | ' ' | '\t')).collect()
}

/// Law 6: a line that the report names holds the text that it gives.
pub(crate) fn are_where_the_report_says(seen: &Seen<'_>) -> Result<(), String> {
    seen.upgrade.report().changes().iter().try_for_each(|change| match change.kind {
        ChangeKind::Added => added_is_there(seen, change),
        ChangeKind::CommentReplaced => comment_was_there(seen, change),
        ChangeKind::CommentMoved => comment_was_there(seen, change).and_then(|()| comment_is_there(seen, change)),
        ChangeKind::AddedCommentedOut | ChangeKind::NowCommentedOut => commented_out::is_there(seen, change),
        ChangeKind::CommentedOut => is_live_in_the_update(seen, change),
        _ => line_of(&seen.result, change),
    })
}

/// A comment that stands elsewhere now stands somewhere.
fn comment_is_there(seen: &Seen<'_>, change: &Change) -> Result<(), String> {
    let lines = cut(seen.upgrade.text());
    let shown = |line: &str| said(line).replace('\t', " ");
    let is_comment = |line: &&&str| line.trim_start().starts_with('#');
    let is_there = |comment: &str| lines.iter().filter(is_comment).any(|line| shown(line) == shown(comment));
    match change.text.lines().find(|comment| !is_there(comment)) {
        None => Ok(()),
        Some(comment) => Err(format!("the comment is nowhere in the result\n{change:?}\n{comment:?}")),
    }
}

/// What the user has commented out is a key on that line of the update.
fn is_live_in_the_update(seen: &Seen<'_>, change: &Change) -> Result<(), String> {
    let nodes = seen.update.nodes();
    let is_it = |path: &[Step]| matches!(path.last(), Some(Step::Key(name)) if change.path.contains(name.as_str()));
    match nodes.iter().find(|(_, path, node)| node.line == change.line && is_it(path)) {
        Some(_) => Ok(()),
        None => Err(format!("no such key stands on that line of the update\n{change:?}")),
    }
}

fn added_is_there(seen: &Seen<'_>, change: &Change) -> Result<(), String> {
    let lines = cut(seen.upgrade.text());
    let line = change.line.checked_sub(1).and_then(|at| lines.get(at)).copied().unwrap_or_default();
    if !line.contains(bare(&change.text)) {
        return Err(format!(
            "line {} of the result is not the one that the report shows\n{change:?}\n{line:?}",
            change.line
        ));
    }
    line_of(&seen.result, change)
}

/// Whether a change has the line of the value that its path names. Documents and items are left out: the parser sees
/// those where their values start.
fn line_of(tree: &Tree, change: &Change) -> Result<(), String> {
    let several = tree.documents.len() > 1;
    let found = tree.nodes().into_iter().find(|(at, path, _)| print(several.then_some(*at), path) == change.path);
    match found {
        Some((_, path, node)) if node.line == change.line || is_loose(&path) => Ok(()),
        Some((.., node)) => {
            Err(format!("the path of a change is on another line\n{change:?}\nis on line {}", node.line))
        }
        None => Err(format!("the path of a change is nowhere\n{change:?}")),
    }
}

fn is_loose(path: &[Step]) -> bool {
    !matches!(path.last(), Some(Step::Key(_)))
}

/// The text is made of comments of the current file, and the line is one of its lines.
fn comment_was_there(seen: &Seen<'_>, change: &Change) -> Result<(), String> {
    let lines = cut(&seen.pair.current);
    let is_there = |comment: &str| lines.iter().any(|line| line.trim() == comment);
    if !change.text.split('\n').all(is_there) {
        return Err(format!("the comment replaced is none of the current file\n{change:?}"));
    }
    if (1..=lines.len()).contains(&change.line) { Ok(()) } else { Err(format!("there is no such line\n{change:?}")) }
}
