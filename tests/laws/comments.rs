//! Comment lines: none goes silently, none stands twice for no reason.
//!
//! Comments inside of flow collections and scalars belong to their value, and ornaments (`#`, `# ----`) say nothing; both
//! are left out here.

use std::collections::{BTreeMap, BTreeSet};

use yamlift::ChangeKind;

use crate::lines::{cut, said};
use crate::oracle::Seen;
use crate::tree::{Node, Path, Step, Tree, Value};
use crate::values::wild;

/// A comment line and the values before and behind it.
struct Comment<'t> {
    text: &'t str,
    column: usize,
    /// The comments above that it is said deeper below: of one gap, without a blank line between them.
    under: Vec<&'t str>,
    before: Option<Near<'t>>,
    behind: Option<Near<'t>>,
}

/// A value, its path, and the number of its document.
type Near<'t> = (usize, Path, &'t Node);

/// Law 4 for comments.
pub(crate) fn none_is_lost_or_doubled(seen: &Seen<'_>) -> Result<(), String> {
    if has_markers(&seen.pair.current) || has_markers(&seen.pair.update) {
        return Ok(());
    }
    let current = comments(&seen.pair.current, &seen.current);
    let update = comments(&seen.pair.update, &seen.update);
    let result = comments(seen.upgrade.text(), &seen.result);
    none_of_the_users_is_lost(seen, &current, &result)?;
    none_of_the_updates_is_lost(seen, &update, &result)?;
    none_is_doubled(seen, [&current, &update, &result])
}

/// Where directives or `...` stand between comments, the place is left as the user has it.
fn has_markers(text: &str) -> bool {
    cut(text).into_iter().any(|line| line.starts_with('%') || line.starts_with("..."))
}

fn comments<'t>(text: &'t str, tree: &'t Tree) -> Vec<Comment<'t>> {
    let nodes = tree.nodes();
    let mut above = Above::default();
    let lines = cut(text).into_iter().enumerate().map(|(at, line)| (at + 1, line, above.under(line)));
    let lines: Vec<_> = lines.filter(|(at, line, _)| says(line.trim()) && !tree.is_inside(*at)).collect();
    let comment = |(at, line, under): (usize, &'t str, _)| {
        let leaves = || nodes.iter().filter(|(_, path, _)| !path.is_empty());
        Comment {
            text: line.trim(),
            column: line.len() - line.trim_start().len(),
            under,
            before: leaves().rfind(|(.., node)| node.line < at).cloned(),
            behind: leaves().find(|(.., node)| node.line > at).cloned(),
        }
    };
    lines.into_iter().map(comment).collect()
}

/// The comments right above a line that say something less deep, by the columns at which they do.
#[derive(Default)]
struct Above<'t>(Vec<(usize, &'t str)>);

impl<'t> Above<'t> {
    /// The comments that the next line is said below.
    fn under(&mut self, line: &'t str) -> Vec<&'t str> {
        let Self(comments) = self;
        if !line.trim_start().starts_with('#') {
            comments.clear();
        }
        let column = line.len() - line.trim_start_matches(['#', ' ', '-']).len();
        if !says(line.trim()) {
            return Vec::new();
        }
        comments.retain(|(above, _)| *above < column);
        let under = comments.iter().map(|(_, text)| *text).collect();
        comments.push((column, line.trim()));
        under
    }
}

/// Whether a line is a comment with words.
fn says(line: &str) -> bool {
    line.starts_with('#') && line.chars().any(char::is_alphanumeric)
}

fn none_of_the_users_is_lost(seen: &Seen<'_>, current: &[Comment<'_>], result: &[Comment<'_>]) -> Result<(), String> {
    let changes = seen.upgrade.report().changes();
    let replaced: Vec<_> = changes.iter().filter(|change| change.kind == ChangeKind::CommentReplaced).collect();
    for comment in current {
        let shown = comment.text.replace('\t', " ");
        let told = replaced.iter().any(|change| change.text.replace('\t', " ").contains(&shown));
        if !told && result.iter().all(|other| said(other.text) != said(comment.text)) {
            return Err(format!("a comment of the user's is gone and nobody says so\n{:?}", comment.text));
        }
    }
    Ok(())
}

fn none_of_the_updates_is_lost(seen: &Seen<'_>, update: &[Comment<'_>], result: &[Comment<'_>]) -> Result<(), String> {
    let mut option = None;
    for (at, comment) in update.iter().enumerate() {
        if option.is_none_or(|column| !is_of_option(comment, column)) {
            option = commented_out(comment.text).filter(|name| is_live(seen, name)).map(|_| comment.inner());
        }
        let there = result.iter().any(|other| said(other.text) == said(comment.text));
        let came = || came(seen, comment.before.as_ref()) && came(seen, comment.behind.as_ref());
        if !there && option.is_none() && came() && !is_above_block_of_other_kind(seen, &update[at..]) {
            return Err(format!("a comment of the update is missing\n{:?}", comment.text));
        }
    }
    Ok(())
}

/// Whether a comment goes with the live option that stands at a column: it is commented out as its block, an item or a
/// comment of that also at the same column.
fn is_of_option(comment: &Comment<'_>, column: usize) -> bool {
    let inner = comment.text.trim_start_matches('#').trim_start();
    let hangs = inner.starts_with('#') || inner.starts_with("- ");
    comment.inner() > column || (hangs && comment.inner() + 1 >= column)
}

/// Whether the first of some comments is about a block that is commented out below it and that the user has live as something
/// else than a map: what the release says of the block is not about that.
fn is_above_block_of_other_kind(seen: &Seen<'_>, comments: &[Comment<'_>]) -> bool {
    let behind = |comment: &Comment<'_>| comment.behind.as_ref().map(|(.., node)| node.line);
    let starts_block =
        |pair: &&[Comment<'_>]| behind(&pair[1]) == behind(&comments[0]) && pair[1].inner() > pair[0].inner();
    let is_of_other_kind = |name: &str| {
        let is_it = |path: &Path| path.last() == Some(&Step::Key(name.to_owned()));
        seen.result.nodes().iter().any(|(_, path, node)| is_it(path) && !matches!(node.value, Value::Map(_)))
    };
    let mut options = comments.windows(2).filter_map(|pair| Some((pair, commented_out(pair[0].text)?)));
    options.next().is_some_and(|(pair, name)| starts_block(&pair) && is_of_other_kind(name))
}

impl Comment<'_> {
    /// The column of what is commented out.
    fn inner(&self) -> usize {
        self.column + self.text.len() - self.text.trim_start_matches('#').trim_start().len()
    }
}

/// Whether a value of the update, or its counterpart, is in the result as what it is in the update: in no list and in no
/// flow map, which both are the user's. Of several documents only the like ones at the same place are looked at.
fn came(seen: &Seen<'_>, near: Option<&Near<'_>>) -> bool {
    let (theirs, result) = (&seen.update.documents, &seen.result.documents);
    let Some((at, path, node)) = near else {
        return seen.current.documents.len() == 1
            && theirs.len() == 1
            && result.len() == 1
            && theirs[0].kind() == result[0].kind();
    };
    let in_list = path.iter().any(|step| matches!(step, Step::Item(_))) || matches!(node.value, Value::List(_));
    let Some(root) = result.get(*at).filter(|_| theirs.len() == result.len() && !in_list) else { return false };
    let stands = |found: &Node| found.kind() == node.kind() && !matches!(found.value, Value::Alias { .. });
    let in_flow = root.any_on_the_way(&path[..path.len() - 1], |node| node.flow);
    root.find(path).is_some_and(stands) && !in_flow
}

/// The key that a comment comments out, if that is one: words before a colon are, where a file has them as a key.
fn commented_out(text: &str) -> Option<&str> {
    let text = text.trim_start_matches('#').trim();
    if let Some(quote) = text.chars().next().filter(|first| matches!(first, '"' | '\'')) {
        let (key, behind) = text[1..].split_once(quote)?;
        return (behind.trim_start().starts_with(':')).then_some(key);
    }
    let parted = text.split_once(": ").or_else(|| text.split_once(":\t"));
    let (key, _) = parted.or_else(|| Some((text.strip_suffix(':')?, "")))?;
    Some(key.trim_end()).filter(|key| !key.is_empty())
}

fn is_live(seen: &Seen<'_>, name: &str) -> bool {
    seen.result.nodes().iter().any(|(_, path, _)| path.last() == Some(&Step::Key(name.to_owned())))
}

/// No line more often than in either file, unless it stands between different keys in them, or under another comment.
fn none_is_doubled(seen: &Seen<'_>, comments: [&[Comment<'_>]; 3]) -> Result<(), String> {
    // The blanks behind the `#` may follow a block.
    let texts: BTreeSet<_> = comments[2].iter().map(|comment| comment.text).collect();
    let several = seen.current.documents.len().max(seen.update.documents.len()) > 1;
    // An option that the user may have live is counted for nobody, so that it cannot be lost.
    let is_option = |text: &&str| commented_out(text).is_some_and(|name| is_live(seen, name));
    for text in texts.into_iter().filter(|text| !is_option(text)) {
        let [mine, theirs, found] = comments.map(|comments| places(comments, text));
        let keys: BTreeSet<_> = mine.keys().chain(theirs.keys()).collect();
        let count = |places: &Places<'_>, key: &Place<'_>| places.get(key).copied().unwrap_or(0);
        // Which item of a list is which, or which document, only the merge knows: the words may be of two of them.
        let in_list = |key: &Option<Path>| key.as_ref().is_some_and(|path| path.contains(&Step::Item(0)));
        let loose = |(before, behind, _): &Place<'_>| several || in_list(before) || in_list(behind);
        let most = |key: &Place<'_>| {
            let (mine, theirs) = (count(&mine, key), count(&theirs, key));
            if loose(key) { mine + theirs } else { mine.max(theirs) }
        };
        let found: usize = found.values().sum();
        if found > keys.into_iter().map(most).sum() {
            return Err(format!("a comment stands more often than before\n{text:?} {found} times"));
        }
    }
    Ok(())
}

/// Between which keys a line stands: it ends the block of one, or stands above the other. And under which comment: what
/// stands commented out below one key is not what stands so below another.
type Place<'t> = (Option<Path>, Option<Path>, Vec<&'t str>);

/// Where a line stands, and how often.
type Places<'t> = BTreeMap<Place<'t>, usize>;

fn places<'t>(comments: &[Comment<'t>], text: &str) -> Places<'t> {
    let mut places = BTreeMap::new();
    for comment in comments.iter().filter(|comment| said(comment.text) == said(text)) {
        let near = |near: &Option<Near<'_>>| near.as_ref().map(|(_, path, _)| wild(path));
        *places.entry((near(&comment.before), near(&comment.behind), comment.under.clone())).or_default() += 1;
    }
    places
}
