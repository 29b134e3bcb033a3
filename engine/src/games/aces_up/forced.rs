//! Moves that need no alternative, each with its proof, and positions without any.

use super::rules::{Destination, Fill};
use super::table::{AcesUp, Move, NONE, suit};

impl AcesUp {
    #[inline]
    pub(super) fn forced_move(&self) -> Option<Move> {
        if self.only_deals() {
            Some(Move::Deal)
        } else if self.left() == 0 {
            self.free_move()
        } else {
            None
        }
    }

    /// Whether nothing but a deal is legal.
    #[inline]
    pub(super) fn only_deals(&self) -> bool {
        self.prunings.alone
            && self.left() > 0
            && !self.rules.reserve
            && !self.rules.optional_discards
            && self.spaces() == 0
    }

    /// Whether nothing more can be done: the stock is empty, and no top card can go anywhere.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.left() == 0
            && self.prunings.alone
            && !self.rules.reserve
            && !self.rules.optional_discards
            && (self.spaces() == 0 || (0..self.rules.piles).all(|pile| !self.is_long(pile)))
    }

    /// Whether the top card of a pile lies on a higher card of its suit: taken to a space it is discarded at once, and
    /// the space is back.
    #[inline]
    pub(super) fn is_free(&self, pile: usize) -> bool {
        let top = self.now.top[pile & 7];
        let below = self.under[top as usize & 63];
        top != NONE && below != NONE && suit(below) == suit(top) && below > top
    }

    /// With an empty stock and a space: a top card c that lies on a higher card x of its suit goes to the space, is
    /// beaten there by x, and the space is back.
    ///
    /// Discards are forced and nothing is dealt, so no top card is ever covered: one leaves only for
    /// a space, where it is a top card too, or beaten by a higher one. So once y is a top card, all
    /// lower cards of its suit are discarded when they come to be one. Copy any line L after the move, leaving out what
    /// L does with c. As long as c lies on x in L, x does in the copy all that c does: a lower card of the suit
    /// is discarded by either. When a higher card y of the suit comes up, c goes in L and x and y meet, as they do in
    /// the copy; when L moves c, it is discarded at once. Either way both lines have then come
    /// to the same position. Where L never does any of this it has c and x at the end, the copy x only.
    /// Not with a cell: there top cards may be taken away and come back.
    #[inline]
    fn free_move(&self) -> Option<Move> {
        if !self.prunings.free_moves
            || self.rules.optional_discards
            || self.rules.reserve
            || self.rules.fill == Fill::AcesOnly
            || self.spaces() == 0
        {
            return None;
        }
        let source = (0..self.rules.piles).find(|&pile| self.is_free(pile))? as u8;
        let mut to = NONE;
        self.each_target(|target| to = target);
        Some(Move::ToSpace { source, target: to })
    }

    /// The legal moves, less those to another space where one is as good as another: with an empty stock piles
    /// are a set.
    #[inline]
    pub(super) fn each_branch(&self, mut visit: impl FnMut(Move)) {
        if !self.prunings.canonical || self.left() > 0 || self.rules.destination != Destination::Any {
            return self.each_move(visit);
        }
        let first = self.now.top.iter().position(|&top| top == NONE);
        self.each_move(|m| match m {
            Move::ToSpace { target, .. } | Move::FromReserve { target } if Some(target as usize) != first => {
            }
            _ => visit(m),
        });
    }
}
