//! What generated files are written with: whatever may confuse a reader of lines, and some that may not.

/// Keys that can be written plain.
pub(crate) const NAMES: [&str; 22] = [
    "a",
    "b",
    "c",
    "port",
    "host",
    "name",
    "id",
    "list",
    "d",
    "e",
    "server",
    "two words",
    "a.b",
    "a/b",
    "x[0]",
    "it's",
    "ключ",
    "1",
    "true",
    "http://x",
    "kind",
    "<<",
];
/// Keys that are commented out, some of which are live elsewhere.
pub(crate) const OPTION_NAMES: [&str; 10] =
    ["port", "host", "server", "b", "tls", "cache", "limits", "backlog", "proxy", "list"];
/// Keys that cannot.
pub(crate) const QUOTED_NAMES: [&str; 5] = ["a: b", "# x", "", "- x", "say \"x\""];
/// Plain values.
pub(crate) const WORDS: [&str; 26] = [
    "1",
    "80",
    "true",
    "null",
    "~",
    "x",
    "y",
    "two words",
    "http://x:80/y",
    "it's",
    "a#b",
    "12:30:45",
    "-1",
    "1.5e3",
    "C:\\dir",
    "日本 ü",
    "-x",
    "?x",
    ":x",
    "a,b",
    "a]b",
    "x\\",
    "on",
    "0o7",
    "say \"x\"",
    "a - b",
];
/// Quoted values, as written.
pub(crate) const QUOTED: [&str; 14] = [
    "\"x\"",
    "'x'",
    "\"\"",
    "''",
    "'a: b # c'",
    "\"a: b # c\"",
    "\"say \\\"x\\\"\"",
    "'it''s'",
    "\"a\\tb\\n\"",
    "'\\'",
    "\"\\\\\"",
    "'{x}'",
    "\"[x\"",
    "\"\\u00e9\\x41\"",
];
/// Values in flow collections, as written.
pub(crate) const FLOW_WORDS: [&str; 14] = [
    "1",
    "x",
    "true",
    "~",
    "two words",
    "it's",
    "http://x",
    "-1",
    "a#b",
    "\"a, b\"",
    "'] }'",
    "\"# x\"",
    "''",
    "'it''s'",
];
/// Keys in flow maps, as written.
pub(crate) const FLOW_NAMES: [&str; 8] = ["a", "b", "port", "name", "two words", "\"a: b\"", "'# x'", "c"];
/// Comments, some of them commented-out options.
pub(crate) const COMMENTS: [&str; 22] = [
    "# one",
    "# two",
    "# three",
    "#",
    "# ---------",
    "#no blank",
    "#   deep",
    "# a: b",
    "#port: 80",
    "# host: x",
    "# server:",
    "#   port: 1",
    "#a: 1",
    "# - x",
    "# it's \"x",
    "# {",
    "#\ttab",
    "# trailing  ",
    "## four",
    "#!x",
    "#: #",
    "# b:",
];
/// Inline comments.
pub(crate) const NOTES: [&str; 6] = [" # note", "  # note", " #", "    # far: x", "\t# tab", " # \"it's"];
/// Lines of block scalars.
pub(crate) const TEXTS: [&str; 14] = [
    "text",
    "more text",
    "",
    "# no comment",
    "key: value",
    "- item",
    "  deeper",
    "    ",
    "trailing  ",
    "---",
    "...",
    "{ [",
    "\"'",
    "\ttab",
];
