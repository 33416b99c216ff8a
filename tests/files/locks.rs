//! Many runs at the same time, on one file and on its neighbours.

use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::*;

fn start(host: &Host, words: &[&str]) -> Child {
    let mut command = host.command();
    command.args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

const BUSY: &str = "another upgrade is at work on it\n help: ";

#[test]
fn all_files_of_a_directory_are_upgraded_at_once() {
    let host = Host::new();
    let names: Vec<_> = (0..12).map(|number| format!("relay-{number}.yml")).collect();
    for name in &names {
        fs::write(host.path(name), CURRENT).unwrap();
    }
    let runs: Vec<_> = names.iter().map(|name| start(&host, &["upgrade", name, "new/relay.yml"])).collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }
    assert!(names.iter().all(|name| host.read(name) == UPGRADED));
    assert_eq!(host.names().len(), 25, "each has its backup: {:?}", host.names());
}

#[test]
fn backups_of_many_in_one_directory_do_not_meet() {
    let host = Host::new();
    let names: Vec<_> = (0..8).map(|number| format!("relay-{number}.yml")).collect();
    for name in &names {
        fs::write(host.path(name), CURRENT).unwrap();
    }
    let words = |name| ["upgrade", name, "new/relay.yml", "--backup-dir", "kept", "--keep-backups", "1"];
    let runs: Vec<_> = names.iter().map(|name| start(&host, &words(name))).collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }
    assert_eq!(contents(&host.path("kept")).len(), 8);
}

#[test]
fn those_who_wait_have_their_turn() {
    let host = Host::new();
    for number in 0..8 {
        fs::write(host.path(&format!("new/{number}.yml")), format!("{UPDATE}added_{number}: 1\n")).unwrap();
    }
    let updates: Vec<_> = (0..8).map(|number| format!("new/{number}.yml")).collect();
    let words = ["--wait", "60", "--validate", "sh -c 'sleep 0.05' %s"];
    let words = |update| [&["upgrade", "relay.yml", update], &words[..]].concat();
    let runs: Vec<_> = updates.iter().map(|update| start(&host, &words(update))).collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let text = host.read("relay.yml");
    assert!((0..8).all(|number| text.contains(&format!("added_{number}: 1\n"))), "{text}");
    assert_eq!(host.backups().len(), 8);
}

#[test]
fn who_waits_goes_on_as_soon_as_the_lock_is_free_and_not_for_ever() {
    let host = Host::new();
    let file = File::open(host.path("relay.yml")).unwrap();
    flock(&file, FlockOperation::LockExclusive).unwrap();
    let run = start(&host, &["upgrade", "relay.yml", "new/relay.yml", "--wait", "60"]);
    sleep(Duration::from_millis(300));
    drop(file);
    let begin = Instant::now();
    assert!(run.wait_with_output().unwrap().status.success());
    assert!(begin.elapsed() < Duration::from_secs(10));
    let file = File::open(host.path("relay.yml")).unwrap();
    flock(&file, FlockOperation::LockExclusive).unwrap();
    let begin = Instant::now();
    for words in
        [&["restore", "relay.yml", "--wait", "1"][..], &["upgrade", "relay.yml", "new/relay.yml", "--wait", "1"]]
    {
        let output = host.run(words);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).starts_with("error: relay.yml: another upgrade is at work on it"),
            "{}",
            stderr(&output)
        );
    }
    assert!(begin.elapsed() >= Duration::from_secs(2), "{:?}", begin.elapsed());
    assert!(!host.run(&["upgrade", "relay.yml", "new/relay.yml", "--wait", "soon"]).status.success());
}

/// The file that the name leads to is locked all the time, whichever it is.
#[test]
fn a_file_that_is_being_replaced_is_free_at_no_moment() {
    let host = Host::new();
    let run = start(&host, &["upgrade", "relay.yml", "new/relay.yml", "--validate", "sh -c '>new/go; sleep 0.2' %s"]);
    wait_for(&host.path("new/go"));
    let mut run = run;
    let mut last = None;
    while run.try_wait().unwrap().is_none() {
        let file = File::open(host.path("relay.yml")).unwrap();
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            // Now that it is free the run has done all that it had to do.
            last = Some((fs::metadata(host.path("relay.yml")).unwrap().ino(), file.metadata().unwrap().ino()));
            let ours = host.names().into_iter().filter(|name| name.starts_with('.')).count();
            assert!(last.is_none_or(|(named, locked)| named != locked) || (ours == 0 && host.backups().len() == 1));
        }
    }
    assert!(run.wait().unwrap().success(), "{last:?}");
}

#[test]
fn the_files_of_a_living_run_are_not_taken_for_those_of_a_killed_one() {
    let host = Host::new();
    let checker = "sh -c 'echo \"$0\" >new/go; while ! test -e new/end; do sleep 0.01; done' %s";
    let first = start(&host, &["upgrade", "relay.yml", "new/relay.yml", "--validate", checker]);
    wait_for(&host.path("new/go"));
    // Somebody puts another file there: the lock that the first run has is that of a file which is none any more.
    fs::write(host.path("mine"), "# Relay\nlisten: 10.9.9.9:25\nqueue: 200\n").unwrap();
    fs::rename(host.path("mine"), host.path("relay.yml")).unwrap();
    host.assert_refused(&[], &["relay.yml: ", BUSY]);
    fs::write(host.path("new/end"), "").unwrap();
    let first = first.wait_with_output().unwrap();
    assert!(stderr(&first).contains("changed meanwhile by somebody else"), "{}", stderr(&first));
    assert!(host.upgrade(&[]).status.success());
    assert_eq!(host.read("relay.yml"), UPGRADED.replace("10.0.0.1", "10.9.9.9"));
}

#[test]
fn of_two_installations_one_wins_and_the_other_says_why() {
    let host = Host::new();
    fs::remove_file(host.path("relay.yml")).unwrap();
    let checker = "sh -c '>new/go; while ! test -e new/end; do sleep 0.01; done' %s";
    let first = start(&host, &["upgrade", "relay.yml", "new/relay.yml", "--validate", checker]);
    wait_for(&host.path("new/go"));
    host.assert_refused(&[], &["relay.yml: ", BUSY]);
    let third = start(&host, &["upgrade", "relay.yml", "new/relay.yml", "--wait", "60"]);
    sleep(Duration::from_millis(100));
    fs::write(host.path("new/end"), "").unwrap();
    let [first, third] = [first, third].map(|run| run.wait_with_output().unwrap());
    assert!(first.status.success(), "{}", stderr(&first));
    assert!(third.status.success(), "{}", stderr(&third));
    assert_eq!((host.read("relay.yml").as_str(), host.names()), (UPDATE, vec!["relay.yml".to_owned()]));
}

/// As on NFS, where only those may lock who may write.
#[test]
fn a_lock_that_takes_the_right_to_write_is_had() {
    let host = Host::new();
    let words = ["upgrade", "relay.yml", "new/relay.yml"];
    let Some(output) = traced(&host, &["-e", "inject=flock:error=EBADF:when=1"], &words) else { return };
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(host.read("relay.yml"), UPGRADED);
}

#[test]
fn a_file_system_without_locks_is_refused() {
    for error in ["ENOLCK", "EOPNOTSUPP", "ENOSYS"] {
        let host = Host::new();
        let inject = format!("inject=flock:error={error}");
        let words = ["upgrade", "relay.yml", "new/relay.yml"];
        let Some(output) = traced(&host, &["-e", &inject], &words) else { return };
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).starts_with("error: relay.yml: cannot be locked: "), "{}", stderr(&output));
        assert!(stderr(&output).contains(" help: the file system has to know locks"), "{}", stderr(&output));
        assert_eq!((host.read("relay.yml").as_str(), host.names().len()), (CURRENT, 1));
    }
}
