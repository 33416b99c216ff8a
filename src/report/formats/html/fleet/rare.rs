//! The files of a fleet in which something else changes than in the rest.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use crate::report::Difference;
use crate::report::fleet::Upgraded;
use crate::report::formats::html::frame::counted;
use crate::text::error::visible;

/// What changes, told by path and sign; the values may be different in each file.
type Changes<'f> = BTreeSet<(&'f str, char)>;

/// Files that differ from most.
pub(super) struct Rare<'f> {
    /// How many files change alike.
    usual: usize,
    pub(super) files: Vec<Odd<'f>>,
}

/// A file that differs from most.
pub(super) struct Odd<'f> {
    /// Its number in the fleet, from 1.
    at: usize,
    name: &'f str,
    /// What changes here and not in most.
    besides: Changes<'f>,
    /// What changes in most and not here.
    without: Changes<'f>,
}

impl<'f> Rare<'f> {
    /// A set of changes is rare where at least twice as many files have another one.
    pub(super) fn of(files: &'f [&'f Upgraded]) -> Self {
        let mut groups: BTreeMap<Changes<'f>, Vec<(usize, &'f str)>> = BTreeMap::new();
        for (at, file) in (1..).zip(files) {
            if let Ok(told) = &file.outcome {
                groups.entry(changes(&told.differences)).or_default().push((at, &file.name));
            }
        }
        let largest = groups.iter().max_by_key(|(_, files)| files.len());
        let Some((most, usual)) = largest.map(|(changes, files)| (changes.clone(), files.len())) else {
            return Self { usual: 0, files: Vec::new() };
        };
        let mut odd: Vec<_> = groups
            .into_iter()
            .filter(|(_, files)| files.len() * 2 <= usual)
            .flat_map(|(changes, files)| files.into_iter().map(move |file| (file, changes.clone())))
            .map(|((at, name), changes)| {
                let (besides, without) = (&changes - &most, &most - &changes);
                Odd { at, name, besides, without }
            })
            .collect();
        odd.sort_by_key(|odd| odd.at);
        Self { usual, files: odd }
    }

    pub(super) fn section(&self) -> Markup {
        html! {
            section #rare {
                h2 { "Different from the rest" }
                p { "The same changes in " (counted(self.usual, "file", "files")) ", others in these:" }
                ul.entries { @for Odd { at, name, besides, without } in &self.files {
                    li {
                        a href=(format!("#file-{at}")) { code { (visible(name)) } }
                        (listed("here only", besides))
                        (listed("not here", without))
                    }
                } }
            }
        }
    }
}

fn changes(differences: &[Difference]) -> Changes<'_> {
    differences.iter().map(|difference| (&*difference.path, difference.kind.sign())).collect()
}

/// So many changes are named.
const NAMED: usize = 12;

fn listed(what: &str, changes: &Changes<'_>) -> Markup {
    html! {
        @if !changes.is_empty() {
            div.text {
                span.where { (what) ": " }
                @for (path, sign) in changes.iter().take(NAMED) { code { (sign) " " (visible(path)) } " " }
                @if changes.len() > NAMED { "and " (changes.len() - NAMED) " more" }
            }
        }
    }
}
