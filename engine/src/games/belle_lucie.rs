//! La Belle Lucie and its family.

mod moves;
// `beneath` has no user until the next search that goes by it.
#[allow(dead_code)]
mod packed;
#[cfg(test)]
mod plain;
mod prune;
mod rules;
mod table;
mod text;

pub use table::BelleLucie;
