//! The command `yamlift`.

use std::process::ExitCode;

fn main() -> ExitCode {
    yamlift::cli::main()
}
