//! Spider: ten piles, two decks, and eight runs to build from king to ace in one suit.
//!
//! `table` is the position, `moves` lists the legal moves, makes them and takes them back, `keys` are the keys of
//! positions, and `game` is the interface for searches. `stepping` is the environment. `text` reads and writes.
//!
//! `node` is a table with its cost by `weights`, and `children` computes the costs after moves without making them. Two
//! groups use it: the `beam` of `solver` and `shorten`, for open tables; and the `planner` for views with `hidden`
//! cards, whose plans the sampling player (`sampling`, `values`, `fit`) evaluates. `players` names all policies.

mod beam;
#[cfg(test)]
mod beam_tests;
mod children;
mod fit;
mod game;
mod hidden;
mod keys;
mod moves;
mod node;
#[cfg(test)]
mod plain;
mod planner;
mod players;
#[cfg(test)]
mod reference_tests;
mod rules;
mod sampling;
mod shorten;
mod solver;
#[cfg(test)]
mod solver_tests;
mod stepping;
#[cfg(test)]
mod stepping_tests;
mod table;
#[cfg(test)]
mod table_tests;
mod text;
#[cfg(test)]
mod text_tests;
mod values;
mod weights;

pub use fit::{Fitted, fit};
pub use moves::{Move, Undo};
pub use rules::Rules;
pub use table::{Pile, Table, Table as Spider};
