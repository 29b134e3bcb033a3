//! La Belle Lucie and its family.

mod frontier;
mod merci;
mod packed;
mod plan;
mod rules;
mod sample;
mod text;
mod values;
mod whole;

pub use packed::Packed as BelleLucie;

#[cfg(test)]
mod fast_tests;
