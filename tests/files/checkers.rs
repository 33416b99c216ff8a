//! What a checker may do: look at the result, within its time, and say what is wrong with it.

use std::time::{Duration, Instant};

use super::*;

/// A checker that is a shell script, with the file as `$0`.
fn script(text: &str) -> String {
    assert!(!text.contains('\''), "{text}");
    format!("sh -c '{text}' %s")
}

#[track_caller]
fn assert_left_alone(text: &str, because: &[&str]) {
    let host = Host::new();
    host.assert_refused(
        &["--validate", &script(text)],
        &[&["relay.yml: the result was changed by `"], because].concat(),
    );
}

#[test]
fn a_formatter_that_replaces_its_file_does_not_decide_what_the_configuration_says() {
    let its_file = &["the file of its name is not what it was", "a checker may only read"];
    assert_left_alone("sed -i s/200/6666/ \"$0\"", its_file);
    assert_left_alone("cp -p \"$0\" \"$0.x\" && mv \"$0.x\" \"$0\"", its_file);
    assert_left_alone("rm \"$0\"", its_file);
    assert_left_alone("rm \"$0\" && mkdir \"$0\"", its_file);
    assert_left_alone("rm \"$0\" && ln -s relay.yml \"$0\"", its_file);
    assert_left_alone("mv \"$0\" new/moved && cat new/moved >\"$0\" && rm new/moved", its_file);
    assert_left_alone("cat relay.yml >new/x && mv new/x \"$0\"", its_file);
}

#[test]
fn a_checker_changes_neither_the_bytes_nor_the_rights_of_its_file() {
    assert_left_alone("echo more: 1 >>\"$0\"", &["its content is not what it was"]);
    assert_left_alone("sed s/200/201/ \"$0\" >new/x; cat new/x >\"$0\"; rm new/x", &["its content"]);
    assert_left_alone(": >\"$0\"", &["its content"]);
    assert_left_alone("chmod 777 \"$0\"", &["its mode"]);
    assert_left_alone("chmod u+s \"$0\"", &["its mode"]);
    let host = Host::new();
    let linked = host.upgrade(&["--validate", &script("ln \"$0\" new/second")]);
    assert!(stderr(&linked).contains("its number of hard links"), "{}", stderr(&linked));
    assert_eq!((linked.status.code(), host.read("relay.yml").as_str()), (Some(2), CURRENT));
    assert_eq!(host.names(), ["relay.yml"]);
    if is_root("another owner") {
        assert_left_alone("chown 1234 \"$0\"", &["its owner"]);
        assert_left_alone("chgrp 1234 \"$0\"", &["its owner"]);
    }
}

#[test]
fn a_checker_changes_no_attribute_of_its_file() {
    let host = Host::new();
    if !tag(&host.path("relay.yml"), "user.note", b"by hand") || !tool(&["setfattr", "--version"], &[]) {
        return;
    }
    for change in
        ["setfattr -n user.more -v 1 \"$0\"", "setfattr -x user.note \"$0\"", "setfattr -n user.note -v x \"$0\""]
    {
        host.assert_refused(&["--validate", &script(change)], &["a list or an attribute of it is not what it was"]);
    }
    host.assert_upgraded(&["--validate", &script("getfattr -d \"$0\"")]);
}

#[test]
fn a_checker_that_only_touches_its_file_has_changed_nothing() {
    Host::new().assert_upgraded(&["--validate", &script("touch \"$0\"")]);
    Host::new().assert_upgraded(&["--validate", &script("cat \"$0\" >new/x; cat new/x >\"$0\"; rm new/x")]);
}

#[test]
fn a_checker_that_hangs_is_ended_with_its_children() {
    let host = Host::new();
    let start = Instant::now();
    let hang = script("echo thinking; sleep 30 & echo $! >new/child; wait");
    let words = ["--validate", &hang, "--validate-timeout", "1"];
    let output = host.upgrade(&words);
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    assert_eq!((output.status.code(), host.read("relay.yml").as_str()), (Some(2), CURRENT));
    for words in ["did not end within 1 s, and was ended\n | thinking\n", "`--validate-timeout` gives it more time"] {
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    assert_ended(&host, "new/child");
    assert_eq!(host.names(), ["relay.yml"]);
}

/// The process whose number is in this file is no more, or is on its way.
#[track_caller]
fn assert_ended(host: &Host, file: &str) {
    let number = host.read(file);
    let state = Path::new("/proc").join(number.trim()).join("stat");
    let is_running = || fs::read_to_string(&state).is_ok_and(|state| !state.contains(") Z "));
    let start = Instant::now();
    while is_running() && start.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!is_running(), "{number}");
}

#[test]
fn what_a_checker_leaves_behind_ends_with_it_and_holds_nothing() {
    let host = Host::new();
    let start = Instant::now();
    host.assert_upgraded(&["--validate", &script("(sleep 30 & echo $! >new/child)")]);
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    assert_ended(&host, "new/child");
}

#[test]
fn a_daemon_that_keeps_the_output_open_does_not_hold_the_upgrade() {
    let host = Host::new();
    if !tool(&["setsid", "true"], &[]) {
        return;
    }
    let start = Instant::now();
    let daemon = script(
        "setsid sh -c \"echo \\$\\$ >new/daemon; exec sleep 40\" & while ! test -s new/daemon; do :; done; echo up",
    );
    host.assert_upgraded(&["--validate", &daemon]);
    let refused =
        host.upgrade(&["--delete", "queue", "--validate", &script("setsid sleep 40 & echo it is wrong; exit 1")]);
    assert!(stderr(&refused).contains("exit status: 1\n | it is wrong\n"), "{}", stderr(&refused));
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    assert!(tool(&["kill", host.read("new/daemon").trim()], &[]));
}

#[test]
fn a_flood_of_words_is_read_and_dropped() {
    let host = Host::new();
    let flood = script("head -c 100000000 /dev/zero | tr \"\\0\" \"x\"; echo; echo at last; exit 1");
    let output = host.upgrade(&["--validate", &flood]);
    assert!(stderr(&output).contains("exit status: 1\n | at last\n"), "{}", stderr(&output).len());
    assert!(stderr(&output).len() < 70_000, "{}", stderr(&output).len());
    host.assert_upgraded(&["--validate", &script("head -c 100000000 /dev/zero")]);
}

#[test]
fn a_checker_gets_a_clean_environment_and_no_input() {
    let host = Host::new();
    let seen = script("env | sort >new/seen; cat");
    let mut command = host.command();
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).stdin(std::process::Stdio::piped());
    command.envs([("HOME", "/nowhere"), ("LANG", "C.UTF-8"), ("LC_ALL", "C"), ("TZ", "UTC"), ("TOKEN", "hunter2")]);
    let output = command.args(["upgrade", "relay.yml", "new/relay.yml", "--validate", &seen]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let seen = host.read("new/seen");
    let names: Vec<_> = seen.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    let of_shell = |name: &&str| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name);
    assert_eq!(names.into_iter().filter(of_shell).collect::<Vec<_>>(), ["HOME", "LANG", "LC_ALL", "PATH", "TZ"]);
}

#[test]
fn an_error_of_a_checker_shows_no_secret() {
    let host = Host::new();
    let text = "# Relay\nlisten: 10.0.0.1:25\nqueue: 200\npassword: hunter2\nfolder: s3-bucket\n";
    fs::write(host.path("relay.yml"), text).unwrap();
    let command = script("echo no hunter2, no s3-bucket, no 10.0.0.1; cat \"$0\"; exit 1");
    let shown = host.upgrade(&["--validate", &command, "--secret", "folder"]);
    assert!(stderr(&shown).contains(" | no ***, no ***, no 10.0.0.1\n"), "{}", stderr(&shown));
    assert!(!stderr(&shown).contains("hunter2") && !stderr(&shown).contains("s3-bucket"), "{}", stderr(&shown));
    fs::write(host.path("relay.yml.20200101000000"), text).unwrap();
    fs::write(host.path("relay.yml"), CURRENT).unwrap();
    let restored = host.run(&["restore", "relay.yml", "--validate", &command]);
    assert_eq!(restored.status.code(), Some(2));
    assert!(
        stderr(&restored).contains(" | no ***, no ") && !stderr(&restored).contains("hunter2"),
        "{}",
        stderr(&restored)
    );
}

#[test]
fn the_time_of_a_checker_is_a_number_of_seconds() {
    let host = Host::new();
    host.assert_refused(&["--validate", "true %s", "--validate-timeout", "0"], &["invalid value '0'"]);
    host.assert_refused(&["--validate-timeout", "5"], &["--validate <COMMAND>"]);
    host.assert_upgraded(&["--validate", "test -s %s", "--validate-timeout", "5"]);
}

#[test]
fn a_checker_that_prints_a_secret_of_several_lines_shows_none_of_them() {
    let secrets = [
        "private_key: >\n  hunter2-one\n  hunter2-two\n",
        "private_key: |\n  hunter2-one\n  hunter2-two\n",
        "private_key: hunter2-one\n  hunter2-two\n",
        "private_key: 'hunter2-one\n\n  hunter2-two'\n",
        "private_key: \"hunter2-one\\\n  hunter2-two\"\n",
        "url: postgres://app:hunter2-one@db/x\nother: postgres://app:hunter2-two@db/x\n",
        "# password: hunter2-one\nargs: [--password=hunter2-two]\n",
    ];
    for secret in secrets {
        let host = Host::new();
        fs::write(host.path("relay.yml"), format!("{CURRENT}{secret}")).unwrap();
        for look in ["cat \"$0\"", "grep -o \"hunter.-[a-z]*\" \"$0\"", "sed \"s/.*hunter/hunter/\" \"$0\""] {
            let shown = host.upgrade(&["--validate", &script(&format!("{look}; exit 1"))]);
            assert_eq!(shown.status.code(), Some(2));
            assert!(!stderr(&shown).contains("hunter2-"), "{look}: {}", stderr(&shown));
        }
    }
}

#[test]
fn a_file_that_goes_while_the_checker_runs_was_changed_by_somebody_else() {
    let host = Host::new();
    let output = host.upgrade(&["--validate", "sh -c 'mv relay.yml new/away' %s"]);
    assert_eq!((output.status.code(), host.names().len()), (Some(2), 0));
    assert!(stderr(&output).contains("relay.yml: changed meanwhile by somebody else"), "{}", stderr(&output));
}
