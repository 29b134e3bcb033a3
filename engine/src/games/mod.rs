//! The games, one row each, and the capabilities of the engine.
//!
//! The rows below are the only list of games: nothing else in the engine outside a game's own folder names one. `table`
//! finds a game by its id. Every game is [`Playable`]. Its other capabilities are traits in a file each: `policies`,
//! `playouts`, `plans`, `stops`, `phases`, `learning`, and [`Stepped`](crate::envs::Stepped) with the environments.
//! `fixed`, and the object-safe traits beside each capability, present games with their rules fixed and with positions
//! and moves as text, as the Python bindings use them.

#[macro_use]
mod table;

mod fields;
mod fixed;
mod learning;
mod phases;
mod plans;
mod playable;
mod playouts;
mod policies;
mod stops;
mod tracing;

pub use fields::Fields;
pub use fixed::{Fixed, FixedGame, Found, Played, Start};
pub use learning::{Learning, Learns};
pub use phases::{HasPhases, PhaseEnd, PhaseFound, PhaseSample, PhaseSampling, PhaseTask, Phasing};
pub use plans::{WeighedPlan, Weighing, WeighingPlans, WeighsPlans};
pub use playable::{Playable, Refusal};
pub use playouts::{PlayingOut, Playouts, Tally};
pub use policies::{Game, Player, Players, Playing, PlaysPolicies, Results, player, players};
pub use stops::{Plan, Sampled, Sampling, Stop, StoppingDeals, StopsDeals};
pub use table::{Entry, Face, Given, ids, open, open_as};

#[cfg(test)]
pub(crate) use playable::read_rules;

games! {
    aces_up::AcesUp as "aces-up": stepped, plays, plays_out, learns;
    agnes::Agnes as "agnes": stepped, plays, plays_out;
    belle_lucie::BelleLucie as "belle-lucie": stepped, plays, stops_deals;
    gaps::Gaps as "gaps": stepped, plays, has_phases;
    pub spider::Spider as "spider": stepped, plays, weighs_plans;
}
