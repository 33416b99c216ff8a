//! `yamlift restore`: brings a backup back, or says what that would do.

use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;

use super::command_args::Restore as RestoreArgs;
use super::common::Format;
use super::output::{self, Masked};
use super::secret_args::SecretArgs;
use crate::files::{self, Restored};
use crate::report::Size;
use crate::report::secrets::{self, Secrets};
use crate::text::error::{Error, visible};
use crate::text::masking::excerpt;
use crate::text::source::Source;
use crate::yaml::check;

/// Brings back a backup, or tells what that would do.
pub(super) fn restore(args: &RestoreArgs) -> Result<ExitCode, Error> {
    // A path that is not well formed is refused before anything is written.
    let secrets = args.secrets.secrets()?;
    let bring_back = if args.dry_run { files::preview } else { files::restore };
    let restored = bring_back(&args.config, args.backup.as_deref(), &args.file.options())?;
    if !args.common.quiet {
        warn_of_unmatched(args, &restored);
        let told = Told::of(args, &restored, secrets);
        let printed = told.text(args.format).and_then(|text| output::print(&mut anstream::stdout(), &text));
        printed.map_err(|error| if told.written { output::unprinted(&error, &args.config) } else { error })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Warns of paths of `--secret` that name nothing in what a diff shows.
fn warn_of_unmatched(args: &RestoreArgs, restored: &Restored) {
    if args.diff || args.dry_run {
        let shown = restored.before.iter().chain([&restored.after]);
        let texts: Vec<_> = shown.map(|bytes| String::from_utf8_lossy(bytes)).collect();
        args.secrets.warn_of_unmatched(texts.iter().map(|text| &**text));
    }
}

/// What is told of a restored file; as JSON, `schema` 1, see `docs/files.md`.
#[derive(Serialize)]
struct Told {
    schema: u32,
    /// `restored` or `unchanged`; what a dry run says would be so.
    status: &'static str,
    written: bool,
    /// What CONFIG held before.
    configuration: Option<Size>,
    /// The backup.
    from: Size,
    /// Where what CONFIG held is kept now.
    backup: Option<String>,
    diff: Option<String>,
    /// How CONFIG is named.
    #[serde(skip)]
    name: String,
    #[serde(skip)]
    is_dry_run: bool,
    /// Whether what CONFIG holds would become a backup.
    #[serde(skip)]
    would_be_kept: bool,
}

impl Told {
    fn of(args: &RestoreArgs, restored: &Restored, secrets: Secrets) -> Self {
        let name = args.config.display().to_string();
        let before = restored.before.as_deref().map(String::from_utf8_lossy);
        let after = String::from_utf8_lossy(&restored.after);
        let texts = [before.as_deref().unwrap_or_default(), &after];
        let diff = (args.diff || args.dry_run).then(|| diff(&name, texts, Hiding { secrets, args: &args.secrets }));
        Self {
            schema: 1,
            status: if restored.changed() { "restored" } else { "unchanged" },
            written: restored.changed() && !args.dry_run,
            configuration: before.as_deref().map(|text| Size::of(&name, text)),
            from: Size::of(&shown(&restored.from), &after),
            backup: restored.backup.as_deref().map(|path| path.display().to_string()),
            diff,
            name,
            is_dry_run: args.dry_run,
            would_be_kept: args.dry_run && restored.changed() && before.is_some() && !args.file.no_backup,
        }
    }

    fn text(&self, format: Format) -> Result<String, Error> {
        match format {
            Format::Json => output::json(self),
            Format::Text => Ok(self.words()),
        }
    }

    fn words(&self) -> String {
        let what = match (self.status, self.is_dry_run) {
            ("unchanged", _) => "Not changed, it is the same as",
            (_, true) => "Would be restored from",
            (_, false) => "Restored from",
        };
        let backup = self.backup.as_ref().map(|path| output::backup(Path::new(path)));
        let kept = self.would_be_kept.then(|| "What it holds now would be kept as a backup\n".to_owned());
        let diff = self.diff.as_ref().filter(|diff| !diff.is_empty());
        let diff = diff.map(|diff| format!("\n{}", output::shown(diff)));
        let head = format!("Your file:    {}\n{what} {}\n", visible(&self.name), visible(&self.from.name));
        [Some(head), kept, backup, diff].into_iter().flatten().collect()
    }
}

/// A path as it is printed.
fn shown(path: &Path) -> String {
    visible(&path.display().to_string())
}

/// What a diff does not show.
struct Hiding<'s> {
    secrets: Secrets,
    args: &'s SecretArgs,
}

/// What CONFIG held, and what the backup holds, as a diff without secrets.
fn diff(name: &str, texts: [&str; 2], mut hiding: Hiding<'_>) -> String {
    let masked = texts.map(|text| hiding.mask(text));
    let [before, after] = &masked;
    let after = Masked { texts, masked: [before, after] }.after();
    hiding.secrets.mask_known(&output::diff_between(name, &format!("{name} (restored)"), before, &after))
}

impl Hiding<'_> {
    /// A text without its secrets. One that is not YAML is masked line by line: it may be just the one to replace.
    fn mask(&mut self, text: &str) -> String {
        let is_yaml = Source::new("", text).and_then(|source| check::read(&source).map(|_| ())).is_ok();
        let hides = !self.args.show_secrets || !self.args.secret.is_empty();
        if is_yaml || !hides {
            return self.secrets.mask_text(text).into_owned();
        }
        excerpt::mask_unread(text, &secrets::last_keys(&self.args.secret, &[]))
    }
}
