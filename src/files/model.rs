//! A file system in memory that knows what is durable.
//!
//! It does what its callers ask, fails, is edited by somebody else or loses its power before any call that a test
//! names, and tells all states that a disk may be in afterwards. It is more careless than real ones: of the changes to
//! a directory that were not synced any may be there and any may not, and of a file that was not synced all, half or
//! nothing.

mod calls;
mod crash;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::disk::{Attributes, Kind, Stat};

/// A file system that its holders share.
#[derive(Clone, Default)]
pub(super) struct Model(pub(super) Rc<RefCell<State>>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Inode {
    pub(super) bytes: Vec<u8>,
    pub(super) owner: (u32, u32),
    pub(super) mode: u32,
    pub(super) attributes: Attributes,
    pub(super) modified: (i64, u64),
}

impl Inode {
    /// Nothing is torn by a new time.
    fn is_but_for_its_time(&self, other: &Self) -> bool {
        Self { modified: other.modified, ..self.clone() } == *other
    }
}

/// What happens before a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// The call fails instead.
    Fail(ErrorKind),
    /// Neither this call nor any after it is made.
    Die,
    /// Somebody writes into the config, durably; the clock may not have moved since.
    Write { tick: bool },
    /// Somebody puts another file in the place of the config, durably.
    Replace,
    /// Somebody gives the config an attribute, durably.
    Tag,
}

/// What a file system cannot do: let two names change places, have two names for one file, or rename with care for what
/// is there.
#[derive(Clone, Copy, Default)]
pub(super) struct Lacks {
    pub(super) exchange: bool,
    pub(super) links: bool,
    pub(super) rename_new: bool,
}

/// Before which call, and what.
type Between = (usize, Rc<dyn Fn()>);

/// A name in a directory.
type Name = (u64, OsString);

#[derive(Clone, Default)]
pub(super) struct State {
    /// As programs see it.
    pub(super) files: BTreeMap<u64, Inode>,
    pub(super) names: BTreeMap<Name, u64>,
    /// As it is on the medium, and what was done to directories since.
    saved: BTreeMap<u64, Inode>,
    saved_names: BTreeMap<Name, u64>,
    pending: Vec<Vec<(Name, Option<u64>)>>,
    /// Files of which a sync failed: the next one finds nothing to do.
    forgotten: BTreeSet<u64>,
    folders: BTreeMap<PathBuf, u64>,
    locked: BTreeSet<u64>,
    next: u64,
    clock: u64,
    /// How many calls were made, and what happens before which.
    pub(super) calls: usize,
    pub(super) plan: Vec<(usize, Event)>,
    /// What another process does all at once before a call.
    pub(super) between: Option<Between>,
    /// The last call that put one file in the place of another.
    pub(super) renamed_at: usize,
    dead: bool,
    /// The inode that is a config, what somebody else writes there, and what rights nobody may exceed.
    pub(super) config: Name,
    pub(super) edit: Vec<u8>,
    pub(super) guise: Inode,
    pub(super) too_open: Vec<String>,
    /// What this file system cannot do, and what it hands down.
    pub(super) lacks: Lacks,
    pub(super) handed_down: Attributes,
}

/// An open directory.
pub(super) struct Dir {
    pub(super) number: u64,
}

/// An open file; the lock ends with it.
pub(super) struct Open {
    model: Model,
    pub(super) number: u64,
    locked: Cell<bool>,
}

impl Drop for Open {
    fn drop(&mut self) {
        if self.locked.get() {
            self.model.0.borrow_mut().locked.remove(&self.number);
        }
    }
}

impl State {
    /// Counts a call, and lets happen what the plan has for it.
    fn call(&mut self) -> io::Result<()> {
        if self.dead {
            return Err(ErrorKind::Other.into());
        }
        let now = self.calls;
        self.calls += 1;
        self.watch();
        for (_, event) in self.plan.clone().into_iter().filter(|(at, _)| *at == now) {
            match event {
                Event::Fail(kind) => return Err(kind.into()),
                Event::Die => {
                    self.dead = true;
                    return Err(ErrorKind::Other.into());
                }
                Event::Write { tick } => self.edit_in_place(tick),
                Event::Replace => self.edit_by_rename(),
                Event::Tag => self.tag(),
            }
        }
        Ok(())
    }

    fn edit_in_place(&mut self, tick: bool) {
        self.clock += 1;
        let (clock, edit) = (self.clock, self.edit.clone());
        let Some(number) = self.names.get(&self.config).copied() else { return };
        let Some(file) = self.files.get_mut(&number) else { return };
        file.bytes = edit;
        file.modified = if tick { (0, clock) } else { file.modified };
        self.saved.insert(number, file.clone());
        self.sync(self.config.0);
    }

    fn edit_by_rename(&mut self) {
        self.clock += 1;
        let file = Inode { bytes: self.edit.clone(), modified: (0, self.clock), ..self.guise.clone() };
        let number = self.new_number();
        self.files.insert(number, file.clone());
        self.saved.insert(number, file);
        self.change(vec![(self.config.clone(), Some(number))]);
        self.sync(self.config.0);
    }

    /// All that take the place of this file are to have it, too.
    fn tag(&mut self) {
        let tag = ("user.tag".into(), b"meanwhile".to_vec());
        let Some(number) = self.names.get(&self.config).copied() else { return };
        let Some(file) = self.files.get_mut(&number) else { return };
        file.attributes.insert(tag.0, tag.1);
        self.guise.attributes = file.attributes.clone();
        self.saved.insert(number, file.clone());
    }

    fn sync(&mut self, dir: u64) {
        let of_dir = |change: &Vec<(Name, _)>| change.iter().any(|((folder, _), _)| *folder == dir);
        let (done, pending): (Vec<_>, _) = std::mem::take(&mut self.pending).into_iter().partition(of_dir);
        self.pending = pending;
        for change in &done {
            apply(&mut self.saved_names, change);
        }
    }

    fn new_number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn change(&mut self, names: Vec<(Name, Option<u64>)>) {
        apply(&mut self.names, &names);
        self.pending.push(names);
    }

    fn number(&self, name: &Name) -> io::Result<u64> {
        self.names.get(name).copied().ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn file(&mut self, number: u64) -> io::Result<&mut Inode> {
        self.files.get_mut(&number).ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn stat(&self, number: u64) -> io::Result<Stat> {
        let file = self.files.get(&number).ok_or(ErrorKind::NotFound)?;
        let links = self.names.values().filter(|&&other| other == number).count();
        Ok(Stat {
            kind: Kind::File,
            id: (1, number),
            size: u64::try_from(file.bytes.len()).unwrap_or(u64::MAX),
            modified: file.modified,
            links: u64::try_from(links).unwrap_or(u64::MAX),
            owner: file.owner,
            mode: file.mode,
        })
    }

    /// Nothing that holds a byte is open to more than the config was at first.
    fn watch(&mut self) {
        let wide = |file: &&Inode| {
            let of_others = file.mode & 0o077;
            let allowed = if file.owner.1 == self.guise.owner.1 { 0o077 } else { 0o007 } & self.guise.mode;
            let strange = file.attributes.iter().any(|(name, value)| self.guise.attributes.get(name) != Some(value));
            of_others & !allowed != 0 || (strange && of_others & 0o070 != 0)
        };
        let files = self.files.values().filter(|file| !file.bytes.is_empty());
        self.too_open.extend(files.filter(wide).map(|file| format!("{file:?}")));
    }
}

fn apply(names: &mut BTreeMap<Name, u64>, change: &[(Name, Option<u64>)]) {
    for (name, number) in change {
        match number {
            Some(number) => names.insert(name.clone(), *number),
            None => names.remove(name),
        };
    }
}

impl Model {
    /// Puts a file on the medium, as if it had always been there.
    pub(super) fn put(&self, folder: &Path, name: &str, file: Inode) -> Name {
        let mut state = self.0.borrow_mut();
        let folder = state.folder(folder);
        let (name, number) = ((folder, OsString::from(name)), state.new_number());
        state.files.insert(number, file.clone());
        state.saved.insert(number, file);
        state.names.insert(name.clone(), number);
        state.saved_names.insert(name.clone(), number);
        name
    }

    /// Runs `call`, unless something else happens.
    fn call<T>(&self, call: impl FnOnce(&mut State) -> io::Result<T>) -> io::Result<T> {
        self.let_another_run();
        let mut state = self.0.borrow_mut();
        state.call()?;
        call(&mut state)
    }
}

impl Model {
    /// Another run comes in between, with calls of its own.
    fn let_another_run(&self) {
        let mut state = self.0.borrow_mut();
        let now = state.calls;
        if let Some((_, run)) = state.between.take_if(|(at, _)| *at == now) {
            let plan = std::mem::take(&mut state.plan);
            drop(state);
            run();
            let mut state = self.0.borrow_mut();
            (state.calls, state.plan) = (now, plan);
        }
    }
}

impl State {
    fn folder(&mut self, path: &Path) -> u64 {
        let next = self.new_number();
        *self.folders.entry(path.to_owned()).or_insert(next)
    }
}
