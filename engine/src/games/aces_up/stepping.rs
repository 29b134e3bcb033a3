//! The environment of Aces Up: docs/envs/aces-up.md defines the numbers and bytes.

use super::rules::{MOST_PILES as PILES, Rules};
use super::table::{AcesUp, Move, NUMBERS};
use crate::Fault;
use crate::envs::{Legal, Stepped};
use crate::search::Game;

/// The first action of each kind; 0 deals.
const TO_SPACE: usize = 1;
const DISCARD: usize = TO_SPACE + PILES * PILES;
const TO_RESERVE: usize = DISCARD + PILES;
const FROM_RESERVE: usize = TO_RESERVE + PILES;

/// The offsets of the parts of an observation: which cards are discarded, the height of each pile, the card of the
/// cell, cards in the stock, and the cards of each pile.
const DISCARDED: usize = 0;
const HEIGHT: usize = DISCARDED + 52;
const RESERVE: usize = HEIGHT + PILES;
const STOCK: usize = RESERVE + 1;
const TABLEAU: usize = STOCK + 1;
/// The greatest height of a pile in a real game: it gets one card of each row.
const TALLEST: usize = 13;

/// Returns the code of a card: 1..52, the suits in the order S H D C; 0 for none.
#[inline]
fn code(card: u8) -> u8 {
    CODES[usize::from(card) & (NUMBERS - 1)]
}

/// The code of every number. The suits of the numbers are C D H S, and the ace is the highest card.
const CODES: [u8; NUMBERS] = {
    let mut codes = [0; NUMBERS];
    let mut card = 0;
    while card < NUMBERS {
        if card % 16 < 13 {
            codes[card] = (13 * (3 - card / 16) + (card % 16 + 1) % 13 + 1) as u8;
        }
        card += 1;
    }
    codes
};

fn number(m: Move) -> usize {
    match m {
        Move::Deal => 0,
        Move::ToSpace { source, target } => TO_SPACE + PILES * usize::from(source) + usize::from(target),
        Move::Discard { pile } => DISCARD + usize::from(pile),
        Move::ToReserve { pile } => TO_RESERVE + usize::from(pile),
        Move::FromReserve { target } => FROM_RESERVE + usize::from(target),
    }
}

fn decode(action: usize) -> Move {
    let pile = |first: usize| (action - first) as u8;
    match action {
        0 => Move::Deal,
        FROM_RESERVE.. => Move::FromReserve { target: pile(FROM_RESERVE) },
        TO_RESERVE.. => Move::ToReserve { pile: pile(TO_RESERVE) },
        DISCARD.. => Move::Discard { pile: pile(DISCARD) },
        TO_SPACE.. => {
            Move::ToSpace { source: pile(TO_SPACE) / PILES as u8, target: pile(TO_SPACE) % PILES as u8 }
        }
    }
}

impl AcesUp {
    /// Writes the height and the cards of a pile.
    #[inline]
    fn observe_pile(&self, pile: usize, observation: &mut [u8]) {
        let (mut cards, mut height) = ([0; TALLEST], 0);
        for card in self.pile(pile) {
            cards[height] = code(card);
            height += 1;
        }
        observation[HEIGHT + pile] = height as u8;
        let row = &mut observation[TABLEAU + TALLEST * pile..][..TALLEST];
        row.fill(0);
        for (shown, &card) in row.iter_mut().zip(cards[..height].iter().rev()) {
            *shown = card;
        }
    }

    #[inline]
    fn observe_discards(mut gone: u64, observation: &mut [u8]) {
        while gone != 0 {
            let card = gone.trailing_zeros() as u8;
            observation[DISCARDED + usize::from(code(card)) - 1] = 1;
            gone &= gone - 1;
        }
    }

    #[inline]
    fn observe_rest(&self, observation: &mut [u8]) {
        observation[RESERVE] = code(self.now.cell);
        observation[STOCK] = self.left() as u8;
    }
}

impl Stepped for AcesUp {
    type Legal = Legal<1>;

    #[inline]
    fn actions(_: &Rules) -> usize {
        FROM_RESERVE + PILES
    }

    #[inline]
    fn bytes(_: &Rules) -> usize {
        TABLEAU + PILES * TALLEST
    }

    fn check_rules(_: &Rules) -> Result<(), Fault> {
        Ok(())
    }

    fn check_fit(&self) -> Result<(), Fault> {
        match (0..self.rules.piles).find(|&pile| self.pile(pile).count() > TALLEST) {
            Some(pile) => Err(Fault::new(format!("no deal leads to a pile such as pile {}", pile + 1))),
            None => Ok(()),
        }
    }

    fn observe(&self, observation: &mut [u8]) {
        observation.fill(0);
        AcesUp::observe_discards(self.now.gone, observation);
        self.observe_rest(observation);
        (0..self.rules.piles).for_each(|pile| self.observe_pile(pile, observation));
    }

    #[inline]
    fn legal(&self) -> Legal<1> {
        let mut legal = Legal::default();
        // In a won game aces could still be moved.
        if !self.is_won() {
            self.each_move(|m| legal.insert(number(m)));
        }
        legal
    }

    #[inline]
    fn act(&mut self, action: usize, observation: &mut [u8]) {
        let before = self.now;
        // The key of this table is never used, so its hashes are not computed.
        self.make_unhashed(decode(action));
        // A pile with the same top card is the same pile.
        for pile in 0..self.rules.piles {
            if self.now.top[pile] != before.top[pile] {
                self.observe_pile(pile, observation);
            }
        }
        AcesUp::observe_discards(self.now.gone & !before.gone, observation);
        self.observe_rest(observation);
    }

    /// Returns the number of suits of which only the ace is left.
    #[inline]
    fn completed_count(&self) -> i64 {
        (0..4).filter(|suit| self.now.gone >> (16 * suit) & 0xFFFF == 0x0FFF).count() as i64
    }

    #[inline]
    fn potential(&self) -> f64 {
        f64::from(self.score()) / f64::from(self.max_score())
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{NONE, card_of};
    use super::*;
    use crate::envs::{Actions, check_stepping};
    use crate::games::read_rules;

    #[test]
    fn codes_are_those_of_the_cards() {
        for card in (0..NONE).filter(|&card| card % 16 < 13) {
            let (suit, rank) = (card_of(card).suit(), card_of(card).rank());
            assert_eq!(usize::from(code(card)), 13 * (3 - suit) + rank);
        }
        assert_eq!(code(NONE), 0);
    }

    #[test]
    fn what_is_kept_is_what_would_be_made_anew() {
        for fields in [
            vec![],
            vec![("destination", "any"), ("singletons", "yes"), ("discards", "optional")],
            vec![("piles", "5"), ("reserve", "1"), ("destination", "any")],
            vec![("deal", "spaces"), ("fill", "must")],
        ] {
            let fields = fields.into_iter().map(|(name, value)| (name.to_string(), value.to_string()));
            let rules = read_rules::<AcesUp>("aces-up", fields.collect()).expect("rules");
            check_stepping::<AcesUp>(&rules, |table, legal| {
                let mut moves = Vec::new();
                table.moves(&mut moves);
                assert_eq!(legal.len(), if table.is_won() { 0 } else { moves.len() });
                for m in moves {
                    assert_eq!(decode(number(m)), m);
                    assert!(table.is_won() || legal.contains(number(m)));
                }
            });
        }
    }
}
