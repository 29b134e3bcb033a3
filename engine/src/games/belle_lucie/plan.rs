//! Where to stop in a deal that is not the last: the best of the heights that can be reached.
//!
//! Heights v can be reached exactly if a search with the foundations capped at v, all automatic
//! moves included, meets every cap. Automatic moves stay right under caps: a card that goes up
//! below its cap is wanted there. So heights are tried from the most valuable down, below what the
//! frontier allows, and the first that can be reached is the plan.

use std::collections::BinaryHeap;

use super::explore::explore;
use super::packed::Heights;
use super::round::{Frontiers, Round, mercis_spent};
use super::rules::Rules;
use super::table::Move;
use crate::search::{Status, Task, Watch};

/// Where to stop.
#[derive(Clone, PartialEq, Debug)]
pub struct Stop {
    pub moves: Vec<Move>,
    pub heights: Heights,
    pub mercis_spent: u8,
    pub value: f64,
}

/// Stops in descending order of their value, and what the search for them took.
pub struct Plan {
    pub stops: Vec<Stop>,
    pub nodes: u64,
    /// No search was cut short: no better stop exists.
    pub complete: bool,
}

/// What it is worth to stop with these heights and so many mercis spent in this deal. Not negative.
pub type Worth<'a> = dyn Fn(Heights, u8) -> f64 + 'a;

/// Finds the best stops, at most so many. Redealing at once is one of them.
pub fn plan(
    rules: &Rules,
    round: &Round,
    worth: &Worth,
    at_most: usize,
    task: &Task,
    watch: &mut Watch,
) -> Plan {
    let frontiers = if rules.may_hold_back { round.frontiers(task, watch) } else { None };
    let Some(frontiers) = frontiers else {
        return explore(rules, round, worth, at_most, task, watch);
    };
    let mut plan =
        Plan { stops: Vec::new(), nodes: frontiers.nodes, complete: frontiers.status.is_decided() };
    if let Some(moves) = frontiers.win {
        let mercis_spent = mercis_spent(&moves);
        plan.stops.push(Stop { moves, heights: [13; 4], mercis_spent, value: 1.0 });
        return plan;
    }
    let start = round.heights();
    let at_once = Stop { moves: Vec::new(), heights: start, mercis_spent: 0, value: worth(start, 0) };
    // One more stop, for comparison, may be worth less than redealing at once.
    let floor = if at_most == 1 { at_once.value } else { -1.0 };
    let mut targets = targets(&frontiers, start, worth, floor);
    targets.push(Target::new(start, false, at_once.value));
    while plan.stops.len() < at_most {
        let Some(target) = targets.pop() else { break };
        let (heights, spends) = (target.heights(), target.spends_merci());
        if plan.stops.iter().any(|stop| stop.heights == heights) {
            continue;
        }
        if heights == start {
            plan.stops.push(at_once.clone());
            continue;
        }
        let reached = round.reach(heights, spends, task, watch);
        plan.nodes += reached.stats.nodes;
        plan.complete &= reached.status.is_decided();
        if reached.status == Status::Solved {
            // With a merci allowed a line may still do without it, and is worth more.
            let moves = without_tail(reached.moves);
            let mercis_spent = mercis_spent(&moves);
            let value = worth(heights, mercis_spent);
            plan.stops.push(Stop { moves, heights, mercis_spent, value });
        }
    }
    plan
}

/// The line up to its last card that goes up: what is built after that is gathered with the rest.
fn without_tail(mut moves: Vec<Move>) -> Vec<Move> {
    while matches!(moves.last(), Some(Move::ToFan(..) | Move::ToSpace(_))) {
        moves.pop();
    }
    moves
}

/// The heights worth `floor` or more, without the start itself.
fn targets(frontiers: &Frontiers, start: Heights, worth: &Worth, floor: f64) -> BinaryHeap<Target> {
    let mut targets = Vec::new();
    frontiers.each_target(start, |heights, spends_merci| {
        let value = worth(heights, u8::from(spends_merci));
        if value >= floor && heights != start {
            targets.push(Target::new(heights, spends_merci, value));
        }
    });
    BinaryHeap::from(targets)
}

/// Heights in the order in which they are tried: by value, then cards up, then the higher clubs,
/// diamonds, hearts; without the merci before with it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Target {
    /// Values are not negative, so their bits are in order.
    value: u64,
    rest: u32,
}

impl Target {
    fn new(heights: Heights, spends_merci: bool, value: f64) -> Target {
        let up: u8 = heights.iter().sum();
        let code = heights.iter().fold(u32::from(up), |code, &height| code << 4 | u32::from(height));
        Target { value: value.to_bits(), rest: code << 1 | u32::from(!spends_merci) }
    }

    fn heights(self) -> Heights {
        std::array::from_fn(|suit| (self.rest >> 1 >> (12 - 4 * suit) & 15) as u8)
    }

    fn spends_merci(self) -> bool {
        self.rest & 1 == 0
    }
}
