//! The position of an Aces Up, which moves change in place.
//!
//! A card is the number 16 * suit + strength - 2, with the ace strongest. So a set of cards is one word, and of two
//! cards of a suit the one with the larger number beats the other. Piles are linked from the top down. Each card of a
//! pile has a hash of the pile up to itself, so the key of a position is computed from its top cards, and taking cards
//! off needs no hashing.

use super::rules::Rules;
use crate::cards::Card;
use crate::rng::mix;

/// No card: what lies beneath a bottom card, and the top of a space.
pub(super) const NONE: u8 = 63;
/// A power of two that no number of piles exceeds, so that indices of piles need no bounds check.
pub(super) const TOPS: usize = 8;
/// An upper bound on the numbers of cards: the length of arrays indexed by them.
pub(super) const NUMBERS: usize = 64;
/// The thirteen cards of each suit.
pub(super) const ALL: u64 = 0x1FFF_1FFF_1FFF_1FFF;
/// The aces.
pub(super) const ACES: u64 = 0x1000_1000_1000_1000;

/// The prunings; tests switch each of them off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Prunings {
    /// Moves without an alternative are forced, or made along with the move before.
    pub(super) alone: bool,
    /// Piles that no deal reaches are interchangeable.
    pub(super) canonical: bool,
    /// With an empty stock, moves that cost no space are forced.
    pub(super) free_moves: bool,
    /// Single cards that may go anywhere are a set.
    pub(super) loose: bool,
    /// The last rows of the stock bound the score.
    pub(super) last_rows: bool,
    /// Optional discards are made at once or not before the next deal, and some are forced.
    pub(super) discards: bool,
}

impl Prunings {
    pub(super) const ALL: Prunings = Prunings {
        alone: true,
        canonical: true,
        free_moves: true,
        loose: true,
        last_rows: true,
        discards: true,
    };
}

/// A position: piles, stock, cell and discards.
#[derive(Clone, Debug)]
pub struct AcesUp {
    pub(super) rules: Rules,
    pub(super) prunings: Prunings,
    /// The stock when the search began, next card first.
    pub(super) stock: [u8; NUMBERS],
    pub(super) stock_len: u8,
    /// The place of each card in the stock, from 1; 0 for other cards.
    order: [u8; NUMBERS],
    pub(super) now: Now,
    /// The card beneath each card of a pile.
    pub(super) under: [u8; NUMBERS],
    /// The hash of the pile up to each of its cards; 0 for `NONE`.
    pub(super) hash: [u128; NUMBERS],
}

/// What most moves change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Now {
    /// `NONE` for spaces, and for piles that these rules do not have.
    pub(super) top: [u8; TOPS],
    /// The pile whose top card has this suit, or `NOWHERE`; maintained under forced discards only, where there is at
    /// most one.
    pub(super) holder: [u8; 4],
    pub(super) cell: u8,
    /// The number of cards of the stock that have been dealt.
    pub(super) dealt: u8,
    pub(super) gone: u64,
    /// Cards that could be discarded, but not before the next deal; only searches choose this.
    pub(super) kept: u64,
}

pub(super) const NOWHERE: u8 = 0xFF;

/// A move; piles are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    Discard { pile: u8 },
    ToSpace { source: u8, target: u8 },
    ToReserve { pile: u8 },
    FromReserve { target: u8 },
    Deal,
}

/// What `undo` needs besides the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undo {
    now: Now,
    /// The card that changed its place, what it lay on, and its hash.
    card: u8,
    under: u8,
    hash: u128,
}

#[inline]
pub(super) fn bit(card: u8) -> u64 {
    1 << card
}

/// Returns the number of a card.
pub(super) fn number_of(card: Card) -> u8 {
    (16 * card.suit() + (card.rank() + 11) % 13) as u8
}

pub(super) fn card_of(number: u8) -> Card {
    Card::new(number as usize / 16, (number as usize % 16 + 1) % 13 + 1)
}

pub(super) fn suit(card: u8) -> usize {
    card as usize >> 4 & 3
}

pub(super) fn is_ace(card: u8) -> bool {
    bit(card) & ACES != 0
}

/// Returns the hash of a pile with one more card.
#[inline]
const fn hash_onto(below: u128, card: u8) -> u128 {
    let (low, high) = (below as u64, (below >> 64) as u64);
    let step = (card as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let (low, high) = (mix(low ^ step), mix(high.wrapping_add(!step.rotate_left(29))));
    (high as u128) << 64 | low as u128
}

/// The hashes of piles of one card.
static SINGLES: [u128; NUMBERS] = {
    let mut hashes = [0; NUMBERS];
    let mut card = 0;
    while card < NUMBERS {
        hashes[card] = hash_onto(0, card as u8);
        card += 1;
    }
    hashes
};

impl AcesUp {
    /// Returns a position from cards by their numbers: piles from the bottom up, the stock with the next card first.
    pub(super) fn new(rules: Rules, piles: &[Vec<u8>], stock: &[u8], cell: u8) -> AcesUp {
        let now = Now { top: [NONE; TOPS], holder: [NOWHERE; 4], cell, dealt: 0, gone: 0, kept: 0 };
        let mut game = AcesUp {
            rules,
            prunings: Prunings::ALL,
            stock: [NONE; NUMBERS],
            stock_len: stock.len() as u8,
            order: [0; NUMBERS],
            now,
            under: [NONE; NUMBERS],
            hash: [0; NUMBERS],
        };
        game.stock[..stock.len()].copy_from_slice(stock);
        for (place, &card) in (1..).zip(stock) {
            game.order[card as usize] = place;
        }
        let mut in_play = stock.iter().fold(0, |set, &card| set | bit(card)) | bit(cell);
        for (pile, cards) in piles.iter().enumerate() {
            for &card in cards {
                in_play |= bit(card);
                game.push(pile, card);
                game.hash_card(card);
            }
        }
        game.now.gone = ALL & !in_play;
        for (pile, &top) in game.now.top.iter().enumerate().filter(|&(_, &top)| top != NONE) {
            game.now.holder[suit(top)] = pile as u8;
        }
        game
    }

    /// Returns the position with other prunings, for tests.
    #[cfg(test)]
    pub(super) fn with(mut self, prunings: Prunings) -> AcesUp {
        self.prunings = prunings;
        self
    }

    /// Lays a card onto a pile, and discards nothing. The caller must compute its hash.
    #[inline]
    fn push(&mut self, pile: usize, card: u8) {
        self.under[card as usize & 63] = self.now.top[pile & 7];
        self.now.top[pile & 7] = card;
    }

    /// Lays a card onto a space.
    #[inline]
    fn found(&mut self, pile: usize, card: u8) {
        self.under[card as usize & 63] = NONE;
        self.hash[card as usize & 63] = SINGLES[card as usize & 63];
        self.now.top[pile & 7] = card;
    }

    /// Computes the hash of a pile up to this card.
    #[inline]
    fn hash_card(&mut self, card: u8) {
        let below = self.under[card as usize & 63];
        self.hash[card as usize & 63] = hash_onto(self.hash[below as usize & 63], card);
    }

    /// Computes the hashes of the cards that lie on piles and were dealt after the first `dealt`.
    #[inline]
    pub(super) fn hash_dealt(&mut self, dealt: u8) {
        for pile in 0..self.rules.piles {
            // A pile gets at most thirteen cards while no pile is empty.
            let (mut fresh, mut count) = ([NONE; 16], 0);
            let mut card = self.now.top[pile & 7];
            while self.order[card as usize & 63] > dealt {
                fresh[count & 15] = card;
                count += 1;
                card = self.under[card as usize & 63];
            }
            for place in (0..count).rev() {
                self.hash_card(fresh[place & 15]);
            }
        }
    }

    /// Takes the top card off a pile.
    #[inline]
    fn pop(&mut self, pile: usize) -> u8 {
        let card = self.now.top[pile & 7];
        self.now.top[pile & 7] = self.under[card as usize & 63];
        card
    }

    /// Discards what the new top card of this pile beats, or what beats it, and so on, until each suit is on top at
    /// most once. The suits of the other piles must be in `holder`.
    #[inline]
    fn settle(&mut self, mut pile: usize) {
        loop {
            let card = self.now.top[pile & 7];
            if card == NONE {
                return;
            }
            let other = self.now.holder[suit(card)];
            if other == NOWHERE {
                self.now.holder[suit(card)] = pile as u8;
                return;
            }
            if self.now.top[other as usize & 7] < card {
                self.now.holder[suit(card)] = pile as u8;
                pile = other as usize;
            }
            self.now.gone |= bit(self.pop(pile));
        }
    }

    /// Takes the top card off a pile, and updates what depends on it.
    #[inline]
    fn lift(&mut self, pile: usize) -> u8 {
        let card = self.pop(pile);
        if !self.rules.optional_discards {
            self.now.holder[suit(card)] = NOWHERE;
        }
        card
    }

    pub(super) fn make(&mut self, m: Move) -> Undo {
        let undo = self.make_unhashed(m);
        self.hash_dealt(undo.now.dealt);
        undo
    }

    /// Makes a move; the caller must compute the hashes of the cards that it deals.
    #[inline]
    pub(super) fn make_unhashed(&mut self, m: Move) -> Undo {
        let now = self.now;
        let card = match m {
            Move::ToSpace { source: pile, .. } | Move::ToReserve { pile } | Move::Discard { pile } => {
                now.top[pile as usize]
            }
            Move::FromReserve { .. } => now.cell,
            // What the dealt cards lay on before does not matter.
            Move::Deal => NONE,
        };
        let undo =
            Undo { now, card, under: self.under[card as usize & 63], hash: self.hash[card as usize & 63] };
        let is_forced = !self.rules.optional_discards;
        match m {
            Move::Discard { pile } => {
                self.pop(pile as usize);
                self.now.gone |= bit(card);
            }
            Move::ToSpace { source, target } => {
                self.lift(source as usize);
                self.found(target as usize, card);
                if is_forced {
                    self.settle(target as usize);
                    self.settle(source as usize);
                }
            }
            Move::ToReserve { pile } => {
                self.lift(pile as usize);
                self.now.cell = card;
                if is_forced {
                    self.settle(pile as usize);
                }
            }
            Move::FromReserve { target } => {
                self.now.cell = NONE;
                self.found(target as usize, card);
                if is_forced {
                    self.settle(target as usize);
                }
            }
            Move::Deal => self.deal(),
        }
        undo
    }

    #[inline]
    pub(super) fn unmake(&mut self, undo: Undo) {
        self.now = undo.now;
        self.under[undo.card as usize & 63] = undo.under;
        self.hash[undo.card as usize & 63] = undo.hash;
    }

    /// Makes the next deal. The caller must compute the hashes of its cards.
    #[inline]
    pub(super) fn deal(&mut self) {
        self.now.kept = 0;
        let to_spaces = self.rules.deals_to_spaces && self.spaces() > 0;
        if to_spaces || self.left() < self.rules.piles {
            for pile in 0..self.rules.piles {
                if self.left() > 0 && (!to_spaces || self.now.top[pile & 7] == NONE) {
                    self.push(pile, self.stock[self.now.dealt as usize & 63]);
                    self.now.dealt += 1;
                }
            }
        } else {
            for pile in 0..self.rules.piles {
                self.push(pile, self.stock[(self.now.dealt as usize + pile) & 63]);
            }
            self.now.dealt += self.rules.piles as u8;
        }
        if !self.rules.optional_discards {
            self.now.holder = [NOWHERE; 4];
            for pile in 0..self.rules.piles {
                self.settle(pile);
            }
        }
    }

    /// Returns the number of empty piles.
    #[inline]
    pub(super) fn spaces(&self) -> usize {
        let none = self.now.top.iter().filter(|&&top| top == NONE).count();
        // Places beyond the last pile look empty too.
        none + self.rules.piles - TOPS
    }

    /// Returns true if a pile has two or more cards.
    #[inline]
    pub(super) fn is_long(&self, pile: usize) -> bool {
        let top = self.now.top[pile & 7];
        top != NONE && self.under[top as usize & 63] != NONE
    }

    /// Returns true if the top card of a pile is beaten by that of another.
    pub(super) fn is_beaten(&self, pile: usize) -> bool {
        let card = self.now.top[pile];
        let beats = |&top: &u8| top != NONE && suit(top) == suit(card) && top > card;
        card != NONE && self.now.top[..self.rules.piles].iter().any(beats)
    }

    /// Returns the number of cards left in the stock.
    pub(super) fn left(&self) -> usize {
        usize::from(self.stock_len - self.now.dealt)
    }

    /// Returns the stock, next card first.
    pub(super) fn stock(&self) -> &[u8] {
        &self.stock[self.now.dealt as usize..self.stock_len as usize]
    }

    /// Returns the cards of a pile, from its top down.
    pub(super) fn pile(&self, pile: usize) -> impl Iterator<Item = u8> {
        let mut next = self.now.top[pile];
        std::iter::from_fn(move || {
            let card = next;
            next = self.under[card as usize & 63];
            (card != NONE).then_some(card)
        })
    }
}
