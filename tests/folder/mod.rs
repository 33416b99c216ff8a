//! A folder to run the command in.

use std::fs;

use tempfile::TempDir;

/// A folder with these files.
pub(crate) fn folder_of(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}
