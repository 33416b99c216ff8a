//! What makes a file more than its bytes: owner, mode, access control list, extended attributes, security label.
//!
//! They are carried over while nobody but its owner can open the new file, and in an order in which it never gives more
//! rights than the old one. First goes what the directory handed down to it: a default access control list would open
//! the file as soon as its mode does. Then comes the owner, then the attributes with the list, which sets the mode as
//! well, and the mode itself last, for a change of owner takes the set-user-ID bit away. What came out is read again: a
//! file system may drop what it was given without a word.
//!
//! Not carried over are the signatures `security.ima` and `security.evm`, which are those of the old bytes,
//! capabilities, which a config has no use for, and the time of the last change.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};

use super::disk::{Attributes, Disk, NewAccess};
use super::failed;
use crate::text::error::{Error, visible};

/// What a file that takes another one's place must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Guise {
    owner: (u32, u32),
    mode: u32,
    attributes: Attributes,
}

/// Who may read a new file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Access {
    /// Who may read the file in whose place it comes; else it is as its directory and the umask have it.
    Usual,
    /// It belongs to whoever runs this, and has this mode.
    Own(u32),
    /// It is like another file.
    Like(Guise),
    /// It belongs to whoever runs this, and is readable to nobody else who cannot read another file.
    NoWider(Guise),
}

impl Access {
    /// Who may open the file while it is filled.
    pub(super) fn of_new(&self) -> NewAccess {
        if *self == Self::Usual { NewAccess::Usual } else { NewAccess::Owner }
    }

    /// That of a file made from several, which nobody can read who cannot read them all.
    pub(super) fn to_all_of(sources: Vec<Guise>) -> Self {
        let everybody = sources.iter().fold(0o007, |mode, source| mode & source.mode);
        let mode = sources.iter().fold(0o7777, |mode, source| mode & source.mode);
        let mut sources = sources.into_iter();
        let Some(first) = sources.next() else { return Self::Usual };
        if sources.all(|other| other.owner == first.owner && lists(&other.attributes) == lists(&first.attributes)) {
            Self::Like(Guise { mode, ..first })
        } else {
            Self::Own(0o600 | (everybody << 3) | everybody)
        }
    }

    /// That of a file made from one that it does not take the place of.
    pub(super) fn no_wider_than(source: Guise) -> Self {
        if source.mode & FOR_ALL == FOR_ALL { Self::Usual } else { Self::NoWider(source) }
    }

    /// What is given to a new file of ours, where it is not as it was made.
    pub(super) fn guise<D: Disk>(&self, disk: &D, new: &D::File) -> io::Result<Option<Guise>> {
        match self {
            Self::Usual => Ok(None),
            Self::Own(mode) => Ok(Some(Guise { mode: *mode, ..Guise::of(disk, new)? })),
            Self::Like(guise) => Ok(Some(guise.clone())),
            Self::NoWider(source) => Ok(Some(source.for_reading(Guise::of(disk, new)?))),
        }
    }

    /// Whether a file of that guise is readable to just these.
    pub(super) fn is_that_of(&self, guise: &Guise) -> bool {
        match self {
            Self::Usual => true,
            Self::Own(mode) => guise.mode == *mode,
            Self::Like(wanted) => guise == wanted,
            Self::NoWider(source) => *guise == source.for_reading(guise.clone()),
        }
    }
}

/// Group and everybody may read.
const FOR_ALL: u32 = 0o044;

/// What becomes of a file that cannot have all that another one has. It never gives more rights than that one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    Refused,
    /// The operator has allowed it.
    Allowed,
    /// For a copy that nobody works with: it is its owner's alone then.
    Closed,
}

const NOT_CARRIED: [&str; 3] = ["security.ima", "security.evm", "security.capability"];

fn carried(name: &OsStr) -> bool {
    !NOT_CARRIED.iter().any(|not| name == *not)
}

/// Whether it is an access control list: POSIX's or that of NFS 4.
fn is_list(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.ends_with("acl_access") || name.ends_with("_acl"))
}

fn lists(attributes: &Attributes) -> Vec<(&OsString, &Vec<u8>)> {
    attributes.iter().filter(|(name, _)| is_list(name)).collect()
}

impl Guise {
    pub(super) fn of<D: Disk>(disk: &D, file: &D::File) -> io::Result<Self> {
        let stat = disk.stat_open(file)?;
        let mut attributes = disk.attributes(file)?;
        attributes.retain(|name, _| carried(name));
        Ok(Self { owner: stat.owner, mode: stat.mode, attributes })
    }

    /// What a new file has, but for those who may read it: its owner, and the group and everybody as here. With a list the
    /// bits of the group are not the group's.
    fn for_reading(&self, new: Self) -> Self {
        let group = if lists(&self.attributes).is_empty() { self.mode & 0o040 } else { 0 };
        let mut attributes = new.attributes;
        attributes.retain(|name, _| !is_list(name));
        Self { owner: (new.owner.0, self.owner.1), mode: 0o600 | group | self.mode & 0o004, attributes }
    }

    /// Gives all of it to `file`, or says what was in vain.
    pub(super) fn give_to<D: Disk>(&self, disk: &D, file: &D::File, policy: Loss) -> Result<(), Error> {
        let ungiven = |error| failed("its owner and mode cannot be carried over", &error);
        let now = self.give(disk, file).map_err(ungiven)?;
        let lost = self.lost(&now).join(", ");
        if lost.is_empty() {
            return Ok(());
        }
        match policy {
            Loss::Refused => Err(Error::input(format!("its owner and metadata cannot be kept: {lost}")).help(
                "run as root or as the owner of the file; `--allow-metadata-loss` goes on without these, and gives \
                 nobody more rights than before",
            )),
            Loss::Allowed => {
                log::warn!("not carried over to the new file: {lost}");
                Ok(())
            }
            Loss::Closed => {
                log::debug!("not carried over to the backup, which is its owner's alone: {lost}");
                disk.set_mode(file, self.mode & 0o600).map_err(ungiven)
            }
        }
    }

    /// What the file has now, which may be less than it should.
    fn give<D: Disk>(&self, disk: &D, file: &D::File) -> io::Result<Self> {
        let inherited = Self::of(disk, file)?;
        for name in inherited.attributes.keys().filter(|name| !self.attributes.contains_key(*name)) {
            unless_refused(disk.set_attribute(file, name, None))?;
        }
        let owner = self.give_owner(disk, file, inherited.owner)?;
        for (name, value) in &self.attributes {
            // Without its group a list would speak of another one.
            if inherited.attributes.get(name) != Some(value) && (owner.1 == self.owner.1 || !is_list(name)) {
                unless_refused(disk.set_attribute(file, name, Some(value)))?;
            }
        }
        disk.set_mode(file, self.mode_with(owner, &disk.attributes(file)?))?;
        Self::of(disk, file)
    }

    /// Only root may give a file away; its group can also be kept by a member.
    fn give_owner<D: Disk>(&self, disk: &D, file: &D::File, now: (u32, u32)) -> io::Result<(u32, u32)> {
        if now == self.owner {
            return Ok(now);
        }
        if !unless_refused(disk.give_to(file, Some(self.owner.0), self.owner.1))? {
            unless_refused(disk.give_to(file, None, self.owner.1))?;
        }
        Ok(disk.stat_open(file)?.owner)
    }

    /// Where group or list are not the old ones the group gets only what everybody has, and nothing runs as somebody
    /// else. A list of the directory's that cannot be removed is bounded by that, too: it gives no more than the
    /// group's bits say.
    fn mode_with(&self, owner: (u32, u32), attributes: &Attributes) -> u32 {
        if owner.1 != self.owner.1 || lists(attributes) != lists(&self.attributes) {
            return self.mode & 0o707 | self.mode & (self.mode << 3) & 0o070;
        }
        if owner == self.owner { self.mode } else { self.mode & 0o777 }
    }

    /// In words, what of it a file does not have.
    fn lost(&self, now: &Self) -> Vec<String> {
        let (user, group) = self.owner;
        let owner = (now.owner != self.owner).then(|| format!("its owner {user}:{group}"));
        let mode = (now.mode != self.mode).then(|| format!("its mode {:04o}", self.mode));
        let differ = |name: &&OsString| self.attributes.get(*name) != now.attributes.get(*name);
        let names: BTreeSet<_> = self.attributes.keys().chain(now.attributes.keys()).filter(differ).collect();
        let names = names.iter().map(|name| format!("its attribute `{}`", visible(&name.to_string_lossy())));
        owner.into_iter().chain(mode).chain(names).collect()
    }
}

/// Whether it was done. What the system does not allow or does not know is told by what came out.
fn unless_refused(done: io::Result<()>) -> io::Result<bool> {
    match done.as_ref().map_err(io::Error::kind) {
        Err(ErrorKind::PermissionDenied | ErrorKind::Unsupported | ErrorKind::InvalidInput) => Ok(false),
        _ => done.map(|()| true),
    }
}
