//! La Belle Lucie and its family.

mod packed;
mod text;

pub use packed::Packed as BelleLucie;
