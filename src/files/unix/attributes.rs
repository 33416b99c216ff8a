//! Extended attributes, where the system has them.

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) use none::*;
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) use some::*;

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod some {
    use std::ffi::{OsStr, OsString};
    use std::fs::File;
    use std::io::{self, ErrorKind};
    use std::os::unix::ffi::OsStringExt;

    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
    use rustix::io::retry_on_intr;

    use crate::files::disk::Attributes;

    /// What Linux allows a value to be, and the list of names: `XATTR_SIZE_MAX` and `XATTR_LIST_MAX`.
    const MOST: usize = 64 << 10;

    pub(in crate::files) fn of(file: &File) -> io::Result<Attributes> {
        let mut buffer = vec![0; MOST];
        let length = match retry_on_intr(|| flistxattr(file, &mut *buffer)).map_err(io::Error::from) {
            Err(error) if error.kind() == ErrorKind::Unsupported => return Ok(Attributes::new()),
            listed => listed?,
        };
        let names = buffer.get(..length).unwrap_or_default().to_vec();
        let names = names.split(|&byte| byte == 0).filter(|name| !name.is_empty());
        names.map(|name| OsString::from_vec(name.to_vec())).map(|name| value(file, name, &mut buffer)).collect()
    }

    fn value(file: &File, name: OsString, buffer: &mut [u8]) -> io::Result<(OsString, Vec<u8>)> {
        let length = retry_on_intr(|| fgetxattr(file, name.as_os_str(), &mut *buffer))?;
        Ok((name, buffer.get(..length).unwrap_or_default().to_vec()))
    }

    pub(in crate::files) fn set(file: &File, name: &OsStr, value: Option<&[u8]>) -> io::Result<()> {
        let done = retry_on_intr(|| match value {
            Some(value) => fsetxattr(file, name, value, XattrFlags::empty()),
            None => fremovexattr(file, name),
        });
        Ok(done?)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod none {
    use std::ffi::OsStr;
    use std::fs::File;
    use std::io::{self, ErrorKind};

    use crate::files::disk::Attributes;

    #[expect(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
    pub(in crate::files) fn of(_: &File) -> io::Result<Attributes> {
        Ok(Attributes::new())
    }

    pub(in crate::files) fn set(_: &File, _: &OsStr, _: Option<&[u8]>) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }
}
