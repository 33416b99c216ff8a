//! Config files on disk: how one is read, replaced, or put in place for the first time.
//!
//! yamlift runs as root from release scripts with nobody watching. Whatever fails, the config is the old one or the new
//! one, whole, with its owner and mode, and nobody else's edit is lost. Hence the order: the new content is written,
//! given its metadata and made durable under a name of its own; then the backup is made; and the target's name moves
//! only if it still means the file that was read. What fails on the way takes everything that it made with it.
//!
//! Left out so far: locking, exchanging the two files instead of comparing and renaming, access control lists and
//! extended attributes, hard links and mount points, and the temporary file that a killed run leaves behind.

mod folder;
mod input;
mod system;

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{self, Path, PathBuf};
use std::time::SystemTime;

use jiff::Zoned;
use tempfile::{Builder, NamedTempFile, TempPath};

use crate::error::{Error, visible};
use folder::{Folder, make_dir, parent};
use input::{load, look, to_text, unreadable};
use system::Node;

/// How many bytes an input may have: no config is larger, and a mistaken path should not fill the memory.
pub(crate) const LIMIT: u64 = 64 << 20;

/// What becomes of the old content when a file is replaced.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Backup {
    /// It stays beside the file as `NAME.YYYYMMDDHHMMSS` (local time), with `-1`, `-2` behind it where that is taken.
    #[default]
    Beside,
    /// It is kept under such a name in this directory, which is created at need and then is its owner's alone.
    In(PathBuf),
    /// It is not kept.
    Off,
}

/// A config file as it was found: where it really is, what it held, and the metadata it must keep.
pub(crate) struct Original {
    pub(crate) text: String,
    /// How errors name the file.
    name: String,
    /// The file behind all symbolic links, which is the one to be replaced.
    target: PathBuf,
    stamp: Stamp,
}

/// By what a file is known again. The time of its last status change is left out: a hard link elsewhere changes it.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    size: u64,
    modified: Option<SystemTime>,
    node: Node,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self { size: metadata.len(), modified: metadata.modified().ok(), node: Node::of(metadata) }
    }
}

impl Original {
    /// Looks at the name without following it: a link that took the file's place is somebody's edit, too.
    fn check_unchanged(&self) -> Result<(), Error> {
        match fs::symlink_metadata(&self.target) {
            Ok(now) if Stamp::of(&now) == self.stamp => Ok(()),
            _ => Err(Error::input("changed meanwhile by somebody else; nothing was written")
                .help("look at the change, then run again")),
        }
    }
}

/// What `path` holds, or `None` where nothing is there.
pub(crate) fn read_existing(path: &Path) -> Result<Option<Original>, Error> {
    find(path).map_err(|error| error.in_file(&shown(path)))
}

fn find(path: &Path) -> Result<Option<Original>, Error> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        _ => look(path)?,
    }
    let target = fs::canonicalize(path).map_err(|error| unreadable(path, &error))?;
    let (bytes, stamp) = load(&target)?;
    Ok(Some(Original { text: to_text(bytes)?, name: shown(path), target, stamp }))
}

/// The text of a file that must be there.
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    load(path).and_then(|(bytes, _)| to_text(bytes)).map_err(|error| error.in_file(&shown(path)))
}

/// The text in bytes that came from elsewhere, such as standard input, called `name` in errors.
pub(crate) fn decode(name: &str, bytes: Vec<u8>) -> Result<String, Error> {
    to_text(bytes).map_err(|error| error.in_file(name))
}

/// Puts `text` in the place of the original, whether it differs or not. Returns where the old content is kept.
pub(crate) fn replace(original: &Original, text: &str, backup: &Backup) -> Result<Option<PathBuf>, Error> {
    prepare_and_swap(original, text, backup).map_err(|error| error.in_file(&original.name))
}

fn prepare_and_swap(original: &Original, text: &str, backup: &Backup) -> Result<Option<PathBuf>, Error> {
    original.check_unchanged()?;
    let dir = parent(&original.target);
    let folder = Folder::open(dir).map_err(|error| unwritable(dir, &error))?;
    let new = staged(dir, text, Some(&original.stamp.node)).map_err(|error| unwritable(dir, &error))?;
    let kept = keep(original, backup)?;
    let kept = swap(original, new, kept)?;
    let undone = |error| doubtful("was replaced, but a power cut may still undo that", &error, kept.as_deref());
    folder.sync().map_err(undone)?;
    Ok(kept)
}

/// Content in a temporary file in `dir`, durable, with owner and mode `like` another file, or else those of a new file.
///
/// Until it has them nobody else can read it. Its name is none that a loader of `conf.d/*.yml` takes up.
fn staged(dir: &Path, text: &str, like: Option<&Node>) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".yamlift-").suffix(".tmp");
    if like.is_none() {
        system::set_default_mode(&mut builder);
    }
    let mut new = builder.tempfile_in(dir)?;
    new.write_all(text.as_bytes())?;
    if let Some(node) = like {
        node.give_to(new.as_file())?;
    }
    new.as_file().sync_all()?;
    Ok(new)
}

/// Moves the target's name to the new file. A backup that comes in vain goes away with `kept`.
fn swap(original: &Original, new: NamedTempFile, kept: Option<TempPath>) -> Result<Option<PathBuf>, Error> {
    original.check_unchanged()?;
    match new.persist(&original.target) {
        Ok(_) => Ok(kept.map(settle)),
        // A file server may rename and yet report an error; then the backup is all that is left of the old content.
        Err(refused) if original.check_unchanged().is_err() => {
            Err(doubtful("may or may not have been replaced", &refused.error, kept.map(settle).as_deref()))
        }
        Err(refused) => Err(failed("cannot be replaced", &refused.error)),
    }
}

fn settle(mut kept: TempPath) -> PathBuf {
    kept.disable_cleanup(true);
    kept.to_path_buf()
}

fn doubtful(what: &str, error: &io::Error, kept: Option<&Path>) -> Error {
    let kept = kept.map_or("was not kept".to_owned(), |kept| format!("is in `{}`", shown(kept)));
    failed(what, error).help(format!("look at the file; its old content {kept}"))
}

fn keep(original: &Original, backup: &Backup) -> Result<Option<TempPath>, Error> {
    let dir = match backup {
        Backup::Off => return Ok(None),
        Backup::Beside => parent(&original.target),
        Backup::In(dir) => dir,
    };
    let refused = |error| failed(&format!("no backup can be made in `{}`", shown(dir)), &error);
    keep_in(dir, original).map(Some).map_err(refused)
}

/// The backup, durable, and removed again when dropped.
fn keep_in(dir: &Path, original: &Original) -> io::Result<TempPath> {
    let dir = path::absolute(dir)?;
    make_dir(&dir, true)?;
    let folder = Folder::open(&dir)?;
    let names = backup_names(&dir, original)?;
    // A link is the old file itself. Where the directory is on another file system, or knows no links, a copy must do.
    let kept = link(original, names.clone()).or_else(|_| copy(original, &dir, names))?;
    folder.sync()?;
    Ok(kept)
}

fn backup_names(dir: &Path, original: &Original) -> io::Result<impl Iterator<Item = PathBuf> + Clone + use<>> {
    let now = Zoned::try_from(SystemTime::now()).map_err(io::Error::other)?;
    let mut first = dir.join(original.target.file_name().unwrap_or_default()).into_os_string();
    first.push(now.strftime(".%Y%m%d%H%M%S").to_string());
    let further = first.clone();
    let numbered = (1..1000).map(move |number| {
        let mut name = further.clone();
        name.push(format!("-{number}"));
        name
    });
    Ok(std::iter::once(first).chain(numbered).map(PathBuf::from))
}

fn link(original: &Original, names: impl Iterator<Item = PathBuf>) -> io::Result<TempPath> {
    for name in names {
        match fs::hard_link(&original.target, &name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            linked => return linked.and_then(|()| TempPath::try_from_path(name)),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

fn copy(original: &Original, dir: &Path, names: impl Iterator<Item = PathBuf>) -> io::Result<TempPath> {
    let mut copy = staged(dir, &original.text, Some(&original.stamp.node))?;
    for name in names {
        match copy.persist_noclobber(&name) {
            Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => copy = taken.file,
            Err(refused) => return Err(refused.error),
            Ok(_) => return TempPath::try_from_path(name),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Puts a file where none is, and the directories above it. Never replaces one that has appeared meanwhile.
pub(crate) fn create(path: &Path, text: &str) -> Result<(), Error> {
    install(path, text).map_err(|error| error.in_file(&shown(path)))
}

fn install(path: &Path, text: &str) -> Result<(), Error> {
    let dir = parent(path);
    make_dir(dir, false).map_err(|error| failed("its directory cannot be created", &error))?;
    let folder = Folder::open(dir).map_err(|error| unwritable(dir, &error))?;
    let new = staged(dir, text, None).map_err(|error| unwritable(dir, &error))?;
    new.persist_noclobber(path).map_err(|refused| match refused.error.kind() {
        ErrorKind::AlreadyExists => Error::input("appeared meanwhile; nothing was written").help("run again"),
        _ => failed("cannot be created", &refused.error),
    })?;
    folder.sync().map_err(|error| failed("was created, but a power cut may still undo that", &error))
}

fn unwritable(dir: &Path, error: &io::Error) -> Error {
    let refused = failed(&format!("cannot be written in the directory `{}`", shown(dir)), error);
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => refused.help(
            "the content gets a temporary name there first, and the owner and mode of a file that it replaces; \
             run as a user who may do that",
        ),
        _ => refused,
    }
}

fn failed(what: &str, error: &io::Error) -> Error {
    Error::input(format!("{what}: {error}"))
}

fn shown(path: &Path) -> String {
    visible(&path.display().to_string())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

    use super::*;

    /// A directory with an `app.yml` of mode 0640 in it, which holds `a: 1`.
    fn installed() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap().join("app.yml");
        fs::write(&path, "a: 1\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        (dir, path)
    }

    fn original(path: &Path) -> Original {
        read_existing(path).unwrap().unwrap()
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    #[test]
    fn the_new_file_has_owner_and_mode_and_the_backup_is_the_old_file() {
        let (dir, path) = installed();
        // Only root may give a file away; for anyone else the owner stays what it was.
        let _ = chown(&path, Some(1234), Some(2345));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o2640)).unwrap();
        let old = fs::metadata(&path).unwrap();
        let kept = replace(&original(&path), "a: 2\n", &Backup::Beside).unwrap().unwrap();
        let new = fs::metadata(&path).unwrap();
        assert_eq!((new.mode(), new.uid(), new.gid()), (old.mode(), old.uid(), old.gid()));
        assert_eq!(fs::read_to_string(&path).unwrap(), "a: 2\n");
        assert_eq!(fs::metadata(&kept).unwrap().ino(), old.ino());
        let stamp = kept.to_str().unwrap().strip_prefix(&format!("{}.", path.display())).unwrap();
        assert!(stamp.len() == 14 && stamp.bytes().all(|byte| byte.is_ascii_digit()), "{stamp}");
        assert_eq!(names(dir.path()), ["app.yml".to_owned(), format!("app.yml.{stamp}")]);
    }

    #[test]
    fn a_link_stays_and_its_target_is_replaced() {
        let (dir, path) = installed();
        let link = dir.path().join("link.yml");
        symlink("app.yml", &link).unwrap();
        assert_eq!(replace(&original(&link), "a: 2\n", &Backup::Off).unwrap(), None);
        assert_eq!(fs::read_link(&link).unwrap(), Path::new("app.yml"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "a: 2\n");
        assert_eq!(names(dir.path()), ["app.yml", "link.yml"]);
    }

    #[test]
    fn nothing_is_told_from_a_link_to_nothing() {
        let (dir, path) = installed();
        let link = dir.path().join("link.yml");
        symlink("gone.yml", &link).unwrap();
        let what = "is a symbolic link to `gone.yml`, which does not exist";
        assert_eq!(read_existing(&link).err().unwrap().what(), what);
        assert!(read_existing(&path.with_file_name("none/app.yml")).unwrap().is_none());
    }

    #[test]
    fn a_backup_never_takes_a_name_that_is_taken() {
        let (_dir, path) = installed();
        let original = original(&path);
        let names = backup_names(parent(&path), &original).unwrap();
        let first = names.clone().next().unwrap();
        fs::write(&first, "another").unwrap();
        let linked = settle(link(&original, names.clone()).unwrap());
        let copied = settle(copy(&original, parent(&path), names).unwrap());
        assert_eq!(fs::read_to_string(&first).unwrap(), "another");
        assert_eq!(linked.display().to_string(), format!("{}-1", first.display()));
        assert_eq!(copied.display().to_string(), format!("{}-2", first.display()));
        assert_eq!((fs::read_to_string(&copied).unwrap(), mode(&copied)), ("a: 1\n".to_owned(), 0o640));
    }

    #[test]
    fn a_backup_directory_is_created_for_its_owner_alone() {
        let (dir, path) = installed();
        let old = dir.path().join("var/old");
        let kept = replace(&original(&path), "a: 2\n", &Backup::In(old.clone())).unwrap().unwrap();
        assert_eq!((kept.parent(), mode(&old), mode(&kept)), (Some(old.as_path()), 0o700, 0o640));
        assert_eq!(names(dir.path()), ["app.yml", "var"]);
    }

    #[test]
    fn an_edit_made_meanwhile_is_kept() {
        let (dir, path) = installed();
        let original = original(&path);
        let new = staged(dir.path(), "a: 2\n", None).unwrap();
        let kept = keep(&original, &Backup::Beside).unwrap();
        fs::write(&path, "a: 17\n").unwrap();
        let late = swap(&original, new, kept).unwrap_err();
        let early = replace(&original, "a: 2\n", &Backup::Beside).unwrap_err();
        assert_eq!(
            (late.what(), early.what()),
            ("changed meanwhile by somebody else; nothing was written", late.what())
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), "a: 17\n");
        assert_eq!(names(dir.path()), ["app.yml"]);
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let (dir, path) = installed();
        let original = original(&path);
        let refused = replace(&original, "a: 2\n", &Backup::In(path.clone())).unwrap_err();
        assert!(refused.what().starts_with("no backup can be made in `/"), "{refused}");
        let new = staged(dir.path(), "a: 2\n", None).unwrap();
        fs::remove_file(new.path()).unwrap();
        let refused = swap(&original, new, keep(&original, &Backup::Beside).unwrap()).unwrap_err();
        assert!(refused.what().starts_with("cannot be replaced: No such file"), "{refused}");
        assert_eq!(names(dir.path()), ["app.yml"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "a: 1\n");
    }

    #[test]
    fn a_first_installation_makes_directories_and_never_overwrites() {
        let (dir, path) = installed();
        let deep = dir.path().join("etc/app/app.yml");
        create(&deep, "a: 1\n").unwrap();
        let plain = dir.path().join("plain");
        fs::write(&plain, "").unwrap();
        assert_eq!(mode(&deep), mode(&plain) & 0o644);
        assert_eq!(create(&path, "a: 2\n").unwrap_err().what(), "appeared meanwhile; nothing was written");
        assert_eq!(fs::read_to_string(&path).unwrap(), "a: 1\n");
        assert_eq!((names(deep.parent().unwrap()), names(dir.path()).len()), (vec!["app.yml".to_owned()], 3));
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_named_with_a_way_out() {
        let refused = unwritable(Path::new("/etc"), &ErrorKind::PermissionDenied.into()).to_string();
        assert!(
            refused.starts_with("cannot be written in the directory `/etc`: permission denied\n help: "),
            "{refused}"
        );
    }
}
