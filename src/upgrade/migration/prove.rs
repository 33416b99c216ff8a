//! A migration file proves itself before it ships: `yamlift migration check`.
//!
//! Each step is tried on the old default, one behind the other, and what a path should find there or in the new default is
//! looked for. All that is wrong is told, not only the first.

use super::{Form, Migration, Move, Release, Words};
use crate::report::prepared::What;
use crate::text::error::{Error, Place, visible};
use crate::text::named::NamedText;
use crate::text::scan;
use crate::text::source::Source;
use crate::upgrade::moves::{self, Files, GivesWay, Lines, Prepared};
use crate::yaml::check::{self, Checked};
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::path::{Path, Step};
use crate::yaml::pattern::{Pattern, Word};
use crate::yaml::row::RowId;

/// What is wrong where a step does not know what it has done from what is to be done.
const TWICE: &str = "a second run would do it again: say with `--from` where each configuration comes from";

/// A file's name and text.
type Named<'a> = (&'a str, &'a str);

impl Migration {
    /// Finds all that is wrong with the steps of a migration file, each with its place: against the new default, and against
    /// the old one where that is given. With `from`, only the steps for who comes from that version are looked at.
    ///
    /// ```
    /// let file = "yamlift: 1\nsteps:\n- version: 2\n  move: {port: http/prot}\n";
    /// let migration = yamlift::Migration::read("2.0.yml", file)?;
    /// let findings = migration.check("http: {port: 80}\n", Some("port: 80\n".into()), None)?;
    /// let place = findings[0].place().map(|place| (place.line, place.column));
    /// assert_eq!((findings[0].file(), place), (Some("2.0.yml"), Some((4, 16))));
    /// # Ok::<(), yamlift::Error>(())
    /// ```
    ///
    /// # Errors
    /// A default that is not valid YAML, and a `from` that is not a version.
    pub fn check<'t>(
        &self,
        update: impl Into<NamedText<'t>>,
        base: Option<NamedText<'t>>,
        from: Option<&str>,
    ) -> Result<Vec<Error>, Error> {
        let (update, base) = (update.into().or("update"), base.map(|base| base.or("base")));
        self.check_from(from)?;
        let source = Source::new(update.0, update.1)?;
        let read = check::read(&source)?;
        let steps: Vec<_> = self.steps_from(from).collect();
        let mut prover = Prover { migration: self, update: (update.0, &read), findings: Vec::new() };
        for (at, step) in steps.iter().enumerate() {
            prover.step(step, &steps[at + 1..])?;
        }
        if let Some(base) = base {
            prover.base(base, &steps)?;
        }
        let mut findings = prover.findings;
        findings.sort_by_key(|finding| (!finding.is_in(&self.name), finding.place()));
        Ok(findings)
    }
}

struct Prover<'p> {
    migration: &'p Migration,
    update: (&'p str, &'p Checked<'p>),
    findings: Vec<Error>,
}

impl Prover<'_> {
    fn find(&mut self, place: Place, what: &str, help: &'static str) {
        self.findings.push(self.migration.error(place, what).help(help));
    }

    /// What the new default says about a step.
    fn step(&mut self, step: &Release, later: &[&Release]) -> Result<(), Error> {
        for Move { from, to, .. } in &step.moves {
            self.arrives(to, later)?;
            if !self.leads_through(from)? && self.has(&Pattern::read(&from.text)?)? {
                let what = format!("`{}` moves away, and {} has it still", visible(&from.text), self.update.0);
                self.find(
                    from.place,
                    &what,
                    "it would come in again beside the new one: take it out of the new default",
                );
            }
        }
        for (path, form) in &step.convert {
            self.arrives(path, later)?;
            self.converts_once(path, form);
        }
        self.moves_once(step);
        for path in &step.reset {
            self.arrives(path, later)?;
        }
        for path in &step.delete {
            if self.has(&Pattern::read(&path.text)?)? {
                let what = format!("`{}` is deleted, and {} has it still", visible(&path.text), self.update.0);
                self.find(path.place, &what, "write it under `reset` if the new default is to come in fresh");
            }
        }
        Ok(())
    }

    /// No new form of a value is an old form of another one.
    fn converts_once(&mut self, path: &Words, form: &Form) {
        let Form::Map(pairs) = form else { return };
        let is_old = |new: &str| pairs.iter().any(|(old, other)| old == new && other != new);
        if let Some((_, new)) = pairs.iter().find(|(_, new)| is_old(new)) {
            let what = format!("`{}` is a new form and an old one", visible(new));
            self.find(path.place, &what, TWICE);
        }
    }

    /// No value moves to a place that another one moves away from.
    fn moves_once(&mut self, step: &Release) {
        let is_old = |to: &Words| step.moves.iter().any(|other| other.from.text == to.text);
        for one in step.moves.iter().filter(|one| is_old(&one.to)) {
            let what = format!("`{}` is a new path and an old one", visible(&one.to.text));
            self.find(one.to.place, &what, TWICE);
        }
    }

    /// A path is in the new default, under the name that later steps give it.
    fn arrives(&mut self, path: &Words, later: &[&Release]) -> Result<(), Error> {
        let Some(last) = followed(Pattern::read(&path.text)?, later)? else { return Ok(()) };
        if !self.has(&last)? {
            let what = format!("`{}` is not in {}", visible(&last.to_string()), self.update.0);
            self.find(path.place, &what, "is it misspelt, or has it another name by now?");
        }
        Ok(())
    }

    fn has(&self, path: &Pattern) -> Result<bool, Error> {
        let files = Files { current: self.update.1, update: self.update.1, gives_way: GivesWay::Defaults(None) };
        Ok(!files.find(&path.to_string())?.is_empty())
    }

    /// Whether some new path goes through an old one, which so is there again.
    fn leads_through(&self, from: &Words) -> Result<bool, Error> {
        let old = Pattern::read(&from.text)?;
        for step in &self.migration.steps {
            for a in &step.moves {
                if Pattern::read(&a.to.text)?.0.starts_with(&old.0) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// What the old default says: the steps are done to it, and then all of it has to be in the new one.
    fn base(&mut self, base: Named<'_>, steps: &[&Release]) -> Result<(), Error> {
        let (mut text, mut lines) = (base.1.to_owned(), Lines::default());
        for step in steps {
            self.old_paths(base.0, &text, step)?;
            match moves::prepare(
                (base.0, text.as_str().into()),
                &[(*step).clone()],
                (self.update.1, GivesWay::Defaults(None)),
            ) {
                Ok(next) => {
                    self.changes(base.0, &next, step);
                    self.new_paths(base.0, &next.text, step)?;
                    lines = next.lines.behind(&lines);
                    text = next.text.into_owned();
                }
                Err(error) => self.findings.push(error),
            }
        }
        let source = Source::new(base.0, base.1)?;
        let after = Source::new(base.0, &text)?;
        let read = check::read(&after)?;
        self.vanished(&source, &read.outline, &lines);
        Ok(())
    }

    /// What moves or is deleted is there.
    fn old_paths(&mut self, name: &str, text: &str, step: &Release) -> Result<(), Error> {
        let old = step.moves.iter().map(|a| &a.from).chain(&step.delete);
        self.are_there(name, text, &old.collect::<Vec<_>>())
    }

    /// What is converted or reset is there, after the moves of its step.
    fn new_paths(&mut self, name: &str, text: &str, step: &Release) -> Result<(), Error> {
        self.are_there(name, text, &step.convert.iter().map(|(path, _)| path).collect::<Vec<_>>())
    }

    fn are_there(&mut self, name: &str, text: &str, paths: &[&Words]) -> Result<(), Error> {
        let source = Source::new(name, text)?;
        let read = check::read(&source)?;
        let files = Files { current: &read, update: self.update.1, gives_way: GivesWay::Defaults(None) };
        for path in paths {
            if files.find(&path.text)?.is_empty() {
                let what = format!("`{}` is not in {name}", visible(&path.text));
                self.find(path.place, &what, "is it misspelt, or did an earlier step give it another name?");
            }
        }
        Ok(())
    }

    /// The old default itself cannot be brought into the new form.
    fn changes(&mut self, name: &str, prepared: &Prepared<'_>, step: &Release) {
        for change in &prepared.changes {
            if matches!(change.what, What::NotConverted { .. } | What::BothSet { .. } | What::NotMoved { .. }) {
                let what = format!("in {name}, {} does not take part: {}", change.shown(), change.text());
                self.find(step.place, &what, "whoever has the old default as it is would be changes this");
            }
        }
    }

    /// All old paths that the steps name.
    fn named(&self) -> Vec<Pattern> {
        let old = self.migration.steps.iter().flat_map(|step| step.moves.iter().map(|a| &a.from).chain(&step.delete));
        old.filter_map(|path| Pattern::read(&path.text).ok()).collect()
    }

    /// Whether a step moved something here. That the new default has it not is told of the step.
    fn is_target(&self, path: &Path) -> bool {
        let mut moves = self.migration.steps.iter().flat_map(|step| &step.moves);
        moves.any(|a| Pattern::read(&a.to.text).is_ok_and(|to| to.matches(path)))
    }

    /// Keys that the new default has not although no step names them.
    fn vanished(&mut self, source: &Source<'_>, state: &Outline<'_>, lines: &Lines) {
        let update = &self.update.1.outline;
        let mut found = Vec::new();
        let named = self.named();
        for (at, (&mine, &theirs)) in state.documents.iter().zip(&update.documents).enumerate() {
            let path = if state.documents.len() > 1 { vec![Step::Document(at)] } else { Vec::new() };
            Vanished { state, update, named: &named, found: &mut found }.inside(mine, theirs, &path);
        }
        found.retain(|(path, _)| !self.is_target(path));
        for (path, row) in found {
            let line = lines.original(state[row].line);
            let text = source.lines.numbered(line);
            let before = state[row].name.as_deref().and_then(|name| text.find(name));
            let before = before.unwrap_or_else(|| scan::after_blanks(text, 0));
            let place = Place { line, column: text[..before].chars().count() + 1 };
            let what = format!("`{path}` is not in {}, and no step says what becomes of it", self.update.0);
            self.findings.push(source.error(&what, place).help("name it under `move` or `delete`"));
        }
    }
}

/// The path that later steps make of one; nothing where they delete it.
fn followed(mut path: Pattern, later: &[&Release]) -> Result<Option<Pattern>, Error> {
    for step in later {
        for a in &step.moves {
            let from = Pattern::read(&a.from.text)?;
            if path.0.starts_with(&from.0) {
                let to = Pattern::read(&a.to.text)?;
                path = Pattern([&to.0[..], &path.0[from.0.len()..]].concat());
                break;
            }
        }
        for gone in &step.delete {
            if path.0.starts_with(&Pattern::read(&gone.text)?.0) {
                return Ok(None);
            }
        }
    }
    Ok(Some(path))
}

/// The search for keys that are in the old default alone, the outermost of them.
struct Vanished<'v, 'a, 'b> {
    state: &'v Outline<'a>,
    update: &'v Outline<'b>,
    named: &'v [Pattern],
    found: &'v mut Vec<(Path, RowId)>,
}

impl Vanished<'_, '_, '_> {
    fn inside(&mut self, mine: RowId, theirs: RowId, path: &[Step]) {
        let (state, update) = (self.state, self.update);
        let other = Some(theirs).filter(|&row| update[row].kind == RowKind::Map);
        for row in state.children(mine) {
            let Some(name) = state[row].name.as_deref().filter(|_| state[mine].kind == RowKind::Map) else {
                return;
            };
            let below = Path([path, &[Step::Key(name.to_owned())]].concat());
            match other.and_then(|map| update.get(map, name)) {
                Some(other) => self.inside(row, other, &below.0),
                None if other.is_some_and(|map| update.inherits(map, name)) => {}
                None => self.whole(row, below),
            }
        }
    }

    /// A key that is gone; where steps name something inside of it, what they do not name.
    fn whole(&mut self, row: RowId, path: Path) {
        let is_inside = |named: &&Pattern| {
            let steps = named.0.iter().map_while(|word| if let Word::Step(step) = word { Some(step) } else { None });
            named.0.len() > path.0.len() && steps.take(path.0.len()).eq(&path.0)
        };
        if self.state[row].kind != RowKind::Map || self.named.iter().find(is_inside).is_none() {
            return self.found.push((path, row));
        }
        let state = self.state;
        for child in state.children(row) {
            let step = Step::Key(state[child].name.as_deref().unwrap_or_default().to_owned());
            self.whole(child, Path([&path.0[..], &[step]].concat()));
        }
    }
}
