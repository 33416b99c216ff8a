//! Secrets that are known by how they are written, whatever their keys are called: `Bearer x`, `ghp_x`, a private key in PEM.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Match, MatchKind};

use super::MASK;

/// What stands before the credentials of a request (RFC 7617, RFC 6750).
const SCHEMES: [&str; 2] = ["Basic ", "Bearer "];

/// What tokens start with: of GitHub, GitLab, Slack and Stripe, as their documentation of tokens has it.
const STARTS: [&str; 15] = [
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "gldt-",
    "glrt-",
    "xoxb-",
    "xoxp-",
    "xapp-",
    "sk_live_",
    "rk_live_",
    "whsec_",
];

/// No token is shorter, in bytes.
const SHORTEST: usize = 8;

/// How a private key starts and ends (RFC 7468): `-----BEGIN RSA PRIVATE KEY-----`.
const KEY: &str = "PRIVATE KEY-----";

/// All of these. Only what looks for the leftmost one skips whole blocks of bytes.
static KNOWN: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let known = SCHEMES.iter().chain(&STARTS).chain([&KEY]);
    AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(known).ok()
});

/// Whether a text may hold any: a quick look that most lines do not pass.
pub(super) fn may_hold(text: &str) -> bool {
    KNOWN.as_ref().is_some_and(|known| known.is_match(text))
}

/// Whether a value is secret by how it is written.
pub(crate) fn is_secret(value: &str) -> bool {
    value.len() >= SHORTEST && may_hold(value) && (starts_key(value) || !places(value).is_empty())
}

/// Whether a private key starts on a line.
pub(super) fn starts_key(line: &str) -> bool {
    line.contains(KEY) && line.contains("-----BEGIN ")
}

/// Whether a line, without what makes it a comment, goes on with a private key: words do not, but for those before an
/// encrypted one (RFC 1421).
pub(super) fn is_in_key(line: &str) -> bool {
    let is_header = || ["Proc-Type:", "DEK-Info:"].iter().any(|header| line.starts_with(header));
    !line.trim_ascii().contains(' ') || ends_key(line) || is_header()
}

/// Whether a private key ends on a line.
pub(super) fn ends_key(line: &str) -> bool {
    line.contains(KEY) && line.contains("-----END ")
}

/// A text without the tokens in it.
pub(super) fn masked(mut text: String) -> String {
    for place in places(&text).into_iter().rev() {
        text.replace_range(place, MASK);
    }
    text
}

fn places(text: &str) -> Vec<Range<usize>> {
    let found = KNOWN.iter().flat_map(|known| known.find_iter(text));
    found.filter_map(|found| token(text, &found)).collect()
}

/// The token that is known by what was found before it, or at its start.
fn token(text: &str, found: &Match) -> Option<Range<usize>> {
    let of_scheme = found.pattern().as_usize() < SCHEMES.len();
    let is_start = !text.get(..found.start())?.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let rest = text.get(found.end()..)?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-._~+/=".contains(c);
    let token = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
    let is_token = token.len() >= SHORTEST && (!of_scheme || !reads_like_word(token));
    let start = if of_scheme { found.end() } else { found.start() };
    (is_start && is_token && text.get(found.range()) != Some(KEY)).then(|| start..found.end() + token.len())
}

/// Whether a word is one of prose: `Basic authentication`.
fn reads_like_word(word: &str) -> bool {
    let mut rest = word.trim_end_matches(['.', '/']).chars().skip(1);
    rest.all(|c| c.is_ascii_lowercase() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_masked_and_words_are_not() {
        for (text, shown) in [
            ("auth: \"Basic dXNlcjpwYXNz\"", "auth: \"Basic ***\""),
            ("header: Bearer abc123.def", "header: Bearer ***"),
            ("gh: ghp_0123456789abcdef", "gh: ***"),
            ("# was glpat-abcdefgh1234, see the wiki", "# was ***, see the wiki"),
            ("# Basic authentication", "# Basic authentication"),
            ("# Bearer tokens", "# Bearer tokens"),
            ("aghp_0123456789abcdef", "aghp_0123456789abcdef"),
        ] {
            assert_eq!(masked(text.to_owned()), shown);
        }
    }

    #[test]
    fn a_private_key_is_a_secret_and_a_certificate_is_none() {
        assert!(is_secret("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n"));
        assert!(!is_secret("-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----\n"));
        assert!(is_in_key("MIIEpAIBAAKCAQEA75+/==") && is_in_key("-----END RSA PRIVATE KEY-----") && is_in_key(""));
        assert!(!is_in_key("goes here, in one line"));
    }
}
