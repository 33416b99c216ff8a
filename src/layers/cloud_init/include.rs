//! `#include` and `#include-once`: the files that a part names, a URL a line. Nothing is fetched over a network, and no
//! file of this machine is read that the caller has not allowed: a user-data comes from others, and could name any.

use std::path::{Path, PathBuf};

use super::explode::Exploded;
use super::part::{Fault, Part};
use crate::text::error::{Error, visible};

/// How many files may include each other.
const DEEPEST: usize = 16;

/// Adds the parts of the files that an include names. The headers of the part that includes them are not theirs.
///
/// # Errors
/// A URL that is no local file, a file that is not there, and files that include themselves.
pub(super) fn read(part: &Part, exploded: &mut Exploded<'_>) -> Result<(), Error> {
    for (at, line) in part.layer.text.lines().enumerate() {
        let Some(url) = url(line) else { continue };
        let fault = |what: String| Fault::new(what, part.above() + at + 1).word(url);
        let Some(path) = path(url) else {
            let what = format!("`{}` is no local file, and nothing is fetched here", visible(url));
            let fault = fault(what).help("fetch it yourself, and name the file in its place");
            if exploded.options.reading.is_documented() {
                return Err(part.error(&fault));
            }
            exploded.warnings.push(part.warning(&fault));
            continue;
        };
        let found = found(&path, exploded).map_err(|(error, help)| part.error(&fault(error).help(help)))?;
        if found.beside {
            let what = format!("`{}` is not there, {} is read instead", visible(url), found.path.display());
            exploded.warnings.push(part.warning(&fault(what)));
        }
        exploded.file(&found.path, found.bytes)?;
    }
    Ok(())
}

/// What a line names: comments and blank lines name nothing, and the marker may have a URL behind it.
fn url(line: &str) -> Option<&str> {
    let starts = |marker: &str| line.get(..marker.len()).is_some_and(|start| start.eq_ignore_ascii_case(marker));
    let marker = ["#include-once", "#include"].into_iter().find(|marker| starts(marker));
    let rest = marker.map_or(line, |marker| &line[marker.len()..]).trim();
    (!rest.is_empty() && !rest.starts_with('#')).then_some(rest)
}

/// The path of a `file:` URL, or of what is no URL at all.
fn path(url: &str) -> Option<PathBuf> {
    match url.split_once("://") {
        Some((scheme, path)) => scheme.eq_ignore_ascii_case("file").then(|| PathBuf::from(path)),
        None => Some(PathBuf::from(url)),
    }
}

struct Found {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Whether it is another file of this name, beside the one that includes it.
    beside: bool,
}

/// What went wrong, and what to do about it.
type Trouble = (String, &'static str);

/// A file as a part names it: where that is relative, beside the file that the part is in. What is only on the machine
/// that will be configured may have a copy of the same name there, too.
fn found(path: &Path, exploded: &Exploded<'_>) -> Result<Found, Trouble> {
    let within = exploded.within.last().and_then(|file| file.parent()).unwrap_or(Path::new(""));
    let (path, copy) = (within.join(path), path.file_name().map(|name| within.join(name)));
    refuse_circle(&path, exploded)?;
    let Some(open) = exploded.options.open else {
        let what = format!("`{}` is not read: no local file may be included", visible(&path.display().to_string()));
        return Err((what, "--include-root DIR allows the files below DIR"));
    };
    let error = match open(&path) {
        Ok(bytes) => return Ok(Found { path, bytes, beside: false }),
        Err(error) => error,
    };
    let what = format!("`{}` cannot be read: {}", visible(&path.display().to_string()), error.what());
    let help =
        "a path that is not absolute is looked up beside the file that includes it, and so is a copy of the same name";
    let copy = copy.filter(|copy| *copy != path).ok_or((what.clone(), help))?;
    refuse_circle(&copy, exploded)?;
    let bytes = open(&copy).map_err(|_| (what, help))?;
    Ok(Found { path: copy, bytes, beside: true })
}

fn refuse_circle(path: &Path, exploded: &Exploded<'_>) -> Result<(), Trouble> {
    let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let this = canonical(path);
    if exploded.within.iter().any(|file| canonical(file) == this) {
        let what = format!("`{}` includes itself", visible(&path.display().to_string()));
        return Err((what, "take one of the includes away"));
    }
    if exploded.within.len() >= DEEPEST {
        return Err((format!("more than {DEEPEST} files include each other"), "name the files in one place"));
    }
    Ok(())
}
