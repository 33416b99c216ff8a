//! A page in pieces, each of which is run in a folder of its own with the files that the page has shown until then.
//!
//! A file is a block below a line that names it in backticks. A new piece starts where a page shows another file of the
//! same name, and at [`AFRESH`].

use std::collections::BTreeMap;

/// From here on the files are as the page shows them, whatever the commands above did to them.
const AFRESH: &str = "<!-- The files are as they were. -->";

/// How names of files end that a page shows.
const KINDS: [&str; 8] = [".yml", ".yaml", ".toml", ".properties", ".txt", ".cfg", ".json", "-data"];

/// A part of a page, with what the files are called that its commands read.
#[derive(Clone, Default)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) files: BTreeMap<String, String>,
}

/// The folder that commands are run in, as the pages name it.
const HERE: &str = "/etc/relay/";

/// What a line is part of.
enum Inside {
    Prose,
    Block,
    File(String),
}

/// The pieces of a page, whose texts one behind the other are the page.
pub(crate) fn of(page: &str) -> Vec<Piece> {
    let mut done = Vec::new();
    let (mut piece, mut inside, mut last) = (Piece::default(), Inside::Prose, "");
    for line in page.split_inclusive('\n') {
        let is_fence = line.starts_with("```");
        inside = match inside {
            Inside::Prose if is_fence => match file_of(line, last) {
                Some(name) => {
                    if piece.files.contains_key(&name) {
                        cut(&mut done, &mut piece);
                    }
                    piece.files.insert(name.clone(), String::new());
                    Inside::File(name)
                }
                None => Inside::Block,
            },
            Inside::Block | Inside::File(_) if is_fence => Inside::Prose,
            Inside::File(name) => {
                piece.files.entry(name.clone()).or_default().push_str(line);
                Inside::File(name)
            }
            Inside::Prose if line.trim() == AFRESH => {
                cut(&mut done, &mut piece);
                Inside::Prose
            }
            other => other,
        };
        if !line.trim().is_empty() {
            last = line;
        }
        piece.text.push_str(line);
    }
    done.push(piece);
    done
}

/// Ends a piece; the next one starts with its files.
fn cut(done: &mut Vec<Piece>, piece: &mut Piece) {
    let files = piece.files.clone();
    done.push(std::mem::replace(piece, Piece { text: String::new(), files }));
}

/// The file that a block is, where the last line above it names one and the block is no command.
fn file_of(fence: &str, above: &str) -> Option<String> {
    let is_file = ["yaml", "toml", "properties", "text"].contains(&fence.trim_start_matches('`').trim());
    let names = above.split('`').skip(1).step_by(2);
    let name = names.filter(|word| KINDS.iter().any(|kind| word.ends_with(kind))).last()?;
    (is_file && above.trim_end().ends_with(':')).then(|| name.trim_start_matches(HERE).to_owned())
}
