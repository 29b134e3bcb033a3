//! The keys of positions.

use super::rules::{Destination, Fill, MOST_PILES};
use super::table::{AcesUp, NONE};
use crate::rng::mix;

/// The rotation of the hash of each pile, and (`COMMON`) of piles whose places do not matter. When two hashes exchange
/// different rotations, the key stays the same for at most 16 of their 2^128 possible differences.
const TURNS: [u32; MOST_PILES] = [0, 17, 34, 51, 68];
const COMMON: u32 = 85;

/// Odd constants without a pattern.
const DEALT: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
const CELL: u128 = 0xD1B5_4A32_D192_ED03_AEF1_7502_BFE1_F7B1;

impl AcesUp {
    /// Returns true if single cards may go to any place, so that all their orders can be reached.
    ///
    /// With a space and n - 1 other places that hold single cards or nothing, each card may go to the space, and such
    /// steps give all orders. With n = 2 the card is here or there; else two steps put a card right, and one moves the
    /// space anywhere. They discard nothing: the top cards stay the same.
    #[inline]
    pub(super) fn is_loose(&self) -> bool {
        let rules = &self.rules;
        rules.singletons
            && self.prunings.loose
            && rules.destination == Destination::Any
            && rules.fill != Fill::AcesOnly
            && self.left() > 0
            && self.spaces() > 0
    }

    /// Returns how many piles deals can reach, counted from the first. The others are interchangeable: a move in one
    /// position is a move in the other with the places exchanged. Where rules determine the space, it is the same one
    /// of the first piles in both, or one of the others in both.
    #[inline]
    fn served(&self) -> usize {
        let (left, piles) = (self.left(), self.rules.piles);
        let is_reached = left >= piles || left > 0 && self.rules.deals_to_spaces;
        if is_reached || !self.prunings.canonical { piles } else { left }
    }

    /// Returns a key of the piles (in order where the order matters), the cell, and the size of the stock. The discards
    /// follow from these. Where single cards are loose, their places do not matter.
    #[inline]
    pub(super) fn position_key(&self, is_loose: bool) -> u128 {
        let served = self.served();
        let mut key = DEALT.wrapping_mul(u128::from(self.now.dealt) + 1);
        if self.rules.reserve {
            key ^= CELL.wrapping_mul(u128::from(self.now.cell) + 1);
        }
        if self.now.kept != 0 {
            key ^= CELL.wrapping_mul(u128::from(mix(self.now.kept)) << 7 | 1);
        }
        for (pile, &turn) in TURNS.iter().enumerate().take(self.rules.piles) {
            let top = self.now.top[pile];
            if top != NONE {
                let is_common = pile >= served || is_loose && !self.is_long(pile);
                let turn = if is_common { COMMON } else { turn };
                key ^= self.hash[top as usize & 63].rotate_left(turn);
            }
        }
        key
    }
}
