//! The moves that a search tries.

use super::forced::LONG;
use super::rules::Destination;
use super::table::{AcesUp, Move, NONE, Next, Plan, suit};

impl AcesUp {
    /// The moves that a search must try.
    pub(super) fn push_branches(&self, out: &mut Vec<Move>) {
        if self.is_loose() {
            return self.push_loose(out);
        }
        let begin = out.len();
        self.push_moves(out);
        if self.prunings.canonical && self.left() == 0 && self.rules.destination == Destination::Any {
            // Piles are a set: one space is as good as another.
            let mut spaces = (0..self.rules.piles as u8).filter(|&pile| self.now.top[pile as usize] == NONE);
            let first = spaces.next().unwrap_or(NONE);
            let mut kept = begin;
            for place in begin..out.len() {
                let is_other = match out[place] {
                    Move::ToSpace { target, .. } | Move::FromReserve { target } => target != first,
                    _ => false,
                };
                if !is_other {
                    out[kept] = out[place];
                    kept += 1;
                }
            }
            out.truncate(kept);
        }
    }

    /// Whether the top card of a pile lies on a higher card of its suit: taken to a space it is discarded at once, and
    /// the space is back.
    #[inline]
    pub(super) fn is_free(&self, pile: usize) -> bool {
        let top = self.now.top[pile];
        let below = self.under[top as usize & 63];
        top != NONE
            && below != NONE
            && suit(below) == suit(top)
            && below > top
            && !self.rules.optional_discards
    }

    /// The moves where single cards are loose: their order is chosen when it comes to matter, that is before a
    /// deal and before the last space is filled.
    fn push_loose(&self, out: &mut Vec<Move>) {
        let piles = self.rules.piles as u8;
        if self.rules.optional_discards {
            out.extend((0..piles).filter(|&p| self.is_beaten(p as usize)).map(|pile| Move::Discard { pile }));
        }
        let space = (0..piles).find(|&pile| self.now.top[pile as usize] == NONE).unwrap_or(NONE);
        let is_last = self.spaces() == 1;
        for source in (0..piles).filter(|&pile| self.is_long(pile as usize)) {
            if is_last && !self.is_free(source as usize) {
                self.push_arranged(Next::ToSpace { source }, out);
            } else {
                out.push(Move::ToSpace { source, target: space });
            }
        }
        if self.rules.reserve {
            if self.now.cell == NONE {
                let sources = (0..piles).filter(|&pile| self.now.top[pile as usize] != NONE);
                out.extend(sources.map(|pile| Move::ToReserve { pile }));
            } else if is_last {
                self.push_arranged(Next::FromReserve, out);
            } else {
                out.push(Move::FromReserve { target: space });
            }
        }
        if self.may_deal() {
            self.push_arranged(Next::Deal, out);
        }
    }

    /// What is next, after every order of the single cards and spaces.
    fn push_arranged(&self, next: Next, out: &mut Vec<Move>) {
        let mut wanted = 0;
        let (mut singles, mut count) = ([NONE; 5], 0);
        for pile in 0..self.rules.piles {
            let top = self.now.top[pile];
            let is_long = self.is_long(pile);
            wanted |= u32::from(if is_long { LONG } else { NONE }) << (6 * pile);
            if top != NONE && !is_long {
                singles[count] = top;
                count += 1;
            }
        }
        self.push_orders(&singles[..count], wanted, next, out);
    }

    fn push_orders(&self, singles: &[u8], wanted: u32, next: Next, out: &mut Vec<Move>) {
        let Some((&card, rest)) = singles.split_first() else {
            let plan = Plan { wanted, next };
            out.push(match self.planned(plan) {
                Move::ToSpace { source, target } if !self.is_long(source as usize) => {
                    Move::Arrange { source, target, plan }
                }
                at_once => at_once,
            });
            return;
        };
        for pile in 0..self.rules.piles {
            if wanted >> (6 * pile) & 63 == u32::from(NONE) {
                let with_card = wanted ^ u32::from(NONE ^ card) << (6 * pile);
                self.push_orders(rest, with_card, next, out);
            }
        }
    }
}
