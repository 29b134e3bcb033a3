//! La Belle Lucie and its family.
//!
//! `table` supports all rules. Where cards are built in suit, `packed` and `merci` search a deal far faster. `round`
//! picks between them for one deal, `open` solves games whose redeals are known, and `plan`, `whole`, `sample` and
//! `advice` handle redeals that are not known.

mod advice;
mod explore;
mod frontier;
mod game;
mod merci;
mod moves;
mod open;
mod opening;
mod packed;
#[cfg(test)]
mod plain;
mod plan;
mod prune;
mod round;
mod rules;
mod sample;
mod stepping;
mod table;
mod text;
mod values;
mod whole;

pub use table::BelleLucie;

#[cfg(test)]
mod fast_tests;
