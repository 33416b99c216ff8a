//! Finds for a map which of many others has the most values in common with it, without comparing it with each.
//!
//! Only what has one of its values under the same key can have any in common; and where two have another value under one
//! key they are no pair. So the others are looked up by the rarest value first, and by those that lack its key.

use foldhash::{HashMap, HashSet};

use super::shapes::{Id, Part, Shape, Shapes};

/// So many values of one map are looked at to find others.
const MOST: usize = 256;

/// The candidate with the most values in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Best {
    One {
        at: usize,
        score: usize,
    },
    /// So many with the same score, or none at all.
    Tie {
        candidates: usize,
        score: usize,
    },
}

impl Best {
    const NONE: Self = Self::Tie { candidates: 0, score: 0 };

    pub(super) fn score(self) -> usize {
        match self {
            Self::One { score, .. } | Self::Tie { score, .. } => score,
        }
    }

    /// The better of this and of all that are like one candidate.
    fn or(self, class: Class<'_>, score: usize) -> Self {
        let candidates = match self {
            _ if score > self.score() => 0,
            _ if score < self.score() || score == 0 => return self,
            Self::One { .. } => 1,
            Self::Tie { candidates, .. } => candidates,
        };
        match candidates + class.count {
            1 => Self::One { at: class.first, score },
            candidates => Self::Tie { candidates, score },
        }
    }
}

/// Items that are alike.
#[derive(Clone, Copy)]
struct Class<'n> {
    part: Part<'n>,
    /// The place of the first of them.
    first: usize,
    count: usize,
}

/// A place in a value: the names on the way to it, where the items of a list are one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Place(usize);

impl Place {
    const TOP: Self = Self(0);
}

/// What stands at a place: a scalar, or an alias.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Content<'n> {
    Scalar(Id),
    Alias(&'n str),
}

/// The contents of a value with their places.
#[derive(Default)]
struct Contents<'n> {
    all: Vec<(Place, Content<'n>)>,
    /// The places that are in no list.
    fields: Vec<Place>,
    /// Whether there were too many to see all.
    is_cut: bool,
}

/// Maps that are looked up by what they have in them.
pub(super) struct Index<'s, 'n> {
    shapes: &'s Shapes<'n>,
    classes: Vec<Class<'n>>,
    places: HashMap<(Place, Option<&'s str>), Place>,
    by_content: HashMap<(Place, Content<'n>), Vec<usize>>,
    by_field: HashMap<Place, Vec<usize>>,
    /// Those of which not all contents were seen.
    cut: Vec<usize>,
    /// Those that lack a field, once somebody asked.
    lacking: HashMap<Place, Vec<usize>>,
    /// What was found for a part.
    found: HashMap<Part<'n>, Best>,
}

impl<'s, 'n> Index<'s, 'n> {
    pub(super) fn of(shapes: &'s Shapes<'n>, items: &[Part<'n>]) -> Self {
        let mut index = Self {
            shapes,
            classes: Vec::new(),
            places: HashMap::default(),
            by_content: HashMap::default(),
            by_field: HashMap::default(),
            cut: Vec::new(),
            lacking: HashMap::default(),
            found: HashMap::default(),
        };
        let mut known = HashMap::default();
        for (at, &part) in items.iter().enumerate() {
            let class = *known.entry(part).or_insert(index.classes.len());
            match index.classes.get_mut(class) {
                Some(class) => class.count += 1,
                None => index.add(Class { part, first: at, count: 1 }),
            }
        }
        index
    }

    fn add(&mut self, class: Class<'n>) {
        let at = self.classes.len();
        self.classes.push(class);
        let contents = self.contents(class.part);
        if contents.is_cut {
            self.cut.push(at);
            return;
        }
        for content in contents.all {
            let places = self.by_content.entry(content).or_default();
            if places.last() != Some(&at) {
                places.push(at);
            }
        }
        for field in contents.fields {
            self.by_field.entry(field).or_default().push(at);
        }
    }

    fn contents(&mut self, part: Part<'n>) -> Contents<'n> {
        let mut contents = Contents::default();
        let mut open = vec![(Place::TOP, part, true)];
        let mut seen = 0;
        while let Some((place, part, is_field)) = open.pop() {
            seen += 1;
            if seen > MOST {
                contents.is_cut = true;
                break;
            }
            if is_field {
                contents.fields.push(place);
            }
            contents.all.extend(part.alias.map(|alias| (place, Content::Alias(alias))));
            match self.shapes.shape(part) {
                Shape::Scalar(_) => contents.all.push((place, Content::Scalar(part.shape))),
                Shape::List(items) => {
                    let place = self.below(place, None);
                    open.extend(items.iter().map(|item| (place, *item, false)));
                }
                Shape::Map(fields) => {
                    open.extend(fields.iter().map(|(name, part)| (self.below(place, Some(name)), *part, is_field)));
                }
            }
        }
        contents
    }

    fn below(&mut self, place: Place, name: Option<&'s str>) -> Place {
        let next = Place(self.places.len() + 1);
        *self.places.entry((place, name)).or_insert(next)
    }

    /// Which of the items has the most in common with another one.
    pub(super) fn best(&mut self, part: Part<'n>) -> Best {
        if let Some(found) = self.found.get(&part) {
            return *found;
        }
        let best = self.search(part);
        self.found.insert(part, best);
        best
    }

    fn search(&mut self, part: Part<'n>) -> Best {
        let mut contents = self.contents(part);
        contents.all.sort_by_key(|content| self.with(*content).len());
        let rarest = self.rarest_field(&contents);
        let fallback = rarest.map_or(self.classes.len(), |(_, count)| count);
        let mut search = Search { seen: HashSet::default(), part, best: Best::NONE };
        search.among(self, &self.cut);
        for (at, content) in contents.all.iter().enumerate() {
            let left = contents.all.len() - at;
            if search.best.score() > left && !contents.is_cut {
                return search.best;
            }
            let with = self.with(*content);
            if contents.is_cut || with.len() >= fallback {
                break;
            }
            search.among(self, with);
            if at + 1 == contents.all.len() {
                return search.best;
            }
        }
        match rarest {
            Some((field, _)) => {
                for content in contents.all.iter().filter(|(place, _)| *place == field) {
                    search.among(self, self.with(*content));
                }
                self.fill_lacking(field);
                search.among(self, self.lacking.get(&field).map_or(&[], Vec::as_slice));
            }
            None if contents.all.is_empty() && !contents.is_cut => {}
            None => search.among(self, &(0..self.classes.len()).collect::<Vec<_>>()),
        }
        search.best
    }

    /// Those that have a content.
    fn with(&self, content: (Place, Content<'n>)) -> &[usize] {
        self.by_content.get(&content).map_or(&[], Vec::as_slice)
    }

    /// The scalar field that leaves the fewest candidates: those that have the same there, and those that lack it.
    fn rarest_field(&self, contents: &Contents<'n>) -> Option<(Place, usize)> {
        let scalars = contents.all.iter().filter(|(_, content)| matches!(content, Content::Scalar(_)));
        let fields = scalars.filter(|(place, _)| contents.fields.contains(place));
        let counts = fields.map(|&(place, _)| {
            let same =
                contents.all.iter().filter(|(other, _)| *other == place).map(|content| self.with(*content).len());
            let having = self.by_field.get(&place).map_or(0, Vec::len);
            (place, same.sum::<usize>() + self.classes.len() - having)
        });
        counts.min_by_key(|(_, count)| *count)
    }

    fn fill_lacking(&mut self, field: Place) {
        let (having, all) = (self.by_field.get(&field), self.classes.len());
        self.lacking.entry(field).or_insert_with(|| {
            let mut lacks = vec![true; all];
            having.into_iter().flatten().for_each(|&at| lacks[at] = false);
            (0..all).filter(|&at| lacks[at]).collect()
        });
    }
}

/// A search for the best candidate; each is compared once.
struct Search<'n> {
    part: Part<'n>,
    seen: HashSet<usize>,
    best: Best,
}

impl<'n> Search<'n> {
    fn among(&mut self, index: &Index<'_, 'n>, candidates: &[usize]) {
        for &at in candidates {
            if self.seen.insert(at) {
                let class = index.classes[at];
                let score = index.shapes.overlap(self.part, class.part).unwrap_or(0);
                self.best = self.best.or(class, score);
            }
        }
    }
}
