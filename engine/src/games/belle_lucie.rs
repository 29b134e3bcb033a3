//! La Belle Lucie and its family.

// `beneath` has no user until the next search that goes by it.
#[allow(dead_code)]
mod packed;
#[cfg(test)]
mod plain;
mod rules;
mod table;
mod text;
mod values;
mod whole;

pub use table::BelleLucie;
