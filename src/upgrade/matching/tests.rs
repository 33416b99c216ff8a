//! Pairing by overlap against counting what each item has in common with each other one.

use proptest::prelude::*;

use super::index::{Best, Index};
use super::shapes::Shapes;
use crate::text::source::Source;
use crate::yaml::check;
use crate::yaml::value::{Value, ValueKind};

/// A value inside of an item, few enough of them that many are equal.
fn value() -> impl Strategy<Value = String> {
    let scalar =
        prop_oneof![Just("1"), Just("2"), Just("''"), Just("*a"), Just("*b"), Just("*c")].prop_map(str::to_owned);
    scalar.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(", "))),
            map(inner, 3),
        ]
    })
}

fn map(value: impl Strategy<Value = String>, most: usize) -> impl Strategy<Value = String> {
    proptest::collection::btree_map("[wxyz]", value, 0..most).prop_map(|fields| {
        let fields: Vec<_> = fields.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        format!("{{{}}}", fields.join(", "))
    })
}

/// A file with a list; what its aliases stand for differs from file to file.
fn file() -> impl Strategy<Value = String> {
    let items = proptest::collection::vec(map(value(), 4), 1..40);
    let anchors = (prop_oneof![Just("1"), Just("2")], prop_oneof![Just("1"), Just("{x: 1}")]);
    (items, anchors).prop_map(|(items, (a, b))| {
        let items = items.join("\n- ");
        format!("a: &a {a}\nb: &b {b}\nc: &c [*b, {{y: *a}}]\nl:\n- {{}}\n- {items}\n")
    })
}

/// How many values two have in common, as the rule says it.
fn overlap(mine: Value<'_, '_>, theirs: Value<'_, '_>) -> Option<usize> {
    let in_common = match (mine.kind(), theirs.kind()) {
        (ValueKind::Map, ValueKind::Map) => {
            let mut shared = mine.fields().filter_map(|(name, value)| Some((value, theirs.field(&name)?)));
            shared.try_fold(0, |sum, (a, b)| Some(sum + overlap(a, b)?))
        }
        (ValueKind::List, ValueKind::List) => {
            let [own, other] = [mine, theirs].map(|list| maps(list).collect::<Vec<_>>());
            let most = |item: Value<'_, '_>| other.iter().filter_map(|other| overlap(item, *other)).max().unwrap_or(0);
            let sum = own.iter().map(|item| most(*item)).sum();
            let is_there = own.iter().any(|item| other.iter().any(|other| item.same(*other)));
            Some(sum).filter(|sum| own.is_empty() || other.is_empty() || *sum > 0 || is_there)
        }
        (ValueKind::Scalar, ValueKind::Scalar) => (mine.text() == theirs.text()).then_some(1),
        _ => None,
    };
    in_common.or_else(|| (mine.alias().is_some() && mine.alias() == theirs.alias()).then_some(1))
}

fn maps<'n, 'a>(list: Value<'n, 'a>) -> impl Iterator<Item = Value<'n, 'a>> {
    list.items().filter(|item| item.kind() == ValueKind::Map)
}

/// The best of some candidates, found by comparing all.
fn best_of_all(item: Value<'_, '_>, others: &[Value<'_, '_>]) -> Best {
    let scores: Vec<_> = others.iter().map(|other| overlap(item, *other).unwrap_or(0)).collect();
    let score = scores.iter().copied().max().unwrap_or(0);
    let mut top = (0..others.len()).filter(|&at| score > 0 && scores[at] == score);
    match (top.next(), top.count()) {
        (Some(at), 0) => Best::One { at, score },
        (first, more) => Best::Tie { candidates: first.map_or(0, |_| more + 1), score },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_index_finds_the_best_of_all(mine in file(), theirs in file()) {
        let texts = [Source::new("mine.yml", &mine).unwrap(), Source::new("theirs.yml", &theirs).unwrap()];
        let outlines = [0, 1].map(|at| check::read(&texts[at]).unwrap().outline);
        let items = |at: usize| {
            let outline = &outlines[at];
            let list = outline.get(outline.documents[0], "l").unwrap();
            maps(Value::at(list, outline)).collect::<Vec<_>>()
        };
        let (mine, theirs) = (items(0), items(1));
        let mut shapes = Shapes::default();
        let (own, other) = (shapes.parts(mine.iter().copied()), shapes.parts(theirs.iter().copied()));
        let mut index = Index::of(&shapes, &other);
        for (item, part) in mine.iter().zip(&own) {
            prop_assert_eq!(index.best(*part), best_of_all(*item, &theirs));
        }
    }
}
