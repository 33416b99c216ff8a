//! The model as a disk.

use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::path::Path;

use super::{Dir, Inode, Model, Name, Open};
use crate::files::disk::{Attributes, Disk, Kind, NewAccess, Obstacle, Purpose, Stat};

fn name(dir: &Dir, name: &OsStr) -> Name {
    (dir.number, name.to_owned())
}

impl Model {
    fn opened(&self, number: u64) -> Open {
        Open { model: self.clone(), number, locked: Cell::new(false) }
    }
}

impl Disk for Model {
    type Dir = Dir;
    type File = Open;

    fn make_dir(&self, path: &Path, _: NewAccess) -> io::Result<()> {
        self.call(|state| {
            state.folder(path);
            Ok(())
        })
    }

    fn open_dir(&self, path: &Path) -> io::Result<Dir> {
        let number = self.call(|state| state.folders.get(path).copied().ok_or_else(|| ErrorKind::NotFound.into()))?;
        Ok(Dir { number })
    }

    fn stat_dir(&self, dir: &Dir) -> io::Result<Stat> {
        self.call(|_| Ok(Stat { kind: Kind::Directory, id: (1, dir.number), mode: 0o755, ..Stat::default() }))
    }

    fn names(&self, dir: &Dir) -> io::Result<Vec<OsString>> {
        self.call(|state| {
            let names = state.names.keys().filter(|(folder, _)| *folder == dir.number);
            Ok(names.map(|(_, name)| name.clone()).collect())
        })
    }

    fn sync_dir(&self, dir: &Dir) -> io::Result<()> {
        self.call(|state| {
            state.sync(dir.number);
            Ok(())
        })
    }

    fn stat(&self, dir: &Dir, of: &OsStr) -> io::Result<Stat> {
        self.call(|state| state.number(&name(dir, of)).and_then(|number| state.stat(number)))
    }

    fn open(&self, dir: &Dir, of: &OsStr, _: Purpose) -> io::Result<Open> {
        self.call(|state| state.number(&name(dir, of))).map(|number| self.opened(number))
    }

    fn lock(&self, file: &Open) -> io::Result<()> {
        let free = self.call(|state| Ok(state.locked.insert(file.number)))?;
        file.locked.set(free || file.locked.get());
        if free { Ok(()) } else { Err(ErrorKind::WouldBlock.into()) }
    }

    fn create(&self, dir: &Dir, new: &OsStr, mode: u32) -> io::Result<Open> {
        let created = self.call(|state| {
            if state.number(&name(dir, new)).is_ok() {
                return Err(ErrorKind::AlreadyExists.into());
            }
            let number = state.new_number();
            let attributes = state.handed_down.clone();
            state.files.insert(number, Inode { mode, attributes, ..Inode::default() });
            state.change(vec![(name(dir, new), Some(number))]);
            Ok(number)
        });
        created.map(|number| self.opened(number))
    }

    fn link(&self, from: (&Dir, &OsStr), to: (&Dir, &OsStr)) -> io::Result<()> {
        self.call(|state| {
            if state.lacks.links {
                return Err(ErrorKind::CrossesDevices.into());
            }
            if state.number(&name(to.0, to.1)).is_ok() {
                return Err(ErrorKind::AlreadyExists.into());
            }
            let number = state.number(&name(from.0, from.1))?;
            state.change(vec![(name(to.0, to.1), Some(number))]);
            Ok(())
        })
    }

    fn exchange(&self, dir: &Dir, one: &OsStr, other: &OsStr) -> io::Result<()> {
        self.call(|state| {
            if state.lacks.exchange {
                return Err(ErrorKind::InvalidInput.into());
            }
            let (one, other) = (name(dir, one), name(dir, other));
            let (first, second) = (state.number(&one)?, state.number(&other)?);
            state.change(vec![(one, Some(second)), (other, Some(first))]);
            Ok(())
        })
    }

    fn rename(&self, dir: &Dir, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.call(|state| {
            let number = state.number(&name(dir, from))?;
            state.renamed_at = state.calls - 1;
            state.change(vec![(name(dir, from), None), (name(dir, to), Some(number))]);
            Ok(())
        })
    }

    fn rename_new(&self, dir: &Dir, from: &OsStr, to: &OsStr) -> io::Result<()> {
        if self.0.borrow().number(&name(dir, to)).is_ok() {
            return self.call(|_| Err(ErrorKind::AlreadyExists.into()));
        }
        if self.0.borrow().lacks.rename_new {
            // What the real one does where the system knows nothing better: a look, and what is between is the gap.
            self.call(|_| Ok(()))?;
        }
        self.rename(dir, from, to)
    }

    fn set_modified(&self, dir: &Dir, of: &OsStr, time: (i64, u64)) -> io::Result<()> {
        self.call(|state| {
            let number = state.number(&name(dir, of))?;
            state.file(number)?.modified = time;
            Ok(())
        })
    }

    fn remove(&self, dir: &Dir, of: &OsStr) -> io::Result<()> {
        self.call(|state| {
            state.number(&name(dir, of))?;
            state.change(vec![(name(dir, of), None)]);
            Ok(())
        })
    }

    fn stat_open(&self, file: &Open) -> io::Result<Stat> {
        self.call(|state| state.stat(file.number))
    }

    fn obstacle(&self, _: &Open) -> io::Result<Option<Obstacle>> {
        self.call(|_| Ok(None))
    }

    fn read(&self, file: &Open, limit: u64) -> io::Result<Vec<u8>> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        self.call(|state| Ok(state.file(file.number)?.bytes.iter().copied().take(limit).collect()))
    }

    fn reserve(&self, _: &Open, _: u64) -> io::Result<()> {
        self.call(|_| Ok(()))
    }

    fn write(&self, file: &Open, bytes: &[u8]) -> io::Result<()> {
        self.call(|state| {
            state.clock += 1;
            let clock = state.clock;
            let file = state.file(file.number)?;
            let rest = file.bytes.get(bytes.len()..).unwrap_or_default().to_vec();
            (file.bytes, file.modified) = ([bytes, &rest].concat(), (0, clock));
            Ok(())
        })
    }

    fn truncate(&self, file: &Open, size: u64) -> io::Result<()> {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        self.call(|state| {
            state.file(file.number)?.bytes.truncate(size);
            Ok(())
        })
    }

    fn sync(&self, file: &Open) -> io::Result<()> {
        let synced = self.call(|state| {
            let now = state.file(file.number)?.clone();
            if !state.forgotten.contains(&file.number) {
                state.saved.insert(file.number, now);
            }
            Ok(())
        });
        if synced.is_err() {
            self.0.borrow_mut().forgotten.insert(file.number);
        }
        synced
    }

    fn user(&self) -> u32 {
        0
    }

    fn give_to(&self, file: &Open, user: Option<u32>, group: u32) -> io::Result<()> {
        self.call(|state| {
            let file = state.file(file.number)?;
            file.owner = (user.unwrap_or(file.owner.0), group);
            file.mode &= 0o1777;
            Ok(())
        })
    }

    fn set_mode(&self, file: &Open, mode: u32) -> io::Result<()> {
        self.call(|state| {
            state.file(file.number)?.mode = mode;
            Ok(())
        })
    }

    fn attributes(&self, file: &Open) -> io::Result<Attributes> {
        self.call(|state| Ok(state.file(file.number)?.attributes.clone()))
    }

    fn set_attribute(&self, file: &Open, name: &OsStr, value: Option<&[u8]>) -> io::Result<()> {
        self.call(|state| {
            let attributes = &mut state.file(file.number)?.attributes;
            match value {
                Some(value) => attributes.insert(name.to_owned(), value.to_vec()),
                None => attributes.remove(name),
            };
            Ok(())
        })
    }
}
