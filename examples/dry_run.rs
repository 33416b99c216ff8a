//! Says all that an upgrade of a file would do, without secrets, and writes nothing.
//!
//! `cargo run --example dry_run`, also with `--no-default-features --features files`, or with two files of your own behind
//! `--`.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use std::path::{Path, PathBuf};

use yamlift::{Error, FileOptions, Mask, Options};

fn main() -> Result<(), Error> {
    let mut files = std::env::args_os().skip(1).map(PathBuf::from);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let config = files.next().unwrap_or_else(|| here.join("config.yml"));
    let update = files.next().unwrap_or_else(|| here.join("default.yml"));
    let preview = yamlift::preview_upgrade_file(&config, &update, &Options::default(), &FileOptions::default())?;
    match (preview.before(), preview.would_write()) {
        (None, _) => println!("would be installed"),
        (_, false) => println!("nothing to do"),
        (_, true) => println!("would be replaced, with a backup in {:?}", preview.backup_folder()),
    }
    let (before, after) = (preview.before().unwrap_or_default(), preview.upgrade().text());
    let mut mask = Mask::default();
    for difference in mask.differences(yamlift::differences(before, after)?, &[before, after]) {
        println!("{:?} {}: {:?} to {:?}", difference.kind, difference.path, difference.before, difference.after);
    }
    print!("{}", mask.report(preview.upgrade().report(), &[before, after]));
    Ok(())
}
