//! The files of a machine: those that are named, and those of a directory in which they have the names of a seed and of `/etc/cloud`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::input::{name, read_bytes, read_layer};
use crate::layers::cloud_init::{File, Instance, Machine};
use crate::text::error::Error;

#[derive(Debug, Default, ClapArgs)]
#[command(next_help_heading = "The files of the machine, in the place of those in DIR")]
pub(crate) struct FileArgs {
    /// Take FILE for what the user gives the machine
    #[arg(long, value_name = "FILE")]
    pub(crate) user_data: Option<PathBuf>,

    /// Take FILE for what the vendor gives the machine
    #[arg(long, value_name = "FILE")]
    pub(crate) vendor_data: Option<PathBuf>,

    /// Take FILE for what the vendor gives this one machine
    #[arg(long, value_name = "FILE")]
    pub(crate) vendor_data2: Option<PathBuf>,

    /// Take FILE for /etc/cloud/cloud.cfg
    #[arg(long, value_name = "FILE")]
    pub(crate) cloud_cfg: Option<PathBuf>,

    /// Take the .cfg files in DIRECTORY for those of /etc/cloud/cloud.cfg.d
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) conf_d: Option<PathBuf>,

    /// Take FILE for what is built into the cloud-init of the machine
    #[arg(long, value_name = "FILE")]
    pub(crate) built_in: Option<PathBuf>,

    /// Fill in templates with FILE, the machine's instance-data.json
    #[arg(long, value_name = "FILE")]
    pub(crate) instance_data: Option<PathBuf>,
}

/// The data of the instance in a directory.
pub(super) const INSTANCE: &str = "instance-data.json";
/// How many files `cloud.cfg.d` may have.
const MOST_FILES: usize = 1_000;

/// The files of a machine, and where they are.
pub(super) struct Found {
    pub(super) machine: Machine,
    pub(super) inputs: Vec<PathBuf>,
}

/// Reads the files that are named, and for the others those of the directory that has them.
///
/// # Errors
/// Files that cannot be read, and where there is none at all.
pub(super) fn read(dir: Option<&Path>, given: &FileArgs) -> Result<Found, Error> {
    let mut reading = Reading { dir, inputs: Vec::new() };
    let machine = Machine {
        user_data: reading.file(given.user_data.as_ref(), "user-data")?,
        vendor_data2: reading.file(given.vendor_data2.as_ref(), "vendor-data2")?,
        vendor_data: reading.file(given.vendor_data.as_ref(), "vendor-data")?,
        main: reading.file(given.cloud_cfg.as_ref(), "cloud.cfg")?,
        directory: reading.directory(given.conf_d.as_ref())?,
        built_in: reading.file(given.built_in.as_ref(), "built-in.yml")?,
        instance: None,
        schema: None,
    };
    if reading.inputs.is_empty() {
        return Err(nothing(dir));
    }
    let path = reading.path(given.instance_data.as_ref(), INSTANCE);
    let instance = path.map(|path| Instance::read(&read_layer(&path)?)).transpose()?;
    Ok(Found { machine: Machine { instance, ..machine }, inputs: reading.inputs })
}

fn nothing(dir: Option<&Path>) -> Error {
    let help = "a machine has user-data, vendor-data, vendor-data2, cloud.cfg, cloud.cfg.d or built-in.yml";
    match dir {
        Some(dir) if dir.is_dir() => {
            Error::input("none of a machine's files is in this directory").in_file(&name(dir)).help(help)
        }
        Some(dir) => Error::input("is no directory").in_file(&name(dir)).help("--user-data FILE names a file"),
        None => {
            Error::input("no file of a machine is named").help("name a directory, or files such as --user-data FILE")
        }
    }
}

/// Files that are being read.
struct Reading<'r> {
    dir: Option<&'r Path>,
    inputs: Vec<PathBuf>,
}

impl Reading<'_> {
    /// Where a file is; nothing where it is not named and the directory does not have it.
    fn path(&mut self, given: Option<&PathBuf>, name: &str) -> Option<PathBuf> {
        let path = given.cloned().or_else(|| Some(self.dir?.join(name)).filter(|path| path.exists()))?;
        self.inputs.push(path.clone());
        Some(path)
    }

    fn file(&mut self, given: Option<&PathBuf>, own_name: &str) -> Result<Option<File>, Error> {
        let path = self.path(given, own_name);
        path.map(|path| Ok((name(&path), read_bytes(&path)?))).transpose()
    }

    /// The files of `cloud.cfg.d` that end with `.cfg`, as cloud-init takes them.
    fn directory(&mut self, given: Option<&PathBuf>) -> Result<Vec<File>, Error> {
        let own = || Some(self.dir?.join("cloud.cfg.d")).filter(|path| path.exists());
        let Some(dir) = given.cloned().or_else(own) else { return Ok(Vec::new()) };
        let unreadable = |error: std::io::Error| Error::input(format!("cannot be read: {error}")).in_file(&name(&dir));
        let mut files = Vec::new();
        for entry in fs::read_dir(&dir).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let is_config = path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(b".cfg"));
            if !is_config || !path.is_file() {
                continue;
            }
            if files.len() >= MOST_FILES {
                let what = format!("there are more than {MOST_FILES} .cfg files in this directory");
                return Err(Error::input(what).in_file(&name(&dir)).help("name another --conf-d"));
            }
            files.push((name(&path), read_bytes(&path)?));
            self.inputs.push(path);
        }
        Ok(files)
    }
}
