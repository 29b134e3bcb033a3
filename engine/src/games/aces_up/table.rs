//! The position of an Aces Up, which moves change in place.
//!
//! A card is known by the number 16 * suit + strength - 2, with the ace strongest, so that a set of
//! cards is one word, and of two cards of a suit the one with the larger number beats the other. Piles
//! are linked from the top down. Each card of a pile holds a hash of the pile up to itself, so the key of a
//! position is put together from its top cards, and taking cards off needs no hashing.

use super::rules::{MOST_PILES, Rules};
use crate::cards::Card;
use crate::rng::mix;

/// No card: what lies beneath a bottom card, and the top of a space.
pub(super) const NONE: u8 = 63;
/// Cards are numbered below this.
pub(super) const NUMBERS: usize = 64;
/// The thirteen cards of each suit.
pub(super) const ALL: u64 = 0x1FFF_1FFF_1FFF_1FFF;
/// The aces.
pub(super) const ACES: u64 = 0x1000_1000_1000_1000;

/// The prunings; tests switch them one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Prunings {
    /// A move that has no alternative is forced.
    pub(super) alone: bool,
    /// Piles that no deal reaches are interchangeable.
    pub(super) canonical: bool,
    /// With an empty stock, moves that cost no space are forced.
    pub(super) free_moves: bool,
    /// Single cards that may go anywhere are a set.
    pub(super) loose: bool,
    /// Not a pruning: the order in which moves are tried.
    pub(super) order: bool,
}

impl Prunings {
    pub(super) const ALL: Prunings =
        Prunings { alone: true, canonical: true, free_moves: true, loose: true, order: true };
}

/// A position: piles, stock, cell and discards.
#[derive(Clone, Debug)]
pub struct AcesUp {
    pub(super) rules: Rules,
    pub(super) prunings: Prunings,
    /// What was in the stock when the search began, next card first.
    pub(super) stock: [u8; NUMBERS],
    pub(super) stock_len: u8,
    pub(super) now: Now,
    /// The card beneath each card of a pile.
    pub(super) under: [u8; NUMBERS],
    /// The hash of the pile up to each of its cards.
    pub(super) hash: [u128; NUMBERS],
}

/// What most moves change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Now {
    pub(super) top: [u8; MOST_PILES],
    /// The pile whose top card has this suit, or `NOWHERE`; kept under forced discards only, where there is
    /// at most one.
    pub(super) holder: [u8; 4],
    pub(super) cell: u8,
    /// How many cards of the stock have been dealt.
    pub(super) dealt: u8,
    pub(super) gone: u64,
    /// What has to follow the move that was made last.
    pub(super) plan: Option<Plan>,
}

pub(super) const NOWHERE: u8 = 0xFF;

/// Piles are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    Discard {
        pile: u8,
    },
    ToSpace {
        source: u8,
        target: u8,
    },
    ToReserve {
        pile: u8,
    },
    FromReserve {
        target: u8,
    },
    Deal,
    /// A single card goes to a space, and then the plan follows. Only searches try it, and the lines that they
    /// find have the plain moves.
    Arrange {
        source: u8,
        target: u8,
        plan: Plan,
    },
}

impl Move {
    /// The move as the rules know it.
    pub(super) fn plain(self) -> Move {
        match self {
            Move::Arrange { source, target, .. } => Move::ToSpace { source, target },
            plain => plain,
        }
    }
}

/// Where single cards are to lie, and what is done then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The card that each pile is to have, six bits a pile: `NONE` for a space, `LONG` for a pile that stays.
    pub(super) wanted: u32,
    pub(super) next: Next,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    Deal,
    /// The top card of this pile goes to the only space.
    ToSpace {
        source: u8,
    },
    FromReserve,
}

/// What `undo` needs beside the move.
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

/// The number of a card.
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

/// The hash of a pile with one more card.
#[inline]
pub(super) fn hash_onto(below: u128, card: u8) -> u128 {
    let (low, high) = (below as u64, (below >> 64) as u64);
    let step = (u64::from(card) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let (low, high) = (mix(low ^ step), mix(high.wrapping_add(!step.rotate_left(29))));
    u128::from(high) << 64 | u128::from(low)
}

impl AcesUp {
    /// A position from cards by their numbers: piles from the bottom up, the stock with the next card
    /// first.
    pub(super) fn new(rules: Rules, piles: &[Vec<u8>], stock: &[u8], cell: u8) -> AcesUp {
        let now = Now { top: [NONE; MOST_PILES], holder: [NOWHERE; 4], cell, dealt: 0, gone: 0, plan: None };
        let mut game = AcesUp {
            rules,
            prunings: Prunings::ALL,
            stock: [NONE; NUMBERS],
            stock_len: stock.len() as u8,
            now,
            under: [NONE; NUMBERS],
            hash: [0; NUMBERS],
        };
        game.stock[..stock.len()].copy_from_slice(stock);
        let mut in_play = stock.iter().fold(0, |set, &card| set | bit(card)) | bit(cell);
        for (pile, cards) in piles.iter().enumerate() {
            for &card in cards {
                in_play |= bit(card);
                game.push(pile, card);
            }
        }
        game.now.gone = ALL & !in_play;
        for (pile, &top) in game.now.top.iter().enumerate().filter(|&(_, &top)| top != NONE) {
            game.now.holder[suit(top)] = pile as u8;
        }
        game
    }

    /// With other prunings, for tests.
    #[cfg(test)]
    pub(super) fn with(mut self, prunings: Prunings) -> AcesUp {
        self.prunings = prunings;
        self
    }

    /// Lays a card onto a pile, and discards nothing.
    #[inline]
    pub(super) fn push(&mut self, pile: usize, card: u8) {
        let below = self.now.top[pile];
        self.under[card as usize & 63] = below;
        let hash = if below == NONE { 0 } else { self.hash[below as usize & 63] };
        self.hash[card as usize & 63] = hash_onto(hash, card);
        self.now.top[pile] = card;
    }

    /// Takes the top card off a pile.
    #[inline]
    fn pop(&mut self, pile: usize) -> u8 {
        let card = self.now.top[pile];
        self.now.top[pile] = self.under[card as usize & 63];
        card
    }

    /// Discards what the new top card of this pile beats, or what beats it, and so on, until each suit is
    /// on top at most once. Other piles than this one have their suits noted.
    #[inline]
    fn settle(&mut self, mut pile: usize) {
        loop {
            let card = self.now.top[pile];
            if card == NONE {
                return;
            }
            let other = self.now.holder[suit(card)];
            if other == NOWHERE {
                self.now.holder[suit(card)] = pile as u8;
                return;
            }
            if self.now.top[other as usize] < card {
                self.now.holder[suit(card)] = pile as u8;
                pile = other as usize;
            }
            self.now.gone |= bit(self.now.top[pile]);
            self.pop(pile);
        }
    }

    /// The top card of a pile leaves it.
    #[inline]
    fn lift(&mut self, pile: usize) -> u8 {
        let card = self.pop(pile);
        if !self.rules.optional_discards {
            self.now.holder[suit(card)] = NOWHERE;
        }
        card
    }

    #[inline]
    pub(super) fn make(&mut self, m: Move) -> Undo {
        let now = self.now;
        let card = match m {
            Move::ToSpace { source: pile, .. }
            | Move::Arrange { source: pile, .. }
            | Move::ToReserve { pile }
            | Move::Discard { pile } => now.top[pile as usize],
            Move::FromReserve { .. } => now.cell,
            // What the dealt cards lay on before is of no account.
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
            Move::Arrange { source, target, plan } => {
                self.now.plan = Some(plan);
                self.lift(source as usize);
                self.push(target as usize, card);
                if is_forced {
                    self.now.holder[suit(card)] = target;
                }
            }
            Move::ToSpace { source, target } => {
                if self.is_long(source as usize) {
                    self.now.plan = None;
                }
                self.lift(source as usize);
                self.push(target as usize, card);
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
                self.now.plan = None;
                self.now.cell = NONE;
                self.push(target as usize, card);
                if is_forced {
                    self.settle(target as usize);
                }
            }
            Move::Deal => {
                self.now.plan = None;
                self.deal();
            }
        }
        undo
    }

    #[inline]
    pub(super) fn unmake(&mut self, undo: Undo) {
        self.now = undo.now;
        self.under[undo.card as usize & 63] = undo.under;
        self.hash[undo.card as usize & 63] = undo.hash;
    }

    fn deal(&mut self) {
        let to_spaces = self.rules.deals_to_spaces && self.spaces() > 0;
        for pile in 0..self.rules.piles {
            if self.now.dealt < self.stock_len && (!to_spaces || self.now.top[pile] == NONE) {
                let card = self.stock[self.now.dealt as usize];
                self.now.dealt += 1;
                self.push(pile, card);
            }
        }
        if !self.rules.optional_discards {
            self.now.holder = [NOWHERE; 4];
            for pile in 0..self.rules.piles {
                self.settle(pile);
            }
        }
    }

    /// Empty piles.
    pub(super) fn spaces(&self) -> usize {
        self.now.top[..self.rules.piles].iter().filter(|&&top| top == NONE).count()
    }

    /// Whether a pile has two or more cards.
    #[inline]
    pub(super) fn is_long(&self, pile: usize) -> bool {
        let top = self.now.top[pile];
        top != NONE && self.under[top as usize & 63] != NONE
    }

    /// Whether the top card of a pile is beaten by that of another.
    pub(super) fn is_beaten(&self, pile: usize) -> bool {
        let card = self.now.top[pile];
        let beats = |&top: &u8| top != NONE && suit(top) == suit(card) && top > card;
        card != NONE && self.now.top[..self.rules.piles].iter().any(beats)
    }

    /// Cards that are left in the stock.
    pub(super) fn left(&self) -> usize {
        usize::from(self.stock_len - self.now.dealt)
    }

    /// The stock, next card first.
    pub(super) fn stock(&self) -> &[u8] {
        &self.stock[self.now.dealt as usize..self.stock_len as usize]
    }

    /// The cards of a pile, from its top down.
    pub(super) fn pile(&self, pile: usize) -> impl Iterator<Item = u8> {
        let mut next = self.now.top[pile];
        std::iter::from_fn(move || {
            let card = next;
            next = self.under[card as usize & 63];
            (card != NONE).then_some(card)
        })
    }
}
