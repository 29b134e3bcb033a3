//! Moves that need no alternative, each with its proof, and positions without any.

use super::rules::{Destination, Fill};
use super::table::{AcesUp, Move, NONE, bit, suit};

impl AcesUp {
    #[inline]
    pub(super) fn forced_move(&self) -> Option<Move> {
        if self.only_deals() {
            return Some(Move::Deal);
        }
        if self.rules.optional_discards {
            let discard = self.forced_discard();
            if discard.is_some() {
                return discard;
            }
        }
        if self.left() == 0 { self.free_move() } else { None }
    }

    /// Returns true if only a deal is legal, and no discard is left to choose.
    #[inline]
    pub(super) fn only_deals(&self) -> bool {
        self.prunings.alone
            && self.left() > 0
            && !self.rules.reserve
            && self.spaces() == 0
            && !self.may_discard()
    }

    /// Returns true if nothing more can be done: the stock is empty, and no top card can go anywhere.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.left() == 0
            && self.prunings.alone
            && !self.rules.reserve
            && (self.spaces() == 0 || (0..self.rules.piles).all(|pile| !self.is_long(pile)))
            && !self.may_discard()
    }

    /// Returns true if there is a discard to choose.
    #[inline]
    fn may_discard(&self) -> bool {
        self.rules.optional_discards && self.open_discard().is_some()
    }

    /// Returns the first pile whose top card may be discarded and is not kept.
    pub(super) fn open_discard(&self) -> Option<u8> {
        let is_open = |pile: usize| self.is_beaten(pile) && self.now.kept & bit(self.now.top[pile]) == 0;
        (0..self.rules.piles).find(|&pile| is_open(pile)).map(|pile| pile as u8)
    }

    /// Returns the discard of a top card x that is beaten by a top card y, where keeping x is useless.
    ///
    /// With an empty stock no top card is ever covered: one leaves only for a space, where it is a top card too, or
    /// beaten by a higher one. So whatever x could beat later, y or a higher card beats then. Copy any line after the
    /// discard, leaving out what it does with x: there are as many spaces or more, and the order of piles does not
    /// matter.
    ///
    /// With a stock, if x is the lowest card of its suit in play: it beats nothing. Copy any line after the discard,
    /// leaving out what it does with x: its table is the line's without x. What leaves a pile `[x c]` in the line
    /// leaves a pile `[c]` in the copy, so single cards must be free to go to any space, and the rules for deals must
    /// not require spaces, nor forbid them.
    ///
    /// Not with a cell: there y may be taken away.
    fn forced_discard(&self) -> Option<Move> {
        let rules = &self.rules;
        if !self.prunings.discards || rules.reserve {
            return None;
        }
        if self.left() == 0 {
            return (0..rules.piles)
                .find(|&pile| self.is_beaten(pile))
                .map(|pile| Move::Discard { pile: pile as u8 });
        }
        let is_free = rules.singletons
            && rules.destination == Destination::Any
            && rules.fill == Fill::Optional
            && !rules.deals_to_spaces;
        let lowest = |card: u8| {
            let lower = (0x1FFF << (card & 48)) & (bit(card) - 1);
            lower & !self.now.gone == 0
        };
        let mut piles = (0..rules.piles).filter(|&pile| is_free && self.is_beaten(pile));
        piles.find(|&pile| lowest(self.now.top[pile])).map(|pile| Move::Discard { pile: pile as u8 })
    }

    /// Returns true if a discard is worth trying only at once or after the next deal.
    ///
    /// Between two deals no top card is covered. Let a line discard x, which y beats now, later but before the next
    /// deal. The copy discards it now, and leaves out what the line does with x: y, or what beats y, beats what x
    /// beats, there are as many spaces or more, the same ones among them, and once the line has discarded x both are
    /// equal. The proof fails where a rule determines the space, which may be another one; and with a cell, because y
    /// may be taken away.
    #[inline]
    pub(super) fn discards_at_once(&self) -> bool {
        self.rules.optional_discards
            && self.prunings.discards
            && !self.rules.reserve
            && self.rules.destination == Destination::Any
    }

    /// Returns true if the top card of a pile lies on a higher card of its suit: moved to a space it is discarded at
    /// once, and the space is empty again.
    #[inline]
    pub(super) fn is_free(&self, pile: usize) -> bool {
        let top = self.now.top[pile & 7];
        let below = self.under[top as usize & 63];
        top != NONE && below != NONE && suit(below) == suit(top) && below > top
    }

    /// Returns, with an empty stock and a space, the move to the space of a top card c that lies on a higher card x of
    /// its suit: x beats it there, and the space is empty again.
    ///
    /// Discards are forced, or may be treated so (`forced_discard`), and nothing is dealt, so no top card is ever
    /// covered: one leaves only for a space, where it is a top card too, or beaten by a higher one. So once y is a top
    /// card, all lower cards of its suit are discarded as soon as they become top cards. Copy any line L after the
    /// move, leaving out what L does with c. As long as c lies on x in L, x does in the copy all that c does: a lower
    /// card of the suit is discarded by either. When a higher card y of the suit becomes a top card, c goes in L and x
    /// and y meet, as they do in the copy; when L moves c, it is discarded at once. In both cases both lines have then
    /// reached the same position. Where L never does any of this, it has c and x at the end, the copy only x. Not with
    /// a cell: there top cards may be taken away and come back.
    #[inline]
    fn free_move(&self) -> Option<Move> {
        if !self.prunings.free_moves
            || self.rules.optional_discards && !self.prunings.discards
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

    /// Calls `visit` with the legal moves, leaving out moves to another equivalent space: with an empty stock the order
    /// of piles does not matter.
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
