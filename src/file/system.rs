//! What std says differently from one operating system to the next: owner, mode and inode, and the kinds of a file.
//!
//! Outside of Unix a file has none of these here: it is still replaced in one step, with the directory's defaults.

#[cfg(not(unix))]
pub(super) use other::*;
#[cfg(unix)]
pub(super) use unix::*;

#[cfg(unix)]
mod unix {
    use std::fs::{DirBuilder, File, FileType, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt, fchown};
    use std::path::Path;

    use tempfile::Builder;

    /// Which file it is, and who may do what with it.
    #[derive(Debug, PartialEq, Eq)]
    pub(in crate::file) struct Node {
        device: u64,
        inode: u64,
        mode: u32,
        owner: (u32, u32),
    }

    impl Node {
        pub(in crate::file) fn of(metadata: &Metadata) -> Self {
            let owner = (metadata.uid(), metadata.gid());
            Self { device: metadata.dev(), inode: metadata.ino(), mode: metadata.mode(), owner }
        }

        /// Gives `file` this owner and mode. The owner goes first, for its change takes the set-user-ID bit away.
        /// What came out is looked at: a file system, or a lack of rights, may drop bits without an error.
        pub(in crate::file) fn give_to(&self, file: &File) -> io::Result<()> {
            let (user, group) = self.owner;
            if Self::of(&file.metadata()?).owner != self.owner {
                fchown(file, Some(user), Some(group)).map_err(|error| {
                    io::Error::new(error.kind(), format!("its owner {user}:{group} cannot be kept: {error}"))
                })?;
            }
            file.set_permissions(Permissions::from_mode(self.mode & 0o7777))?;
            let now = Self::of(&file.metadata()?);
            if (now.owner, now.mode) == (self.owner, self.mode) {
                return Ok(());
            }
            Err(io::Error::other(format!("its mode {:04o} cannot be kept", self.mode & 0o7777)))
        }
    }

    pub(in crate::file) fn kind(kind: FileType) -> &'static str {
        match kind {
            kind if kind.is_fifo() => "a FIFO",
            kind if kind.is_socket() => "a socket",
            _ => "a device",
        }
    }

    /// A new file as a shell would make it: the umask still takes its share.
    pub(in crate::file) fn set_default_mode(builder: &mut Builder) {
        builder.permissions(Permissions::from_mode(0o644));
    }

    pub(in crate::file) fn make_dir(path: &Path, private: bool) -> io::Result<()> {
        DirBuilder::new().mode(if private { 0o700 } else { 0o777 }).create(path)
    }

    pub(in crate::file) fn open_dir(path: &Path) -> io::Result<Option<File>> {
        File::open(path).map(Some)
    }
}

#[cfg(not(unix))]
mod other {
    use std::fs::{DirBuilder, File, FileType, Metadata};
    use std::io;
    use std::path::Path;

    use tempfile::Builder;

    #[derive(Debug, PartialEq, Eq)]
    pub(in crate::file) struct Node;

    impl Node {
        pub(in crate::file) fn of(_: &Metadata) -> Self {
            Self
        }

        #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "there is something to do on Unix")]
        pub(in crate::file) fn give_to(&self, _: &File) -> io::Result<()> {
            Ok(())
        }
    }

    pub(in crate::file) fn kind(_: FileType) -> &'static str {
        "a device"
    }

    pub(in crate::file) fn set_default_mode(_: &mut Builder) {}

    pub(in crate::file) fn make_dir(path: &Path, _private: bool) -> io::Result<()> {
        DirBuilder::new().create(path)
    }

    /// A directory cannot be opened as a file there, nor made durable.
    #[expect(clippy::unnecessary_wraps, reason = "it can fail on Unix")]
    pub(in crate::file) fn open_dir(_: &Path) -> io::Result<Option<File>> {
        Ok(None)
    }
}
