//! One comment line: whether its text could be a key or an item, and whether it rather reads like prose.

use foldhash::HashSet;

use crate::text::scan::{self, Brackets, Start};

/// Names of keys.
pub(crate) type Names<'k> = HashSet<&'k str>;
/// The name of a key, behind that of the key of its map; a document has none, and that of an item is empty.
pub(crate) type KeyOfMap<'k> = (Option<&'k str>, &'k str);

/// What another version of a file tells of the comments in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known<'k> {
    /// What is a key there, live or commented out.
    pub(crate) names: Names<'k>,
    /// The comments that look like keys and are prose there.
    pub(crate) prose: HashSet<&'k str>,
    /// The keys that are live in a map there and not in a map of that name here: where a comment in such a map starts with one,
    /// that is the key and its value, be that a sentence or nothing.
    pub(crate) live_there_alone: HashSet<KeyOfMap<'k>>,
    /// The keys that are commented out there: a comment here that could be a key of several maps is the one that is among these,
    /// or else among those that are live there alone.
    pub(crate) commented_out_there: HashSet<KeyOfMap<'k>>,
    /// The keys that are live in the map of a key of the same name.
    pub(crate) same_as_parent: Names<'k>,
    none: Names<'k>,
}

impl<'k> Known<'k> {
    pub(crate) fn of_names(names: Names<'k>) -> Self {
        Self { names, ..Self::default() }
    }

    /// The keys of these maps, commented out there.
    pub(crate) fn of_maps(keys: impl Iterator<Item = KeyOfMap<'k>>) -> Self {
        Self { commented_out_there: keys.collect(), ..Self::default() }
    }

    /// Whether a comment that starts with the key that it stands below explains that, and is no key itself.
    pub(super) fn explains(&self, key: &str, name: &str) -> bool {
        key == name && !self.same_as_parent.contains(name)
    }

    /// The names that a comment may be a key of: none, where it is prose in the other version.
    pub(super) fn names_in(&self, comment: &str) -> &Names<'k> {
        let is_prose = || comment.contains(':') && self.prose.contains(comment.trim_ascii_end());
        if is_prose() { &self.none } else { &self.names }
    }
}

/// What a comment line says behind its `#`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Said<'l> {
    /// How many blanks stand between the `#` and the text.
    pub(crate) blanks: i32,
    pub(crate) text: &'l str,
}

impl<'l> Said<'l> {
    /// The text of a comment line; nothing for a bare `#`, for `##`, for a rule of dashes, and where the line ends in `#`.
    pub(crate) fn of(comment: &'l str) -> Option<Self> {
        let inner = comment.trim_end().strip_prefix('#')?;
        let text = inner.trim_start_matches([' ', '\t']);
        let is_framed = inner.starts_with('#') || inner.ends_with('#');
        let blanks = i32::try_from(inner.len() - text.len()).unwrap_or(0);
        (!is_framed && scan::has_words(text)).then_some(Self { blanks, text })
    }
}

/// How many blanks stand behind the `#` of a line in a commented-out text; nothing for one that says nothing.
pub(super) fn blanks_of_text(comment: &str) -> Option<i32> {
    let text = comment.trim_end().trim_start_matches('#');
    let blanks = text.len() - text.trim_start().len();
    if text.trim().is_empty() { None } else { i32::try_from(blanks).ok() }
}

/// What would be the name of a key in a comment, of several words, too, and what stands behind its colon.
pub(super) fn name_in(comment: &str) -> Option<(&str, &str)> {
    let text = Said::of(comment)?.text;
    let (key, rest) = scan::key_and_rest(text.strip_prefix("- ").map_or(text, str::trim_ascii_start))?;
    Some((key.trim_ascii_end(), rest.trim_ascii()))
}

/// The name of the key that a comment by itself would be, where it does not read like prose.
pub(crate) fn key_in(comment: &str) -> Option<&str> {
    key_said(Said::of(comment)?.text)
}

/// The same for what the comment says.
pub(crate) fn key_said(said: &str) -> Option<&str> {
    let entry = Entry::of(said, &Names::default()).filter(|entry| !entry.is_prose(true))?;
    if let EntryKind::Key(name) = entry.kind { Some(name) } else { None }
}

/// A text that would be a key or an item if it were not commented out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry<'l> {
    pub(super) kind: EntryKind<'l>,
    /// The value, or the text of an item.
    value: &'l str,
    /// How far right of the entry the keys of an item stand: `- name: x`.
    pub(super) inner: Option<i32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind<'l> {
    Key(&'l str),
    /// With the key on its line: `- name: x`.
    Item {
        first_key: Option<&'l str>,
    },
}

/// Which lines below an entry are more of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Continues {
    /// None.
    No,
    /// All that are deeper: a block scalar.
    Deeper,
    /// All up to the bracket or quote that closes.
    Until(char),
}

impl<'l> Entry<'l> {
    /// A text by itself, where some names are known as those of keys.
    pub(super) fn of(text: &'l str, known: &Names<'_>) -> Option<Self> {
        let name = |key| name(key, known);
        if let Some(rest) = text.strip_prefix("- ") {
            let inner = rest.trim_start_matches(' ');
            let behind_dash = i32::try_from(text.len() - inner.len()).unwrap_or(2);
            let key = scan::key_and_rest(inner).and_then(|(key, rest)| Some((name(key)?, rest)));
            let value = key.map_or(inner, |(_, rest)| rest);
            let kind = EntryKind::Item { first_key: key.map(|(name, _)| name) };
            return Some(Self { kind, value, inner: key.map(|_| behind_dash) });
        }
        let (key, value) = scan::key_and_rest(text)?;
        Some(Self { kind: EntryKind::Key(name(key)?), value, inner: None })
    }

    pub(super) fn is_item(&self) -> bool {
        matches!(self.kind, EntryKind::Item { .. })
    }

    /// Whether keys or items can stand below it: it has no value, or an empty collection.
    pub(super) fn is_open(&self) -> bool {
        let value = self.value[..scan::comment_start(self.value).unwrap_or(self.value.len())].trim();
        match self.inner {
            None if self.is_item() => false,
            _ => scan::value_start(self.value).0 == Start::Nothing || matches!(value, "{}" | "[]"),
        }
    }

    pub(super) fn continues(&self) -> Continues {
        let (start, at) = scan::value_start(self.value);
        let value = &self.value[at..];
        match start {
            Start::Block(_) => Continues::Deeper,
            Start::Flow if Brackets::default().close(value).is_none() => {
                Continues::Until(if value.starts_with('[') { ']' } else { '}' })
            }
            Start::Quoted if scan::quote_end(value).is_none() => {
                Continues::Until(if value.starts_with('"') { '"' } else { '\'' })
            }
            _ => Continues::No,
        }
    }

    /// Whether the words read like a sentence and not like an option; `strict` where nothing around speaks for an option.
    pub(super) fn is_prose(&self, strict: bool) -> bool {
        match self.kind {
            EntryKind::Key(name) => self.is_heading(name) || is_sentence(self.value, strict),
            EntryKind::Item { .. } if self.inner.is_some() => is_sentence(self.value, strict),
            EntryKind::Item { .. } => is_address(self.value) || words(self.value).count > 2,
        }
    }

    /// Whether it is a key of a name that no sentence starts with, such as `archive_command`, `cacheSize` or `X-Real-IP`. Right
    /// below an option that is no prose, whatever its value reads like.
    pub(super) fn is_identifier(&self) -> bool {
        let EntryKind::Key(name) = self.kind else { return false };
        let mut pairs = name.chars().zip(name.chars().skip(1));
        name.contains('_') || pairs.any(|(c, next)| (c.is_lowercase() || c == '-') && next.is_uppercase())
    }

    /// Whether its name starts a remark, as in `Note: x` and `Docs: https://example.org`.
    fn is_heading(&self, name: &str) -> bool {
        let is_capitalised = || name.starts_with(char::is_uppercase) && !self.is_identifier();
        REMARKS.iter().any(|remark| name.eq_ignore_ascii_case(remark))
            || HEADINGS.contains(&name)
            || (is_address(self.value) && is_capitalised())
    }

    /// Whether it is a key of one of these names, or an item that starts with one.
    pub(super) fn is_known(&self, names: &Names<'_>) -> bool {
        let (EntryKind::Key(name) | EntryKind::Item { first_key: Some(name) }) = self.kind else { return false };
        names.contains(name)
    }

    /// The key that it is or starts with in what belongs to a key.
    pub(super) fn key_of_map(&self, owner: Option<&'l str>) -> Option<KeyOfMap<'l>> {
        match self.kind {
            EntryKind::Key(name) => Some((owner, name)),
            EntryKind::Item { first_key } => Some((Some(""), first_key?)),
        }
    }

    /// Whether its value is a sentence, whatever stands before it.
    pub(super) fn is_sentence(&self) -> bool {
        is_sentence(self.value, false)
    }

    /// Whether nothing stands behind it but a comment.
    pub(super) fn has_no_value(&self) -> bool {
        scan::value_start(self.value).0 == Start::Nothing
    }
}

/// A key without its quotes, if it is one word, quoted, known or a merge key. Words joined by `::` are one:
/// `OS::Nova::Server`.
fn name<'l>(key: &'l str, known: &Names<'_>) -> Option<&'l str> {
    let key = key.trim_end();
    let quoted = ['"', '\''].iter().find_map(|quote| key.strip_prefix(*quote)?.strip_suffix(*quote));
    let is_one_word = || if key.contains(':') { key.split("::").all(is_word) } else { is_word(key) };
    let is_name = || key == "<<" || is_one_word() || known.contains(key);
    quoted.or_else(|| is_name().then_some(key))
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/'))
        && scan::has_words(text)
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+' | '@' | '$'))
}

/// Words that start a remark: `Note: only with TLS`.
const REMARKS: [&str; 10] = ["note", "example", "e.g.", "eg", "i.e.", "ie", "ref", "see", "todo", "vim"];

/// Words that start a remark where they are capitalised.
const HEADINGS: [&str; 6] = ["Default", "Examples", "Values", "Options", "Author", "Source"];

fn is_address(value: &str) -> bool {
    let value = value.trim();
    ["http://", "https://"].iter().any(|scheme| value.starts_with(scheme)) && !value.contains(' ')
}

fn is_sentence(value: &str, strict: bool) -> bool {
    let value = value[..scan::comment_start(value).unwrap_or(value.len())].trim();
    let is_placeholder = value.starts_with('<') && value.ends_with('>');
    if scan::value_start(value).0 != Start::Plain || is_placeholder {
        return false;
    }
    // `https://example.org || Name || #fff` is one value of several parts.
    let Words { count, marks } = words(value);
    count - marks > 4 || value.contains(": ") || (count > 1 && value.ends_with('.')) || (strict && count > 2)
}

/// How many words a value has, and how many of them say nothing.
struct Words {
    count: usize,
    marks: usize,
}

/// The words of a value; one that is no plain text is one.
fn words(value: &str) -> Words {
    let mut found = Words { count: 0, marks: 0 };
    if scan::value_start(value).0 != Start::Plain {
        return Words { count: 1, ..found };
    }
    let value = &value[..scan::comment_start(value).unwrap_or(value.len())];
    // What a template puts in is one word: `{{ name }}`.
    let (has_template, mut open) = (value.contains("{{"), 0);
    for word in value.split_ascii_whitespace() {
        let is_inside = open > 0;
        if has_template {
            open = (open + word.matches("{{").count()).saturating_sub(word.matches("}}").count());
        }
        found.count += usize::from(!is_inside);
        found.marks += usize::from(!is_inside && !word.contains(char::is_alphanumeric));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_one_word_or_quoted() {
        let table = [
            ("port: 80", true),
            ("The port to listen on: any", false),
            ("'a b': 1", true),
            ("a/b.c-d:", true),
            ("a::b: c", true),
            ("a:: b", false),
        ];
        for (text, is_entry) in table {
            assert_eq!(Entry::of(text, &Names::default()).is_some(), is_entry, "{text}");
        }
    }

    #[test]
    fn sentences_and_remarks_are_prose() {
        let table = [
            ("Note: only with TLS", true),
            ("motd: Welcome to this host of ours", true),
            ("motd: 'Welcome to this host of ours'", false),
            ("key: <the key that the vendor gave you>", false),
            ("Docs: https://example.org", true),
            ("url: https://example.org", false),
            ("PROXY_URL: https://example.org", false),
            ("icon: https://example.org || Site || blue", false),
            ("- one two three", true),
            ("- one two", false),
            ("- k8s/{{ name }}/owned", false),
            ("level: info", false),
        ];
        for (text, is_prose) in table {
            assert_eq!(Entry::of(text, &Names::default()).map(|entry| entry.is_prose(false)), Some(is_prose), "{text}");
        }
    }

    #[test]
    fn frames_are_no_options() {
        let said = |comment| Said::of(comment).map(|said| said.text);
        assert_eq!(said("#port: 80"), Some("port: 80"));
        assert_eq!([said("## a: b"), said("# --- #"), said("# a: b #"), said("#")], [None; 4]);
    }
}
