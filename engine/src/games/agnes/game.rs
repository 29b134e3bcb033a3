//! The [`Game`] trait for Agnes Sorel.

use super::table::{Agnes, Move, Undo};
use crate::search::{self, Game};

/// An exclusive or of random words: its bits are well mixed.
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

impl Game for Agnes {
    type Move = Move;
    type Undo = Undo;
    /// The piles, as a set where no deal reaches them, and the size of the stock. The foundations follow from these.
    type Key = Key;

    /// A unit may move back and forth between two hosts.
    const ACYCLIC: bool = false;
    /// `reachable` costs far more than a look-up.
    const SEEN_FIRST: bool = true;
    const KINDS: &'static [&'static str] = &["deals", "tableau_moves", "foundation_moves"];

    /// Returns an upper bound: each card heads at most one unit, which has at most nine targets; ten foundation moves,
    /// a deal. With at most nine shuttles: eleven moves after a shift of each, and a deal after any set of shifts.
    #[inline]
    fn most_moves(&self) -> usize {
        52 * 9 + 10 + 9 * 11 + 512
    }

    fn moves(&self, out: &mut Vec<Move>) {
        self.push_moves(out);
    }

    fn apply(&mut self, m: Move) -> Undo {
        self.make(m)
    }

    fn apply_branch(&mut self, m: Move) -> Undo {
        let touched = std::mem::take(&mut self.touched);
        Undo { touched, ..self.make(m) }
    }

    fn undo(&mut self, m: Move, undo: Undo) {
        self.unmake(m, undo);
    }

    fn kind(&self, m: Move) -> usize {
        match m {
            Move::Deal => 0,
            Move::ToPile { .. } | Move::Shift { .. } => 1,
            Move::ToFoundation { .. } => 2,
        }
    }

    fn key(&self) -> Key {
        Key(self.class_key().max(1))
    }

    fn is_won(&self) -> bool {
        self.up == self.masks.all
    }

    fn score(&self) -> i32 {
        self.up.count_ones() as i32
    }

    fn max_score(&self) -> i32 {
        self.masks.all.count_ones() as i32
    }

    /// Returns the key of the position alone: without the moves after shifts, one position does not stand for its
    /// class.
    fn plain_key(&self) -> Key {
        Key(self.key.max(1))
    }

    fn forced(&self) -> Option<Move> {
        self.forced_move()
    }

    fn branches(&self, out: &mut Vec<Move>) {
        self.push_branches(out);
    }

    fn bound(&self) -> i32 {
        if self.prunings.relax { self.reachable().count_ones() as i32 } else { self.max_score() }
    }

    fn is_dead_end(&self) -> bool {
        self.prunings.relax && self.reachable() != self.masks.all
    }
}
