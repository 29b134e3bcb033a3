//! Runs that can move back and forth: a search treats positions that differ only in the places of such runs as one.
//!
//! This applies to games of one colour whose runs may be split. Let g lie on a face-up card a, one higher and of its
//! colour, let b, the other such card, be a top card, and let all cards above g be linked. Then g with what lies on it
//! is a *shuttle*: it can go onto b, and back. It stays one whatever other shuttles do: they take linked cards from its
//! end or lay linked cards there, and never onto a or b, which bear no other card of its height. So the positions that
//! differ only in the places of shuttles form a *class*: each can be reached from each, and all are worth the same.
//! There are no other moves between packed places: a unit that lies packed and can go onto another card is a shuttle.
//!
//! One key identifies the class (`class_key`), and one position R represents it. From R a search must try the moves of
//! all positions of the class, up to the class they lead to. Let M be another position of the class, m a move from M
//! that is no shift and no deal.
//! - *t goes up*. If t is covered in R, by the shuttle g, shift g; else no shift is needed. No other shuttle that lies
//!   elsewhere in M has t as one of its two places (else it would lie on t in R, and be g), so those are shuttles still
//!   after the move, or have gone up: the classes reached are equal.
//! - *u goes onto y*. If y is covered in R, by the shuttle g, shift g: then u is the other card of g's height. Else no
//!   shift is needed: what lies on u differs by linked cards only. Again no other shuttle has y as one of its places.
//! - *u goes to an empty pile*. Shuttles never empty a pile. If u must be alone, and in R the shuttle g lies on it,
//!   shift g. Else no shift is needed: with g or without it u comes to the same class.
//!
//! Before a deal any set of shuttles may have to be shifted, because the dealt cards bury them. A shuttle that goes
//! between piles which the deal does not reach, and on which no other relevant shuttle can end, is still a shuttle
//! after the deal and need not be shifted.
//!
//! The search of classes is finite and correct for the same reason as the search of positions. Take a best line from
//! any position of a class, with the fewest moves other than shifts. Its first such move leads to a class that is tried
//! and has a shorter line. Forced moves shorten that number, too, or keep it and join what is never cut again: links
//! that are kept for good are no shuttles.

use super::keys::{EITHER, LINKS};
use super::rules::partner;
use super::table::{Agnes, Move, NONE, Next, bit, each};

/// A run that can go from one card to another and back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shuttle {
    pub(super) head: u8,
    /// The number of cards in the run.
    pub(super) count: u8,
    /// The card on which the run lies; `pile` is the pile of that card.
    pub(super) on: u8,
    pub(super) pile: u8,
    /// The pile of the other card.
    pub(super) to: u8,
}

impl Shuttle {
    fn piles(self) -> u16 {
        1 << self.pile | 1 << self.to
    }

    /// Returns the move that shifts this run, followed by `next`.
    pub(super) fn then(self, next: Next) -> Move {
        Move::Shift { source: self.pile, target: self.to, count: self.count, head: self.head, next }
    }
}

impl Agnes {
    /// Returns true if the rules have shuttles. Where joins are forced by twins (see `belonging`) there are none: of
    /// two cards that could bear a run, the one in its suit does, for good.
    pub(super) fn has_shuttles(&self) -> bool {
        self.prunings.shuttles
            && self.masks.cuts & self.masks.partners != 0
            && !(self.prunings.join && self.prunings.twins && self.goes_together())
    }

    /// Calls `what` with all shuttles, by pile and from the top down.
    #[inline(always)]
    pub(super) fn each_shuttle(&self, mut what: impl FnMut(Shuttle)) {
        // The head of a shuttle must be a linked card that fits a top card.
        if self.linked & self.masks.packed_on(self.tops) == 0 {
            return;
        }
        let kept = self.in_suit & self.belonging();
        for pile in 0..self.rules.piles {
            let (mut card, mut count) = (self.top[pile], 0);
            while self.linked & bit(card) != 0 {
                let (head, on) = (card, self.under[card as usize & 63]);
                (card, count) = (on, count + 1);
                let other = partner(bit(on)) & self.tops;
                if other != 0 && kept & bit(head) == 0 {
                    let to = self.at[other.trailing_zeros() as usize & 63];
                    what(Shuttle { head, count, on, pile: pile as u8, to });
                }
            }
        }
    }

    /// Returns the key of the class: each shuttle lies on "either" of its places.
    pub(super) fn class_key(&self) -> u128 {
        let mut key = self.key;
        if self.has_shuttles() {
            self.each_shuttle(|shuttle| {
                let links = &LINKS[shuttle.head as usize & 63];
                key ^= links[shuttle.on as usize & 63] ^ links[EITHER];
            });
        }
        key
    }

    /// Pushes the moves that need a shift before them, except deals.
    pub(super) fn push_after_shifts(&self, out: &mut Vec<Move>) {
        self.each_shuttle(|shuttle| {
            let Shuttle { on, pile, .. } = shuttle;
            if self.wanted() & bit(on) != 0 {
                out.push(shuttle.then(Next::ToFoundation { pile, card: on }));
            }
            let twin = partner(bit(shuttle.head)).trailing_zeros() as u8;
            if let Some((source, count)) = self.unit_of(twin) {
                out.push(shuttle.then(Next::ToPile { source, target: pile, count, head: twin }));
            }
            if self.masks.ones_to_empty & bit(on) != 0 {
                let is_whole = self.under[on as usize & 63] == NONE;
                self.empty_targets(pile, is_whole, |target| {
                    out.push(shuttle.then(Next::ToPile { source: pile, target, count: 1, head: on }));
                });
            }
        });
    }

    /// Returns the pile and the length of the unit of which this card is the head, if it is one.
    fn unit_of(&self, head: u8) -> Option<(u8, u8)> {
        for pile in 0..self.rules.piles {
            let (mut card, mut count) = (self.top[pile], 1);
            while card != NONE {
                if card == head {
                    return Some((pile as u8, count));
                }
                card = if self.linked & bit(card) != 0 { self.under[card as usize & 63] } else { NONE };
                count += 1;
            }
        }
        None
    }

    /// Pushes the deals, one for each set of shuttles that may have to be shifted before it. Leaves out deals that need
    /// not be tried because the moves made last can be made after them.
    ///
    /// Let Q be the position, and P the one that the search expanded before it, from which the moves m lead to Q. If m
    /// changed none of the piles that the deal or the shifts before it use, shifts and deal are possible in P, and m
    /// after them: its units and targets lie there as before, and neither shifts nor deals change foundations. Both
    /// orders end in one position, so everything that follows from it follows after the shifts and the deal from P,
    /// which are tried there; or they are left out there for the same reason, and so tried still earlier.
    ///
    /// Positions are marked as seen whether or not their deals were left out. That is sound: a position of this search
    /// stands for the deal left out, whatever line reaches Q. Only the last deal does not reach all piles, so nothing
    /// is left out after it, and the argument is not circular.
    pub(super) fn push_deals(&self, out: &mut Vec<Move>) {
        let served: u16 = (1 << self.served()) - 1;
        let changed = if self.prunings.commute { self.touched } else { !0 };
        if changed & served != 0 {
            out.push(Move::Deal);
        }
        if !self.has_shuttles() {
            return;
        }
        let (list, count) = self.list();
        let list = &list[..count];
        // Piles whose top may differ, in a way that matters, by the shuttles that are shifted.
        let mut touched = served;
        let mut shifted: u16 = 0;
        loop {
            let before = shifted;
            for (place, shuttle) in list.iter().enumerate() {
                let piles = shuttle.piles();
                if touched & piles != 0 {
                    touched |= piles;
                    shifted |= 1 << place;
                }
            }
            if shifted == before {
                break;
            }
        }
        // Every subset but the empty one.
        let mut subset = shifted;
        while subset != 0 {
            let used = each(subset.into()).fold(served, |piles, place| piles | list[place as usize].piles());
            if changed & used != 0 {
                let first = subset.trailing_zeros() as usize;
                out.push(list[first].then(Next::Deal { shifts: subset & (subset - 1) }));
            }
            subset = (subset - 1) & shifted;
        }
    }

    /// Returns the shuttles ordered by their heads, which is the same order in the whole class.
    fn list(&self) -> ([Shuttle; 16], usize) {
        let mut list = [Shuttle { head: NONE, count: 0, on: NONE, pile: 0, to: 0 }; 16];
        let mut count = 0;
        self.each_shuttle(|shuttle| {
            list[count] = shuttle;
            count += 1;
        });
        list[..count].sort_unstable_by_key(|shuttle| shuttle.head);
        (list, count)
    }

    /// Returns the move that now follows a shift.
    pub(super) fn next_move(&self, next: Next) -> Move {
        match next {
            Next::ToFoundation { pile, card } => Move::ToFoundation { pile, card },
            Next::ToPile { source, target, count, head } => Move::ToPile { source, target, count, head },
            Next::Deal { shifts: 0 } => Move::Deal,
            Next::Deal { shifts } => {
                let Shuttle { head, count, pile, to, .. } = self.list().0[shifts.trailing_zeros() as usize];
                Move::ToPile { source: pile, target: to, count, head }
            }
        }
    }
}

impl Next {
    /// Returns what is left of a sequence after its next move `m` is made.
    pub(super) fn after(self, m: Move) -> Option<Next> {
        match self {
            Next::Deal { shifts } if m != Move::Deal => Some(Next::Deal { shifts: shifts & (shifts - 1) }),
            _ => None,
        }
    }
}

impl Move {
    /// Returns the move in the terms of the rules.
    pub(super) fn plain(self) -> Move {
        match self {
            Move::Shift { source, target, count, head, .. } => Move::ToPile { source, target, count, head },
            _ => self,
        }
    }
}
