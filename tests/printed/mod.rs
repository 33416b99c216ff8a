//! What a command prints over files in a folder of their own.

use crate::common::{contents, yamlift};
use crate::folder::folder_of;

/// The standard output of a command that succeeds and writes no file.
pub(crate) fn printed(files: &[(&str, &str)], words: &[&str]) -> String {
    let dir = folder_of(files);
    let output = yamlift(dir.path()).args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(contents(dir.path()).len(), files.len(), "no file is written");
    String::from_utf8(output.stdout).unwrap()
}
