//! What may be on the medium when the power goes.

use std::cell::RefCell;
use std::rc::Rc;

use super::{Inode, Model, State, apply};

/// What became of the files that were written and not synced.
#[derive(Clone, Copy)]
enum Fate {
    Lost,
    Torn,
    Written,
}

impl Model {
    /// The same after a kill: programs see what they saw.
    pub(in crate::files) fn after_kill(&self) -> Self {
        let state = self.0.borrow();
        let everything = State { saved: state.files.clone(), saved_names: state.names.clone(), ..state.clone() };
        everything.started()
    }

    /// All that may be found after a power cut.
    pub(in crate::files) fn after_power_cut(&self) -> Vec<Self> {
        let state = self.0.borrow();
        assert!(state.pending.len() < 10, "too many states: {}", state.pending.len());
        let chosen = 0_usize..1 << state.pending.len();
        let fates = [Fate::Lost, Fate::Torn, Fate::Written];
        chosen.flat_map(|chosen| fates.map(|fate| state.after(chosen, fate))).collect()
    }

    /// What is there even if all goes wrong that may.
    pub(in crate::files) fn durable(&self) -> Self {
        self.0.borrow().after(0, Fate::Lost)
    }
}

impl State {
    /// With the pending changes whose bits are set in `chosen`, in their order.
    fn after(&self, chosen: usize, fate: Fate) -> Model {
        let mut names = self.saved_names.clone();
        for (at, change) in self.pending.iter().enumerate() {
            if chosen & (1 << at) != 0 {
                apply(&mut names, change);
            }
        }
        let on_medium = |(number, file): (&u64, &Inode)| (*number, self.on_medium(*number, file, fate));
        let saved = self.files.iter().map(on_medium).collect();
        State { saved, saved_names: names, ..self.clone() }.started()
    }

    fn on_medium(&self, number: u64, file: &Inode, fate: Fate) -> Inode {
        let saved = self.saved.get(&number).cloned().unwrap_or(Inode { mode: 0o600, ..Inode::default() });
        match fate {
            Fate::Lost => saved,
            Fate::Torn if saved.is_but_for_its_time(file) => saved,
            Fate::Torn => Inode { bytes: file.bytes.iter().copied().take(file.bytes.len() / 2).collect(), ..saved },
            Fate::Written => file.clone(),
        }
    }

    /// The machine runs again, and nothing happens any more.
    fn started(self) -> Model {
        Model(Rc::new(RefCell::new(State {
            files: self.saved.clone(),
            names: self.saved_names.clone(),
            pending: Vec::new(),
            forgotten: std::collections::BTreeSet::new(),
            locked: std::collections::BTreeSet::new(),
            calls: 0,
            plan: Vec::new(),
            dead: false,
            too_open: Vec::new(),
            ..self
        })))
    }
}
