//! The sampling player: evaluates some plans on the same sampled deals, played on by the plain player.
//!
//! The plain player sees no more of a sampled deal than it would of a real one, so no plan wins by hidden information.
//! The playouts are short: up to the row after next, where a fitted value function gives the win probability. Plans
//! differ by less than the noise of some dozens of playouts, so their costs still count in the choice.

use super::hidden::{Planned, Sight, Stop};
use super::moves::Move;
use super::node::Node;
use super::planner::{CAREFUL, End, FREE, Planner, Reach};
use super::values::{Values, chance, features};
use crate::rng::Decks;
use crate::search::{Progress, Watch};
use std::time::Instant;

/// How plans are found and evaluated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Setting {
    /// The number of sampled deals for a decision.
    pub samples: u32,
    pub reach: Reach,
    /// How many plans are evaluated, besides the best that ends in a row; how many of these may have the same source of
    /// their last move; and how many more plans may split runs.
    pub plans: usize,
    pub alike: usize,
    pub splits: usize,
    /// How much a thousand points of cost reduce the win probability.
    pub prior: f64,
    /// True if a single plan is evaluated too, which gives its probability but changes no choice.
    pub lone: bool,
}

pub const SETTING: Setting = Setting {
    samples: 40,
    reach: Reach { width: 80, depth: 60, stall: 10 },
    plans: 6,
    alike: 2,
    splits: 2,
    prior: 0.5,
    lone: false,
};

/// The value of a lost playout that has turned all cards; it is less the fewer it has turned. It is not 0 because the
/// player who evaluates plans wins many a game that the plain player loses. For the same reason the value function is
/// that of the evaluating player.
const LOST: f64 = 0.2;

/// A plan and the result of its playouts.
#[derive(Clone, PartialEq, Debug)]
pub struct Weighed {
    pub moves: Vec<Move>,
    pub cost: i32,
    /// The mean win probability over its playouts.
    pub chance: f64,
    pub samples: u32,
    sum: f64,
}

/// The evaluated plans of a decision, the best first.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    pub plans: Vec<Weighed>,
    /// True if the first of them wins the game.
    pub is_won: bool,
    pub samples: u32,
    pub playouts: u64,
    pub is_stopped: bool,
}

/// The state of a player.
pub struct Sampler<'a> {
    pub setting: Setting,
    /// The player of the playouts.
    pub player: &'a Planned,
    pub values: Option<&'a Values>,
    pub planner: Planner,
}

impl Sampler<'_> {
    /// Evaluates the plans from a view; returns no plan if no card can be turned and no row dealt.
    pub fn decide(&mut self, sight: &Sight, luck: &mut Decks, watch: &mut Watch) -> Decision {
        let mut decision =
            Decision { plans: Vec::new(), is_won: false, samples: 0, playouts: 0, is_stopped: false };
        if let Some(win) = self.find_plans(sight, &mut decision.plans) {
            decision.is_won = true;
            decision.plans = vec![win];
            return decision;
        }
        if decision.plans.len() > usize::from(!self.setting.lone) {
            self.weigh(sight, luck, watch, &mut decision);
        }
        decision
    }

    /// Collects the plans worth evaluating; returns a plan that wins, if there is one.
    fn find_plans(&mut self, sight: &Sight, plans: &mut Vec<Weighed>) -> Option<Weighed> {
        let Setting { reach, plans: most, splits, .. } = self.setting;
        let wider = |factor| Reach { width: factor * reach.width, ..reach };
        let tries = [
            (reach, CAREFUL, most, true),
            (reach, FREE, splits, false),
            // Only if nothing was found.
            (wider(10), CAREFUL, most, true),
            (wider(20), FREE, most, true),
        ];
        let mut hashes = Vec::new();
        for (place, (reach, filter, most, with_rows)) in tries.into_iter().enumerate() {
            if most == 0 || place > 1 && !plans.is_empty() {
                continue;
            }
            let weights = self.player.weights(sight.view.rows);
            self.planner.plan(&sight.ground, &sight.view, reach, filter, weights, true);
            let mut ends = std::mem::take(&mut self.planner.ends);
            if let Some(end) = ends.last().filter(|_| self.planner.is_won) {
                return Some(self.weighed(end));
            }
            // The sort is stable: of ends with equal tables the one found first comes first.
            ends.sort_by_key(End::order);
            for end in self.choose(&ends, most, with_rows, &mut hashes) {
                let plan = self.weighed(end);
                plans.push(plan);
            }
            self.planner.ends = ends;
        }
        None
    }

    /// Returns the cheapest ends that lead to different tables, few with one source; and a row, if there is one.
    fn choose<'e>(
        &self,
        ends: &'e [End],
        most: usize,
        with_rows: bool,
        hashes: &mut Vec<u64>,
    ) -> Vec<&'e End> {
        let mut chosen: Vec<&End> = Vec::new();
        let mut of_source = [0; 256];
        for end in ends.iter().filter(|end| with_rows || end.last != Move::Row) {
            let source = match end.last {
                Move::Run { from, .. } => usize::from(from),
                Move::Row => 255,
            };
            if chosen.len() < most && of_source[source] < self.setting.alike && !hashes.contains(&end.hash) {
                of_source[source] += 1;
                hashes.push(end.hash);
                chosen.push(end);
            }
        }
        let row = ends.iter().find(|end| end.last == Move::Row);
        if with_rows && of_source[255] == 0 {
            chosen.extend(row);
        }
        chosen
    }

    fn weighed(&self, end: &End) -> Weighed {
        Weighed { moves: self.planner.line(end), cost: end.cost, chance: 0.0, samples: 0, sum: 0.0 }
    }

    /// Plays on from each plan, on the same sampled deals for all; drops the worse half of the plans half way.
    fn weigh(&mut self, sight: &Sight, luck: &mut Decks, watch: &mut Watch, decision: &mut Decision) {
        let Setting { samples, prior, .. } = self.setting;
        let cheapest = decision.plans.iter().map(|plan| plan.cost).min().unwrap_or(0);
        let worth = |plan: &Weighed| {
            let chance = plan.sum / f64::from(plan.samples.max(1));
            chance - prior * f64::from(plan.cost - cheapest) / 1000.0
        };
        // With no row left, or without values, games are played to their end.
        let at_row = self.values.and(sight.view.rows.checked_sub(1));
        let started = Instant::now();
        let mut dropped = Vec::new();
        for sample in 1..=samples {
            let progress =
                Progress { nodes: self.planner.nodes, elapsed: started.elapsed(), best: 0, bound: i32::MAX };
            if watch(progress) {
                decision.is_stopped = true;
                break;
            }
            let deal = sight.suppose(luck);
            for plan in &mut decision.plans {
                let mut view = sight.view.clone();
                self.player.carry_out(&deal, &mut view, &plan.moves);
                let stop = self.player.play_on(&mut self.planner, &deal, &mut view, at_row, &mut |_| {});
                plan.sum += match (stop, self.values) {
                    (Stop::Won, _) => 1.0,
                    (Stop::AtRow, Some(values)) => chance(values, view.rows, &features(&sight.ground, &view)),
                    (Stop::Lost | Stop::AtRow, _) => {
                        LOST * (1.0 - hidden(&view) / hidden(&sight.view).max(1.0))
                    }
                };
                plan.samples += 1;
                decision.playouts += 1;
            }
            decision.samples = sample;
            if sample == samples / 2 {
                decision.plans.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
                let half = decision.plans.len().div_ceil(2).max(2);
                dropped.extend(decision.plans.drain(half.min(decision.plans.len())..).rev());
            }
        }
        decision.plans.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        decision.plans.extend(dropped.into_iter().rev());
        for plan in &mut decision.plans {
            plan.chance = plan.sum / f64::from(plan.samples.max(1));
        }
    }
}

/// Returns the number of face-down cards.
fn hidden(view: &Node) -> f64 {
    view.piles.iter().map(|pile| f64::from(pile.down)).sum()
}

impl Decision {
    /// Returns the decision for a table with all cards known: the winning line, if one was found.
    pub fn known(line: Option<Vec<Move>>) -> Decision {
        let is_won = line.is_some();
        let plan = |moves| Weighed { moves, cost: 0, chance: 1.0, samples: 0, sum: 0.0 };
        let plans = line.map(plan).into_iter().collect();
        Decision { plans, is_won, samples: 0, playouts: 0, is_stopped: false }
    }
}
