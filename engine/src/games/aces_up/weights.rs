//! The policy `weights`: a linear function of the position after each option gives its value, and the option with the
//! greatest value is played.
//!
//! The 18 features of the position after an option and its forced discards follow. The result of a deal is not known,
//! so the position after it is the one before, with fewer cards in the stock.
//!
//! | no. | feature |
//! |---|---|
//! | 0 | 1 if the option is the deal, else 0 |
//! | 1 | that, times the cards left in the stock, / 52 |
//! | 2 | spaces |
//! | 3 | spaces times the cards left in the stock, / 52 |
//! | 4 | sum of the squares of the lengths of the piles / 10 |
//! | 5 | aces at the bottom of a pile |
//! | 6 | other aces in piles |
//! | 7 | cards under aces: for each ace, those below it in its pile |
//! | 8 | cards on aces, in the same way |
//! | 9 | pairs of cards of a suit in a pile, the higher above the lower |
//! | 10 | the same, the lower above the higher |
//! | 11, 12 | the same two, for neighbours in the pile only |
//! | 13 | sum of the ranks of bottom cards / 10 |
//! | 14 | sum of the ranks of top cards / 10 |
//! | 15 | sum of the ranks of cards that are alone in their pile / 10 |
//! | 16 | length of the longest pile |
//! | 17 | score |

use super::game::WON;
use super::quick::{NONE, Opening, Record, Slim, Table, is_ace, rank_of, suit_of};
use super::rules::{Fill, Rules};
use super::table::{AcesUp, Move};
use crate::Fault;
use crate::cards::PACK;
use crate::games::policies::MOST_MOVES;
use crate::search::Game;

const FEATURES: usize = 18;

/// The weight of each feature.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights([f64; FEATURES]);

impl Weights {
    /// Reads 18 little-endian numbers of 8 bytes.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Weights, Fault> {
        if bytes.len() != 8 * FEATURES {
            let text = format!("{} bytes are no weights; expected {FEATURES} numbers of 8", bytes.len());
            return Err(Fault::new(text));
        }
        let mut numbers =
            bytes.chunks_exact(8).map(|number| f64::from_le_bytes(number.try_into().expect("8 bytes")));
        let weights = std::array::from_fn(|_| numbers.next().expect("there are as many"));
        if weights.iter().all(|weight: &f64| weight.is_finite()) {
            Ok(Weights(weights))
        } else {
            Err(Fault::new("a weight is not a finite number"))
        }
    }

    /// Returns the weighted sum, added from the left and without fused operations: the Python side gets the same
    /// number.
    fn value(&self, features: &[f64; FEATURES]) -> f64 {
        self.0.iter().zip(features).fold(0.0, |sum, (weight, feature)| sum + weight * feature)
    }
}

/// The record that the features need, besides that of rule lists. The counts are packed in fields of two words, so that
/// those of all piles are added at once.
#[derive(Clone, Copy, Default)]
pub(super) struct Full {
    slim: Slim,
    /// The cards of the pile, by their codes.
    cards: u64,
    /// From the low end, 12 bits each: the square of the length, cards under aces, cards on aces, pairs with the higher
    /// on top, pairs with the lower on top.
    wide: u64,
    /// From the low end, 8 bits each: aces at the bottom, other aces, neighbours with the higher on top, with the lower
    /// on top, rank of the bottom card, of the top card, of the single card.
    narrow: u64,
}

/// The aces, and the cards of clubs, by their codes.
const ACES: u64 = 0xF << 56;
const CLUBS: u64 = 0x1111_1111_1111_1111;

impl Record for Full {
    #[inline(always)]
    fn on(self, below: u8, card: u8) -> Full {
        let (len, rank) = (u64::from(self.len()), u64::from(rank_of(card)));
        let suit = self.cards & CLUBS << suit_of(card);
        let lower = u64::from((suit & ((1 << card) - 1)).count_ones());
        let higher = u64::from(suit.count_ones()) - lower;
        let aces = u64::from((self.cards & ACES).count_ones());
        let ace = u64::from(is_ace(card));
        let (is_single, is_mate) = (below == NONE, below != NONE && suit_of(below) == suit_of(card));
        // (n + 1)^2 = n^2 + 2n + 1, with n the length before.
        let wide = [2 * len + 1, ace * len, aces, lower, higher];
        let single = u64::from(is_single);
        let narrow = [
            ace * single,
            ace * (1 - single),
            u64::from(is_mate && card > below),
            u64::from(is_mate && card < below),
            single * rank,
            rank,
            single * rank,
        ];
        let wide = (0..).zip(wide).fold(self.wide, |sum, (field, more)| sum + (more << (12 * field)));
        // The fields of the top card and the single card are replaced.
        let kept = self.narrow & 0xFF_FFFF_FFFF;
        let narrow = (0..).zip(narrow).fold(kept, |sum, (field, more)| sum + (more << (8 * field)));
        Full { slim: self.slim.on(below, card), cards: self.cards | 1 << card, wide, narrow }
    }

    #[inline(always)]
    fn under(self) -> u8 {
        self.slim.under()
    }

    #[inline(always)]
    fn len(self) -> u32 {
        self.slim.len()
    }

    #[inline(always)]
    fn sum(self) -> u32 {
        self.slim.sum()
    }
}

/// Returns the features of an option that leads to this table, with `left` cards left in the stock. `held` counts the
/// cards in the cell and in the stock as it is now.
#[inline(always)]
pub(super) fn features<const P: usize>(
    table: &Table<Full, P>,
    is_deal: bool,
    left: usize,
    held: u32,
) -> [f64; FEATURES] {
    let (mut wide, mut narrow, mut longest, mut score) = (0, 0, 0, PACK as u32 - held);
    for pile in 0..P {
        let record = table.record(table.top(pile));
        wide += record.wide;
        narrow += record.narrow;
        longest = longest.max(record.len());
        score -= record.len();
    }
    let wide = |field: u32| f64::from((wide >> (12 * field)) as u32 & 0xFFF);
    let narrow = |field: u32| f64::from((narrow >> (8 * field)) as u32 & 0xFF);
    let (deal, spaces, left) = (f64::from(u8::from(is_deal)), f64::from(table.count_spaces()), left as f64);
    [
        deal,
        deal * left / 52.0,
        spaces,
        spaces * left / 52.0,
        wide(0) / 10.0,
        narrow(0),
        narrow(1),
        wide(1),
        wide(2),
        wide(3),
        wide(4),
        narrow(2),
        narrow(3),
        narrow(4) / 10.0,
        narrow(5) / 10.0,
        narrow(6) / 10.0,
        f64::from(longest),
        f64::from(score),
    ]
}

/// The best option so far: the first of equals.
struct Best {
    value: f64,
    option: Option<Move>,
    /// The number of options so far.
    count: u32,
}

impl Best {
    const NOTHING: Best = Best { value: f64::NEG_INFINITY, option: None, count: 0 };

    #[inline(always)]
    fn weigh(&mut self, option: Move, value: f64) {
        // The first one is taken whatever its value is.
        if self.option.is_none() || value > self.value {
            (self.value, self.option) = (value, Some(option));
        }
        self.count += 1;
    }
}

/// Returns the legal moves that a player considers: all but those of the only card of a pile, which could move back and
/// forth for ever.
pub(super) fn options(game: &AcesUp) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves.retain(|&m| match m {
        Move::ToSpace { source: pile, .. } | Move::ToReserve { pile } => game.is_long(usize::from(pile)),
        _ => true,
    });
    moves
}

/// A game by weights, with forced discards.
struct Quick<'a, const P: usize> {
    rules: &'a Rules,
    weights: &'a Weights,
    table: &'a mut Table<Full, P>,
    cell: u8,
    stock: &'a [u8],
}

impl<const P: usize> Quick<'_, P> {
    fn left(&self) -> usize {
        self.stock.len() - self.table.next
    }

    /// Returns the number of cards in the stock and in the cell.
    fn held(&self) -> u32 {
        self.left() as u32 + u32::from(self.cell != NONE)
    }

    fn score(&self) -> i32 {
        PACK as i32 - (self.table.len() + self.held()) as i32
    }

    #[inline(always)]
    fn value(&self, is_deal: bool, left: usize) -> f64 {
        self.weights.value(&features(self.table, is_deal, left, self.held()))
    }

    /// Returns the best option, in the order of the rules. Of several spaces only the first is tried.
    fn choose(&mut self) -> Option<Move> {
        let mut best = Best::NOTHING;
        let left = self.left();
        let aces_only = self.rules.fill == Fill::AcesOnly;
        let mut is_many = false;
        let space = self.table.space(self.rules);
        for pile in 0..P {
            let card = self.table.top(pile);
            if self.table.record(card).len() < 2 {
                continue;
            }
            is_many = true;
            let Some(space) = space else { break };
            if !aces_only || is_ace(card) {
                let mark = self.table.mark(card);
                self.table.shift(pile, space);
                let m = Move::ToSpace { source: pile as u8, target: space as u8 };
                best.weigh(m, self.value(false, left));
                self.table.restore(mark);
            }
        }
        if self.rules.reserve {
            self.weigh_cell(&mut best, space);
        }
        if left > 0 && !(self.rules.fill == Fill::Must && space.is_some() && is_many) {
            let dealt = self.table.next_deal(self.rules, left);
            // A single option needs no value.
            let value = if best.count > 0 { self.value(true, left - dealt) } else { 0.0 };
            best.weigh(Move::Deal, value);
        }
        best.option
    }

    fn weigh_cell(&mut self, best: &mut Best, space: Option<usize>) {
        let left = self.left();
        if self.cell == NONE {
            for pile in 0..P {
                let card = self.table.top(pile);
                if self.table.record(card).len() >= 2 {
                    let mark = self.table.mark(card);
                    self.cell = self.table.take(pile);
                    best.weigh(Move::ToReserve { pile: pile as u8 }, self.value(false, left));
                    self.cell = NONE;
                    self.table.restore(mark);
                }
            }
        } else if let Some(space) = space {
            let card = self.cell;
            if self.rules.fill != Fill::AcesOnly || is_ace(card) {
                let mark = self.table.mark(card);
                self.table.bring(card, space);
                self.cell = NONE;
                best.weigh(Move::FromReserve { target: space as u8 }, self.value(false, left));
                self.cell = card;
                self.table.restore(mark);
            }
        }
    }

    fn make(&mut self, m: Move) {
        match m {
            Move::Deal => self.table.deal(self.rules, self.stock),
            Move::ToSpace { source, target } => self.table.shift(source.into(), target.into()),
            Move::ToReserve { pile } => self.cell = self.table.take(pile.into()),
            Move::FromReserve { target } => {
                self.table.bring(self.cell, target.into());
                self.cell = NONE;
            }
            _ => unreachable!("{m:?} is no option where discards are forced"),
        }
    }
}

/// Plays to the end, or to a win, under forced discards; returns the score.
pub(super) fn play_on<const P: usize>(
    table: &mut Table<Full, P>,
    rules: &Rules,
    weights: &Weights,
    cell: u8,
    stock: &[u8],
    log: &mut impl Moves,
) -> i32 {
    let mut game = Quick { rules, weights, table, cell, stock };
    for _ in 0..MOST_MOVES {
        if game.score() >= WON {
            break;
        }
        let Some(m) = game.choose() else { break };
        game.make(m);
        log.made(m);
    }
    game.score()
}

/// Receives the moves of a game.
pub(super) trait Moves {
    fn made(&mut self, m: Move);
}

impl Moves for () {
    fn made(&mut self, _: Move) {}
}

impl Moves for Vec<Move> {
    fn made(&mut self, m: Move) {
        self.push(m);
    }
}

/// Counts the cards that were moved on the table.
impl Moves for u32 {
    fn made(&mut self, m: Move) {
        *self += u32::from(is_tableau_move(m));
    }
}

/// Returns true if a card was moved on the table: neither dealt nor discarded.
pub(super) fn is_tableau_move(m: Move) -> bool {
    !matches!(m, Move::Deal | Move::Discard { .. })
}

/// Returns the best option, under any rules.
pub(super) fn choose(game: &AcesUp, weights: &Weights) -> Option<Move> {
    let mut best = Best::NOTHING;
    for m in options(game) {
        let mut after = game.clone();
        after.make(m);
        let left = after.left();
        if m == Move::Deal {
            after = game.clone();
        }
        let (opening, is_deal) = (Opening::of(&after), m == Move::Deal);
        let held = after.left() as u32 + u32::from(opening.cell != NONE);
        let features = match game.rules.piles {
            4 => features(&Table::<Full, 4>::stacked(&opening), is_deal, left, held),
            _ => features(&Table::<Full, 5>::stacked(&opening), is_deal, left, held),
        };
        best.weigh(m, weights.value(&features));
    }
    best.option
}

/// Plays to the end, or to a win, under any rules.
pub(super) fn play_slowly(game: &mut AcesUp, weights: &Weights, log: &mut impl Moves) {
    for _ in 0..MOST_MOVES {
        if game.is_won() {
            return;
        }
        let Some(m) = choose(game, weights) else { return };
        game.make(m);
        log.made(m);
    }
}

/// Plays to the end, or to a win; returns the score.
pub(super) fn play(start: &AcesUp, weights: &Weights, log: &mut impl Moves) -> i32 {
    if start.rules.optional_discards {
        let mut game = start.clone();
        play_slowly(&mut game, weights, log);
        return game.score();
    }
    play_opening(&Opening::of(start), &start.rules, weights, log)
}

/// Plays an opening under forced discards to the end, or to a win; returns the score.
pub(super) fn play_opening(opening: &Opening, rules: &Rules, weights: &Weights, log: &mut impl Moves) -> i32 {
    let (cell, stock) = (opening.cell, opening.stock());
    match rules.piles {
        4 => play_on(&mut Table::<_, 4>::laid(opening), rules, weights, cell, stock, log),
        _ => play_on(&mut Table::<_, 5>::laid(opening), rules, weights, cell, stock, log),
    }
}
