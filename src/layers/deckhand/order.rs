//! In which order documents are worked on: each behind all that it takes something from.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::documents::Document;
use super::family::Family;
use super::problems::Problems;

/// What a document takes from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// It inherits from it.
    Data,
    /// It has a value of it put in.
    Value,
}

/// What each document takes from which others.
pub(crate) fn needs(documents: &[Document<'_>], family: &Family) -> Vec<Vec<(usize, Takes)>> {
    let needs = documents.iter().enumerate().map(|(at, document)| {
        if document.is_control || family.firsts[at] != at {
            return Vec::new();
        }
        let parent = family.parents[at].into_iter().flat_map(|parent| {
            // The other children of one that is replaced inherit what it is replaced by.
            let other = family.replaced_by[parent].filter(|&other| other != at);
            [Some(parent), other].into_iter().flatten()
        });
        let sources = document.substitutions.iter().filter_map(|substitution| family.source(substitution));
        parent.map(|at| (at, Takes::Data)).chain(sources.map(|at| (at, Takes::Value))).collect()
    });
    needs.collect()
}

/// The order of work, and those that cannot be worked on because they need each other, which is told.
pub(crate) fn order(
    documents: &[Document<'_>],
    needs: &[Vec<(usize, Takes)>],
    problems: &mut Problems<'_>,
) -> (Vec<usize>, Vec<usize>) {
    let mut graph = DiGraph::<(), ()>::with_capacity(documents.len(), documents.len());
    let nodes: Vec<NodeIndex> = documents.iter().map(|_| graph.add_node(())).collect();
    for (at, needs) in needs.iter().enumerate() {
        for (other, _) in needs {
            graph.add_edge(nodes[at], nodes[*other], ());
        }
    }
    let (mut order, mut round) = (Vec::with_capacity(documents.len()), Vec::new());
    // What is needed comes first in this order, and those that need each other come together.
    for together in kosaraju_scc(&graph) {
        let all: Vec<_> = together.into_iter().map(NodeIndex::index).collect();
        if all.iter().all(|at| needs[*at].iter().all(|(other, _)| !all.contains(other))) {
            order.extend(all);
        } else {
            tell_circle(documents, needs, &all, problems);
            round.extend(all);
        }
    }
    (order, round)
}

/// Tells of a way from a document back to itself.
fn tell_circle(documents: &[Document<'_>], needs: &[Vec<(usize, Takes)>], all: &[usize], problems: &mut Problems<'_>) {
    let inside: std::collections::HashSet<_> = all.iter().copied().collect();
    let Some(&start) = all.iter().min() else { return };
    let mut way = vec![start];
    let circle = loop {
        let next = way.last().and_then(|&at| needs[at].iter().find(|(other, _)| inside.contains(other)));
        let Some(&(next, _)) = next else { return };
        match way.iter().position(|&at| at == next) {
            Some(at) => break way.split_off(at),
            None => way.push(next),
        }
    };
    let first = &documents[circle[0]];
    let error = problems.at(first.start(), format!("{} needs itself, directly or through others", first.title()));
    let line = |(step, &at): (usize, &usize)| {
        let next = circle.get(step + 1).copied().unwrap_or(circle[0]);
        let takes = needs[at].iter().find(|(other, _)| *other == next).map(|(_, takes)| *takes);
        let verb = if takes == Some(Takes::Data) { "inherits from" } else { "has a substitution from" };
        let (document, next) = (&documents[at], &documents[next]);
        format!("   {}: {} {verb} {}", problems.place(document.start()), document.title(), next.title())
    };
    let lines: Vec<_> = circle.iter().enumerate().map(line).collect();
    problems.tell(first.start(), error.detail(lines.join("\n")).help("take one of these out"));
}
