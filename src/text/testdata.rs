//! The YAML files of `testdata`, for tests of what holds for every file, in whichever module they are.
//!
//! Left out: what is in the files, and whether they are valid. Some are there to be refused.

use std::path::{Path, PathBuf};

/// The YAML files below a folder of the project such as `testdata`, however deep. A test that finds none has tried nothing.
pub(crate) fn yaml_files(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = Vec::new();
    collect(&folder, &mut found);
    assert!(!found.is_empty(), "{} has no YAML files: nothing was tried", folder.display());
    found.sort();
    found
}

/// The YAML files below a folder of the project, and below the one that an environment variable names.
pub(crate) fn yaml_files_and(folder: &str, variable: &str) -> Vec<PathBuf> {
    let mut found = yaml_files(folder);
    found.extend(std::env::var_os(variable).into_iter().flat_map(|folder| yaml_files(PathBuf::from(folder))));
    found
}

fn collect(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml") {
        found.push(path.to_owned());
    }
}
