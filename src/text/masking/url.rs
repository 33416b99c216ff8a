//! The password in a URL: `postgres://user:password@host`.

use super::MASK;

/// A user name of so many characters is a token.
const LONG: usize = 20;

/// A text with the passwords of all URLs in it masked.
pub(crate) fn masked(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once("://") {
        out.extend([before, "://"]);
        let (url, next) = behind.split_at(end_of(behind));
        match secret(url) {
            Some((start, end)) => {
                out.extend([url.get(..start), Some(MASK), url.get(end..)].into_iter().flatten());
            }
            None => out += url,
        }
        rest = next;
    }
    out + rest
}

/// Where a URL ends: one of a list before the sign that parts it from the next, unless a password may go on there.
fn end_of(behind: &str) -> usize {
    let until_next = behind.find("://").and_then(|next| behind.get(..next)).unwrap_or_default();
    let parted = until_next.rsplit_once([',', ';']).filter(|(_, scheme)| is_scheme(scheme));
    match parted {
        Some((url, _)) if !url.contains(is_end) && !may_be_password(url) => url.len(),
        _ => behind.find(is_end).unwrap_or(behind.len()),
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// Whether a URL may end inside of a password: behind its first colon stands no port.
fn may_be_password(url: &str) -> bool {
    let user_end = url.find([':', '@', '/']).unwrap_or(url.len());
    url.get(user_end..).and_then(|rest| rest.strip_prefix(':')).is_some_and(|rest| !is_port(rest))
}

fn is_end(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`')
}

/// Where the password is in what stands behind `://`. One that holds a slash or a question mark is found, too, and one of
/// which only the start is shown.
fn secret(url: &str) -> Option<(usize, usize)> {
    let authority = url.find(['/', '?', '#']).unwrap_or(url.len());
    let user_end = url.find([':', '@', '/'])?;
    let at = url.get(..authority).and_then(|authority| authority.rfind('@'));
    if url.get(user_end..)?.starts_with('@') {
        return (user_end >= LONG).then_some((0, user_end));
    }
    let password = url.get(user_end..)?.strip_prefix(':')?;
    let start = user_end + 1;
    match at.or_else(|| url.rfind('@').filter(|_| !is_port(password))) {
        Some(end) if end > start && url.get(start..end) != Some(MASK) => Some((start, end)),
        Some(_) => None,
        None => (url.ends_with('…') && !is_port(password)).then_some((start, url.len())),
    }
}

/// Whether digits stand behind a colon up to the path.
fn is_port(text: &str) -> bool {
    text.bytes().take_while(u8::is_ascii_digit).count() == text.find('/').unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_go_and_all_else_stays() {
        let table = [
            ("url: postgres://app:hunter2@db:5432/x?y=1", "url: postgres://app:***@db:5432/x?y=1"),
            ("redis://:hunter2@cache", "redis://:***@cache"),
            ("a, mongodb://a:b@h1,h2 and ftp://c:d@e", "a, mongodb://a:***@h1,h2 and ftp://c:***@e"),
            ("amqp://u:p@ss@host", "amqp://u:***@host"),
            ("amqp://u:p/w?d@host/v", "amqp://u:***@host/v"),
            ("postgres://app:hunter2-is-lon…", "postgres://app:***"),
            ("https://0123456789abcdef0123456789abcdef@sentry.example.org/1", "https://***@sentry.example.org/1"),
            ("https://host:8080/path/@scope/x", "https://host:8080/path/@scope/x"),
            ("ssh://git@host:22/x", "ssh://git@host:22/x"),
            ("http://[::1]:80/", "http://[::1]:80/"),
            ("postgres://app:***@db", "postgres://app:***@db"),
            ("jdbc:mysql://host/db", "jdbc:mysql://host/db"),
            ("http://a:80,https://b:81/x;http://c:82,https://d…", "http://a:80,https://b:81/x;http://c:82,https://d…"),
            ("http://a:80,http://b:c@d,http://e", "http://a:80,http://b:***@d,http://e"),
            ("http://a,http://b/c,http://d:e@f", "http://a,http://b/c,http://d:***@f"),
            ("http://a:80,http://b:hunter2…", "http://a:80,http://b:***"),
            ("http://a:80,http://b:12…", "http://a:80,http://b:***"),
            ("http://a:hunter2,http://b…", "http://a:***"),
            ("http://a:b,http://c@d", "http://a:***@d"),
        ];
        for (text, masked) in table {
            assert_eq!(self::masked(text), masked);
        }
    }
}
