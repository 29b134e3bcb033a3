//! The keys of positions: 128 bits made of the piles, bottom to top with their face-down cards, and what is left of
//! the bank. Completed runs follow from the cards that are left, and moves made are no part of a position.

use super::table::{Pile, Table};
use crate::rng::mix;

/// Words without a pattern, for the two halves of a key.
const FIRST: u64 = 0x9E37_79B9_7F4A_7C15;
const SECOND: u64 = 0xD1B5_4A32_D192_ED03;

/// A place that is none: for piles whose places are of no account.
const ANYWHERE: u64 = 15;

impl Table {
    /// Equal for equal positions; with an empty bank also for those that differ in the order of their piles.
    ///
    /// Without a row to come nothing tells piles apart: every move in one position is a move in the other with the
    /// places exchanged, and leads to positions that differ in the same way. Before that a row would bring different
    /// cards to the same pile, so the order counts.
    pub fn position_key(&self) -> u128 {
        let bank = u64::from(self.left());
        let mut key = wide(mix(FIRST ^ bank), mix(SECOND ^ bank));
        for (place, pile) in (0u64..).zip(self.piles()) {
            // A sum, for it is the same in any order; and equal piles would vanish from an exclusive or.
            key = key.wrapping_add(pile.key(if bank == 0 { ANYWHERE } else { place }));
        }
        key
    }
}

impl Pile {
    /// The cards in words of eight, each mixed into both halves. Their number is mixed in first, so what is left
    /// behind the last card may be cut off.
    fn key(&self, place: u64) -> u128 {
        let shape = place << 16 | u64::from(self.down) << 8 | u64::from(self.len);
        let (mut first, mut second) = (mix(FIRST ^ shape), mix(SECOND ^ shape));
        let (words, _) = self.cards.as_chunks::<8>();
        let (whole, rest) = (usize::from(self.len) / 8, u32::from(self.len) % 8);
        for (place, word) in words.iter().enumerate().take(whole + usize::from(rest > 0)) {
            let word = u64::from_le_bytes(*word);
            let word = if place < whole { word } else { word & ((1 << (8 * rest)) - 1) };
            first = mix(first ^ word);
            second = mix(second.wrapping_add(word.wrapping_mul(SECOND)));
        }
        wide(first, second)
    }
}

fn wide(first: u64, second: u64) -> u128 {
    u128::from(first) << 64 | u128::from(second)
}
