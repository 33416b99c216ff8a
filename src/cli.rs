//! The command line: what may be given, and what is made of it.
//!
//! Everything that prints, exits or reads the environment is in here and below; the library does none of these.

mod args;
mod destination;
mod doubts;
mod env;
mod file_args;
mod layer;
mod logger;
mod merge;
mod merge_args;
mod output;
mod remember;
mod run;
mod secret_args;
mod upgrade;

use std::process::ExitCode;

use crate::error::{Error, ErrorKind};

/// Runs the command with the arguments of the process and says how it went.
#[must_use]
pub fn main() -> ExitCode {
    let args = match args::Args::read() {
        Ok(args) => args,
        Err(error) => return output::usage(&error),
    };
    args.common().color.write_global();
    logger::start(args.common().verbose);
    run::run(args).unwrap_or_else(|error| {
        output::error(&error);
        exit_code(&error)
    })
}

fn exit_code(error: &Error) -> ExitCode {
    match error.kind() {
        ErrorKind::Input => ExitCode::from(2),
        ErrorKind::Conflict => ExitCode::from(3),
        ErrorKind::Verification => ExitCode::from(4),
        ErrorKind::Unfinished => ExitCode::from(5),
    }
}
