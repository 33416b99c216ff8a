//! The upgrade, from two texts to a third and a report.
//!
//! ```text
//! text ──read──▶ tree ──edit──▶ tree ──merge──▶ tree ──write──▶ text ──verify──▶ report
//! ```
//!
//! Everything here is pure: no file is read or written, nothing is printed.

use crate::check::{self, Checked};
use crate::comments::Chooser;
use crate::edit::{self, Deleted, first_line};
use crate::error::{Error, Place};
use crate::merge::{Merge, Note, Noted};
use crate::options::Options;
use crate::outline::{Outline, RowKind};
use crate::path::{Path, Trail};
use crate::report::{Applied, Change, ChangeKind, Report, Size};
use crate::source::Source;
use crate::tree::{Node, Opener, Origin};
use crate::verify::{self, Inputs};
use crate::{documents, variables, writer};

/// An upgraded text and what was done to get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upgrade {
    pub(crate) text: String,
    pub(crate) report: Report,
}

impl Upgrade {
    /// The upgraded file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What was done.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

/// Upgrades `current`, a user's configuration, to `update`, the new default: the user's values stay, new keys arrive
/// with their comments, and order, comments and indentation follow the update.
///
/// # Errors
/// Refuses what is not valid YAML, a bare scalar, an empty update, a path that is not well formed, and a result that
/// does not pass verification.
///
/// ```
/// let current = "# old words\nport: 8080 # ours\n";
/// let update = "# new words\nport: 80\n# seconds\ntimeout: 5\n";
/// let upgrade = yamlift::upgrade(current, update, &yamlift::Options::default())?;
/// assert_eq!(upgrade.text(), "# new words\nport: 8080 # ours\n# seconds\ntimeout: 5\n");
/// # Ok::<(), yamlift::Error>(())
/// ```
pub fn upgrade(current: &str, update: &str, options: &Options) -> Result<Upgrade, Error> {
    named(("current", current), ("update", update), options)
}

/// A file's name for errors and reports, and its text.
pub(crate) type Named<'a> = (&'a str, &'a str);

pub(crate) fn named(current: Named<'_>, update: Named<'_>, options: &Options) -> Result<Upgrade, Error> {
    let applied = variables::apply(update.0, update.1, &options.variables)?;
    let update_source = Source::new(update.0, &applied.text)?;
    refuse_empty(&update_source)?;
    let source = Source::new(current.0, current.1)?;
    let (mine, theirs) = read_both(&source, &update_source)?;
    refuse_scalars(&source, &mine)?;
    refuse_scalars(&update_source, &theirs)?;
    let merged = merge(&source, mine, theirs, options)?;
    let text = writer::write(&merged.stream, source.bom, source.common_end());
    let changes = if text == current.1 { merged.unchanged() } else { merged.verified(current.0, &text, options)? };
    let report = Report {
        configuration: Some(Size::of(current.0, current.1)),
        update: Size::of(update.0, update.1),
        result: Size::of(current.0, &text),
        changed: text != current.1,
        changes,
        warnings: warnings(&merged.deleted.unknown, &applied.unknown),
        variables: applied.used.into_iter().map(|(name, value)| Applied { name, value }).collect(),
    };
    Ok(Upgrade { text, report })
}

/// Above this many bytes two files are read at the same time; below, starting a thread takes longer than reading.
const WORTH_A_THREAD: usize = 64 << 10;

fn read_both<'a>(current: &Source<'a>, update: &Source<'a>) -> Result<(Checked<'a>, Checked<'a>), Error> {
    if current.text.len().min(update.text.len()) < WORTH_A_THREAD {
        return Ok((check::read(current)?, check::read(update)?));
    }
    std::thread::scope(|scope| {
        let theirs = scope.spawn(|| check::read(update));
        let mine = check::read(current);
        let theirs = theirs.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok((mine?, theirs?))
    })
}

/// The first installation: the update as it is, with its variables applied.
///
/// # Errors
/// Refuses an update that is empty, not valid YAML or a bare scalar.
///
/// ```
/// let installed = yamlift::install("port: 80 # default\n", &yamlift::Options::default())?;
/// assert_eq!(installed.text(), "port: 80 # default\n");
/// # Ok::<(), yamlift::Error>(())
/// ```
pub fn install(update: &str, options: &Options) -> Result<Upgrade, Error> {
    install_named("configuration", ("update", update), options)
}

pub(crate) fn install_named(config: &str, update: Named<'_>, options: &Options) -> Result<Upgrade, Error> {
    let applied = variables::apply(update.0, update.1, &options.variables)?;
    let source = Source::new(update.0, &applied.text)?;
    refuse_empty(&source)?;
    refuse_scalars(&source, &check::read(&source)?)?;
    let report = Report {
        configuration: None,
        update: Size::of(update.0, update.1),
        result: Size::of(config, &applied.text),
        changed: true,
        changes: Vec::new(),
        warnings: warnings(&[], &applied.unknown),
        variables: applied.used.into_iter().map(|(name, value)| Applied { name, value }).collect(),
    };
    Ok(Upgrade { text: applied.text.into_owned(), report })
}

/// A valid but empty update is most likely a download that failed.
fn refuse_empty(source: &Source<'_>) -> Result<(), Error> {
    if source.text.is_empty() {
        return Err(Error::input("the file is empty").in_file(source.name).help("is this the new default?"));
    }
    Ok(())
}

/// A configuration is a map or a list; a file with nothing but bare scalars is most likely something else altogether.
fn refuse_scalars(source: &Source<'_>, checked: &Checked<'_>) -> Result<(), Error> {
    let roots = || checked.outline.documents.iter().map(|&row| &checked.outline.rows[row]);
    let collection = roots().any(|row| !matches!(row.kind, RowKind::Scalar(_)));
    let scalar = roots().find(|row| !row.text.is_empty());
    let Some(row) = scalar.filter(|_| !collection) else { return Ok(()) };
    let what = "this is one bare value, not a map or a list";
    Err(source
        .error(what, Place { line: row.line, column: 1 })
        .help("is this a configuration? a key needs `: ` behind it"))
}

fn warnings(unknown_paths: &[String], unknown_variables: &[String]) -> Vec<String> {
    let paths = unknown_paths.iter().map(|path| format!("nothing to delete at `{path}`"));
    let variables = unknown_variables.iter().map(|name| format!("no value for the variable #{{{name}}}"));
    paths.chain(variables).collect()
}

/// Both files as one tree, and everything that is needed to tell what happened.
struct Merged<'a> {
    stream: Node<'a>,
    current: Outline<'a>,
    update: Outline<'a>,
    documents: Vec<verify::Origins>,
    deleted: Deleted,
    notes: Vec<Note>,
}

fn merge<'a>(
    source: &Source<'_>,
    mine: Checked<'a>,
    theirs: Checked<'a>,
    options: &Options,
) -> Result<Merged<'a>, Error> {
    let (mut current, mut update) = (mine.stream, theirs.stream);
    let deleted = edit::delete(source, &mut current, &mine.outline, &options.delete)?;
    update.adopt();
    let chooser = Chooser::new(options.comments, &current, &update);
    let mut merge = Merge { current: &mine.outline, update: &theirs.outline, options, chooser, notes: Vec::new() };
    let (stream, documents) = documents::merge(&mut merge, current, update);
    let notes = merge.notes;
    Ok(Merged { stream, current: mine.outline, update: theirs.outline, documents, deleted, notes })
}

impl Merged<'_> {
    /// The changes of a result that is the current file.
    fn unchanged(&self) -> Vec<Change> {
        self.notes.iter().filter_map(|note| noted(note, &self.current)).collect()
    }

    /// Reads the result with both parsers, checks it against both inputs, and tells the changes with their lines.
    fn verified(&self, name: &str, text: &str, options: &Options) -> Result<Vec<Change>, Error> {
        let source = Source::new(name, text)?;
        let result = check::read(&source).map_err(|error| not_readable(&error))?;
        let mut added = Vec::new();
        came(&self.stream, &result.stream, &mut added, self.stream.children.len() > 1);
        let in_flow = self.notes.iter().filter(|note| matches!(note.what, Noted::AddedInFlow(_)));
        let paths: Vec<_> =
            added.iter().map(|(path, ..)| path).chain(in_flow.map(|note| &note.path)).cloned().collect();
        if !options.skip_validation {
            let left = self.notes.iter().filter(|note| note.what == Noted::NotInFlow);
            let inputs = Inputs {
                current: &self.current,
                update: &self.update,
                documents: &self.documents,
                removed: &self.deleted.removed,
                added: &paths,
                left: &left.map(|note| note.path.clone()).collect(),
            };
            verify::verify(&inputs, &result.outline)?;
        }
        Ok(self.changes(added, &result.outline))
    }

    fn changes(&self, added: Vec<Added>, result: &Outline<'_>) -> Vec<Change> {
        let removed = self.deleted.removed.iter();
        let removed = removed.map(|gone| change(ChangeKind::Removed, &gone.path, gone.line, gone.text.clone()));
        let added = added.into_iter().map(|(path, line, text)| change(ChangeKind::Added, &path, line, text));
        let noted = self.notes.iter().filter_map(|note| noted(note, result));
        let mut changes: Vec<_> = removed.chain(added).chain(noted).collect();
        changes.sort_by_key(|change| (change.kind, change.line));
        changes
    }
}

/// Our result is not readable: an alias without its anchor is what both files together make of it, all else our bug.
fn not_readable(error: &Error) -> Error {
    match error.place() {
        Some(place) if error.what().contains("anchor") => verify::anchors(place.line),
        _ => Error::verification("the result is not readable").detail(error.to_string()),
    }
}

/// Where a node came in, on which line of the result, and its first line.
type Added = (Path, usize, String);

/// Finds the outermost nodes that came from the update, with their lines as the result was read again.
fn came(merged: &Node<'_>, result: &Node<'_>, added: &mut Vec<Added>, several: bool) {
    fn below(merged: &Node<'_>, result: &Node<'_>, trail: &Trail<'_>, added: &mut Vec<Added>) {
        for (at, (node, read)) in merged.children.iter().zip(&result.children).enumerate() {
            let trail = match node.opener {
                Opener::Item { .. } => Trail::Item(trail, at),
                _ => Trail::Key(trail, &node.name),
            };
            if node.origin == Origin::Update {
                added.push((trail.path(), read.line, first_line(node)));
            } else {
                below(node, read, &trail, added);
            }
        }
    }
    for (at, (document, read)) in merged.children.iter().zip(&result.children).enumerate() {
        let trail = Trail::Document(several.then_some(at));
        if document.origin == Origin::Update {
            added.push((trail.path(), read.line, "---".to_owned()));
        } else {
            below(document, read, &trail, added);
        }
    }
}

fn change(kind: ChangeKind, path: &Path, line: usize, text: String) -> Change {
    Change { kind, path: path.to_string(), line, text }
}

fn noted(note: &Note, result: &Outline<'_>) -> Option<Change> {
    let line = || note.path.row(result).map_or(1, |row| result.rows[row].line);
    let told = |kind, line, text| Some(change(kind, &note.path, line, text));
    match &note.what {
        Noted::AddedInFlow(entry) => told(ChangeKind::Added, line(), entry.clone()),
        Noted::NotInFlow => told(ChangeKind::NotAdded, line(), "write it as a block to get them".to_owned()),
        Noted::KindDiffers { update } => told(ChangeKind::KindDiffers, line(), format!("the new file has {update}")),
        Noted::ItemLeft { candidates } => told(ChangeKind::ItemLeftAlone, line(), format!("{candidates} candidates")),
        Noted::CommentReplaced { line, comment } => told(ChangeKind::CommentReplaced, *line, comment.join("\n")),
    }
}
