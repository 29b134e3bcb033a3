//! Stops for deals whose rules have no frontier search: a search with a node limit looks for the best position in which
//! a redeal is allowed.

use super::packed::Heights;
use super::plan::{Plan, Stop, Worth};
use super::round::{Round, mercis_spent};
use super::rules::Rules;
use super::table::{BelleLucie, Move, Place};
use crate::search::{Game, Limits, Status, Task, Watch, search};

/// Nodes for each stop, if the caller sets no limit.
const FOR_A_STOP: u64 = 5_000;

/// Adds the best stops, until there are `at_most`, to the plan for a deal that was not won.
pub fn explore(
    rules: &Rules,
    round: &Round,
    worth: &Worth,
    at_most: usize,
    task: &Task,
    watch: &mut Watch,
    plan: &mut Plan,
) {
    let nodes = Some(task.limits.nodes.unwrap_or(FOR_A_STOP));
    let task = Task { limits: Limits { nodes, ..task.limits }, maximize: true, prune: true };
    if !matches!(round, Round::General(_)) {
        let won = round.search(&task, watch);
        plan.nodes += won.stats.nodes;
        if won.status == Status::Solved {
            plan.win(won.moves);
            return;
        }
    }
    while plan.stops.len() < at_most {
        let table = round.general(rules);
        // The next stop must have other heights.
        let taken: Vec<Heights> = plan.stops.iter().map(|stop| stop.heights).collect();
        let mercis = table.now.mercis;
        let mut explorer = Explorer { table, mercis, worth, taken, may_hold_back: rules.may_hold_back };
        let best = search(&mut explorer, &task, watch);
        plan.nodes += best.stats.nodes;
        plan.complete &= best.status.is_decided();
        if best.score == NOTHING && !plan.stops.is_empty() {
            break;
        }
        let (heights, mercis_spent) = (round.heights_after(&best.moves), mercis_spent(&best.moves));
        let value = worth(heights, mercis_spent);
        plan.stops.push(Stop { moves: best.moves, heights, mercis_spent, value });
    }
}

/// A table whose score is the value of stopping there.
struct Explorer<'a> {
    table: BelleLucie,
    /// Mercis left at the start.
    mercis: u8,
    worth: &'a Worth<'a>,
    /// Heights that are no stop.
    taken: Vec<Heights>,
    may_hold_back: bool,
}

/// The score of a position that is no stop; a stop of value 0 scores one more. Every stop must beat a start that is
/// none, whatever the search takes for the start's score.
const NOTHING: i32 = i32::MIN;
/// How much more a stop of value 1 scores than one of value 0: nearly the whole range of a score.
const UNIT: f64 = 4_000_000_000.0;

impl Game for Explorer<'_> {
    type Move = Move;
    type Undo = Place;
    type Key = u128;

    const ACYCLIC: bool = BelleLucie::ACYCLIC;

    #[inline]
    fn most_moves(&self) -> usize {
        self.table.most_moves()
    }

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

    /// Wins are searched for before.
    fn is_won(&self) -> bool {
        false
    }

    fn score(&self) -> i32 {
        if !self.may_hold_back && self.table.playable() != 0 {
            return NOTHING;
        }
        let heights: Heights = self.table.heights().map(|height| height as u8);
        if self.taken.contains(&heights) {
            return NOTHING;
        }
        let worth = (self.worth)(heights, self.mercis - self.table.now.mercis);
        (i64::from(NOTHING) + 1 + (worth.min(1.0) * UNIT) as i64) as i32
    }

    fn max_score(&self) -> i32 {
        i32::MAX
    }

    /// Returns a card that goes up, where all cards that fit must go up before the redeal: playing it at once loses
    /// nothing and may uncover more.
    fn forced(&self) -> Option<Move> {
        let playable = if self.may_hold_back { 0 } else { self.table.playable() };
        (playable != 0
            && !self.table.rules.build_any
            && !self.table.rules.build_up
            && self.table.now.mercis == 0)
            .then(|| Move::ToFoundation(playable.trailing_zeros() as u8))
    }
}
