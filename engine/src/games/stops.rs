//! Plans for one of several deals, and the values of the states after it.

use rayon::prelude::*;

use super::Playable;
use super::fixed::{Fixed, tokens};
use crate::Fault;
use crate::search::Watch;

/// A game of several deals that chooses, by a value table, where to stop in one of them.
pub trait StopsDeals: Playable {
    /// A validated value table.
    type Values: Send + Sync;

    fn values(rules: &Self::Rules, values: &[u8]) -> Result<Self::Values, Fault>;

    /// Returns the number of states.
    fn states(rules: &Self::Rules) -> usize;

    /// Plans the current deal; returns at most `at_most` stops, the best first.
    fn plan(
        &self,
        values: &Self::Values,
        at_most: usize,
        watch: &mut Watch,
    ) -> Result<Plan<Self::Move>, Fault>;

    /// Estimates the value of one state; see `Sampling`.
    fn sample(rules: &Self::Rules, state: usize, sampling: &Sampling<Self::Values>)
    -> Result<Sampled, Fault>;
}

/// [`StopsDeals`] with the rules fixed, positions and moves as text.
pub trait StoppingDeals: Send + Sync {
    /// Plans one deal by this value table.
    fn plan(
        &self,
        position: &str,
        values: &[u8],
        at_most: usize,
        watch: &mut Watch,
    ) -> Result<Plan<String>, Fault>;
    /// Estimates the values of states; returns an error for numbers out of range.
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

/// A stop: a position of the deal after which the player redeals.
#[derive(Clone, PartialEq, Debug)]
pub struct Stop<M> {
    pub moves: Vec<M>,
    /// The heights of the foundations at the stop.
    pub heights: Vec<u8>,
    /// Mercis left at the stop.
    pub mercis: u8,
    pub value: f64,
}

/// The plan for a deal.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan<M> {
    /// The best stop first.
    pub stops: Vec<Stop<M>>,
    /// The stop with the most cards on the foundations.
    pub most: Stop<M>,
    /// True if the best stop is a win.
    pub is_won: bool,
    /// True if the game goes on with a redeal after the stop.
    pub redeals: bool,
    /// True if everything was searched: there is no better stop.
    pub is_complete: bool,
    pub nodes: u64,
    pub seconds: f64,
}

/// How states are sampled: the deals and mercis left, and the values of the states of the next deal.
pub struct Sampling<V> {
    pub redeals_left: u8,
    pub mercis: u8,
    pub samples: u64,
    pub seed: u64,
    /// `None` where no redeal is left.
    pub values: Option<V>,
}

/// An estimated value: the mean of `count` samples; if `count` is 0, `sum` is the exact value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sampled {
    pub sum: f64,
    pub squares: f64,
    pub count: u64,
}
