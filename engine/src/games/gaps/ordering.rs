//! The order in which sibling positions are searched: where a win is searched for, the order decides most of the time.

use super::board::{KINGS, ROWS, Step};
use super::relax::Relaxed;
use super::walk::Walk;

/// The weights of the learned order, in hundredths. The features of a child are:
/// - its facts, and the numbers of cards that can ever move, of locked cards and of moves
/// - whether the step locks a card, leaves column 1, brings a card before its follower or takes it away from it, or
///   leaves a gap that takes nothing
/// - the rank of the card, and the column that it leaves, counted from 0
///
/// Fitted by benches/gaps_ordering.py to winning lines of `addiction-one-deal`, deals 1,000,000 to 1,000,059. With it a
/// search expands as many positions as with the order by facts, which is cheaper and therefore the default.
const WEIGHTS: [i32; 11] = [7, 102, 245, -8, -345, -29, -335, 63, -125, 1, -8];

impl Walk<'_> {
    /// Returns the order of the position that a step has just led to, from its facts; high comes first.
    #[inline(always)]
    pub(super) fn order_of(&self, step: Step, relaxed: &Relaxed) -> i32 {
        let order = if self.switches.facts {
            16 * (relaxed.count(&self.board) + 20 * self.board.locked()) as i32
        } else if self.switches.learned {
            16 * self.learned(step, relaxed)
        } else {
            let (_, back) = *self.line.last().expect("a step was played");
            16 * self.hand_made(step, back.from(), back.run_to())
        };
        order + self.history_of(step)
    }

    /// Returns the order of the position that a step will lead to, where no facts are gathered.
    #[inline(always)]
    pub(super) fn order_before(&self, step: Step) -> i32 {
        let run = self.board.runs()[step.to as usize % ROWS];
        16 * self.hand_made(step, self.board.at(step.card), run) + self.history_of(step)
    }

    /// Returns the tie-breaker: how often the step was part of a line that improved the score.
    #[inline(always)]
    fn history_of(&self, Step { card, to }: Step) -> i32 {
        if self.switches.history { self.history[card as usize][to as usize].min(15).into() } else { 0 }
    }

    #[inline(always)]
    fn learned(&self, step: Step, relaxed: &Relaxed) -> i32 {
        let Step { card, to } = step;
        let (_, back) = *self.line.last().expect("a step was played");
        let from = back.from();
        // The cards beside both cells are where they were.
        let follows = |cell: u8| cell < KINGS && card < KINGS && self.board.card(cell + 4) == card + 4;
        let features = [
            relaxed.count(&self.board) as i32,
            (relaxed.open & !self.board.gaps()).count_ones() as i32,
            self.board.locked() as i32,
            self.board.steps().len() as i32,
            i32::from(self.board.has_changed_locks(step, back)),
            i32::from(from < ROWS as u8),
            i32::from(follows(to)),
            i32::from(follows(from)),
            i32::from(self.takes_nothing(from)),
            i32::from(card / 4 + 1),
            i32::from(from / 4),
        ];
        features.iter().zip(WEIGHTS).map(|(feature, weight)| feature * weight).sum()
    }

    /// Returns true if a gap here lies right of a king or of a gap.
    #[inline(always)]
    fn takes_nothing(&self, cell: u8) -> bool {
        cell >= ROWS as u8 && matches!(self.board.card(cell - ROWS as u8), 0 | KINGS..)
    }

    /// Returns the hand-made order: locks first, then steps that open column 1, then those that join cards; last steps
    /// that leave a gap which takes nothing.
    #[inline(always)]
    fn hand_made(&self, Step { card, to }: Step, from: u8, run: u8) -> i32 {
        let locks = run == to / 4;
        let opens = from < ROWS as u8;
        let joins = to < KINGS && card < KINGS && self.board.card(to + 4) == card + 4;
        8 * i32::from(locks) + 4 * i32::from(opens) + 2 * i32::from(joins)
            - 3 * i32::from(self.takes_nothing(from))
    }
}
