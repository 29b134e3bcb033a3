//! Agnes Sorel: seven piles, a stock that is dealt onto them, and foundations that begin with the rank
//! of the first card.
//!
//! `table` is the position and its moves, `moves` lists them, `relax` proves positions lost, `forced`
//! finds moves that need no alternative, `text` reads and writes.

mod advice;
mod forced;
mod game;
mod moves;
#[cfg(test)]
mod plain;
#[cfg(test)]
mod reference_tests;
mod relax;
mod rules;
#[cfg(test)]
mod solver_tests;
mod table;
#[cfg(test)]
mod table_tests;
mod text;

pub use table::Agnes;
