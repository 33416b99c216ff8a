//! All keys of a file with the steps that lead to them, for questions about a file as a whole.

use crate::yaml::outline::Outline;
use crate::yaml::path::Step;

/// Visits every value of a file, in its order, with the steps to it inside of its document.
pub(crate) fn visit(outline: &Outline<'_>, visit: &mut dyn FnMut(&[Step], usize)) {
    for &root in &outline.documents {
        below(outline, root, &mut Vec::new(), visit);
    }
}

fn below(outline: &Outline<'_>, row: usize, steps: &mut Vec<Step>, visit: &mut dyn FnMut(&[Step], usize)) {
    for (at, child) in outline.children(row).enumerate() {
        let name = outline.rows[child].name.as_deref();
        steps.push(name.map_or(Step::Item(at), |name| Step::Key(name.to_owned())));
        visit(steps, child);
        below(outline, child, steps, visit);
        steps.pop();
    }
}
