//! Values that answers to conflicts bring: they are written into the user's file before the merge, which asks there.

use super::convert::{self, Conversion};
use super::{Files, GivesWay, Lines, Prepared, Promise, prepared_base, written};
use crate::text::error::{Error, visible};
use crate::text::source::Source;
use crate::upgrade::answers::{Answers, Known, Take};
use crate::upgrade::moves::proof;
use crate::upgrade::options::{Base, Options};
use crate::upgrade::three_way::{self, Decision};
use crate::upgrade::variables;
use crate::yaml::check::{self, Checked};
use crate::yaml::fields::Fields;
use crate::yaml::find;
use crate::yaml::row::RowId;

/// The text of the user's file with the values of answers in the places of the conflicts that they answer, and where its
/// lines were; nothing where no answer brings one. Without an old default there are no conflicts.
///
/// # Errors
/// A value of the user's that has no line to itself: a list or map on lines below its key, an alias, nothing.
pub(super) fn edited(
    prepared: &Prepared<'_>,
    name: &str,
    update: &Source<'_>,
    options: &Options,
) -> Result<Option<(String, Lines)>, Error> {
    let brings_value = options.answers.iter().any(|answer| matches!(answer.take, Take::Value(_)));
    let Some(Base { name: old, text }) = options.base.as_ref().filter(|_| brings_value) else { return Ok(None) };
    let theirs = check::read(update)?;
    let answers = Answers::to(&options.answers, &theirs);
    let applied = variables::apply_known(old, text, &options.variables)?.text;
    let base = prepared_base((old, applied), prepared, update, options)?;
    let (source, base) = (Source::new(name, &prepared.text)?, Source::new(old, &base.text)?);
    let (mine, base) = (check::read(&source)?, check::read(&base)?);
    let plan = three_way::plan(&mine, &base, &theirs, (options, &options.rules()?));
    let files = Files { current: &mine, update: &theirs, gives_way: GivesWay::Defaults(None) };
    let value = |decision: &Decision| match answers.about(decision.update?) {
        Known::Answer(Take::Value(value)) if decision.is_answered() => Some(value),
        _ => None,
    };
    let wanted = plan.decisions.iter().filter_map(|decision| Some((decision, value(decision)?)));
    let planned = wanted.map(|(decision, value)| conversion(&source, &files, decision, value));
    let planned: Vec<_> = planned.collect::<Result<_, _>>()?;
    if planned.is_empty() {
        return Ok(None);
    }
    let mut stream = mine.stream.clone();
    let rewritten = convert::apply(&mut stream, planned).ok_or_else(|| super::not_understood(name))?;
    let promise = Promise { rewritten, ..Promise::default() };
    let proof = |read: &Checked<'_>| proof::check(&mine.outline, &read.outline, &promise);
    written(&source, &mut stream, proof).map(Some)
}

fn conversion(
    source: &Source<'_>,
    files: &Files<'_, '_>,
    decision: &Decision,
    value: &str,
) -> Result<Conversion, Error> {
    let mine = files.current;
    let row = decision.place().unwrap_or(RowId::FIRST);
    let path = mine.outline.path(row).to_string();
    let way = find::find(&mine.stream, &mine.outline, &path)?.filter(|_| decision.through.is_none());
    way.and_then(|way| convert::to_value(files, way, value)).ok_or_else(|| {
        let what = format!("the answer to `{}` is a value, for which there is no room in a line here", visible(&path));
        let place = Fields::of(source, &mine.outline).value(row);
        source.error(&what, place).help("answer `mine` or `theirs`, or change the value in this file first")
    })
}
