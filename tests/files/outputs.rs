//! `-o`: a result that goes elsewhere is a file like the configuration itself.

use super::*;

fn inode(path: &Path) -> u64 {
    fs::metadata(path).unwrap().ino()
}

#[test]
fn the_output_is_readable_to_nobody_else_than_the_configuration() {
    for wanted in [0o600, 0o640, 0o644, 0o444] {
        let host = Host::new();
        host.set_mode("relay.yml", wanted);
        if is_root("another owner") {
            chown(host.path("relay.yml"), Some(1234), Some(2345)).unwrap();
        }
        let output = host.upgrade(&["-o", "out.yml"]);
        assert!(output.status.success() && stderr(&output).is_empty(), "{}", stderr(&output));
        let (old, new) = (fs::metadata(host.path("relay.yml")).unwrap(), fs::metadata(host.path("out.yml")).unwrap());
        assert_eq!((new.mode(), new.uid(), new.gid()), (old.mode(), old.uid(), old.gid()));
        assert_eq!((host.read("out.yml").as_str(), host.read("relay.yml").as_str()), (UPGRADED, CURRENT));
        assert_eq!(host.names(), ["out.yml", "relay.yml"]);
    }
}

#[test]
fn an_output_that_is_there_is_replaced_with_force_only_and_kept() {
    let host = Host::new();
    fs::write(host.path("out.yml"), "mine: 1\n").unwrap();
    host.set_mode("out.yml", 0o644);
    host.set_mode("relay.yml", 0o600);
    host.assert_refused(&["-o", "out.yml"], &["out.yml: is there already", "`--force` replaces it, after a backup"]);
    let old = inode(&host.path("out.yml"));
    let output = host.upgrade(&["-o", "out.yml", "--force"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!((host.read("out.yml").as_str(), mode(&host.path("out.yml"))), (UPGRADED, 0o600));
    let kept: Vec<_> = host.names().into_iter().filter(|name| name.starts_with("out.yml.")).collect();
    let [kept] = &kept[..] else { panic!("{:?}", host.names()) };
    assert_eq!((host.read(kept).as_str(), inode(&host.path(kept))), ("mine: 1\n", old));
    assert!(stdout(&output).contains(kept.as_str()), "{}", stdout(&output));
    assert!(host.upgrade(&["-o", "out.yml", "--force"]).status.success());
    assert_eq!(host.names().len(), 3, "the same content is not written again: {:?}", host.names());
    assert!(host.upgrade(&["-o", "out.yml", "--force", "--no-backup", "--delete", "queue"]).status.success());
    assert_eq!(host.names().len(), 3, "{:?}", host.names());
}

#[test]
fn no_output_goes_over_what_is_read() {
    let host = Host::new();
    fs::hard_link(host.path("relay.yml"), host.path("hard.yml")).unwrap();
    symlink("relay.yml", host.path("soft.yml")).unwrap();
    symlink("new/relay.yml", host.path("update.yml")).unwrap();
    fs::write(host.path("old.yml"), CURRENT).unwrap();
    fs::write(host.path("x.properties"), "a=1\n").unwrap();
    let whole = host.path("relay.yml");
    for output in ["relay.yml", "./relay.yml", "new/../relay.yml", "hard.yml", "soft.yml", whole.to_str().unwrap()] {
        host.assert_refused(&["-o", output, "--force"], &["is the same file as `relay.yml`, which is read"]);
    }
    for output in ["new/relay.yml", "update.yml"] {
        host.assert_refused(&["-o", output, "--force"], &["is the same file as `new/relay.yml`, which is read"]);
    }
    let inputs = ["--base", "old.yml", "--env", "x.properties", "--force"];
    host.assert_refused(&[&inputs[..], &["-o", "old.yml"]].concat(), &["is the same file as `old.yml`"]);
    host.assert_refused(&[&inputs[..], &["-o", "x.properties"]].concat(), &["is the same file as `x.properties`"]);
    for name in ["relay.yml", "soft.yml"] {
        fs::remove_file(host.path(name)).unwrap();
    }
    host.assert_refused(&["-o", "./relay.yml"], &["is the same file as `relay.yml`"]);
}

#[test]
fn no_directory_is_made_for_an_output() {
    let host = Host::new();
    host.assert_refused(&["-o", "deep/down/out.yml"], &["deep/down/out.yml: its directory does not exist"]);
    host.assert_refused(&["-o", "new", "--force"], &["new: is a directory, not a file"]);
    host.assert_refused(&["-o", "out.yml", "--in-place"], &["--in-place is for CONFIG"]);
    host.assert_refused(&["--force"], &["--output <FILE>"]);
}

#[test]
fn what_the_directory_hands_down_opens_an_output_to_nobody() {
    let host = Host::new();
    host.set_mode("relay.yml", 0o640);
    if !tag(host.0.path(), "system.posix_acl_default", &acl()) {
        return;
    }
    assert!(host.upgrade(&["-o", "out.yml"]).status.success());
    assert_eq!((tag_of(&host.path("out.yml"), ACL), mode(&host.path("out.yml"))), (Vec::new(), 0o640));
}

#[test]
fn who_may_read_a_configuration_may_have_an_output_of_his_own() {
    let host = Host::new();
    fs::set_permissions(host.0.path(), Permissions::from_mode(0o777)).unwrap();
    host.set_mode("relay.yml", 0o664);
    let Some(output) = as_other(&host, &["-o", "out.yml"]) else { return };
    assert!(output.status.success(), "{}", stderr(&output));
    let out = fs::metadata(host.path("out.yml")).unwrap();
    assert_eq!((out.uid(), mode(&host.path("out.yml"))), (4321, 0o644), "the group gets what all have");
}

#[test]
fn what_is_made_from_files_of_several_owners_is_open_to_who_can_read_them_all() {
    if !is_root("several owners") {
        return;
    }
    for (mode_of_second, wanted) in [(0o644, 0o644), (0o640, 0o600), (0o600, 0o600)] {
        let host = Host::new();
        fs::write(host.path("second.yml"), "b: 2\n").unwrap();
        host.set_mode("second.yml", mode_of_second);
        chown(host.path("second.yml"), Some(1234), None).unwrap();
        let layers =
            ["merge", "--rules", "cloud-init", "--entry", "conf-d", "relay.yml", "second.yml", "-o", "out.yml"];
        let output = host.run(&layers);
        assert!(output.status.success(), "{}", stderr(&output));
        let out = fs::metadata(host.path("out.yml")).unwrap();
        assert_eq!((out.uid(), mode(&host.path("out.yml"))), (0, wanted));
    }
}

#[test]
fn an_output_passes_the_checker_first() {
    let host = Host::new();
    host.assert_refused(
        &["-o", "out.yml", "--validate", "grep -q nothing %s"],
        &["out.yml: the result was refused by"],
    );
    assert!(host.upgrade(&["-o", "out.yml", "--validate", "grep -q retry %s"]).status.success());
    assert_eq!(host.read("out.yml"), UPGRADED);
}

#[test]
fn an_output_through_a_link_leaves_the_link() {
    let host = Host::new();
    fs::write(host.path("real.yml"), "mine: 1\n").unwrap();
    symlink("real.yml", host.path("out.yml")).unwrap();
    assert!(host.upgrade(&["-o", "out.yml", "--force"]).status.success());
    assert!(host.path("out.yml").is_symlink());
    assert_eq!(host.read("real.yml"), UPGRADED);
}

#[test]
fn streams_that_are_open_are_written_to() {
    let host = Host::new();
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let output = host.upgrade(&["-o", path]);
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), UPGRADED), "{path}: {}", stderr(&output));
        assert!(stderr(&output).contains("Added from the new default"), "{path}");
    }
    let output = host.upgrade(&["-o", "/dev/stderr"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), UPGRADED));
    assert!(host.upgrade(&["-o", "/dev/null", "-q"]).stdout.is_empty());
    let full = host.upgrade(&["-o", "/dev/full", "-q"]);
    assert_eq!(full.status.code(), Some(2), "{}", stderr(&full));
    // To a file, standard output is what the shell opened, not a file to be replaced.
    let out = File::create(host.path("new/out")).unwrap();
    let words = ["upgrade", "relay.yml", "new/relay.yml", "-q", "-o", "/dev/stdout"];
    assert!(host.command().args(words).stdout(out).status().unwrap().success());
    assert_eq!((host.read("new/out").as_str(), host.names().len()), (UPGRADED, 1));
}

/// Runs a line of bash, which knows `<(…)`, with the command as `$0`.
fn bash(host: &Host, line: &str) -> Option<Output> {
    host.1.count();
    let mut command = Command::new("bash");
    command.arg("-c").arg(line).arg(env!("CARGO_BIN_EXE_yamlift")).current_dir(host.0.path());
    command.output().inspect_err(|error| println!("skipped, there is no bash: {error}")).ok()
}

#[test]
fn process_substitution_works_for_what_is_only_read_or_written() {
    let host = Host::new();
    fs::write(host.path("new/old.yml"), UPDATE.replace("retry: 60", "retry: 30")).unwrap();
    let Some(output) = bash(&host, "\"$0\" upgrade relay.yml <(cat new/relay.yml) -q --base <(cat new/old.yml) -o -")
    else {
        return;
    };
    assert_eq!((stderr(&output), stdout(&output)), ("", UPGRADED.replace("# Seconds\nretry: 60\n", "").as_str()));
    let output = bash(&host, "\"$0\" upgrade relay.yml <(cat new/relay.yml) -q -o >(cat >&2; exit)").unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), UPGRADED));
    let output = bash(&host, "\"$0\" upgrade <(cat relay.yml) new/relay.yml -q -o out.yml").unwrap();
    assert_eq!((output.status.code(), host.read("out.yml").as_str()), (Some(0), UPGRADED), "{}", stderr(&output));
    assert_eq!(mode(&host.path("out.yml")), 0o600, "what came through a pipe is the reader's alone");
    let output = bash(&host, "\"$0\" upgrade <(cat relay.yml) new/relay.yml").unwrap();
    assert!(
        stderr(&output).contains("which cannot be replaced\n help: write the result elsewhere"),
        "{}",
        stderr(&output)
    );
    let output = bash(&host, "\"$0\" upgrade relay.yml <(cat new/relay.yml)").unwrap();
    assert_eq!((output.status.code(), host.read("relay.yml").as_str()), (Some(0), UPGRADED), "{}", stderr(&output));
}

#[test]
fn a_pipe_without_an_end_is_cut_off_at_the_limit() {
    let host = Host::new();
    let lines =
        ["relay.yml <(cat /dev/zero) --max-size 1M", "relay.yml new/relay.yml --base <(cat /dev/zero) --max-size 1M"];
    for line in lines {
        let Some(output) = bash(&host, &format!("ulimit -v 1000000; timeout 20 \"$0\" upgrade {line}")) else { return };
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(": is larger than 1 MiB\n help: "), "{}", stderr(&output));
        assert_eq!((host.read("relay.yml").as_str(), host.names().len()), (CURRENT, 1));
    }
}

#[test]
fn a_pipe_that_hangs_does_not_hold_the_lock() {
    let host = Host::new();
    let line =
        "\"$0\" upgrade relay.yml <(sleep 4) -q & sleep 1; \"$0\" upgrade relay.yml new/relay.yml -q; echo $?; wait";
    let Some(output) = bash(&host, line) else { return };
    assert_eq!((stdout(&output), host.read("relay.yml").as_str()), ("0\n", UPGRADED), "{}", stderr(&output));
}

#[test]
fn merge_and_layer_write_their_output_by_the_same_rules() {
    let host = Host::new();
    for (name, text) in [("one.yml", "a: 1\n"), ("two.yml", "b: 2\n"), ("new/rules.yml", "mode: deep\n")] {
        fs::write(host.path(name), text).unwrap();
    }
    host.set_mode("one.yml", 0o644);
    host.set_mode("two.yml", 0o600);
    let merge = |words: &[&str]| {
        host.run(
            &[&["merge", "--rules", "cloud-init", "--entry", "conf-d", "one.yml", "two.yml", "-o"], words].concat(),
        )
    };
    let output = merge(&["out.yml"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(mode(&host.path("out.yml")), 0o600);
    let refused = merge(&["out.yml"]);
    assert!(
        refused.status.code() == Some(2) && stderr(&refused).contains("out.yml: is there already"),
        "{}",
        stderr(&refused)
    );
    fs::write(host.path("out.yml"), "mine: 1\n").unwrap();
    assert!(merge(&["out.yml", "--force"]).status.success());
    assert_eq!(host.names().iter().filter(|name| name.starts_with("out.yml.")).count(), 1, "{:?}", host.names());
    for output in ["one.yml", "./two.yml"] {
        let refused = merge(&[output, "--force"]);
        assert!(stderr(&refused).contains("which is read") && refused.status.code() == Some(2), "{}", stderr(&refused));
    }
    let refused = merge(&["deep/out.yml"]);
    assert!(stderr(&refused).contains("its directory does not exist"), "{}", stderr(&refused));
    assert_eq!(stdout(&merge(&["/dev/stdout"])), host.read("out.yml"));
}

#[test]
fn a_pipe_is_merged_and_compared_though_it_can_be_read_once() {
    let host = Host::new();
    fs::write(host.path("one.yml"), "#cloud-config\na: 1\ndsn: hunter2\n").unwrap();
    fs::write(host.path("two.yml"), "#cloud-config\nb: 2\n").unwrap();
    let line =
        "timeout 20 \"$0\" merge --rules cloud-init --entry conf-d <(cat one.yml) <(cat two.yml) --diff --secret dsn";
    let Some(output) = bash(&host, line) else { return };
    assert!(output.status.success() && stderr(&output).is_empty(), "{}", stderr(&output));
    let shown = stdout(&output);
    assert!(shown.contains("\n+b: 2") && shown.contains("\n a: 1\n") && !shown.contains("\n+a"), "{shown}");
    let piped = bash(&host, "cat one.yml | \"$0\" merge --rules cloud-init --entry conf-d - two.yml --diff").unwrap();
    assert!(stdout(&piped).contains("\n a: 1\n") && stdout(&piped).contains("\n+b: 2"), "{}", stdout(&piped));
}

#[test]
fn what_a_user_data_includes_is_read_as_well() {
    let host = Host::new();
    fs::create_dir(host.path("parts")).unwrap();
    fs::write(host.path("parts/one.yml"), "#cloud-config\npassword: x\n").unwrap();
    host.set_mode("parts/one.yml", 0o600);
    fs::write(host.path("user-data"), "#include\nparts/one.yml\n").unwrap();
    host.set_mode("user-data", 0o644);
    let merge = |words: &[&str]| {
        host.run(&[&["merge", "--rules", "cloud-init", "user-data", "--include-root", "parts"], words].concat())
    };
    let output = merge(&["-o", "out.yml"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(mode(&host.path("out.yml")), 0o600);
    let refused = merge(&["-o", "parts/one.yml", "--force"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("parts/one.yml: is the same file as `"), "{}", stderr(&refused));
    assert_eq!(host.read("parts/one.yml"), "#cloud-config\npassword: x\n");
}

#[test]
fn an_output_that_is_called_a_directory_is_refused() {
    let host = Host::new();
    host.assert_refused(&["-o", "out.yml/"], &["out.yml/: names a directory, not a file"]);
}
