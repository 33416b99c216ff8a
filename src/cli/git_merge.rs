//! `yamlift git-merge`: one file of a merge, for git.
//!
//! Git gives three files and wants the merged one in the place of ours; the exit status is 0 where that is all, and from 1 to
//! 128 where conflicts are left (`gitattributes(5)`, "Defining a custom merge driver"). What yamlift refuses, such as a file
//! that is no YAML, git merges by lines.
//!
//! None of the two sides wins: where an upgrade would keep the user's value, a merge leaves a conflict.

use std::path::Path;
use std::process::{Command, ExitCode};

use super::command_args::GitMerge;
use super::input::read;
use super::output;
use crate::text::error::Error;
use crate::upgrade;
use crate::upgrade::markers::Style;
use crate::upgrade::markers::branches::{self, Merged};
use crate::upgrade::options::{Base, Options};

/// The three files of a merge.
struct Texts {
    base: String,
    ours: String,
    theirs: String,
}

/// Merges one file.
pub(super) fn git_merge(args: &GitMerge) -> Result<ExitCode, Error> {
    let texts = Texts::of(args);
    match texts.as_ref().map_err(Error::clone).and_then(|texts| merged(args, texts)) {
        Ok(merged) => {
            // Git made the file for this, and has ours in its store.
            let written = std::fs::write(&args.ours, merged.text);
            let failed = |error| Error::input(format!("cannot be written: {error}")).in_file(&name(&args.ours));
            written.map_err(failed)?;
            Ok(ExitCode::from(u8::from(!merged.is_clean)))
        }
        Err(error) => {
            output::warning(&format!("{}: merged by lines, for {}", called(args).display(), error.what()));
            let left = by_lines(args)?;
            let hides_one = left == 0 && texts.is_ok_and(|texts| hides_conflict(args, &texts));
            Ok(ExitCode::from(if hides_one { 1 } else { left }))
        }
    }
}

impl Texts {
    fn of(args: &GitMerge) -> Result<Self, Error> {
        Ok(Self { base: read(&args.base)?, ours: read(&args.ours)?, theirs: read(&args.theirs)? })
    }
}

/// What the file is called in the repository.
fn called(args: &GitMerge) -> &Path {
    args.path.as_deref().unwrap_or(&args.ours)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

/// The merged text, with markers around what is left to decide.
fn merged(args: &GitMerge, texts: &Texts) -> Result<Merged, Error> {
    let called = name(called(args));
    let [mine, old, new] = ["ours", "base", "theirs"].map(|side| format!("{side}: {called}"));
    let options = Options { base: Some(Base { name: old.clone(), text: texts.base.clone() }), ..Options::default() };
    let files = [(&*old, &*texts.base), (&*mine, &*texts.ours), (&*new, &*texts.theirs)];
    let upgrade = upgrade::named(files[1], files[2], &options)?;
    branches::merged(&upgrade, Style { mine: &mine, size: args.marker_size }, files)
}

/// Git's own merge of three files: how many conflicts it left.
fn by_lines(args: &GitMerge) -> Result<u8, Error> {
    let size = format!("--marker-size={}", args.marker_size);
    let labels = ["-L", "ours", "-L", "base", "-L", "theirs"];
    let files = [&args.ours, &args.base, &args.theirs];
    let merged = Command::new("git").args(["merge-file", &size]).args(labels).args(files).status();
    let status = merged.map_err(|error| Error::input(format!("git cannot be run: {error}")))?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX))
}

/// Whether what git merged by lines decides something in silence: lines that do not meet can still say different things of one
/// value. Of what is no YAML nobody can tell.
fn hides_conflict(args: &GitMerge, texts: &Texts) -> bool {
    let Ok(result) = read(&args.ours) else { return false };
    let files = [("base", &*texts.base), ("ours", &*texts.ours), ("theirs", &*texts.theirs), ("result", &*result)];
    let lost = branches::lost(files).ok().flatten();
    if let Some(lost) = &lost {
        output::warning(&format!("{}: {lost}, and no markers show it", called(args).display()));
    }
    lost.is_some()
}
