//! Moves that need no alternative, each with its proof.

use super::rules::Fill;
use super::table::{AcesUp, Move, NONE, Next, Plan, suit};

/// Marks a pile of two or more cards in a plan; no card has this number.
pub(super) const LONG: u8 = 62;

impl AcesUp {
    #[inline]
    pub(super) fn forced_move(&self) -> Option<Move> {
        if let Some(plan) = self.now.plan {
            return Some(self.planned(plan));
        }
        let spaces = self.spaces();
        if spaces == 0 && !self.rules.reserve && !self.rules.optional_discards {
            // Nothing but a deal is legal, if that.
            return (self.left() > 0 && self.prunings.alone).then_some(Move::Deal);
        }
        if self.left() == 0 && spaces > 0 { self.free_move() } else { None }
    }

    /// What a plan wants next.
    pub(super) fn planned(&self, plan: Plan) -> Move {
        let wanted = |pile: u8| (plan.wanted >> (6 * pile) & 63) as u8;
        let piles = 0..self.rules.piles as u8;
        let places = || piles.clone().filter(|&pile| wanted(pile) != LONG);
        let top = |pile: u8| self.now.top[pile as usize];
        let mut space = NONE;
        for target in places().filter(|&pile| top(pile) == NONE) {
            space = target;
            if let Some(source) = places().find(|&pile| wanted(target) != NONE && top(pile) == wanted(target))
            {
                return Move::ToSpace { source, target };
            }
        }
        if let Some(source) = places().find(|&pile| top(pile) != NONE && top(pile) != wanted(pile)) {
            return Move::ToSpace { source, target: space };
        }
        match plan.next {
            Next::Deal => Move::Deal,
            Next::ToSpace { source } => Move::ToSpace { source, target: space },
            Next::FromReserve => Move::FromReserve { target: space },
        }
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
    fn free_move(&self) -> Option<Move> {
        if !self.prunings.free_moves
            || self.rules.optional_discards
            || self.rules.reserve
            || self.rules.fill == Fill::AcesOnly
        {
            return None;
        }
        for source in 0..self.rules.piles {
            let top = self.now.top[source];
            let below = self.under[top as usize & 63];
            if top != NONE && below != NONE && suit(below) == suit(top) && below > top {
                let mut to = NONE;
                self.each_target(|target| to = target);
                return Some(Move::ToSpace { source: source as u8, target: to });
            }
        }
        None
    }
}
