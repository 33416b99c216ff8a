//! What an upgrade works on: the configuration and the new default as they were read, and where the result goes.

use std::path::{Path, PathBuf};

use super::ask;
use super::destination::Destination;
use super::doubts::{self, New};
use super::input::{is_stdin, name, read_within};
use super::learner::Learner;
use super::output;
use super::remember::Memory;
use super::upgrade_args::Upgrade as UpgradeArgs;
use crate::files::{self, FileOptions, Original};
use crate::report::{Change, Report, Size};
use crate::text::error::Error;
use crate::upgrade::answers::Answer;
use crate::upgrade::markers::{self, Style, USUAL_SIZE};
use crate::upgrade::on_read::OnRead;
use crate::upgrade::options::{OnConflict, Options};
use crate::upgrade::{self, Upgrade, variables};

/// The two files of an upgrade as they were read, and where the result goes.
pub(super) struct Job {
    pub(super) config: PathBuf,
    pub(super) current: Current,
    pub(super) update: (String, String),
    /// The path of the new default.
    pub(super) source: PathBuf,
    /// Where the result goes instead of to the config's place.
    pub(super) to: Option<Destination>,
    pub(super) how: FileOptions,
    /// What to say of a CONFIG that is not there.
    pub(super) new: Option<New>,
}

pub(super) enum Current {
    /// The file is to be replaced.
    Taken(Box<Original>),
    /// The file is only read.
    Read(String),
    /// There is no file yet.
    Missing,
    Stdin(String),
}

impl Current {
    pub(super) fn of(args: &UpgradeArgs, config: &Path, how: &FileOptions) -> Result<Self, Error> {
        if is_stdin(config) {
            return read_within(Path::new("-"), how.max_size).map(Self::Stdin);
        }
        let current = if args.only_looks() || args.print_migration || args.out.output.is_some() {
            files::read_existing(config, how.max_size)?.map(Self::Read)
        } else if files::descriptor(config).is_some() {
            let what = "is what the shell has opened, which cannot be replaced";
            return Err(Error::input(what).in_file(&name(config)).help("write the result elsewhere: `-o FILE`"));
        } else {
            files::take(config, how)?.map(|original| Self::Taken(Box::new(original)))
        };
        Ok(current.unwrap_or(Self::Missing))
    }
}

impl Job {
    /// Reads all that is named. What somebody else may still be writing, such as a pipe, comes before the config, which is
    /// locked from then on.
    pub(super) fn read(args: &UpgradeArgs, config: &Path, update: &Path) -> Result<(Self, Options), Error> {
        if is_stdin(config) && is_stdin(update) {
            return Err(Error::input("only one of CONFIG and DEFAULT can be standard input"));
        }
        if args.ask {
            ask::refuse_without_terminal()?;
        }
        let how = args.file.options();
        let to = destination(args, config)?;
        let text = read_within(update, how.max_size)?;
        let options = args.merge.options(how.max_size)?;
        let current = Current::of(args, config, &how)?;
        let others = [Some(update), args.merge.base.as_deref()].into_iter().flatten().collect::<Vec<_>>();
        let new = matches!(current, Current::Missing).then(|| New::of(config, &others));
        if let Some(new) = new.as_ref().filter(|_| args.must_exist) {
            return Err(new.refused(config));
        }
        let (config, source) = (config.to_owned(), update.to_owned());
        Ok((Self { config, current, update: (name(update), text), source, to, how, new }, options))
    }

    /// Tells what the names of the files make doubtful.
    pub(super) fn doubt(&self, update: &Path, report: &mut Report) {
        let new = self.new.as_ref().map(|new| new.what.clone());
        let exchanged = if new.is_some() { None } else { doubts::exchanged(&self.config, update) };
        new.into_iter().chain(exchanged).for_each(|what| report.alarm(what));
    }

    /// Whether the report has warnings that are told also where nothing else is. An installation that was meant has none.
    pub(super) fn is_doubtful(&self) -> bool {
        self.new.as_ref().is_none_or(|new| new.near.is_some())
    }

    pub(super) fn name(&self) -> String {
        match self.current {
            Current::Stdin(_) => "standard input".to_owned(),
            Current::Taken(_) | Current::Read(_) | Current::Missing => self.config.display().to_string(),
        }
    }

    /// What the config holds now; nothing where there is none.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.current {
            Current::Taken(original) => Some(&original.text),
            Current::Read(text) | Current::Stdin(text) => Some(text),
            Current::Missing => None,
        }
    }

    /// The texts of the new default and of the old one, if there is one.
    pub(super) fn defaults<'j>(&'j self, options: &'j Options) -> Vec<&'j str> {
        let base = options.base.as_ref().map(|base| base.text.as_str());
        [self.update.1.as_str()].into_iter().chain(base).collect()
    }

    /// Upgrades; somebody looks at each text that is read.
    pub(super) fn upgrade(&self, options: &Options, on_read: &mut dyn OnRead) -> Result<Upgrade, Error> {
        let update = (self.update.0.as_str(), self.update.1.as_str());
        match self.text() {
            Some(text) => upgrade::watched((&self.name(), text), update, options, on_read),
            None => upgrade::install_named(&self.name(), update, options),
        }
    }

    /// The upgrade with its conflicts answered, and the answers.
    pub(super) fn asked(
        &self,
        args: &UpgradeArgs,
        options: &Options,
        secrets: &mut Learner<'_>,
    ) -> Result<(Upgrade, Vec<Answer>), Error> {
        let upgrade = self.upgrade(&Options { on_conflict: OnConflict::User, ..options.clone() }, secrets)?;
        let answers = self.ask(args, &secrets.masked_report(&upgrade), options)?;
        if answers.is_empty() && options.on_conflict == OnConflict::User {
            return Ok((upgrade, answers));
        }
        let all = [options.answers.clone(), answers.clone()].concat();
        Ok((self.upgrade(&Options { answers: all, ..options.clone() }, secrets)?, answers))
    }

    /// What is answered about the conflicts of an upgrade, of which this report shows no secret.
    fn ask(&self, args: &UpgradeArgs, report: &Report, options: &Options) -> Result<Vec<Answer>, Error> {
        let update = variables::apply_known(&self.update.0, &self.update.1, &options.variables)?.text;
        ask::ask(args, report, (&self.update.0, &update), &options.answers)
    }

    pub(super) fn memory(&self, dir: &Path) -> Result<Memory, Error> {
        match self.current {
            Current::Stdin(_) => Err(Error::input("--remember needs a CONFIG that is a file")),
            Current::Taken(_) | Current::Read(_) | Current::Missing => Memory::of(dir, &self.config, self.how.max_size),
        }
    }

    /// Takes what is remembered as the old default, unless one is given; why there is none where nothing is.
    pub(super) fn recall(&self, memory: &Memory, options: &mut Options) -> Option<String> {
        let wanted = options.base.is_none() && !matches!(self.current, Current::Missing);
        match wanted.then(|| memory.recall())? {
            Ok(base) => options.base = Some(base),
            Err(missed) => return Some(missed),
        }
        None
    }

    /// Whether the result goes to standard output.
    pub(super) fn to_stdout(&self) -> bool {
        match &self.to {
            Some(to) => matches!(to, Destination::Stdout),
            None => matches!(self.current, Current::Stdin(_)),
        }
    }

    /// Puts the result where it belongs; where the old file was kept.
    pub(super) fn write(&self, upgrade: &Upgrade, text: &str) -> Result<Option<PathBuf>, Error> {
        match (&self.to, &self.current) {
            (Some(to), _) => to.put(text, &self.how),
            (None, Current::Stdin(_)) => Destination::Stdout.put(text, &self.how),
            (None, Current::Taken(original)) if upgrade.report.changed => files::replace(original, text, &self.how),
            (None, Current::Missing) => files::create(&self.config, text, &self.source, &self.how).map(|()| None),
            (None, _) => Ok(None),
        }
    }

    /// The result with its conflicts marked; nothing where there are none.
    pub(super) fn marked(&self, upgrade: &mut Upgrade, options: &Options) -> Result<Option<String>, Error> {
        let update = variables::apply_known(&self.update.0, &self.update.1, &options.variables)?.text;
        let base = options.base.as_ref().map(|base| (base.name.as_str(), base.text.as_str()));
        let name = self.name();
        let marked =
            markers::marked(upgrade, Style { mine: &name, size: USUAL_SIZE }, base, (&self.update.0, &update))?;
        let Some(marked) = marked else { return Ok(None) };
        upgrade.report.result = Size::of(&name, &marked.text);
        upgrade.report.changed = true;
        let in_result = |change: &&mut Change| !change.kind.is_of_current() && !change.kind.is_of_update();
        for change in upgrade.report.changes.iter_mut().filter(in_result) {
            change.line = marked.line(change.line);
        }
        Ok(Some(marked.text))
    }

    /// Prints what is told: beside the result where that goes to standard output, and warnings alone with `-q`.
    pub(super) fn print(
        &self,
        args: &UpgradeArgs,
        upgrade: &Upgrade,
        text: Result<Option<String>, Error>,
    ) -> Result<(), Error> {
        let Some(text) = text? else {
            let alarms = upgrade.report.alarms().iter().filter(|_| self.is_doubtful());
            alarms.for_each(|alarm| output::warning(alarm));
            return Ok(());
        };
        if self.to_stdout() && !args.only_looks() {
            output::print(&mut anstream::stderr(), &text)
        } else {
            output::print(&mut anstream::stdout(), &text)
        }
    }

    /// Whether a file is written.
    pub(super) fn writes(&self, args: &UpgradeArgs, upgrade: &Upgrade) -> bool {
        let is_file = match (&self.to, &self.current) {
            (Some(to), _) => matches!(to, Destination::File(_)),
            (None, Current::Missing) => true,
            (None, _) => upgrade.report.changed,
        };
        is_file && !self.to_stdout() && !args.only_looks()
    }

    /// What became of the configuration, or would.
    pub(super) fn status(&self, upgrade: &Upgrade) -> &'static str {
        match (&self.current, upgrade.report.changed()) {
            (Current::Missing, _) => "installed",
            (_, true) => "changed",
            (_, false) => "unchanged",
        }
    }

    /// The file that is written, if one is.
    pub(super) fn written(&self) -> &Path {
        if let Some(Destination::File(output)) = &self.to { output.path() } else { &self.config }
    }
}

/// Where the result goes that does not take the config's place.
fn destination(args: &UpgradeArgs, config: &Path) -> Result<Option<Destination>, Error> {
    if args.out.output.is_some() && args.file.in_place {
        return Err(Error::input("--in-place is for CONFIG, which -o leaves as it is").help("leave out one of the two"));
    }
    let inputs: Vec<_> = args.inputs().collect();
    args.out.destination(&inputs)?.map(|to| to.no_wider_than(&[config])).transpose()
}
