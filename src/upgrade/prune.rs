//! A configuration without what equals the default: the user's own, and nothing else.
//!
//! That is an upgrade to a release that has dropped every key: what the user never touched goes, and what is theirs stays,
//! with its comments, its options and with anchors where they are used. A list is whole or gone.
//!
//! The result is verified by what it means: nothing came in or changed, and what went the default says as well.

use foldhash::HashSet;

use crate::report::{Difference, DifferenceKind};
use crate::text::error::Error;
use crate::text::named::NamedText;
use crate::text::source::Source;
use crate::upgrade::options::{Base, Options};
use crate::upgrade::{self, Named, differences};
use crate::yaml::check;
use crate::yaml::outline::RowKind;
use crate::yaml::path::Step;

/// A configuration that holds only what differs from a default.
///
/// ```
/// let pruned = yamlift::prune("port: 8080  # ours\nhost: web\n", "port: 80\nhost: web\nlog: info\n")?;
/// assert_eq!(pruned.text(), "port: 8080  # ours\n");
/// assert_eq!((pruned.left_out()[0].path.as_str(), pruned.missing()[0].path.as_str()), ("host", "log"));
/// # Ok::<(), yamlift::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pruned {
    pub(crate) text: String,
    pub(crate) left_out: Vec<Difference>,
    pub(crate) missing: Vec<Difference>,
}

impl Pruned {
    /// What is left.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What was left out, since the default says the same; the lines are those of the configuration.
    #[must_use]
    pub fn left_out(&self) -> &[Difference] {
        &self.left_out
    }

    /// What the default has and the configuration does not. Where a program lays the result over the default, it has these
    /// again. The lines are those of the default.
    #[must_use]
    pub fn missing(&self) -> &[Difference] {
        &self.missing
    }
}

/// Takes out of a configuration what equals the default.
///
/// # Errors
/// A text that is not valid YAML, or is no map or several documents: nothing is laid over those key by key.
pub fn prune<'t>(config: impl Into<NamedText<'t>>, default: impl Into<NamedText<'t>>) -> Result<Pruned, Error> {
    named(config.into().or("config"), default.into().or("default"))
}

pub(crate) fn named(config: Named<'_>, default: Named<'_>) -> Result<Pruned, Error> {
    let roots = [root(config)?, root(default)?];
    let apart = differences::compare(config, default)?.differences;
    if roots.contains(&Root::Nothing) {
        return Ok(Pruned { text: config.1.to_owned(), left_out: Vec::new(), missing: only_in_default(apart) });
    }
    let text = without_equals(config, default)?;
    let left_out = differences::compare(config, (config.0, &text))?.differences;
    let own = Own::of(&apart);
    match left_out.iter().find(|gone| own.is_lost(gone)) {
        Some(lost) => Err(Error::verification(format!("`{}` would be lost", lost.path))
            .in_file(config.0)
            .help("please report this; the file is as it was")),
        None => Ok(Pruned { text, left_out, missing: only_in_default(apart) }),
    }
}

/// How often what is left is looked at again.
const PASSES: usize = 8;

/// What is left when all that equals the default went. A key stays for a comment of the user's above it. When all keys above
/// that went, the comment may be the header of the file, and then nothing holds the key.
fn without_equals(config: Named<'_>, default: Named<'_>) -> Result<String, Error> {
    let base = Base { name: default.0.to_owned(), text: default.1.to_owned() };
    let options = Options { base: Some(base), prunes: true, ..Options::default() };
    let mut text = config.1.to_owned();
    for _ in 0..PASSES {
        let left = upgrade::named((config.0, &text), ("nothing", NOTHING), &options)?.text;
        if left == text {
            break;
        }
        text = left;
    }
    Ok(text)
}

/// The default of a release that has dropped every key.
const NOTHING: &str = "{}\n";

/// What a file is as a whole.
#[derive(PartialEq, Eq)]
enum Root {
    Map,
    /// Comments alone.
    Nothing,
}

/// Refuses a file that is neither one map nor nothing.
fn root(file: Named<'_>) -> Result<Root, Error> {
    let source = Source::new(file.0, file.1)?;
    let outline = check::read(&source)?.outline;
    let what = match outline.documents[..] {
        [root] if outline[root].kind == RowKind::Map => return Ok(Root::Map),
        [root] if outline[root].is_null() => return Ok(Root::Nothing),
        [] => return Ok(Root::Nothing),
        [_] => "this is not a map",
        _ => "the file has several documents",
    };
    Err(Error::input(what).in_file(file.0).help("only one map can be laid over another, key by key"))
}

/// The ways to what a configuration has of its own; lists are whole or gone, so all ways are of keys alone.
struct Own<'d> {
    ways: HashSet<&'d [Step]>,
    /// These, and the ways to all that they are in.
    outer: HashSet<&'d [Step]>,
}

impl<'d> Own<'d> {
    /// `apart` is what configuration and default mean differently.
    fn of(apart: &'d [Difference]) -> Self {
        let own = apart.iter().filter(|difference| difference.kind != DifferenceKind::Added);
        let ways: HashSet<_> = own.map(|difference| &difference.place.0[..]).collect();
        let outer = ways.iter().flat_map(|way| (0..=way.len()).map(|length| &way[..length])).collect();
        Self { ways, outer }
    }

    /// Whether something went that the default does not say as well, or anything else became of it.
    fn is_lost(&self, gone: &Difference) -> bool {
        let way = &gone.place.0[..];
        let is_within = || (0..=way.len()).any(|length| self.ways.contains(&way[..length]));
        gone.kind != DifferenceKind::Removed || self.outer.contains(way) || is_within()
    }
}

fn only_in_default(apart: Vec<Difference>) -> Vec<Difference> {
    apart.into_iter().filter(|difference| difference.kind == DifferenceKind::Added).collect()
}
