//! Names that items have in them, in the short forms and the long ones of a notation.

use crate::layers::values::Value;

/// How the items of a list are written that are known by a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// Texts `NAME=VALUE`. A map of names to values is the same in another form.
    Pairs,
    /// What is mounted somewhere: one place is one name.
    Mounts,
    /// What is published by Compose: one port of a host to one of a container.
    Ports,
    /// Files, as a text or under `path`.
    Paths,
    /// What Compose mounts below `/run/secrets` where nothing else is said.
    Secrets,
    /// The same below the root.
    Configs,
}

impl Notation {
    /// What an item is known by.
    pub(super) fn name(self, item: &Value<'_>) -> Option<String> {
        match self {
            Self::Pairs => name_of_pair(item),
            Self::Mounts => name_of_mount(item),
            Self::Ports => name_of_port(item),
            Self::Paths => text(item.get("path").unwrap_or(item)).map(str::to_owned),
            Self::Secrets => name_below("/run/secrets", item),
            Self::Configs => name_below("", item),
        }
    }

    /// How an explanation says that a list was merged so.
    pub(super) fn rule(self) -> &'static str {
        match self {
            Self::Pairs => "lists: pairs",
            Self::Mounts => "lists: mounts",
            Self::Ports => "lists: ports",
            Self::Paths => "lists: paths",
            Self::Secrets => "lists: secrets",
            Self::Configs => "lists: configs",
        }
    }
}

fn text<'v>(value: &'v Value<'_>) -> Option<&'v str> {
    value.scalar().map(|scalar| &*scalar.text)
}

/// The name in `NAME=VALUE`, or in `NAME` alone.
fn name_of_pair(item: &Value<'_>) -> Option<String> {
    let text = text(item)?;
    Some(text.split_once('=').map_or(text, |(name, _)| name).to_owned())
}

/// Where something is mounted: the second part of `SOURCE:TARGET[:MODE]`, the whole of a text without a colon, the `target`
/// of a map or, without that, its `source`.
fn name_of_mount(item: &Value<'_>) -> Option<String> {
    if item.is_map() {
        return text(item.get("target").or_else(|| item.get("source"))?).map(str::to_owned);
    }
    let text = text(item)?;
    let parts: Vec<&str> = text.split(':').collect();
    // The source may be a path of Windows, which has a colon behind the letter of its drive.
    let is_drive = parts[0].len() == 1 && parts.get(1).is_some_and(|path| path.starts_with('\\'));
    let target = parts.get(if is_drive { 2 } else { 1 }).copied();
    Some(target.unwrap_or(text).to_owned())
}

/// The address, the port there, the one in the container and the protocol. A range counts as one port.
fn name_of_port(item: &Value<'_>) -> Option<String> {
    let (address, published, target, protocol) = if item.is_map() {
        let field = |name: &str| item.get(name).and_then(text).unwrap_or_default();
        (field("host_ip"), field("published"), text(item.get("target")?)?, field("protocol"))
    } else {
        let (ports, protocol) = text(item)?.split_once('/').unwrap_or((text(item)?, ""));
        let (before, target) = ports.rsplit_once(':').unwrap_or(("", ports));
        let (address, published) = before.rsplit_once(':').unwrap_or(("", before));
        (address.trim_start_matches('[').trim_end_matches(']'), published, target, protocol)
    };
    let or = |given: &str, default: &str| if given.is_empty() { default.to_owned() } else { given.to_owned() };
    Some(format!("{}:{published}:{target}/{}", or(address, "0.0.0.0"), or(protocol, "tcp")))
}

/// The `target` of a map, or else what is below a directory by its name.
fn name_below(directory: &str, item: &Value<'_>) -> Option<String> {
    let target = item.get("target").and_then(text).map(str::to_owned);
    target.or_else(|| Some(format!("{directory}/{}", text(item.get("source").unwrap_or(item))?)))
}
