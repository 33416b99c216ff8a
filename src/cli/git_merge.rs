//! `yamlift git-merge`: one file of a merge, for git.
//!
//! Git gives three files and wants the merged one in the place of ours; the exit status is 0 where that is all, and from 1 to
//! 128 where conflicts are left (`gitattributes(5)`, "Defining a custom merge driver"). What yamlift refuses, such as a file
//! that is no YAML, git merges by lines.

use std::path::Path;
use std::process::{Command, ExitCode};

use super::command_args::GitMerge;
use super::input::read;
use super::output;
use crate::report::ChangeKind;
use crate::text::error::Error;
use crate::upgrade::markers::{self, Style};
use crate::upgrade::options::{Base, Options};
use crate::upgrade::{self, Named};

/// Merges one file.
pub(super) fn git_merge(args: &GitMerge) -> Result<ExitCode, Error> {
    let merged = merged(args);
    let (text, is_clean) = match merged {
        Ok(merged) => merged,
        Err(error) => {
            output::warning(&format!("{}: merged by lines, for {}", called(args).display(), error.what()));
            return by_lines(args);
        }
    };
    // Git made the file for this, and has ours in its store.
    let written = std::fs::write(&args.ours, text);
    written.map_err(|error| Error::input(format!("cannot be written: {error}")).in_file(&name(&args.ours)))?;
    Ok(ExitCode::from(u8::from(!is_clean)))
}

/// What the file is called in the repository.
fn called(args: &GitMerge) -> &Path {
    args.path.as_deref().unwrap_or(&args.ours)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

/// The merged text, and whether nothing is left to decide.
fn merged(args: &GitMerge) -> Result<(String, bool), Error> {
    let (base, ours, theirs) = (read(&args.base)?, read(&args.ours)?, read(&args.theirs)?);
    let called = name(called(args));
    let [mine, old, new] = ["ours", "base", "theirs"].map(|side| format!("{side}: {called}"));
    let options = Options { base: Some(Base { name: old.clone(), text: base.clone() }), ..Options::default() };
    let theirs: Named<'_> = (&new, &theirs);
    let upgrade = upgrade::named((&mine, &ours), theirs, &options)?;
    let told = upgrade.report().changes().iter();
    for change in told.filter(|change| matches!(change.kind, ChangeKind::LeftOutChanged | ChangeKind::KeptDropped)) {
        let what = if change.kind == ChangeKind::KeptDropped {
            "changed by us, removed by them"
        } else {
            "removed by us, changed by them"
        };
        output::warning(&format!("{called}: {}: {what}; ours counts", change.path));
    }
    let style = Style { mine: &mine, size: args.marker_size };
    let marked = markers::marked(&upgrade, style, Some((&old, &base)), theirs)?;
    let is_clean = marked.is_none();
    Ok((marked.map_or(upgrade.text, |marked| marked.text), is_clean))
}

/// Git's own merge of three files.
fn by_lines(args: &GitMerge) -> Result<ExitCode, Error> {
    let size = format!("--marker-size={}", args.marker_size);
    let labels = ["-L", "ours", "-L", "base", "-L", "theirs"];
    let files = [&args.ours, &args.base, &args.theirs];
    let merged = Command::new("git").args(["merge-file", &size]).args(labels).args(files).status();
    let status = merged.map_err(|error| Error::input(format!("git cannot be run: {error}")))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)))
}
