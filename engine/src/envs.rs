//! Games as reinforcement-learning environments: numbered actions, observations of bytes, and many tables stepped in
//! one call.
//!
//! A game implements [`Stepped`] in a small file; everything else is the same in every game. `tables` holds many tables
//! of one game, `legal` is the set of legal actions of one of them.

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

/// What a game adds to be an environment. The environment's page in docs/envs defines the numbers of the actions and
/// the bytes of the observations; the Python side implements them too.
pub trait Stepped: Playable {
    /// A set of actions, large enough for all actions of the game.
    type Legal: Actions;

    /// Returns the number of actions under these rules, legal or not.
    fn actions(rules: &Self::Rules) -> usize;
    /// Returns the number of bytes of an observation under these rules.
    fn bytes(rules: &Self::Rules) -> usize;
    /// Returns an error for rules that the action numbers and observations do not cover.
    fn check_rules(rules: &Self::Rules) -> Result<(), Fault>;
    /// Returns an error for a position that no deal leads to and that an observation cannot hold.
    fn check_fit(&self) -> Result<(), Fault>;
    /// Writes a whole observation.
    fn observe(&self, observation: &mut [u8]);
    /// Returns the legal actions; none when the game is over.
    fn legal(&self) -> Self::Legal;
    /// Plays a legal action, and updates the observation of the position before it.
    fn act(&mut self, action: usize, observation: &mut [u8]);
    /// Counts a move without effect, where a position counts its moves.
    fn waste(&mut self) {}
    /// Returns the moves made before this position was laid out, if it records them.
    fn moves_made(&self) -> i64 {
        0
    }
    /// Returns the progress in the units of the game: runs, suits or cards.
    fn completed_count(&self) -> i64;
    /// Returns the potential of the position, from 0 to 1. Shaped rewards are differences of it.
    fn potential(&self) -> f64;
}

/// A game that can be stepped, with its rules fixed.
pub trait LayingTables: Send + Sync {
    /// Returns `count` tables of the game.
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

/// Returns tables of the game `id`, with its rules given as pairs of field and value.
pub fn open(
    id: &str,
    given: Given,
    count: usize,
    threads: usize,
    terms: Terms,
) -> Result<Box<dyn Stepping>, Fault> {
    open_as::<dyn LayingTables>(id, given)?.lay_tables(count, threads, terms)
}
