//! The search, and its first attempt where discards are optional.

use std::time::Duration;

use super::solver::search_steps;
use super::table::{AcesUp, Move};
use crate::search::{Game, Limits, Outcome, Status, Task, Watch};

/// Searches from this position.
pub(super) fn search(game: &AcesUp, task: &Task, watch: &mut Watch) -> Outcome<Move> {
    if !game.discards_at_once() {
        return search_steps(game, task, watch);
    }
    // Nearly all decks that can be won are won with every discard made at once, and that search is short.
    let mut at_once = game.clone();
    at_once.rules.optional_discards = false;
    while let Some(pile) = at_once.open_discard() {
        at_once.make(Move::Discard { pile });
    }
    let first = search_steps(&at_once.again(), task, watch);
    let is_enough = first.status == Status::Solved || !first.status.is_decided();
    let first =
        Outcome { moves: game.with_discards(&first), score_proved: is_enough && first.score_proved, ..first };
    if is_enough {
        return first;
    }
    let nodes = task.limits.nodes.map(|nodes| nodes.saturating_sub(first.stats.nodes));
    let spent = Duration::from_secs_f64(first.stats.seconds);
    let time = task.limits.time.map(|time| time.saturating_sub(spent));
    let limits = Limits { nodes, time, ..task.limits };
    let all = search_steps(game, &Task { limits, ..*task }, watch);
    let stats = first.stats.and(&all.stats);
    // If the second search meets a limit, the first may have found the better line.
    if all.score < first.score {
        Outcome { status: all.status, stats, ..first }
    } else {
        Outcome { stats, ..all }
    }
}

impl AcesUp {
    /// Returns the same table after a change of its rules: recomputes what only some rules need.
    fn again(&self) -> AcesUp {
        let piles: Vec<Vec<u8>> = (0..self.rules.piles)
            .map(|pile| {
                let mut cards: Vec<u8> = self.pile(pile).collect();
                cards.reverse();
                cards
            })
            .collect();
        let mut game = AcesUp::new(self.rules, &piles, self.stock(), self.now.cell);
        game.prunings = self.prunings;
        game
    }

    /// Adds the discards to the moves of a line that was found under forced discards.
    fn with_discards(&self, found: &Outcome<Move>) -> Vec<Move> {
        let (mut game, mut line) = (self.clone(), Vec::new());
        let mut moves = found.moves.iter().copied();
        while game.score() < found.score {
            let discard = game.open_discard().map(|pile| Move::Discard { pile });
            let Some(m) = discard.or_else(|| moves.next()) else { break };
            game.make(m);
            line.push(m);
        }
        line
    }
}
