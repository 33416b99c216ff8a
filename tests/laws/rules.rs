//! What rules for lists and own paths have to hold, whatever two files look like: the result passes the verification of
//! the tool, and a second run changes nothing.

use yamlift::{ErrorKind, ListMerge, Migration, Options};

use crate::oracle::may_be_refused;
use crate::pairs::Pair;

const MODES: [ListMerge; 7] = [
    ListMerge::Keep,
    ListMerge::Replace,
    ListMerge::Append,
    ListMerge::Prepend,
    ListMerge::Unique,
    ListMerge::Union,
    ListMerge::Index,
];

pub(crate) fn modes_hold(pair: &Pair) -> Result<(), String> {
    for mode in MODES {
        // All lists, and only the inner ones.
        for path in ["**", "**[*]/**"] {
            let mut options = Options::default();
            options.list_modes = vec![(path.to_owned(), mode)];
            settles(pair, &options).map_err(|what| format!("{mode:?} at {path}: {what}"))?;
        }
    }
    Ok(())
}

/// With an old default, which is one of the two files, no result is a bug. Where an item that the user never touched gives
/// way, an alias of what was in it may be refused, as without rules.
pub(crate) fn modes_hold_with_a_base(pair: &Pair) -> Result<(), String> {
    for mode in MODES {
        let list_modes = vec![("**".to_owned(), mode)];
        for base in [&pair.current, &pair.update] {
            let mut options = Options::default();
            options.list_modes.clone_from(&list_modes);
            options.base = Some(base.as_str().into());
            let done = yamlift::upgrade(&pair.current, &pair.update, &options);
            if let Some(error) = done.err().filter(|error| error.kind() != ErrorKind::Input) {
                return Err(format!("{mode:?}: refused: {error}"));
            }
        }
    }
    Ok(())
}

pub(crate) fn own_paths_hold(pair: &Pair) -> Result<(), String> {
    for own in ["'*/*'", "'*[*]'", "'**'"] {
        let file = format!("yamlift: 1\nown: [{own}]\n");
        let migration = Migration::read("own.yml", &file).map_err(|error| error.to_string())?;
        let mut options = Options::default();
        options.migration = Some(migration);
        settles(pair, &options).map_err(|what| format!("own {own}: {what}"))?;
    }
    Ok(())
}

fn settles(pair: &Pair, options: &Options) -> Result<(), String> {
    let run = |current: &str| match yamlift::upgrade(current, &pair.update, options) {
        Ok(done) => Ok(Some(done.text().to_owned())),
        Err(error) if may_be_refused(&error) => Ok(None),
        Err(error) => Err(format!("refused: {error}")),
    };
    let Some(first) = run(&pair.current)? else { return Ok(()) };
    let second = run(&first).map_err(|what| format!("the second run is {what}\n---- first\n{first}"))?;
    match second {
        Some(second) if second != first => {
            Err(format!("a second run changes something\n---- first\n{first}\n---- second\n{second}"))
        }
        _ => Ok(()),
    }
}
