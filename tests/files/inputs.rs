//! What an upgrade reads besides the configuration, and what must have been done before that is replaced.

use std::time::{Duration, Instant};

use super::*;

fn fifo(host: &Host, name: &str) {
    assert!(tool(&["mkfifo"], &[&host.path(name)]));
}

/// Ends, and soon.
#[track_caller]
fn soon(host: &Host, words: &[&str]) -> Output {
    let start = Instant::now();
    host.1.count();
    let mut command = Command::new("timeout");
    command.args(["20", env!("CARGO_BIN_EXE_yamlift"), "upgrade", "relay.yml", "new/relay.yml"]).args(words);
    let output = command.current_dir(host.0.path()).output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(15), "{words:?}");
    output
}

#[test]
fn a_fifo_or_a_device_is_no_input() {
    let host = Host::new();
    fifo(&host, "new/x.properties");
    symlink("/dev/zero", host.path("new/zero.properties")).unwrap();
    for option in ["--env", "--delete-from", "--migration", "--base"] {
        for (file, what) in
            [("new/x.properties", "is a FIFO, not a file"), ("new/zero.properties", "is a device, not a file")]
        {
            let output = soon(&host, &[option, file]);
            assert_eq!(output.status.code(), Some(2), "{option} {file}");
            assert!(stderr(&output).contains(what) && stderr(&output).contains(file), "{option}: {}", stderr(&output));
        }
    }
    assert_eq!((host.read("relay.yml").as_str(), host.names().len()), (CURRENT, 1));
}

#[test]
fn properties_have_a_limit_of_size() {
    let host = Host::new();
    File::create(host.path("new/x.properties")).unwrap().set_len(65 << 20).unwrap();
    let output = soon(&host, &["--env", "new/x.properties"]);
    assert!(stderr(&output).contains("new/x.properties: is larger than 64 MiB"), "{}", stderr(&output));
}

/// Where the default of this configuration is remembered below `memory`.
fn memory(host: &Host) -> PathBuf {
    let whole = fs::canonicalize(host.path("relay.yml")).unwrap();
    host.path("memory").join(whole.strip_prefix("/").unwrap())
}

#[test]
fn a_memory_that_is_no_file_hangs_nothing_and_changes_nothing() {
    for kind in ["fifo", "zero", "directory"] {
        let host = Host::new();
        let memory = memory(&host);
        fs::create_dir_all(memory.parent().unwrap()).unwrap();
        match kind {
            "fifo" => assert!(tool(&["mkfifo"], &[&memory])),
            "zero" => symlink("/dev/zero", &memory).unwrap(),
            _ => fs::create_dir(&memory).unwrap(),
        }
        let output = soon(&host, &["--remember", "memory"]);
        assert_eq!((output.status.code(), host.read("relay.yml").as_str()), (Some(2), CURRENT), "{kind}");
        assert!(stderr(&output).contains("the new default cannot be remembered: is a"), "{}", stderr(&output));
        assert_eq!(host.names(), ["memory", "relay.yml"]);
    }
}

#[test]
fn what_cannot_be_remembered_changes_nothing() {
    let host = Host::new();
    fs::write(host.path("memory"), "a file").unwrap();
    host.assert_refused(&["--remember", "memory"], &["the new default cannot be remembered: ", "nothing was changed"]);
    host.assert_refused(&["--remember", "/"], &["--remember would put the new default over CONFIG"]);
    host.assert_refused(&["--remember", "/proc"], &["the new default cannot be remembered: "]);
    let full = host.path("small");
    fs::create_dir(&full).unwrap();
    if !is_root("a full disk") || !tool(&["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs"], &[&full]) {
        return;
    }
    let _ = fs::write(full.join("filler"), vec![b'#'; 1 << 20]);
    let output = host.upgrade(&["--remember", "small"]);
    let left = contents(&full);
    assert!(tool(&["umount"], &[&full]));
    assert_eq!((output.status.code(), host.read("relay.yml").as_str()), (Some(2), CURRENT), "{}", stderr(&output));
    assert_eq!(left.len(), 1, "{:?}", left.keys());
}

#[test]
fn a_memory_that_goes_at_the_last_moment_is_told_behind_the_report() {
    let host = Host::new();
    let output = host.upgrade(&["--remember", "memory", "--validate", "sh -c 'rm -r memory' %s"]);
    assert_eq!((output.status.code(), host.read("relay.yml").as_str()), (Some(5), UPGRADED));
    assert!(
        stderr(&output).contains("the new default could not be remembered: cannot be replaced"),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).contains("Added from the new default"), "{}", stdout(&output));
    assert!(host.upgrade(&["--remember", "memory"]).status.success());
}

#[test]
fn a_refused_upgrade_remembers_nothing_and_leaves_no_directory() {
    let host = Host::new();
    host.assert_refused(&["--remember", "memory/deep", "--validate", "false %s"], &["was refused by"]);
    host.assert_upgraded(&["--remember", "memory/deep"]);
    assert!(host.path("memory/deep").is_dir());
    let again = host.upgrade(&["--remember", "memory/deep"]);
    assert!(again.status.success() && !stdout(&again).contains("does not remember"), "{}", stdout(&again));
}

#[test]
fn a_first_installation_is_remembered_where_it_will_be_looked_for() {
    let host = Host::new();
    fs::remove_file(host.path("relay.yml")).unwrap();
    symlink("new", host.path("parts")).unwrap();
    let words = ["upgrade", "parts/deep/../fresh.yml", "new/relay.yml", "--remember", "memory"];
    let first = host.run(&words);
    assert!(first.status.success(), "{}", stderr(&first));
    let second = host.run(&["upgrade", "new/fresh.yml", "new/relay.yml", "--remember", "memory"]);
    assert!(second.status.success() && !stdout(&second).contains("does not remember"), "{}", stdout(&second));
}

#[test]
fn a_report_that_cannot_be_printed_is_told_from_a_configuration_that_was_not_changed() {
    let host = Host::new();
    let run = |words: &[&str]| {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = host.command();
        command.args(["upgrade", "relay.yml", "new/relay.yml"]).args(words).stdout(full).output().unwrap()
    };
    for words in [&["--dry-run"][..], &["-o", "-"]] {
        assert_eq!((run(words).status.code(), host.read("relay.yml").as_str()), (Some(2), CURRENT));
    }
    let output = run(&["-o", "out.yml"]);
    assert_eq!((output.status.code(), host.read("out.yml").as_str()), (Some(5), UPGRADED));
    assert!(
        stderr(&output).contains("out.yml: was written, but the report on that cannot be printed"),
        "{}",
        stderr(&output)
    );
    let output = run(&["--remember", "memory"]);
    assert_eq!((output.status.code(), host.read("relay.yml").as_str()), (Some(5), UPGRADED));
    assert!(stderr(&output).contains("relay.yml: was written, but the report"), "{}", stderr(&output));
    assert!(host.path("memory").exists(), "it is remembered all the same");
    assert_eq!(run(&[]).status.code(), Some(2), "nothing was changed");
    assert!(run(&["-q"]).status.success());
}

#[test]
fn a_reader_that_went_away_is_no_error() {
    let host = Host::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = host.command();
    let status = command.args(["upgrade", "relay.yml", "new/relay.yml"]).stdout(writer).status().unwrap();
    assert!(status.success());
    assert_eq!(host.read("relay.yml"), UPGRADED);
}

#[test]
fn a_path_of_a_secret_that_is_not_well_formed_changes_nothing() {
    Host::new().assert_refused(&["--secret", "a["], &["a["]);
}

#[test]
fn a_memory_that_somebody_has_sealed_changes_nothing() {
    let host = Host::new();
    let memory = memory(&host);
    fs::create_dir_all(memory.parent().unwrap()).unwrap();
    fs::write(&memory, "old: 1\n").unwrap();
    for flag in ["i", "a"] {
        if !is_root("a sealed file") || !tool(&["chattr", &format!("+{flag}")], &[&memory]) {
            return;
        }
        let output = soon(&host, &["--remember", "memory"]);
        assert!(tool(&["chattr", &format!("-{flag}")], &[&memory]));
        assert_eq!((output.status.code(), host.read("relay.yml").as_str()), (Some(2), CURRENT), "{flag}");
        assert!(stderr(&output).contains("the new default cannot be remembered: is "), "{}", stderr(&output));
    }
}

#[test]
fn an_upgrade_of_unknown_durability_is_reported_and_remembered_by_the_next_run() {
    let mut statuses = Vec::new();
    for when in 1..9 {
        let host = Host::new();
        fs::create_dir(host.path("memory")).unwrap();
        let inject = format!("inject=fsync:error=EIO:when={when}");
        let words = ["upgrade", "relay.yml", "new/relay.yml", "--remember", "memory"];
        let Some(output) = traced(&host, &["-e", &inject], &words) else { return };
        let status = output.status.code().unwrap();
        let held = if status == 2 { CURRENT } else { UPGRADED };
        assert_eq!(host.read("relay.yml"), held, "{when}: {}", stderr(&output));
        assert_eq!(status != 2, stdout(&output).contains("Added from the new default"), "{when}: {}", stdout(&output));
        if stderr(&output).contains("durability unknown") {
            assert!(stdout(&output).contains("Backup: "), "{}", stdout(&output));
            assert!(!memory(&host).exists() || stderr(&output).contains("remembered"), "{when}: it is ahead");
        }
        assert!(host.upgrade(&["--remember", "memory"]).status.success());
        assert!(memory(&host).exists());
        statuses.push(status);
    }
    assert!([0, 2, 5].iter().all(|status| statuses.contains(status)), "{statuses:?}");
}
