//! The arguments of a command, which are described to clap only where that command is called: to build the options of all
//! commands takes longer than most of what a command does.

use std::ops::{Deref, DerefMut};

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// The arguments `T` of a command.
#[derive(Debug)]
pub(crate) struct Described<T>(Box<T>);

impl<T: Args> Args for Described<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(T::augment_args)
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(T::augment_args_for_update)
    }
}

impl<T: FromArgMatches> FromArgMatches for Described<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Box::new).map(Self)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(Box::new).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }

    fn update_from_arg_matches_mut(&mut self, matches: &mut ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches_mut(matches)
    }
}

impl<T> Deref for Described<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Described<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
