//! The choices in which one Spider differs from another, and what follows from them.

use super::table::{MOST_CARDS, MOST_PILES, number};
use crate::Fault;
use crate::games::{Fields, Refusal};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Distinct suits in the deck: 1, 2 or 4.
    pub suits: u8,
    /// A row may be dealt while a pile is empty.
    pub deal_on_empty: bool,
    pub piles: u8,
    /// The length of a run.
    pub ranks: u8,
    /// The number of runs in the deck.
    pub runs: u8,
    /// Cards that are dealt to the piles at the start; the others are the bank.
    pub table: u8,
}

/// The limit on `runs` while reading, far beyond any deck that the engine supports.
const MOST_RUNS: u32 = 1_000_000;

impl Rules {
    /// Two decks, four suits, ten piles.
    pub const USUAL: Rules =
        Rules { suits: 4, deal_on_empty: true, piles: 10, ranks: 13, runs: 8, table: 54 };

    pub(super) fn read(fields: &mut Fields) -> Result<Rules, Refusal> {
        let suits = match fields.word("suits", &["4", "1", "2"])? {
            "1" => 1,
            "2" => 2,
            _ => 4,
        };
        let deal_on_empty = fields.flag("deal_on_empty", true)?;
        let piles = fields.number("piles", 10, 2, MOST_PILES as u32)?;
        let ranks = fields.number("ranks", 13, 2, 13)?;
        let runs = fields.number("runs", 8, 1, MOST_RUNS)?;
        let table = fields.number("table", 54, piles, MOST_RUNS)?;
        let deck = runs * ranks;
        let mut faults = Vec::new();
        if !runs.is_multiple_of(suits) {
            faults.push(format!("runs={runs} is no multiple of suits={suits}"));
        }
        if table > deck {
            faults.push(format!("table={table} is more than the {deck} cards of the deck"));
        } else if !(deck - table).is_multiple_of(piles) {
            let bank = deck - table;
            faults.push(format!("the bank of {bank} cards is not whole rows of {piles}"));
        }
        if !faults.is_empty() {
            return Err(Refusal::Invalid(Fault::new(format!("spider: {}", faults.join("; ")))));
        }
        if deck as usize > MOST_CARDS {
            let text = format!("spider: a deck of {deck} cards; the engine knows up to {MOST_CARDS}");
            return Err(Refusal::Unsupported(Fault::new(text)));
        }
        // At most 104 cards, so all of these fit into a byte.
        let byte = |number: u32| number as u8;
        Ok(Rules {
            suits: byte(suits),
            deal_on_empty,
            piles: byte(piles),
            ranks: byte(ranks),
            runs: byte(runs),
            table: byte(table),
        })
    }

    /// Returns the number of cards of the deck.
    pub fn deck(&self) -> usize {
        usize::from(self.runs) * usize::from(self.ranks)
    }

    /// Returns the number of cards that lie face down at the start.
    pub fn face_down(&self) -> u8 {
        self.table - self.piles
    }

    /// Returns the card at a place of the ordered deck: runs from the ace up, of clubs, diamonds, hearts, spades and so
    /// on. With two suits clubs become spades and diamonds hearts, with one suit every card is a spade.
    pub(super) fn card_at(&self, place: usize) -> u8 {
        let (run, rank) = (place / usize::from(self.ranks), place % usize::from(self.ranks) + 1);
        let suit = match (self.suits, run % 4) {
            (1, _) => 0,
            (2, of_four) => u8::from(of_four == 1 || of_four == 2),
            (_, of_four) => 3 - of_four as u8,
        };
        number(suit, rank as u8)
    }

    /// Returns how often each card is in the deck, by its number.
    pub(super) fn counts(&self) -> [u8; 64] {
        let mut counts = [0; 64];
        for place in 0..self.deck() {
            counts[usize::from(self.card_at(place))] += 1;
        }
        counts
    }

    /// Returns the Sun score of a won game. No position has a higher one: the joins of a run, two points each, are
    /// worth less than the 50 for having completed it.
    pub(super) fn most_sun(&self) -> i32 {
        10 * i32::from(self.face_down()) + 15 * i32::from(self.piles) + 50 * i32::from(self.runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &[(&str, &str)]) -> Result<Rules, Refusal> {
        let given = given.iter().map(|&(name, value)| (name.to_string(), value.to_string())).collect();
        Rules::read(&mut Fields::for_tests(given))
    }

    #[test]
    fn the_usual_rules() {
        let usual = Rules { suits: 4, deal_on_empty: true, piles: 10, ranks: 13, runs: 8, table: 54 };
        assert_eq!(read(&[]), Ok(usual));
        let strict = read(&[("suits", "2"), ("deal_on_empty", "no")]);
        assert_eq!(strict, Ok(Rules { suits: 2, deal_on_empty: false, ..usual }));
        assert_eq!((usual.deck(), usual.face_down(), usual.most_sun()), (104, 44, 990));
    }

    #[test]
    fn senseless_rules_are_told_from_large_ones() {
        for (given, expected) in [
            (vec![("suits", "3")], "suits=\"3\" is not allowed"),
            (vec![("piles", "11")], "a number from 2 to 10"),
            (vec![("ranks", "1")], "a number from 2 to 13"),
            (vec![("runs", "0")], "a number from 1"),
            (vec![("table", "9")], "a number from 10"),
            (vec![("runs", "6")], "runs=6 is no multiple of suits=4; the bank of 24 cards"),
            (vec![("runs", "4"), ("table", "54")], "table=54 is more than the 52 cards"),
            (vec![("table", "53")], "the bank of 51 cards is not whole rows of 10"),
        ] {
            let Err(Refusal::Invalid(fault)) = read(&given) else { panic!("{given:?} is accepted") };
            assert!(fault.to_string().contains(expected), "{fault}");
        }
        assert!(matches!(read(&[("runs", "12"), ("table", "56")]), Err(Refusal::Unsupported(_))));
    }

    #[test]
    fn each_suit_is_there_equally_often() {
        for suits in ["1", "2", "4"] {
            for runs in ["4", "8"] {
                let rules = read(&[("suits", suits), ("runs", runs), ("ranks", "5"), ("table", "10")]);
                let rules = rules.expect("sound rules");
                let counts = rules.counts();
                for suit in 0..4 {
                    for rank in 1..=13 {
                        let is_there = suit < rules.suits && rank <= 5;
                        let expected = if is_there { rules.runs / rules.suits } else { 0 };
                        assert_eq!(counts[usize::from(number(suit, rank))], expected, "{suit} {rank}");
                    }
                }
            }
        }
    }

    /// One seed gives the same ranks in the same places with any number of suits.
    #[test]
    fn the_deck_is_the_pack_taken_twice() {
        use crate::cards::Card;
        let [one, two, four] =
            ["1", "2", "4"].map(|suits| read(&[("suits", suits)]).expect("rules of a variant"));
        for place in 0..104 {
            let card = Card::at(place % 52);
            assert_eq!(super::super::table::card_of(four.card_at(place)), card);
            let red = card.suit() == 1 || card.suit() == 2;
            assert_eq!(two.card_at(place), number(u8::from(red), card.rank() as u8));
            assert_eq!(one.card_at(place), number(0, card.rank() as u8));
        }
    }
}
