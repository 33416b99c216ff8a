//! The password in a URL: `postgres://user:password@host`.

use super::MASK;

/// A user name of so many characters is a token.
const LONG: usize = 20;

/// A text with the passwords of all URLs in it masked.
pub(crate) fn masked(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once("://") {
        out.extend([before, "://"]);
        let end = behind.find(is_end).unwrap_or(behind.len());
        let (url, next) = behind.split_at(end);
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

fn is_end(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`')
}

/// Where the password is in what stands behind `://`. One that holds a slash or a question mark is found, too, and one of
/// which only the start is shown.
fn secret(url: &str) -> Option<(usize, usize)> {
    let authority = url.find(['/', '?', '#']).unwrap_or(url.len());
    let user_end = url.find([':', '@', '/'])?;
    let is_port =
        |text: &str| text.bytes().take_while(u8::is_ascii_digit).count() == text.find('/').unwrap_or(text.len());
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
        ];
        for (text, masked) in table {
            assert_eq!(self::masked(text), masked);
        }
    }
}
