//! Backups, the way back, and what a killed run leaves.

use super::clocks::upgrade_in;
use super::*;

#[test]
fn old_backups_are_removed_after_success() {
    let host = Host::new();
    for day in 10..15 {
        fs::write(host.path(&format!("relay.yml.202001{day}000000")), format!("day: {day}\n")).unwrap();
    }
    for foreign in
        ["relay.yml.20200109", "relay.yml.20200109000000.orig", "relay.yml.bak", "my-relay.yml.20200109000000"]
    {
        fs::write(host.path(foreign), "mine: 1\n").unwrap();
    }
    host.assert_refused(&["--keep-backups", "2", "--validate", "false %s"], &["was refused"]);
    host.assert_refused(&["--keep-backups", "0"], &["--keep-backups"]);
    host.assert_upgraded(&["--keep-backups", "2"]);
    assert_eq!(
        (host.read("relay.yml.20200114000000").as_str(), host.names().len()),
        ("day: 14\n", 7),
        "{:?}",
        host.names()
    );
    host.assert_upgraded(&["--keep-backups", "1"]);
    assert_eq!(host.names().len(), 7, "nothing was changed, so nothing is removed");
}

#[test]
fn a_backup_never_takes_a_name_that_is_taken() {
    let host = Host::new();
    for round in 0..4 {
        fs::write(host.path("new/relay.yml"), format!("{UPDATE}round_{round}: 1\n")).unwrap();
        assert!(host.upgrade(&[]).status.success());
    }
    let [first, .., last] = &host.backups()[..] else { panic!("{:?}", host.names()) };
    assert_eq!((host.backups().len(), host.read(first).as_str()), (4, CURRENT));
    assert!(host.read(last).contains("round_2"), "{:?}", host.backups());
}

#[test]
fn a_backup_directory_is_its_owners_alone_and_may_be_on_another_disk() {
    let host = Host::new();
    host.set_mode("relay.yml", 0o640);
    let old = host.path("var/old");
    host.assert_upgraded(&["--backup-dir", "var/old"]);
    assert_eq!((mode(&old), contents(&old).len()), (0o700, 1));
    let Ok(other) = tempfile::tempdir_in("/dev/shm") else { return };
    let host = Host::new();
    host.set_mode("relay.yml", 0o640);
    host.assert_upgraded(&["--backup-dir", other.path().to_str().unwrap()]);
    let [kept] = &fs::read_dir(other.path()).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()[..] else {
        panic!("{:?}", contents(other.path()))
    };
    assert_eq!((fs::read_to_string(kept).unwrap().as_str(), mode(kept)), (CURRENT, 0o640));
    assert_eq!(host.names(), ["relay.yml"]);
}

#[test]
fn a_backup_directory_that_is_none_is_refused() {
    let host = Host::new();
    host.assert_refused(&["--backup-dir", "relay.yml"], &["no backup can be made in `"]);
}

#[test]
fn restore_brings_the_newest_backup_back_and_again_undoes_that() {
    let host = Host::new();
    host.set_mode("relay.yml", 0o640);
    host.assert_upgraded(&[]);
    let backup = host.backups()[0].clone();
    let output = host.run(&["restore", "relay.yml"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let wanted = format!("Your file:    relay.yml\nRestored from {}\n\n  Backup: ", host.path(&backup).display());
    assert!(stdout(&output).starts_with(&wanted), "{}", stdout(&output));
    assert_eq!((host.read("relay.yml").as_str(), mode(&host.path("relay.yml"))), (CURRENT, 0o640));
    assert!(host.run(&["restore", "relay.yml", "-q"]).status.success());
    assert_eq!(host.read("relay.yml"), UPGRADED);
    assert!(host.run(&["restore", "relay.yml", &backup]).status.success());
    assert_eq!(host.read("relay.yml"), CURRENT);
    let before = contents(host.0.path());
    let output = host.run(&["restore", "relay.yml", &backup]);
    assert_eq!(stdout(&output), format!("Your file:    relay.yml\nNot changed, it is the same as {backup}\n"));
    assert_eq!(before, contents(host.0.path()));
}

#[test]
fn restore_brings_back_what_is_broken_or_gone() {
    let host = Host::new();
    host.set_mode("relay.yml", 0o640);
    host.assert_upgraded(&["--backup-dir", "old"]);
    fs::write(host.path("relay.yml"), b"\xff\xfe: [").unwrap();
    assert!(host.run(&["restore", "relay.yml", "--backup-dir", "old"]).status.success());
    assert_eq!(host.read("relay.yml"), CURRENT);
    let [first, _] = &contents(&host.path("old")).into_keys().collect::<Vec<_>>()[..] else { panic!() };
    fs::remove_file(host.path("relay.yml")).unwrap();
    assert!(host.run(&["restore", "relay.yml", &format!("old/{first}")]).status.success());
    assert_eq!((host.read("relay.yml").as_str(), mode(&host.path("relay.yml"))), (CURRENT, 0o640));
    let output = host.run(&["restore", "relay.yml"]);
    assert!(stderr(&output).starts_with("error: relay.yml: has no backup\n help: "), "{}", stderr(&output));
    let output = host.run(&["restore", "relay.yml", "none"]);
    assert!(stderr(&output).starts_with("error: none: no such file"), "{}", stderr(&output));
}

/// What a run leaves when it is killed: the names that it would have used, found by letting a checker list them.
fn unfinished(host: &Host) -> String {
    let seen = host.path("new/seen");
    let command = format!("sh -c 'basename \"$0\" >\"{}\"; false' %s", seen.display());
    assert_eq!(host.upgrade(&["--validate", &command]).status.code(), Some(2));
    fs::read_to_string(seen).unwrap().trim_end().to_owned()
}

#[test]
fn what_a_killed_run_left_is_cleared_and_an_edit_among_it_kept() {
    let host = Host::new();
    let new = unfinished(&host);
    let mark = new.strip_suffix(".new").unwrap();
    fs::write(host.path(&new), "half").unwrap();
    // Our own new content, before the two have changed places.
    fs::write(host.path("ours"), UPGRADED).unwrap();
    let ours = fs::metadata(host.path("ours")).unwrap().ino();
    fs::rename(host.path("ours"), host.path(&format!("{mark}.{ours:x}"))).unwrap();
    // The old content, afterwards, which a backup holds as well.
    fs::write(host.path("relay.yml.20200101000000"), "old: 1\n").unwrap();
    fs::hard_link(host.path("relay.yml.20200101000000"), host.path(&format!("{mark}.1"))).unwrap();
    // An edit of the last moment.
    fs::write(host.path(&format!("{mark}.2")), "edit: 1\n").unwrap();
    // What belongs to another config in this directory.
    fs::write(host.path(".yamlift-00000000.new"), "other: 1\n").unwrap();
    let output = host.upgrade(&["--no-backup"]);
    assert!(output.status.success() && stderr(&output).contains("an interrupted run had left"), "{}", stderr(&output));
    let mut left = contents(host.0.path());
    assert_eq!(left.remove(".yamlift-00000000.new").unwrap(), b"other: 1\n");
    assert_eq!(left.remove("relay.yml.20200101000000").unwrap(), b"old: 1\n");
    assert_eq!(left.remove("relay.yml").unwrap(), UPGRADED.as_bytes());
    left.remove("new");
    let [(name, edit)] = &left.into_iter().collect::<Vec<_>>()[..] else { panic!("{:?}", host.names()) };
    assert!(name.starts_with("relay.yml.2") && edit == b"edit: 1\n", "{name}");
}

#[test]
fn a_backup_of_a_killed_run_is_the_backup_of_the_next() {
    let host = Host::new();
    fs::hard_link(host.path("relay.yml"), host.path("relay.yml.20200101000000")).unwrap();
    let output = host.assert_upgraded(&[]);
    assert_eq!(host.names(), ["relay.yml", "relay.yml.20200101000000"]);
    assert!(stdout(&output).contains("relay.yml.20200101000000\n"), "{}", stdout(&output));
}

#[test]
fn a_first_installation_clears_what_a_killed_one_left() {
    let host = Host::new();
    let new = unfinished(&host);
    fs::remove_file(host.path("relay.yml")).unwrap();
    fs::write(host.path(&new), "half").unwrap();
    assert!(host.upgrade(&[]).status.success());
    assert_eq!(host.names(), ["relay.yml"]);
}

#[test]
fn what_a_stranger_calls_a_backup_is_neither_brought_back_nor_removed() {
    if !is_root("files of a stranger") {
        return;
    }
    for mode in [0o1777, 0o777, 0o1775] {
        let host = Host::new();
        host.set_mode(".", mode);
        let planted = host.path("relay.yml.99991231235959Z");
        fs::write(&planted, "listen: 6.6.6.6:25\n").unwrap();
        chown(&planted, Some(4321), Some(4321)).unwrap();
        let output = host.run(&["restore", "relay.yml"]);
        assert!(stderr(&output).starts_with("error: relay.yml: has no backup\n"), "{}", stderr(&output));
        upgrade_in(&host, "UTC", &["--keep-backups", "1"], 0);
        upgrade_in(&host, "UTC", &["--keep-backups", "1"], 1);
        assert!(planted.exists() && host.backups().len() == 2, "{:?}", host.names());
        assert!(host.run(&["restore", "relay.yml"]).status.success());
        assert!(!host.read("relay.yml").contains("6.6.6.6"));
        fs::remove_file(host.path("relay.yml")).unwrap();
        assert!(host.run(&["restore", "relay.yml"]).status.success());
        assert!(!host.read("relay.yml").contains("6.6.6.6"));
        // The operator may name what he likes.
        assert!(host.run(&["restore", "relay.yml", "relay.yml.99991231235959Z"]).status.success());
    }
}

#[test]
fn backups_of_the_owner_of_a_configuration_are_backups() {
    if !is_root("files of another user") {
        return;
    }
    let host = Host::new();
    for path in [".", "relay.yml"] {
        chown(host.path(path), Some(4321), Some(4321)).unwrap();
    }
    upgrade_in(&host, "UTC", &[], 0);
    chown(host.path("relay.yml"), Some(0), Some(0)).unwrap();
    host.set_mode(".", 0o755);
    fs::remove_file(host.path("relay.yml")).unwrap();
    assert!(host.run(&["restore", "relay.yml"]).status.success());
    assert_eq!(host.read("relay.yml"), CURRENT);
}

#[test]
fn a_name_as_long_as_names_can_be_has_backups_too() {
    for name in ["a".repeat(251) + ".yml", "ü".repeat(125) + ".yml", "b".repeat(237)] {
        let host = Host::new();
        fs::rename(host.path("relay.yml"), host.path(&name)).unwrap();
        for round in 0..3 {
            fs::write(host.path("new/relay.yml"), format!("{UPDATE}round_{round}: 1\n")).unwrap();
            let output = host.run(&["upgrade", &name, "new/relay.yml", "--keep-backups", "2"]);
            assert!(output.status.success(), "{}", stderr(&output));
        }
        assert_eq!(host.names().len(), 3, "{:?}", host.names());
        assert!(host.run(&["restore", &name]).status.success());
        assert!(host.read(&name).contains("round_1: 1\n") && !host.read(&name).contains("round_2"));
        assert!(host.upgrade(&[]).status.success() && host.names().iter().any(|name| name == "relay.yml"));
    }
}
