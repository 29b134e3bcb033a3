//! Games that train a value function by self-play.

use std::ops::Range;

use super::Playable;
use super::fixed::Fixed;
use crate::Fault;

/// A game that learns.
pub trait Learns: Playable {
    /// Trains the weights of a value function by playing a range of games of a run of `of` games; `None` starts from
    /// new weights.
    fn train(
        rules: &Self::Rules,
        numbers: Option<&[u8]>,
        seed: u64,
        games: Range<u64>,
        of: u64,
    ) -> Result<Vec<u8>, Fault>;
}

/// [`Learns`] with the rules fixed.
pub trait Learning: Send + Sync {
    /// See [`Learns::train`].
    fn train(&self, numbers: Option<&[u8]>, seed: u64, games: Range<u64>, of: u64) -> Result<Vec<u8>, Fault>;
}

impl<G: Learns> Learning for Fixed<G> {
    fn train(&self, numbers: Option<&[u8]>, seed: u64, games: Range<u64>, of: u64) -> Result<Vec<u8>, Fault> {
        G::train(&self.rules, numbers, seed, games, of)
    }
}
