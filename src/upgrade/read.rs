//! The files of an upgrade, read: what cannot be upgraded, or upgraded to, is refused here.

use crate::text::error::{Error, Place};
use crate::text::source::Source;
use crate::upgrade::moves;
use crate::upgrade::on_read::{OnRead, Which};
use crate::upgrade::options::{Base, Options};
use crate::upgrade::rules::Rules;
use crate::upgrade::variables;
use crate::yaml::check::{self, Checked};
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::row::RowId;

/// Reads the current file and the update, both at once where they are long.
pub(super) fn both<'a>(
    current: &Source<'a>,
    update: &Source<'a>,
    on_read: &mut dyn OnRead,
) -> Result<(Checked<'a>, Checked<'a>), Error> {
    let shorter = current.text.len().min(update.text.len());
    let (mine, theirs) = check::both(shorter, || check::read(current), || check::read(update));
    let (mine, theirs) = (mine?, theirs?);
    refuse_other_scalars(current, &mine.outline, &theirs.outline)?;
    refuse_scalars(update, &theirs.outline)?;
    on_read.on_read(Which::Current, current, &mine.outline);
    on_read.on_read(Which::Update, update, &theirs.outline);
    Ok((mine, theirs))
}

/// The name and the text of the base, its variables applied like those of the update, its values moved like those of the
/// current file; without one an empty text where what the walk with a base decides is asked for.
pub(super) fn old_default<'o>(
    options: &'o Options,
    rules: &Rules,
    prepared: &moves::Prepared<'_>,
    update: &Source<'_>,
) -> Result<Option<(&'o str, moves::Prepared<'o>)>, Error> {
    let Some(Base { name, text }) = &options.base else {
        return Ok((options.sparse || !rules.is_empty()).then(|| ("base", moves::Prepared::default())));
    };
    let applied = variables::apply_known(name, text, &options.variables)?.text;
    Ok(Some((name, moves::prepared_base((name, applied), prepared, update, options)?)))
}

/// Reads the base. Most users change little or nothing: where the current file says the same to the byte, what was read of
/// that will do.
pub(super) fn base<'a>(
    (base, current): (&Source<'a>, &Source<'a>),
    mine: &Checked<'a>,
    on_read: &mut dyn OnRead,
) -> Result<Checked<'a>, Error> {
    let is_same = base.text == current.text && base.bom == current.bom;
    let read = if is_same { mine.clone() } else { check::read(base)? };
    on_read.on_read(Which::Base, base, &read.outline);
    Ok(read)
}

/// A valid but empty update is most likely a download that failed.
pub(super) fn refuse_empty(source: &Source<'_>) -> Result<(), Error> {
    if source.text.is_empty() {
        return Err(Error::input("the file is empty").in_file(source.name).help("is this the new default?"));
    }
    Ok(())
}

/// A configuration is a map or a list; a file with nothing but bare scalars is most likely something else altogether.
pub(super) fn refuse_scalars(source: &Source<'_>, outline: &Outline<'_>) -> Result<(), Error> {
    refuse_other_scalars(source, outline, &Outline::default())
}

/// The same for a file beside a new default: bare values that this has are what an earlier upgrade put there.
fn refuse_other_scalars(source: &Source<'_>, outline: &Outline<'_>, update: &Outline<'_>) -> Result<(), Error> {
    let roots = || outline.documents.iter();
    let is_scalar = |row: &&RowId| matches!(outline[**row].kind, RowKind::Scalar(_));
    let is_known = |row: RowId| update.documents.iter().any(|&other| outline.same_value(row, update, other));
    let scalar = roots().find(|&&row| !outline[row].text.is_empty() && !is_known(row));
    let Some(&row) = scalar.filter(|_| roots().all(|row| is_scalar(&row))) else { return Ok(()) };
    let what = "this is one bare value, not a map or a list";
    Err(source
        .error(what, Place { line: outline[row].line, column: 1 })
        .help("is this a configuration? a key needs `: ` behind it"))
}
