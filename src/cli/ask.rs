//! `upgrade --ask`: conflicts are shown one by one on the terminal, and answered there.

use std::io::{self, BufRead, IsTerminal as _, Write};
use std::path::Path;

use anstyle::Style;

use super::upgrade_args::Upgrade as UpgradeArgs;
use crate::files::{Backup, Existing, FileOptions, Output};
use crate::report::{Change, ChangeKind, Report, Value};
use crate::text::error::{Error, visible};
use crate::text::masking::MASK;
use crate::upgrade::answers::{Answer, Take, over, value};

const HELP: &str = "  m  mine: your value stays
  t  theirs: the new default comes in
  e  edit: another value, which you type next
  l  later: left to --on-conflict, and asked again next time
  M  mine, for all that follow
  T  theirs, for all that follow
  q  quit: nothing is upgraded
";

/// What was answered, and whether that was all.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    answers: Vec<Answer>,
    has_quit: bool,
}

/// Refuses to ask where nobody could answer.
pub(super) fn refuse_without_terminal() -> Result<(), Error> {
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        return Ok(());
    }
    let error = Error::input("--ask needs a terminal to ask on");
    Err(error.help(
        "answer on one, keep the answers with --answers FILE, and give only that here; or choose with --on-conflict",
    ))
}

/// Asks about each conflict of a report, which shows no secret, and keeps the answers. The new default comes by its name,
/// with its variables filled in.
///
/// # Errors
/// Who answers quits, or the answers cannot be kept. Those that were given before are kept in any case.
pub(super) fn ask(
    args: &UpgradeArgs,
    report: &Report,
    update: (&str, &str),
    known: &[Answer],
) -> Result<Vec<Answer>, Error> {
    let asked = open(report).count();
    if asked == 0 {
        return Ok(Vec::new());
    }
    let dialogue = Dialogue { input: io::stdin().lock(), output: anstream::stderr(), update };
    let told = dialogue.all(report);
    let told = told.map_err(|error| Error::input(format!("cannot ask: {error}")))?;
    if let Some(file) = args.answers_file().filter(|_| !told.answers.is_empty()) {
        keep(args, file, known, &told.answers)?;
    }
    if told.has_quit {
        return Err(
            Error::input("not all was answered, and nothing was changed").help("answer `l` for what is to wait")
        );
    }
    Ok(told.answers)
}

/// The conflicts that are to be asked about.
fn open(report: &Report) -> impl Iterator<Item = (&Change, &str)> {
    let is_open = |change: &&Change| matches!(change.kind, ChangeKind::BothChanged | ChangeKind::BothAdded);
    report.changes.iter().filter(is_open).filter_map(|change| Some((change, change.in_default.as_deref()?)))
}

/// Writes all answers to their file, the new ones in the place of older ones to the same conflict. Nobody can read it who
/// cannot read the configuration.
fn keep(args: &UpgradeArgs, file: &Path, known: &[Answer], new: &[Answer]) -> Result<(), Error> {
    let is_old = |answer: &&Answer| new.iter().all(|other| other.path != answer.path);
    let all: Vec<_> = known.iter().filter(is_old).chain(new).cloned().collect();
    let inputs: Vec<&Path> = args.inputs().collect();
    let how = FileOptions { backup: Backup::Off, ..FileOptions::default() };
    let output = Output::new(file, Existing::Replaced, &inputs)?.no_wider_than(&inputs[..1])?;
    output.put(&Answer::file(&all), &how).map(|_| ())
}

fn is_masked(value: &Value) -> bool {
    value.text.contains(MASK)
}

/// Questions and answers.
struct Dialogue<'d, I, O> {
    input: I,
    output: O,
    /// The new default.
    update: (&'d str, &'d str),
}

/// What follows from an answer.
enum Next {
    Take(Take),
    All(Take),
    Later,
    Quit,
}

impl<I: BufRead, O: Write> Dialogue<'_, I, O> {
    fn all(mut self, report: &Report) -> io::Result<Told> {
        let (mut answers, mut all) = (Vec::new(), None);
        let number = open(report).count();
        for (at, (change, path)) in open(report).enumerate() {
            let next = if let Some(take) = &all {
                Next::Take(Take::clone(take))
            } else {
                self.show(change, at + 1, number)?;
                self.answer()?
            };
            let take = match next {
                Next::Take(take) => take,
                Next::All(take) => all.insert(take).clone(),
                Next::Later => continue,
                Next::Quit => return Ok(Told { answers, has_quit: true }),
            };
            // What may not be shown is not written down.
            let is_masked = change.values.as_ref().and_then(|values| values.update.as_ref()).is_some_and(is_masked);
            let over = if is_masked { None } else { over(self.update, path).unwrap_or_default() };
            answers.push(Answer { path: path.to_owned(), take, over });
        }
        Ok(Told { answers, has_quit: false })
    }

    /// Shows the three values of a conflict.
    fn show(&mut self, change: &Change, at: usize, of: usize) -> io::Result<()> {
        let path = visible(&change.path);
        let bold = Style::new().bold();
        let mut text = format!("\n{at} of {of}  {bold}{path}{bold:#}\n");
        let values = change.values.as_ref();
        let sides = values.map(|values| [("mine", &values.current), ("theirs", &values.update), ("was", &values.base)]);
        for (side, found) in sides.into_iter().flatten() {
            let Some(found) = found else { continue };
            let place = format!("{}:{}", visible(&found.file), found.line);
            text.extend([&*format!("  {side:6}  "), &visible(&found.text), "   ", &place, "\n"]);
        }
        self.output.write_all(text.as_bytes())
    }

    fn answer(&mut self) -> io::Result<Next> {
        loop {
            let Some(word) = self.line("[m]ine, [t]heirs, [e]dit, [l]ater, [q]uit, [?] ")? else {
                return Ok(Next::Quit);
            };
            return Ok(match word.as_str() {
                "m" | "mine" => Next::Take(Take::Mine),
                "t" | "theirs" => Next::Take(Take::Theirs),
                "M" => Next::All(Take::Mine),
                "T" => Next::All(Take::Theirs),
                "l" | "later" => Next::Later,
                "q" | "quit" => Next::Quit,
                "e" | "edit" => match self.value()? {
                    Some(value) => Next::Take(Take::Value(value)),
                    None => continue,
                },
                _ => {
                    self.output.write_all(HELP.as_bytes())?;
                    continue;
                }
            });
        }
    }

    /// A value that is typed; nothing where the line stays empty.
    fn value(&mut self) -> io::Result<Option<String>> {
        loop {
            let Some(text) = self.line("the value, as YAML on one line: ")?.filter(|text| !text.is_empty()) else {
                return Ok(None);
            };
            match value(&text) {
                Ok(value) => return Ok(Some(value)),
                Err(error) => self.output.write_all(format!("  {}\n", error.what()).as_bytes())?,
            }
        }
    }

    /// A line that is typed behind a question; nothing at the end of the input.
    fn line(&mut self, question: &str) -> io::Result<Option<String>> {
        self.output.write_all(question.as_bytes())?;
        self.output.flush()?;
        let mut line = String::new();
        let read = self.input.read_line(&mut line)?;
        Ok((read > 0).then(|| line.trim().to_owned()))
    }
}
