//! Aces Up: the stock is dealt in rows onto four piles, the lower of two top cards of a suit is discarded, and a top
//! card may go to a space. The game is won when only the aces are left.
//!
//! `table` is the position and its moves, `moves` lists the legal ones, `text` reads and writes. Five modules
//! prune the search:
//! - `solver` takes larger steps.
//! - `forced` finds moves that need no alternative.
//! - `keys` identifies positions that are worth the same.
//! - `suffix` bounds the score by the last rows of the stock.
//! - `relaxed` tries forced discards first where they are optional.
//!
//! `quick` is another table, for mass play: `lists` reads the strategy language, `play` plays whole games by one list,
//! `many` by many lists at once, `weights` and `rollout` by what a player sees. `advice` is their interface.
//!
//! `rows` is a third table, for planning from deal to deal: `values` is the value function, `training` finds its
//! weights, `planner` plays by it. `stepping` is the environment.

mod advice;
mod forced;
mod game;
mod keys;
#[cfg(test)]
mod list_tests;
mod lists;
mod many;
mod moves;
#[cfg(test)]
mod plain;
mod planner;
#[cfg(test)]
mod planner_tests;
mod play;
#[cfg(test)]
mod play_tests;
#[cfg(test)]
mod policy_tests;
mod quick;
#[cfg(test)]
mod reference_tests;
mod relaxed;
mod rollout;
mod rows;
mod rules;
mod solver;
#[cfg(test)]
mod solver_tests;
mod stepping;
mod suffix;
mod table;
#[cfg(test)]
mod table_tests;
mod text;
mod training;
mod values;
mod weights;

pub use table::AcesUp;
