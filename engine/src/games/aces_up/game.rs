//! The [`Game`] trait for Aces Up.

use super::table::{AcesUp, Move, Undo};
use crate::search::{self, Game};

/// A combination of hashes: its bits are well mixed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Key(pub(super) u128);

impl search::Key for Key {
    fn mixed(self) -> u64 {
        self.0 as u64
    }
}

impl From<Key> for u128 {
    fn from(key: Key) -> u128 {
        key.0
    }
}

/// The number of discards of a won game: only the aces are left.
pub(super) const WON: i32 = 48;

impl Game for AcesUp {
    type Move = Move;
    type Undo = Undo;
    type Key = Key;

    /// A single card may move back and forth between two piles, or between a pile and the cell.
    const ACYCLIC: bool = false;

    /// Returns an upper bound: five discards, five sources with at most four spaces, the cell, the deal.
    #[inline]
    fn most_moves(&self) -> usize {
        32
    }

    fn moves(&self, out: &mut Vec<Move>) {
        self.each_move(|m| out.push(m));
    }

    fn apply(&mut self, m: Move) -> Undo {
        self.make(m)
    }

    fn undo(&mut self, _: Move, undo: Undo) {
        self.unmake(undo);
    }

    fn key(&self) -> Key {
        Key(self.position_key(false).max(1))
    }

    fn is_won(&self) -> bool {
        self.score() >= WON
    }

    fn score(&self) -> i32 {
        self.now.gone.count_ones() as i32
    }

    /// Returns the discards if only the highest card of each suit in play is left, which can never be discarded.
    fn max_score(&self) -> i32 {
        WON
    }

    fn forced(&self) -> Option<Move> {
        self.forced_move()
    }

    fn branches(&self, out: &mut Vec<Move>) {
        self.each_branch(|m| out.push(m));
    }

    fn bound(&self) -> i32 {
        if self.is_over() { self.score() } else { self.max_score() }
    }

    fn is_dead_end(&self) -> bool {
        self.is_over()
    }
}
