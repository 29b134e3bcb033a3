//! Cards of one deck, and their two-character text.

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::Fault;

/// The number of cards in a deck.
pub const PACK: usize = 52;

const RANKS: &[u8; 13] = b"A23456789TJQK";
const SUITS: &[u8; 4] = b"CDHS";
const SUIT_NAMES: [&str; 4] = ["clubs", "diamonds", "hearts", "spades"];

/// One card, as its index in the ordered deck: AC..KC AD..KD AH..KH AS..KS.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Card(u8);

impl Card {
    /// Returns the card of a suit (0..4: clubs, diamonds, hearts, spades) and a rank (1..=13).
    pub fn new(suit: usize, rank: usize) -> Card {
        assert!(suit < 4 && (1..=13).contains(&rank), "no card has suit {suit} and rank {rank}");
        Card((13 * suit + rank - 1) as u8)
    }

    /// Returns the card at an index of the ordered deck, 0..52.
    pub fn at(index: usize) -> Card {
        assert!(index < PACK, "the pack has no card {index}");
        Card(index as u8)
    }

    /// Returns all cards in the order of the deck.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..PACK).map(Card::at)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the suit, 0..4: clubs, diamonds, hearts, spades.
    pub fn suit(self) -> usize {
        self.index() / 13
    }

    /// Returns the rank, from ace 1 to king 13.
    pub fn rank(self) -> usize {
        self.index() % 13 + 1
    }

    /// Returns the letters of rank and suit.
    pub fn letters(self) -> [char; 2] {
        [RANKS[self.rank() - 1] as char, SUITS[self.suit()] as char]
    }
}

/// Returns the English name of a suit (0..4).
pub fn suit_name(suit: usize) -> &'static str {
    SUIT_NAMES[suit]
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letters().into_iter().try_for_each(|letter| f.write_char(letter))
    }
}

impl FromStr for Card {
    type Err = Fault;

    /// Parses the canonical spelling, such as `TH`. The Python side parses the others.
    fn from_str(text: &str) -> Result<Card, Fault> {
        let found = match *text.as_bytes() {
            [rank, suit] => RANKS.iter().position(|&r| r == rank).zip(SUITS.iter().position(|&s| s == suit)),
            _ => None,
        };
        match found {
            Some((rank, suit)) => Ok(Card::new(suit, rank + 1)),
            None => Err(Fault::new(format!(
                "{text:?} is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for card in Card::all() {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(Card::new(card.suit(), card.rank()), card);
        }
        assert_eq!(Card::at(0).to_string(), "AC");
        assert_eq!(Card::at(51).to_string(), "KS");
    }

    #[test]
    fn other_text_is_no_card() {
        for text in ["", "A", "10H", "th", "1H", "HT", "T♥", "é", "AC "] {
            let fault = text.parse::<Card>().unwrap_err();
            assert!(fault.to_string().contains("is not a card"), "{text}");
        }
    }
}
