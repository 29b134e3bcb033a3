//! A table made for mass play: forced discards happen as soon as cards are uncovered, and moves are not undone.
//!
//! A pile is its top card. A `Record` for each card holds the card under it, and the properties of the pile up to it.
//! So taking a card off a pile is one look-up, whatever the records contain.

use super::AcesUp;
use super::rules::{Destination, Rules};
use super::table;
use crate::cards::PACK;
use crate::rng::Decks;

/// No card: the top of a space, and what lies under the lowest card.
pub(super) const NONE: u8 = 0;
/// Codes from here on are aces.
const ACES: u8 = 4 * 14;

/// The codes of the whole deck in its order. A code is four times the rank (2 to ace 14) plus the suit: of two cards of
/// a suit the greater code is the higher card.
pub(super) const CODES: [u8; PACK] = {
    let mut codes = [0; PACK];
    let mut place = 0;
    while place < PACK {
        let rank = if place % 13 == 0 { 14 } else { place % 13 + 1 };
        codes[place] = (4 * rank + place / 13) as u8;
        place += 1;
    }
    codes
};

pub(super) fn rank_of(code: u8) -> u32 {
    u32::from(code >> 2)
}

pub(super) fn suit_of(code: u8) -> usize {
    usize::from(code & 3)
}

pub(super) fn is_ace(code: u8) -> bool {
    code >= ACES
}

/// The properties of a pile from the bottom up to a card, stored with the card.
pub(super) trait Record: Copy + Default {
    /// Returns the record of a card that is laid on another, or on no card.
    fn on(self, below: u8, card: u8) -> Self;
    /// Returns the card under it.
    fn under(self) -> u8;
    /// Returns the number of cards of the pile.
    fn len(self) -> u32;
    /// Returns the sum of their ranks.
    fn sum(self) -> u32;
}

/// The record that rule lists need, packed: the card under the top, the length, the sum of the ranks.
#[derive(Clone, Copy, Default)]
pub(super) struct Slim(u32);

impl Record for Slim {
    #[inline(always)]
    fn on(self, below: u8, card: u8) -> Slim {
        Slim(((self.0 & !0xFF) + (1 << 8) + (rank_of(card) << 16)) | u32::from(below))
    }

    #[inline(always)]
    fn under(self) -> u8 {
        self.0 as u8
    }

    #[inline(always)]
    fn len(self) -> u32 {
        self.0 >> 8 & 0xFF
    }

    #[inline(always)]
    fn sum(self) -> u32 {
        self.0 >> 16
    }
}

/// The start of a quick game.
#[derive(Clone)]
pub(super) struct Opening {
    /// From the bottom up; empty where nothing has been dealt.
    pub(super) piles: Vec<Vec<u8>>,
    pub(super) cell: u8,
    /// Next card first; only the first `left` of these.
    stock: [u8; PACK],
    left: usize,
}

impl Opening {
    /// Returns the first deck of a stream.
    pub(super) fn dealt(decks: &mut Decks) -> Opening {
        let mut stock = CODES;
        decks.shuffle(&mut stock);
        Opening { piles: Vec::new(), cell: NONE, stock, left: PACK }
    }

    /// Returns the opening of a position.
    pub(super) fn of(game: &AcesUp) -> Opening {
        let mut piles: Vec<Vec<u8>> =
            (0..game.rules.piles).map(|pile| game.pile(pile).map(from_number).collect()).collect();
        piles.iter_mut().for_each(|pile| pile.reverse());
        let mut stock = CODES;
        stock.iter_mut().zip(game.stock()).for_each(|(place, &card)| *place = from_number(card));
        Opening { piles, cell: from_number(game.now.cell), stock, left: game.left() }
    }

    /// Returns the stock, next card first.
    pub(super) fn stock(&self) -> &[u8] {
        &self.stock[..self.left]
    }

    /// Returns the stock in the order of the deck, which reveals nothing about its own order.
    pub(super) fn unseen(&self) -> Vec<u8> {
        let mut cards = self.stock().to_vec();
        // An ace comes before the two of its suit.
        cards.sort_unstable_by_key(|&card| (suit_of(card), (rank_of(card) - 1) % 13));
        cards
    }

    /// Returns the score of a game from here, with this number of cards left on the table and in the stock.
    pub(super) fn score(&self, on_table: u32, left: usize) -> i32 {
        PACK as i32 - on_table as i32 - left as i32 - i32::from(self.cell != NONE)
    }
}

/// Returns the code of a card with this number on the exact side.
fn from_number(number: u8) -> u8 {
    if number == table::NONE { NONE } else { 4 * ((number & 15) + 2) + (number >> 4) }
}

impl AcesUp {
    /// Returns the same position with its stock in another order, given by codes.
    pub(super) fn with_stock(&self, stock: &[u8]) -> AcesUp {
        let mut game = self.clone();
        let places = &mut game.stock[usize::from(game.now.dealt)..];
        places.iter_mut().zip(stock).for_each(|(place, &card)| *place = 16 * (card & 3) + (card >> 2) - 2);
        game
    }
}

/// The table, with `P` piles. The stock is kept outside: `next` of its cards have been dealt.
#[derive(Clone, Copy)]
pub(super) struct Table<R, const P: usize> {
    records: [R; 64],
    /// A byte for each pile: its top.
    tops: u64,
    pub(super) next: usize,
}

/// What a move of one card changes.
pub(super) struct Mark<R> {
    card: u8,
    record: R,
    tops: u64,
}

/// Returns the bit at which the byte of a pile begins.
fn bit_of(pile: usize) -> u32 {
    8 * pile as u32
}

/// 1 in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

impl<R: Record, const P: usize> Table<R, P> {
    /// The bytes of all piles.
    const PILES: u64 = (1 << (8 * P)) - 1;

    /// Returns the table before the first deal.
    fn bare() -> Table<R, P> {
        Table { records: [R::default(); 64], tops: 0, next: 0 }
    }

    /// Returns the opening table before any discard. The next action must be a deal.
    pub(super) fn stacked(opening: &Opening) -> Table<R, P> {
        let mut table = Table::bare();
        for (pile, cards) in opening.piles.iter().enumerate() {
            for &card in cards {
                table.put(pile, card);
            }
        }
        table
    }

    /// Returns the opening table after its discards.
    pub(super) fn laid(opening: &Opening) -> Table<R, P> {
        let mut table = Table::stacked(opening);
        table.settle();
        table
    }

    #[inline(always)]
    pub(super) fn top(&self, pile: usize) -> u8 {
        (self.tops >> bit_of(pile)) as u8
    }

    #[inline(always)]
    pub(super) fn record(&self, card: u8) -> R {
        self.records[usize::from(card & 63)]
    }

    /// Returns the number of cards on the table.
    pub(super) fn len(&self) -> u32 {
        (0..P).map(|pile| self.record(self.top(pile)).len()).sum()
    }

    #[inline(always)]
    fn put(&mut self, pile: usize, card: u8) {
        let below = self.top(pile);
        self.records[usize::from(card & 63)] = self.record(below).on(below, card);
        self.tops ^= u64::from(below ^ card) << bit_of(pile);
    }

    /// Rotates the bytes of the piles by `turn` piles.
    #[inline(always)]
    fn turned(bytes: u64, turn: usize) -> u64 {
        if P == 4 {
            u64::from((bytes as u32).rotate_left(bit_of(turn)))
        } else {
            (bytes << bit_of(turn) | bytes >> bit_of(P - turn)) & Self::PILES
        }
    }

    /// Discards beaten cards until every suit is on top at most once. All piles are processed together: one card after
    /// the other would take fewer steps, but with branches that the processor cannot predict.
    #[inline(always)]
    fn settle(&mut self) {
        loop {
            let tops = self.tops;
            let mut beaten = 0;
            // Each top beside that of the next pile, then of the one after it: these are all pairs.
            for turn in 1..=P / 2 {
                // Bytes are below 64, so that none carries over into the next.
                let others = Self::turned(tops, turn);
                let higher = (others + 63 * ONES - tops) >> 6;
                let of_another_suit = (((tops ^ others) & (3 * ONES)) + 3 * ONES) >> 2;
                beaten |= higher & !of_another_suit;
                beaten |= Self::turned(!(higher | of_another_suit) & ONES & Self::PILES, P - turn);
            }
            // A space has no card to lose.
            beaten &= (tops + 63 * ONES) >> 6 & ONES;
            if beaten == 0 {
                return;
            }
            let mut under = 0;
            for pile in 0..P {
                under |= u64::from(self.record(self.top(pile)).under()) << bit_of(pile);
            }
            self.tops = tops ^ ((tops ^ under) & (beaten * 0xFF));
        }
    }

    /// Returns the spaces: the highest bit of the byte of each.
    #[inline(always)]
    fn spaces(&self) -> u64 {
        // Subtracted from 128, a byte that is not 0 loses its highest bit.
        (128 * ONES - self.tops) & (128 * ONES) & Self::PILES
    }

    /// Returns the number of spaces.
    pub(super) fn count_spaces(&self) -> u32 {
        self.spaces().count_ones()
    }

    /// Returns the space to which cards go; where any will do, the first.
    #[inline(always)]
    pub(super) fn space(&self, rules: &Rules) -> Option<usize> {
        let spaces = self.spaces();
        if spaces == 0 {
            return None;
        }
        Some(if rules.destination == Destination::Last {
            7 - spaces.leading_zeros() as usize / 8
        } else {
            spaces.trailing_zeros() as usize / 8
        })
    }

    /// Returns the number of cards of the next deal, when `left` cards are in the stock.
    pub(super) fn next_deal(&self, rules: &Rules, left: usize) -> usize {
        let spaces = self.count_spaces() as usize;
        left.min(if rules.deals_to_spaces && spaces > 0 { spaces } else { P })
    }

    /// Deals, and discards.
    #[inline(always)]
    pub(super) fn deal(&mut self, rules: &Rules, stock: &[u8]) {
        let left = &stock[self.next..];
        let to_spaces = rules.deals_to_spaces && self.spaces() != 0;
        match left.first_chunk::<P>() {
            Some(row) if !to_spaces => {
                let mut tops = 0;
                for (pile, &card) in row.iter().enumerate() {
                    let below = self.top(pile);
                    self.records[usize::from(card & 63)] = self.record(below).on(below, card);
                    tops |= u64::from(card) << bit_of(pile);
                }
                self.tops = tops;
                self.next += P;
            }
            _ => {
                let mut left = left.iter();
                for pile in 0..P {
                    if !to_spaces || self.top(pile) == NONE {
                        let Some(&card) = left.next() else { break };
                        self.put(pile, card);
                        self.next += 1;
                    }
                }
            }
        }
        self.settle();
    }

    /// Takes the top card of a pile away, and discards.
    pub(super) fn take(&mut self, pile: usize) -> u8 {
        let card = self.top(pile);
        self.lift(pile, card);
        self.settle();
        card
    }

    /// Puts a card into a space, and discards.
    pub(super) fn bring(&mut self, card: u8, space: usize) {
        self.put(space, card);
        self.settle();
    }

    /// Moves the top card of a pile to a space, and discards.
    #[inline(always)]
    pub(super) fn shift(&mut self, source: usize, space: usize) {
        let card = self.top(source);
        self.lift(source, card);
        self.put(space, card);
        self.settle();
    }

    #[inline(always)]
    fn lift(&mut self, pile: usize, card: u8) {
        self.tops ^= u64::from(card ^ self.record(card).under()) << bit_of(pile);
    }

    /// Returns all that moving this card will change.
    #[inline(always)]
    pub(super) fn mark(&self, card: u8) -> Mark<R> {
        Mark { card, record: self.record(card), tops: self.tops }
    }

    /// Takes back the one move since the mark was made.
    #[inline(always)]
    pub(super) fn restore(&mut self, mark: Mark<R>) {
        self.records[usize::from(mark.card & 63)] = mark.record;
        self.tops = mark.tops;
    }
}
