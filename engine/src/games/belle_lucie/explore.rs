//! Stops in a deal whose rules know no frontier: positions are looked at one by one, up to a number
//! of them, and the best in which a redeal is allowed is taken.

use super::packed::Heights;
use super::plan::{Plan, Stop, Worth};
use super::round::{MOST_NODES, Round, spends_merci};
use super::rules::Rules;
use super::table::{BelleLucie, Move, Place};
use crate::search::{Game, Limits, Status, Task, Watch, search};

/// Positions looked at for the best stop, where the caller sets no limit.
const FOR_A_STOP: u64 = 5_000;

/// A win if one is found, or else the best stop found.
pub fn explore(rules: &Rules, round: &Round, worth: &Worth, task: &Task, watch: &mut Watch) -> Plan {
    let limited = |nodes| {
        let nodes = Some(task.limits.nodes.unwrap_or(nodes));
        Task { limits: Limits { nodes, ..task.limits }, ..*task }
    };
    let start = round.heights();
    let won = round.search(&Task { maximize: false, ..limited(MOST_NODES) }, watch);
    let (mut nodes, mut complete) = (won.stats.nodes, won.status.is_decided());
    if won.status == Status::Solved {
        let spends_merci = spends_merci(&won.moves);
        let stop = Stop { moves: won.moves, heights: [13; 4], spends_merci, value: 1.0 };
        return Plan { stops: vec![stop], nodes, complete };
    }
    let table = round.general(rules);
    let mercis = table.now.mercis;
    let mut explorer = Explorer { table, mercis, worth, may_hold_back: rules.may_hold_back };
    let best = search(&mut explorer, &Task { maximize: true, ..limited(FOR_A_STOP) }, watch);
    nodes += best.stats.nodes;
    complete &= best.status.is_decided();
    let (heights, spends_merci) = (round.heights_after(&best.moves), spends_merci(&best.moves));
    debug_assert!((0..4).all(|suit| start[suit] <= heights[suit]));
    let value = worth(heights, spends_merci);
    Plan { stops: vec![Stop { moves: best.moves, heights, spends_merci, value }], nodes, complete }
}

/// A table whose score is what it is worth to stop there.
struct Explorer<'a> {
    table: BelleLucie,
    /// Mercis left at the start.
    mercis: u8,
    worth: &'a Worth<'a>,
    may_hold_back: bool,
}

/// The score of a stop that is worth 1. A move must not change what the search takes for the score
/// of the start, so that any stop is worth more than none.
const UNIT: f64 = 4_000_000_000.0;

impl Game for Explorer<'_> {
    type Move = Move;
    type Undo = Place;
    type Key = u128;

    const ACYCLIC: bool = BelleLucie::ACYCLIC;
    const MOST_MOVES: usize = BelleLucie::MOST_MOVES;

    fn moves(&self, out: &mut Vec<Move>) {
        self.table.moves(out);
    }

    fn apply(&mut self, m: Move) -> Place {
        self.table.apply(m)
    }

    fn undo(&mut self, m: Move, from: Place) {
        self.table.undo(m, from);
    }

    fn key(&self) -> u128 {
        self.table.key()
    }

    /// Wins have been looked for already.
    fn is_won(&self) -> bool {
        false
    }

    fn score(&self) -> u32 {
        if !self.may_hold_back && self.table.playable() != 0 {
            return 0;
        }
        let heights: Heights = self.table.heights().map(|height| height as u8);
        let worth = (self.worth)(heights, self.table.now.mercis < self.mercis);
        1 + (worth.min(1.0) * UNIT) as u32
    }

    fn max_score(&self) -> u32 {
        u32::MAX
    }

    /// Where nothing may be held back a card that fits must go up before the redeal in any case, and
    /// going up at once uncovers at least as much.
    fn forced(&self) -> Option<Move> {
        let playable = if self.may_hold_back { 0 } else { self.table.playable() };
        (playable != 0
            && !self.table.rules.build_any
            && !self.table.rules.build_up
            && self.table.now.mercis == 0)
            .then(|| Move::ToFoundation(playable.trailing_zeros() as u8))
    }
}
