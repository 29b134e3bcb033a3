//! Aces Up as searches see it.

use super::table::{AcesUp, Move, Undo};
use crate::search::{self, Game};

/// Mixed hashes: its bits are as well mixed as can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Key(u128);

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

/// With so many discards the game is won: the aces are left.
pub(super) const WON: u32 = 48;

impl Game for AcesUp {
    type Move = Move;
    type Undo = Undo;
    type Key = Key;

    /// A single card may go to and fro between two piles, or a pile and the cell.
    const ACYCLIC: bool = false;
    /// Five discards, moves of three cards to two spaces, the cell, the deal; or five single cards and spaces in
    /// every order, before a deal and before the card of the cell.
    const MOST_MOVES: usize = 256;
    const KINDS: &'static [&'static str] = &["deals", "tableau_moves", "discards"];

    fn moves(&self, out: &mut Vec<Move>) {
        self.push_moves(out);
    }

    fn apply(&mut self, m: Move) -> Undo {
        self.make(m)
    }

    fn undo(&mut self, _: Move, undo: Undo) {
        self.unmake(undo);
    }

    fn kind(&self, m: Move) -> usize {
        match m {
            Move::Deal => 0,
            Move::ToSpace { .. }
            | Move::Arrange { .. }
            | Move::ToReserve { .. }
            | Move::FromReserve { .. } => 1,
            Move::Discard { .. } => 2,
        }
    }

    fn key(&self) -> Key {
        Key(self.position_key().max(1))
    }

    fn is_won(&self) -> bool {
        self.score() >= WON
    }

    fn score(&self) -> u32 {
        self.now.gone.count_ones()
    }

    /// One card of each suit that is in play stays for ever: the highest.
    fn max_score(&self) -> u32 {
        WON
    }

    fn forced(&self) -> Option<Move> {
        self.forced_move()
    }

    fn branches(&self, out: &mut Vec<Move>) {
        self.push_branches(out);
    }
}
