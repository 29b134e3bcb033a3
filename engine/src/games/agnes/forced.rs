//! Moves that need no alternative, each with its proof.
//!
//! In all proofs c is a card of height h and suit s, and c' its *twin*: the card of the same height and colour. The
//! cards one height higher are the hosts, x in the suit of c and x' in that of c'. The cards one height lower are w, in
//! the suit of c, and w', in that of c'.

use super::rules::{LOWS, ToEmpty, partner};
use super::table::{Agnes, Move, NONE, Next, bit, each};

impl Agnes {
    pub(super) fn forced_move(&self) -> Option<Move> {
        if let Some(next) = self.pending {
            return Some(self.next_move(next));
        }
        if let Some(card) = self.forced_up() {
            return Some(Move::ToFoundation { pile: self.at[card as usize & 63], card });
        }
        if self.is_last_deal_free() {
            return Some(Move::Deal);
        }
        if let Some(join) = self.forced_join() {
            return Some(join);
        }
        if self.prunings.forced && self.has_shuttles() { self.forced_shift() } else { None }
    }

    /// Returns a shift that uncovers a card which then is forced up: the run on the card goes to the other card that
    /// may bear it. The positions before and after the shift are worth the same, see `shuttles`.
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

    /// Returns true if the next deal is the last one and all its cards would go up at once, one after the other, as
    /// forced cards: then dealing now loses nothing.
    ///
    /// Proof. Let the copy deal, play these cards up, and then follow any line L. Up to the deal of L it plays L move
    /// for move, because the piles are the same and the foundations further on. The cards of the deal are still forced
    /// ones when L deals: no foundation of their suits has passed them, and none goes back. By the proof of `forced_up`
    /// for an empty stock, the position of L after its deal is worth as much as the same position with these cards up,
    /// and that is the position of the copy. If L never deals, the copy has the higher score. The copy has no more
    /// moves than a best line.
    fn is_last_deal_free(&self) -> bool {
        let (mut up, mut rest) = (self.up, self.in_stock);
        let mut ups = rest & self.wanted() & self.near();
        // There are seldom any.
        if ups == 0 || self.left() > self.rules.piles || !self.prunings.early {
            return false;
        }
        while ups != 0 {
            up |= ups;
            rest &= !ups;
            ups = rest & (up + LOWS) & near(up);
        }
        rest == 0
    }

    /// Returns the cards at most two higher than the top of the foundation of their partner suit.
    pub(super) fn near(&self) -> u64 {
        near(self.up)
    }

    /// Returns a top card c that its foundation takes, where w' is up or the next of its suit.
    ///
    /// Where runs may be cut: the only cards that can be packed on c are w, which is up, and w'. If w' is not up, it is
    /// the next of its suit, and nothing can be packed on it: the cards one lower are up. So copy any line L after the
    /// move, leaving out what L does with c. When L lays w' on c, or a deal brings w', the copy plays w' up instead, if
    /// L has not done so. The piles of the copy are those of L without c and without a w' that lay on c or was dealt.
    /// Every other move of L finds its unit (a run without c or w' in the middle: they are at its end) and its target
    /// (never c or w' in the copy's sense, or a top card there too). Where L uses c's old place as an empty pile, the
    /// copy's is empty no later. So the copy ends with at least L's score.
    ///
    /// Where runs may not be cut, the copy must not lengthen a run that L leaves short. New neighbours arise only where
    /// a dealt card y fell on c (or on w' on c) and now falls on the card a under c. Either a is the present one: then
    /// no card of the stock may lengthen its run. Or a is a card of height h + 1 onto which L carried c: there only c'
    /// would lengthen the run, so c' must not be in the stock. With an empty stock nothing is dealt and there is no
    /// condition.
    fn forced_up(&self) -> Option<u8> {
        let ups = self.tops & self.wanted();
        if ups == 0 || !self.prunings.forced {
            return None;
        }
        let near = ups & self.near();
        if self.masks.cuts != 0 || self.in_stock == 0 {
            return if near != 0 { Some(near.trailing_zeros() as u8) } else { self.forced_up_by_twin(ups) };
        }
        each(near).find(|&card| {
            let below = self.under[card as usize & 63];
            let joining = if below == NONE { 0 } else { self.masks.carried_by(bit(below)) };
            (partner(bit(card)) | joining) & self.in_stock == 0
        })
    }

    /// Returns a top card c that its foundation takes, if w' never needs it: c' is a top card, or w' lies on c', or w'
    /// is the bottom card of a pile, where whole piles need not move.
    ///
    /// The stock is empty, so only w and w' can ever come to lie on c or c', and w is up: a c' that is clear stays
    /// clear for w'. Copy any line L after the move, leaving out what L does with c; whenever L lays w' on c or on c',
    /// it lies on c' in the copy. What lies on w' is one run with it and c', in suit too, because the cards of suit s
    /// below h are up. So c' moves with w' on it wherever L moves c' alone (`goes_together`), and c' goes up only after
    /// w'. A bottom card w' is never moved except up, by the proof of `is_still`.
    fn forced_up_by_twin(&self, ups: u64) -> Option<u8> {
        if !self.prunings.twins || !self.goes_together() {
            return None;
        }
        let guests = self.in_suit | if self.is_still() { self.bottoms } else { 0 };
        let ups = ups & partner(self.tops | guests << 1);
        (ups != 0).then(|| ups.trailing_zeros() as u8)
    }

    /// Returns the move of a unit headed by c onto x, if c belongs there.
    fn forced_join(&self) -> Option<Move> {
        let heads = self.belonging() & self.tops >> 1 & !self.in_suit;
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

    /// Returns the cards c that belong on x: they may go there at once and need never leave x except for their
    /// foundation.
    ///
    /// The stock is empty, so only c and c' can ever come to lie on x or x'. First let c' be up. All cards of its suit
    /// up to height h are up, so only cards of suit s in sequence can ever lie on c, and only c can be packed on x.
    /// Copy any line L after the move, with c kept on x. Each unit of L that ends with x moves with c's run on it,
    /// which is one run, in suit and colour (`goes_together`). Moves of c are left out. The card c goes up when L plays
    /// it up, and never stops x, which goes up after c anyway. Empty piles arise no later than in L. Where runs are not
    /// cut, L finds no unit shorter than in the copy.
    ///
    /// If c' is not up, it is enough that it does not need x: x' is a top card, or c lies on x' and leaves it, or c'
    /// lies on x', or c' is a bottom card where whole piles need not move. The copy then also keeps c' on x' whenever L
    /// lays it on x or x': nothing else can be there. In colour games everything that lies on c or c' is one run with
    /// it. In suit games a card of the other suit on c would keep x from moving with c: so there w' must be up.
    ///
    /// Each join makes one more pair of neighbours in suit and breaks none, so sequences of forced moves end. With a
    /// stock it would be wrong: a dealt card can bury c and x together.
    pub(super) fn belonging(&self) -> u64 {
        if !self.prunings.join || !self.goes_together() {
            return 0;
        }
        let mut cards = partner(self.up);
        if self.prunings.twins {
            let bottoms = if self.is_still() { self.bottoms } else { 0 };
            let low = self.masks.partners | partner(self.up) << 1 | LOWS;
            let crossed = self.packed & !self.in_suit;
            cards |= low & (partner(self.tops >> 1 | self.in_suit | bottoms) | crossed);
        }
        cards & self.masks.all & !self.up
    }

    /// Returns true if a unit may go wherever a shorter one with the same head may go, and no deal comes between. False
    /// where single cards go to empty piles: x alone may, x with c may not.
    pub(super) fn goes_together(&self) -> bool {
        self.in_stock == 0 && !matches!(self.rules.to_empty, ToEmpty::AnyOne | ToEmpty::HighOne)
    }

    /// Returns true if whole piles need not move: no empty pile is of any use, or there are enough of them.
    ///
    /// The stock is empty. Let U be a unit that is a whole pile, and L a line that moves it onto a card y. The copy
    /// leaves it where it is: U is as free there, y is clear, and a unit of L that ends with U on y moves without U.
    /// All that L gains is one more empty pile. With `none` nothing may go there. Where only high cards head what goes
    /// there, each of them goes there at most once, because then it is the bottom card of its pile. So as many empty
    /// piles as there are high cards above others are enough for the rest of the game.
    pub(super) fn is_still(&self) -> bool {
        match self.rules.to_empty {
            ToEmpty::Nothing => true,
            ToEmpty::AnyOne | ToEmpty::AnyRun => false,
            ToEmpty::HighOne | ToEmpty::HighRun => {
                let empty = self.top[..self.rules.piles].iter().filter(|&&top| top == NONE).count();
                let highs = each(self.masks.highs & !self.up);
                empty >= highs.filter(|&card| self.under[card as usize & 63] != NONE).count()
            }
        }
    }

    /// Returns true if a unit that is a whole pile, from this pile, need not be moved.
    ///
    /// With an empty stock see `is_still`. Before the last deal it holds for the piles that the deal does not reach,
    /// with `none` and where runs may be cut. The proof is the same, but a dealt card z may fall on y in the copy and
    /// on U in L. If z can be packed on the end of U, the copy moves it there at once, from y, where it is a single top
    /// card; if not, U lies free in the copy and under z in L.
    pub(super) fn stays_whole(&self, pile: usize) -> bool {
        if !self.prunings.twins {
            return false;
        }
        if self.in_stock == 0 {
            return self.is_still();
        }
        self.rules.to_empty == ToEmpty::Nothing && self.masks.cuts != 0 && pile >= self.served()
    }
}

fn near(up: u64) -> u64 {
    (partner(up) << 2) | (3 * LOWS)
}
