//! Spider: ten piles, two packs, and eight runs to build from king to ace in one suit.
//!
//! `table` is the position, `moves` lists what is legal and makes moves and takes them back, `keys` names
//! positions for the searches that `game` opens them to. `text` is how people write it all.

mod moves;
#[cfg(test)]
mod plain;
mod rules;
mod table;
#[cfg(test)]
mod table_tests;

pub use moves::{Move, Undo};
pub use rules::Rules;
pub use table::{Pile, Table, Table as Spider};
