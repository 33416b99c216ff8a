//! Which names look like those of secrets: `db_password`, `apiKey`, `PGPASSWD`, and not `token_ttl` or `secretName`.
//!
//! A name is taken apart into words. It is about a secret where one of them says so, and holds none where its last word
//! names something else of the secret (its file, its age, its length) or its first one asks a question (`use_token`).

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// Found anywhere in a name, its words put together.
const PARTS: [&str; 23] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "secret",
    "credential",
    "apikey",
    "privatekey",
    "privkey",
    "accesskey",
    "accountkey",
    "storagekey",
    "signingkey",
    "encryptionkey",
    "decryptionkey",
    "masterkey",
    "sessionkey",
    "sharedkey",
    "authkey",
    "hmackey",
    "licensekey",
    "keypassphrase",
    "kennwort",
];

/// Found as words.
const WORDS: [&str; 9] = ["pwd", "pwds", "psk", "jwt", "cred", "creds", "bearer", "authorization", "passwort"];

/// What a secret has besides itself: as the last word of a name they say that it holds no secret.
const BESIDES: [&str; 103] = [
    "age",
    "alg",
    "algo",
    "algorithm",
    "algorithms",
    "attempts",
    "attribute",
    "audience",
    "auth",
    "authentication",
    "backend",
    "bytes",
    "cache",
    "change",
    "class",
    "cmd",
    "column",
    "command",
    "complexity",
    "count",
    "day",
    "days",
    "delay",
    "description",
    "dir",
    "directory",
    "disabled",
    "enabled",
    "encryption",
    "endpoint",
    "engine",
    "env",
    "expiration",
    "expire",
    "expires",
    "expiry",
    "field",
    "file",
    "filename",
    "files",
    "format",
    "header",
    "hint",
    "history",
    "host",
    "hours",
    "interval",
    "issuer",
    "kind",
    "label",
    "len",
    "length",
    "lifetime",
    "limit",
    "location",
    "manager",
    "max",
    "method",
    "methods",
    "millis",
    "min",
    "minute",
    "minutes",
    "mode",
    "ms",
    "name",
    "names",
    "namespace",
    "path",
    "paths",
    "pattern",
    "period",
    "policies",
    "policy",
    "port",
    "prefix",
    "provider",
    "rate",
    "ref",
    "refs",
    "regex",
    "required",
    "retries",
    "rotation",
    "scope",
    "scopes",
    "sec",
    "seconds",
    "secs",
    "size",
    "store",
    "suffix",
    "threshold",
    "timeout",
    "ttl",
    "type",
    "uri",
    "url",
    "usage",
    "user",
    "username",
    "validity",
    "version",
];

/// As the first word of a name they ask whether there is a secret, or count secrets.
const QUESTIONS: [&str; 22] = [
    "allow",
    "allows",
    "automount",
    "disable",
    "disabled",
    "enable",
    "enabled",
    "existing",
    "generate",
    "has",
    "hide",
    "is",
    "max",
    "min",
    "need",
    "needs",
    "num",
    "require",
    "required",
    "requires",
    "show",
    "use",
];

/// Found in every name that looks like that of a secret, its words put together.
static IN_ALL: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(PARTS.iter().chain(&WORDS).chain(&["token", "pwd", "pass"])).ok());

/// Whether a name looks like that of a secret.
pub(crate) fn looks_secret(name: &str) -> bool {
    may_look_secret(name) && says_secret(&words(name))
}

/// Whether a text may hold a name that looks like that of a secret: a quick look that most names and lines do not pass.
pub(crate) fn may_look_secret(text: &str) -> bool {
    let letters = if text.is_ascii() { ascii_letters(text) } else { letters(text).into_bytes() };
    IN_ALL.as_ref().is_none_or(|parts| parts.is_match(&letters))
}

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The same of an ASCII text. Each line of a report is looked at, so every byte is written and only some are counted.
fn ascii_letters(text: &str) -> Vec<u8> {
    let (mut letters, mut count) = (vec![0; text.len()], 0);
    for byte in text.bytes() {
        letters[count] = byte.to_ascii_lowercase();
        count += usize::from(byte.is_ascii_alphanumeric());
    }
    letters.truncate(count);
    letters
}

fn says_secret(words: &[String]) -> bool {
    let whole = words.concat();
    let is_named = PARTS.iter().any(|part| whole.contains(part))
        || whole.contains("token") && !whole.contains("tokeni")
        || whole.ends_with("pwd")
        || words.last().is_some_and(|word| word == "pass") && words.first().is_none_or(|word| word != "proxy")
        || words.iter().any(|word| WORDS.contains(&word.as_str()));
    is_named && !is_beside(words)
}

fn is_beside(words: &[String]) -> bool {
    let is_one = |word: Option<&String>, list: &[&str]| word.is_some_and(|word| list.contains(&word.as_str()));
    words.len() > 1 && (is_one(words.last(), &BESIDES) || is_one(words.first(), &QUESTIONS))
        || words.concat().ends_with("pullsecrets")
}

/// The words of a name in lower case: parted by what is no letter, and where small letters end before a large one.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in name.chars() {
        let starts = !last.is_alphanumeric() || (c.is_uppercase() && !last.is_uppercase());
        if c.is_alphanumeric() && (starts || words.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        last = c;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known_in_every_spelling() {
        for name in [
            "password",
            "Password",
            "db_password",
            "dbPassword",
            "PGPASSWORD",
            "root-passwd",
            "pwd",
            "DB_PWD",
            "userPwd",
            "dbpwd",
            "pass",
            "SMTP_PASS",
            "passphrase",
            "keyPassphrase",
            "secret",
            "client_secret",
            "clientSecret",
            "secrets",
            "token",
            "tokens",
            "authToken",
            "_authToken",
            "api_key",
            "apiKey",
            "API-KEY",
            "apikey",
            "api key",
            "private_key",
            "privateKey",
            "ssh_private_key",
            "access_key",
            "aws_access_key_id",
            "secret_access_key",
            "secretKey",
            "credential",
            "credentials",
            "signing-key",
            "encryptionKey",
            "psk",
            "wifi_psk",
            "jwt",
            "authorization",
            "spring.datasource.password",
            "password_hash",
            "secret_key_base",
            "vault_secret_id",
            "ansible_become_pass",
            "dbKennwort",
            "\u{212a}ennwort",
        ] {
            assert!(looks_secret(name), "{name}");
        }
    }

    #[test]
    fn a_quick_look_misses_no_name_of_a_secret() {
        let marks = ["", "-", "__", " . ", "\u{e4}", "1"];
        for part in PARTS.iter().chain(&WORDS).chain(&["token", "pwd", "pass"]) {
            for (mark, at) in marks.iter().flat_map(|mark| (0..=part.len()).map(move |at| (mark, at))) {
                let (start, end) = part.split_at(at);
                for name in [[start, mark, end].concat(), [start, mark, &end.to_uppercase()].concat()] {
                    assert!(may_look_secret(&name) || !says_secret(&words(&name)), "{name}");
                }
            }
        }
        assert!(!may_look_secret("storage_class: standard  # of the cluster"));
    }

    #[test]
    fn names_of_what_a_secret_has_besides_are_not() {
        for name in [
            "token_ttl",
            "password_file",
            "secretName",
            "tokenFile",
            "secretKeyRef",
            "existingSecret",
            "imagePullSecrets",
            "password_min_length",
            "credentials_validity_in_ms",
            "max_tokens",
            "passwordPolicy",
            "token-url",
            "use_token",
            "PASSWORD_ENCRYPTION",
            "tokenizer",
            "key",
            "public_key",
            "keyboard",
            "auth",
            "author",
            "authentication",
            "compass",
            "bypass",
            "proxy_pass",
            "passenger",
            "passive",
            "monkey",
            "secretary_name",
            "pwd_policy",
            "credentialsPath",
            "session",
            "",
            "ssl_certificate",
        ] {
            assert!(!looks_secret(name), "{name}");
        }
    }
}
