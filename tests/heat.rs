//! `yamlift merge --rules heat` with directories: environments in the client's order, paths of the registry seen from where
//! the result is, and what a change in one file does. `tests/models/run` holds the values against a model of the rules.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{contents, yamlift};
use tempfile::TempDir;

/// `testdata/heat/harbour` twice: `before`, and `after` for changes.
struct Harbour(TempDir);

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy(&path, &copied) } else { fs::write(&copied, fs::read(&path).unwrap()).unwrap() }
    }
}

impl Harbour {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/heat/harbour");
        copy(&home, &dir.path().join("before"));
        copy(&home, &dir.path().join("after"));
        Self(dir)
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    fn change(&self, file: &str, old: &str, new: &str) {
        let text = fs::read_to_string(self.path(file)).unwrap();
        assert!(text.contains(old), "{file} has no {old}");
        fs::write(self.path(file), text.replacen(old, new, 1)).unwrap();
    }

    /// The status, standard output and standard error of a run.
    fn merge(&self, words: &[&str]) -> (i32, String, String) {
        let output = yamlift(self.0.path()).args(["merge", "--rules", "heat"]).args(words).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    /// What a run prints that has nothing to warn of.
    fn printed(&self, words: &[&str]) -> String {
        let (status, out, err) = self.merge(words);
        assert_eq!((status, err.as_str()), (0, ""));
        out
    }
}

const MERGED: &str = "\
# Copyright 2026 Harbour Ltd.

# What every stack of the harbour gets
#
# Later files add to lists: see `default`.

# The east pier

parameter_defaults:
  # in the order of their start
  Services:
    - keystone
    - glance   # images
  ControllerCount: 5
  DbPassword: gangway

resource_registry:
  # the controllers
  OS::Harbour::Controller: before/templates/controller.yaml
  OS::Harbour::Pier: before/templates/nested/pier.yaml   # ours
  resources:
    crane1:
      # the old one
      OS::Harbour::Crane: before/environments/crane.yaml
      hooks: pre-create
";

#[test]
fn a_directory_is_its_environments_in_the_order_of_their_names() {
    let harbour = Harbour::new();
    fs::write(harbour.path("before/environments/.draft.yaml"), "no: section\n").unwrap();
    fs::write(harbour.path("before/environments/later.yml"), "no: section\n").unwrap();
    fs::create_dir(harbour.path("before/environments/30-none.yaml")).unwrap();
    assert_eq!(harbour.printed(&["before/environments"]), MERGED);
    let named = ["before/environments/10-base.yaml", "before/environments/20-east.yaml"];
    assert_eq!(harbour.printed(&named), MERGED);
    let (_, reversed, _) = harbour.merge(&["before/environments/20-east.yaml", "before/environments/10-base.yaml"]);
    assert!(reversed.contains("ControllerCount: 3"), "{reversed}");
    assert!(reversed.contains("OS::Harbour::Pier: OS::Heat::None   # none yet"), "{reversed}");
}

#[test]
fn paths_are_seen_from_where_the_result_is() {
    let harbour = Harbour::new();
    let words = ["before/environments", "-o", "after/environments/all.yaml"];
    assert_eq!(harbour.printed(&words), "");
    let written = fs::read_to_string(harbour.path("after/environments/all.yaml")).unwrap();
    assert_eq!(written, MERGED.replace("before/", "../../before/"));
    let beside = ["before/environments", "-o", "before/environments/all"];
    assert_eq!(harbour.printed(&beside), "");
    let written = fs::read_to_string(harbour.path("before/environments/all")).unwrap();
    let there = MERGED.replace("before/templates", "../templates").replace("before/environments/", "");
    assert_eq!(written, there);
}

#[test]
fn absolute_paths_are_urls() {
    let harbour = Harbour::new();
    harbour.change("before/environments/20-east.yaml", "hooks:", "base_url: https://example.org/t/\n      hooks:");
    let shown = harbour.printed(&["before/environments", "--absolute"]);
    let top = harbour.0.path().to_str().unwrap().to_owned();
    assert!(shown.contains(&format!("Controller: file://{top}/before/templates/controller.yaml\n")), "{shown}");
    assert!(shown.contains("OS::Harbour::Crane: https://example.org/t/crane.yaml\n"), "{shown}");
    assert!(!shown.contains("base_url"), "{shown}");
}

#[test]
fn a_base_that_is_no_url_is_refused() {
    let harbour = Harbour::new();
    harbour.change("before/environments/20-east.yaml", "hooks:", "base_url: ../t\n      hooks:");
    let (status, out, err) = harbour.merge(&["before/environments", "-o", "all.yaml"]);
    assert_eq!((status, out.as_str()), (2, ""));
    let expected = "\
error: before/environments/20-east.yaml:16:7: `base_url` has to be a URL
 16 |       base_url: ../t
    |       ^
 help: write it like file:///srv/templates, or leave it out to have paths beside this file
";
    assert_eq!(err, expected);
    assert!(!harbour.path("all.yaml").exists());
}

#[test]
fn templates_below_a_directory_say_the_types_and_the_last_one_named_counts() {
    let harbour = Harbour::new();
    harbour.change("before/environments/10-base.yaml", "  ControllerCount: overwrite\n", "");
    let nested = ["before/environments", "--template", "before/templates/nested"];
    let (_, out, err) = harbour.merge(&nested);
    assert!(out.is_empty() && err.contains("parameter `ControllerCount` is of type string"), "{err}");
    let whole = [&nested[..], &["--template", "before/templates/stack.yaml"]].concat();
    let (status, _, err) = harbour.merge(&whole);
    assert!(status == 2 && err.contains("`ControllerCount`, which is of type number"), "{err}");
    let (status, _, err) = harbour.merge(&["before/environments", "--template", "before/environments"]);
    assert!(status == 2 && err.contains("no file below this directory is a template"), "{err}");
}

#[test]
fn each_value_has_its_file_and_a_path_what_was_written() {
    let harbour = Harbour::new();
    let told = harbour.printed(&["before/environments", "--explain"]);
    let expected = "\
parameter_defaults/Services[0] = keystone
    before/environments/10-base.yaml:14  merge, as before/environments/10-base.yaml:8 says
parameter_defaults/Services[1] = glance
    before/environments/20-east.yaml:7  merge, as before/environments/10-base.yaml:8 says
parameter_defaults/ControllerCount = 5
    before/environments/20-east.yaml:8  overwrite, as before/environments/10-base.yaml:9 says
parameter_defaults/DbPassword = ***
    before/environments/20-east.yaml:9  overwrite, as before/environments/10-base.yaml:10 says
";
    assert!(told.starts_with("parameter_defaults/Services[0]"), "{told}");
    assert!(
        told.contains("    before/environments/20-east.yaml:11  written there as ../templates/nested/pier.yaml\n"),
        "{told}"
    );
    assert!(!told.contains("gangway") && !told.contains("changeme"), "{told}");
    assert!(told.starts_with(expected), "{told}");
}

#[test]
fn what_a_change_in_one_file_does_is_all_that_is_told() {
    let harbour = Harbour::new();
    let compared = || harbour.printed(&["after/environments", "--diff=before/environments"]);
    assert_eq!(compared(), "");
    harbour.change("after/environments/20-east.yaml", "ControllerCount: 5", "ControllerCount: 7");
    harbour.change("after/environments/20-east.yaml", "Pier: ../templates", "Pier: ../templates/new");
    let expected = "\
--- before/environments
+++ merged
@@ -11,13 +11,13 @@
   Services:
     - keystone
     - glance   # images
-  ControllerCount: 5
+  ControllerCount: 7
   DbPassword: ***

 resource_registry:
   # the controllers
   OS::Harbour::Controller: after/templates/controller.yaml
-  OS::Harbour::Pier: after/templates/nested/pier.yaml   # ours
+  OS::Harbour::Pier: after/templates/new/nested/pier.yaml   # ours
   resources:
     crane1:
       # the old one
";
    assert_eq!(compared().replace("\n \n", "\n\n"), expected);
    harbour.change("after/environments/20-east.yaml", "DbPassword: gangway", "DbPassword: plank");
    let told = compared();
    assert!(told.contains("DbPassword: ***") && !told.contains("gangway") && !told.contains("plank"), "{told}");
}

#[test]
fn a_mistake_in_the_state_before_is_told_and_nothing_is_written() {
    let harbour = Harbour::new();
    harbour.change("before/environments/10-base.yaml", "parameter_defaults:", "parameter_default:");
    let there = contents(harbour.0.path());
    let (status, out, err) = harbour.merge(&["after/environments", "--diff=before/environments", "-o", "diff.txt"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.starts_with("error: before/environments/10-base.yaml:12:1: an environment has no section"), "{err}");
    assert!(err.contains("did you mean `parameter_defaults`?"), "{err}");
    assert_eq!(contents(harbour.0.path()), there);
}

#[test]
fn options_of_heat_mean_nothing_to_others_and_an_empty_directory_has_no_environment() {
    let harbour = Harbour::new();
    for option in ["--absolute", "--diff=before"] {
        let words = ["merge", "--rules", "overlay", "before/templates/stack.yaml", option];
        let output = yamlift(harbour.0.path()).args(words).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("means something with --rules heat only"), "{told}");
    }
    let (status, _, err) = harbour.merge(&["before"]);
    assert!(status == 2 && err.contains("before: there is no .yaml file directly in this directory"), "{err}");
    let (status, _, err) = harbour.merge(&["-", "--diff=-"]);
    assert!(status == 2 && err.contains("only one file can be standard input"), "{err}");
    let (status, _, err) = harbour.merge(&["before/environments", "--params", "-", "--diff=after/environments"]);
    assert!(status == 2 && err.contains("standard input"), "{err}");
}
