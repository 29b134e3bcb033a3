//! Moves evaluated by playouts.

use rayon::ThreadPool;

use super::Playable;
use super::fixed::{Fixed, read_move};
use crate::Fault;
use crate::rng::Decks;
use crate::search::Watch;

/// A game that evaluates moves by playouts.
pub trait Playouts: Playable {
    /// Plays `samples` games from each of these moves to the end by a simple policy. Unseen cards are sampled, the same
    /// way for all moves. `luck` is the only source of randomness. The watch is called in the calling thread.
    fn playouts(
        &self,
        moves: &[Self::Move],
        samples: u64,
        luck: &mut Decks,
        pool: &ThreadPool,
        watch: &mut Watch,
    ) -> Result<Vec<Tally>, Fault>;
}

/// [`Playouts`] with the rules fixed, positions and moves as text.
pub trait PlayingOut: Send + Sync {
    /// See [`Playouts::playouts`].
    fn playouts(
        &self,
        position: &str,
        moves: &[String],
        samples: u64,
        luck: &mut Decks,
        pool: &ThreadPool,
        watch: &mut Watch,
    ) -> Result<Vec<Tally>, Fault>;
}

impl<G: Playouts> PlayingOut for Fixed<G> {
    fn playouts(
        &self,
        position: &str,
        moves: &[String],
        samples: u64,
        luck: &mut Decks,
        pool: &ThreadPool,
        watch: &mut Watch,
    ) -> Result<Vec<Tally>, Fault> {
        let game = G::parse(&self.rules, position)?;
        let moves = moves.iter().map(|token| read_move(&game, token)).collect::<Result<Vec<_>, _>>()?;
        game.playouts(&moves, samples, luck, pool, watch)
    }
}

/// The results of the games that began with one move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    pub games: u64,
    pub wins: u64,
    /// The sum of the scores.
    pub score: i64,
    /// The greatest score; 0 before the first game.
    pub most: i32,
}

impl Tally {
    /// Adds one game.
    pub fn count(&mut self, score: i32, is_won: bool) {
        self.add(Tally { games: 1, wins: u64::from(is_won), score: i64::from(score), most: score });
    }

    /// Adds the results of more games with the same move.
    pub fn add(&mut self, other: Tally) {
        // A tally without games has no greatest score: its 0 must not exceed scores that are all negative.
        self.most = match (self.games, other.games) {
            (0, _) => other.most,
            (_, 0) => self.most,
            _ => self.most.max(other.most),
        };
        self.games += other.games;
        self.wins += other.wins;
        self.score += other.score;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_of_scores_below_0_is_below_0() {
        let (mut none, mut tally) = (Tally::default(), Tally::default());
        for score in [-300, -20, -100] {
            tally.count(score, false);
        }
        tally.add(Tally::default());
        none.add(tally);
        assert_eq!(none, Tally { games: 3, wins: 0, score: -420, most: -20 });
    }
}
