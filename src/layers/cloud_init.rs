//! cloud-init: the parts of a user-data, or the levels of its configuration, become one (`docs/cloud-init.md`).
//!
//! Files become [`part`]s ([`explode`]: MIME, archives, includes, gzip). Each part names [`mergers`] or none, and the
//! [`walk`] merges it into what came before: there the type of the *old* value chooses the merger, which the common terms
//! of [`fold`](super::fold) cannot say. A part may be a JSON [`patch`] instead. [`user_data`] and [`levels`] are the ways in;
//! a [`machine`] has both, and fills in each [`template`] with the data of its [`instance`].

mod archive;
mod explode;
mod include;
mod instance;
mod keys;
mod levels;
mod machine;
mod mergers;
mod mime;
mod part;
mod patch;
mod schema;
mod size;
mod sources;
mod template;
mod user_data;
mod walk;

pub(crate) use self::instance::Instance;
pub(crate) use self::machine::{File, Level, Machine, Resolved, resolve};
use crate::layers::reading::Reading;
use crate::layers::values::Merged;
use crate::text::error::Error;

/// How files reach cloud-init.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Entry {
    /// As parts of one user-data: later ones on top
    #[default]
    Parts,
    /// As levels of configuration: the highest priority first
    Levels,
    /// As cloud.cfg and the files of its directory
    ConfD,
}

/// A header that a part of a MIME message would have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Of which part, from 1.
    pub(crate) part: usize,
    pub(crate) name: String,
    pub(crate) value: String,
}

impl Header {
    /// Reads a header, such as `2:Merge-Type=list(append)`: the number of the part from 1, the name and the value.
    ///
    /// # Errors
    /// A text of another form.
    pub fn read(text: &str) -> Result<Self, Error> {
        let header = text.split_once(':').and_then(|(part, header)| {
            let (name, value) = header.split_once('=')?;
            let part = part.parse().ok().filter(|&part| part > 0)?;
            Some(Self { part, name: name.to_owned(), value: value.to_owned() })
        });
        let help = "write the number of the part, from 1: --header '2:Merge-Type=list(append)'";
        header.ok_or_else(|| Error::input(format!("`{text}` is no header of a part")).help(help))
    }
}

/// Reads a file, if it may be read.
pub(crate) type Open<'o> = dyn Fn(&std::path::Path) -> Result<Vec<u8>, Error> + 'o;

/// What is to be known besides the files.
pub(crate) struct Options<'o> {
    pub(crate) reading: Reading,
    pub(crate) entry: Entry,
    pub(crate) headers: Vec<Header>,
    /// Reads a local file that a part includes; nothing where none may be read.
    pub(crate) open: Option<&'o Open<'o>>,
    pub(crate) purpose: Purpose<'o>,
}

impl Options<'_> {
    /// Whether what the parser of a machine cannot read is no configuration.
    fn reads_as_machine(&self) -> bool {
        self.purpose.is_machine() || self.reading.is_shipped()
    }
}

/// What files are read for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose<'o> {
    /// Their merge: what no machine would take for a configuration is one where it can be.
    Merge,
    /// What a machine makes of them, which fills in templates with what it knows of itself.
    Machine(Option<&'o Instance>),
}

impl Purpose<'_> {
    fn is_machine(self) -> bool {
        matches!(self, Self::Machine(_))
    }
}

/// Merges files, each with its name.
///
/// # Errors
/// What cloud-init stumbles over; as it is shipped only what stops it as a whole, the rest is a warning.
pub(crate) fn merge(files: Vec<(String, Vec<u8>)>, options: &Options<'_>) -> Result<Merged, Error> {
    if options.entry == Entry::Parts {
        return user_data::merge(files, options);
    }
    if let Some(header) = options.headers.first() {
        let what = format!("only parts have headers, such as {}", header.name);
        return Err(Error::input(what).help("leave --header or --entry away"));
    }
    levels::merge(files, options)
}
