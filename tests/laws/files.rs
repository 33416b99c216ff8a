//! Files that people wrote: the cases of `testdata`, and a corpus of releases where there is one.

#![expect(clippy::unwrap_used, reason = "a test folder that cannot be read is to be seen at once")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::pairs::Pair;
use crate::tree;

/// The pairs of `testdata`: what a case calls current and update, and each other file with itself.
pub(crate) fn testdata() -> Vec<Pair> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut folders: BTreeMap<PathBuf, BTreeMap<String, String>> = BTreeMap::new();
    for path in yml_files(&root) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(text) = valid_text(&path) {
            let folder = path.parent().unwrap_or(&root).to_owned();
            folders.entry(folder).or_default().insert(name, text);
        }
    }
    folders
        .iter()
        .flat_map(|(folder, files)| pairs_of(&folder.strip_prefix(&root).unwrap().to_string_lossy(), files))
        .collect()
}

fn pairs_of(folder: &str, files: &BTreeMap<String, String>) -> Vec<Pair> {
    let pair = |name: String, current: &String, update: &String| Pair {
        name,
        current: current.clone(),
        update: update.clone(),
    };
    let update = files.get("update.yml");
    let with_update = |text| update.unwrap_or(text);
    files.iter().map(|(name, text)| pair(format!("{folder}/{name}"), text, with_update(text))).collect()
}

/// Each release of a product with the next one.
pub(crate) fn corpus(folder: &Path) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut products: Vec<_> = fs::read_dir(folder.join("pairs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    products.sort();
    for product in products {
        let mut releases: Vec<_> =
            yml_files(&product).into_iter().filter_map(|path| Some((version(&path), valid_text(&path)?))).collect();
        releases.sort();
        for next in releases.windows(2) {
            let [((_, from), current), ((_, to), update)] = next else { continue };
            let name = format!("{} {from} -> {to}", product.file_name().unwrap_or_default().to_string_lossy());
            pairs.push(Pair { name, current: current.clone(), update: update.clone() });
        }
    }
    pairs
}

/// The numbers of a version, so that 1.10 comes behind 1.9.
fn version(path: &Path) -> (Vec<u64>, String) {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let numbers = name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
    (numbers, name)
}

fn yml_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(yml_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "yml") {
            found.push(path);
        }
    }
    found
}

/// The text of a file that can be read; what is refused has its own tests, and is refused with words.
fn valid_text(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    match yamlift::outline(&text) {
        Ok(_) => Some(text),
        Err(error) => {
            let taken = tree::is_valid(&text) && error.what().starts_with("not valid YAML");
            assert!(!taken, "{} is valid: {error}", path.display());
            None
        }
    }
}

/// Says that something was not tried.
#[expect(clippy::print_stderr, reason = "a test that tries nothing has to say so")]
pub(crate) fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}
