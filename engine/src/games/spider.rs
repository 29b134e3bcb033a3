//! Spider: ten piles, two packs, and eight runs to build from king to ace in one suit.
//!
//! `table` is the position, `moves` lists what is legal and makes moves and takes them back, `keys` names
//! positions for the searches that `game` opens them to. `stepping` is Spider as an environment. `text` is how
//! people write it all.

mod game;
mod keys;
mod moves;
#[cfg(test)]
mod plain;
#[cfg(test)]
mod reference_tests;
mod rules;
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

pub use moves::{Move, Undo};
pub use rules::Rules;
pub use table::{Pile, Table, Table as Spider};
