//! Where to stop in a deal that is not the last: at the most valuable reachable heights.
//!
//! Heights v can be reached if and only if a search with the foundations capped at v, all forced moves included, meets
//! every cap. Forced moves stay sound under caps: a card that goes up below its cap is needed there. So heights are
//! tried in descending order of value, below the frontier, and the first that can be reached is the plan.

use std::collections::BinaryHeap;

use super::explore::explore;
use super::packed::Heights;
use super::round::{Frontiers, Round, mercis_spent};
use super::rules::Rules;
use super::table::Move;
use crate::search::{Limits, Status, Task, Watch};

/// A stop in the deal.
#[derive(Clone, PartialEq, Debug)]
pub struct Stop {
    pub moves: Vec<Move>,
    pub heights: Heights,
    pub mercis_spent: u8,
    pub value: f64,
}

/// Stops in descending order of their value, and the nodes that the search took.
pub struct Plan {
    pub stops: Vec<Stop>,
    pub nodes: u64,
    /// True if no search was cut short: no better stop exists.
    pub complete: bool,
}

/// The value of stopping with these heights and this number of mercis spent in this deal. Not negative.
pub type Worth<'a> = dyn Fn(Heights, u8) -> f64 + 'a;

/// Limits on a general table, where the search of one deal may take very long: nodes for the frontier and for one
/// target, and the number of targets tried.
const FRONTIER_NODES: u64 = 5_000;
const TARGET_NODES: u64 = 500;
const MOST_TARGETS: usize = 40;

/// Finds the best stops, at most `at_most`. Redealing at once is one of them.
pub fn plan(
    rules: &Rules,
    round: &Round,
    worth: &Worth,
    at_most: usize,
    task: &Task,
    watch: &mut Watch,
) -> Plan {
    let is_general = matches!(round, Round::General(_));
    let limited = |nodes| match task.limits.nodes {
        None if is_general => Task { limits: Limits { nodes: Some(nodes), ..task.limits }, ..*task },
        _ => *task,
    };
    let mut plan = Plan { stops: Vec::new(), nodes: 0, complete: true };
    // A line with the most cards up, as far as the limited searches of a general table find.
    let mut most = Vec::new();
    if is_general {
        let found = round.most_cards(watch);
        plan.nodes += found.stats.nodes;
        most = found.moves;
        if found.status == Status::Solved {
            plan.win(most);
            return plan;
        }
    }
    let frontiers = if rules.may_hold_back { round.frontiers(&limited(FRONTIER_NODES), watch) } else { None };
    let Some(frontiers) = frontiers else {
        explore(rules, round, worth, at_most, task, watch, &mut plan);
        return plan;
    };
    plan.nodes += frontiers.stats.nodes;
    plan.complete = frontiers.status.is_decided();
    if let Some(moves) = frontiers.win {
        plan.win(moves);
        return plan;
    }
    let start = round.heights();
    let mut known = best_prefixes(round, &most, worth);
    // A further stop, for comparison, may be worth less than redealing at once.
    let floor = if at_most == 1 { known[0].value } else { -1.0 };
    let mut targets = targets(&frontiers, start, worth, floor);
    let mut left = if is_general { MOST_TARGETS } else { usize::MAX };
    while plan.stops.len() < at_most {
        // A stop that is known to be reachable is taken once no target can be better.
        let target = if left > 0 { targets.pop() } else { None };
        let next = known.first().map(|stop| Target::new(stop.heights, stop.mercis_spent > 0, stop.value));
        let Some(target) = target.filter(|target| next.is_none_or(|next| *target > next)) else {
            plan.complete &= left > 0;
            if known.is_empty() {
                break;
            }
            let stop = known.remove(0);
            targets.extend(target);
            plan.add(stop);
            continue;
        };
        if plan.stops.iter().any(|stop| stop.heights == target.heights()) {
            continue;
        }
        left -= 1;
        let heights = target.heights();
        let reached = round.reach(heights, target.spends_merci(), &limited(TARGET_NODES), watch);
        plan.nodes += reached.stats.nodes;
        plan.complete &= reached.status.is_decided();
        if reached.status == Status::Solved {
            // Where a merci is allowed, a line may still do without it, and is worth more.
            let moves = without_tail(reached.moves);
            let mercis_spent = mercis_spent(&moves);
            plan.add(Stop { moves, heights, mercis_spent, value: worth(heights, mercis_spent) });
        }
    }
    plan
}

impl Plan {
    pub(super) fn win(&mut self, moves: Vec<Move>) {
        let mercis_spent = mercis_spent(&moves);
        self.stops.push(Stop { moves, heights: [13; 4], mercis_spent, value: 1.0 });
    }

    /// Adds a stop, unless there is one with its heights.
    pub(super) fn add(&mut self, stop: Stop) {
        if self.stops.iter().all(|other| other.heights != stop.heights) {
            self.stops.push(stop);
        }
    }
}

/// Returns the stops along a line, redealing at once among them, the best first.
pub(super) fn best_prefixes(round: &Round, moves: &[Move], worth: &Worth) -> Vec<Stop> {
    let mut stops: Vec<Stop> = Vec::new();
    for end in 0..=moves.len() {
        let line = &moves[..end];
        if end == 0 || !matches!(line[end - 1], Move::ToFan(..) | Move::ToSpace(_)) {
            let (heights, mercis_spent) = (round.heights_after(line), mercis_spent(line));
            let value = worth(heights, mercis_spent);
            stops.push(Stop { moves: line.to_vec(), heights, mercis_spent, value });
        }
    }
    let order = |stop: &Stop| Target::new(stop.heights, stop.mercis_spent > 0, stop.value);
    stops.sort_by_key(|stop| std::cmp::Reverse(order(stop)));
    stops
}

/// Returns the line up to its last card that goes up: the redeal gathers the cards that are built after that.
fn without_tail(mut moves: Vec<Move>) -> Vec<Move> {
    while matches!(moves.last(), Some(Move::ToFan(..) | Move::ToSpace(_))) {
        moves.pop();
    }
    moves
}

/// Returns the heights worth `floor` or more, without the start itself.
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

/// Heights, ordered by how early they are tried: by value, then cards up, then the higher clubs, diamonds, hearts; with
/// the merci kept before the merci spent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Target {
    /// The bits of the value: values are not negative, so the bits have the same order.
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
