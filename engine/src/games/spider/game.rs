//! The [`Game`] trait for Spider.

use std::time::Instant;

use super::moves::{Move, Undo};
use super::players::Policy;
use super::rules::Rules;
use super::sampling::{Decision, SETTING, Setting, Weighed};
use super::table::Table;
use super::values::read_values;
use crate::Fault;
use crate::games::{PlaysPolicies, WeighedPlan, Weighing, WeighsPlans};
use crate::rng::Decks;
use crate::search::{self, Game, Watch};

/// A sum of mixed words: its bits are well mixed.
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

impl Game for Table {
    type Move = Move;
    type Undo = Undo;
    type Key = Key;

    /// A card may move back and forth between two hosts.
    const ACYCLIC: bool = false;
    const CHARGES_MOVES: bool = true;

    /// Returns an upper bound. With e empty piles each of the others has at most 13 moves to each of these, and one to
    /// each of the rest; the maximum is at e = 5. And a row.
    #[inline]
    fn most_moves(&self) -> usize {
        5 * (5 * 13 + 4) + 1
    }

    fn moves(&self, out: &mut Vec<Move>) {
        self.push_moves(out);
    }

    fn apply(&mut self, m: Move) -> Undo {
        Table::apply(self, m)
    }

    fn undo(&mut self, m: Move, undo: Undo) {
        Table::undo(self, m, undo);
    }

    fn key(&self) -> Key {
        Key(self.position_key().max(1))
    }

    fn is_won(&self) -> bool {
        Table::is_won(self)
    }

    fn score(&self) -> i32 {
        Table::score(self)
    }

    fn max_score(&self) -> i32 {
        self.rules.most_sun()
    }

    /// Pushes the legal moves, but fewer once the bank is empty. Then piles are interchangeable (see `keys`): moving a
    /// whole pile to an empty one changes nothing, and of several empty piles only the first is tried.
    fn branches(&self, out: &mut Vec<Move>) {
        if self.left() > 0 {
            return self.push_moves(out);
        }
        let first = self.piles().iter().position(|pile| pile.is_empty());
        self.push_card_moves(out, |to, is_whole| !is_whole && first == Some(to));
    }

    /// Returns the score of a won game, less only the moves made so far.
    fn bound(&self) -> i32 {
        self.rules.most_sun() - self.moves as i32
    }
}

impl PlaysPolicies for Table {
    type Policy = Policy;

    fn policy(_: &Rules, name: &str, values: Option<&[u8]>) -> Result<Policy, Fault> {
        Policy::read(name, values)
    }

    fn play_by(&self, policy: &Policy, luck: &mut Decks, watch: &mut Watch) -> Result<Vec<Move>, Fault> {
        self.played_by(policy, luck, watch)
    }
}

impl WeighsPlans for Table {
    fn weigh(
        &self,
        samples: u32,
        values: Option<&[u8]>,
        luck: &mut Decks,
        watch: &mut Watch,
    ) -> Result<Weighing<Move>, Fault> {
        let values = values.map(read_values).transpose()?;
        let started = Instant::now();
        let is_open = self.left() == 0 && self.piles().iter().all(|pile| pile.down() == 0);
        let Decision { plans, is_won, samples, playouts, .. } =
            self.decision(Setting { samples, lone: true, ..SETTING }, values.as_ref(), luck, watch);
        let plan =
            |Weighed { moves, cost, chance, samples, .. }| WeighedPlan { moves, chance, samples, cost };
        let plans = plans.into_iter().map(plan).collect();
        let seconds = started.elapsed().as_secs_f64();
        Ok(Weighing { plans, is_won, is_open, samples, playouts, seconds })
    }
}
