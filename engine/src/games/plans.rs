//! Plans up to the next unseen card, evaluated on sampled deals.

use super::Playable;
use super::fixed::{Fixed, tokens};
use crate::Fault;
use crate::rng::Decks;
use crate::search::Watch;

/// A game that evaluates plans.
pub trait WeighsPlans: Playable {
    /// Evaluates plans, each up to the next unseen card, on `samples` deals that are consistent with the visible cards.
    /// `luck` is the only source of randomness; if the watch stops the call, it returns the results so far.
    fn weigh(
        &self,
        samples: u32,
        values: Option<&[u8]>,
        luck: &mut Decks,
        watch: &mut Watch,
    ) -> Result<Weighing<Self::Move>, Fault>;
}

/// [`WeighsPlans`] with the rules fixed, positions and moves as text.
pub trait WeighingPlans: Send + Sync {
    /// See [`WeighsPlans::weigh`].
    fn weigh(
        &self,
        position: &str,
        samples: u32,
        values: Option<&[u8]>,
        luck: &mut Decks,
        watch: &mut Watch,
    ) -> Result<Weighing<String>, Fault>;
}

impl<G: WeighsPlans> WeighingPlans for Fixed<G> {
    fn weigh(
        &self,
        position: &str,
        samples: u32,
        values: Option<&[u8]>,
        luck: &mut Decks,
        watch: &mut Watch,
    ) -> Result<Weighing<String>, Fault> {
        let game = G::parse(&self.rules, position)?;
        let Weighing { plans, is_won, is_open, samples, playouts, seconds } =
            game.weigh(samples, values, luck, watch)?;
        let words = |plan: WeighedPlan<G::Move>| {
            let WeighedPlan { moves, chance, samples, cost } = plan;
            WeighedPlan { moves: tokens(&mut game.clone(), &moves), chance, samples, cost }
        };
        let plans = plans.into_iter().map(words).collect();
        Ok(Weighing { plans, is_won, is_open, samples, playouts, seconds })
    }
}

/// The evaluated plans, the best first.
#[derive(Clone, PartialEq, Debug)]
pub struct Weighing<M> {
    pub plans: Vec<WeighedPlan<M>>,
    /// True if the best plan wins the game, whatever the hidden cards are.
    pub is_won: bool,
    /// True if all cards are known, so that nothing is sampled.
    pub is_open: bool,
    /// The number of sampled deals; `playouts` counts the games played on them from all plans.
    pub samples: u32,
    pub playouts: u64,
    pub seconds: f64,
}

/// A plan and its results.
#[derive(Clone, PartialEq, Debug)]
pub struct WeighedPlan<M> {
    pub moves: Vec<M>,
    /// The mean win probability over its games.
    pub chance: f64,
    pub samples: u32,
    /// The planner's cost of the position after the plan: less is better.
    pub cost: i32,
}
