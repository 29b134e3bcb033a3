//! The keys of positions: a random word for each link of a card and the card under it, combined by exclusive or. So
//! moving a unit of any length changes a key by two words.

use super::rules::MOST_PILES;
use super::table::{Agnes, NONE, NUMBERS, bit};
use crate::rng::mix;

/// The columns for what a bottom card lies on: from here on the place of its own pile, or `COMMON`, the place shared by
/// all piles that no deal will reach.
pub(super) const PLACES: usize = NUMBERS;
pub(super) const COMMON: usize = PLACES + MOST_PILES;
/// The column that marks the highest face-down card of a pile.
pub(super) const DOWN: usize = COMMON + 1;
/// The column for "either card of a height and colour", under a card that can move back and forth between them; see
/// `shuttles`.
pub(super) const EITHER: usize = DOWN + 1;
/// The column for the number of cards left in the stock.
pub(super) const STOCK: usize = EITHER + 1;

/// A random word for each link of a card and what it lies on, and for the marks.
pub(super) static LINKS: [[u128; STOCK + 1]; NUMBERS] = {
    let mut links = [[0; STOCK + 1]; NUMBERS];
    let mut state: u64 = 0;
    let mut card = 0;
    while card < NUMBERS {
        let mut below = 0;
        while below <= STOCK {
            let high = mix(state.wrapping_add(0x9E37_79B9_7F4A_7C15));
            state = state.wrapping_add(0x3C6E_F372_FE94_F82A);
            links[card][below] = (high as u128) << 64 | mix(state) as u128;
            below += 1;
        }
        card += 1;
    }
    links
};

impl Agnes {
    /// Returns what a card lies on, as a column of `LINKS`.
    ///
    /// Piles that no deal will reach are interchangeable: a move in one position is a move in the other, with the
    /// places exchanged, and it leads to positions that differ in the same way. So they share one place, and positions
    /// that differ only in their order have one key.
    pub(super) fn place(&self, pile: usize, below: u8) -> usize {
        if below != NONE {
            below as usize
        } else if pile < self.served() || !self.prunings.canonical {
            PLACES + pile
        } else {
            COMMON
        }
    }

    pub(super) fn key_from_scratch(&self) -> u128 {
        let mut key = LINKS[self.left()][STOCK];
        for pile in 0..self.rules.piles {
            let mut above_down = true;
            for card in self.pile(pile) {
                key ^= LINKS[card as usize][self.place(pile, self.under[card as usize])];
                if above_down && self.face_down & bit(card) != 0 {
                    above_down = false;
                    key ^= LINKS[card as usize][DOWN];
                }
            }
        }
        key
    }

    /// Returns the change of the key when the card or unit with this head leaves its pile.
    #[inline]
    pub(super) fn key_of_leaving(&self, pile: usize, head: u8) -> u128 {
        let below = self.under[head as usize & 63];
        let mut key = LINKS[head as usize & 63][self.place(pile, below)];
        if self.face_down & bit(below) != 0 {
            key ^= LINKS[below as usize & 63][DOWN];
            let next = self.under[below as usize & 63];
            if next != NONE {
                key ^= LINKS[next as usize & 63][DOWN];
            }
        }
        key
    }
}
