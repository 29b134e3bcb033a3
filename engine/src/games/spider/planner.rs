//! Plans by what is seen. Nothing is revealed between two turned cards, so a plan goes on to the next one, or to a row,
//! and a whole game is some dozens of plans.

use super::beam::{Candidate, Link, ROOT, Seen};
use super::children::{Child, Filter};
use super::moves::Move;
use super::node::{Ground, Node};
use super::weights::Weights;

/// The limits of a planner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The number of tables kept of each level.
    pub width: usize,
    pub depth: usize,
    /// It stops after this number of levels without a better end or a better table.
    pub stall: usize,
}

/// Runs are not split, except onto their own suit to make a longer one. A player that cannot see the next card gains
/// little from a split, and splits reduce the playing strength to a quarter.
pub const CAREFUL: Filter = Filter { splits: false, parts_to_empty: false };
/// Everything that is legal, but only one empty pile as a target.
pub const FREE: Filter = Filter { splits: true, parts_to_empty: true };

/// How many of the cheapest tables with empty piles are filled for a row that may not be dealt otherwise.
const FILLED: usize = 6;

/// The end of a plan: a turned card, a row, or the win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    pub cost: i32,
    /// The hash of the table after the plan, as far as it is known.
    pub hash: u64,
    /// The index of the link of the line, without the last move.
    trail: u32,
    pub last: Move,
}

impl End {
    pub fn order(&self) -> (i32, u64) {
        (self.cost, self.hash)
    }
}

/// A planner with its buffers, and the ends of its last plans.
pub struct Planner {
    links: Vec<Link>,
    seen: Seen,
    candidates: Vec<Candidate>,
    level: Vec<Node>,
    next: Vec<Node>,
    /// The cheapest tables with empty piles, where no row may be dealt on these.
    holed: Vec<Node>,
    pub ends: Vec<End>,
    /// True if the last of the ends wins the game.
    pub is_won: bool,
    /// The number of tables expanded.
    pub nodes: u64,
}

impl Planner {
    pub fn new() -> Planner {
        Planner {
            links: Vec::new(),
            seen: Seen::new(),
            candidates: Vec::new(),
            level: Vec::new(),
            next: Vec::new(),
            holed: Vec::new(),
            ends: Vec::new(),
            is_won: false,
            nodes: 0,
        }
    }

    /// Finds the ends of plans from this view. With `keeps_all` every end is kept, else only those better than all
    /// before them: the best is the last.
    pub fn plan(
        &mut self,
        ground: &Ground,
        view: &Node,
        reach: Reach,
        filter: Filter,
        weights: &Weights,
        keeps_all: bool,
    ) {
        let Reach { width, depth, stall } = reach;
        self.links.clear();
        self.seen.clear();
        self.ends.clear();
        self.holed.clear();
        self.is_won = false;
        self.level.clear();
        self.level.push(view.clone());
        self.level[0].trail = ROOT;
        self.seen.insert(view.hash);
        let (mut best_end, mut best_quiet, mut idle) = (i32::MAX, i32::MAX, 0);
        for _ in 0..depth {
            self.candidates.clear();
            let (mut is_better, mut limit) = (false, i32::MAX);
            for (place, node) in self.level.iter().enumerate() {
                self.nodes += 1;
                if node.rows > 0 && (ground.deal_on_empty || node.empty == 0) {
                    let cost = row_cost(node, weights);
                    is_better |= cost < best_end;
                    if keeps_all || cost < best_end {
                        self.ends.push(End { cost, hash: !node.hash, trail: node.trail, last: Move::Row });
                    }
                    best_end = best_end.min(cost);
                } else if node.rows > 0 {
                    keep_cheapest(&mut self.holed, node);
                }
                let (seen, candidates, ends) = (&self.seen, &mut self.candidates, &mut self.ends);
                let mut won = None;
                node.children(ground, filter, weights, |m, Child { cost, hash, turns, completes }| {
                    if completes && node.done + 1 == ground.runs {
                        won = Some(m);
                    } else if turns {
                        is_better |= cost < best_end;
                        if keeps_all || cost < best_end {
                            ends.push(End { cost, hash, trail: node.trail, last: m });
                        }
                        best_end = best_end.min(cost);
                    } else if cost < limit && !seen.contains(hash) {
                        candidates.push(Candidate { cost, parent: place as u32, hash, m });
                    }
                });
                if let Some(last) = won {
                    self.is_won = true;
                    self.ends.push(End { cost: i32::MIN, hash: 0, trail: node.trail, last });
                    return;
                }
                limit = Candidate::cut(&mut self.candidates, width).unwrap_or(limit);
            }
            let quiet = self.candidates.iter().map(|candidate| candidate.cost).min().unwrap_or(i32::MAX);
            is_better |= quiet < best_quiet;
            best_quiet = best_quiet.min(quiet);
            idle = if is_better { 0 } else { idle + 1 };
            if idle >= stall || !self.descend(ground, width, weights) {
                break;
            }
        }
        self.fill_for_row(ground, weights, best_end, keeps_all);
    }

    /// Builds the next level from the cheapest candidates; returns false if there are none.
    fn descend(&mut self, ground: &Ground, width: usize, weights: &Weights) -> bool {
        self.candidates.sort_unstable_by_key(Candidate::order);
        self.next.clear();
        for candidate in &self.candidates {
            if self.next.len() == width {
                break;
            }
            if !self.seen.insert(candidate.hash) {
                continue;
            }
            let parent = &self.level[candidate.parent as usize];
            let mut node = parent.clone();
            node.apply(ground, candidate.m, weights);
            self.links.push(Link { parent: parent.trail, m: candidate.m });
            node.trail = self.links.len() as u32 - 1;
            self.next.push(node);
        }
        std::mem::swap(&mut self.level, &mut self.next);
        !self.level.is_empty()
    }

    /// Handles rules where a row waits until no pile is empty: fills the piles of the cheapest tables, each by the
    /// cheapest move that turns nothing, and adds the row as an end.
    fn fill_for_row(&mut self, ground: &Ground, weights: &Weights, mut best: i32, keeps_all: bool) {
        for place in 0..self.holed.len() {
            let mut node = self.holed[place].clone();
            while node.empty > 0 {
                let mut cheapest: Option<(i32, Move)> = None;
                node.children(ground, FREE, weights, |m, child| {
                    let Move::Run { to, .. } = m else { return };
                    let fills = node.piles[usize::from(to)].len == 0;
                    if fills && !child.turns && cheapest.is_none_or(|(cost, _)| child.cost < cost) {
                        cheapest = Some((child.cost, m));
                    }
                });
                let Some((_, m)) = cheapest else { break };
                node.apply(ground, m, weights);
                self.links.push(Link { parent: node.trail, m });
                node.trail = self.links.len() as u32 - 1;
            }
            let cost = row_cost(&node, weights);
            if node.empty == 0 && (keeps_all || cost < best) {
                best = best.min(cost);
                self.ends.push(End { cost, hash: !node.hash, trail: node.trail, last: Move::Row });
            }
        }
    }

    /// Returns the moves of a plan.
    pub fn line(&self, end: &End) -> Vec<Move> {
        let mut line = vec![end.last];
        let mut trail = end.trail;
        while trail != ROOT {
            let Link { parent, m } = self.links[trail as usize];
            line.push(m);
            trail = parent;
        }
        line.reverse();
        line
    }
}

/// Keeps a table if it is among the cheapest.
fn keep_cheapest(kept: &mut Vec<Node>, node: &Node) {
    let order = |node: &Node| (node.cost, node.hash);
    if kept.len() < FILLED {
        kept.push(node.clone());
    } else if let Some(dearest) = kept.iter_mut().max_by_key(|kept| order(kept))
        && order(node) < order(dearest)
    {
        dearest.clone_from(node);
    }
}

/// Returns the cost of a table before an unknown row: empty piles are worth little then.
fn row_cost(node: &Node, weights: &Weights) -> i32 {
    let gain = weights.empty[usize::from(node.empty)];
    let kept = (weights.empty_at_row * f64::from(gain)).round() as i32;
    node.cost + gain - kept + weights.row
}
