//! Plans up to where something new is seen, weighed on supposed deals.

use super::Playable;
use super::fixed::{Fixed, tokens};
use crate::Fault;
use crate::rng::Decks;
use crate::search::Watch;

/// A game that weighs plans.
pub trait WeighsPlans: Playable {
    /// Weighs plans, each up to where something new is seen, on so many supposed deals that fit what is seen. `luck`
    /// is the only source of chance; a watch that stops it gets what is known by then.
    fn weigh(
        &self,
        samples: u32,
        values: Option<&[u8]>,
        luck: &mut Decks,
        watch: &mut Watch,
    ) -> Result<Weighing<Self::Move>, Fault>;
}

/// The same with the rules fixed, positions and moves as text.
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

/// Plans that were weighed, the best first.
#[derive(Clone, PartialEq, Debug)]
pub struct Weighing<M> {
    pub plans: Vec<WeighedPlan<M>>,
    /// The best plan wins the game, whatever the hidden cards are.
    pub is_won: bool,
    /// All cards are known, so there is nothing to suppose.
    pub is_open: bool,
    /// Supposed deals, and games played on from all the plans.
    pub samples: u32,
    pub playouts: u64,
    pub seconds: f64,
}

/// A plan, and what came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct WeighedPlan<M> {
    pub moves: Vec<M>,
    /// The mean chance of winning over its games.
    pub chance: f64,
    pub samples: u32,
    /// What the planner thinks that the table costs then: less is better.
    pub cost: i32,
}
