//! Many files: `yamlift upgrade --to` and `yamlift rehearse`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;
use std::process::Output;

mod common;

use common::{contents, yamlift};

const NEW: &str = "# the port\nport: 81\nadded: 1\n";
const OLD: &str = "port: 80\n";

/// A folder with files and the directories that they need.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn fleet() -> tempfile::TempDir {
    folder(&[
        ("new.yml", NEW),
        ("old.yml", OLD),
        ("hosts/a.yml", "port: 8080\n"),
        ("hosts/b.yaml", OLD),
        ("hosts/deep/c.yml", NEW),
        ("hosts/.hidden/d.yml", "port: 1\n"),
        ("hosts/notes.txt", "no YAML\n"),
    ])
}

fn run(dir: &Path, words: &[&str]) -> Output {
    yamlift(dir).args(words).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

/// The name and the result of each file in a table.
fn results(output: &Output) -> Vec<(String, String)> {
    let lines = stdout(output).lines().skip(1).take_while(|line| !line.is_empty());
    let mut words = lines.map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    words.by_ref().map(|words| (words[0].clone(), words[1].clone())).collect()
}

fn expected(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(name, result)| ((*name).to_owned(), (*result).to_owned())).collect()
}

#[test]
fn all_files_below_a_directory_are_upgraded_each_by_itself() {
    let dir = fleet();
    let output = run(dir.path(), &["upgrade", "--to", "new.yml", "--base", "old.yml", "-b", "hosts"]);
    let files = [("hosts/a.yml", "changed"), ("hosts/b.yaml", "changed"), ("hosts/deep/c.yml", "unchanged")];
    assert_eq!((results(&output), output.status.code()), (expected(&files), Some(0)));
    assert!(stdout(&output).ends_with("\n\n3 files: 2 changed, 1 unchanged.\n"), "{}", stdout(&output));
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(
        (read("hosts/a.yml").as_str(), read("hosts/b.yaml").as_str()),
        ("# the port\nport: 8080\nadded: 1\n", NEW)
    );
    assert_eq!(read("hosts/.hidden/d.yml"), "port: 1\n");
}

#[test]
fn one_that_is_refused_stops_no_other_and_decides_the_exit_status() {
    let dir = fleet();
    fs::write(dir.path().join("hosts/a.yml"), "port: 1\nport: 2\n").unwrap();
    let output = run(dir.path(), &["upgrade", "--to", "new.yml", "-b", "hosts"]);
    let files = [("hosts/a.yml", "refused"), ("hosts/b.yaml", "changed"), ("hosts/deep/c.yml", "unchanged")];
    assert_eq!((results(&output), output.status.code()), (expected(&files), Some(2)));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("error: hosts/a.yml:2:1: key `port` appears twice"), "{told}");
    let fail = ["upgrade", "--to", "new.yml", "--base", "old.yml", "--on-conflict", "fail", "-q"];
    fs::write(dir.path().join("hosts/b.yaml"), "port: 8\n").unwrap();
    assert_eq!(run(dir.path(), &[&fail[..], &["hosts"]].concat()).status.code(), Some(3));
}

#[test]
fn a_quiet_run_tells_what_is_refused_and_nothing_else() {
    for words in [&["upgrade", "--to", "new.yml", "hosts", "-q"][..], &["rehearse", "-q", "new.yml", "hosts"]] {
        let dir = fleet();
        fs::write(dir.path().join("hosts/a.yml"), "port: 1\nport: 2\n").unwrap();
        let output = run(dir.path(), words);
        assert_eq!((stdout(&output), output.status.code()), ("", Some(2)), "{words:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.starts_with("error: hosts/a.yml:2:1: key `port` appears twice"), "{words:?}: {told}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_or_upward_stops_no_other_file() {
    let dir = fleet();
    let hosts = dir.path().join("hosts");
    std::os::unix::fs::symlink("nowhere", hosts.join("dangling.yml")).unwrap();
    std::os::unix::fs::symlink("nowhere", hosts.join("notes.bak")).unwrap();
    std::os::unix::fs::symlink("..", hosts.join("deep/up")).unwrap();
    let output = run(dir.path(), &["upgrade", "--to", "new.yml", "-b", "hosts"]);
    let files = [
        ("hosts/a.yml", "changed"),
        ("hosts/b.yaml", "changed"),
        ("hosts/dangling.yml", "refused"),
        ("hosts/deep/c.yml", "unchanged"),
    ];
    assert_eq!((results(&output), output.status.code()), (expected(&files), Some(2)));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("error: hosts/dangling.yml: is a symbolic link to `nowhere`"), "{told}");
}

#[test]
fn a_directory_that_is_not_there_does_not_become_a_file() {
    let dir = fleet();
    let output = run(dir.path(), &["upgrade", "--to", "new.yml", "hotss/"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!dir.path().join("hotss").exists());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("error: hotss/: there is no such directory"), "{told}");
}

#[test]
fn files_may_be_named_by_patterns_and_each_counts_once() {
    let dir = fleet();
    let words = ["upgrade", "--to", "new.yml", "--check", "hosts/*.yml", "hosts/a.yml", "hosts/./a.yml", "new.yml"];
    let output = run(dir.path(), &words);
    assert_eq!((results(&output), output.status.code()), (expected(&[("hosts/a.yml", "changed")]), Some(1)));
    for (path, what) in [("none*.yml", "no file fits this pattern"), ("-", "standard input is one file")] {
        let output = run(dir.path(), &["upgrade", "--to", "new.yml", path]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains(what), "{path}: {told}");
    }
}

#[test]
fn each_file_remembers_its_default() {
    let dir = fleet();
    let upgrade = |to: &str| run(dir.path(), &["upgrade", "--to", to, "--remember", "memory", "-b", "-q", "hosts"]);
    assert!(upgrade("old.yml").status.success() && upgrade("new.yml").status.success());
    assert_eq!(fs::read_to_string(dir.path().join("hosts/b.yaml")).unwrap(), NEW);
}

#[test]
fn a_diff_is_told_for_each_file() {
    let dir = fleet();
    let output = run(dir.path(), &["upgrade", "--to", "new.yml", "--dry-run", "--diff=values", "hosts"]);
    assert_eq!(stdout(&output).matches("    + added  1\n").count(), 2, "{}", stdout(&output));
}

#[test]
fn a_rehearsal_writes_nothing_and_tells_all() {
    let dir = fleet();
    let before = contents(&dir.path().join("hosts"));
    let output = run(dir.path(), &["rehearse", "new.yml", "hosts", "--base", "old.yml", "--jobs", "2"]);
    let files = [("hosts/a.yml", "changed"), ("hosts/b.yaml", "changed"), ("hosts/deep/c.yml", "unchanged")];
    assert_eq!((results(&output), output.status.code()), (expected(&files), Some(0)));
    assert_eq!(contents(&dir.path().join("hosts")), before);
}

#[test]
fn a_page_shows_all_files_and_loads_nothing() {
    let dir = fleet();
    fs::write(dir.path().join("hosts/a.yml"), "port: '<script>x</script>'\n").unwrap();
    for words in [&["rehearse", "new.yml"][..], &["upgrade", "--dry-run", "--to", "new.yml"]] {
        let output = run(dir.path(), &[words, &["hosts", "--format", "html", "--base", "old.yml"]].concat());
        let page = stdout(&output);
        assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{page}");
        assert!(["hosts/a.yml", "hosts/b.yaml", "hosts/deep/c.yml"].iter().all(|name| page.contains(name)), "{page}");
        assert!(!page.contains("<script>x") && !page.contains("http://") && !page.contains("https://"), "{page}");
    }
}

/// What a product ships: two configurations, and how each is upgraded.
fn product(manifest: &str) -> tempfile::TempDir {
    folder(&[
        ("etc/app.yml", "port: 8080\n"),
        ("etc/users/ann.yml", "name: ann\ntoken: t0ken\n"),
        ("etc/users/bob.yml", "name: bob\n"),
        ("share/app.yml", NEW),
        ("share/user.yml", "name: x\nrole: #{role}\ntoken: x\n"),
        ("share/default.properties", "role=guest\n"),
        ("share/yamlift.toml", manifest),
    ])
}

const MANIFEST: &str = r#"
[options]
no-backup = true
remember = "../memory"

[[config]]
config = "../etc/app.yml"
default = "app.yml"

[[config]]
config = ["../etc/users"]
default = "user.yml"
env = ["default.properties"]
secret = "name"
sparse = false
"#;

#[test]
fn a_manifest_names_each_file_with_its_default_and_its_options() {
    let dir = product(MANIFEST);
    let before = contents(&dir.path().join("etc"));
    let call = ["upgrade", "--manifest", "share/yamlift.toml"];
    let looked = run(dir.path(), &[&call[..], &["--dry-run", "--diff"]].concat());
    assert_eq!(looked.status.code(), Some(0), "{looked:?}");
    assert!(stdout(&looked).contains("***") && !stdout(&looked).contains("t0ken"), "{looked:?}");
    assert_eq!(contents(&dir.path().join("etc")), before);
    let checked = run(dir.path(), &[&call[..], &["--check", "-q"]].concat());
    assert_eq!((checked.status.code(), stdout(&checked)), (Some(1), ""));

    let done = run(dir.path(), &call);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let names = ["share/../etc/app.yml", "share/../etc/users/ann.yml", "share/../etc/users/bob.yml"];
    assert_eq!(results(&done), expected(&names.map(|name| (name, "changed"))));
    let text = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(text("etc/app.yml"), "# the port\nport: 8080\nadded: 1\n");
    assert_eq!(text("etc/users/ann.yml"), "name: ann\nrole: guest\ntoken: t0ken\n");
    assert_eq!(contents(&dir.path().join("etc/users")).len(), 2, "no backups");
    assert!(dir.path().join("memory").is_dir());

    let again = run(dir.path(), &[&call[..], &["--format", "json", "--jobs", "1"]].concat());
    let lines: Vec<serde_json::Value> =
        stdout(&again).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| &line["status"]).collect::<Vec<_>>(), ["unchanged"; 3]);
}

#[test]
fn what_a_manifest_gets_wrong_is_told_with_its_place_and_nothing_is_upgraded() {
    let wrong = [
        ("[[config]]\nconfig = \"../etc/app.yml\"\n", "1:1: an entry without `default`"),
        ("[[config]]\ndefault = \"app.yml\"\n", "1:1: an entry without `config`"),
        ("x = 1\n", "1:1: `x` is not known here"),
        ("a = [1\n", "1:7: unclosed array"),
        ("", "1:1: no configuration is named"),
        ("[config]\n", "1:1: `config` has to be a list of tables"),
        ("options = 1\n", "1:11: `options` has to be a table"),
        (&MANIFEST.replace("sparse", "spares"), "15:1: `spares` is not known here"),
        (&MANIFEST.replace("sparse = false", "sparse = 'no'"), "15:10: `sparse` has to be true or false"),
        (&MANIFEST.replace("sparse = false", "keep-backups = 0"), "15:1: invalid value '0' for '--keep-backups <N>'"),
        (&MANIFEST.replace("sparse = false", "pairing = 1.5"), "15:11: `pairing` has to be a text or a number"),
        (&MANIFEST.replace("sparse", "dry-run"), "15:1: `dry-run` is for the command line"),
        (&MANIFEST.replace("sparse", "ask"), "15:1: `ask` is not known here"),
    ];
    for (manifest, what) in wrong {
        let dir = product(manifest);
        let before = contents(&dir.path().join("etc"));
        let refused = run(dir.path(), &["upgrade", "--manifest", "share/yamlift.toml"]);
        let message = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{message}");
        assert!(message.starts_with(&format!("error: share/yamlift.toml:{what}")), "{what}: {message}");
        assert!(message.contains("\n help: "), "{message}");
        assert_eq!(contents(&dir.path().join("etc")), before);
    }
    let twice = MANIFEST.replace("../etc/users", "../etc");
    let refused = run(product(&twice).path(), &["upgrade", "--manifest", "share/yamlift.toml"]);
    assert!(String::from_utf8(refused.stderr).unwrap().contains("two entries name this file"));
}

#[test]
fn what_belongs_into_a_manifest_is_refused_beside_it() {
    let dir = product(MANIFEST);
    for (words, what) in [
        (&["--base", "x.yml"][..], "--base belongs into the manifest"),
        (&["--to", "x.yml"], "cannot be used with"),
        (&["share/app.yml"], "cannot be used with"),
    ] {
        let refused = run(dir.path(), &[&["upgrade", "--manifest", "share/yamlift.toml"], words].concat());
        let message = String::from_utf8(refused.stderr).unwrap();
        assert!(refused.status.code() == Some(2) && message.contains(what), "{message}");
    }
}

#[test]
fn the_manifest_of_the_page_does_what_the_page_says() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/report.md")).unwrap();
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let manifest = rest.split_once("```").unwrap().0.replace("/etc/app", "etc").replace("/var/lib/app", "memory");
    let dir = folder(&[
        ("yamlift.toml", &manifest),
        ("etc/app.yml", "old: 1\n"),
        ("etc/sites/a.yml", "name: a\n"),
        ("etc/extra/b.yml", "name: b\n"),
        ("app.yml", "new: 2\nport: 1\n"),
        ("app.migration.yml", "yamlift: 1\nsteps:\n- version: 2\n  move: {old: new}\n"),
        ("site.yml", "name: x\nport: 1\n"),
    ]);
    let output = run(dir.path(), &["upgrade", "--manifest", "yamlift.toml"]);
    let files = [("etc/app.yml", "changed"), ("etc/sites/a.yml", "unchanged"), ("etc/extra/b.yml", "unchanged")];
    assert_eq!(results(&output), expected(&files), "{output:?}");
    assert_eq!(fs::read_to_string(dir.path().join("etc/app.yml")).unwrap(), "new: 1\nport: 1\n");
    assert_eq!(contents(&dir.path().join("memory/defaults")).len(), 1);
}

#[test]
fn backups_of_files_of_one_name_are_not_put_into_one_directory() {
    let dir = folder(&[("new.yml", NEW), ("a/config.yml", OLD), ("b/config.yml", OLD)]);
    let words = ["upgrade", "--to", "new.yml", "--backup-dir", "kept", "--keep-backups", "1", "a", "b"];
    let refused = run(dir.path(), &words);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("could not be told from those of a/config.yml"));
    assert_eq!(contents(&dir.path().join("a")), [("config.yml".into(), OLD.into())].into());
    assert_eq!(run(dir.path(), &words[..8]).status.code(), Some(0));
}
