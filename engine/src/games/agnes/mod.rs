//! Agnes Sorel: seven piles, a stock that is dealt onto them, and foundations that begin with the rank of the first
//! card.
//!
//! `table` is the position and `play` moves its cards; `moves` lists the legal moves and those that a search tries.
//! Three parts prune the search: `relax` proves positions lost, `forced` finds moves that need no alternative, `keys`
//! and `shuttles` merge positions that are worth the same. `shorten` shortens the lines that it finds.
//!
//! `greedy` and `rollout` play by what a player sees, and `advice` is their interface; `stepping` is the environment.

mod advice;
mod forced;
mod game;
mod greedy;
mod keys;
mod moves;
#[cfg(test)]
mod plain;
mod play;
#[cfg(test)]
mod policy_tests;
#[cfg(test)]
mod reference_tests;
mod relax;
mod rollout;
mod rules;
mod shorten;
#[cfg(test)]
mod shorten_tests;
mod shuttles;
#[cfg(test)]
mod solver_tests;
mod stepping;
mod table;
#[cfg(test)]
mod table_tests;
mod text;

pub use table::Agnes;
