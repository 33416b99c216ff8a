//! The report for people.

use std::fmt::{self, Write as _};

use foldhash::HashMap;

use super::difference::{NARROWEST, cut};
use super::{Applied, Change, ChangeKind, Moved, Report};
use crate::text::error::visible;

impl Report {
    fn write_alarms(&self, f: &mut fmt::Formatter<'_>, before: &str, behind: &str) -> fmt::Result {
        self.alarms().iter().try_for_each(|alarm| writeln!(f, "{before}Warning: {}{behind}", visible(alarm)))
    }

    fn write_head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.configuration {
            Some(configuration) => writeln!(f, "Your file:    {} ({configuration})", visible(&configuration.name))?,
            None => writeln!(f, "Your file:    {} (installed new)", visible(&self.result.name))?,
        }
        if let Some(base) = &self.base {
            writeln!(f, "Old default:  {} ({base})", visible(&base.name))?;
        }
        writeln!(f, "New default:  {} ({})", visible(&self.update.name), self.update)?;
        if self.changed && self.configuration.is_some() {
            writeln!(f, "Result:       {}", self.result)?;
        }
        Ok(())
    }

    fn write_variables(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.variables.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n  Applied variables:")?;
        let width = self.variables.iter().map(|variable| variable.name.chars().count()).max().unwrap_or(0);
        for Applied { name, value } in &self.variables {
            writeln!(f, "    {name:width$} = {}", visible(value))?;
        }
        Ok(())
    }

    fn write_notes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.notes.is_empty() {
            writeln!(f, "\n  Notes of the release:")?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "    {}", visible(note)))
    }

    /// The new form of a value that perhaps moved.
    pub(super) fn form(&self, change: &Change) -> Option<&str> {
        let is_it = |moved: &&Moved| moved.from == change.path && moved.to == change.text;
        self.suggestions.iter().find(is_it)?.form.as_deref()
    }

    /// The new forms of all values that perhaps moved, by the old path and the new one.
    fn forms(&self) -> HashMap<(&str, &str), Option<&str>> {
        let forms = self.suggestions.iter().rev();
        forms.map(|moved| ((&*moved.from, &*moved.to), moved.form.as_deref())).collect()
    }

    fn write_changes(&self, f: &mut fmt::Formatter<'_>, kind: ChangeKind, width: Option<usize>) -> fmt::Result {
        let end = width.filter(|_| !kind.is_of_comments());
        let changes: Vec<_> = self.changes.iter().filter(|change| change.kind == kind).collect();
        let Some(first) = changes.first() else { return Ok(()) };
        if kind.is_counted() {
            write!(f, "\n  {}: {} (line {} of the new default)", kind.title(), first.place(), first.line)?;
            let others = match changes.len() - 1 {
                0 => String::new(),
                others => format!(" and {others} more, which --format json lists"),
            };
            return writeln!(f, "{others}");
        }
        writeln!(f, "\n  {}", kind.heading())?;
        let (shown, others) = changes.split_at(changes.len().min(kind.most()));
        let paths: Vec<_> = shown.iter().map(|change| change.place()).collect();
        let width = paths.iter().map(|path| path.chars().count()).filter(|&width| width <= WIDEST).max().unwrap_or(0);
        let forms = self.forms();
        let digits = shown.iter().map(|change| change.line.to_string().len()).max().unwrap_or(0).max(3);
        for (change, path) in shown.iter().zip(paths) {
            let from = if kind == ChangeKind::Moved { "from " } else { "" };
            let form = forms.get(&(&*change.path, &*change.text)).copied().flatten();
            let form = form.map(|form| format!("   (as \"{}\" in a migration file)", visible(form)));
            let mut texts = shown_lines(change);
            let (line, first, form) = (change.line, texts.next().unwrap_or_default(), form.unwrap_or_default());
            let start = format!("    {path:width$}  {line:>digits$} | {from}");
            let left = end.map(|end| end.saturating_sub(start.chars().count() + form.chars().count()).max(NARROWEST));
            writeln!(f, "{start}{}{form}", left.map_or_else(|| first.clone(), |left| cut(&first, left)))?;
            texts.try_for_each(|text| writeln!(f, "    {:width$}  {:digits$} | {text}", "", ""))?;
        }
        if !others.is_empty() {
            writeln!(f, "    and {} more, which --format json lists", others.len())?;
        }
        Ok(())
    }
}

/// What is shown of a change's text: its first line, and how many more there are. Of a comment that was replaced it is every
/// line, for these words stand nowhere else.
fn shown_lines(change: &Change) -> impl Iterator<Item = String> {
    let text = &change.text;
    let (shown, rest) = match text.split_once('\n') {
        Some((first, rest)) if change.kind != ChangeKind::CommentReplaced => (first, rest.lines().count()),
        _ => (text.as_str(), 0),
    };
    let behind = if rest > 0 { format!(" (and {rest} more)") } else { String::new() };
    shown.split('\n').map(move |line| visible(line) + &behind)
}

/// A longer path does not push the column of all others to the right.
const WIDEST: usize = 60;

impl Report {
    /// All but the closing line: the head, and the entries of these kinds with what follows them.
    /// Values are cut where they would make a line longer than `width`, in characters.
    pub(crate) fn parts(&self, is_shown: fn(ChangeKind) -> bool, width: Option<usize>) -> (String, String) {
        (Head(self).to_string(), Body { report: self, is_shown, width }.to_string())
    }

    /// The line that a report closes with: what became of the file, in numbers. A file that is installed needs none.
    pub(crate) fn closing(&self) -> Option<String> {
        self.configuration.as_ref()?;
        let counts = self.summary().to_string();
        let what = if !self.changed {
            "Not changed"
        } else if !self.changes.iter().any(|change| change.kind.is_difference()) {
            "Only comments, order or layout changed"
        } else {
            return Some(counts + ".");
        };
        Some(if counts.is_empty() { format!("{what}.") } else { format!("{what}: {counts}.") })
    }
}

/// The files and what is alarming about them.
struct Head<'r>(&'r Report);

impl fmt::Display for Head<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A file that was not there is the head itself; what is wrong with one that is there comes before it.
        let Self(report) = self;
        if report.configuration.is_some() {
            report.write_alarms(f, "", "\n")?;
        }
        report.write_head(f)?;
        if report.configuration.is_none() {
            report.write_alarms(f, "\n  ", "")?;
        }
        report.write_variables(f)
    }
}

/// The entries of some kinds, notes and warnings.
struct Body<'r> {
    report: &'r Report,
    is_shown: fn(ChangeKind) -> bool,
    /// How wide a line may be, where that matters.
    width: Option<usize>,
}

impl fmt::Display for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { report, is_shown, width } = *self;
        ChangeKind::ALL
            .into_iter()
            .filter(|kind| is_shown(*kind))
            .try_for_each(|kind| report.write_changes(f, kind, width))?;
        report.write_notes(f)?;
        let others = report.warnings.get(report.alarms..).unwrap_or_default();
        for warning in others {
            write!(f, "\n  Warning: {}", visible(warning))?;
        }
        if others.is_empty() { Ok(()) } else { f.write_char('\n') }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Head(self).fmt(f)?;
        Body { report: self, is_shown: |_| true, width: None }.fmt(f)?;
        self.closing().map_or(Ok(()), |closing| write!(f, "\n{closing}\n"))
    }
}
