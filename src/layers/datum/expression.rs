//! Texts whose value only Datum knows: `[x= … =]`, which a handler runs, and `[ENC= … ]`, which one decrypts.
//!
//! No handler runs here. Of an expression only the forms are understood that repeat a fact of the node or the name of its
//! file, since the layers of a node are found by these ([`known`]).

use super::precedence::{Part, parts, variable};
use crate::layers::values::{Schema, Value};

/// The script of an expression, without the braces that may stand around it.
fn script(text: &str) -> Option<&str> {
    let text = text.trim();
    let start = text.get(..3).filter(|start| start.eq_ignore_ascii_case("[x="))?;
    let script = text[start.len()..].strip_suffix("=]")?.trim();
    let inside = script.strip_prefix('{').and_then(|script| script.strip_suffix('}'));
    Some(inside.unwrap_or(script).trim())
}

/// Whether a text is encrypted.
pub(super) fn is_encrypted(text: &str) -> bool {
    let text = text.trim();
    text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("[ENC=")) && text.ends_with(']')
}

/// Whether a text has a value that only Datum knows.
pub(super) fn is_handled(text: &str) -> bool {
    script(text).is_some() || is_encrypted(text)
}

/// The text of a scalar whose value only Datum knows.
pub(super) fn handled<'v>(value: &'v Value<'_>) -> Option<&'v str> {
    value.as_text(Schema::Core).filter(|text| is_handled(text))
}

/// What an expression consists of, where it says no more than can be known without running it.
pub(super) fn known(text: &str) -> Option<Vec<Part>> {
    let script = script(text)?;
    if let Some(variable) = variable(script) {
        return Some(vec![variable]);
    }
    let quoted = |quote: char| script.strip_prefix(quote)?.strip_suffix(quote).filter(|text| !text.contains(quote));
    if let Some(text) = quoted('\'') {
        return Some(vec![Part::Text(text.to_owned())]);
    }
    let parts = parts(quoted('"')?).ok()?;
    parts.iter().all(|part| !matches!(part, Part::Unknown(_))).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_a_fact_is_known() {
        let fact = |name: &str| Part::Fact { way: vec![name.to_owned()] };
        assert_eq!(known("[x={ $Node.Name }=]"), Some(vec![fact("Name")]));
        assert_eq!(known("[x=$node['Role']=]"), Some(vec![fact("Role")]));
        assert_eq!(known("[x= 'east' =]"), Some(vec![Part::Text("east".to_owned())]));
        assert_eq!(known("[X= \"$($Node.Role)s\" =]"), Some(vec![fact("Role"), Part::Text("s".to_owned())]));
        assert_eq!(known("[x={ $File.Directory.BaseName } =]"), Some(vec![Part::Folder]));
        for text in ["[x= Get-Date =]", "[x= \"$(Get-Date)\" =]", "[x= $Node.Name.Length() =]", "[ENC=AAAA]", "plain"] {
            assert_eq!(known(text), None, "{text}");
        }
        assert!(is_handled("[ENC=AAAA]") && is_handled("[x= Get-Date =]") && !is_handled("[x] = y"));
    }
}
