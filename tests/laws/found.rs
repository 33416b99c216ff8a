//! Pairs that once broke a law and that nobody would write; those that somebody could are cases of `testdata`.

use crate::base::Triple;
use crate::edits::Edit;
use crate::pairs::Pair;
use crate::square::Square;

const FOUND: [(&str, &str); 101] = [
    ("# by hand\n\n# ---------\n", " # c39\nid: x\n"),
    ("\n-\n  kind:\n", "-\n# c30\n\n- !a/b\n    'kind': # note\n"),
    ("# c0\n\n  list:  # note\n", "---  \n# c0\n---\n    # c0\n"),
    ("#\n !Se\n###", "#####\n# Seelhost\n# T\nho{t: localhowt\n###\n  # Seelhost\n#"),
    ("##def/\"o3n\"/\"push#\n# Ser0\n", "###:\n###met:/hbbr: 0\n---\n# eTb  poIt: ta:80 0\n---\n"),
    ("a:\n", " #port: 80\n #a: 1\n# c133\n\n\n"),
    ("a:\t# tab\n\n   # c180\n b: '\\'\n", "a:\t# tab\n name: \"x\" # note\n   # c180\n #b: '\\'\n"),
    ("- a: z\n  '1': y\n- port: {b: 1}\n", "- a: z\n  1: a,b\n- a: x\n  port: {b: 1}\n"),
    ("<<:\n\n# server:\n\nlist: 1.5e3\n", "# server:\n\nlist: 1.5e3\n<<: null\n"),
    (" e:\n   - id: y\n\n   # by hand\n   # c144\n", "    e:\n      # c144\n# by hand\n"),
    ("---\r\n...\r\n---\r\n", "b:    # far: x\r\n"),
    ("  name:\n    -\n   #: #\n", "  name:\n  -\n  #   deep\n"),
    ("      #no blank\n      - name: x\n", "#no blank\n\n      # c0\n      - name: x\n"),
    ("- - name: x\n  # by hand\n", "# by hand\n- - a:\n  # by hand\n"),
    (":", "#\n---\nt\n---\n:"),
    ("  name: |\n", "  name: 1\n   # c0\n\n  a: 1\n"),
    ("cluster.name:\n#", "#\n#cluster.name:\n#p"),
    ("- &x1\n  id: 1\n  a.b: y\n- id: 1\n  it's: *x1", "- &x1\n  id: 1\n  a.b: x2\n  # two\n- id: 1\n  it's: *x1"),
    ("- name: x\n", "- a:\n\n# c0\n\n- c: 1\n  name: x\n"),
    ("a: {\n a: 1\n }\n", "a:\n  'b': !t\n"),
    ("", "# c0\n...\na:\n"),
    ("a:\n  a: 1\n", "a: {}\n   # c0\n # c0\n\nb:\n"),
    ("- a: x\n  name: first\n- a: y\n", "-\n  a: x0\n  name: first\n- a: y\n  name: x\n"),
    ("- 1\n", "- |\n# c0\n"),
    ("d:\n  - name: o\n", "a: &x\n  b: 1\nd:\n  - name: n\n    e: *x\n  - name: o\n    e:\n"),
    ("e:\n  'port':\n", "e: {\n port\n }\n"),
    ("#backlog: 2\ntimeout:\n", "#backlog: 2\n#b\n#timeout:\n---\n"),
    ("host: |+\nport: 1\n\n# c0", "port: |\nhost: 1\n\n# c0"),
    ("\u{feff}%YAML 1.2\n# c0\n---\n", "# c0\n---\na: 1\n"),
    ("name: &x2 1\nid:\nport: *x2\n", "#   port: 1\nname: &x2 1\n"),
    ("b:\n", "a: |+\n  text\n "),
    ("port:", "port:\n  - name: &x0 !t |\n1: *x0"),
    ("list: 1\r\n# a: b\r\n\nid: &x0 1\r\na:\r\n  a: *x0\n", "a: 1\r\nlist: 1\r\n# a: b\n\r\nid: &x0 1\r\n"),
    ("q: &x1 1\na:\n  - b: x\n  - b: x\n    a: 1\n", "q: &x1\na:\n  - c: *x1\n    b: x\n    a: 1\n"),
    ("a: |+\r\nport:\r\n\n# c0\r\n\n---\r\n", "port:\na: 1\r\n\n# c0\r\n\r\n---\n"),
    ("d:\n", "d:\n    a: &x1 x0\ne:\n    ? \"a\"\n    : *x1\n"),
    ("a:\n  c: &x0 1\n  b: *x0\n", "a:\n  b: x0\n\n  # c0\n  c: &x0 1\n"),
    ("a: 1\n ", "a: 1\n# c0\n\n"),
    ("# c0\n# c0\n\n- \"a: b\": 1\n", "- 1\n\n# c0\n\n- \"a: b\": 1\n"),
    ("port:\n  'c':\n", "port: {\n c,\n }\n"),
    ("    - &x2\n      name: x\n", "    - &x2\n      a:\n    - name: x\n      e: *x2\n       # c0\n"),
    ("a: 1\n", "a: 1\n# c0\n...\n\n---\n"),
    ("- |\n", "# added by hand\n- |\n"),
    ("? |\n    x\n    ", "? b\n"),
    ("? |+\n    x\n    ", "a:\n? b\n"),
    ("#backlog: default-2\ntimeout:", "#0\n#backlog: default-2\n#timeout:\n..."),
    ("?\n-  \"good\n! b\"\n: c |\n  d\n: 1\n", ""),
    ("...\n#\n...", "-\n...\n|"),
    ("%TAG ! tag:e.org,2000:\n---\ns[!<[!a:\n? b[!c, &d]\n: 1\nf[*]: !g 1\n", "a: &d 1\nh: *d\n"),
    (":\n  ", "? 2\n  "),
    (": >1+\n  \n\t\n", "a: |+\n  b\n\t\n"),
    (":\n\t\n", "? 2\n"),
    ("e:\n\t", "? b"),
    ("&x\n", "a: 1\n--- |\n"),
    ("  b: |\n", "\t\n# one\n"),
    ("  b: |+\n", "\t\n# one\n"),
    ("  b: |+\n", "\n\t\n# one\n"),
    ("? - |+2\n    ", "? b\n"),
    ("? - |2\n    ", "a:\n"),
    ("!t\n", "a: 1\n--- a\n"),
    ("\u{feff}  # a: 1\n\u{feff}---\n", "  # a: 1\na: 1\n"),
    ("--- &x\n", "a: 1\n...\n  2, # note\n"),
    ("a: 1\n---\n# one\n", "a: 1\n--- >-\n"),
    ("a: 1\n---\n# one\n", "a: 1\n--- 'x\n  y'\n"),
    ("# one\n--- # note\n", "&x\na: 1\n"),
    ("---\n# one\n", "--- !t\na: 1\n"),
    ("? - x\n?\n", "# one\n"),
    ("?\n", "# one\n\t\n"),
    ("?\n", ": 1\n  # one\n: 1\n"),
    (" ---  a: 1\n", "b: 1\n"),
    (" ... a: 1\n", "b: 1\n# c0\n"),
    ("# a: 1\n", "  two\"\n---\na: 1\n"),
    ("# a: 1\n", "a: 1\n--- x\n"),
    ("? - - |+1\n    ", "a:\n"),
    ("? - a: |+2\n    ", "a:\n"),
    ("b: 2\n\t\n", "a: |+\n\n"),
    ("a:\n---\n---\n", "a:\n---\n# tls:\n\n#a: 1\nc: 1\n---\n#a: 1\na: 1\n"),
    ("a:\n", "- - name: x\n  # port:\n  - name: x\n  - id: x\n    # port:\n    port: x0\n"),
    ("a:\n...\nc: 1\n---\n", "#a: 1\na:\n...\nc: 1\n---\nname: 1\n#a: 1\n"),
    ("b: 1\n", " # c0\n# a: b\n# a: b\n\nb: 1\n"),
    ("c: 1\n", "# a: b\n\nb:\n# a: b\n"),
    ("a: 1\n", "# cache: 1\n\n# cache: 1\nname: [1]\n"),
    ("# list: 1\na: 1\n---\n", "# list:\n#   a:\n# list: 1\na: 1\n---\n"),
    ("# c0\na: 1\n", "#proxy:\na: 1\n"),
    ("# c0\na: 1\n", "# ----\n# b:\na: 1\n"),
    ("# c0\n---\n", "# proxy: 1\n# proxy: 1\n\na: 1\n"),
    ("--- !t\r\n?\r\n", "  - &y\n\t\n# a: 1\n  - &y\n\t\n# a: 1\n\t"),
    ("... # note\n# one\n", "a: 1\n--- |+\n"),
    ("... # note\n# one\n", "a: 1\n---\n--- >-\n"),
    ("# a: 1\n", "---\n# c\n---\na: 1\n"),
    ("# a: 1\n", "---\n---\na: 1\n"),
    ("... # note\n  # one\n", "---\n---\n- |\n"),
    ("a: |\n", "a: 1\n\t\n  # a: 1\n---\n"),
    ("a: |\n", "a: |\n  # one\n\t\n  # one\n"),
    ("  # a: 1\n  : 2\n", "a: &y v\n<<: *y\n"),
    ("# b: 3\n# one\n", "    b: 2\n"),
    ("a: 1\n# b:\n#   c: 1\n", "    b:\n      c: 3\n"),
    ("# a: 1\n", "# a: 1\n---\n# a: 1\n"),
    ("# b: 3\n", "---\n# b: 3\n---\n"),
    ("# b: 3\n", "# one\n# b: 3\n---\nb: 2\n"),
    ("b: 2\n", "- a: 1\n# a: 1\n---\na: 1\n"),
];

pub(crate) fn pairs() -> Vec<Pair> {
    let pair = |(current, update): &(&str, &str)| Pair {
        name: "found".to_owned(),
        current: (*current).to_owned(),
        update: (*update).to_owned(),
    };
    FOUND.iter().map(pair).collect()
}

/// The same with an old default: current, update, base.
const TRIPLES: [[&str; 3]; 18] = [
    ["# c0\na: |\n # no comment\n\nb: 1\n", "# c0\na: 1\n \nb: 1\n", "# c0\na: |\n # no comment\n\nb: 1\n"],
    ["a:\n  a:\n    1\n", "a:\n  a:\n     1\n", "a:\n  a:\n    1\n"],
    ["- 1\n- &x1\n- a: 1\n- *x1\n", "-\n- &x1\n- a: 1\n- *x1\n", "- 1\n- &x1\n- a: 1\n- *x1\n"],
    ["- name: 1\n  'b': 1\n  list:\n", "- name:\n  b: 1\n  list: 1\n", "- name: x\n  b: 1\n  list: 1\n"],
    ["%TAG ! tag:e.org,2000:\n---\nd:\n- !red 1\n", "d: 1\n", "d:\n- !red 1\n"],
    ["--- &x\na: 1\n", "# c0\n", "--- &x\na: 1\n"],
    ["a: 1\n", "%Y\n---\n# c0\n", "b: 1\n"],
    ["a: 1\n", "%Y\n---\n!t\n", "---\n"],
    ["a: 1\n", "%Y\n---\na: 1\n", "a: 2\n"],
    ["---\na: 1\n", "!t\n", "b: 1\n"],
    ["---\n", "!t\n", "a: 1\n"],
    ["- |+\n  x\n\n  \n", "- |+\n  ", "# c0\n"],
    ["# c\n", "---\na: 1\n", "a: 1\n"],
    ["%Y\n---\n# c\n", "a: 1\n# c", "%YAML 1.2\n---\na: 1\n"],
    ["a: [x, y,\n  z\n]\n", "a: [x, {k: &x 1}]\n", "a: [x]\n"],
    ["# c0\n# port: 1\n", "---\n# c0\n# port: 1\n", "# c0\n# port: 1\n"],
    ["---\n# c0\n# port: 1\n", "# c0\n# port: 1\n", "---\n# c0\n# port: 1\n"],
    ["#port: 80\n", "# c0\n---\n#port: 80\na: 1\n", "#port: 80\na: 1\n"],
];

pub(crate) fn triples() -> Vec<Triple> {
    TRIPLES.iter().map(|[current, update, base]| Triple::of(current, update, base)).collect()
}

/// Edits that a release once undid, or that undid a part of a release: old default, new default, and both edited.
const SQUARES: [(Edit, [&str; 4]); 4] = [
    (Edit::Delete, ["a: 1\n\nb: 1\nc: 1\n", "a: 1\n\nb: 1\n# c0\nc: 1\n", "a: 1\n\nc: 1\n", "a: 1\n\n# c0\nc: 1\n"]),
    (
        Edit::Delete,
        [
            "a:\n  b: 1\n\n  # c0\n  c: 1\n  d: 1\n",
            "a:\n  b: 1\n\n  # c0\n  c: 1\n  # c1\n  d: 2\n",
            "a:\n  b: 1\n\n  d: 1\n",
            "a:\n  b: 1\n\n  # c1\n  d: 2\n",
        ],
    ),
    (Edit::Delete, ["a: []\nb: 1\nc: 1\n", "a: []\nb: 1\n\nc: 1\n", "a: []\nc: 1\n", "a: []\n\nc: 1\n"]),
    (Edit::None, ["# c0\n\na: 1\n", "# c1\n---\n# c0\n\na: 1\n", "a: 1\n", "# c1\n---\na: 1\n"]),
];

pub(crate) fn squares() -> Vec<Square> {
    SQUARES.iter().map(|(edit, files)| Square::found(*edit, *files)).collect()
}
