//! `yamlift datum` as its users call it: the nodes of a repository, a change and what it does, and what is refused.
//!
//! `testdata/datum/harbour` is a repository, and `testdata/datum/results` holds what its nodes come to, made by the rules of
//! `docs/datum.md`; `tests/models/run` holds their values against a model of these rules.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{contents, yamlift};
use tempfile::TempDir;

const NODES: [&str; 3] = ["crane02", "gate01", "crane01"];

fn home(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/datum").join(path)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy(&path, &copied) } else { fs::write(&copied, fs::read(&path).unwrap()).unwrap() }
    }
}

/// The repository twice: `before`, and `after` for changes.
struct Harbour(TempDir);

impl Harbour {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        copy(&home("harbour"), &dir.path().join("before"));
        copy(&home("harbour"), &dir.path().join("after"));
        Self(dir)
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    /// Changes a text in a file that has it.
    fn change(&self, file: &str, old: &str, new: &str) {
        let path = self.path(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{file} has no {old}");
        fs::write(path, text.replacen(old, new, 1)).unwrap();
    }

    /// The status, standard output and standard error of a run.
    fn datum(&self, words: &[&str]) -> (i32, String, String) {
        let output = yamlift(self.0.path()).arg("datum").args(words).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    /// What a run prints that has nothing to warn of.
    fn printed(&self, words: &[&str]) -> String {
        let (status, printed, told) = self.datum(words);
        assert_eq!((status, told.as_str()), (0, ""), "{words:?}");
        printed
    }

    /// What a run says that is refused.
    fn refused(&self, words: &[&str]) -> String {
        let (status, printed, told) = self.datum(words);
        assert_eq!((status, printed.as_str()), (2, ""), "{words:?}: {told}");
        assert!(told.contains("\n help: "), "no way out: {told}");
        told
    }
}

#[test]
fn every_node_comes_to_what_the_rules_say() {
    let harbour = Harbour::new();
    let (mut all, there) = (Vec::new(), contents(&harbour.path("before")));
    for node in NODES {
        let expected = fs::read_to_string(home("results").join(node).with_extension("yml")).unwrap();
        assert_eq!(harbour.printed(&["before", "--node", node]), expected, "{node}");
        all.push(format!("--- # {node}\n{expected}"));
    }
    let all = all.concat();
    assert_eq!(harbour.printed(&["before", "--all"]), all);
    assert_eq!(harbour.printed(&["before/Datum.yml", "--all"]), all);
    assert_eq!(contents(&harbour.path("before")), there);
}

#[test]
fn stores_are_the_folders_where_none_are_named() {
    let harbour = Harbour::new();
    let path = harbour.path("after/Datum.yml");
    let text = fs::read_to_string(&path).unwrap();
    let (start, rest) = text.split_once("DatumStructure:").unwrap();
    let (_, end) = rest.split_once("default_lookup_options").unwrap();
    fs::write(&path, format!("{start}default_lookup_options{end}")).unwrap();
    assert_eq!(harbour.printed(&["after", "--all"]), harbour.printed(&["before", "--all"]));
}

#[test]
fn a_node_that_changes_its_role_is_shown_by_values() {
    let harbour = Harbour::new();
    harbour.change("after/AllNodes/Live/crane02.yml", "Role: Crane", "Role: Gate");
    let expected = "\
[crane02]
    ~ Role              Crane → Gate
    ~ Features/Names    [Telemetry, Motion-Control] → [Telemetry]
    - Features/Restart  never
    ~ Configurations    + Accounts  + Firewall  - Machine
    + Accounts          [{Name: porter, Shift: day, Groups: Users}, {Name: camera}]
    - Machine           {Owner: Technics}
    + Firewall          {Profiles: {Private: {Open: [22, 443]}}}

1 of 3 nodes changes.
";
    assert_eq!(harbour.printed(&["after", "--diff", "before"]), expected);
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/datum.md")).unwrap();
    assert!(
        page.contains(&format!("$ yamlift datum after --diff before\n{expected}")),
        "docs/datum.md shows something else"
    );
    assert_eq!(harbour.printed(&["after", "--diff", "before", "--node", "gate01"]), "0 of 1 node change.\n");
    let told = harbour.printed(&["after", "--node", "crane02", "--explain"]);
    assert!(told.starts_with("[crane02] after/AllNodes/Live/crane02.yml\n"), "{told}");
    assert!(told.contains("    Roles\\Gate: after/Roles/Gate.yml\n"), "{told}");
    assert!(told.contains("Accounts[0]/Shift = day\n    after/Roles/Gate.yml:9"), "{told}");
}

#[test]
fn a_node_that_moves_to_another_folder_is_the_same_node() {
    let harbour = Harbour::new();
    let from = harbour.path("after/AllNodes/Pilot/crane01.yml");
    fs::rename(from, harbour.path("after/AllNodes/Live/crane01.yml")).unwrap();
    fs::remove_file(harbour.path("after/AllNodes/Live/gate01.yml")).unwrap();
    let told = harbour.printed(&["after", "--diff", "before"]);
    let expected =
        "[crane01]\n    ~ LcmSettings/Mode  ApplyAndMonitor → ApplyOnly\n\n[gate01] is gone\n\n2 of 3 nodes change.\n";
    assert_eq!(told, expected);
}

#[test]
fn one_lookup_is_made_at_every_node_that_has_it() {
    let harbour = Harbour::new();
    assert_eq!(
        harbour.printed(&["before", "--node", "gate01", "--key", "Accounts/Shift"]),
        "- day  # see the roster\n"
    );
    let (status, printed, told) = harbour.datum(&["before", "--all", "--key", "Firewall\\Profiles\\Public\\Logged"]);
    assert_eq!(
        (status, printed.as_str()),
        (0, "--- # gate01\nfalse\n--- # crane01\ntrue  # we want to see what the pilots do\n")
    );
    assert!(told.starts_with("warning: crane02: no layer has"), "{told}");
    assert!(harbour.refused(&["before", "--all", "--key", "Firewal"]).contains("did you mean `Firewall`?"));
}

#[test]
fn values_are_supplied_for_expressions_and_encrypted_texts() {
    let harbour = Harbour::new();
    harbour.change("after/AllNodes/Live/gate01.yml", "Role: Gate", "Role: '[x= Get-Role =]'");
    harbour.change("after/Sites/Yard.yml", "10.30.0.1", "'[ENC=c2VjcmV0]'  # of the yard");
    let told = harbour.refused(&["after", "--node", "gate01"]);
    assert!(told.starts_with("error: after/AllNodes/Live/gate01.yml:4:8: the value of `Role` decides"), "{told}");
    let values = "'[ENC=c2VjcmV0]': 10.99.0.99\ngate01:\n  '[x= Get-Role =]': Gate\n";
    fs::write(harbour.path("values.yml"), values).unwrap();
    let words = ["after", "--node", "gate01", "--values", "values.yml"];
    let printed = harbour.printed(&words);
    assert!(
        printed.contains("Role: Gate\n") && printed.contains("  Gateway: 10.99.0.99  # of the yard\n"),
        "{printed}"
    );
    let explained = harbour.printed(&[&words[..], &["--explain"]].concat());
    assert!(explained.contains("Network/Gateway = ***\n    after/Sites/Yard.yml:2"), "{explained}");
    fs::write(harbour.path("values.yml"), values.replace("gate01", "gate1")).unwrap();
    assert!(harbour.refused(&words).contains("did you mean the node `gate01`?"));
}

#[test]
fn an_expression_whose_value_decides_a_merge_is_told() {
    let harbour = Harbour::new();
    harbour.change("after/Roles/Crane.yml", "Printing", "'[x= Get-Extra =]'");
    harbour.change("after/Baselines/Server.yml", "Telemetry ", "'[x= Get-Extra =]' ");
    let (status, _, told) = harbour.datum(&["after", "--all"]);
    let expected = "warning: after/Roles/Crane.yml:10: `[x= Get-Extra =]` is at after/Baselines/Server.yml:7, too: one of \
                    them is left out, and whether both come to the same only Datum knows\n";
    assert_eq!((status, told.as_str()), (0, expected));
    let harbour = Harbour::new();
    harbour.change("after/Roles/Gate.yml", "Name: porter", "Name: '[x= Get-Porter =]'");
    let (_, _, told) = harbour.datum(&["after", "--node", "gate01"]);
    assert!(
        told.contains("after/Roles/Gate.yml:8: items are found by `Name`, and it is `[x= Get-Porter =]` here"),
        "{told}"
    );
}

#[test]
fn what_leads_to_nothing_by_a_slip_is_told() {
    let tries = [
        (
            "AllNodes/Live/gate01.yml",
            "Role: Gate",
            "Rolle: Gate",
            "the node `gate01` has no `Role`: did you mean `Rolle`?",
        ),
        ("AllNodes/Live/gate01.yml", "Role: Gate", "Role: Gaet", "no layer at `Roles\\Gaet`: did you mean `Gate`?"),
        (
            "Roles/Gate.yml",
            "- Network",
            "- Netwerk",
            "Gate.yml:4: no layer of `gate01` has the configuration `Netwerk`",
        ),
        ("Datum.yml", "DatumHandlers:", "DatumHandler:", "`DatumHandler` is no key of Datum: did you mean"),
    ];
    for (file, old, new, said) in tries {
        let harbour = Harbour::new();
        harbour.change(&format!("after/{file}"), old, new);
        let (status, _, told) = harbour.datum(&["after", "--node", "gate01"]);
        assert_eq!(status, 0, "{told}");
        assert!(told.contains(said), "{told}");
        assert_eq!(told.matches("warning: ").count(), 1, "{told}");
    }
}

#[test]
fn paths_do_not_leave_the_repository() {
    let tries = [
        ("Datum.yml", "- Roles\\$", "- Roles\\..\\$", "after/Datum.yml:6:11: `Roles\\..\\$($Node.Role)` leads out"),
        (
            "Datum.yml",
            "- Roles\\$",
            "- \\Roles\\$",
            "after/Datum.yml:6:5: `\\Roles\\$($Node.Role)` has a step without a name",
        ),
        ("Datum.yml", "Path: ./Roles", "Path: ../before/Roles", "after/Datum.yml:36:13: the folder `../before/Roles`"),
        ("Datum.yml", "Path: ./Roles", "Path: C:/Roles", "after/Datum.yml:36:13: the folder `C:/Roles`"),
        ("Datum.yml", "Path: ./Roles", "Path: /Roles", "after/Datum.yml:36:13: the folder `/Roles`"),
        (
            "AllNodes/Live/gate01.yml",
            "Gate",
            "../x",
            "after/AllNodes/Live/gate01.yml:4:7: `../x` cannot stand for `Role`",
        ),
        (
            "AllNodes/Live/gate01.yml",
            "Gate",
            "a\\b",
            "after/AllNodes/Live/gate01.yml:4:7: `a\\b` cannot stand for `Role`",
        ),
        ("AllNodes/Live/gate01.yml", "Gate", "..", "after/AllNodes/Live/gate01.yml:4:7: `..` cannot stand for `Role`"),
        (
            "AllNodes/Live/gate01.yml",
            "Gate",
            "[a]",
            "after/AllNodes/Live/gate01.yml:4:1: the path `Roles\\$($Node.Role)` needs",
        ),
    ];
    for (file, old, new, said) in tries {
        let harbour = Harbour::new();
        harbour.change(&format!("after/{file}"), old, new);
        let told = harbour.refused(&["after", "--all"]);
        assert!(told.starts_with(&format!("error: {said}")), "{told}");
        assert!(told.lines().any(|line| line.ends_with('^')), "no caret: {told}");
    }
}

#[cfg(unix)]
#[test]
fn links_do_not_leave_the_repository() {
    use std::os::unix::fs::symlink;
    for target in ["../../before/Roles/Gate.yml", "../../before"] {
        let harbour = Harbour::new();
        fs::remove_file(harbour.path("after/Roles/Gate.yml")).unwrap();
        symlink(target, harbour.path("after/Roles/Gate.yml")).unwrap();
        let told = harbour.refused(&["after", "--all"]);
        assert!(told.starts_with("error: after/Roles/Gate.yml: is a link that leads out of `after`"), "{told}");
    }
    let harbour = Harbour::new();
    fs::rename(harbour.path("after/Roles/Gate.yml"), harbour.path("after/Roles/Door.yml")).unwrap();
    symlink("Door.yml", harbour.path("after/Roles/Gate.yml")).unwrap();
    assert_eq!(harbour.printed(&["after", "--diff", "before"]), "0 of 3 nodes change.\n");
}

/// A fact of 15 others, each of which is twice the one before.
fn twice_and_again() -> String {
    let one = |at: usize| format!("\nF{at}: '[x= \"$($Node.F{0})$($Node.F{0})\" =]'", at + 1);
    format!("Role: '[x= $Node.F0 =]'{}\nF14: x", (0..14).map(one).collect::<String>())
}

#[test]
fn what_cannot_be_told_is_refused() {
    let tries = [
        ("Datum.yml", "$($Node.Role)", "$Node.Role", "`$Node.Role` is no name and no expression in brackets"),
        ("Datum.yml", "$($Node.Role)", "$($Node.Role.Trim())", "what `$($Node.Role.Trim())` comes to"),
        ("Datum.yml", "Roles\\$($Node.Role)", "<%= $Node.Role %>", "code between"),
        ("Datum.yml", "ResolutionPrecedence", "ResolutionPrecedance", "did you mean `ResolutionPrecedence`?"),
        ("Datum.yml", "ThrowOnError: true", "ThrowOnError: no", "has to be true or false"),
        ("Datum.yml", "Path: ./Roles", "Path: ./Rolls", "the folder of the store `Roles` is not there"),
        ("Datum.yml", "Datum::File", "Datum::Sql", "the store `AllNodes` is not one of files"),
        ("Datum.yml", "- AllNodes\\$(", "- Environment\\$(", "there is no node `gate01`"),
        ("Datum.yml", "Features: hash", "Features: hsah", "did you mean `hash`?"),
        ("Roles/Gate.yml", "- Accounts", "- Acc/ounts", "`Acc/ounts` has a separator in it"),
        ("AllNodes/Live/gate01.yml", "Role: Gate", "Role: '[x= $Node.Role =]'", "the value of `Role` decides"),
        ("AllNodes/Live/gate01.yml", "Role: Gate", &twice_and_again(), "decides which layers this node has"),
    ];
    for (file, old, new, said) in tries {
        let harbour = Harbour::new();
        harbour.change(&format!("after/{file}"), old, new);
        let told = harbour.refused(&["after", "--node", "gate01"]);
        assert!(told.contains(said), "{told}");
    }
    let harbour = Harbour::new();
    assert!(harbour.refused(&["before", "--node", "crane1"]).contains("did you mean `crane01`?"));
    assert!(harbour.refused(&["before"]).contains("there are crane02, gate01, crane01"));
    assert!(harbour.refused(&["before/Roles", "--all"]).contains("there is no Datum.yml"));
    fs::copy(harbour.path("after/Roles/Gate.yml"), harbour.path("after/Roles/gate.yaml")).unwrap();
    assert!(harbour.refused(&["after", "--all"]).contains("has the same name to Datum"));
    let twin = harbour.path("before/AllNodes/Pilot/gate01.yml");
    fs::copy(harbour.path("before/AllNodes/Live/gate01.yml"), twin).unwrap();
    assert!(harbour.refused(&["before", "--node", "gate01"]).contains("Live/gate01, Pilot/gate01"));
    assert!(harbour.printed(&["before", "--node", "pilot/GATE01"]).starts_with("# The northern gate\n"));
}

#[test]
fn without_configurations_every_key_is_looked_up() {
    let dir = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        fs::create_dir_all(dir.path().join(name).parent().unwrap()).unwrap();
        fs::write(dir.path().join(name), text).unwrap();
    };
    put(
        "Datum.yml",
        "ResolutionPrecedence:\n  - Nodes\\$($Node.Name)\n  - Parts\\All\\Deep\ndefault_lookup_options: deep\n",
    );
    put("Nodes/one.yml", "# ours\nA: {x: 1}\n");
    put("Parts/All.json", r#"{"Deep": {"A": {"y": 2}, "B": [3]}}"#);
    let output = yamlift(dir.path()).args(["datum", ".", "--node", "one"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("x: 1") && text.contains('y') && text.contains('3'), "{text}");
}

/// Many nodes that all have a large layer take far more work than their files: that is refused.
#[test]
fn what_nodes_come_to_is_bounded_by_their_files() {
    let dir = tempfile::tempdir().unwrap();
    for folder in ["Nodes", "Base"] {
        fs::create_dir(dir.path().join(folder)).unwrap();
    }
    fs::write(dir.path().join("Datum.yml"), "ResolutionPrecedence: ['Nodes\\$($Node.Name)', Base\\All]\n").unwrap();
    for at in 0..800 {
        fs::write(dir.path().join(format!("Nodes/n{at}.yml")), "a: 1\n").unwrap();
    }
    fs::write(dir.path().join("Base/All.yml"), format!("b: {}\n", "x".repeat(300_000))).unwrap();
    let run = |words: &[&str]| yamlift(dir.path()).args(["datum", "."]).args(words).output().unwrap();
    assert!(run(&["--node", "n7"]).status.success());
    let output = run(&["--all", "--key", "a"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("error: ./Nodes/n"), "{told}");
    assert!(
        told.contains("the configurations of these nodes are more than can be made of files of this size"),
        "{told}"
    );
    assert!(told.contains(" help: --node NAME shows one node at a time"), "{told}");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]));
}
