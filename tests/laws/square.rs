//! Law 9: edits and releases commute. Who edits the old default and upgrades has the new default with the same edit.
//!
//! A default is drawn as products write theirs (one map, comments above keys, commented-out keys among them), a release
//! of it is drawn, and one edit is made at the same place of both. A place is taken only where the release did not
//! touch what the edit touches. What files of any other shape come to, the other laws say.

use proptest::prelude::*;
use yamlift::{Base, Options};

use crate::edits::{EDITS, Edit, places};
use crate::model::File;
use crate::pairs::tapes;
use crate::render::render;
use crate::tape::Tape;
use crate::tidy::{default, release};

/// The old default and the new one, each as it came and edited.
#[derive(Clone)]
pub(crate) struct Square {
    edit: Edit,
    old: String,
    new: String,
    edited_old: String,
    edited_new: String,
}

/// A default, a release and an edit that has a place in both.
pub(crate) fn squares() -> impl Strategy<Value = Square> {
    tapes().prop_map(|(file, release, edit)| Square::draw(&file, &release, &edit))
}

impl Square {
    fn draw(file: &[u8], changes: &[u8], edit: &[u8]) -> Self {
        let old = default(&mut Tape::new(file));
        let new = release(&old, &mut Tape::new(changes));
        let mut tape = Tape::new(edit);
        let drawn = *tape.pick(&EDITS);
        let places = places(drawn, &old, &new);
        let place = (!places.is_empty()).then(|| tape.pick(&places).clone());
        let edited = |file: &File| place.as_ref().map_or_else(|| render(file), |place| render(&place.edit(file)));
        Self {
            edit: if place.is_some() { drawn } else { Edit::None },
            edited_old: edited(&old),
            edited_new: edited(&new),
            old: render(&old),
            new: render(&new),
        }
    }

    pub(crate) fn found(edit: Edit, [old, new, edited_old, edited_new]: [&str; 4]) -> Self {
        let [old, new, edited_old, edited_new] = [old, new, edited_old, edited_new].map(str::to_owned);
        Self { edit, old, new, edited_old, edited_new }
    }
}

/// The upgrade of the edited old default is the edited new one, byte for byte, and stays so.
pub(crate) fn edits_and_releases_commute(square: &Square) -> Result<(), String> {
    let Square { edit, old, new, edited_old, edited_new } = square;
    let first = upgrade(edited_old, new, old)?;
    if first != *edited_new {
        return Err(format!("{edit:?}: {}\n==== result\n{first}", difference(&first, edited_new)));
    }
    for (name, base) in [("the same base", old), ("the new default as base", new)] {
        let second = upgrade(&first, new, base)?;
        if second != first {
            let what = difference(&second, &first);
            return Err(format!("{edit:?}: a second run with {name}: {what}\n==== second\n{second}"));
        }
    }
    Ok(())
}

/// What differs most in two texts that are not the same.
fn difference(text: &str, other: &str) -> &'static str {
    let sorted = |text: &str| {
        let mut lines: Vec<_> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    match (
        text.lines().filter(|line| !line.is_empty()).eq(other.lines().filter(|line| !line.is_empty())),
        sorted(text) == sorted(other),
    ) {
        (true, _) => "blank lines differ",
        (false, true) => "the order or the columns of lines differ",
        (false, false) => "lines are lost or doubled",
    }
}

fn upgrade(current: &str, update: &str, base: &str) -> Result<String, String> {
    let mut options = Options::default();
    options.base = Some(Base::from(base));
    let done = yamlift::upgrade(current, update, &options);
    done.map(|done| done.text().to_owned()).map_err(|error| format!("refused: {error}"))
}

impl std::fmt::Debug for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{:?}", self.edit)?;
        let files =
            [("base", &self.old), ("current", &self.edited_old), ("update", &self.new), ("expected", &self.edited_new)];
        files.iter().try_for_each(|(name, text)| writeln!(f, "---- {name}.yml\n{text}"))?;
        f.write_str("----")
    }
}
