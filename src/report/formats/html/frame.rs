//! What all pages have in common: the head, tiles with numbers, filters, and the field that searches.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report::Report;
use crate::text::error::visible;

/// What a browser may do with a page: use its own style and script, and load nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

/// A whole page.
pub(super) fn document(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (visible(title)) }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                main { (body) }
                script { (PreEscaped(include_str!("page.js"))) }
            }
        }
    };
    page.into_string() + "\n"
}

/// A number that is shown large.
pub(super) struct Tile {
    pub(super) count: usize,
    pub(super) what: String,
    pub(super) weight: Weight,
}

/// Whether a number asks for attention.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Plain,
    Look,
}

impl Tile {
    /// The numbers of a report.
    pub(super) fn of(report: &Report) -> Vec<Self> {
        let summary = report.summary();
        let weight = |what: &str| match what {
            "conflict" | "conflicts" | "to check" | "only in your file" => Weight::Look,
            _ => Weight::Plain,
        };
        summary.counts().map(|(count, what)| Self { count, what: what.to_owned(), weight: weight(what) }).collect()
    }
}

pub(super) fn tiles(tiles: &[Tile]) -> Markup {
    html! {
        @if !tiles.is_empty() {
            ul.tiles {
                @for Tile { count, what, weight } in tiles {
                    li.look[*weight == Weight::Look] { b { (count) } " " (what) }
                }
            }
        }
    }
}

/// Links to the parts of a page, and the field that the script makes work.
pub(super) fn contents(parts: &[(&str, String)]) -> Markup {
    html! {
        nav {
            @for (anchor, name) in parts { a href=(format!("#{anchor}")) { (name) } }
            label #search hidden { "Search " input type="search" autocomplete="off"; " " output {} }
        }
    }
}

/// Boxes that show and hide what has a class; the style does it, no script.
pub(super) fn filters(legend: &str, classes: &[(&str, usize)]) -> Markup {
    html! {
        @if classes.iter().filter(|(_, count)| *count > 0).count() > 1 {
            fieldset {
                legend { (legend) }
                @for (class, count) in classes.iter().filter(|(_, count)| *count > 0) {
                    label {
                        input type="checkbox" id=(format!("show-{class}")) checked;
                        " " span.chip.(class) { (class) } " " (count)
                    }
                }
            }
        }
    }
}

/// A count and what it counts.
pub(super) fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
