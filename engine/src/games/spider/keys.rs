//! The keys of positions: 128 bits made of the piles, bottom to top with their face-down cards, and the cards left in
//! the bank. Completed runs follow from the cards left, and the number of moves is no part of a position.

use super::table::{Pile, Table};
use crate::rng::mix;

/// Constants without a pattern, for the two halves of a key.
const FIRST: u64 = 0x9E37_79B9_7F4A_7C15;
const SECOND: u64 = 0xD1B5_4A32_D192_ED03;

/// The place of piles whose places do not matter.
const ANYWHERE: u64 = 15;

impl Table {
    /// Returns the key: equal for equal positions; with an empty bank also for those that differ in the order of their
    /// piles.
    ///
    /// Without a row to come piles are interchangeable: every move in one position is a move in the other with the
    /// places exchanged, and leads to positions that differ in the same way. Before that a row would bring different
    /// cards to the same pile, so the order counts.
    pub fn position_key(&self) -> u128 {
        let bank = u64::from(self.left());
        let mut key = wide(mix(FIRST ^ bank), mix(SECOND ^ bank));
        for (place, pile) in (0u64..).zip(self.piles()) {
            // A sum does not depend on the order; in an exclusive or equal piles would cancel.
            key = key.wrapping_add(pile.key(if bank == 0 { ANYWHERE } else { place }));
        }
        key
    }
}

impl Pile {
    /// Returns the key of a pile: its cards in words of eight, each mixed into both halves. The number of cards is
    /// mixed in first, so the bytes behind the last card may be cut off.
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
