//! The upgrade, from two texts to a third and a report.
//!
//! ```text
//! text ──read──▶ tree ──edit──▶ tree ──merge──▶ tree ──write──▶ text ──verify──▶ report
//! ```
//!
//! * [`options`], [`migration`], [`rules`], [`variables`]: what is asked for. [`moves`] and [`edit`] prepare the current file.
//! * [`three_way`] plans what the old default decides; [`matching`] pairs items, [`documents`] documents.
//! * [`merge`](mod@merge) lays the nodes out, [`commented_out`] options among them; [`anchors`] keep their meaning.
//! * [`verify`] holds the result against both files; [`changes`] tells what differs, [`explain`] why.
//!
//! Promised: no value is lost or made anew, and a result that cannot be verified is none.
//!
//! Left out: everything here is pure, no file is read or written, nothing is printed. Layers of other systems go another
//! way ([`layers`](crate::layers)).

pub(crate) mod anchors;
pub(crate) mod changes;
pub(crate) mod commented_out;
pub(crate) mod documents;
pub(crate) mod edit;
pub(crate) mod explain;
mod gain;
mod install;
pub(crate) mod matching;
pub(crate) mod merge;
pub(crate) mod migration;
pub(crate) mod moves;
pub(crate) mod options;
pub(crate) mod rules;
mod strangers;
pub(crate) mod three_way;
pub(crate) mod unmatched;
pub(crate) mod variables;
pub(crate) mod verify;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use self::anchors::Refused;
use self::changes::{Files, Told};
use self::commented_out::Opened;
use self::edit::Deleted;
pub use self::install::install;
pub(crate) use self::install::install_named;
use self::merge::Merge;
use self::options::{Base, OnConflict, Options};
use self::rules::Rules;
use self::strangers::Keyed;
use self::three_way::Plan;
use self::verify::Inputs;
use crate::comments;
use crate::report::note::Note;
use crate::report::secrets::{LooksSecret, Secrets};
use crate::report::{Applied, Change, Moved, Report, Size};
use crate::text::error::{Error, Place};
use crate::text::source::{Ends, Source};
use crate::yaml::check::{self, Apart, Checked};
use crate::yaml::flow::fit::Stand;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::strict;
use crate::yaml::tree::{Kind, Node, Opener, Origin};
use crate::yaml::writer::{self, Written};

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
    upgraded(current, update, options).map_err(|error| error.hiding(&options.secret_names()))
}

fn upgraded(current: Named<'_>, update: Named<'_>, options: &Options) -> Result<Upgrade, Error> {
    let applied = variables::apply(update.0, update.1, &options.variables)?;
    let update_source = Source::new(update.0, &applied.text)?;
    refuse_empty(&update_source)?;
    let rules = options.rules()?;
    let prepared = moves::prepared(current, &update_source, options)?;
    let original = Source::new(current.0, current.1)?;
    let moved = matches!(prepared.text, Cow::Owned(_)).then(|| Source::new(current.0, &prepared.text)).transpose()?;
    let source = moved.as_ref().unwrap_or(&original);
    let options = &prepared.options(options);
    let (mine, theirs) = read_both(source, &update_source)?;
    refuse_scalars(source, &mine)?;
    refuse_scalars(&update_source, &theirs)?;
    let (own_twins, new_twins) = (mine.outline.has_twin_empty_keys, theirs.outline.has_twin_empty_keys);
    let (mine, old) = (prepared.lines.restored(mine), old_default(options, &rules, &update_source)?);
    let base_source = old.as_ref().map(|(name, old)| Source::new(name, &old.text)).transpose()?;
    let base = base_source.as_ref().map(check::read).transpose()?;
    let base = base.zip(old.as_ref()).map(|(base, (_, old))| old.lines.restored(base));
    let hint = base.as_ref().and_then(|base| three_way::hint(&mine.outline, &base.outline, options));
    let keyed = Keyed::of(current.1, source, &mine.outline);
    let old_keyed = base_source.as_ref().zip(base.as_ref()).zip(options.base.as_ref());
    let old_keyed = old_keyed.map(|((source, base), old)| Keyed::of(&old.text, source, &base.outline));
    let doubts = strangers::doubts(&keyed, old_keyed.as_ref(), &Keyed::of(update.1, &update_source, &theirs.outline));
    let known = [&mine.outline, &theirs.outline].into_iter().chain(base.as_ref().map(|base| &base.outline));
    let unmatched = unmatched::of_options(options, &known.collect::<Vec<_>>());
    let ends = Ends::of(source, options.base.as_ref().and(base_source.as_ref()), &update_source);
    let mut merged = merge(&original, &update_source, (mine, base.as_ref(), theirs), ends, (options, &rules))?;
    merged.notes.extend(prepared.told.iter().map(Note::from));
    let unknown = merged.deleted.unknown.clone();
    let written = merged.written(&original, current.1, options);
    let changes_nothing = written.as_ref().is_ok_and(|(text, ..)| text == current.1);
    if own_twins && !changes_nothing {
        return Err(check::twin_empty_keys(&original));
    }
    let (text, changes, suggestions) =
        written.map_err(|error| if new_twins { check::twin_empty_keys(&update_source) } else { error })?;
    let alarms = doubts.told(&suggestions);
    let report = Report {
        configuration: Some(Size::of(current.0, current.1)),
        update: Size::of(update.0, update.1),
        result: Size::of(current.0, &text),
        changed: text != current.1,
        changes,
        alarms: alarms.len(),
        warnings: [alarms, warnings(&unknown, &applied.unknown), unmatched, prepared.warnings, Vec::from_iter(hint)]
            .concat(),
        notes: prepared.notes,
        suggestions,
        base: options.base.as_ref().map(|base| Size::of(&base.name, &base.text)),
        variables: applied.used.into_iter().map(|(name, value)| Applied { name, value }).collect(),
    };
    Ok(Upgrade { text, report })
}

/// The name and the text of the base, its variables applied like those of the update, its values moved like those of the
/// current file; without one an empty text where what the walk with a base decides is asked for.
fn old_default<'o>(
    options: &'o Options,
    rules: &Rules,
    update: &Source<'_>,
) -> Result<Option<(&'o str, moves::Prepared<'o>)>, Error> {
    let Some(Base { name, text }) = &options.base else {
        return Ok((options.sparse || !rules.is_empty()).then(|| ("base", moves::Prepared::default())));
    };
    let applied = variables::apply_known(name, text, &options.variables)?.text;
    Ok(Some((name, moves::prepared_base((name, applied), update, options)?)))
}

fn read_both<'a>(current: &Source<'a>, update: &Source<'a>) -> Result<(Checked<'a>, Checked<'a>), Error> {
    let shorter = current.text.len().min(update.text.len());
    let (mine, theirs) = check::at_once(shorter, || check::read(current), || check::read(update));
    Ok((mine?, theirs?))
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
struct Merged<'b, 'a> {
    stream: Node<'a>,
    current: Outline<'a>,
    update: Outline<'a>,
    documents: Vec<verify::Origins>,
    deleted: Deleted,
    notes: Vec<Note>,
    plan: Plan<'b, 'a>,
    base: Option<&'b Outline<'a>>,
    update_name: &'b str,
    ends: Ends<'b>,
    open_maps: HashSet<usize>,
}

fn merge<'b, 'a>(
    source: &Source<'_>,
    update_source: &Source<'b>,
    (mut mine, base, mut theirs): (Checked<'a>, Option<&'b Checked<'a>>, Checked<'a>),
    ends: Ends<'b>,
    (options, rules): (&Options, &Rules),
) -> Result<Merged<'b, 'a>, Error> {
    let update_name = update_source.name;
    let mut plan = base.map_or_else(Plan::default, |base| three_way::plan(&mine, base, &theirs, (options, rules)));
    let old = base.map(|base| &base.outline);
    if options.on_conflict == OnConflict::Fail {
        let files = files((source.name, &mine.outline), old, (update_name, &theirs.outline), options);
        let mut secrets = Secrets::new(&options.secret, options.shipped_secrets(), LooksSecret::Hidden)?;
        for outline in [&mine.outline, &theirs.outline].into_iter().chain(old) {
            secrets.learn_rows(outline);
        }
        changes::conflicts(&plan.decisions, &files, &secrets)?;
    }
    let (mut current, mut update) = (mine.stream, theirs.stream);
    update.adopt(Origin::Update);
    if ends.follow {
        current.adopt(Origin::Current);
    }
    let tags = anchors::mark_tags(&mut current, &mut update, [source.text, update_source.text]);
    let anchors = anchors::mark_both(
        (&mut current, &mut mine.outline),
        (&mut update, &mut theirs.outline),
        [source.text, update_source.text],
    );
    let mut deleted = edit::delete(source, &mut current, &mut mine.outline, &options.delete)?;
    let opened = commented_out::open(&mut current, &mut update, |paths| {
        base.map_or_else(Opened::default, |base| Opened::of(&base.stream, paths))
    });
    if base.is_some() {
        plan.apply((&mut current, &mut mine.outline), (&mut update, &mut theirs.outline));
    }
    let step = step(&update);
    let mut merge = Merge {
        current: &mine.outline,
        update: &theirs.outline,
        options,
        notes: Vec::new(),
        twins: Vec::new(),
        has_aliases: anchors.is_some(),
        plan: &plan,
        stand: Stand { column: -1, step },
        opened: &opened,
        option_bases: HashMap::new(),
        open_maps: HashSet::new(),
    };
    let (mut stream, documents) = documents::merge(&mut merge, current, update);
    if let Some(anchors) = anchors {
        let settled = anchors.settle(&mut stream, &mut merge);
        settled.map_err(|refused| match refused {
            Refused::Lost(row) => edit::lost_anchor(source, &mine.outline, &deleted.removed, row),
            Refused::TooLong(Origin::Current, row) => anchors::too_long(source, &mine.outline, row),
            Refused::TooLong(Origin::Update, row) => anchors::too_long(update_source, &theirs.outline, row),
        })?;
        deleted.removed.iter_mut().for_each(|removed| removed.text = anchors.as_it_was(&removed.text));
    }
    merge.notes.extend(comments::decide(&mut stream, options.comments));
    commented_out::close(&mut stream);
    documents::mark_boundaries(&mut stream);
    let (mut notes, open_maps) = (merge.notes, merge.open_maps);
    if let Some(tags) = tags {
        tags.settle(&mut stream, &mut notes, deleted.removed.iter_mut().map(|removed| &mut removed.text));
    }
    Ok(Merged {
        stream,
        current: mine.outline,
        update: theirs.outline,
        documents,
        deleted,
        notes,
        plan,
        base: old,
        update_name,
        ends,
        open_maps,
    })
}

/// The files that a report tells of, by name and outline.
fn files<'f, 'a>(
    current: (&'f str, &'f Outline<'a>),
    base: Option<&'f Outline<'a>>,
    update: (&'f str, &'f Outline<'a>),
    options: &'f Options,
) -> Files<'f, 'a> {
    Files { current, base: options.base.as_ref().map(|base| base.name.as_str()).zip(base), update }
}

/// The text of a result, what was done, and what the release may have moved.
type Done = (String, Vec<Change>, Vec<Moved>);

/// How far the blocks of a file are indented: as far as the first map inside of another.
fn step(node: &Node<'_>) -> isize {
    fn first(node: &Node<'_>) -> Option<isize> {
        let own = matches!(node.opener, Opener::Key(_)) && node.kind() == Kind::Map;
        if own { Some(node.indent) } else { node.children.iter().find_map(first) }
    }
    first(node).unwrap_or(2)
}

impl Merged<'_, '_> {
    /// The text of the result, verified where it is not the current one, and what was done.
    fn written(self, source: &Source<'_>, current: &str, options: &Options) -> Result<Done, Error> {
        let ends = self.ends;
        let mut written = writer::write(&self.stream, ends.bom, ends.common);
        written.finish(ends);
        let Written { text, added, .. } = written;
        let files = files((source.name, &self.current), self.base, (self.update_name, &self.update), options);
        let (removed, plan) = (&self.deleted.removed, &self.plan);
        let notes = Told { lines: &source.lines, removed, notes: &self.notes, plan, files };
        if text == current {
            let changes = notes.changes(&changes::Found::default(), &self.current);
            return Ok((text, changes, notes.moves()));
        }
        let written = Source::new(source.name, &text)?;
        // With the last that the tree can say it goes; reading the result takes its place in memory.
        let stream = self.stream;
        let read = check::read_apart(&written, || {
            let found = changes::found(&stream, &added, plan, &files);
            drop(stream);
            found
        });
        let not_readable = |error: Error| not_readable(&error).with_line_of(written.name, written.text);
        let (Apart { mut stream, outline }, found) = read.map_err(not_readable)?;
        let (checked, (changes, moves)) = check::at_once(
            text.len(),
            || {
                check::compare(&written, &mut stream, &outline).map_err(not_readable)?;
                if options.skip_validation {
                    return Ok(());
                }
                let inputs = Inputs {
                    current: &self.current,
                    update: &self.update,
                    documents: &self.documents,
                    plan,
                    left: &notes.left_out(),
                    commented_out: &notes.commented_out(),
                    open_maps: &self.open_maps,
                };
                let added = notes.added_paths(&found);
                verify::verify(&inputs, added, &outline).map_err(|error| error.with_line_of(written.name, written.text))
            },
            || (notes.changes(&found, &outline), notes.moves()),
        );
        checked?;
        Ok((text, changes, moves))
    }
}

/// Our result is not readable: an alias without its anchor is what both files together make of it, all else our bug.
fn not_readable(error: &Error) -> Error {
    match error.place() {
        Some(place) if error.what().contains("anchor") => verify::anchors(place.line),
        Some(place) if error.what() == strict::SCALAR_BEFORE_DOCUMENT => {
            let what = format!("in the result, {}", error.what());
            Error::input(what).placed(place).help("give that document a key, or indent the text of the scalar")
        }
        _ => Error::verification("the result is not readable").detail(error.to_string()),
    }
}
