//! Children that come in at the start or go: many at once, where one at a time would take the square of their number.

use super::Value;

impl<'a> Value<'a> {
    /// Takes a child out; its comments go with it.
    pub(crate) fn remove(&mut self, at: usize) -> Option<Value<'a>> {
        let starts = at == 0 && !self.has_head();
        let children = self.children_mut()?;
        let gone = (at < children.len()).then(|| children.remove(at))?;
        if let Some(first) = children.first_mut().filter(|_| starts) {
            first.starts_like(&gone);
        }
        Some(gone)
    }

    /// Puts items before all that are there.
    pub(crate) fn prepend(&mut self, items: Vec<Value<'a>>) {
        let item = |mut child: Value<'a>| {
            child.moved();
            child.item_as_it_was()
        };
        if let Some(children) = self.children_mut() {
            children.splice(0..0, items.into_iter().map(item));
        }
    }

    /// Takes out the children of which this does not hold; their comments go with them.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(usize, &Value<'a>) -> bool) {
        let kept: Vec<bool> = self.children().iter().enumerate().map(|(at, child)| keep(at, child)).collect();
        if !kept.contains(&false) {
            return;
        }
        let starts = kept.first() == Some(&false) && !self.has_head();
        let first = self.children().first().filter(|_| starts).cloned();
        let Some(children) = self.children_mut() else { return };
        let mut kept = kept.into_iter();
        children.retain(|_| kept.next().unwrap_or(true));
        if let Some((now, before)) = children.first_mut().zip(first) {
            now.starts_like(&before);
        }
    }
}
