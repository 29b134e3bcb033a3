//! The policies and playouts of Agnes Sorel.

use std::time::Instant;

use rayon::ThreadPool;

use super::rollout::{self, Seen};
use super::rules::Rules;
use super::table::{Agnes, Move};
use crate::Fault;
use crate::games::{Playouts, PlaysPolicies, Tally};
use crate::rng::Decks;
use crate::search::Watch;

/// The limit on `samples`, against typing errors; the Python side has the same limit.
const MOST_SAMPLES: u64 = 1_000_000;

/// A policy of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    Greedy,
    Rollout { samples: u64 },
}

impl PlaysPolicies for Agnes {
    type Policy = Policy;

    /// Reads `greedy` or `rollout:20`; each game has its own seed for the random stream.
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
                // One check is enough: a game ends long before the next would be due.
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
