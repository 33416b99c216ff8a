//! Values that both the user and the release changed, and those that the user says something on.

use super::{Planner, Replacement, State, fields};
use crate::upgrade::answers::{self, Known, Take};
use crate::upgrade::options::OnConflict;
use crate::upgrade::three_way::Decision;
use crate::yaml::place::Place;

impl<'b: 'p, 'p, 'a> Planner<'b, 'p, 'a> {
    /// Decides on a conflict as it was answered, or else as was asked for. Without a base there is none.
    pub(super) fn conflict(&mut self, decision: Decision) {
        if self.base.documents.is_empty() {
            return;
        }
        let known = decision.update.map_or(Known::Nothing, |row| self.answers.about(row));
        let (answer, takes_update) = match known {
            Known::Nothing => (State::Open, self.options.on_conflict == OnConflict::Update),
            Known::Outdated => (State::OpenAgain, self.options.on_conflict == OnConflict::Update),
            // What a sparse file holds stays: nothing comes in.
            Known::Answer(Take::Theirs) if self.options.sparse => (State::Open, false),
            Known::Answer(take) => (State::Answered, *take == Take::Theirs),
        };
        if let (Some(current), Some(update)) = (decision.current, decision.update)
            && takes_update
            && !self.options.sparse
        {
            if decision.through.is_none() {
                self.plan.take(current, Replacement { update, other: true });
            } else {
                self.plan.written_out.insert(update);
            }
        }
        self.plan.decisions.push(Decision { answer, ..decision });
    }

    /// Whether an answer says that the value is to be what it was in the base.
    pub(super) fn is_answered_to_stay(&self, base: Place<'b, 'a>, update: Place<'p, 'a>) -> bool {
        match self.answers.about(update.row()) {
            Known::Answer(Take::Value(text)) => answers::means(text, self.base, base.row()),
            _ => false,
        }
    }

    /// Whether the user says something on a value; what is said inside of it does not count.
    pub(super) fn is_spoken_of(&self, base: Place<'b, 'a>, current: Place<'p, 'a>) -> bool {
        current.node().zip(base.node()).is_some_and(|(own, old)| self.comments.know_not_on(own, old))
    }

    /// Whether the user has commented out another value for a key of a map all of which goes. Where a key goes alone the comment
    /// stays, but with all around it it would go, too.
    pub(super) fn says_other_values_inside(&self, base: Place<'b, 'a>, current: Place<'p, 'a>) -> bool {
        let old = fields(Some(base));
        current.children().into_iter().any(|child| {
            let was = child.name().and_then(|name| old.get(name));
            let nodes = child.node().zip(was.and_then(|was| was.node()));
            nodes.is_some_and(|(own, old)| self.comments.know_not_around(own, old))
        })
    }

    /// Whether the user says something inside of a value that is to be replaced as a whole.
    pub(super) fn is_spoken_of_inside(&self, base: Place<'b, 'a>, current: Place<'p, 'a>) -> bool {
        let nodes = current.node().zip(base.node());
        nodes.is_some_and(|(own, old)| self.comments.know_not_inside(own, old))
    }
}
