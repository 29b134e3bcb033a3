//! Gaps: four rows of thirteen cells, 48 cards and four gaps. A gap takes the next card of the suit of the card on its
//! left, in column 1 any 2. The game is won when every row runs from 2 to king.
//!
//! `board` is what card moves change, `table` the whole game with its redeals, `text` reads and writes.
//!
//! `phase` searches the play between two deals, in rounds. Each round is a `walk` through positions, in a `build` for
//! the processor at hand; `expand` lists the children by the facts of `relax`, and `visited` is the transposition
//! table. `threads` splits a round into `parts`, and `ends` are the possible ends of a phase.
//!
//! `players` play whole games by policies: they `think` about each phase, and choose an end by its `shapes` and their
//! `values`, of which `peaks` knows the greatest; `sample` estimates the values.

mod advice;
mod board;
mod build;
mod ends;
mod expand;
mod ordering;
mod parts;
mod peaks;
mod phase;
mod players;
#[cfg(test)]
mod players_tests;
#[cfg(test)]
mod reference_tests;
mod relax;
mod rules;
mod sample;
mod shapes;
#[cfg(test)]
mod solver_tests;
mod stepping;
#[cfg(test)]
mod stepping_tests;
mod strands;
mod switches;
mod table;
#[cfg(test)]
mod table_tests;
mod text;
mod think;
mod threads;
mod values;
mod visited;
mod walk;

pub use table::Gaps;
