//! Gaps: four rows of thirteen cells, 48 cards and four gaps. A gap takes the next card of the suit of the card
//! on its left, in column 1 any 2. Won when every row runs from 2 to king.
//!
//! `board` is what card moves change, `table` the whole game with its redeals, `text` reads and writes.

mod board;
mod rules;
mod table;
#[cfg(test)]
mod table_tests;
mod text;

use crate::games::Advised;

pub use table::Gaps;

impl Advised for Gaps {
    type Policy = ();
}
