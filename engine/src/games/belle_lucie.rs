//! La Belle Lucie and its family.

mod merci;
mod packed;
mod text;

pub use packed::Packed as BelleLucie;

#[cfg(test)]
mod fast_tests;
