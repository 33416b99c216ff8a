//! What both test programs need: the built command, and what a folder holds.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The built command with nothing of the caller's environment that it looks at, in `dir`.
pub(crate) fn yamlift(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yamlift"));
    command.current_dir(dir);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_LOG", "CI"] {
        command.env_remove(name);
    }
    command
}

/// The names and contents of everything in a folder.
pub(crate) fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).unwrap().map(Result::unwrap);
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let content = |path: &Path| if path.is_dir() { b"a directory".to_vec() } else { fs::read(path).unwrap() };
    entries.map(|entry| entry.path()).map(|path| (name(&path), content(&path))).collect()
}
