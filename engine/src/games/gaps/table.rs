//! A whole game of Gaps: the board, and the redeals that are used, left and known.

use super::board::{Back, Board, Step};
use super::rules::Rules;
use crate::search::{self, Game};

#[derive(Clone, Debug)]
pub struct Gaps {
    pub(super) rules: Rules,
    pub(super) board: Board,
    /// The number of redeals used so far.
    pub(super) used: u8,
    /// The decks of the coming redeals as far as they are known, aces included.
    known: Vec<Vec<u8>>,
    /// The number of redeals used before the first of them.
    first: u8,
    /// The boards before the redeals of the current line.
    before: Vec<Board>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    ToGap(Step),
    /// The loose cards are dealt again in the next known order.
    Redeal,
}

impl Gaps {
    pub(super) fn new(rules: Rules, board: Board, used: u8, known: Vec<Vec<u8>>) -> Gaps {
        Gaps { rules, board, used, known, first: used, before: Vec::new() }
    }

    /// Returns the decks of the coming redeals as far as they are known.
    pub(super) fn decks(&self) -> &[Vec<u8>] {
        &self.known[(self.used - self.first) as usize..]
    }

    /// Returns the same board in a game that ends with this phase.
    pub(super) fn last_phase(&self) -> Gaps {
        Gaps::new(Rules { redeals: self.used, ..self.rules }, self.board.clone(), self.used, Vec::new())
    }

    /// Takes the next redeal, whose order must be known; returns the board before it.
    pub(super) fn redeal(&mut self) -> Board {
        let board = self.board.redealt(&self.rules, &self.decks()[0]);
        self.used += 1;
        std::mem::replace(&mut self.board, board)
    }

    /// Returns true if a redeal is allowed now, whether its order is known or not.
    pub(super) fn may_redeal(&self) -> bool {
        self.used < self.rules.redeals && !self.is_won() && (self.rules.early_redeal || self.board.is_stuck())
    }
}

/// An exclusive or of random words: its bits are well mixed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Key(u128);

impl search::Key for Key {
    fn mixed(self) -> u64 {
        self.0 as u64
    }
}

impl From<Key> for u128 {
    fn from(key: Key) -> u128 {
        key.0
    }
}

/// An odd constant: its products with small numbers differ in many bits.
const SPREAD: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;

impl Game for Gaps {
    type Move = Move;
    /// `None` for a redeal: `before` keeps the board before it.
    type Undo = Option<Back>;
    type Key = Key;

    /// Two free 2s may swap places for ever.
    const ACYCLIC: bool = false;
    const KINDS: &'static [&'static str] = &["generated"];

    /// Returns the number for four gaps in column 1 and four 2s, and a redeal.
    #[inline]
    fn most_moves(&self) -> usize {
        17
    }

    /// Pushes steps by row, then by column of the gap, 2s in the order of suits; the redeal last.
    fn moves(&self, out: &mut Vec<Move>) {
        let begin = out.len();
        out.extend(self.board.steps().iter().copied().map(Move::ToGap));
        out[begin..].sort_by_key(|m| match m {
            // The sort is stable: steps to one gap stay in the order of suits.
            Move::ToGap(Step { to, .. }) => (to % 4, to / 4),
            Move::Redeal => (u8::MAX, 0),
        });
        if !self.decks().is_empty() && self.may_redeal() {
            out.push(Move::Redeal);
        }
    }

    fn apply(&mut self, m: Move) -> Option<Back> {
        match m {
            Move::ToGap(step) => Some(self.board.make(step)),
            Move::Redeal => {
                let before = self.redeal();
                self.before.push(before);
                None
            }
        }
    }

    fn undo(&mut self, m: Move, undo: Option<Back>) {
        match (m, undo) {
            (Move::ToGap(step), Some(back)) => self.board.unmake(step, back),
            _ => {
                self.board = self.before.pop().expect("a redeal was played");
                self.used -= 1;
            }
        }
    }

    fn key(&self) -> Key {
        Key((self.board.key() ^ u128::from(self.used).wrapping_mul(SPREAD)).max(1))
    }

    fn is_won(&self) -> bool {
        self.board.locked() == super::board::WON
    }

    fn score(&self) -> i32 {
        self.board.locked() as i32
    }

    fn max_score(&self) -> i32 {
        super::board::WON as i32
    }

    fn waits_for_chance(&self) -> bool {
        self.decks().is_empty() && self.may_redeal()
    }
}
