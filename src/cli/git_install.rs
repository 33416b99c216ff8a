//! `yamlift git-install`: tells git to merge and to compare YAML by its meaning.
//!
//! Git is asked itself to write its configuration. What is there already stays, so that a second call changes nothing.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use super::command_args::GitInstall;
use super::input::name;
use super::output;
use crate::text::error::{Error, visible};

/// Writes git's configuration, and which files it is for.
pub(super) fn git_install(args: &GitInstall) -> Result<ExitCode, Error> {
    let scope = if args.global { "--global" } else { "--local" };
    let program = program();
    let settings = [
        ("merge.yamlift.name", "merge of YAML by its values".to_owned()),
        ("merge.yamlift.driver", format!("{program} git-merge %O %A %B %L %P")),
        ("diff.yamlift.textconv", format!("{program} git-textconv")),
    ];
    let mut told = Vec::new();
    for (key, value) in settings {
        if git(&["config", scope, "--get", key]).as_deref() != Ok(&value) {
            git(&["config", scope, key, &value])?;
            told.push(format!("git config {scope} {key} '{value}'\n"));
        }
    }
    let file = if args.global { attributes_of_all()? } else { attributes_here()? };
    let wanted: Vec<_> = args.patterns.iter().map(|pattern| format!("{pattern} merge=yamlift diff=yamlift")).collect();
    let (file_name, added) = (visible(&name(&file)), add(&file, &wanted)?);
    told.extend(added.iter().map(|line| format!("{file_name}: {}\n", visible(line))));
    if told.is_empty() {
        told.push("Nothing to do: git knows yamlift.\n".to_owned());
    }
    if !args.common.quiet {
        output::print(&mut anstream::stdout(), &told.concat())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How git calls this program: by its name where that finds it, else by its whole path.
fn program() -> String {
    let Ok(this) = std::env::current_exe() else { return "yamlift".to_owned() };
    let is_this = |directory: PathBuf| fs::canonicalize(directory.join("yamlift")).is_ok_and(|found| found == this);
    let is_found = std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(is_this));
    let whole = this.display().to_string();
    if is_found { "yamlift".to_owned() } else { shlex::try_quote(&whole).map_or(whole.clone(), Into::into) }
}

/// The file with the attributes of this repository.
fn attributes_here() -> Result<PathBuf, Error> {
    git(&["rev-parse", "--show-toplevel"]).map(|top| Path::new(&top).join(".gitattributes"))
}

/// The file with the attributes of all repositories of a user.
fn attributes_of_all() -> Result<PathBuf, Error> {
    if let Ok(named) = git(&["config", "--global", "--type=path", "--get", "core.attributesFile"]) {
        return Ok(PathBuf::from(named));
    }
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let directory = set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")));
    let unknown = || Error::input("neither HOME nor XDG_CONFIG_HOME says where git has its configuration");
    directory.map(|directory| directory.join("git/attributes")).ok_or_else(unknown)
}

/// Adds the lines that a file has not; which these are.
fn add(file: &Path, wanted: &[String]) -> Result<Vec<String>, Error> {
    let failed = |error| Error::input(format!("cannot be written: {error}")).in_file(&name(file));
    let known = fs::read_to_string(file).unwrap_or_default();
    let missing: Vec<_> =
        wanted.iter().filter(|line| !known.lines().any(|known| known.trim() == **line)).cloned().collect();
    if missing.is_empty() {
        return Ok(missing);
    }
    file.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    let end = if known.is_empty() || known.ends_with('\n') { "" } else { "\n" };
    let text = format!("{end}{}\n", missing.join("\n"));
    let opened = OpenOptions::new().append(true).create(true).open(file);
    opened.and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed)?;
    Ok(missing)
}

/// What git prints, without the line break.
fn git(words: &[&str]) -> Result<String, Error> {
    let ran = Command::new("git").args(words).output();
    let ran = ran.map_err(|error| Error::input(format!("git cannot be run: {error}")).help("install git first"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    if ran.status.success() {
        return Ok(text(&ran.stdout));
    }
    let said = text(&ran.stderr);
    Err(Error::input(format!("git says: {}", visible(&said)))
        .help("call this inside of a repository, or with --global"))
}
