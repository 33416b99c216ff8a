//! Both files become one tree: what the old default decides, what is deleted, nodes in their order, anchors, comments.
//!
//! Left out: the text of the result, and whether it is right.

use foldhash::HashSet;

use crate::comments::{self, Context, WordsBefore};
use crate::report::note::Note;
use crate::report::secrets::LooksSecret;
use crate::text::error::Error;
use crate::text::lines::Lines;
use crate::text::source::{Ends, Source};
use crate::upgrade::anchors::{self, Anchors, Refused, Tags};
use crate::upgrade::changes::{self, Files};
use crate::upgrade::commented_out::made_live::{self, MadeLive};
use crate::upgrade::commented_out::{self, KeysBefore, Opened, Opening};
use crate::upgrade::documents::{self, pairing::Counterparts};
use crate::upgrade::edit::{self, Deleted};
use crate::upgrade::merge::{Merge, SwitchedOff, bring_back};
use crate::upgrade::only_yours::OnlyYours;
use crate::upgrade::options::{OnConflict, Options};
use crate::upgrade::rules::Rules;
use crate::upgrade::three_way::{self, Decision, Plan, Row};
use crate::upgrade::verify::Origins;
use crate::yaml::check::Checked;
use crate::yaml::flow::fit::Indentation;
use crate::yaml::outline::Outline;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Node, Origin, Seldom};

/// The files of a merge, read.
pub(super) struct Input<'i, 'b, 'a> {
    /// The user's file as it was given.
    pub(super) source: &'i Source<'i>,
    pub(super) update_source: &'i Source<'b>,
    pub(super) mine: Checked<'a>,
    pub(super) base: Option<&'b Checked<'a>>,
    pub(super) theirs: Checked<'a>,
    pub(super) ends: Ends<'b>,
}

/// Both files as one tree.
pub(super) struct Merged<'b, 'a> {
    pub(super) stream: Node<'a>,
    pub(super) facts: Facts<'b, 'a>,
}

/// Everything that is needed to tell what happened, and to verify it.
pub(super) struct Facts<'b, 'a> {
    pub(super) mine: Outline<'a>,
    pub(super) theirs: Outline<'a>,
    pub(super) documents: Vec<Origins>,
    pub(super) deleted: Deleted,
    pub(super) notes: Vec<Note>,
    pub(super) plan: Plan<'b, 'a>,
    pub(super) base: Option<&'b Outline<'a>>,
    pub(super) update_name: &'b str,
    /// How long both texts are together, in bytes: the result is hardly longer.
    pub(super) length: usize,
    pub(super) ends: Ends<'b>,
    pub(super) open_maps: HashSet<RowId>,
    pub(super) states: States,
    /// Keys that only the user's file has, where the report tells of them.
    pub(super) only_yours: Vec<OnlyYours>,
}

/// What the report tells of commented-out keys.
pub(super) struct States {
    /// Which keys were commented out in both files.
    pub(super) before: KeysBefore,
    /// For each document of the result its nodes, by their rows in the user's file.
    pub(super) own_rows: Vec<Vec<Option<RowId>>>,
    /// The keys that one file has live and the other commented out.
    pub(super) switched_off: SwitchedOff,
}

impl States {
    fn of(before: KeysBefore, stream: &Node<'_>, switched_off: SwitchedOff, options: &Options) -> Self {
        let is_told = !options.skip_changes && !before.offers_nothing();
        let own_rows = if is_told { commented_out::own_rows(stream) } else { Vec::new() };
        Self { before, own_rows, switched_off }
    }
}

/// Merges the files by the options and rules that are asked for.
pub(super) fn combine<'b, 'a>(
    input: Input<'_, 'b, 'a>,
    options: &Options,
    rules: &Rules,
) -> Result<Merged<'b, 'a>, Error> {
    let Input { base, ends, source, update_source, .. } = input;
    let words_before = base.filter(|_| options.base.is_some()).map(|base| WordsBefore::of([base, &input.mine]));
    let Planned { marked, plan, counterparts, opened, keys_before, made_live, notes } =
        Planned::of(input, options, rules)?;
    let Marked { current, update, mine, theirs, anchors, tags, mut deleted } = marked;
    let indentation = Indentation { column: -1, step: update.step() };
    let merge = Merge::new((&mine, &theirs), options, &plan, (&opened, &keys_before));
    let mut merge = Merge { has_aliases: anchors.is_some(), indentation, notes, ..merge };
    let (mut stream, documents) = documents::merge(&mut merge, current, update, &counterparts);
    if let Some(anchors) = anchors {
        repair_anchors(&anchors, &mut stream, (&mut merge, &mut deleted), [source, update_source])?;
    }
    settle_comments(&mut stream, (&mut merge, made_live), words_before, &source.lines);
    let Merge { mut notes, open_maps, switched_off, .. } = merge;
    let states = States::of(keys_before, &stream, switched_off, options);
    if let Some(tags) = tags {
        tags.repair(&mut stream, &mut notes, deleted.removed.iter_mut().map(|removed| &mut removed.text));
    }
    let facts = Facts {
        mine,
        theirs,
        documents,
        deleted,
        notes,
        plan,
        base: base.map(|base| &base.outline),
        update_name: update_source.name,
        length: source.text.len() + update_source.text.len(),
        ends,
        open_maps,
        states,
        only_yours: Vec::new(),
    };
    Ok(Merged { stream, facts })
}

/// Gives every alias what it meant.
fn repair_anchors<'a>(
    anchors: &Anchors<'a>,
    stream: &mut Node<'a>,
    (merge, deleted): (&mut Merge<'_, 'a>, &mut Deleted),
    sources: [&Source<'_>; 2],
) -> Result<(), Error> {
    let repaired = anchors.repair(stream, merge, &deleted.removed);
    repaired.map_err(|refused| refusal(refused, merge, sources, deleted))?;
    deleted.removed.iter_mut().for_each(|removed| removed.text = anchors.as_it_was(&removed.text));
    Ok(())
}

/// Decides whose comments stay, makes comments of what is commented out, and puts the markers that documents need then.
fn settle_comments<'a>(
    stream: &mut Node<'a>,
    (merge, made_live): (&mut Merge<'_, 'a>, Vec<MadeLive<'a>>),
    words_before: Option<WordsBefore<'a>>,
    lines: &Lines<'_>,
) {
    for key in &made_live {
        merge.open_maps.remove(&key.map);
    }
    commented_out::close_unpaired(stream);
    let context = Context {
        lines,
        policy: merge.options.comments,
        not_added: std::mem::take(&mut merge.not_added),
        said_of_same: std::mem::take(&mut merge.said_of_same),
        words_before,
        is_own: &|row| merge.plan.is_own(row),
        is_in_base: &|row| merge.plan.base(row).is_some(),
        is_first_now: &|row| merge.plan.is_first_now(row),
    };
    merge.notes.extend(comments::decide(stream, context));
    if !merge.own_trailing.is_empty() {
        bring_back(stream, &merge.own_trailing);
    }
    commented_out::close(stream);
    comments::arrange(stream);
    documents::mark_boundaries(stream);
    made_live::put_back(stream, made_live);
}

/// Both trees with all that is decided before they are laid out.
struct Planned<'b, 'a> {
    marked: Marked<'a>,
    plan: Plan<'b, 'a>,
    counterparts: Counterparts,
    opened: Opened<'a>,
    keys_before: KeysBefore,
    made_live: Vec<MadeLive<'a>>,
    notes: Vec<Note>,
}

impl<'b, 'a> Planned<'b, 'a> {
    fn of(input: Input<'_, 'b, 'a>, options: &Options, rules: &Rules) -> Result<Self, Error> {
        let (base, lines) = (input.base, &input.source.lines);
        let plan = |base| three_way::plan(&input.mine, base, &input.theirs, (options, rules));
        let mut plan = base.map_or_else(Plan::default, plan);
        if options.on_conflict == OnConflict::Fail {
            refuse_conflicts(&input, &plan, options)?;
        }
        let mut marked = Marked::of(input, options)?;
        let (current, update) = (&mut marked.current, &mut marked.update);
        if options.sparse {
            // The plan says what would come in; nothing of it does.
            update.children.clear();
            update.below = Seldom::default();
        }
        let counterparts = Counterparts::of(&plan, (current, &marked.mine), (update, &marked.theirs));
        let pairs = counterparts.among(&current.children, &update.children);
        let Opening { opened, before: keys_before, made_live } = commented_out::open(current, update, &pairs, &plan);
        let mut notes = Vec::new();
        if let Some(old) = base {
            let (mine, theirs) = ((&mut marked.current, &mut marked.mine), (&mut marked.update, &mut marked.theirs));
            plan.apply(mine, theirs, &|base| opened.node(base));
            notes = plan.notes_on_gone_words((&marked.mine, lines), &old.stream);
            let dropped = commented_out::dropped(&keys_before, &plan, [&marked.mine, &marked.theirs]);
            plan.decisions.extend(dropped.into_iter().map(|row| Decision::about(Row::KeptDropped, row)));
        }
        Ok(Self { marked, plan, counterparts, opened, keys_before, made_live, notes })
    }
}

/// Refuses an upgrade in which both sides changed a value.
fn refuse_conflicts(input: &Input<'_, '_, '_>, plan: &Plan<'_, '_>, options: &Options) -> Result<(), Error> {
    let (mine, theirs, old) = (&input.mine.outline, &input.theirs.outline, input.base.map(|base| &base.outline));
    let files = files((input.source.name, mine), old, (input.update_source.name, theirs), options);
    let mut secrets = options.secrets(LooksSecret::Hidden)?;
    for outline in [mine, theirs].into_iter().chain(old) {
        secrets.learn_rows(outline);
    }
    changes::conflicts(&plan.decisions, &files, &secrets)
}

/// Both trees with marks where names depend on the file, and without what is to be deleted.
struct Marked<'a> {
    current: Node<'a>,
    update: Node<'a>,
    mine: Outline<'a>,
    theirs: Outline<'a>,
    anchors: Option<Anchors<'a>>,
    tags: Option<Tags>,
    deleted: Deleted,
}

impl<'a> Marked<'a> {
    fn of(input: Input<'_, '_, 'a>, options: &Options) -> Result<Self, Error> {
        let Input { source, update_source, ends, .. } = input;
        let Checked { stream: mut current, outline: mut mine } = input.mine;
        let Checked { stream: mut update, outline: mut theirs } = input.theirs;
        update.adopt(Origin::Update);
        if ends.follow {
            current.adopt(Origin::Current);
        }
        let texts = [source.text, update_source.text];
        let tags = anchors::mark_tags(&mut current, &mut update, texts);
        let anchors = anchors::mark_both((&mut current, &mut mine), (&mut update, &mut theirs), texts);
        let deleted = edit::delete(source, &mut current, &mut mine, &options.delete)?;
        Ok(Self { current, update, mine, theirs, anchors, tags, deleted })
    }
}

/// Why a merged tree cannot keep what its aliases mean.
fn refusal(
    refused: Refused,
    merge: &Merge<'_, '_>,
    [source, update_source]: [&Source<'_>; 2],
    deleted: &Deleted,
) -> Error {
    match refused {
        Refused::Lost(row) => edit::lost_anchor(source, merge.current, &deleted.removed, row),
        Refused::TooLong(Origin::Current, row) => anchors::too_long(source, merge.current, row),
        Refused::TooLong(Origin::Update, row) => anchors::too_long(update_source, merge.update, row),
    }
}

/// The files that a report tells of, by name and outline.
pub(super) fn files<'f, 'a>(
    current: (&'f str, &'f Outline<'a>),
    base: Option<&'f Outline<'a>>,
    update: (&'f str, &'f Outline<'a>),
    options: &'f Options,
) -> Files<'f, 'a> {
    Files { current, base: options.base.as_ref().map(|base| base.name.as_str()).zip(base), update }
}
