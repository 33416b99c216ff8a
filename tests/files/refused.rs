//! What is refused, with which way out, and who else may look at a result.

use super::*;

#[test]
fn a_link_that_others_can_turn_is_refused() {
    let host = Host::new();
    fs::create_dir(host.path("open")).unwrap();
    fs::rename(host.path("relay.yml"), host.path("real.yml")).unwrap();
    symlink("../real.yml", host.path("open/link.yml")).unwrap();
    symlink("open/link.yml", host.path("relay.yml")).unwrap();
    for mode in [0o777, 0o1777, 0o775] {
        host.set_mode("open", mode);
        host.assert_refused(&[], &["open/link.yml` is in a directory where others can write", "real.yml"]);
    }
    host.set_mode("open", 0o755);
    host.assert_upgraded(&[]);
    if is_root("a link in a directory of a third") {
        let other = Host::new();
        fs::rename(other.path("relay.yml"), other.path("new/real.yml")).unwrap();
        symlink("new/real.yml", other.path("relay.yml")).unwrap();
        chown(other.0.path(), Some(1234), None).unwrap();
        other.assert_refused(&[], &["where others can write"]);
        chown(other.path("new/real.yml"), Some(1234), None).unwrap();
        other.assert_upgraded(&[]);
    }
}

#[test]
fn a_first_installation_through_such_a_link_is_refused() {
    let host = Host::new();
    fs::remove_file(host.path("relay.yml")).unwrap();
    fs::create_dir(host.path("open")).unwrap();
    symlink("../new", host.path("open/parts")).unwrap();
    host.set_mode("open", 0o777);
    let output = host.run(&["upgrade", "open/parts/fresh.yml", "new/relay.yml"]);
    assert!(stderr(&output).contains("where others can write"), "{}", stderr(&output));
    assert!(!host.path("new/fresh.yml").exists());
    host.set_mode("open", 0o755);
    assert!(host.run(&["upgrade", "open/parts/fresh.yml", "new/relay.yml"]).status.success());
    assert_eq!(host.read("new/fresh.yml"), UPDATE);
}

#[test]
fn links_that_go_round_are_refused() {
    let host = Host::new();
    fs::remove_file(host.path("relay.yml")).unwrap();
    symlink("relay.yml", host.path("relay.yml")).unwrap();
    let output = host.upgrade(&[]);
    assert!(stderr(&output).contains("relay.yml: cannot be read: too many symbolic links"), "{}", stderr(&output));
}

#[test]
fn a_second_upgrade_at_the_same_time_is_refused() {
    let host = Host::new();
    let file = File::open(host.path("relay.yml")).unwrap();
    flock(&file, FlockOperation::LockExclusive).unwrap();
    host.assert_refused(&[], &["relay.yml: another upgrade is at work on it\n", "run again", "--wait SECONDS"]);
    host.assert_refused(&["--wait", "1"], &["relay.yml: another upgrade is at work on it\n"]);
    assert!(host.upgrade(&["--dry-run"]).status.success(), "reading needs no lock");
    assert_eq!(host.upgrade(&["--check"]).status.code(), Some(1));
    drop(file);
    host.assert_upgraded(&[]);
}

#[test]
fn a_file_with_more_names_is_refused_or_written_over() {
    let host = Host::new();
    fs::hard_link(host.path("relay.yml"), host.path("twin.yml")).unwrap();
    host.assert_refused(&[], &["has another hard link", "`--in-place` writes into the file itself"]);
    let inode = fs::metadata(host.path("relay.yml")).unwrap().ino();
    host.assert_upgraded(&["--in-place"]);
    assert_eq!(host.read("twin.yml"), UPGRADED);
    assert_eq!(fs::metadata(host.path("relay.yml")).unwrap().ino(), inode);
    let [backup] = &host.backups()[..] else { panic!("{:?}", host.names()) };
    assert_eq!((host.read(backup).as_str(), mode(&host.path(backup))), (CURRENT, mode(&host.path("relay.yml"))));
}

#[test]
fn in_place_is_only_done_where_there_is_no_other_way_and_never_without_a_backup() {
    let host = Host::new();
    let inode = fs::metadata(host.path("relay.yml")).unwrap().ino();
    let refused = host.upgrade(&["--in-place", "--no-backup"]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("--no-backup"), "{}", stderr(&refused));
    host.assert_upgraded(&["--in-place"]);
    assert_ne!(fs::metadata(host.path("relay.yml")).unwrap().ino(), inode);
}

#[test]
fn a_mount_point_is_refused_or_written_over() {
    let host = Host::new();
    let (own, path) = (host.path("own.yml"), host.path("relay.yml"));
    fs::write(&own, CURRENT).unwrap();
    if !is_root("a mount point") || !tool(&["mount", "--bind"], &[&own, &path]) {
        return;
    }
    let refused = host.upgrade(&[]);
    let written = host.upgrade(&["--in-place"]);
    assert!(tool(&["umount"], &[&path]));
    assert!(
        stderr(&refused).contains("relay.yml: is a mount point by itself, and cannot be replaced\n help: `--in-place`")
    );
    assert!(written.status.success(), "{}", stderr(&written));
    assert_eq!((host.read("own.yml").as_str(), host.read("relay.yml").as_str()), (UPGRADED, CURRENT));
    assert_eq!(host.names().len(), 3, "{:?}", host.names());
}

#[test]
fn what_the_administrator_has_sealed_stays_so() {
    if !is_root("immutable files") {
        return;
    }
    for (flag, back, what) in [("+i", "-i", "relay.yml: is immutable\n"), ("+a", "-a", "relay.yml: is append-only\n")] {
        let host = Host::new();
        let path = host.path("relay.yml");
        if !tool(&["chattr", flag], &[&path]) {
            return;
        }
        let outputs = [host.upgrade(&[]), host.upgrade(&["--in-place"])];
        assert!(tool(&["chattr", back], &[&path]));
        for output in outputs {
            assert!(stderr(&output).contains(what) && stderr(&output).contains(back), "{}", stderr(&output));
        }
        assert_eq!((host.read("relay.yml").as_str(), host.names().len()), (CURRENT, 1));
    }
}

#[test]
fn a_directory_that_cannot_be_written_is_refused_or_the_file_written_over() {
    let host = Host::new();
    fs::set_permissions(host.0.path(), Permissions::from_mode(0o755)).unwrap();
    if is_root("a directory of another user") {
        chown(host.path("relay.yml"), Some(4321), Some(4321)).unwrap();
    }
    let Some(refused) = as_other(&host, &[]) else { return };
    let help = "`--in-place --backup-dir DIR` writes into the file itself";
    assert!(stderr(&refused).contains("relay.yml: cannot be written in the directory `"), "{}", stderr(&refused));
    assert!(stderr(&refused).contains(help) && host.read("relay.yml") == CURRENT, "{}", stderr(&refused));
    let refused = as_other(&host, &["--in-place"]).unwrap();
    assert!(stderr(&refused).contains("permission denied") || stderr(&refused).contains("Permission denied"));
    // It is in a group that its user is not in.
    chown(host.path("relay.yml"), Some(4321), Some(0)).unwrap();
    for config_mode in [0o644, 0o660, 0o600] {
        host.set_mode("relay.yml", config_mode);
        fs::write(host.path("relay.yml"), CURRENT).unwrap();
        let _ = fs::remove_dir_all(host.path("new/kept"));
        fs::create_dir(host.path("new/kept")).unwrap();
        chown(host.path("new/kept"), Some(4321), None).unwrap();
        let written = as_other(&host, &["--in-place", "--backup-dir", "new/kept"]).unwrap();
        assert!(written.status.success(), "{}", stderr(&written));
        assert_eq!((host.read("relay.yml").as_str(), host.names().len()), (UPGRADED, 1));
        let [(kept, content)] = &contents(&host.path("new/kept")).into_iter().collect::<Vec<_>>()[..] else { panic!() };
        assert_eq!(content, CURRENT.as_bytes());
        assert_eq!(mode(&host.path("new/kept").join(kept)), 0o600, "it is its owner's alone");
        let output = host.run(&["restore", "relay.yml", "--in-place", "--backup-dir", "new/kept"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let restored = fs::metadata(host.path("relay.yml")).unwrap();
        assert_eq!((host.read("relay.yml").as_str(), mode(&host.path("relay.yml"))), (CURRENT, config_mode));
        assert_eq!((restored.uid(), restored.gid()), (4321, 0));
    }
}

#[test]
fn files_of_the_kernel_are_refused() {
    let host = Host::new();
    let output = host.run(&["upgrade", "/proc/self/limits", "new/relay.yml"]);
    assert!(
        stderr(&output).starts_with("error: /proc/self/limits: is in a file system of the kernel"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_limit_of_size_can_be_moved() {
    let host = Host::new();
    host.assert_refused(&["--max-size", "20"], &["relay.yml: is larger than 20 bytes\n", "--max-size"]);
    host.assert_refused(&["--max-size", "0"], &["a number of bytes is needed"]);
    host.assert_upgraded(&["--max-size", "1K"]);
}

#[test]
fn a_checker_decides() {
    let host = Host::new();
    let refused =
        &["the result was refused by `sh -c 'echo no retry; exit 3' %s`, exit status: 3\n | no retry\n", "help: "];
    host.assert_refused(&["--validate", "sh -c 'echo no retry; exit 3' %s"], refused);
    host.assert_refused(&["--validate", "none-such %s"], &["`none-such %s` cannot be run: "]);
    host.assert_refused(&["--validate", "sh -c 'echo >>\"$0\"' %s"], &["was changed by `"]);
    host.assert_refused(&["--validate", "true"], &["the command has no %s"]);
    host.assert_refused(&["--validate", "'true %s"], &["open quote"]);
    host.assert_upgraded(&["--validate", "grep -q '^retry: 60$' %s"]);
}

#[test]
fn a_checker_gets_a_file_that_is_nobody_elses_and_no_shell() {
    let host = Host::new();
    host.set_mode("relay.yml", 0o600);
    let seen = host.path("new/seen");
    let command = format!("sh -c 'stat -c %a \"$1\" >\"$2\"' - %s '{}'", seen.display());
    host.assert_upgraded(&["--validate", &command]);
    assert_eq!(fs::read_to_string(&seen).unwrap(), "600\n");
    let host = Host::new();
    host.assert_upgraded(&["--validate", "test %s != '$(touch new/pwned); *'"]);
    assert!(!host.path("new/pwned").exists());
}

#[test]
fn a_checker_looks_at_what_is_written_over_and_at_a_first_installation() {
    let host = Host::new();
    fs::hard_link(host.path("relay.yml"), host.path("twin.yml")).unwrap();
    host.assert_refused(&["--in-place", "--validate", "grep -q nothing %s"], &["was refused by"]);
    host.assert_upgraded(&["--in-place", "--validate", "grep -q retry %s"]);
    let host = Host::new();
    fs::remove_file(host.path("relay.yml")).unwrap();
    host.assert_refused(&["--validate", "grep -q nothing %s"], &["was refused by"]);
    assert!(host.upgrade(&["--validate", "grep -q retry %s"]).status.success());
    assert_eq!((host.read("relay.yml").as_str(), host.names()), (UPDATE, vec!["relay.yml".to_owned()]));
}

#[test]
fn an_edit_made_while_the_checker_runs_is_kept() {
    for edit in
        ["echo queue: 300 >relay.yml", "echo queue: 300 >tmp; mv tmp relay.yml", "chmod 600 relay.yml", "rm relay.yml"]
    {
        let host = Host::new();
        let output = host.upgrade(&["--validate", &format!("sh -c '{edit}' %s")]);
        assert_eq!(output.status.code(), Some(2), "{edit}");
        let before = Host::new();
        assert!(tool(&["sh", "-c", &format!("cd \"$0\" && {edit}")], &[before.0.path()]));
        assert_eq!(contents(host.0.path()), contents(before.0.path()), "{edit}: {}", stderr(&output));
    }
}
