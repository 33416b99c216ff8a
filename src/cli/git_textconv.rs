//! `yamlift git-textconv`: a file as git compares it, value by value, so that `git diff` and `git log -p` show what changes
//! its meaning (`gitattributes(5)`, "Performing text diffs of binary files").

use std::io::{self, Write as _};
use std::process::ExitCode;

use super::command_args::GitTextconv;
use super::input::{name, read_bytes};
use super::output;
use crate::report::secrets::Secrets;
use crate::text::encoding;
use crate::text::error::Error;
use crate::text::masking::MASK;
use crate::text::source::Source;
use crate::upgrade::differences;
use crate::yaml::check;

/// Prints what a file means. One that is no YAML is printed as it is, for git shows no difference at all where this fails.
pub(super) fn git_textconv(args: &GitTextconv) -> Result<ExitCode, Error> {
    let bytes = read_bytes(&args.file)?;
    let mut secrets = args.secrets.secrets()?;
    let Ok(text) = encoding::decode(&name(&args.file), bytes.clone(), encoding::LIMIT) else {
        let written = io::stdout().write_all(&bytes);
        return written
            .map(|()| ExitCode::SUCCESS)
            .map_err(|error| Error::input(format!("cannot be printed: {error}")));
    };
    let told = meaning(&text, &mut secrets).unwrap_or_else(|| secrets.mask_text(&text).into_owned());
    output::print(&mut io::stdout(), &told)?;
    Ok(ExitCode::SUCCESS)
}

/// The values without those that are secret; nothing for what is no YAML.
fn meaning(text: &str, secrets: &mut Secrets) -> Option<String> {
    let source = Source::new("file", text).ok()?;
    let outline = check::read(&source).ok()?.outline;
    let hidden = secrets.learn_rows(&outline);
    let shown = |row, value: String| if hidden.contains(&row) { MASK.to_owned() } else { secrets.mask_words(&value) };
    Some(differences::meaning(&outline, &shown))
}
