//! La Belle Lucie under any rules: a table that moves change in place.
//!
//! A card is the number 4 * (rank - 1) + suit. So a set of cards is one word, "the next card up" is a shift by four,
//! and the cards of a rank are four adjacent bits. Fans are linked from the top down, so a move touches a handful of
//! bytes. The set of links "this card lies on that one" identifies the fans in any order.

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;

use super::packed::Heights;
use super::rules::Rules;
use crate::cards::{Card, PACK};
use crate::rng::mix;

/// No card: what lies beneath a bottom card, and the top of an empty fan.
pub(super) const NONE: u8 = 63;
/// One bit for each rank.
pub(super) const RANKS: u64 = 0x0001_1111_1111_1111;
pub(super) const CARDS: u64 = 15 * RANKS;
pub(super) const KINGS: u64 = 15 << 48;
/// An upper bound on the numbers of cards: the length of arrays indexed by them.
pub(super) const NUMBERS: usize = 64;

/// A table of fans and foundations.
#[derive(Clone, Debug)]
pub struct BelleLucie {
    pub(super) rules: Rules,
    pub(super) now: Table,
    /// Orders of the coming redeals as far as they are known; cards that are up are skipped.
    known: Vec<Vec<u8>>,
    /// The deal that the first of them follows.
    first_deal: u8,
    /// The tables before the redeals of the current line.
    pub(super) before: Vec<Table>,
    /// The number of the order of branches; see `branches`.
    pub(super) order: u64,
    /// Cards that may go up: all of them, or with a target those that belong to it.
    cap: u64,
}

/// What moves change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Table {
    /// The card beneath each card in play.
    pub(super) below: [u8; NUMBERS],
    /// The fan of each card in play.
    pub(super) fan: [u8; NUMBERS],
    /// The last card of each fan, in the order of the text. Emptied fans keep their place.
    pub(super) top: [u8; NUMBERS],
    /// The number of cards in each fan.
    pub(super) len: [u8; NUMBERS],
    pub(super) fans: u8,
    /// Mercis left in the game.
    pub(super) mercis: u8,
    /// The number of the deal, from 1.
    pub(super) deal: u8,
    pub(super) tops: u64,
    /// Cards that lie on another.
    pub(super) covering: u64,
    pub(super) in_play: u64,
    /// One bit for each suit: the next card that its foundation takes, or the bit above the king.
    pub(super) wanted: u64,
    /// The sum of the link words of all cards in play.
    pub(super) links: u128,
}

/// A move of the card with this number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    ToFoundation(u8),
    /// Onto another top card.
    ToFan(u8, u8),
    /// A king into the first empty fan.
    ToSpace(u8),
    /// A buried card to its foundation.
    MerciUp(u8),
    /// A buried card onto the top card of another fan.
    MerciOnto(u8, u8),
    /// A buried card to the top of its own fan.
    MerciOwn(u8),
    /// All fans are gathered and dealt in the next known order.
    Redeal,
}

/// Where the moved card was: its fan, and the card that lay on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub(super) fan: u8,
    pub(super) above: u8,
}

pub(super) fn number_of(card: Card) -> u8 {
    (4 * (card.rank() - 1) + card.suit()) as u8
}

pub(super) fn card_of(number: u8) -> Card {
    Card::new(number as usize % 4, number as usize / 4 + 1)
}

/// Returns the numbers in a set, lowest first.
pub(super) fn each(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let number = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (number < 64).then_some(number)
    })
}

pub(super) fn bit(number: u8) -> u64 {
    1 << number
}

/// A random word for each link of a card and the card beneath it.
static LINKS: [[u128; NUMBERS]; PACK] = {
    let mut links = [[0; NUMBERS]; PACK];
    let mut state: u64 = 0;
    let mut card = 0;
    while card < PACK {
        let mut below = 0;
        while below < NUMBERS {
            let high = mix(state.wrapping_add(0x9E37_79B9_7F4A_7C15));
            state = state.wrapping_add(0x3C6E_F372_FE94_F82A);
            links[card][below] = (high as u128) << 64 | mix(state) as u128;
            below += 1;
        }
        card += 1;
    }
    links
};
/// An odd constant: its products with small numbers are all different, and differ in many bits.
pub(super) const SPREAD: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;

impl Table {
    /// Returns the table of these cards, in the order in which they are dealt, each after the number of its fan.
    fn new(cards: impl Iterator<Item = (u8, u8)>, fans: usize, deal: u8, mercis: u8) -> Table {
        let mut table = Table {
            below: [NONE; NUMBERS],
            fan: [0; NUMBERS],
            top: [NONE; NUMBERS],
            len: [0; NUMBERS],
            fans: fans as u8,
            mercis,
            deal,
            tops: 0,
            covering: 0,
            in_play: 0,
            wanted: 0,
            links: 0,
        };
        for (fan, card) in cards {
            table.lay(card, fan);
            table.in_play |= bit(card);
        }
        // The lowest card in play of each suit, or the bit above the king if there is none.
        for suit in 0..4 {
            let suit = (table.in_play | 15 << PACK) & (RANKS | 1 << PACK) << suit;
            table.wanted |= suit & suit.wrapping_neg();
        }
        table
    }

    /// Returns the table on which these cards are dealt.
    fn dealt(rules: &Rules, cards: &[u8], deal: u8, mercis: u8) -> Table {
        let fan = |place| rules.fan_at(place, deal);
        let placed = cards.iter().enumerate().map(|(place, &card)| (fan(place) as u8, card));
        Table::new(placed, cards.len().checked_sub(1).map_or(0, |last| fan(last) + 1), deal, mercis)
    }

    /// Puts a card that lies nowhere on top of a fan.
    #[inline]
    pub(super) fn lay(&mut self, card: u8, fan: u8) {
        let top = self.top[fan as usize & 63];
        self.below[card as usize & 63] = top;
        self.fan[card as usize & 63] = fan;
        self.top[fan as usize & 63] = card;
        self.len[fan as usize & 63] += 1;
        self.tops = self.tops & !bit(top) | bit(card);
        self.covering |= u64::from(top != NONE) << card;
        self.links ^= LINKS[card as usize][top as usize & 63];
    }

    /// Takes a card out of its fan; the cards on it close up.
    #[inline]
    pub(super) fn lift(&mut self, card: u8) -> Place {
        let (fan, below) = (self.fan[card as usize & 63], self.below[card as usize & 63]);
        self.len[fan as usize & 63] -= 1;
        self.links ^= LINKS[card as usize][below as usize & 63];
        self.covering &= !bit(card);
        let top = self.top[fan as usize & 63];
        if top == card {
            self.top[fan as usize & 63] = below;
            self.tops = (self.tops ^ bit(card) | bit(below)) & CARDS;
            return Place { fan, above: NONE };
        }
        let above = self.above(card, top);
        self.below[above as usize & 63] = below;
        self.covering &= !(u64::from(below == NONE) << above);
        self.links ^= LINKS[above as usize][card as usize & 63] ^ LINKS[above as usize][below as usize & 63];
        Place { fan, above }
    }

    /// Puts a card that lies nowhere back where it was.
    #[inline]
    pub(super) fn put_back(&mut self, card: u8, from: Place) {
        let Place { fan, above } = from;
        if above == NONE {
            return self.lay(card, fan);
        }
        let below = self.below[above as usize & 63];
        self.below[above as usize & 63] = card;
        self.below[card as usize & 63] = below;
        self.fan[card as usize & 63] = fan;
        self.len[fan as usize & 63] += 1;
        self.covering |= bit(above) | u64::from(below != NONE) << card;
        self.links ^= LINKS[above as usize][card as usize & 63]
            ^ LINKS[above as usize][below as usize & 63]
            ^ LINKS[card as usize][below as usize & 63];
    }

    /// Returns the card that lies on this one, in a fan with another top.
    fn above(&self, card: u8, top: u8) -> u8 {
        let mut above = top;
        while self.below[above as usize & 63] != card {
            above = self.below[above as usize & 63];
        }
        above
    }

    pub(super) fn put_up(&mut self, card: u8) {
        self.in_play ^= bit(card);
        self.wanted ^= bit(card) | bit(card) << 4;
    }

    pub(super) fn first_space(&self) -> Option<u8> {
        (0..self.fans).find(|&fan| self.top[fan as usize] == NONE)
    }

    /// Returns a fan, bottom card first.
    fn cards(&self, fan: u8) -> Vec<Card> {
        let mut cards = vec![Card::at(0); self.len[fan as usize] as usize];
        let mut card = self.top[fan as usize];
        for place in cards.iter_mut().rev() {
            *place = card_of(card);
            card = self.below[card as usize];
        }
        cards
    }
}

impl BelleLucie {
    /// Returns a position. `fans` have the bottom card first, and cards that lie in none are on the foundations without
    /// a gap. `known` holds the orders of the coming redeals as far as they are known, each with every card of the
    /// fans. The caller has checked all this.
    pub(super) fn new(
        rules: Rules,
        fans: &[Vec<Card>],
        deal: u8,
        mercis: u8,
        known: &[Vec<Card>],
    ) -> BelleLucie {
        let numbers = |cards: &Vec<Card>| cards.iter().map(|&card| number_of(card)).collect();
        let cards =
            (0..).zip(fans).flat_map(|(fan, cards)| cards.iter().map(move |&card| (fan, number_of(card))));
        BelleLucie {
            rules,
            now: Table::new(cards, fans.len(), deal, mercis),
            known: known.iter().map(numbers).collect(),
            first_deal: deal,
            before: Vec::new(),
            order: 0,
            cap: CARDS,
        }
    }

    /// Returns the start of a game, from the numbers of the cards in the order in which they are dealt, and the orders
    /// of all redeals.
    pub(super) fn dealt(rules: Rules, cards: &[u8], known: Vec<Vec<u8>>) -> BelleLucie {
        let now = Table::dealt(&rules, cards, 1, rules.mercis());
        BelleLucie { rules, now, known, first_deal: 1, before: Vec::new(), order: 0, cap: CARDS }
    }

    /// Returns the fans in the order of the text, bottom cards first; empty ones only where they matter.
    pub(super) fn fans(&self) -> Vec<Vec<Card>> {
        (0..self.now.fans)
            .filter(|&fan| self.rules.kings_to_spaces || self.now.len[fan as usize] > 0)
            .map(|fan| self.now.cards(fan))
            .collect()
    }

    /// Returns the rank reached on each foundation.
    pub(super) fn heights(&self) -> [usize; 4] {
        std::array::from_fn(|suit| {
            (self.now.wanted & 0x11_1111_1111_1111 << suit).trailing_zeros() as usize / 4
        })
    }

    /// Returns the same table with a target: no foundation passes these heights, and reaching them is a win.
    pub(super) fn with_target(&self, target: Heights) -> BelleLucie {
        let mut capped = self.clone();
        capped.cap = (0..4).map(|suit| (RANKS & ((1 << (4 * target[suit])) - 1)) << suit).sum();
        capped
    }

    /// Returns the cards that a win needs up and that are not.
    pub(super) fn missing(&self) -> u64 {
        self.now.in_play & self.cap
    }

    /// Returns the cards that may go up.
    pub(super) fn cap(&self) -> u64 {
        self.cap
    }

    pub(super) fn redeals_left(&self) -> u8 {
        self.rules.redeals + 1 - self.now.deal
    }

    /// Returns the orders of the coming redeals as far as they are known, without the cards that are up.
    pub(super) fn orders(&self) -> impl Iterator<Item = Vec<u8>> {
        let in_play = self.now.in_play;
        let coming = self.known.iter().skip((self.now.deal - self.first_deal) as usize);
        coming.map(move |order| order.iter().copied().filter(|&card| in_play & bit(card) != 0).collect())
    }

    /// Returns true if a merci may be taken now.
    pub(super) fn may_merci(&self) -> bool {
        self.now.mercis > 0 && (self.rules.merci_in_any_deal || self.redeals_left() == 0)
    }

    /// Returns true if a redeal is allowed now, whether its order is known or not.
    pub(super) fn may_redeal(&self) -> bool {
        self.now.in_play != 0 && self.redeals_left() > 0 && (self.rules.may_hold_back || self.playable() == 0)
    }

    /// Returns true if the order of the next redeal is known.
    pub(super) fn knows_redeal(&self) -> bool {
        ((self.now.deal - self.first_deal) as usize) < self.known.len()
    }

    /// Returns the tops, as a set of numbers.
    pub(super) fn tops(&self) -> u64 {
        self.now.tops
    }

    pub(super) fn is_in_play(&self, card: u8) -> bool {
        self.now.in_play & bit(card) != 0
    }

    /// Returns the top of the fan of a card in play.
    pub(super) fn top_above(&self, card: u8) -> u8 {
        self.now.top[self.now.fan[card as usize] as usize]
    }

    /// Returns the tops that fit their foundation.
    pub(super) fn playable(&self) -> u64 {
        self.now.tops & self.now.wanted & self.cap
    }

    /// Returns the cards on which this one may be built, wherever they lie.
    pub(super) fn targets(&self, card: u8) -> u64 {
        let base = if self.rules.build_any { 15 << (card & !3) } else { bit(card) };
        base << 4 | if self.rules.build_up { base >> 4 } else { 0 }
    }

    /// Returns true if the fan with this top takes no card under these rules.
    pub(super) fn is_full(&self, top: u8) -> bool {
        let most = self.rules.max_cards;
        most != 0 && u32::from(self.now.len[self.now.fan[top as usize & 63] as usize & 63]) >= most
    }

    pub(super) fn redeal(&mut self) {
        let order = self.orders().next().expect("a redeal is played only if its order is known");
        self.before.push(self.now);
        self.now = Table::dealt(&self.rules, &order, self.now.deal + 1, self.now.mercis);
    }
}
