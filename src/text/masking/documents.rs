//! Documents that are secret as a whole: those that Deckhand encrypts, and the secrets of Kubernetes.

/// Kinds of Deckhand whose data are a secret, whatever their storage policy says: those that it calls secret types.
const KINDS: [&str; 7] = [
    "Certificate",
    "CertificateAuthority",
    "CertificateAuthorityKey",
    "CertificateKey",
    "Passphrase",
    "PrivateKey",
    "PublicKey",
];

/// Whether a document of Deckhand with this schema and storage policy holds a secret.
pub(crate) fn is_encrypted(schema: &str, policy: Option<&str>) -> bool {
    let kind = schema.strip_prefix("deckhand/").and_then(|rest| rest.split('/').next());
    policy == Some("encrypted") || kind.is_some_and(|kind| KINDS.contains(&kind))
}

/// The keys below which all is secret in the document of this line, as its lines say: nobody knows whether they are YAML.
pub(crate) fn secret_keys_at(text: &str, number: usize) -> Vec<&'static str> {
    let lines: Vec<_> = text.split('\n').collect();
    let at = number.min(lines.len());
    let is_marker = |line: &&str| line.starts_with("---");
    let start = lines.get(..at).and_then(|above| above.iter().rposition(is_marker)).unwrap_or(0);
    let behind = lines.get(at..).unwrap_or_default();
    let end = at + behind.iter().position(is_marker).unwrap_or(behind.len());
    let document = lines.get(start..end).unwrap_or_default();
    let value = |name: &str| {
        let behind = |line: &&str| {
            let (_, rest) = line.split_once(name)?;
            let word = rest.strip_prefix(':')?.trim_start();
            word.split([' ', ',', '}', '\r']).next().map(|word| word.trim_matches(['"', '\'']).to_owned())
        };
        document.iter().find_map(behind)
    };
    keys(value("schema").as_deref(), value("storagePolicy").as_deref(), value("kind").as_deref())
}

/// The keys of a document below which all is secret.
pub(crate) fn keys(schema: Option<&str>, policy: Option<&str>, kind: Option<&str>) -> Vec<&'static str> {
    match kind {
        _ if schema.is_some_and(|schema| is_encrypted(schema, policy)) => vec!["data"],
        Some("Secret") => vec!["data", "stringData"],
        _ => Vec::new(),
    }
}
