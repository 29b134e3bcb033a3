//! The position of an Agnes Sorel, which moves change in place.
//!
//! A card is the number 16 * suit + height, with the suits in the order C D S H. So a set of cards is one word, "one
//! higher" is a shift by one, "the partner suit" a rotation by 32, and the next cards of all foundations one addition.
//! Piles are linked from the top down: a unit of any length moves by changing what its head lies on. The set of links
//! "this card lies on that one" identifies the piles in any order.

use super::rules::{LOWS, MOST_PILES, Masks, Rules, partner};
use crate::cards::Card;

/// No card: what lies beneath a bottom card, and the top of an empty pile.
pub(super) const NONE: u8 = 63;
/// An upper bound on the numbers of cards: the length of arrays indexed by them.
pub(super) const NUMBERS: usize = 64;

/// The prunings; tests switch each of them off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Prunings {
    pub(super) relax: bool,
    pub(super) forced: bool,
    pub(super) join: bool,
    /// An extension of `forced` and `join`.
    pub(super) twins: bool,
    pub(super) canonical: bool,
    pub(super) shuttles: bool,
    /// Try only one order of a deal and moves that are independent of it.
    pub(super) commute: bool,
    /// Play the last deal at once, where all its cards go up.
    pub(super) early: bool,
    /// Not a pruning: the order in which moves are tried.
    pub(super) order: bool,
}

impl Prunings {
    pub(super) const ALL: Prunings = Prunings {
        relax: true,
        forced: true,
        join: true,
        twins: true,
        canonical: true,
        shuttles: true,
        commute: true,
        early: true,
        order: true,
    };
}

/// A position: piles, stock and foundations.
#[derive(Clone, Debug)]
pub struct Agnes {
    pub(super) rules: Rules,
    pub(super) masks: Masks,
    pub(super) prunings: Prunings,
    /// The rank of the low cards, from 1.
    pub(super) base: u8,
    /// The stock when the search began, next card first.
    pub(super) stock: [u8; NUMBERS],
    pub(super) stock_len: u8,

    /// The number of cards of it that have been dealt.
    pub(super) dealt: u8,
    /// The card beneath each card of a pile.
    pub(super) under: [u8; NUMBERS],
    /// The pile of each top card.
    pub(super) at: [u8; NUMBERS],
    pub(super) top: [u8; MOST_PILES],
    /// The top cards.
    pub(super) tops: u64,
    /// The bottom cards of piles.
    pub(super) bottoms: u64,
    /// Cards that lie on the next card of their suit, face up.
    pub(super) in_suit: u64,
    /// Cards that lie on a face-up card on which they may be packed.
    pub(super) packed: u64,
    /// Cards that lengthen the run of the face-up card beneath them.
    pub(super) linked: u64,
    pub(super) face_down: u64,
    pub(super) in_stock: u64,
    /// Cards on the foundations.
    pub(super) up: u64,
    pub(super) key: u128,
    /// The sequence that must follow the last move.
    pub(super) pending: Option<Next>,
    /// The piles that have changed since a search last expanded a position; all piles before the first.
    pub(super) touched: u16,
}

/// A move; piles are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    ToFoundation {
        pile: u8,
        card: u8,
    },
    ToPile {
        source: u8,
        target: u8,
        count: u8,
        /// The highest card of the unit.
        head: u8,
    },
    Deal,
    /// A unit goes to the other card that may bear it, and then `next` follows. Only searches try this move; the lines
    /// that they return have the plain moves.
    Shift {
        source: u8,
        target: u8,
        count: u8,
        head: u8,
        next: Next,
    },
}

/// What follows a shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    ToFoundation {
        pile: u8,
        card: u8,
    },
    ToPile {
        source: u8,
        target: u8,
        count: u8,
        head: u8,
    },
    /// Other shifts, as a set of indices into the list of shuttles, and then a deal.
    Deal {
        shifts: u16,
    },
}

/// What `undo` needs besides the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undo {
    pub(super) key: u128,
    /// What the card or unit lay on; after a deal the number of cards dealt.
    pub(super) under: u8,
    /// True if the move turned a card up.
    pub(super) turned: bool,
    pub(super) pending: Option<Next>,
    pub(super) touched: u16,
}

pub(super) fn bit(card: u8) -> u64 {
    1 << card
}

/// Returns the numbers in a set, lowest first.
pub(super) fn each(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let number = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (number < 64).then_some(number)
    })
}

/// Converts suits of `Card` to the order of the numbers, and back: the last two are exchanged.
const SUITS: [usize; 4] = [0, 1, 3, 2];

impl Agnes {
    /// Returns the number of a card.
    pub(super) fn number_of(rules: &Rules, base: u8, card: Card) -> u8 {
        let height = (card.rank() + rules.ranks - base as usize) % rules.ranks;
        (16 * SUITS[card.suit()] + height) as u8
    }

    pub(super) fn card_of(&self, number: u8) -> Card {
        let rank = (number as usize % 16 + self.base as usize - 1) % self.rules.ranks + 1;
        Card::new(SUITS[number as usize / 16], rank)
    }

    /// Returns a position, from cards by their numbers: piles from the bottom up with the number of their face-down
    /// cards, the stock with the next card first, and the foundations.
    pub(super) fn new(rules: Rules, base: u8, piles: &[(Vec<u8>, usize)], stock: &[u8], up: u64) -> Agnes {
        let mut game = Agnes {
            rules,
            masks: rules.masks(),
            prunings: Prunings::ALL,
            base,
            stock: [NONE; NUMBERS],
            stock_len: stock.len() as u8,
            dealt: 0,
            under: [NONE; NUMBERS],
            at: [0; NUMBERS],
            top: [NONE; MOST_PILES],
            tops: 0,
            bottoms: 0,
            in_suit: 0,
            packed: 0,
            linked: 0,
            face_down: 0,
            in_stock: 0,
            up,
            key: 0,
            pending: None,
            touched: !0,
        };
        game.stock[..stock.len()].copy_from_slice(stock);
        game.in_stock = stock.iter().fold(0, |set, &card| set | bit(card));
        for (pile, (cards, down)) in piles.iter().enumerate() {
            for (place, &card) in cards.iter().enumerate() {
                let below = game.top[pile];
                game.under[card as usize] = below;
                game.top[pile] = card;
                game.at[card as usize] = pile as u8;
                if place < *down {
                    game.face_down |= bit(card);
                }
                game.link(card, below);
            }
        }
        let piles = game.top[..rules.piles].iter();
        game.tops = piles.fold(0, |set, &card| set | bit(card)) & game.masks.all;
        game.key = game.key_from_scratch();
        game
    }

    /// Returns the first deal of a deck, given in the order in which it is dealt.
    pub(super) fn dealt(rules: Rules, deck: &[Card]) -> Agnes {
        let base = deck[0].rank() as u8;
        let numbers: Vec<u8> = deck.iter().map(|&card| Agnes::number_of(&rules, base, card)).collect();
        let mut piles = vec![(Vec::new(), 0); rules.piles];
        let mut cards = numbers[1..].iter();
        for row in 0..rules.piles {
            for (pile, &card) in piles[row..].iter_mut().zip(cards.by_ref()) {
                pile.0.push(card);
            }
        }
        if !rules.face_up {
            for (cards, down) in &mut piles {
                *down = cards.len() - 1;
            }
        }
        Agnes::new(rules, base, &piles, cards.as_slice(), bit(numbers[0]))
    }

    /// Returns the position with other prunings, for tests.
    #[cfg(test)]
    pub(super) fn with(mut self, prunings: Prunings) -> Agnes {
        self.prunings = prunings;
        self.key = self.key_from_scratch();
        self
    }

    /// Records whether a card is packed on the card beneath it, and whether it lengthens its run.
    #[inline]
    pub(super) fn link(&mut self, card: u8, below: u8) {
        let host = bit(below) & !self.face_down & self.masks.all;
        let in_suit = host >> 1 & bit(card);
        let packed = in_suit | partner(host) >> 1 & bit(card);
        self.bottoms = self.bottoms & !bit(card) | (bit(below) >> NONE) << card;
        self.in_suit = self.in_suit & !bit(card) | in_suit;
        self.packed = self.packed & !bit(card) | packed;
        self.linked = self.linked & !bit(card) | in_suit | packed & self.masks.partners;
    }

    /// Removes the record of what a card lay on.
    #[inline]
    pub(super) fn unlink(&mut self, card: u8) {
        self.bottoms &= !bit(card);
        self.in_suit &= !bit(card);
        self.packed &= !bit(card);
        self.linked &= !bit(card);
    }

    /// Returns the number of cards left in the stock.
    pub(super) fn left(&self) -> usize {
        usize::from(self.stock_len - self.dealt)
    }

    /// Returns the stock, next card first.
    pub(super) fn stock(&self) -> &[u8] {
        &self.stock[self.dealt as usize..self.stock_len as usize]
    }

    /// Returns how many piles the next deal serves, counted from the first. No deal reaches the others: only the last
    /// deal serves fewer than all piles.
    pub(super) fn served(&self) -> usize {
        self.left().min(self.rules.piles)
    }

    /// Returns the cards that the foundations take next. Each foundation is a run of ones from the lowest bit of its
    /// sixteen, so adding one leaves the bit above it, and never carries further.
    pub(super) fn wanted(&self) -> u64 {
        (self.up + LOWS) & self.masks.all
    }

    /// Returns the cards of a pile, from its top down.
    pub(super) fn pile(&self, pile: usize) -> impl Iterator<Item = u8> {
        let mut next = self.top[pile];
        std::iter::from_fn(move || {
            let card = next;
            next = self.under[card as usize & 63];
            (card != NONE).then_some(card)
        })
    }
}
