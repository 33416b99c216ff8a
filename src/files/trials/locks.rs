//! Two runs on one file, the second coming before any call of the first.

use std::cell::RefCell;
use std::rc::Rc;

use super::*;

#[test]
fn two_at_once_do_not_meet() {
    let host = &hosts()[0];
    let model = host.machine();
    let first = taken(&model, &host.how).unwrap();
    let second = host.upgrade(&model).unwrap_err();
    assert_eq!(second.what(), "another upgrade is at work on it");
    drop(first);
    host.upgrade(&model).unwrap();
}

/// A second run that comes before any call of the first: it is refused, or it is done before the first reads. Neither
/// takes a file of the other for one of a killed run, and both have done their work in the end.
#[test]
fn a_second_run_at_any_instant_does_no_harm() {
    for host in hosts() {
        for at in 0..host.calls() {
            let model = host.machine();
            let other = Model(Rc::clone(&model.0));
            let second = host.clone();
            model.0.borrow_mut().between = Some((at, Rc::new(move || drop(second.upgrade(&other)))));
            let first = host.upgrade(&model);
            let told = format!("{}, a second run at call {at}: {first:?}", host.name);
            assert_whole(&host, &model, false, &told);
            assert_next(&host, &model, false, &told);
            model.0.borrow_mut().between = None;
        }
    }
}

/// The same where the first is killed behind that, and where somebody has put another file there in between: the two runs
/// hold the locks of different files then.
#[test]
fn a_second_run_beside_a_foreign_edit_loses_nothing() {
    for host in hosts().into_iter().filter(|host| !host.lacks.exchange) {
        for at in 0..host.calls() {
            for before in [at, at.saturating_sub(3)] {
                let model = host.machine();
                let other = Model(Rc::clone(&model.0));
                let second = host.clone();
                model.0.borrow_mut().plan = vec![(before, Event::Replace)];
                model.0.borrow_mut().between = Some((at, Rc::new(move || drop(second.upgrade(&other)))));
                let first = host.upgrade(&model);
                model.0.borrow_mut().between = None;
                let told = format!("{}, edited at {before}, a second run at call {at}: {first:?}", host.name);
                assert_whole(&host, &model, true, &told);
                assert_next(&host, &model, true, &told);
            }
        }
    }
}

fn install(model: &Model, text: &str) -> Result<(), Error> {
    let how = FileOptions::default();
    let site = Site::open(model, &Path::new(FOLDER).join("fresh.yml"))?;
    attempt::within(how.wait, || lock::take_place(&site, &how))?;
    protocol::create(&site, text.as_bytes(), None, &how)
}

/// Of two runs that install the same file one wins, and what it has put there is whole.
#[test]
fn two_installations_at_once_leave_one_whole_file() {
    let host = &hosts()[0];
    for at in 0..40 {
        let model = host.machine();
        let (other, told) = (Model(Rc::clone(&model.0)), Rc::new(RefCell::new(None)));
        let said = Rc::clone(&told);
        let second = move || *said.borrow_mut() = Some(install(&other, "second: 1\n").is_ok());
        model.0.borrow_mut().between = Some((at, Rc::new(second)));
        let first = install(&model, "first: 1\n").is_ok();
        let second = told.borrow_mut().take();
        let state = model.0.borrow();
        let number = state.names[&(state.config.0, "fresh.yml".into())];
        let text = String::from_utf8_lossy(&state.files[&number].bytes).into_owned();
        let wanted = if first { "first: 1\n" } else { "second: 1\n" };
        assert!(text == wanted && (first != (second == Some(true))), "at {at}: {text:?}, {first}, {second:?}");
        let left: Vec<_> = state.names.keys().filter(|(_, name)| name.to_string_lossy().starts_with('.')).collect();
        assert!(left.is_empty(), "at {at}: {left:?}");
    }
}
