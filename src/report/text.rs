//! The report for people.

use std::fmt::{self, Write as _};

use super::{Applied, Change, ChangeKind, Moved, Report};
use crate::text::error::visible;

impl Report {
    fn write_alarms(&self, f: &mut fmt::Formatter<'_>, before: &str, behind: &str) -> fmt::Result {
        self.alarms().iter().try_for_each(|alarm| writeln!(f, "{before}Warning: {}{behind}", visible(alarm)))
    }

    fn write_head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(configuration) = &self.configuration else {
            writeln!(f, "Configuration: {} (new)", self.result.name)?;
            return writeln!(f, "Installed from {} ({})", self.update.name, self.update);
        };
        writeln!(f, "Configuration: {} ({configuration})", configuration.name)?;
        if let Some(base) = &self.base {
            writeln!(f, "Made from {} ({base})", base.name)?;
        }
        if !self.changed {
            return writeln!(f, "Compared with {} ({})", self.update.name, self.update);
        }
        writeln!(f, "Updated from {} ({})", self.update.name, self.update)?;
        writeln!(f, "Resulted in {}", self.result)
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
    fn form(&self, change: &Change) -> Option<&str> {
        let is_it = |moved: &&Moved| moved.from == change.path && moved.to == change.text;
        self.suggestions.iter().find(is_it)?.form.as_deref()
    }

    fn write_changes(&self, f: &mut fmt::Formatter<'_>, kind: ChangeKind) -> fmt::Result {
        let changes: Vec<_> = self.changes.iter().filter(|change| change.kind == kind).collect();
        let Some(first) = changes.first() else { return Ok(()) };
        if kind.is_counted() {
            write!(f, "\n  {} {} (line {} of the new file)", kind.title(), first.place(), first.line)?;
            let others = match changes.len() - 1 {
                0 => String::new(),
                others => format!(" and {others} more, which --format json lists"),
            };
            return writeln!(f, "{others}");
        }
        writeln!(f, "\n  {}", kind.title())?;
        let (shown, others) = changes.split_at(changes.len().min(kind.most()));
        let paths: Vec<_> = shown.iter().map(|change| change.place()).collect();
        let width = paths.iter().map(|path| path.chars().count()).filter(|&width| width <= WIDEST).max().unwrap_or(0);
        let digits = shown.iter().map(|change| change.line.to_string().len()).max().unwrap_or(0).max(3);
        for (change, path) in shown.iter().zip(paths) {
            let from = if kind == ChangeKind::Moved { "from " } else { "" };
            let form = self.form(change).map(|form| format!("   (as \"{}\" in a migration file)", visible(form)));
            let mut texts = shown_lines(change);
            let (line, first, form) = (change.line, texts.next().unwrap_or_default(), form.unwrap_or_default());
            writeln!(f, "    {path:width$}  {line:>digits$} | {from}{first}{form}")?;
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

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A file that was not there is the head itself; what is wrong with one that is there comes before it.
        if self.configuration.is_some() {
            self.write_alarms(f, "", "\n")?;
        }
        self.write_head(f)?;
        if self.configuration.is_none() {
            self.write_alarms(f, "\n  ", "")?;
        }
        self.write_variables(f)?;
        for kind in ChangeKind::ALL {
            self.write_changes(f, kind)?;
        }
        self.write_notes(f)?;
        if self.configuration.is_some() && !self.changed {
            f.write_str("\n  Not changed\n")?;
        } else if self.configuration.is_some() && !self.changes.iter().any(|change| change.kind.is_difference()) {
            f.write_str("\n  Only comments, order or layout changed\n")?;
        }
        let others = self.warnings.get(self.alarms..).unwrap_or_default();
        for warning in others {
            write!(f, "\n  Warning: {}", visible(warning))?;
        }
        if others.is_empty() { Ok(()) } else { f.write_char('\n') }
    }
}
