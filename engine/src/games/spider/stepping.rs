//! The environment of Spider: docs/envs/spider.md defines the numbers and bytes.

use std::ops::Range;

use super::moves::Move;
use super::rules::Rules;
use super::table::{Pile, Table, rank, suit};
use crate::Fault;
use crate::envs::{Legal, Stepped};

const PILES: usize = 10;
/// The number of lengths of a split: the longest run on a table has twelve cards, and a split leaves at least one.
const SPLITS: usize = 11;
/// The first action that moves a run from pile to pile, and the first that splits one.
const PAIR: usize = 1;
const SPLIT: usize = PAIR + PILES * PILES;

/// The offsets of the parts of an observation: runs removed of each suit, face-down cards and height of each pile, rows
/// left, and the cards of each pile.
const COMPLETED: usize = 0;
const DOWN: usize = COMPLETED + 4;
const HEIGHT: usize = DOWN + PILES;
const STOCK: usize = HEIGHT + PILES;
const TABLEAU: usize = STOCK + 1;
/// The greatest height of a pile in a real game: five face-down cards, and six sequences of thirteen.
const TALLEST: usize = 83;
/// The limit on the descending sequences of a pile and rows left, together, and on the face-down cards of a pile.
const MOST_SEQUENCES: usize = 6;
const MOST_DOWN: u8 = 5;
/// A card that lies face down.
const FACE_DOWN: u8 = 53;
/// The rank for an empty pile, on which every card may go.
const EMPTY: usize = 15;

/// Returns the code of a face-up card: 1..52, the suits in the order S H D C.
#[inline]
fn code(card: u8) -> u8 {
    card - 3 * suit(card)
}

/// Returns the part of an observation with the cards of a pile.
fn row(place: usize) -> Range<usize> {
    TABLEAU + place * TALLEST..TABLEAU + (place + 1) * TALLEST
}

impl Table {
    /// Returns the move of a legal action.
    #[inline]
    fn decode(&self, action: usize) -> Move {
        let piles = &self.piles;
        if action >= SPLIT {
            let (from, count) = ((action - SPLIT) / SPLITS, (action - SPLIT) % SPLITS + 1);
            let to = piles.iter().position(Pile::is_empty).expect("a split is legal only with an empty pile");
            return Move::Run { from: from as u8, to: to as u8, count: count as u8 };
        }
        let Some(pair) = action.checked_sub(PAIR) else { return Move::Row };
        let (from, to) = (pair / PILES, pair % PILES);
        let count = if piles[to].is_empty() {
            piles[from].run()
        } else {
            rank(piles[to].last()) - rank(piles[from].last())
        };
        Move::Run { from: from as u8, to: to as u8, count }
    }

    /// Writes the numbers of a pile, and its cards from the first that may have changed since the last call.
    #[inline]
    fn observe_pile(&self, place: usize, observation: &mut [u8]) {
        let pile = &self.piles[place];
        let (cards, was) = (pile.cards(), usize::from(observation[HEIGHT + place]));
        observation[DOWN + place] = pile.down();
        observation[HEIGHT + place] = pile.len();
        let row = &mut observation[row(place)];
        // The last card that stayed may have been turned.
        let first = cards.len().min(was).saturating_sub(1);
        for (shown, &card) in row[first..cards.len()].iter_mut().zip(&cards[first..]) {
            *shown = code(card);
        }
        if was > cards.len() {
            row[cards.len()..was].fill(0);
        }
    }

    fn observe_completed(&self, observation: &mut [u8]) {
        observation[COMPLETED..DOWN].fill(0);
        for &suit in self.completed() {
            observation[COMPLETED + usize::from(suit)] += 1;
        }
    }
}

impl Stepped for Table {
    type Legal = Legal<4>;

    #[inline]
    fn actions(_: &Rules) -> usize {
        SPLIT + PILES * SPLITS
    }

    #[inline]
    fn bytes(_: &Rules) -> usize {
        TABLEAU + PILES * TALLEST
    }

    fn check_rules(rules: &Rules) -> Result<(), Fault> {
        let &Rules { piles, ranks, runs, table, .. } = rules;
        if (piles, ranks, runs, table) == (10, 13, 8, 54) {
            return Ok(());
        }
        Err(Fault::new("the environment of spider is for piles=10, ranks=13, runs=8 and table=54"))
    }

    fn check_fit(&self) -> Result<(), Fault> {
        let rows = usize::from(self.left()) / PILES;
        for (place, pile) in self.piles().iter().enumerate() {
            let face_up = &pile.cards()[usize::from(pile.down())..];
            // Any suit: this is how high a pile may be built.
            let breaks = face_up.windows(2).filter(|pair| rank(pair[0]) != rank(pair[1]) + 1).count();
            let sequences = breaks + usize::from(!face_up.is_empty());
            if pile.down() > MOST_DOWN || sequences + rows > MOST_SEQUENCES {
                let number = place + 1;
                return Err(Fault::new(format!("no deal leads to a pile such as pile {number}")));
            }
        }
        Ok(())
    }

    fn observe(&self, observation: &mut [u8]) {
        observation.fill(0);
        self.observe_completed(observation);
        observation[STOCK] = self.left() / PILES as u8;
        for (place, pile) in self.piles().iter().enumerate() {
            self.observe_pile(place, observation);
            observation[row(place)][..usize::from(pile.down())].fill(FACE_DOWN);
        }
    }

    #[inline]
    fn legal(&self) -> Legal<4> {
        let piles = &self.piles;
        // The piles on which a card of each rank may go, as bits.
        let mut onto = [0u16; 16];
        for (place, pile) in piles.iter().enumerate() {
            let target = if pile.is_empty() { EMPTY } else { usize::from(rank(pile.last())) - 1 };
            onto[target] |= 1 << place;
        }
        let empty = onto[EMPTY];
        let may_deal = self.left() > 0 && (self.rules.deal_on_empty || empty == 0);
        let (mut pairs, mut splits) = (u128::from(may_deal), 0u128);
        for (place, pile) in piles.iter().enumerate().filter(|(_, pile)| !pile.is_empty()) {
            let last = usize::from(rank(pile.last()));
            // The ranks of a run are not above 13, so none of them is taken for an empty pile.
            let heads = &onto[last..last + usize::from(pile.run())];
            let targets = heads.iter().fold(empty, |targets, more| targets | more);
            pairs |= u128::from(targets) << (PAIR + PILES * place);
            if empty != 0 {
                splits |= ((1 << (pile.run() - 1)) - 1) << (SPLITS * place);
            }
        }
        let (low, high) = (pairs | splits << SPLIT, splits >> (128 - SPLIT));
        Legal([low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64])
    }

    #[inline]
    fn act(&mut self, action: usize, observation: &mut [u8]) {
        let m = self.decode(action);
        let undo = self.apply(m);
        let mut changed = match m {
            Move::Row => {
                observation[STOCK] = self.left() / PILES as u8;
                (1 << PILES) - 1
            }
            Move::Run { from, to, .. } => 1 << from | 1 << to,
        };
        // Under typed whole runs that lie one upon the other a pile may change that no card was moved from or to.
        changed |= undo.completed() | undo.turned();
        while changed != 0 {
            self.observe_pile(changed.trailing_zeros() as usize, observation);
            changed &= changed - 1;
        }
        if undo.completed() != 0 {
            self.observe_completed(observation);
        }
    }

    fn waste(&mut self) {
        self.moves += 1;
    }

    #[inline]
    fn moves_made(&self) -> i64 {
        Table::moves_made(self).into()
    }

    #[inline]
    fn completed_count(&self) -> i64 {
        self.completed().len() as i64
    }

    #[inline]
    fn potential(&self) -> f64 {
        f64::from(self.sun()) / f64::from(self.rules.most_sun())
    }
}
