//! Agnes Sorel as searches see it.

use super::table::{Agnes, Move, Undo};
use crate::search::Game;

impl Game for Agnes {
    type Move = Move;
    type Undo = Undo;
    /// The piles, as a set as far as no deal reaches them, and the size of the stock. The foundations follow.
    type Key = u128;

    /// A unit may go to and fro between two hosts.
    const ACYCLIC: bool = false;
    /// Each card heads at most one unit, which has at most nine targets; ten foundation moves, a deal.
    const MOST_MOVES: usize = 52 * 9 + 10 + 1;

    fn moves(&self, out: &mut Vec<Move>) {
        self.push_moves(out);
    }

    fn apply(&mut self, m: Move) -> Undo {
        self.make(m)
    }

    fn undo(&mut self, m: Move, undo: Undo) {
        self.unmake(m, undo);
    }

    fn key(&self) -> u128 {
        self.key.max(1)
    }

    fn is_won(&self) -> bool {
        self.up == self.masks.all
    }

    fn score(&self) -> u32 {
        self.up.count_ones()
    }

    fn max_score(&self) -> u32 {
        self.masks.all.count_ones()
    }

    fn forced(&self) -> Option<Move> {
        self.forced_move()
    }

    fn branches(&self, out: &mut Vec<Move>) {
        self.push_branches(out);
    }

    fn bound(&self) -> u32 {
        if self.prunings.relax { self.reachable().count_ones() } else { self.max_score() }
    }

    fn is_dead_end(&self) -> bool {
        self.prunings.relax && self.reachable() != self.masks.all
    }
}
