//! The command line: what may be given, and what is made of it.
//!
//! * `args`, `upgrade_args`, `command_args`, `described`, `common`, `merge_args`, `file_args`, `secret_args`, `env`: what may be given.
//! * `input`, `beneath`: what is read. `run`, `upgrade`, `fleet`, `rehearse`, `diff`, `prune`, `merge`, `cloud_init`, `datum`, `layer`, `restore`, `backups`,
//!   `git_merge`: what each command does.
//! * `output`, `learner`, `told`, `progress`, `destination`, `logger`, `bug`, `doubts`, `remember`: what is told, and where results go.
//!
//! Promised: everything that prints, exits or reads the environment is in here; the library does none of these.
//!
//! Left out: every decision about a configuration. A command reads its files, asks the library, writes and tells.

mod args;
mod ask;
mod backups;
mod beneath;
mod bug;
mod cloud_init;
mod cloud_init_files;
mod cloud_init_output;
mod command_args;
mod common;
mod datum;
mod datum_files;
mod datum_output;
mod described;
mod destination;
mod diff;
mod doubts;
mod env;
mod file_args;
mod fleet;
mod git_install;
mod git_merge;
mod git_textconv;
mod input;
mod job;
mod layer;
mod layer_files;
mod learner;
mod logger;
mod manifest;
mod merge;
mod merge_args;
mod merge_heat;
mod output;
mod progress;
mod prune;
mod rehearse;
mod remember;
mod restore;
mod run;
mod secret_args;
mod told;
mod upgrade;
mod upgrade_args;

use std::process::ExitCode;

use log::LevelFilter;

use crate::text::error::{Error, ErrorKind};

/// Runs the command with the arguments of the process and says how it went.
#[must_use]
pub fn main() -> ExitCode {
    bug::end_at_panic();
    let args = match args::Args::read() {
        Ok(args) => args,
        Err(error) => return output::usage(&error),
    };
    args.common().color.write_global();
    logger::start(if args.common().verbose { LevelFilter::Debug } else { LevelFilter::Warn });
    let format = args.format();
    run::run(args).unwrap_or_else(|error| {
        output::error(&error);
        // What was done in spite of an error has been told by then.
        if error.kind() != ErrorKind::Unfinished {
            output::refused(&error, format);
        }
        exit_code(&error)
    })
}

fn exit_code(error: &Error) -> ExitCode {
    match error.kind() {
        ErrorKind::Input => ExitCode::from(2),
        ErrorKind::Conflict => ExitCode::from(3),
        ErrorKind::Verification => ExitCode::from(bug::STATUS),
        ErrorKind::Unfinished => ExitCode::from(5),
    }
}
