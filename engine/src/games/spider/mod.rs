//! Spider: ten piles, two packs, and eight runs to build from king to ace in one suit.
//!
//! `table` is the position, `moves` lists what is legal and makes moves and takes them back, `keys` names
//! positions for the searches that `game` opens them to. `stepping` is Spider as an environment. `text` is how
//! people write it all.
//!
//! `node` is a table with its price in `weights`, and `children` prices moves without making them. On it stand the
//! `beam` that `solver` and `shorten` send over open tables, and for those who see only a part (`hidden`) the
//! `planner`, whose plans the sampling player (`sampling`, `values`, `fit`) weighs. `players` names them all.

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
