//! The steps, tried in a [`Model`] of a disk: with every call failing in every way, with a kill and a power cut before
//! every call and after the last, and with somebody's edit before every call, alone and together with a power cut.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

mod locks;

use super::found::Found;
use super::model::{Event, Inode, Lacks, Model};
use super::site::Site;
use super::{Backup, FileOptions, attempt, lock, protocol};
use crate::text::error::Error;

const FOLDER: &str = "/etc/relay";
const OLD: &str = "listen: 10.0.0.1\n";
const EDIT: &str = "listen: 10.9.9.9\n";
const ADDED: &str = "retry: 60\n";

/// A machine with a config on it, and how it is upgraded there.
#[derive(Clone)]
struct Host {
    name: &'static str,
    how: FileOptions,
    lacks: Lacks,
    with_list: bool,
}

fn hosts() -> Vec<Host> {
    let plain = Host { name: "plain", how: FileOptions::default(), lacks: Lacks::default(), with_list: false };
    let links = Lacks { links: true, ..plain.lacks };
    let exchange = Lacks { exchange: true, ..plain.lacks };
    let all = Lacks { exchange: true, links: true, rename_new: true };
    let backup = |backup| FileOptions { backup, ..FileOptions::default() };
    let elsewhere = || backup(Backup::In(PathBuf::from("/var/kept")));
    vec![
        Host { name: "with a list", with_list: true, ..plain.clone() },
        Host { name: "without a backup", how: backup(Backup::Off), ..plain.clone() },
        Host { name: "with backups elsewhere", how: elsewhere(), ..plain.clone() },
        Host { name: "with backups on another disk", how: elsewhere(), lacks: links, ..plain.clone() },
        Host { name: "without links", lacks: links, with_list: true, ..plain.clone() },
        Host { name: "without exchange", lacks: exchange, ..plain.clone() },
        Host { name: "without exchange, links and safe renames", lacks: all, ..plain.clone() },
        plain,
    ]
}

/// The config, locked and read.
fn taken(model: &Model, how: &FileOptions) -> Result<Found<Model>, Error> {
    let path = Path::new(FOLDER).join("relay.yml");
    let found = attempt::within(how.wait, || lock::take(Site::open(model, &path)?, how))?;
    found.ok_or_else(|| Error::input("no such file"))
}

impl Host {
    fn machine(&self) -> Model {
        let model = Model::default();
        let mut file = Inode { bytes: OLD.into(), owner: (7, 8), mode: 0o640, ..Inode::default() };
        let list = ("system.posix_acl_access".into(), b"user 9 reads".to_vec());
        if self.with_list {
            file.attributes = [list.clone(), ("user.note".into(), b"by hand".to_vec())].into();
        }
        let config = model.put(Path::new(FOLDER), "relay.yml", file.clone());
        {
            let mut state = model.0.borrow_mut();
            (state.config, state.guise, state.edit) = (config, file, EDIT.into());
            state.lacks = self.lacks;
            state.handed_down = [("system.posix_acl_access".into(), b"everybody reads".to_vec())].into();
        }
        model
    }

    /// One upgrade, as the command does it.
    fn upgrade(&self, model: &Model) -> Result<(), Error> {
        let found = taken(model, &self.how)?;
        let text = String::from_utf8(found.bytes.clone()).unwrap();
        if text.ends_with(ADDED) {
            return Ok(());
        }
        protocol::replace(&found, (text + ADDED).as_bytes(), &self.how).map(drop)
    }

    /// How many calls an upgrade makes where nothing happens.
    fn calls(&self) -> usize {
        let model = self.machine();
        self.upgrade(&model).unwrap();
        let calls = model.0.borrow().calls;
        assert!(calls > 20, "{}: {calls}", self.name);
        calls
    }

    /// Before which of its calls this edit is not seen: without an exchange, what comes behind the last look at the
    /// attributes, at the content and at the name.
    fn gap(&self, edit: Event) -> Range<usize> {
        let model = self.machine();
        self.upgrade(&model).unwrap();
        let rename = model.0.borrow().renamed_at;
        let looks = match edit {
            _ if !self.lacks.exchange => return 0..0,
            Event::Tag => 2,
            Event::Write { tick: false } => 1,
            _ => 0,
        };
        rename - looks..rename + 1
    }

    fn run(&self, plan: &[(usize, Event)]) -> (Model, Result<(), Error>) {
        let model = self.machine();
        model.0.borrow_mut().plan = plan.to_vec();
        let result = self.upgrade(&model);
        (model, result)
    }
}

/// The config is the old or the new one, whole, with all that it had; an edit is somewhere, and so is what was
/// replaced; nothing was too open.
#[track_caller]
fn assert_whole(host: &Host, model: &Model, edited: bool, told: &str) {
    let state = model.0.borrow();
    let Some(file) = state.names.get(&state.config).and_then(|number| state.files.get(number)) else {
        panic!("{told}: no config")
    };
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    let base = text.strip_suffix(ADDED).unwrap_or(&text);
    assert!(base == OLD || base == EDIT, "{told}: {text:?}");
    let guise = Inode { bytes: file.bytes.clone(), modified: file.modified, ..state.guise.clone() };
    assert_eq!(*file, guise, "{told}");
    assert_eq!(state.too_open, Vec::<String>::new(), "{told}");
    let mut named = state.names.values().filter_map(|number| state.files.get(number));
    // Who writes into a file himself has it in his own hands what becomes of what it held.
    let is_kept = edited
        || text == base
        || host.how.backup == Backup::Off
        || named.clone().any(|file| file.bytes == base.as_bytes());
    assert!(is_kept, "{told}: what was replaced is lost");
    assert!(!edited || named.any(|file| file.bytes.starts_with(EDIT.as_bytes())), "{told}: the edit is lost");
}

/// The next run does its work and leaves nothing of ours behind.
#[track_caller]
fn assert_next(host: &Host, model: &Model, edited: bool, told: &str) {
    host.upgrade(model).unwrap_or_else(|error| panic!("{told}, next: {error}"));
    assert_whole(host, model, edited, told);
    let state = model.0.borrow();
    let ours = |name: &OsStr| name.to_string_lossy().starts_with(".yamlift-");
    let left: Vec<_> = state.names.keys().filter(|(_, name)| ours(name)).collect();
    assert!(left.is_empty(), "{told}: {left:?}");
    let config = &state.files[&state.names[&state.config]];
    assert!(config.bytes.ends_with(ADDED.as_bytes()), "{told}");
}

/// Everything that can be found when the power goes now, or the command is killed. Returns how many states that were.
#[track_caller]
fn assert_after_power_cut(host: &Host, model: &Model, edited: bool, told: &str) -> usize {
    let states = model.after_power_cut();
    for state in &states {
        assert_whole(host, state, edited, told);
        assert_next(host, state, edited, told);
    }
    let killed = model.after_kill();
    assert_whole(host, &killed, edited, told);
    assert_next(host, &killed, edited, told);
    states.len() + 1
}

#[test]
fn no_error_of_any_call_harms_the_config() {
    use ErrorKind::{
        Interrupted, InvalidInput, NotFound, Other, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, ResourceBusy,
        StorageFull, Unsupported,
    };
    let kinds = [
        Interrupted,
        InvalidInput,
        NotFound,
        Other,
        PermissionDenied,
        QuotaExceeded,
        ReadOnlyFilesystem,
        ResourceBusy,
        StorageFull,
        Unsupported,
    ];
    for host in hosts() {
        for at in 0..host.calls() {
            for kind in kinds {
                let told = format!("{}, {kind:?} at call {at}", host.name);
                let (model, result) = host.run(&[(at, Event::Fail(kind))]);
                assert_whole(&host, &model, false, &told);
                if result.is_ok() {
                    let durable = model.durable();
                    assert_whole(&host, &durable, false, &told);
                    let state = durable.0.borrow();
                    assert!(state.files[&state.names[&state.config]].bytes.ends_with(ADDED.as_bytes()), "{told}");
                }
                assert_after_power_cut(&host, &model, false, &told);
            }
        }
    }
}

#[test]
fn no_kill_and_no_power_cut_harms_the_config() {
    let mut states = 0;
    for host in hosts() {
        for at in 0..=host.calls() {
            let told = format!("{}, dead at call {at}", host.name);
            let (model, _) = host.run(&[(at, Event::Die)]);
            states += assert_after_power_cut(&host, &model, false, &told);
        }
    }
    assert!(states > 2_000, "{states}");
}

#[test]
fn no_edit_is_lost() {
    let edits = [Event::Write { tick: true }, Event::Write { tick: false }, Event::Replace, Event::Tag];
    for host in hosts() {
        let calls = host.calls();
        for edit in edits {
            let gap = host.gap(edit);
            for at in (0..=calls).filter(|at| !gap.contains(at)) {
                let told = format!("{}, {edit:?} at call {at}", host.name);
                let (model, _) = host.run(&[(at, edit)]);
                let made = at < model.0.borrow().calls && edit != Event::Tag;
                assert_whole(&host, &model, made, &told);
                assert_next(&host, &model.after_kill(), made, &told);
            }
        }
    }
}

#[test]
fn no_edit_is_lost_by_a_kill_that_follows() {
    for host in hosts() {
        let calls = host.calls();
        for edit in [Event::Write { tick: true }, Event::Replace] {
            let gap = host.gap(edit);
            for at in (0..calls).filter(|at| !gap.contains(at)) {
                for end in (at..calls + 6).step_by(3) {
                    let told = format!("{}, {edit:?} at call {at}, dead at {end}", host.name);
                    let (model, _) = host.run(&[(at, edit), (end, Event::Die)]);
                    let made = at < model.0.borrow().calls;
                    assert_after_power_cut(&host, &model, made, &told);
                }
            }
        }
    }
}

/// Where a file is written over, an error is undone; a kill or a power cut leaves the copy at least.
#[test]
fn what_is_written_over_is_put_back_or_kept() {
    let how = FileOptions { in_place: true, ..FileOptions::default() };
    let host = Host { how, ..hosts().remove(0) };
    let run = |event: Option<(usize, Event)>| {
        let model = host.machine();
        let mut state = model.0.borrow_mut();
        let number = state.names[&state.config];
        let twin = (state.config.0, "twin.yml".into());
        state.names.insert(twin, number);
        state.plan = event.into_iter().collect();
        drop(state);
        let result = host.upgrade(&model);
        (model, result)
    };
    let holds = |model: &Model| {
        let state = model.0.borrow();
        let of = |number: &u64| String::from_utf8(state.files[number].bytes.clone()).unwrap();
        (of(&state.names[&state.config]), state.names.values().any(|number| of(number) == OLD))
    };
    let (model, result) = run(None);
    result.unwrap();
    let calls = model.0.borrow().calls;
    for at in 0..=calls {
        for kind in [ErrorKind::Other, ErrorKind::StorageFull, ErrorKind::Interrupted] {
            let (model, result) = run(Some((at, Event::Fail(kind))));
            let wanted = if result.is_ok() { OLD.to_owned() + ADDED } else { OLD.to_owned() };
            assert_eq!(holds(&model).0, wanted, "{kind:?} at {at}");
            assert_eq!(model.0.borrow().too_open, Vec::<String>::new(), "{kind:?} at {at}");
        }
        let (model, _) = run(Some((at, Event::Die)));
        for state in model.after_power_cut() {
            let (content, is_kept) = holds(&state);
            assert!(is_kept || content == OLD, "dead at {at}: {content:?}");
        }
    }
}
