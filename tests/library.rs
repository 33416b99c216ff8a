//! What a program gets from the library: data and texts, with its own names, and the errors of the system behind ours.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::error::Error as _;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use yamlift::{Backup, ErrorKind, FileOptions, LayerOptions, Mask, MergeRules, NamedText, Options};

/// A directory with a configuration and its new default.
fn files(config: &str, update: &str) -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("config.yml"), folder.path().join("new.yml"));
    fs::write(&old, config).unwrap();
    fs::write(&new, update).unwrap();
    (folder, old, new)
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn the_source_of_an_error_is_that_of_the_system() {
    let (folder, config, _) = files("a: 1\n", "");
    let absent = folder.path().join("absent.yml");
    let refused = yamlift::upgrade_file(&config, &absent, &Options::default(), &FileOptions::default()).unwrap_err();
    let source = refused.source().and_then(|source| source.downcast_ref::<io::Error>()).unwrap();
    assert_eq!(source.kind(), io::ErrorKind::NotFound);
    assert_eq!((refused.kind(), refused.file()), (ErrorKind::Input, absent.to_str()));
    assert!(yamlift::upgrade("a: [\n", "a: 1\n", &Options::default()).unwrap_err().source().is_none());
}

#[test]
fn every_function_takes_names() {
    let (bad, good) = (NamedText::new("bad.yml", "a: 1\na: 2\n"), NamedText::new("good.yml", "a: 1\n"));
    let options = Options::default();
    let migration = yamlift::Migration::read("m.yml", "yamlift: 1\n").unwrap();
    let refused = [
        yamlift::upgrade(bad, good, &options).unwrap_err(),
        yamlift::install(bad, &options).unwrap_err(),
        yamlift::prune(good, bad).unwrap_err(),
        yamlift::differences(good, bad).unwrap_err(),
        yamlift::outline(bad).unwrap_err(),
        yamlift::explain(good, bad, &options, "a").unwrap_err(),
        yamlift::value_at(bad, "a").unwrap_err(),
        migration.check(bad, None, None).unwrap_err(),
        yamlift::merge(&[bad], &MergeRules::Own("yamlift: 1\n".into())).unwrap_err(),
        yamlift::merge(&[good], &MergeRules::Own(bad)).unwrap_err(),
    ];
    for error in refused {
        assert!(error.to_string().starts_with("bad.yml:2:1: "), "{error}");
    }
}

#[test]
fn without_the_list_of_changes_all_else_is_as_ever() {
    let current = "a: 1\nown: 2\nread_timeout_ms: 5000\n";
    let update = "# New.\na: 5\n#port: 80\nread_timeout: 5s\n";
    let mut options = Options::default();
    options.base = Some("a: 1\nread_timeout_ms: 5000\n".into());
    options.delete.push("nothing/here".to_owned());
    let told = yamlift::upgrade(current, update, &options).unwrap();
    options.skip_changes = true;
    let silent = yamlift::upgrade(current, update, &options).unwrap();
    assert!(!told.report().changes().is_empty() && silent.report().changes().is_empty());
    assert_eq!((silent.text(), silent.report().changed()), (told.text(), true));
    assert_eq!(silent.report().warnings(), told.report().warnings());
    assert_eq!(silent.report().suggestions(), told.report().suggestions());
    assert!(!told.report().warnings().is_empty() && !told.report().suggestions().is_empty());
}

#[test]
fn a_preview_is_what_the_upgrade_does_and_writes_nothing() {
    let (folder, config, update) = files("a: 1 # mine\n", "a: 2\nb: 3\n");
    let (options, mut how) = (Options::default(), FileOptions::default());
    how.keep_backups = NonZeroUsize::new(1);
    let first = yamlift::preview_upgrade_file(&config, &update, &options, &how).unwrap();
    assert_eq!(names(folder.path()), ["config.yml", "new.yml"]);
    assert_eq!((first.before(), first.removed_backups()), (Some("a: 1 # mine\n"), [].as_slice()));
    assert_eq!(first.backup_folder().unwrap().canonicalize().unwrap(), folder.path().canonicalize().unwrap());
    let done = yamlift::upgrade_file(&config, &update, &options, &how).unwrap();
    assert_eq!(done.upgrade(), first.upgrade());

    let kept = done.backup().unwrap().to_owned();
    let again = yamlift::preview_upgrade_file(&config, &update, &options, &how).unwrap();
    assert!(!again.would_write() && again.backup_folder().is_none() && again.removed_backups().is_empty());
    fs::write(&update, "a: 2\nb: 3\nc: 4\n").unwrap();
    let third = yamlift::preview_upgrade_file(&config, &update, &options, &how).unwrap();
    assert_eq!(third.removed_backups().iter().map(|path| path.file_name()).collect::<Vec<_>>(), [kept.file_name()]);
    yamlift::upgrade_file(&config, &update, &options, &how).unwrap();
    assert!(!kept.exists());
}

#[test]
fn a_preview_of_what_is_not_there_is_an_installation() {
    let (folder, _, update) = files("", "a: 2\n");
    let config = folder.path().join("below/config.yml");
    let how = FileOptions::default();
    let preview = yamlift::preview_upgrade_file(&config, &update, &Options::default(), &how).unwrap();
    assert!(preview.would_write() && preview.before().is_none() && preview.backup_folder().is_none());
    assert_eq!(preview.upgrade().text(), "a: 2\n");
    assert!(!folder.path().join("below").exists());
}

#[test]
fn backups_are_listed_and_brought_back() {
    let (folder, config, update) = files("a: 1\n", "a: 2\nb: 3\n");
    let mut how = FileOptions::default();
    how.backup = Backup::In(folder.path().join("kept"));
    yamlift::upgrade_file(&config, &update, &Options::default(), &how).unwrap();
    let backups = yamlift::backups(&config, &how).unwrap();
    assert_eq!((backups.len(), backups[0].size), (1, 5));
    assert!(backups[0].time.elapsed().is_ok_and(|age| age.as_secs() < 3600));
    let preview = yamlift::preview_restore(&config, None, &how).unwrap();
    assert_eq!((preview.changed(), preview.after(), preview.backup()), (true, b"a: 1\n".as_slice(), None));
    assert_eq!(fs::read_to_string(&config).unwrap(), "a: 1\nb: 3\n");
    let restored = yamlift::restore(&config, Some(&backups[0].path), &how).unwrap();
    assert_eq!((restored.from(), restored.before()), (backups[0].path.as_path(), Some(b"a: 1\nb: 3\n".as_slice())));
    assert!(restored.backup().is_some());
    assert_eq!(fs::read_to_string(&config).unwrap(), "a: 1\n");
}

#[test]
fn a_mask_hides_what_is_secret_in_all_that_is_told() {
    let (current, update) = ("db: {dsn: hush-hush}\n", "db: {dsn: none}\ntoken: hunter2\n");
    let upgrade = yamlift::upgrade(current, update, &Options::default()).unwrap();
    let texts = [current, update, upgrade.text()];
    let mut mask = Mask::default().with_paths(&["**/dsn"]).unwrap();
    let told = yamlift::explain(current, update, &Options::default(), "db/dsn").unwrap();
    let shown = [
        mask.report(upgrade.report(), &texts).to_string(),
        format!("{:?}", mask.report(upgrade.report(), &texts)),
        format!("{:?}", mask.differences(yamlift::differences(current, update).unwrap(), &texts)),
        mask.explanation(told.clone(), &texts).to_string(),
        mask.words("it was hush-hush, and is hunter2", &texts),
        mask.text(update),
    ];
    for shown in shown {
        assert!(shown.contains("***") && !shown.contains("hush-hush") && !shown.contains("hunter2"), "{shown}");
    }
    assert!(Mask::nothing().explanation(told, &texts).to_string().contains("hush-hush"));
    assert!(Mask::default().with_paths(&["a[["]).is_err());
}

const DOCUMENTS: &str = "\
schema: deckhand/LayeringPolicy/v1
metadata: {schema: metadata/Control/v1, name: policy}
data: {layerOrder: [global, site]}
---
schema: example/Relay/v1
metadata:
  schema: metadata/Document/v1
  name: all
  labels: {name: all}
  layeringDefinition: {abstract: true, layer: global}
data: {port: 80, token: hunter2} # everywhere
";

const SITE: &str = "\
schema: example/Relay/v1
metadata:
  schema: metadata/Document/v1
  name: east
  layeringDefinition:
    layer: site
    parentSelector: {name: all}
    actions: [{method: merge, path: .}]
data: {port: 81}
";

#[test]
fn documents_are_rendered_and_explained() {
    let files = [NamedText::new("global.yml", DOCUMENTS), NamedText::new("east.yml", SITE)];
    let mut options = LayerOptions::default();
    options.only.push("example/Relay/v1/east".to_owned());
    let layered = yamlift::layer(&files, &options).unwrap();
    assert!(layered.text().contains("port: 81") && layered.text().contains("token: hunter2"), "{}", layered.text());
    assert!(layered.warnings().is_empty());
    let explained = yamlift::explain_layer(&files, &options, &Mask::default()).unwrap();
    let told = explained[0].values.iter().map(|value| (value.value.as_str(), value.file.as_deref()));
    assert_eq!(told.collect::<Vec<_>>(), [("81", Some("east.yml")), ("***", Some("global.yml"))]);
}

#[test]
fn all_that_is_wrong_with_documents_is_told_at_once() {
    let files = [NamedText::new("one.yml", "a: 1\na: 2\n"), NamedText::new("two.yml", "b: [\n")];
    let refused = yamlift::layer(&files, &LayerOptions::default()).unwrap_err();
    let names: Vec<_> = refused.errors().iter().map(yamlift::Error::file).collect();
    assert_eq!(names, [Some("one.yml"), Some("two.yml")]);
    assert!(refused.source().is_some() && refused.to_string().contains("two.yml:"));
}
