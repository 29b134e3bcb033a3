//! The position of a Spider, which moves change in place.
//!
//! A card is the number 16 * suit + rank, with ranks from 1 and the suits in the order S H D C, so that "the next
//! higher card of the suit" is the number plus one. Copies of a card have the same number: they are interchangeable.

use super::rules::Rules;
use crate::cards::Card;

/// The size of the largest deck.
pub const MOST_CARDS: usize = 104;
pub const MOST_PILES: usize = 10;
/// The greatest number of runs: of two cards each, in the largest deck.
pub(super) const MOST_RUNS: usize = MOST_CARDS / 2;
/// No card: the last one of an empty pile.
pub const NONE: u8 = 0;

/// Returns the number of a card.
pub const fn number(suit: u8, rank: u8) -> u8 {
    16 * suit + rank
}

pub const fn rank(card: u8) -> u8 {
    card & 15
}

/// Returns the suit, 0..4: spades, hearts, diamonds, clubs.
pub const fn suit(card: u8) -> u8 {
    card >> 4
}

/// Returns the card of a number. `Card` has the suits in the opposite order.
pub fn card_of(card: u8) -> Card {
    Card::new(3 - usize::from(suit(card)), rank(card).into())
}

/// Returns the number of a card.
pub fn number_of(card: Card) -> u8 {
    number(3 - card.suit() as u8, card.rank() as u8)
}

/// A pile, its bottom card first.
// In this order a pile of usual height and its numbers fit into one cache line, or two.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Pile {
    pub(super) len: u8,
    /// The number of face-down cards, from the bottom; never the last.
    pub(super) down: u8,
    /// The length of the longest run that may be moved; 0 if the pile is empty.
    pub(super) run: u8,
    /// The bytes behind the last card may have any values.
    pub(super) cards: [u8; MOST_CARDS],
}

impl Pile {
    const EMPTY: Pile = Pile { cards: [NONE; MOST_CARDS], len: 0, down: 0, run: 0 };

    fn new(cards: &[u8], down: usize) -> Pile {
        let mut pile = Pile { len: cards.len() as u8, down: down as u8, ..Pile::EMPTY };
        pile.cards[..cards.len()].copy_from_slice(cards);
        pile.run = pile.count_run();
        pile
    }

    pub fn cards(&self) -> &[u8] {
        &self.cards[..usize::from(self.len)]
    }

    pub fn len(&self) -> u8 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of face-down cards, from the bottom.
    pub fn down(&self) -> u8 {
        self.down
    }

    /// Returns the length of the longest run that may be moved.
    pub fn run(&self) -> u8 {
        self.run
    }

    /// Returns the last card; `NONE` if there is none.
    #[inline]
    pub fn last(&self) -> u8 {
        if self.len == 0 { NONE } else { self.cards[usize::from(self.len) - 1] }
    }

    /// Recomputes the length of the longest run that may be moved.
    #[inline]
    pub(super) fn count_run(&self) -> u8 {
        let face_up = &self.cards[usize::from(self.down)..usize::from(self.len)];
        let joins = face_up.windows(2).rev().take_while(|pair| pair[0] == pair[1] + 1).count();
        if face_up.is_empty() { 0 } else { joins as u8 + 1 }
    }

    /// Returns the number of face-up cards that lie on the next higher card of their suit, also face up.
    fn joins(&self) -> usize {
        self.cards()[usize::from(self.down)..].windows(2).filter(|pair| pair[0] == pair[1] + 1).count()
    }
}

/// A position: piles, bank and completed runs.
#[derive(Clone)]
pub struct Table {
    pub(super) rules: Rules,
    pub(super) piles: [Pile; MOST_PILES],
    /// The bank when this table was laid, next card first.
    pub(super) bank: [u8; MOST_CARDS],
    pub(super) bank_len: u8,
    /// The number of cards of the bank that have been dealt.
    pub(super) dealt: u8,
    /// The suits of the runs that have left the table, in order.
    pub(super) completed: [u8; MOST_RUNS],
    pub(super) completed_len: u8,
    pub(super) moves: u32,
    /// The Sun score, without the moves.
    pub(super) sun: i32,
}

impl Table {
    /// Returns a position from cards by their numbers: piles from the bottom up with the number of their face-down
    /// cards, the bank with the next card first, the suits of completed runs.
    pub fn new(rules: Rules, piles: &[(Vec<u8>, usize)], bank: &[u8], completed: &[u8], moves: u32) -> Table {
        let mut table = Table {
            rules,
            piles: [Pile::EMPTY; MOST_PILES],
            bank: [NONE; MOST_CARDS],
            bank_len: bank.len() as u8,
            dealt: 0,
            completed: [0; MOST_RUNS],
            completed_len: completed.len() as u8,
            moves,
            sun: 0,
        };
        for (pile, (cards, down)) in table.piles.iter_mut().zip(piles) {
            *pile = Pile::new(cards, *down);
        }
        table.bank[..bank.len()].copy_from_slice(bank);
        table.completed[..completed.len()].copy_from_slice(completed);
        table.sun = table.count_sun();
        table
    }

    /// Returns the deal of a deck, given in the order in which it is dealt.
    pub fn dealt(rules: Rules, deck: &[u8]) -> Table {
        let (on_table, bank) = deck.split_at(rules.table.into());
        let piles: Vec<(Vec<u8>, usize)> = (0..rules.piles.into())
            .map(|pile| {
                let cards: Vec<u8> =
                    on_table.iter().copied().skip(pile).step_by(rules.piles.into()).collect();
                let down = cards.len() - 1;
                (cards, down)
            })
            .collect();
        Table::new(rules, &piles, bank, &[], 0)
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    pub fn piles(&self) -> &[Pile] {
        &self.piles[..usize::from(self.rules.piles)]
    }

    /// Returns the cards of the bank, next card first.
    pub fn bank(&self) -> &[u8] {
        &self.bank[usize::from(self.dealt)..usize::from(self.bank_len)]
    }

    /// Returns the number of cards left in the bank.
    #[inline]
    pub fn left(&self) -> u8 {
        self.bank_len - self.dealt
    }

    /// Returns the suits of the runs that have left the table, in order.
    pub fn completed(&self) -> &[u8] {
        &self.completed[..usize::from(self.completed_len)]
    }

    /// Returns the number of moves made, those before this table was laid included.
    pub fn moves_made(&self) -> u32 {
        self.moves
    }

    /// Returns the Sun score of 1989.
    pub fn sun(&self) -> i32 {
        self.sun
    }

    /// Returns the Sun score minus the moves.
    #[inline]
    pub fn score(&self) -> i32 {
        // The score of a game of more than 2^31 moves is meaningless.
        self.sun - self.moves as i32
    }

    #[inline]
    pub fn is_won(&self) -> bool {
        self.completed_len == self.rules.runs
    }

    /// Returns true if a row may be dealt.
    #[inline]
    pub fn may_deal(&self) -> bool {
        self.left() > 0 && (self.rules.deal_on_empty || self.piles().iter().all(|pile| pile.len > 0))
    }

    /// Recomputes the Sun score.
    pub(super) fn count_sun(&self) -> i32 {
        let mut sun = 10 * i32::from(self.rules.face_down()) + 50 * i32::from(self.completed_len);
        for pile in self.piles() {
            sun += 15 * i32::from(pile.down == 0) - 10 * i32::from(pile.down) + 2 * pile.joins() as i32;
        }
        sun
    }
}
