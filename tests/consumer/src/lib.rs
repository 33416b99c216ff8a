//! What users of the library write, with nothing but its public interface. `.ci/run` runs this with each feature alone.
#![deny(warnings)]

use yamlift::{Answer, Base, Conflict, Error, ErrorKind, NamedText, OnConflict, Options, Take};

/// Upgrades a configuration; a conflict is decided by its path, and no message is read.
///
/// # Errors
/// Those of an upgrade.
pub fn upgraded(current: &str, base: &str, update: &str) -> Result<String, Error> {
    let mut options = Options::default();
    options.base = Some(Base::new("old.yml", base));
    options.on_conflict = OnConflict::Fail;
    let (current, update) = (NamedText::new("config.yml", current), NamedText::new("new.yml", update));
    match yamlift::upgrade(current, update, &options) {
        Ok(upgrade) => Ok(upgrade.text().to_owned()),
        Err(refused) if refused.kind() == ErrorKind::Conflict => {
            options.answers = refused.conflicts().iter().map(decided).collect();
            Ok(yamlift::upgrade(current, update, &options)?.text().to_owned())
        }
        Err(refused) => Err(refused),
    }
}

fn decided(conflict: &Conflict) -> Answer {
    let is_limit = conflict.path.starts_with("limits/");
    Answer::to(conflict, if is_limit { Take::Theirs } else { Take::Mine })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts_are_decided_without_reading_text() {
        let base = "limits:\n  open: 10\nname: a\n";
        let update = "name: c\nlimits:\n  # since 2.0\n  open: 40\n";
        let done = upgraded("name: b # ours\nlimits:\n  open: 20\n", base, update).unwrap();
        assert_eq!(done, "name: b # ours\nlimits:\n  # since 2.0\n  open: 40\n");
    }

    #[test]
    fn errors_and_conflicts_have_the_names_of_the_caller() {
        let refused = upgraded("a: [1\n", "a: 1\n", "a: 2\n").unwrap_err();
        assert_eq!((refused.kind(), refused.file()), (ErrorKind::Input, Some("config.yml")));
        assert!(refused.place().is_some() && refused.advice().is_some());
        let mut options = Options::default();
        (options.base, options.on_conflict) = (Some(Base::new("old.yml", "x: {a: 1}\n")), OnConflict::Fail);
        let (current, update) =
            (NamedText::new("config.yml", "#\nx:\n  a: 2\n"), NamedText::new("new.yml", "x: {a: 3}\n"));
        let refused = yamlift::upgrade(current, update, &options).unwrap_err();
        let [conflict] = refused.conflicts() else { panic!("{refused}") };
        let told =
            |value: Option<&yamlift::Value>| value.map(|value| (value.file.clone(), value.line, value.text.clone()));
        let told = [told(conflict.mine()), told(conflict.theirs()), told(conflict.was())];
        let due = [("config.yml", 3, "2"), ("new.yml", 1, "3"), ("old.yml", 1, "1")];
        assert_eq!(told, due.map(|(file, line, text)| Some((file.to_owned(), line, text.to_owned()))));
        assert_eq!((conflict.path.as_str(), conflict.in_default.as_str()), ("x/a", "x/a"));
    }

    #[cfg(feature = "files")]
    #[test]
    fn a_dry_run_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (config, update) = (folder.path().join("config.yml"), folder.path().join("new.yml"));
        std::fs::write(&config, "a: 1\n").unwrap();
        std::fs::write(&update, "a: 2\nb: 3\n").unwrap();
        let how = yamlift::FileOptions::default();
        let preview = yamlift::preview_upgrade_file(&config, &update, &Options::default(), &how).unwrap();
        assert!(preview.would_write());
        assert_eq!(preview.upgrade().text(), "a: 1\nb: 3\n");
        assert_eq!(std::fs::read_to_string(&config).unwrap(), "a: 1\n");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[cfg(feature = "layers")]
    #[test]
    fn layers_are_joined() {
        let rules = yamlift::MergeRules::Own("yamlift: 1\nlists: append\n".into());
        let merged = yamlift::merge(&["a: [1] # one\n".into(), "a: [2]\n".into()], &rules).unwrap();
        assert_eq!(merged.text(), "a: [1, 2] # one\n");
    }

    #[cfg(feature = "properties")]
    #[test]
    fn variables_come_from_properties() {
        let mut options = Options::default();
        options.variables.read_properties("port=8443\n").unwrap();
        assert_eq!(yamlift::install("port: #{port}\n", &options).unwrap().text(), "port: 8443\n");
    }
}
