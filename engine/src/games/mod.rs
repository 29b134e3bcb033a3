//! The games, a row each, and what the engine can do with them.
//!
//! The rows below are the one list of games: nothing else of the engine outside a game's own folder names one. `table` finds
//! a game by its id. Every game is [`Playable`]; what else it can do are traits of its own, a file each: `policies`,
//! `playouts`, `plans`, `stops`, `phases`, `learning`, and [`Stepped`](crate::envs::Stepped) with the environments. `fixed`
//! and the faces beside the traits are games with their rules fixed, positions and moves as text, as the border to
//! Python sees them.

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
