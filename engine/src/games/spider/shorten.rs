//! Shorter lines to a win: beam passes in which every move has a cost.
//!
//! The first search only cares about winning, and its lines are longer than necessary. Once a win is known, a pass that
//! charges for moves wins less often, but with fewer moves; lines that cannot stay below the best length so far are
//! given up on the way.

use std::time::{Duration, Instant};

use super::Spider;
use super::beam::{Beam, Passed};
use super::moves::Move;
use super::node::{Ground, Node};
use super::weights::OPEN;
use crate::rng::Decks;
use crate::search::{Game, Progress, Watch};

/// The cost of a move, pass after pass.
const PRICES: [i32; 4] = [20, 30, 40, 25];
const WIDTH: f64 = 100.0;
const GROWTH: f64 = 1.05;
/// The limit on passes, for callers without a time limit.
const PASSES: usize = 80;
const SPREAD: f64 = 0.3;

impl Spider {
    /// Returns a winning line with no more moves than this one, if this one wins; else the line itself.
    pub(super) fn shorter(&self, line: &[Move], time: Duration, watch: &mut Watch) -> Vec<Move> {
        let mut end = self.clone();
        for &m in line {
            end.apply(m);
        }
        let mut best = line.to_vec();
        if !end.is_won() || time.is_zero() {
            return best;
        }
        let ground = Ground::of(self);
        let start = Node::open(&ground, self, &OPEN.weights(ground.bank.len() as u8));
        let (started, bound) = (Instant::now(), self.max_score());
        let mut chance = Decks::new(start.hash);
        let (mut taste, mut width, mut nodes) = (OPEN, WIDTH, 0);
        for price in PRICES.into_iter().cycle().take(PASSES) {
            let mut beam = Beam::new(&ground);
            (beam.price, beam.below) = (price, best.len() as u32);
            let score = end.score();
            let mut is_stopped = false;
            let mut go_on = |expanded: u64| {
                let progress =
                    Progress { nodes: nodes + expanded, elapsed: started.elapsed(), best: score, bound };
                is_stopped = watch(progress) || started.elapsed() >= time;
                !is_stopped
            };
            if let Passed::Won(shorter) = beam.pass(&start, width as usize, &taste, &mut go_on)
                && shorter.len() < best.len()
            {
                best = shorter;
            }
            if is_stopped {
                break;
            }
            nodes += beam.nodes;
            width *= GROWTH;
            taste = OPEN.varied(SPREAD, &mut chance);
        }
        best
    }
}
