//! What moves, goes or gets a new form before a merge: `--move` and the steps of a migration file.
//!
//! A preparation from text to text, so that the merge, and what verifies it, know nothing of it: the same steps make the
//! user's file and the old default look as the new release has them. Each step is read, changed as a tree and written,
//! and the reference parser reads what came about: every value is at its old path or its new one (see [`proof`]).
//!
//! Never guessed: what a path does not name stays, and what cannot stand where it should go is told and stays too.

mod answered;
mod apply;
mod braces;
mod convert;
mod files;
mod left_out;
mod lines;
mod plan;
mod proof;

#[cfg(test)]
mod tests;

use foldhash::{HashMap, HashSet};
use std::borrow::Cow;

use self::apply::Side;
pub(crate) use self::files::{Files, GivesWay};
pub(crate) use self::lines::Lines;
use self::plan::Plan;
use self::proof::Promise;
use crate::comments;
use crate::report::prepared::{PreparedChange, What};
use crate::report::secrets::{LooksSecret, Secrets};
use crate::text::error::{Cause, Error, Place};
use crate::text::source::Source;
use crate::upgrade::migration::{Form, Move, Release};
use crate::upgrade::options::{Base, OnConflict, Options};
use crate::upgrade::variables;
use crate::yaml::check::{self, Checked};
use crate::yaml::fields::Words;
use crate::yaml::nearest::did_you_mean;
use crate::yaml::path::Path;
use crate::yaml::pattern::Pattern;
use crate::yaml::tree::Node;
use crate::yaml::writer;

/// A text with all steps done.
#[derive(Debug, Default)]
pub(crate) struct Prepared<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Which line of the text before each line was.
    pub(crate) lines: Lines,
    pub(crate) changes: Vec<PreparedChange>,
    /// What the steps say that applied: version and words.
    pub(crate) notes: Vec<String>,
    pub(crate) warnings: Vec<String>,
    /// What has to be deleted while merging, for an alias means something inside of it.
    pub(crate) delete: Vec<String>,
}

/// The steps to be done: those given by hand, then those of the migration file that are new to the user.
pub(crate) fn releases(options: &Options) -> Result<Vec<Release>, Error> {
    let moves = options.moves.iter().map(|(from, to)| by_hand(from, to)).collect::<Result<Vec<_>, _>>()?;
    let own = (!moves.is_empty()).then(|| Release::of(moves));
    options.migration.as_ref().map_or(Ok(()), |migration| migration.check_from(options.from.as_deref()))?;
    let shipped = options.migration.iter().flat_map(|migration| migration.steps_from(options.from.as_deref()));
    Ok(own.into_iter().chain(shipped.cloned()).collect())
}

fn by_hand(from: &str, to: &str) -> Result<Move, Error> {
    let (old, new) = (Pattern::read(from)?, Pattern::read(to)?);
    if !new.is_target() || (new.stars() > 0 && new.stars() != old.stars()) {
        let what = format!("nothing can be moved to `{}`", crate::text::error::visible(to));
        return Err(Error::input(what).help("name the key that has the value now, as in server/port=http/port"));
    }
    let words = |text: &str| Words { text: text.to_owned(), place: Place::START };
    Ok(Move { from: words(from), to: words(to), form: None })
}

/// Does the steps to a text. `update` is the new default: it tells how a new path is meant and how a new list is written.
pub(crate) fn prepare<'t>(
    (name, text): (&str, Cow<'t, str>),
    releases: &[Release],
    (update, gives_way): (&Checked<'_>, GivesWay<'_>),
) -> Result<Prepared<'t>, Error> {
    let mut state = State { name, update, gives_way, prepared: Prepared { text, ..Prepared::default() } };
    for release in releases {
        let applied = state.release(release)?;
        if let Some(note) = release.note.as_ref().filter(|_| applied) {
            state.prepared.notes.push(format!("{}: {note}", release.version));
        }
    }
    Ok(state.prepared)
}

/// The current file with all steps done that are asked for. A file without any is as it was.
pub(crate) fn prepared<'t>(
    current: (&str, &'t str),
    update: &Source<'_>,
    options: &Options,
) -> Result<Prepared<'t>, Error> {
    let mut prepared = moved_and_converted(current, update, options)?;
    if let Some((text, lines)) = answered::edited(&prepared, current.0, update, options)? {
        prepared.lines = lines.behind(&prepared.lines);
        prepared.text = Cow::Owned(text);
    }
    Ok(prepared)
}

fn moved_and_converted<'t>(
    current: (&str, &'t str),
    update: &Source<'_>,
    options: &Options,
) -> Result<Prepared<'t>, Error> {
    let releases = releases(options)?;
    let left_out = Vec::from_iter(left_out::warning(current, update, options)?);
    if releases.is_empty() {
        return Ok(Prepared { text: Cow::Borrowed(current.1), warnings: left_out, ..Prepared::default() });
    }
    let base = options.base.as_ref().map(|Base { name, text }| {
        variables::apply_known(name, text, &options.variables).map(|applied| (name, applied.text))
    });
    let base = base.transpose()?;
    let base = base.as_ref().map(|(name, text)| Source::new(name, text)).transpose()?;
    let base = base.as_ref().map(check::read).transpose()?;
    let defaults = GivesWay::Defaults(base.as_ref().map(|base| &base.outline));
    let mut prepared = prepare((current.0, current.1.into()), &releases, (&check::read(update)?, defaults))?;
    prepared.warnings.extend(left_out);
    if options.on_conflict == OnConflict::Fail {
        prepared.refuse_conflicts(current, &options.secrets(LooksSecret::Hidden)?)?;
    }
    Ok(prepared)
}

/// The old default with the same steps done as the current file, so that it has its values where that has them.
pub(crate) fn prepared_base<'t>(
    base: (&str, Cow<'t, str>),
    current: &Prepared<'_>,
    update: &Source<'_>,
    options: &Options,
) -> Result<Prepared<'t>, Error> {
    let releases = releases(options)?;
    if releases.is_empty() {
        return Ok(Prepared { text: base.1, ..Prepared::default() });
    }
    let moved = current.changes.iter().filter(|change| matches!(change.what, What::Moved { .. }));
    let moved = moved.map(|change| change.path.clone()).collect();
    prepare(base, &releases, (&check::read(update)?, GivesWay::At(&moved)))
}

impl Prepared<'_> {
    /// The options for the merge.
    pub(crate) fn options(&self, options: &Options) -> Options {
        let is_shipped = options.migration.as_ref().is_some_and(|migration| migration.sparse);
        let delete = [&options.delete[..], &self.delete].concat();
        Options { delete, sparse: options.sparse || is_shipped, ..options.clone() }
    }

    fn refuse_conflicts(&self, current: (&str, &str), secrets: &Secrets) -> Result<(), Error> {
        let both = self.changes.iter().filter(|change| change.is_conflict());
        let told = |change: &PreparedChange| {
            let path = change.shown();
            format!("   {path}   {} | {}", change.line, secrets.shown(path, &change.text()))
        };
        let lines: Vec<_> = both.clone().map(told).collect();
        let Some(first) = both.map(|change| change.line).min() else { return Ok(()) };
        let what = "old and new keys are both set, or what is there already is no map";
        let error = Error::conflict(what).at(Place { line: first, column: 1 }, current.1).in_file(current.0);
        Err(error.detail(lines.join("\n")).help("take one of the two out, or choose with --on-conflict user"))
    }
}

/// The warning about an old path that names nothing. Where the new path is there, the value may have moved in an earlier
/// run, and nothing is misspelt.
fn nothing_to_move(path: &str, release: &Release, files: &Files<'_, '_>) -> String {
    let has_moved = release.moves.iter().filter(|one| one.from.text == path).any(|one| files.has(&one.to.text));
    let near = if has_moved { String::new() } else { did_you_mean(path, &[&files.current.outline]) };
    format!("nothing to move at `{path}`{near}")
}

struct State<'s, 't> {
    name: &'s str,
    update: &'s Checked<'s>,
    gives_way: GivesWay<'s>,
    prepared: Prepared<'t>,
}

/// A text that came about, with what is told of it.
struct Pass {
    text: String,
    lines: Lines,
    moved: HashMap<Path, Path>,
    gone: HashSet<Path>,
    changes: Vec<PreparedChange>,
    warnings: Vec<String>,
}

impl State<'_, '_> {
    /// Whether a step had anything to do.
    fn release(&mut self, release: &Release) -> Result<bool, Error> {
        let formed = release.moves.iter().filter_map(|a| Some((a.from.clone(), a.form.clone()?)));
        let first = self.convert(&formed.collect::<Vec<_>>())?;
        let moved = self.moves(release)?;
        let last = self.convert(&release.convert)?;
        Ok(first || moved || last)
    }

    fn convert(&mut self, wanted: &[(Words, Form)]) -> Result<bool, Error> {
        if wanted.is_empty() {
            return Ok(false);
        }
        let source = Source::new(self.name, &self.prepared.text)?;
        let current = check::read(&source)?;
        let (planned, changes) =
            convert::plan(&Files { current: &current, update: self.update, gives_way: self.gives_way }, wanted)?;
        let applied = !planned.is_empty();
        if !applied {
            self.tell(changes);
            return Ok(false);
        }
        let mut stream = current.stream.clone();
        let rewritten = convert::apply(&mut stream, planned).ok_or_else(|| not_understood(self.name))?;
        let promise = Promise { rewritten, ..Promise::default() };
        let (text, lines) =
            written(&source, &mut stream, |read| proof::check(&current.outline, &read.outline, &promise))?;
        self.take(Pass {
            text,
            lines,
            moved: HashMap::default(),
            gone: HashSet::default(),
            changes,
            warnings: Vec::new(),
        });
        Ok(applied)
    }

    fn moves(&mut self, release: &Release) -> Result<bool, Error> {
        if release.moves.is_empty() && release.delete.is_empty() && release.reset.is_empty() {
            return Ok(false);
        }
        let source = Source::new(self.name, &self.prepared.text)?;
        let current = check::read(&source)?;
        let files = Files { current: &current, update: self.update, gives_way: self.gives_way };
        let mut plan = plan::plan(&files, release)?;
        let changes = std::mem::take(&mut plan.changes);
        if release.version.is_empty() {
            let unknown = plan.unknown.iter().map(|path| nothing_to_move(path, release, &files));
            self.prepared.warnings.extend(unknown);
        }
        let deferred = std::mem::take(&mut plan.deferred);
        self.prepared.warnings.append(&mut plan.warnings);
        let pass = if plan.is_empty() { None } else { Some(moved(&source, &files, &plan)?) };
        let applied = pass.is_some() || !deferred.is_empty();
        self.prepared.delete.extend(deferred);
        match pass {
            Some(pass) => self.take(Pass { changes: [pass.changes, changes].concat(), ..pass }),
            None => self.tell(changes),
        }
        Ok(applied)
    }

    /// Goes on with another text. What was told before is told of the new paths.
    fn take(&mut self, pass: Pass) {
        self.prepared.changes.retain_mut(|change| change.follow(&pass.moved, &pass.gone));
        self.tell(pass.changes);
        self.prepared.warnings.extend(pass.warnings);
        self.prepared.lines = pass.lines.behind(&self.prepared.lines);
        self.prepared.text = Cow::Owned(pass.text);
    }

    fn tell(&mut self, changes: Vec<PreparedChange>) {
        let is_moved = |change: &&PreparedChange| matches!(change.what, What::Moved { .. });
        let moved: HashSet<_> =
            self.prepared.changes.iter().filter(is_moved).map(|change| change.path.clone()).collect();
        // What moves again was told with the path that it comes from.
        for change in changes.into_iter().filter(|change| !is_moved(&change) || !moved.contains(&change.path)) {
            let line = self.prepared.lines.original(change.line);
            self.prepared.changes.push(PreparedChange { line, ..change });
        }
    }
}

/// Moves and deletes. Where an alias would stand before its anchor, what moves goes to the start of its new map.
fn moved(source: &Source<'_>, files: &Files<'_, '_>, plan: &Plan) -> Result<Pass, Error> {
    let promise = Promise {
        moved: plan.moved.iter().cloned().collect(),
        gone: plan.going.iter().map(|way| files.path(way, &[])).collect(),
        ..Promise::default()
    };
    let tried = moved_to(source, files, plan, &promise, Side::Last);
    let (text, lines, lost) = tried.or_else(|_| moved_to(source, files, plan, &promise, Side::First))?;
    let shown = |(old, new): &(Path, Path)| (files.shown(old), files.shown(new));
    let moved: Vec<_> = plan.moved.iter().map(shown).collect();
    let lines_of = plan.renames.keys().chain(plan.takes.iter().map(|take| &take.from));
    let changes = moved.iter().zip(lines_of).map(|((from, to), way)| PreparedChange {
        path: to.clone(),
        line: files.line(way),
        what: What::Moved { from: from.clone() },
    });
    let gone = promise.gone.iter().map(|path| files.shown(path)).collect();
    let lost = lost.iter().map(|comment| format!("a comment that cannot stand in braces is gone: {comment}"));
    let changes = changes.collect();
    Ok(Pass { text, lines, changes, moved: moved.into_iter().collect(), gone, warnings: lost.collect() })
}

fn moved_to(
    source: &Source<'_>,
    files: &Files<'_, '_>,
    plan: &Plan,
    promise: &Promise,
    side: Side,
) -> Result<(String, Lines, Vec<String>), Error> {
    let mut stream = files.current.stream.clone();
    let waiting = apply::apply(&mut stream, files, plan, side)?;
    let waiting: Vec<_> = waiting.into_iter().map(braces::text).collect();
    let proof = |read: &Checked<'_>| proof::check(&files.current.outline, &read.outline, promise);
    if waiting.is_empty() {
        return written(source, &mut stream, proof).map(|(text, lines)| (text, lines, Vec::new()));
    }
    let (mut text, mut lines) = written(source, &mut stream, |_| Ok(()))?;
    for (at, (way, moving)) in waiting.iter().enumerate() {
        let before = Source::new(source.name, &text)?;
        let mut checked = check::read(&before)?;
        braces::put(&mut checked, way, moving).map_err(|error| error.in_file(source.name))?;
        let last = at + 1 == waiting.len();
        // In braces some plain text has to be quoted, and might be a number then.
        let proof = |read: &Checked<'_>| proof(read).map_err(|_| braces::refuse());
        let (next, behind) = written(&before, &mut checked.stream, |read| if last { proof(read) } else { Ok(()) })?;
        lines = behind.behind(&lines);
        text = next;
    }
    let comments = waiting.iter().flat_map(|(_, moving)| braces::comments(moving));
    let lost = comments.filter(|comment| !text.contains(comment)).map(str::to_owned).collect();
    Ok((text, lines, lost))
}

/// A tree as text, which the reference parser reads, and which stands the proof.
fn written(
    source: &Source<'_>,
    stream: &mut Node<'_>,
    proof: impl Fn(&Checked<'_>) -> Result<(), Error>,
) -> Result<(String, Lines), Error> {
    comments::arrange(stream);
    let text = writer::write(stream, source.bom, source.common_end()).text;
    let lines = {
        let result = Source::new(source.name, &text)?;
        let read = check::read(&result).map_err(|error| unreadable(source.name, &error))?;
        proof(&read).map_err(|error| error.with_line_of(result.name, result.text).in_file(source.name))?;
        Lines::of(stream, &read.stream)
    };
    Ok((text, lines))
}

/// What moved cannot be read: an alias before its anchor is what was asked for, all else our bug.
fn unreadable(name: &str, error: &Error) -> Error {
    match error.cause() {
        Some(Cause::AliasWithoutAnchor | Cause::AliasInsideItself) => alias().in_file(name),
        _ => Error::verification("what was moved is not readable").detail(error.to_string()),
    }
}

fn alias() -> Error {
    Error::input("after the moves and deletions an alias would not mean what it meant")
        .help("write the value out where the alias is, or move both")
}

fn not_understood(name: &str) -> Error {
    Error::input("a path of a conversion leads into a flow collection that yamlift does not understand")
        .in_file(name)
        .help("write the collection as a block first")
}
