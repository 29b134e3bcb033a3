//! Games as environments step them: actions with numbers, observations of bytes, and many tables in one call.
//!
//! A game supplies [`Stepped`], a small file; all else is the same in every game. `tables` holds many tables of one
//! game, `legal` is the set of legal actions of one of them.

#[cfg(test)]
mod laws;
mod legal;
mod tables;

use crate::Fault;
use crate::games::{Fixed, Given, Playable, open_as};

#[cfg(test)]
pub(crate) use laws::check_stepping;
pub use legal::{Actions, Legal};
pub use tables::{Reward, Seat, Stepping, Tables, Terms, WhenInvalid};

/// What a game adds to be stepped as an environment. The numbers of its actions and the bytes of its observations are
/// what the environment's page says; the Python side has them too.
pub trait Stepped: Playable {
    /// A set of actions that holds all there are.
    type Legal: Actions;

    /// Actions that there are under these rules, legal or not.
    fn actions(rules: &Self::Rules) -> usize;
    /// Bytes of an observation under these rules.
    fn bytes(rules: &Self::Rules) -> usize;
    /// Refuses rules for which the numbers and bytes were not made.
    fn check_rules(rules: &Self::Rules) -> Result<(), Fault>;
    /// Refuses a position that no deal leads to and that an observation cannot hold.
    fn check_fit(&self) -> Result<(), Fault>;
    /// Writes all of an observation.
    fn observe(&self, observation: &mut [u8]);
    /// The legal actions; none when the game is over.
    fn legal(&self) -> Self::Legal;
    /// Plays a legal action, and writes what has changed into the observation of the position before it.
    fn act(&mut self, action: usize, observation: &mut [u8]);
    /// A move without effect: what it changes, where a position tells how many moves were made.
    fn waste(&mut self) {}
    /// Moves made before this position was laid out, where it tells.
    fn moves_made(&self) -> i64 {
        0
    }
    /// How much is done, whatever the game counts: runs, suits, cards.
    fn completed_count(&self) -> i64;
    /// How far the game has come, 0 to 1: what shaped rewards are differences of.
    fn potential(&self) -> f64;
}

/// A game that can be stepped, with its rules fixed.
pub trait LayingTables: Send + Sync {
    /// So many tables of it.
    fn lay_tables(
        self: Box<Self>,
        count: usize,
        threads: usize,
        terms: Terms,
    ) -> Result<Box<dyn Stepping>, Fault>;
}

impl<G: Stepped> LayingTables for Fixed<G> {
    fn lay_tables(
        self: Box<Self>,
        count: usize,
        threads: usize,
        terms: Terms,
    ) -> Result<Box<dyn Stepping>, Fault> {
        G::check_rules(&self.rules)?;
        Ok(Box::new(Tables::<G>::new(self.rules, count, threads, terms)?))
    }
}

/// Tables of the game of this id, with its rules fixed by pairs of field and value.
pub fn open(
    id: &str,
    given: Given,
    count: usize,
    threads: usize,
    terms: Terms,
) -> Result<Box<dyn Stepping>, Fault> {
    open_as::<dyn LayingTables>(id, given)?.lay_tables(count, threads, terms)
}
