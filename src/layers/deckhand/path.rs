//! Deckhand's paths: the part of `JSONPath` that its parser reads and its documents use.
//!
//! `.key`, `.'quoted.key'`, `[n]`, `[a:b]`, `[*]`, `.*`, `..key`, `.(a|b)`, `` .`this` `` and `` .`parent` ``. Crates for RFC
//! 9535 read another language: there a path starts with `$`, and it leads into JSON. Filters and other operators are left
//! out, and refused by name.

mod parse;

use std::collections::HashSet;
use std::fmt;

use crate::layers::values::Value;

/// One step down, or with `deep` to whatever is below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) deep: bool,
    pub(crate) to: To,
    pub(crate) form: Form,
}

/// How a step is written: the engine makes what is missing from the text of a path, and not of what that means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    /// In quotes.
    Quoted,
    /// With blanks around it.
    Spaced,
}

/// What a step leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum To {
    /// Back to the start.
    Root,
    Keys(Vec<String>),
    EveryKey,
    /// Negative numbers count from the end.
    Item(isize),
    Items(Vec<isize>),
    /// All that one of several paths leads to.
    Union(Vec<Path>),
    /// Where it is already.
    This,
    /// One up.
    Parent,
    Slice {
        from: Option<isize>,
        to: Option<isize>,
        by: usize,
    },
}

/// A path that was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Path(pub(crate) Vec<Step>);

/// The positions on the way from a value to one inside of it.
pub(crate) type Way = Vec<usize>;

/// How far behind the end of a list an item can be put: more is a mistake.
const MOST_PADDING: usize = 10_000;

impl Path {
    pub(crate) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the engine can make what is missing on its way: it cuts the text of a path at every dot, and looks for one
    /// index behind each key.
    pub(crate) fn can_engine_make(&self) -> bool {
        let dotted = |step: &Step| matches!(&step.to, To::Keys(names) if names.iter().any(|name| name.contains('.')));
        let item = |step: Option<&Step>| step.is_none_or(|step| matches!(step.to, To::Item(_)));
        let before = std::iter::once(None).chain(self.0.iter().map(Some));
        let cannot = |(step, before): (&Step, Option<&Step>)| {
            let is_quoted = before.is_some_and(|before| before.form == Form::Quoted);
            item(Some(step)) && (item(before) || is_quoted) || step.form == Form::Spaced || dotted(step)
        };
        !self.0.iter().zip(before).any(cannot)
    }

    /// The list that the last step takes an item of, and that step's number.
    pub(crate) fn list_of_item(&self) -> Option<(Self, isize)> {
        let (last, before) = self.0.split_last()?;
        match last {
            Step { deep: false, to: To::Item(at), .. } => Some((Self(before.to_vec()), *at)),
            _ => None,
        }
    }

    /// All that it leads to, in the order in which Deckhand finds it. What it finds in several ways, such as by `..a..a`,
    /// is there once: their number can grow with the power of the steps.
    pub(crate) fn ways(&self, root: &Value<'_>) -> Vec<Way> {
        self.ways_from(root, Way::new())
    }

    /// The same from a place inside of the value on.
    fn ways_from(&self, root: &Value<'_>, start: Way) -> Vec<Way> {
        let mut ways = vec![start];
        for step in &self.0 {
            let mut next = Ways::default();
            for way in ways {
                if let Some(value) = follow(root, &way) {
                    step.ways(root, value, &way, &mut next);
                }
            }
            ways = next.found;
        }
        ways
    }

    /// The first that it leads to.
    pub(crate) fn first<'v, 'a>(&self, root: &'v Value<'a>) -> Option<&'v Value<'a>> {
        self.ways(root).first().and_then(|way| follow(root, way))
    }

    /// Puts a value where nothing is yet: maps are made on the way, and lists, filled up with empty maps.
    ///
    /// # Errors
    /// What is in the way, in words.
    pub(crate) fn create<'a>(&self, root: &mut Value<'a>, value: Value<'a>) -> Result<(), String> {
        create(root, &self.0, value)
    }

    /// The keys that are there where the path goes astray, for a hint.
    pub(crate) fn astray<'v>(&self, root: &'v Value<'_>) -> Option<(&str, Vec<&'v str>)> {
        let last = (0..self.0.len()).rev().find_map(|many| Some((many, Self(self.0[..many].to_vec()).first(root)?)))?;
        let (many, there) = last;
        let Some(Step { to: To::Keys(names), .. }) = self.0.get(many) else { return None };
        let keys = there.children().iter().map(Value::name).filter(|name| !name.is_empty());
        Some((names.first()?, keys.collect()))
    }
}

impl Step {
    fn ways(&self, root: &Value<'_>, value: &Value<'_>, way: &[usize], ways: &mut Ways) {
        if self.to == To::Root {
            return ways.found = vec![Way::new()];
        }
        if !ways.searched.insert(way.to_vec()) {
            return;
        }
        match &self.to {
            To::This => ways.found.push(way.to_vec()),
            To::Parent => ways.found.extend(way.split_last().map(|(_, above)| above.to_vec())),
            To::Union(paths) => paths.iter().for_each(|path| ways.found.extend(path.ways_from(root, way.to_vec()))),
            to => ways.found.extend(to.positions(value).into_iter().map(|at| further(way, at))),
        }
        if self.deep {
            for (at, child) in value.children().iter().enumerate() {
                self.ways(root, child, &further(way, at), ways);
            }
        }
    }
}

/// What one step leads to.
#[derive(Default)]
struct Ways {
    found: Vec<Way>,
    /// The values that it went out from, each once.
    searched: HashSet<Way>,
}

fn further(way: &[usize], at: usize) -> Way {
    let mut way = way.to_vec();
    way.push(at);
    way
}

impl To {
    fn positions(&self, value: &Value<'_>) -> Vec<usize> {
        let length = value.children().len();
        match self {
            Self::Keys(names) => names.iter().filter_map(|name| value.position(name)).collect(),
            Self::EveryKey if value.is_map() => (0..length).collect(),
            Self::Item(at) if value.is_list() => item(*at, length).into_iter().collect(),
            Self::Items(all) if value.is_list() => all.iter().filter_map(|at| item(*at, length)).collect(),
            Self::Slice { from, to, by } if value.is_list() => {
                let bound =
                    |at: isize| usize::try_from(at).unwrap_or_else(|_| length.saturating_sub(at.unsigned_abs()));
                let (from, to) = (from.map_or(0, bound), to.map_or(length, bound).min(length));
                (from..to).step_by(*by).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn item(at: isize, length: usize) -> Option<usize> {
    let at = usize::try_from(at).ok().or_else(|| length.checked_sub(at.unsigned_abs()));
    at.filter(|&at| at < length)
}

/// What stands at the end of a way.
pub(crate) fn follow<'v, 'a>(root: &'v Value<'a>, way: &[usize]) -> Option<&'v Value<'a>> {
    way.iter().try_fold(root, |value, &at| value.children().get(at))
}

/// The same, to be changed.
pub(crate) fn follow_mut<'v, 'a>(root: &'v mut Value<'a>, way: &[usize]) -> Option<&'v mut Value<'a>> {
    way.iter().try_fold(root, |value, &at| value.child_mut(at))
}

fn create<'a>(at: &mut Value<'a>, steps: &[Step], value: Value<'a>) -> Result<(), String> {
    let Some((first, rest)) = steps.split_first() else {
        at.give_way_to(value);
        return Ok(());
    };
    match first {
        Step { deep: false, to: To::Keys(names), .. } if names.len() == 1 => create_entry(at, &names[0], rest, value),
        Step { deep: false, to: To::Item(number), .. } => create_item(at, *number, rest, value),
        _ => Err("a path with `*`, `..`, `|` or a range finds values, and makes none".to_owned()),
    }
}

fn create_entry<'a>(map: &mut Value<'a>, name: &str, rest: &[Step], value: Value<'a>) -> Result<(), String> {
    if !map.is_map() {
        return Err(in_the_way(map, "a map", &format!("`{name}`")));
    }
    if map.get(name).is_none() {
        if rest.is_empty() {
            map.set(name, value);
            return Ok(());
        }
        map.set(name, fresh(rest));
    }
    map.get_mut(name).map_or(Ok(()), |child| create(child, rest, value))
}

fn create_item<'a>(list: &mut Value<'a>, number: isize, rest: &[Step], value: Value<'a>) -> Result<(), String> {
    let Ok(index) = usize::try_from(number) else {
        return Err(format!("there is no item {number}"));
    };
    if !list.is_list() {
        return Err(in_the_way(list, "a list", &format!("item {index}")));
    }
    if index > list.children().len() + MOST_PADDING {
        return Err(format!("item {index} is far behind the end of the list"));
    }
    while list.children().len() <= index {
        list.push(Value::map());
    }
    list.child_mut(index).map_or(Ok(()), |child| create(child, rest, value))
}

fn in_the_way(there: &Value<'_>, wanted: &str, for_what: &str) -> String {
    format!(
        "{} is in the way where {wanted} with {for_what} would be",
        there.kind_name(crate::layers::values::Schema::Yaml11)
    )
}

/// An empty collection that the next step can go into.
fn fresh<'a>(steps: &[Step]) -> Value<'a> {
    match steps.first() {
        Some(Step { to: To::Item(_), .. }) => Value::list(),
        _ => Value::map(),
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str(".");
        }
        for Step { deep, to, .. } in &self.0 {
            let dots = if *deep { ".." } else { "." };
            match to {
                To::Root => f.write_str("$")?,
                To::EveryKey => write!(f, "{dots}*")?,
                To::Keys(names) => {
                    let names: Vec<_> = names.iter().map(|name| parse::quoted(name)).collect();
                    write!(f, "{dots}{}", names.join(","))?;
                }
                To::Item(at) => write!(f, "{}[{at}]", if *deep { ".." } else { "" })?,
                To::Items(all) => {
                    let all: Vec<_> = all.iter().map(isize::to_string).collect();
                    write!(f, "[{}]", all.join(","))?;
                }
                To::Union(paths) => {
                    let inside = |path: &Self| path.to_string().trim_start_matches('.').to_owned();
                    write!(f, "{dots}({})", paths.iter().map(inside).collect::<Vec<_>>().join("|"))?;
                }
                To::This => write!(f, "{dots}`this`")?,
                To::Parent => write!(f, "{dots}`parent`")?,
                To::Slice { from: None, to: None, .. } => f.write_str("[*]")?,
                To::Slice { from, to, .. } => {
                    let bound = |bound: &Option<isize>| bound.map_or(String::new(), |at| at.to_string());
                    write!(f, "[{}:{}]", bound(from), bound(to))?;
                }
            }
        }
        Ok(())
    }
}

/// One key as a step of a path.
pub(crate) fn key_step(name: &str) -> Step {
    Step { deep: false, to: To::Keys(vec![name.to_owned()]), form: Form::Plain }
}

/// One item as a step of a path.
pub(crate) fn item_step(at: usize) -> Step {
    Step { deep: false, to: To::Item(isize::try_from(at).unwrap_or(isize::MAX)), form: Form::Plain }
}
