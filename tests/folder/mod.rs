//! A folder to run the command in.

use std::fs;

use tempfile::TempDir;

/// A folder with these files.
pub(crate) fn folder_of(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}
