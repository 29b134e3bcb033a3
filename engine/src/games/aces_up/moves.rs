//! The legal moves of Aces Up.

use super::rules::{Destination, Fill};
use super::table::{AcesUp, Move, NONE, is_ace};

impl AcesUp {
    /// Calls `visit` with every legal move in the order of the rules: discards, moves to spaces, to the cell, from the
    /// cell, the deal.
    #[inline]
    pub(super) fn each_move(&self, mut visit: impl FnMut(Move)) {
        let piles = 0..self.rules.piles as u8;
        if self.rules.optional_discards {
            let beaten = piles.clone().filter(|&pile| self.is_beaten(pile as usize));
            beaten.for_each(|pile| visit(Move::Discard { pile }));
        }
        if self.spaces() > 0 {
            for source in piles.clone().filter(|&pile| self.may_leave(pile as usize)) {
                self.each_target(|target| visit(Move::ToSpace { source, target }));
            }
        }
        if self.rules.reserve {
            if self.now.cell == NONE {
                let sources = piles.filter(|&pile| self.now.top[pile as usize & 7] != NONE);
                sources.for_each(|pile| visit(Move::ToReserve { pile }));
            } else if self.may_fill(self.now.cell) {
                self.each_target(|target| visit(Move::FromReserve { target }));
            }
        }
        if self.may_deal() {
            visit(Move::Deal);
        }
    }

    /// Returns true if this card may go to a space.
    pub(super) fn may_fill(&self, card: u8) -> bool {
        self.rules.fill != Fill::AcesOnly || is_ace(card)
    }

    /// Returns true if the top card of this pile may go to a space, if there is one.
    #[inline]
    pub(super) fn may_leave(&self, pile: usize) -> bool {
        let card = self.now.top[pile & 7];
        card != NONE
            && self.may_fill(card)
            && (self.is_long(pile) || self.rules.singletons && self.left() > 0)
    }

    /// Calls `visit` with the spaces to which a card may go.
    #[inline]
    pub(super) fn each_target(&self, mut visit: impl FnMut(u8)) {
        let is_space = |&pile: &u8| self.now.top[pile as usize & 7] == NONE;
        let mut spaces = (0..self.rules.piles as u8).filter(is_space);
        match self.rules.destination {
            Destination::First => spaces.next().into_iter().for_each(visit),
            Destination::Last => spaces.next_back().into_iter().for_each(visit),
            Destination::Any => spaces.for_each(&mut visit),
        }
    }

    pub(super) fn may_deal(&self) -> bool {
        let must_fill = || self.spaces() > 0 && (0..self.rules.piles).any(|pile| self.is_long(pile));
        self.left() > 0 && (self.rules.fill != Fill::Must || !must_fill())
    }
}
