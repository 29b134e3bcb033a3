//! Plans for one deal of several, and values of what is left after it.

use rayon::prelude::*;

use super::Playable;
use super::fixed::{Fixed, tokens};
use crate::Fault;
use crate::search::Watch;

/// A game of several deals that knows, by values of states, where to stop in one of them.
pub trait StopsDeals: Playable {
    /// Values of states, read and checked.
    type Values: Send + Sync;

    fn values(rules: &Self::Rules, values: &[u8]) -> Result<Self::Values, Fault>;

    /// How many states there are.
    fn states(rules: &Self::Rules) -> usize;

    /// Plans the deal that lies on the table: the best stops first, at most so many.
    fn plan(
        &self,
        values: &Self::Values,
        at_most: usize,
        watch: &mut Watch,
    ) -> Result<Plan<Self::Move>, Fault>;

    /// Values one state; see `Sampling`.
    fn sample(rules: &Self::Rules, state: usize, sampling: &Sampling<Self::Values>)
    -> Result<Sampled, Fault>;
}

/// The same with the rules fixed, positions and moves as text.
pub trait StoppingDeals: Send + Sync {
    /// Plans one deal by these values.
    fn plan(
        &self,
        position: &str,
        values: &[u8],
        at_most: usize,
        watch: &mut Watch,
    ) -> Result<Plan<String>, Fault>;
    /// Values states; those that do not exist are refused.
    fn sample(
        &self,
        states: &[usize],
        sampling: &Sampling<()>,
        values: Option<&[u8]>,
    ) -> Result<Vec<Sampled>, Fault>;
}

impl<G: StopsDeals> StoppingDeals for Fixed<G> {
    fn plan(
        &self,
        position: &str,
        values: &[u8],
        at_most: usize,
        watch: &mut Watch,
    ) -> Result<Plan<String>, Fault> {
        let game = G::parse(&self.rules, position)?;
        let plan = game.plan(&G::values(&self.rules, values)?, at_most, watch)?;
        let words = |stop: Stop<G::Move>| Stop {
            moves: tokens(&mut game.clone(), &stop.moves),
            heights: stop.heights,
            mercis: stop.mercis,
            value: stop.value,
        };
        let Plan { stops, most, is_won, redeals, is_complete, nodes, seconds } = plan;
        let stops = stops.into_iter().map(words).collect();
        Ok(Plan { stops, most: words(most), is_won, redeals, is_complete, nodes, seconds })
    }

    fn sample(
        &self,
        states: &[usize],
        sampling: &Sampling<()>,
        values: Option<&[u8]>,
    ) -> Result<Vec<Sampled>, Fault> {
        let there_are = G::states(&self.rules);
        if let Some(state) = states.iter().find(|&&state| state >= there_are) {
            return Err(Fault::new(format!("there is no state {state}; there are {there_are}")));
        }
        let values = values.map(|values| G::values(&self.rules, values)).transpose()?;
        let Sampling { redeals_left, mercis, samples, seed, .. } = *sampling;
        if redeals_left > 0 && values.is_none() {
            return Err(Fault::new("with redeals left the values after them are needed"));
        }
        let sampling = Sampling { redeals_left, mercis, samples, seed, values };
        states.par_iter().map(|&state| G::sample(&self.rules, state, &sampling)).collect()
    }
}

/// Where to stop in a deal.
#[derive(Clone, PartialEq, Debug)]
pub struct Stop<M> {
    pub moves: Vec<M>,
    /// The foundations then.
    pub heights: Vec<u8>,
    /// Mercis left then.
    pub mercis: u8,
    pub value: f64,
}

/// The plan for a deal.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan<M> {
    /// The best stop first.
    pub stops: Vec<Stop<M>>,
    /// What puts up the most cards.
    pub most: Stop<M>,
    /// The best stop is a win.
    pub is_won: bool,
    /// The game goes on with a redeal after it.
    pub redeals: bool,
    /// Everything was searched: there is no better stop.
    pub is_complete: bool,
    pub nodes: u64,
    pub seconds: f64,
}

/// How states are valued: the deals and mercis that are left, and the values of the states after them.
pub struct Sampling<V> {
    pub redeals_left: u8,
    pub mercis: u8,
    pub samples: u64,
    pub seed: u64,
    /// Nothing where no redeal is left.
    pub values: Option<V>,
}

/// A value: the mean of `count` samples, or `sum` exactly if that is 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sampled {
    pub sum: f64,
    pub squares: f64,
    pub count: u64,
}
