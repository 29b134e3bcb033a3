//! La Belle Lucie and its family.

mod explore;
mod frontier;
mod merci;
mod open;
mod packed;
#[cfg(test)]
mod plain;
mod plan;
mod round;
mod rules;
mod sample;
mod table;
mod text;
mod values;
mod whole;

pub use table::BelleLucie;

#[cfg(test)]
mod fast_tests;
