//! Agnes Sorel played and weighed by policies.

use std::time::Instant;

use rayon::ThreadPool;

use super::rollout::{self, Seen};
use super::rules::Rules;
use super::table::{Agnes, Move};
use crate::Fault;
use crate::games::{Playouts, PlaysPolicies, Tally};
use crate::rng::Decks;
use crate::search::Watch;

/// More samples than this are a slip of the pen; the Python side has the same bound.
const MOST_SAMPLES: u64 = 1_000_000;

/// A way of playing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    Greedy,
    Rollout { samples: u64 },
}

impl PlaysPolicies for Agnes {
    type Policy = Policy;

    /// `greedy`, or `rollout:20`; the seed of its luck comes with each game.
    fn policy(_: &Rules, name: &str, _: Option<&[u8]>) -> Result<Policy, Fault> {
        if name == "greedy" {
            return Ok(Policy::Greedy);
        }
        let Some(samples) = name.strip_prefix("rollout:") else {
            return Err(Fault::new(format!(
                "the engine has no policy {name:?} of agnes; it has greedy, random, rollout:20"
            )));
        };
        match samples.parse() {
            Ok(samples) if (1..=MOST_SAMPLES).contains(&samples) => Ok(Policy::Rollout { samples }),
            _ => Err(Fault::new(format!("{samples:?} samples: expected 1..{MOST_SAMPLES}"))),
        }
    }

    fn play_by(&self, policy: &Policy, luck: &mut Decks, watch: &mut Watch) -> Result<Vec<Move>, Fault> {
        Ok(match *policy {
            Policy::Greedy => {
                let (mut game, mut line) = (self.clone(), Vec::new());
                // A game is over long before it would be time to look again.
                if rollout::is_stopped(Instant::now(), watch) {
                    return Ok(line);
                }
                while let Some(m) = game.greedy() {
                    game.make(m);
                    line.push(m);
                }
                line
            }
            Policy::Rollout { samples } => rollout::play(self, samples, luck, watch),
        })
    }
}

impl Playouts for Agnes {
    fn playouts(
        &self,
        moves: &[Move],
        samples: u64,
        luck: &mut Decks,
        pool: &ThreadPool,
        watch: &mut Watch,
    ) -> Result<Vec<Tally>, Fault> {
        Ok(Seen::of(self).playouts(moves, samples, luck, pool, watch))
    }
}
