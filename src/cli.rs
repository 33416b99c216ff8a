//! The command line: what may be given, and what is made of it.
//!
//! Everything that prints, exits or reads the environment is in here and below; the library does none of these.

mod args;
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

use std::process::ExitCode;

use clap::error::ErrorKind as ClapErrorKind;

use crate::error::{Error, ErrorKind};

/// Runs the command with the arguments of the process and says how it went.
#[must_use]
pub fn main() -> ExitCode {
    let args = match args::Args::read() {
        Ok(args) => args,
        Err(error) => {
            let asked = matches!(error.kind(), ClapErrorKind::DisplayHelp | ClapErrorKind::DisplayVersion);
            // Where even this cannot be printed there is nobody left to tell.
            let _ = error.print();
            return if asked { ExitCode::SUCCESS } else { ExitCode::from(2) };
        }
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
    }
}
