//! Games that find the numbers of a value by playing.

use std::ops::Range;

use super::Playable;
use super::fixed::Fixed;
use crate::Fault;

/// A game that learns.
pub trait Learns: Playable {
    /// Goes on finding the numbers of a value by playing: these games of so many. None: from nothing.
    fn train(
        rules: &Self::Rules,
        numbers: Option<&[u8]>,
        seed: u64,
        games: Range<u64>,
        of: u64,
    ) -> Result<Vec<u8>, Fault>;
}

/// The same with the rules fixed.
pub trait Learning: Send + Sync {
    /// See [`Learns::train`].
    fn train(&self, numbers: Option<&[u8]>, seed: u64, games: Range<u64>, of: u64) -> Result<Vec<u8>, Fault>;
}

impl<G: Learns> Learning for Fixed<G> {
    fn train(&self, numbers: Option<&[u8]>, seed: u64, games: Range<u64>, of: u64) -> Result<Vec<u8>, Fault> {
        G::train(&self.rules, numbers, seed, games, of)
    }
}
