//! Paths of options that name nothing in any of the files: most likely misspelt, and what they were to do is not done.
//!
//! A secret stays visible then, and a list is merged by another rule; so it is told, with the nearest path that is there.

use crate::text::error::visible;
use crate::text::source::Source;
use crate::upgrade::options::Options;
use crate::yaml::check;
use crate::yaml::key_paths;
use crate::yaml::nearest;
use crate::yaml::outline::Outline;
use crate::yaml::path::{Path, Step};
use crate::yaml::pattern::{Pattern, Word};

/// A path that an option has.
struct Given<'o> {
    option: &'static str,
    text: &'o str,
}

/// Warnings about the paths in options of an upgrade.
pub(crate) fn of_options(options: &Options, files: &[&Outline<'_>]) -> Vec<String> {
    let secret = options.secret.iter().map(|path| Given { option: "--secret", text: path });
    let keys = options.list_keys.iter().map(|(path, _)| Given { option: "--list-key", text: path });
    let modes = options.list_modes.iter().map(|(path, _)| Given { option: "--list-merge", text: path });
    warnings(secret.chain(keys).chain(modes), files)
}

/// Warnings about the paths of `--secret` for some texts. Those that cannot be read hold nothing that is known.
pub(crate) fn of_secrets<'t>(paths: &[String], texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    if paths.is_empty() {
        return Vec::new();
    }
    of_texts(texts, |files| warnings(paths.iter().map(|path| Given { option: "--secret", text: path }), files))
}

/// The path in any of these texts that is nearest to this one.
pub(crate) fn nearest_in<'t>(path: &str, texts: impl Iterator<Item = &'t str>) -> Option<String> {
    of_texts(texts, |files| nearest::nearest_path(path, files))
}

/// What is found in the outlines of these texts. Those that cannot be read are left out.
fn of_texts<'t, T>(texts: impl Iterator<Item = &'t str>, found: impl FnOnce(&[&Outline<'_>]) -> T) -> T {
    let sources: Vec<_> = texts.filter_map(|text| Source::new("text", text).ok()).collect();
    let checked: Vec<_> = sources.iter().filter_map(|source| check::read(source).ok()).collect();
    found(&checked.iter().map(|checked| &checked.outline).collect::<Vec<_>>())
}

/// The same for documents of Deckhand: a path may also start at their data.
pub(crate) fn of_secrets_of_documents<'t, T: Iterator<Item = &'t str>>(
    paths: &[String],
    texts: impl Fn() -> T,
) -> Vec<String> {
    let is_in_data = |path: &String| of_secrets(&[format!("data/{path}")], texts()).is_empty();
    let others: Vec<_> = paths.iter().filter(|path| !is_in_data(path)).cloned().collect();
    of_secrets(&others, texts())
}

fn warnings<'o>(given: impl Iterator<Item = Given<'o>>, files: &[&Outline<'_>]) -> Vec<String> {
    let mut told = Vec::new();
    for Given { option, text } in given {
        // One that is not well formed is refused elsewhere.
        let Ok(pattern) = Pattern::read(text) else { continue };
        if !files.iter().any(|file| is_in(&pattern, text, file)) {
            let near = nearest::did_you_mean(text, files);
            told.push(format!("{option} `{}` names nothing in any of the files{near}", visible(text)));
        }
    }
    told
}

fn is_in(pattern: &Pattern, text: &str, file: &Outline<'_>) -> bool {
    let inside = match pattern.0.split_first() {
        Some((Word::Step(Step::Document(_)), inside)) => Pattern(inside.to_vec()),
        _ => pattern.clone(),
    };
    let mut found = false;
    key_paths::visit(file, &mut |steps, _| {
        found = found || inside.names(steps) || (text.contains('.') && Path(steps.to_vec()).to_string() == text);
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_nothing_is_told_with_what_is_near() {
        let text = "db: {dsn: x, user: y}\nhosts:\n- name: a\n  tags: [b]\na.b: 1\n";
        let told = |path: &str| of_secrets(&[path.to_owned()], [text].into_iter());
        for path in
            ["db/dsn", "db", "**/dsn", "hosts[0]/tags", "hosts[*]/name", "hosts[name=a]", "*/user", "a.b", "@0/db/dsn"]
        {
            assert_eq!(told(path), [""; 0], "{path}");
        }
        let near = [
            ("db/dns", "db/dsn"),
            ("**/tag", "hosts[0]/tags"),
            ("db/usr", "db/user"),
            ("DB/dsn", "db/dsn"),
            ("host", "hosts"),
        ];
        for (path, near) in near {
            let words = format!("--secret `{path}` names nothing in any of the files, did you mean `{near}`?");
            assert_eq!(told(path), [words]);
        }
        assert_eq!(told("quite/different"), ["--secret `quite/different` names nothing in any of the files"]);
    }
}
