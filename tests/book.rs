//! The pages show what the command really does: each block of `console` in the book and in README.md is run by trycmd.
//!
//! `TRYCMD=overwrite cargo test --test book` writes into the pages what is printed today.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "book/contents.rs"]
mod contents;
#[path = "book/messages.rs"]
mod messages;
#[path = "book/pieces.rs"]
mod pieces;
#[path = "book/sandbox.rs"]
mod sandbox;

use std::fs;
use std::path::{Path, PathBuf};

use pieces::Piece;

fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README.md and all pages of the book, in the order of their names.
fn pages() -> Vec<PathBuf> {
    let is_page = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
    let all = walkdir::WalkDir::new(home().join("docs")).sort_by_file_name().into_iter();
    let docs = all.map(|entry| entry.unwrap().into_path()).filter(|path| is_page(path));
    [home().join("README.md")].into_iter().chain(docs).collect()
}

/// A page with a sandbox for each of its pieces.
struct Run {
    page: PathBuf,
    pieces: Vec<(Piece, PathBuf)>,
}

impl Run {
    fn of(page: &Path, dir: &Path) -> Self {
        let name = page.strip_prefix(home()).unwrap().with_extension("").display().to_string().replace('/', "-");
        let pieces = pieces::of(&fs::read_to_string(page).unwrap());
        let pieces = pieces.into_iter().enumerate().map(|(at, piece)| {
            let path = dir.join(format!("{name}-{at}.md"));
            set_up(&piece, &path);
            (piece, path)
        });
        Self { page: page.to_owned(), pieces: pieces.collect() }
    }

    /// Writes into the page what its pieces hold after a run that overwrites them.
    fn write_back(&self) {
        let shown = |(piece, path): &(Piece, PathBuf)| {
            let (run, cwd) = (fs::read_to_string(path).unwrap(), path.with_extension("in"));
            let is_same = run == sandbox::as_run(&piece.text, &cwd);
            if is_same { piece.text.clone() } else { sandbox::as_shown(&run, &cwd) }
        };
        fs::write(&self.page, self.pieces.iter().map(shown).collect::<String>()).unwrap();
    }
}

/// Writes a piece to `path` and its files to the folder beside it in which trycmd runs its commands.
fn set_up(piece: &Piece, path: &Path) {
    let cwd = path.with_extension("in");
    let files = fs::read_dir(home().join("examples")).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.is_file());
    let examples =
        files.map(|file| (format!("examples/{}", file.file_name().unwrap().display()), fs::read(file).unwrap()));
    let named = piece.files.iter().map(|(name, text)| (sandbox::in_folder(name, &cwd), text.clone().into_bytes()));
    for (name, text) in examples.chain(named) {
        let file = cwd.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    fs::write(path, sandbox::as_run(&piece.text, &cwd)).unwrap();
}

#[test]
fn every_command_of_the_pages_prints_what_the_page_shows() {
    let dir = tempfile::tempdir().unwrap();
    let overwrites = std::env::var_os("TRYCMD").is_some_and(|mode| mode == "overwrite");
    if overwrites {
        let page = home().join("docs/commands.md");
        let text = fs::read_to_string(&page).unwrap();
        fs::write(page, format!("{text}{}", contents::lacking_commands(&text))).unwrap();
    }
    let runs: Vec<_> = pages().iter().map(|page| Run::of(page, dir.path())).collect();
    let text: String = runs.iter().flat_map(|run| &run.pieces).map(|(piece, _)| piece.text.as_str()).collect();
    let commands = text.lines().filter(|line| line.starts_with("$ yamlift ")).count();
    assert!(commands > 80, "the pages show next to no command: {commands}");
    let cases = trycmd::TestCases::new();
    cases.register_bin("yamlift", Path::new(env!("CARGO_BIN_EXE_yamlift")));
    cases.register_bin("cat", Path::new("/bin/cat"));
    for name in ["COLUMNS", "CLICOLOR_FORCE", "RUST_LOG", "CI"] {
        cases.env(name, "");
    }
    cases.case(dir.path().join("*.md"));
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| cases.run()));
    if overwrites {
        runs.iter().for_each(Run::write_back);
    }
    outcome.unwrap();
}
