//! `-o FILE`: a result that is put elsewhere than where it came from.
//!
//! It is a file like the config itself. What it holds is what the config holds, so nobody may read it who may not read
//! that. Somebody may be using the file that is there, so it is replaced by the same steps, with a backup, and only where
//! the operator said so. What an upgrade reads is never written: there is no way back from that.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{self, Path, PathBuf};

use super::guise::{Access, Guise};
use super::{FileOptions, System, descriptor, failed, input, is_missing, missing, parent, protocol, shown, take_bytes};
use crate::text::error::Error;

/// What becomes of a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    Refused,
    Replaced,
}

/// A file that a result can be put into.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    existing: Existing,
    access: Access,
}

impl Output {
    /// Refuses a file that is one of `inputs`, one that is there and is not to be replaced, and one whose directory is
    /// not there: all that can be known before anything is read.
    pub(crate) fn new(path: &Path, existing: Existing, inputs: &[&Path]) -> Result<Self, Error> {
        let output = Self { path: path.to_owned(), existing, access: Access::Usual };
        output.check(inputs).map_err(|error| error.in_file(&shown(path)))?;
        Ok(output)
    }

    fn check(&self, inputs: &[&Path]) -> Result<(), Error> {
        if let Some(input) = inputs.iter().find(|input| is_same(&self.path, input)) {
            let what = format!("is the same file as `{}`, which is read", shown(input));
            return Err(Error::input(what).help("name another file"));
        }
        if let Ok(metadata) = fs::metadata(&self.path) {
            input::check_kind(input::kind(metadata.file_type()), 0, 0)?;
        }
        if self.path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(Error::input("names a directory, not a file").help("name a file in it"));
        }
        if !is_missing(&self.path) && self.existing == Existing::Refused {
            return Err(
                Error::input("is there already").help("name another file; `--force` replaces it, after a backup")
            );
        }
        if !parent(&self.path).is_dir() {
            return Err(
                Error::input("its directory does not exist").help("make it first, with the rights that it should have")
            );
        }
        Ok(())
    }

    /// Nobody is to read it who cannot read all of these. What is no regular file is its reader's alone; what is not
    /// there has no say.
    pub(crate) fn no_wider_than(self, sources: &[&Path]) -> Result<Self, Error> {
        let guise =
            |source: &&Path| guise(source).map_err(|error| failed("cannot be read", &error).in_file(&shown(source)));
        let guises = sources.iter().map(guise).collect::<Result<Vec<_>, _>>()?;
        let private = guises.contains(&Source::Stream);
        let known =
            guises.into_iter().filter_map(|source| if let Source::File(guise) = source { Some(guise) } else { None });
        let access = if private { Access::Own(0o600) } else { Access::to_all_of(known.collect()) };
        Ok(Self { access, ..self })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts `text` there. Returns where the old content is kept.
    pub(crate) fn put(&self, text: &str, how: &FileOptions) -> Result<Option<PathBuf>, Error> {
        // Whoever may read a file and not give it away still may have a copy of his own.
        let how = FileOptions { in_place: false, allow_metadata_loss: true, ..how.clone() };
        self.put_as(text, &how).map_err(|error| error.in_file(&shown(&self.path)))
    }

    fn put_as(&self, text: &str, how: &FileOptions) -> Result<Option<PathBuf>, Error> {
        let taken = if self.existing == Existing::Replaced { take_bytes(&self.path, how)? } else { None };
        let Some(old) = taken else {
            let site = missing(&self.path, how)?;
            return protocol::create_as(&site, text.as_bytes(), &self.access, how).map(|()| None);
        };
        let guise = Guise::of(&System, &old.found.file);
        let is_as_wanted = guise.is_ok_and(|guise| self.access.is_that_of(&guise));
        if old.found.bytes == text.as_bytes() && is_as_wanted {
            return Ok(None);
        }
        protocol::replace_as(&old.found, text.as_bytes(), &self.access, how)
    }
}

/// Puts a config where none is, and the directories above it. Nobody gets to read it who cannot read the file that it is
/// made from; where that is a pipe the umask decides. Never replaces one that has appeared meanwhile.
pub(crate) fn create(path: &Path, text: &str, source: &Path, how: &FileOptions) -> Result<(), Error> {
    let unreadable = |error| failed("cannot be read", &error).in_file(&shown(source));
    let access = match guise(source).map_err(unreadable)? {
        Source::File(guise) => Access::no_wider_than(guise),
        Source::Stream | Source::Missing => Access::Usual,
    };
    // Whoever may not give it to the group of that file has it for himself.
    let how = FileOptions { allow_metadata_loss: true, ..how.clone() };
    let created = missing(path, &how).and_then(|site| protocol::create_as(&site, text.as_bytes(), &access, &how));
    created.map_err(|error| error.in_file(&shown(path)))
}

/// What a result is made from.
#[derive(PartialEq, Eq)]
enum Source {
    File(Guise),
    /// Standard input, or a pipe.
    Stream,
    Missing,
}

fn guise(path: &Path) -> io::Result<Source> {
    if path == Path::new("-") || descriptor(path).is_some() {
        return Ok(Source::Stream);
    }
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Source::Missing),
        Err(error) => Err(error),
        Ok(metadata) if metadata.is_file() => Guise::of(&System, &File::open(path)?).map(Source::File),
        Ok(_) => Ok(Source::Stream),
    }
}

/// Whether two paths lead to one file, by whatever links or spelling; where nothing is yet, whether they would.
fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(first), Ok(second)) => id(one, &first) == id(other, &second),
        (Err(_), Err(_)) => place(one).is_some_and(|place_of_one| Some(place_of_one) == place(other)),
        _ => false,
    }
}

#[cfg(unix)]
fn id(_: &Path, metadata: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev(), metadata.ino())
}

/// The standard library does not tell the number of a file elsewhere, so that hard links are not known.
#[cfg(not(unix))]
fn id(path: &Path, _: &fs::Metadata) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Where a file would be.
fn place(path: &Path) -> Option<PathBuf> {
    let absolute = path::absolute(path).ok()?;
    Some(fs::canonicalize(parent(&absolute)).ok()?.join(absolute.file_name()?))
}
