//! Whole games played by policies: those of a game's own, and `random`, which every game has.

use std::time::Duration;

use super::{Advised, Game, Notation, Start, start_of, tokens};
use crate::Fault;
use crate::rng::Decks;
use crate::search::{Progress, Watch};

/// A game that goes on after so many moves ends there, as on the Python side: where moves can be taken
/// back, some play would never end.
pub const MOST_MOVES: usize = 2_000;

/// Plays whole games by one policy.
pub trait Player: Send + Sync {
    /// Plays from `start`; `luck` is the seed of the game's stream of chance.
    fn play(&self, start: &Start, luck: u64, watch: &mut Watch) -> Result<Game, Fault>;
}

/// Someone who plays by the policy of this name.
pub fn sit_down<G: Advised + 'static>(
    rules: G::Rules,
    policy: &str,
    values: Option<&[u8]>,
) -> Result<Box<dyn Player>, Fault> {
    if policy == "random" {
        return Ok(Box::new(Rambler::<G> { rules }));
    }
    let policy = G::policy(&rules, policy, values)?;
    Ok(Box::new(Sitting::<G> { rules, policy }))
}

struct Sitting<G: Advised> {
    rules: G::Rules,
    policy: G::Policy,
}

impl<G: Advised> Player for Sitting<G> {
    fn play(&self, start: &Start, luck: u64, watch: &mut Watch) -> Result<Game, Fault> {
        let game = start_of::<G>(&self.rules, start)?;
        let mut is_stopped = false;
        let line = game.play_by(&self.policy, &mut Decks::new(luck), &mut |progress| {
            is_stopped |= watch(progress);
            is_stopped
        })?;
        if is_stopped { Err(stopped()) } else { Ok(ended(game, &line)) }
    }
}

/// Every legal move is as likely as every other.
struct Rambler<G: Notation> {
    rules: G::Rules,
}

impl<G: Notation> Player for Rambler<G> {
    fn play(&self, start: &Start, luck: u64, watch: &mut Watch) -> Result<Game, Fault> {
        let start = start_of::<G>(&self.rules, start)?;
        let (score, bound) = (start.score(), start.max_score());
        // A game is over long before it would be time to look again.
        if watch(Progress { nodes: 0, elapsed: Duration::ZERO, best: score, bound }) {
            return Err(stopped());
        }
        let mut luck = Decks::new(luck);
        let (mut game, mut line, mut moves) = (start.clone(), Vec::new(), Vec::new());
        while line.len() < MOST_MOVES {
            moves.clear();
            game.moves(&mut moves);
            if moves.is_empty() && game.waits_for_chance() {
                return Err(Fault::new("the game goes on with a redeal whose order is not known"));
            }
            if moves.is_empty() || game.is_won() {
                break;
            }
            let m = moves[luck.below(moves.len() as u64) as usize];
            line.push(m);
            game.apply(m);
        }
        Ok(ended(start, &line))
    }
}

fn stopped() -> Fault {
    Fault::new("the game was stopped")
}

/// How the game ends that is played from this position.
fn ended<G: Notation>(mut game: G, line: &[G::Move]) -> Game {
    let moves = tokens(&mut game, line);
    Game { score: game.score(), is_won: game.is_won(), moves }
}
