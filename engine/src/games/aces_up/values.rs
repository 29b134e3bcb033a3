//! The value function of a table before a deal: the win probability on a logistic scale, as a sum of weights that the
//! table's features select.
//!
//! Each group of features has a block of weights for each number of deals left, 1 to 12. The features of a card are how
//! many cards lie on it (`up`) and under it, and where the higher cards of its suit are.
//!
//! | group | one for | looked up by |
//! |---|---|---|
//! | card | each card but aces | `up` to 6; a higher one on it: no, right on it, further up; on top of another pile: no, of a longer one, alone there; unseen: none, 1 or 2, more; under it: no, yes |
//! | ace | each ace | cards under it to 5; `up` to 5 |
//! | rank | each card | rank; is it the lowest of its pile; `up` to 3 |
//! | suit | each suit | its ace: not seen, lowest of a pile, on top of a pile, within one; its cards on the table to 7; those with a higher one on them to 2 |
//! | table | once | cards with a higher one on them to 10; spaces; aces that are the lowest of a pile |
//! | count | once | cards on the table to 31 |

use super::quick::{is_ace, rank_of, suit_of};
use super::rows::{PILES, Rows};
use crate::Fault;

/// The numbers of deals that can be left when a player chooses: all but the first.
const STAGES: usize = 12;

/// The start of a group's blocks, and the number of weights in each.
struct Group {
    first: usize,
    size: usize,
}

impl Group {
    const fn after(before: &Group, size: usize) -> Group {
        Group { first: before.first + STAGES * before.size, size }
    }

    fn place(&self, deals: usize, place: usize) -> usize {
        self.first + (deals - 1) * self.size + place
    }
}

const CARD: Group = Group { first: 0, size: 7 * 3 * 3 * 3 * 2 };
const ACE: Group = Group::after(&CARD, 6 * 6);
const RANK: Group = Group::after(&ACE, 13 * 2 * 4);
const SUIT: Group = Group::after(&RANK, 4 * 8 * 3);
const TABLE: Group = Group::after(&SUIT, 11 * 5 * 5);
const COUNT: Group = Group::after(&TABLE, 32);
/// The number of all weights.
pub(super) const SIZE: usize = Group::after(&COUNT, 0).first;

/// The cards of clubs, by their codes; a shift gives those of the other suits.
const CLUBS: u64 = 0x1111_1111_1111_1111;

/// Calls `found` with the index of each weight that counts for a table with this number of deals left.
pub(super) fn features(rows: &Rows, deals: usize, unseen: u64, mut found: impl FnMut(usize)) {
    let mut tops = [0; 2];
    for pile in 0..PILES {
        if rows.len(pile) > 0 {
            tops[usize::from(rows.len(pile) == 1)] |= 1_u64 << rows.top(pile);
        }
    }
    // For each suit: where its ace is, and how many cards have a higher one on them.
    let (mut aces, mut covered) = ([0; 4], [0; 4]);
    let (mut spaces, mut low_aces) = (0, 0);
    for pile in 0..PILES {
        let len = rows.len(pile);
        spaces += usize::from(len == 0);
        let cards = rows.pile(pile).fold(0, |set, card| set | 1_u64 << card);
        let (mut on_it, mut next) = (0_u64, 0);
        for (up, card) in rows.pile(pile).enumerate() {
            let (suit, under) = (suit_of(card), len - 1 - up);
            let higher = (CLUBS << suit) & !((2 << card) - 1);
            if is_ace(card) {
                found(ACE.place(deals, under.min(5) * 6 + up.min(5)));
                aces[suit] = if under == 0 {
                    1
                } else if up == 0 {
                    2
                } else {
                    3
                };
                low_aces += usize::from(under == 0);
            } else {
                let above = match on_it & higher {
                    0 => 0,
                    _ if 1_u64 << next & higher != 0 => 1,
                    _ => 2,
                };
                covered[suit] += usize::from(above > 0);
                let top = if tops[1] & !cards & higher != 0 {
                    2
                } else {
                    usize::from(tops[0] & !cards & higher != 0)
                };
                let hidden = match (unseen & higher).count_ones() {
                    0 => 0,
                    1 | 2 => 1,
                    _ => 2,
                };
                let below = usize::from(cards & !on_it & higher != 0);
                found(CARD.place(deals, (((up.min(6) * 3 + above) * 3 + top) * 3 + hidden) * 2 + below));
            }
            let rank = rank_of(card) as usize - 2;
            found(RANK.place(deals, (rank * 2 + usize::from(under == 0)) * 4 + up.min(3)));
            on_it |= 1 << card;
            next = card;
        }
    }
    for suit in 0..4 {
        let count = (rows.cards & CLUBS << suit).count_ones() as usize;
        found(SUIT.place(deals, (aces[suit] * 8 + count.min(7)) * 3 + covered[suit].min(2)));
    }
    let covered: usize = covered.iter().sum();
    found(TABLE.place(deals, (covered.min(10) * 5 + spaces) * 5 + low_aces));
    found(COUNT.place(deals, (rows.cards.count_ones() as usize).min(31)));
}

/// The weights, in thousandths: as integers, so that a sum does not depend on the order.
#[derive(Clone, PartialEq, Debug)]
pub struct Values(Vec<i32>);

impl Values {
    /// Reads little-endian integers of 4 bytes.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Values, Fault> {
        if bytes.len() != 4 * SIZE {
            let text = format!("{} bytes are no values; expected {SIZE} numbers of 4", bytes.len());
            return Err(Fault::new(text));
        }
        let numbers =
            bytes.chunks_exact(4).map(|number| i32::from_le_bytes(number.try_into().expect("4 bytes")));
        Ok(Values(numbers.collect()))
    }

    /// Returns the value of a table with this number of deals left.
    pub(super) fn of(&self, rows: &Rows, deals: usize, unseen: u64) -> i64 {
        let mut sum = 0;
        features(rows, deals, unseen, |place| sum += i64::from(self.0[place]));
        sum
    }
}

/// Returns the win probability of a sum of weights.
pub(super) fn chance(value: i64) -> f64 {
    logistic(value as f64 / 1000.0)
}

/// Returns nearly 1 / (1 + e^-x), to the last bit as on the Python side: it only uses operations that every machine
/// rounds alike.
pub(super) fn logistic(x: f64) -> f64 {
    let mut power = 1.0 - x.clamp(-20.0, 20.0) / 1024.0;
    for _ in 0..10 {
        power *= power;
    }
    1.0 / (1.0 + power)
}
