//! Moves that need no alternative, each with its proof.

use super::rules::{LOWS, ToEmpty, partner};
use super::table::{Agnes, Move, NONE, Next, bit, each};

impl Agnes {
    pub(super) fn forced_move(&self) -> Option<Move> {
        if let Some(next) = self.pending {
            return Some(self.next_move(next));
        }
        if self.prunings.forced {
            if let Some(card) = self.forced_up() {
                return Some(Move::ToFoundation { pile: self.at[card as usize & 63], card });
            }
        }
        if self.prunings.join {
            if let Some(m) = self.forced_join() {
                return Some(m);
            }
        }
        if self.prunings.forced && self.has_shuttles() { self.forced_shift() } else { None }
    }

    /// A card that is forced up once the run on it has gone to the other card that may bear it: the
    /// positions before and after that shift are worth the same, see `shuttles`.
    fn forced_shift(&self) -> Option<Move> {
        let ups = self.wanted() & self.near() & !self.tops;
        if ups == 0 {
            return None;
        }
        let mut forced = None;
        self.each_shuttle(|shuttle| {
            if ups & bit(shuttle.on) != 0 {
                forced = Some(shuttle.then(Next::ToFoundation { pile: shuttle.pile, card: shuttle.on }));
            }
        });
        forced
    }

    /// The cards at most two higher than what the foundation of their partner suit has reached.
    fn near(&self) -> u64 {
        (partner(self.up) << 2) | (3 * LOWS)
    }

    /// A top card c of height h and suit s that its foundation takes, where the partner suit's
    /// foundation has reached at least height h - 2. Write w for the card of height h - 1 and the
    /// partner suit.
    ///
    /// Where runs may be cut: the only cards that can be packed on c are of height h - 1: that of
    /// suit s, which is up, and w. If w is not up it is the next of its suit, and nothing can be packed
    /// on it: the cards one lower are up. So copy any line L after the move, leaving out what L does
    /// with c; when L lays w on c, or a deal brings w, the copy plays w up instead, if L has not done so.
    /// Piles of the copy are those of L without c and without a w that lay on c or was dealt; every
    /// other move of L finds its unit (a run without c or w in the middle: they are at its
    /// end), and its target (never c or w in the copy's sense, or a top card there too). Where L uses
    /// c's old place as an empty pile, the copy's is empty no later. So the copy ends with at least
    /// L's score.
    ///
    /// Where runs may not be cut, the copy must not lengthen a run that L leaves short. New neighbours
    /// arise only where a dealt card y fell on c (or on w on c) and now falls on the card a under c.
    /// Either a is the present one: then no card of the stock may lengthen its run. Or a is a
    /// card of height h + 1 onto which L carried c: there only the partner of c would lengthen the run: it
    /// must not be in the stock. With an empty stock nothing is dealt and there is no condition.
    fn forced_up(&self) -> Option<u8> {
        let ups = self.tops & self.wanted() & self.near();
        if ups == 0 {
            return None;
        }
        if self.masks.cuts != 0 || self.in_stock == 0 {
            return Some(ups.trailing_zeros() as u8);
        }
        each(ups).find(|&card| {
            let below = self.under[card as usize & 63];
            let joining = if below == NONE { 0 } else { self.masks.carried_by(bit(below)) };
            (partner(bit(card)) | joining) & self.in_stock == 0
        })
    }

    /// With an empty stock: a unit headed by c, of height h and suit s, can go onto x, the next card of
    /// its suit, and the partner of c is up.
    ///
    /// All cards of the partner suit up to height h are up, so only cards of suit s in sequence can ever
    /// lie on c, and only c can be packed on x. Copy any line L after the move, with c kept on x: each
    /// unit of L that ends with x moves with c's run on it, which is one run, in suit and colour;
    /// moves of c are left out; c goes up when L plays it up, and never stops x, which goes up after
    /// c anyway. Empty piles arise no later than in L. So joining loses nothing, and for the same reason
    /// such a link is not cut again. Each join shortens what is left to be joined: forced moves end.
    ///
    /// It would be wrong where a card goes to an empty pile only alone (x alone may, x with c may not), and
    /// with a stock (a dealt card can bury c and x together).
    fn forced_join(&self) -> Option<Move> {
        let heads = self.kept_together() & self.tops >> 1;
        if heads == 0 {
            return None;
        }
        for pile in 0..self.rules.piles {
            let (mut head, mut count) = (self.top[pile], 1);
            while head != NONE {
                let is_linked = self.linked & bit(head) != 0;
                if heads & bit(head) != 0 && (self.masks.cuts != 0 || !is_linked) {
                    let target = self.at[(head as usize + 1) & 63];
                    return Some(Move::ToPile { source: pile as u8, target, count, head });
                }
                head = if is_linked { self.under[head as usize & 63] } else { NONE };
                count += 1;
            }
        }
        None
    }

    /// The cards that belong on the next card of their suit whenever they can go there.
    pub(super) fn kept_together(&self) -> u64 {
        let is_sound = !matches!(self.rules.to_empty, ToEmpty::AnyOne | ToEmpty::HighOne);
        if self.prunings.join && is_sound && self.in_stock == 0 {
            partner(self.up) & !self.up & self.masks.all
        } else {
            0
        }
    }
}
