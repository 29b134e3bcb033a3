//! A packed deal with one merci: once, a buried card may be taken out of its fan.
//!
//! Fewer builds are safe before the merci is spent. The merci makes a new start of the table, from which play goes on
//! as in a plain deal.

use std::cell::Cell;

use super::opening::Opening;
use super::packed::{self, Heights, KINGS, Packed, each};
use crate::rng::mix;
use crate::search::Game;

/// Where the buried card may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merci {
    /// At once to its foundation, or onto a top card on which it may be built, that of its own fan included.
    Play,
    /// As `Play`, or to the top of its own fan.
    Front,
    /// Only the card directly below a top; as `Play`, without its own fan.
    Second,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    Plain(packed::Move),
    /// The buried card to its foundation.
    LiftUp(u8),
    /// The buried card onto the next card up, the top of another fan.
    LiftOnto(u8),
    /// The buried card to the top of its own fan.
    LiftFront(u8),
}

/// A deal that starts with one unspent merci.
#[derive(Clone, Debug)]
pub struct Merciful {
    deal: Packed,
    merci: Merci,
    /// The card on each card at the start; 63 on a top.
    above: [u8; 64],
    /// Cards that end a run which starts at the bottom of its fan: safe targets while the merci is unspent. Under
    /// `Play` a run may also start with a king.
    runs: u64,
    /// The table before the merci; `Some` once it is spent.
    before: Option<Box<Packed>>,
    /// The words of the cards, see `word`, xored with those of the start: equal for equal tables.
    hash: u128,
    /// Cards worth lifting in the position of the last call of `is_dead_end`, `bound` or `no_lift_leads_above`.
    candidates: Cell<u64>,
}

/// What `undo` restores.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    was_built: bool,
    runs: u64,
    hash: u128,
}

/// Returns the hash word of a card and the card beneath it; all words together identify a position.
fn word(bit: u8, beneath: u64) -> u128 {
    let seed = u64::from(bit) << 8 | u64::from(beneath.trailing_zeros());
    u128::from(mix(seed ^ 0x9E37_79B9_7F4A_7C15)) << 64 | u128::from(mix(seed ^ 0xD1B5_4A32_D192_ED03))
}

impl Merciful {
    pub fn new(deal: Packed, merci: Merci) -> Merciful {
        let (mut above, mut runs) = ([63; 64], 0u64);
        for bit in each(deal.in_play()) {
            let beneath = deal.beneath(bit);
            if beneath != 0 {
                above[beneath.trailing_zeros() as usize] = bit;
            }
        }
        // From the kings down, so that the card beneath is known where it is the next card up.
        for bit in (0..64).rev().filter(|&bit| deal.in_play() & 1 << bit != 0) {
            let beneath = deal.beneath(bit);
            let starts = beneath == 0 || merci == Merci::Play && KINGS & 1 << bit != 0;
            if starts || beneath == 2 << bit && runs & beneath != 0 {
                runs |= 1 << bit;
            }
        }
        Merciful { deal, merci, above, runs, before: None, hash: 0, candidates: Cell::new(!0) }
    }

    pub fn with_target(&self, target: Heights) -> Merciful {
        Merciful { deal: self.deal.with_target(target), ..self.clone() }
    }

    /// Makes the search stop at the first win, instead of maximising.
    pub fn only_decides(&mut self) {
        self.deal.maximizes = false;
    }

    pub fn is_spent(&self) -> bool {
        self.before.is_some()
    }

    pub fn deal(&self) -> &Packed {
        &self.deal
    }

    /// Returns the card that lies on a buried card.
    fn above(&self, bit: u8) -> u8 {
        // The card that lay on it at the start has not moved, unless the next card down was built there.
        if !bit.is_multiple_of(16) && self.deal.now.built & 1 << (bit - 1) != 0 {
            bit - 1
        } else {
            self.above[bit as usize]
        }
    }

    /// Returns the top of the fan of a buried card.
    fn own_top(&self, bit: u8) -> u8 {
        let mut top = bit;
        while self.deal.now.tops & 1 << top == 0 {
            top = self.above(top);
        }
        top
    }

    /// Returns the bound on the cards that go up if this card is lifted out now: it is free, and the card on it now
    /// lies on the card beneath it. `opened` is the fixed point without the lift.
    fn reachable_with(&self, bit: u8, opened: &Opening) -> u64 {
        let opening = Opening { free: opened.free | 1 << bit, ..*opened };
        self.deal.open(opening, 1 << self.above(bit), self.deal.beneath(bit)).goes_up
    }

    /// Returns the cards whose lift can be legal now or later and is of use, by the fixed point: a free card needs no
    /// merci. `Front` takes any card; the other kinds need its next lower card up or its next higher card free.
    fn hopefuls(&self, opened: &Opening) -> u64 {
        let buried = self.deal.in_play() & !opened.free;
        if self.merci == Merci::Front {
            buried
        } else {
            buried & (opened.goes_up << 1 | self.deal.now.wanted | opened.free >> 1)
        }
    }

    /// Returns true if `is_known` holds for the bounds on the heights of all lines from here, whichever card is lifted.
    /// Records in `candidates` the cards for which it does not hold, or all cards if it does not even hold without a
    /// merci.
    pub fn no_lift_leads_above(&self, is_known: impl Fn(Heights) -> bool) -> bool {
        self.candidates.set(!0);
        let opened = self.deal.open(Opening::of(&self.deal), 0, 0);
        let is_below = is_known(self.deal.heights_with(opened.goes_up));
        if self.is_spent() || !is_below {
            return is_below;
        }
        let mut candidates = 0;
        for bit in each(self.hopefuls(&opened)) {
            if !is_known(self.deal.heights_with(self.reachable_with(bit, &opened))) {
                candidates |= 1 << bit;
            }
        }
        self.candidates.set(candidates);
        candidates == 0
    }

    /// Pushes the legal mercis of the cards `among`.
    fn push_mercis(&self, out: &mut Vec<Move>, among: u64) {
        let now = &self.deal.now;
        let mut buried = self.deal.in_play() & !now.tops & among;
        if self.merci == Merci::Second {
            let mut seconds = 0;
            for top in each(now.tops) {
                seconds |= self.deal.beneath(top);
            }
            buried &= seconds;
        }
        out.extend(each(buried & now.wanted & self.deal.cap).map(Move::LiftUp));
        for bit in each(buried & now.tops >> 1) {
            if self.own_top(bit) != bit + 1 {
                out.push(Move::LiftOnto(bit));
            } else if self.merci != Merci::Second {
                out.push(Move::LiftFront(bit));
            }
        }
    }

    fn push_fronts(&self, out: &mut Vec<Move>, among: u64) {
        if self.merci == Merci::Front {
            // Where the own top is the next card up, `push_mercis` has pushed the lift already.
            let buried = self.deal.in_play() & !self.deal.now.tops & among;
            let lifts = each(buried).filter(|&bit| self.own_top(bit) != bit + 1);
            out.extend(lifts.map(Move::LiftFront));
        }
    }

    /// Lifts the card out and makes a new start of the table.
    fn lift(&mut self, bit: u8, target: Option<u8>) {
        let before = self.deal.clone();
        let above = self.above(bit);
        let deal = &mut self.deal;
        for built in each(before.now.built) {
            deal.start.beneath[built as usize] = before.beneath(built);
        }
        let beneath = before.beneath(bit);
        self.hash ^= word(above, 1 << bit) ^ word(above, beneath) ^ word(bit, beneath);
        deal.start.beneath[above as usize] = beneath;
        deal.now.built = 0;
        match target {
            None => {
                deal.now.wanted += 1 << bit;
                deal.now.up += 1;
            }
            Some(top) => {
                self.hash ^= word(bit, 1 << top);
                deal.start.beneath[bit as usize] = 1 << top;
                deal.now.tops = deal.now.tops ^ 1 << top | 1 << bit;
            }
        }
        deal.settle_start();
        self.before = Some(Box::new(before));
    }
}

impl Game for Merciful {
    type Move = Move;
    type Undo = Undo;
    /// The cards and what each lies on, 128 bits; a spent merci changes the key.
    type Key = u128;

    const ACYCLIC: bool = true;

    #[inline]
    fn most_moves(&self) -> usize {
        128
    }

    fn moves(&self, out: &mut Vec<Move>) {
        let mut plain = Vec::new();
        self.deal.moves(&mut plain);
        out.extend(plain.into_iter().map(Move::Plain));
        if !self.is_spent() {
            self.push_mercis(out, !0);
            self.push_fronts(out, !0);
        }
    }

    fn apply(&mut self, m: Move) -> Undo {
        let mut undo = Undo { was_built: false, runs: self.runs, hash: self.hash };
        match m {
            Move::Plain(m) => {
                let bit = m.bit();
                self.hash ^= word(bit, self.deal.beneath(bit));
                undo.was_built = self.deal.apply(m);
                match m {
                    packed::Move::ToFoundation(_) => {}
                    packed::Move::ToFan(_) => {
                        self.hash ^= word(bit, 2 << bit);
                        // The card belongs to the run on which it was built.
                        self.runs = self.runs & !(1 << bit) | self.runs >> 1 & 1 << bit;
                    }
                    packed::Move::ToSpace(_) => self.hash ^= word(bit, 0),
                }
            }
            Move::LiftUp(bit) => self.lift(bit, None),
            Move::LiftOnto(bit) => self.lift(bit, Some(bit + 1)),
            Move::LiftFront(bit) => self.lift(bit, Some(self.own_top(bit))),
        }
        undo
    }

    fn undo(&mut self, m: Move, undo: Undo) {
        match m {
            Move::Plain(m) => self.deal.undo(m, undo.was_built),
            _ => {
                if let Some(before) = self.before.take() {
                    self.deal = *before;
                }
            }
        }
        (self.runs, self.hash) = (undo.runs, undo.hash);
    }

    fn key(&self) -> u128 {
        // Never zero, which marks a free slot.
        (self.hash ^ if self.is_spent() { 0 } else { 0x5851_F42D_4C95_7F2D << 64 }) | 1
    }

    fn is_won(&self) -> bool {
        self.deal.is_won()
    }

    fn score(&self) -> i32 {
        self.deal.score()
    }

    fn max_score(&self) -> i32 {
        self.deal.max_score()
    }

    fn always_maximizes(&self) -> bool {
        self.deal.always_maximizes()
    }

    /// Returns a foundation move, or a build onto a run that starts at the bottom of its fan. Such a run makes a later
    /// merci in its fan useless: no card there is below anything but the run itself. Under `Play` builds onto a run
    /// that starts with a king are safe too. The specification's table lists positions in which more than this is
    /// wrong. Once the merci is spent, the forced moves are those of a plain deal.
    fn forced(&self) -> Option<Move> {
        if self.is_spent() {
            return self.deal.forced().map(Move::Plain);
        }
        let playable = self.deal.playable();
        if playable != 0 {
            return Some(Move::Plain(packed::Move::ToFoundation(playable.trailing_zeros() as u8)));
        }
        let safe = self.deal.buildable() & self.runs >> 1;
        (safe != 0).then(|| Move::Plain(packed::Move::ToFan(safe.trailing_zeros() as u8)))
    }

    /// Mercis that bring a card up or onto a top come first, those that only dig come last.
    fn branches(&self, out: &mut Vec<Move>) {
        let candidates = self.candidates.get();
        if !self.is_spent() {
            self.push_mercis(out, candidates);
        }
        let mut plain = Vec::new();
        self.deal.branches(&mut plain);
        out.extend(plain.into_iter().map(Move::Plain));
        if !self.is_spent() {
            self.push_fronts(out, candidates);
        }
    }

    /// Returns the number of cards that go up without the merci or with the best one. The bound holds because lifting a
    /// card that is free anyway adds nothing to the fixed point, and whichever card a line lifts, all cards that the
    /// line puts up are in the fixed point that has this card lifted from the start.
    fn bound(&self) -> i32 {
        self.candidates.set(!0);
        if self.is_spent() {
            return self.deal.bound();
        }
        let opened = self.deal.open(Opening::of(&self.deal), 0, 0);
        let mut most = opened.goes_up.count_ones();
        let all = self.deal.missing().count_ones();
        for bit in each(self.hopefuls(&opened)) {
            if most == all {
                break;
            }
            most = most.max(self.reachable_with(bit, &opened).count_ones());
        }
        (self.deal.now.up + most) as i32
    }

    /// Returns true if some cards are out of reach without a merci and no lifted card brings all of them up. Records
    /// the cards that may, or all cards if no merci is needed.
    fn is_dead_end(&self) -> bool {
        self.candidates.set(!0);
        if self.is_spent() {
            return self.deal.is_dead_end();
        }
        let missing = self.deal.missing();
        let opened = self.deal.open(Opening::of(&self.deal), 0, 0);
        if opened.goes_up == missing {
            return false;
        }
        let mut candidates = 0;
        for bit in each(self.hopefuls(&opened)) {
            if self.reachable_with(bit, &opened) == missing {
                candidates |= 1 << bit;
            }
        }
        self.candidates.set(candidates);
        candidates == 0
    }
}
