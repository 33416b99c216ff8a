//! What holds of every page: it is whole, loads nothing, and text of a file stays text.

use std::collections::HashSet;

use super::{Page, error, fleet, page};
use crate::report::fleet::{Told, Upgraded};
use crate::text::error::Error;
use crate::upgrade::options::Options;
use crate::upgrade::{Upgrade, differences, explain};

const HOSTILE: [&str; 3] =
    ["</script><script>alert(1)</script>", "\"'><img src=x onerror=alert(2)>", "javascript:alert"];

fn upgraded(current: &str, update: &str) -> (Upgrade, String) {
    let upgrade = crate::upgrade(current, update, &Options::default()).unwrap();
    let (old, new) = (("config.yml", current), ("config.yml", &*upgrade.text));
    let compared = differences::compare(old, new).unwrap();
    let lines = explain::lines_of(old, ("new.yml", update), &upgrade).unwrap();
    let rows = compared.lines.side_by_side([current, new.1]);
    let differences = differences::with_reasons(compared.differences, &upgrade.report);
    let text = page(Page { report: &upgrade.report, differences: &differences, lines: &lines, rows: &rows });
    (upgrade, text)
}

/// Every start tag has its end, in order, and every link its anchor; nothing is loaded.
fn assert_whole(text: &str) {
    let body = text.split_once("</style>").unwrap().1.split_once("<script>").unwrap().0;
    let (mut open, mut anchors, mut links) = (Vec::new(), HashSet::new(), Vec::new());
    for tag in body.split('<').skip(1).map(|part| part.split_once('>').unwrap().0) {
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(if name == "head" { Some("head") } else { open.pop() }, Some(name), "{text}");
            continue;
        }
        let name = tag.split(' ').next().unwrap();
        let value = |key: &str| Some(tag.split_once(key)?.1.split_once('"')?.0);
        links.extend(value(" href=\"").map(|link| link.strip_prefix('#').expect("a link leads to the page itself")));
        if let Some(anchor) = value(" id=\"") {
            assert!(anchors.insert(anchor), "{anchor} twice");
        }
        assert!(
            !tag.contains(" src=") && tag.split(' ').all(|word| !word.starts_with("on") || !word.contains('=')),
            "{tag}"
        );
        if !["input", "meta"].contains(&name) {
            open.push(name);
        }
    }
    assert_eq!(open, ["body"], "all but the body ends before the script");
    let lost: Vec<_> = links.iter().filter(|link| !anchors.contains(*link)).collect();
    assert!(lost.is_empty(), "no anchor for {lost:?}");
    assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("url("), "{text}");
    assert_eq!(text.matches("<script").count(), 1);
}

#[test]
fn a_page_shows_what_an_upgrade_does() {
    let (_, text) = upgraded("# mine\nport: 1\nlist: [a]\ngone: 1\n", "port: 2\nlist: [a, b]\nmore: {x: 1}\n");
    assert_whole(&text);
    let anchor = text.split_once("\"><code>more</code></a>").unwrap().0.rsplit_once("href=\"#").unwrap().1;
    let line = text.split_once(&format!("id=\"{anchor}\"")).unwrap().1;
    assert!(line.starts_with("><a") && line.contains("<i>new</i><code>more: {x: 1}</code>"), "{line}");
    assert!(text.contains("What needs a look"), "a key that only the user has is told");
}

#[test]
fn text_of_a_file_stays_text() {
    let [script, image, link] = HOSTILE;
    let current = format!("'{script}': 1 # {image}\n# {script}\n{link}: \"a\\u202Eb\"\n");
    let update = format!("{}: {script}\n\"{}\": [\"\\x1b[2J\"]\n", "more", image.replace('"', "\\\""));
    let (_, text) = upgraded(&current, &update);
    assert_whole(&text);
    assert!(!text.contains("<img") && text.contains("&lt;/script&gt;&lt;script&gt;alert(1)"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    let refused = error(&Error::input(format!("no file {script}\u{202e}")).help(image));
    assert_whole(&refused);
    assert!(refused.contains("\\u{202e}") && !refused.contains("<img"), "{refused}");
}

fn file(name: &str, current: &str, update: &str) -> Upgraded {
    let upgrade = crate::upgrade(current, update, &Options::default()).unwrap();
    let differences = differences::differences(current, &upgrade.text).unwrap();
    let report = upgrade.report;
    let status = if report.changed() { "changed" } else { "unchanged" };
    Upgraded { name: name.to_owned(), outcome: Ok(Told { status, report, differences }) }
}

#[test]
fn a_fleet_has_bars_and_tells_who_differs() {
    let update = "port: 80\nnew: 1\nodd: 1\n";
    let mut files: Vec<_> = ["a", "b", "c"].map(|name| file(name, "port: 1\nodd: 2\n", update)).into();
    files.push(file("stranger", "port: 1\n", update));
    files.push(file("same", update, update));
    files.push(Upgraded { name: HOSTILE[0].to_owned(), outcome: Err(Error::input(HOSTILE[1])) });
    let text = fleet(&files.iter().collect::<Vec<_>>());
    assert_whole(&text);
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
    assert!(at("1 refused, 4 changed, 1 unchanged.") < at("<h2>Refused</h2>"));
    assert!(at("<h2>Refused</h2>") < at("What changes where</h2>") && at("width:66%") < at("width:16%"));
    let rare = &text[at("Different from the rest</h2>")..at("<h2>Files</h2>")];
    assert!(rare.contains("here only: </span><code>+ odd</code>"), "{rare}");
    assert!(rare.contains("<code>stranger</code>") && !rare.contains("<code>a</code>"), "{rare}");
    assert!(at("Different from the rest</h2>") < at("Each file") && !text.contains("<img"));
    assert_whole(&fleet(&[]));
}
