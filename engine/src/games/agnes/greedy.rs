//! The policy `greedy`: a card that can go up goes up, else the unit with the most points moves, else the stock is
//! dealt. docs/simulate.md lists the points and their reasons; the Python side plays the same moves.
//!
//! The policy looks at nothing that a player cannot see, so a position may stand for its view.

use std::cell::OnceCell;

use super::moves::Unit;
use super::rules::MOST_PILES;
use super::table::{Agnes, Move, NONE, bit, each};

// Points for a unit, by where its head lies and where it goes.
const LOOSE_TO_SUIT: i32 = 18;
const LOOSE_TO_EMPTY: i32 = 3;
const LOOSE_TO_PARTNER: i32 = 2;
const PARTNER_TO_SUIT: i32 = 5;
const PARTNER_TO_EMPTY: i32 = -10;
const PARTNER_TO_PARTNER: i32 = -11;
// Points for the card that the unit uncovers.
const FREES: i32 = 15;
const TURNS: i32 = 2;
const CAN_BE_PACKED: i32 = 2;
const CAN_BE_PACKED_IN_SUIT: i32 = 1;
const TAKES_OWN_SUIT: i32 = 3;
const TAKES_PARTNER: i32 = 1;

impl Agnes {
    /// Returns the move with the most points; `None` if the game is better left as it is.
    pub(super) fn greedy(&self) -> Option<Move> {
        if let Some(up) = self.first_up(self.wanted()) {
            return Some(up);
        }
        // Seldom needed, so computed on demand.
        let loose = OnceCell::new();
        let empty = self.top[..self.rules.piles].iter().position(|&top| top == NONE);
        let (mut best, mut most) = (None, 0);
        for unit in (0..self.rules.piles).flat_map(|pile| self.units(pile)) {
            // A card that lies on its own suit gets no points for leaving.
            if self.in_suit & bit(unit.head) != 0 {
                continue;
            }
            let hosts = self.masks.hosts(bit(unit.head)) & self.tops;
            let mut targets = each(hosts).fold(0, |set, host| set | 1 << self.at[host as usize & 63]);
            let is_whole = self.under[unit.head as usize & 63] == NONE;
            // Empty piles are interchangeable, so only the first one counts.
            if let Some(empty) = empty.filter(|_| !is_whole && self.may_fill(unit)) {
                targets |= 1 << empty;
            }
            for target in each(targets) {
                let points = self.points(unit, target, &loose);
                if points > most {
                    (best, most) = (Some(unit.to(target)), points);
                }
            }
        }
        best.or((self.left() > 0).then_some(Move::Deal))
    }

    /// Plays to the end by `greedy`, which always ends.
    pub(super) fn play_on(&mut self) {
        while let Some(m) = self.greedy() {
            self.make(m);
        }
    }

    /// Returns the move of the first top card, in the order of the piles, that is one of these.
    pub(super) fn first_up(&self, cards: u64) -> Option<Move> {
        if self.tops & cards == 0 {
            return None;
        }
        let mut tops = (0..).zip(&self.top[..self.rules.piles]);
        let up = tops.find(|&(_, &card)| cards & self.masks.all & bit(card) != 0);
        up.map(|(pile, &card)| Move::ToFoundation { pile, card })
    }

    /// Returns the points for moving the unit there; a whole pile must not go to an empty one.
    fn points(&self, unit: Unit, target: u8, loose: &OnceCell<[u64; MOST_PILES]>) -> i32 {
        let (onto, below) = (self.top[target as usize], self.under[unit.head as usize & 63]);
        let is_packed = self.packed & bit(unit.head) != 0;
        let points = match (onto, is_packed) {
            (NONE, true) => PARTNER_TO_EMPTY,
            (NONE, false) => LOOSE_TO_EMPTY,
            (onto, true) if onto == unit.head + 1 => PARTNER_TO_SUIT,
            (onto, false) if onto == unit.head + 1 => LOOSE_TO_SUIT,
            (_, true) => PARTNER_TO_PARTNER,
            (_, false) => LOOSE_TO_PARTNER,
        };
        points
            + if below == NONE {
                0
            } else if self.face_down & bit(below) != 0 {
                TURNS
            } else if self.wanted() & bit(below) != 0 {
                FREES
            } else if is_packed {
                0
            } else {
                // After the move the top card of the unit is that of the target.
                let tops = self.tops & !bit(onto);
                let heads = (0..).zip(loose.get_or_init(|| self.loose_heads()));
                let others = heads.filter(|&(pile, _)| pile != unit.pile && pile != target);
                let others = others.fold(0, |set, (_, head)| set | head);
                self.points_of_uncovered(bit(below), tops, others)
            }
    }

    /// Returns the points for the moves that a newly uncovered card makes possible.
    fn points_of_uncovered(&self, card: u64, tops: u64, loose: u64) -> i32 {
        let (hosts, guests) = (self.masks.hosts(card) & tops, self.masks.packed_on(card) & loose);
        let mut points = 0;
        for (is_so, more) in [
            (hosts != 0, CAN_BE_PACKED),
            (hosts & card << 1 != 0, CAN_BE_PACKED_IN_SUIT),
            (guests & card >> 1 != 0, TAKES_OWN_SUIT),
            (guests & !(card >> 1) != 0, TAKES_PARTNER),
        ] {
            points += if is_so { more } else { 0 };
        }
        points
    }

    /// Returns the head of the longest unit of each pile, if it is not packed.
    fn loose_heads(&self) -> [u64; MOST_PILES] {
        let mut heads = [0; MOST_PILES];
        for (head, &top) in heads.iter_mut().zip(&self.top[..self.rules.piles]) {
            let mut card = top;
            while self.linked & bit(card) != 0 {
                card = self.under[card as usize & 63];
            }
            *head = bit(card) & self.masks.all & !self.packed;
        }
        heads
    }
}
