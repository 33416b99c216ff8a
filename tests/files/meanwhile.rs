//! What others do to the file and to its way while it is replaced, and file systems that can do little.

use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use super::*;

/// What a file has besides its content.
fn guise(host: &Host) -> (u32, u32, u32, Vec<u8>, Vec<u8>) {
    let path = host.path("relay.yml");
    let metadata = fs::metadata(&path).unwrap();
    (mode(&path), metadata.uid(), metadata.gid(), tag_of(&path, ACL), tag_of(&path, "user.note"))
}

/// Changes of rights and attributes by somebody who may.
const CHANGES: [&str; 7] = [
    "setfattr -n user.note -v later relay.yml",
    "setfattr -x user.note relay.yml",
    "setfacl -m u:1234:r relay.yml",
    "setfacl -m u:1234:rw,m::r relay.yml",
    "chmod 600 relay.yml",
    "chown 1234:2345 relay.yml",
    "chgrp 2345 relay.yml",
];

/// A file system that can do everything, one without an exchange, and one that can only rename, in words for strace.
const SYSTEMS: [&[&str]; 3] = [&[], &["-e", "inject=renameat2:error=EINVAL"], &LITTLE];

/// An upgrade during which somebody makes a change; what is wrong with what comes of it. `None` where the change cannot
/// be made here.
fn change(change: &str, words: &[&str], system: &[&str]) -> Option<Result<(), String>> {
    let [host, wanted] = [Host::new(), Host::new()];
    let is_tagged = |host: &Host| tag(&host.path("relay.yml"), "user.note", b"by hand");
    let can_be_made = is_tagged(&host)
        && is_tagged(&wanted)
        && tool(&["sh", "-c", &format!("cd \"$0\" && {change}")], &[wanted.0.path()]);
    if !can_be_made {
        return None;
    }
    let checker = format!("sh -c '{change}' %s");
    let upgrade = [&["upgrade", "relay.yml", "new/relay.yml"], words].concat();
    let meanwhile = [&upgrade[..], &["--validate", &checker]].concat();
    let refused = if system.is_empty() { host.run(&meanwhile) } else { traced(&host, system, &meanwhile)? };
    let told = stderr(&refused).contains("relay.yml: changed meanwhile by somebody else");
    let left = (host.read("relay.yml"), guise(&host), host.backups().len());
    if !told || refused.status.code() != Some(2) || left != (CURRENT.to_owned(), guise(&wanted), 0) {
        return Some(Err(format!("{left:?}: {}", stderr(&refused))));
    }
    let next = host.run(&upgrade);
    let left = (host.read("relay.yml"), guise(&host));
    let is_kept = next.status.success() && left == (UPGRADED.to_owned(), guise(&wanted));
    Some(if is_kept { Ok(()) } else { Err(format!("the next run: {left:?}: {}", stderr(&next))) })
}

#[test]
fn rights_and_attributes_that_are_changed_meanwhile_stay_changed() {
    let (mut tried, mut lost) = (0, Vec::new());
    for system in SYSTEMS {
        for words in [&[][..], &["--no-backup"], &["--backup-dir", "kept"], &["--allow-metadata-loss"]] {
            for edit in CHANGES.into_iter().filter(|edit| !edit.starts_with("ch") || is_root("another owner")) {
                let Some(outcome) = change(edit, words, system) else { continue };
                tried += 1;
                lost.extend(outcome.err().map(|what| format!("{edit} {words:?} {system:?}: {what}")));
            }
        }
    }
    println!("figures: foreign attributes: changes meanwhile\t{tried}");
    println!("figures: foreign attributes: lost\t{}", lost.len());
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// Somebody puts a link in the place of a directory behind the look at the path and before it is opened.
#[test]
fn a_directory_that_becomes_a_link_meanwhile_is_not_followed() {
    let host = Host::new();
    for dir in ["app", "other"] {
        fs::create_dir(host.path(dir)).unwrap();
        fs::write(host.path(dir).join("relay.yml"), CURRENT).unwrap();
    }
    let mut command = Command::new("strace");
    command.args(["-qq", "-o"]).arg(host.path("new/trace")).args(["-e", "inject=openat2:delay_enter=1500000"]);
    command.arg(env!("CARGO_BIN_EXE_yamlift")).args(["upgrade", "app/relay.yml", "new/relay.yml"]);
    let Ok(run) = command.current_dir(host.0.path()).stderr(Stdio::piped()).spawn() else { return };
    sleep(Duration::from_millis(600));
    fs::rename(host.path("app"), host.path("was")).unwrap();
    symlink("other", host.path("app")).unwrap();
    let output = run.wait_with_output().unwrap();
    let trace = fs::read_to_string(host.path("new/trace")).unwrap_or_default();
    if !trace.contains("openat2(") {
        println!("skipped, for strace may not trace here: {}", stderr(&output));
        return;
    }
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("app/relay.yml: its directory `"), "{}", stderr(&output));
    for dir in ["was", "other"] {
        assert_eq!(contents(&host.path(dir)).into_values().collect::<Vec<_>>(), [CURRENT.as_bytes()]);
    }
}

#[test]
fn a_system_that_cannot_be_told_about_links_replaces_files_all_the_same() {
    for error in ["ENOSYS", "EPERM"] {
        let host = Host::new();
        fs::create_dir(host.path("etc")).unwrap();
        fs::rename(host.path("relay.yml"), host.path("etc/real.yml")).unwrap();
        symlink("etc/real.yml", host.path("relay.yml")).unwrap();
        let inject = format!("inject=openat2:error={error}");
        let words = ["upgrade", "relay.yml", "new/relay.yml"];
        let Some(output) = traced(&host, &["-e", &inject], &words) else { return };
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(host.read("etc/real.yml"), UPGRADED);
    }
}

/// Neither second names nor renames that look first nor an exchange, as over FUSE.
const LITTLE: [&str; 4] = ["-e", "inject=renameat2:error=EINVAL", "-e", "inject=linkat:error=EPERM"];

#[test]
fn a_file_system_that_can_only_rename_is_enough() {
    let host = Host::new();
    host.set_mode("relay.yml", 0o640);
    let upgrade = ["upgrade", "relay.yml", "new/relay.yml"];
    let Some(output) = traced(&host, &LITTLE, &upgrade) else { return };
    assert!(output.status.success(), "{}", stderr(&output));
    let [backup] = &host.backups()[..] else { panic!("{:?}", host.names()) };
    assert_eq!((host.read("relay.yml").as_str(), host.read(backup).as_str()), (UPGRADED, CURRENT));
    assert_eq!((mode(&host.path("relay.yml")), mode(&host.path(backup))), (0o640, 0o640));
    let output = traced(&host, &LITTLE, &["restore", "relay.yml"]).unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!((host.read("relay.yml").as_str(), host.names().len()), (CURRENT, 3));
    fs::remove_file(host.path("relay.yml")).unwrap();
    let output = traced(&host, &LITTLE, &upgrade).unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!((host.read("relay.yml").as_str(), host.names().len()), (UPDATE, 3), "{:?}", host.names());
}

#[test]
fn an_edit_and_a_file_that_appears_are_seen_where_files_can_only_be_renamed() {
    let words = |checker| ["upgrade", "relay.yml", "new/relay.yml", "--validate", checker];
    let host = Host::new();
    let edit = "sh -c 'echo queue: 300 >relay.yml' %s";
    let Some(output) = traced(&host, &LITTLE, &words(edit)) else { return };
    assert!(stderr(&output).contains("changed meanwhile by somebody else"), "{}", stderr(&output));
    assert_eq!((host.read("relay.yml").as_str(), host.names().len()), ("queue: 300\n", 1));
    fs::remove_file(host.path("relay.yml")).unwrap();
    let output = traced(&host, &LITTLE, &words(edit)).unwrap();
    assert!(stderr(&output).contains("appeared meanwhile"), "{}", stderr(&output));
    assert_eq!((host.read("relay.yml").as_str(), host.names().len()), ("queue: 300\n", 1));
}
