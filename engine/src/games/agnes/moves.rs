//! The moves of Agnes Sorel: all legal ones in the order of the Python rules, and those that a search has to try.

use super::rules::{ToEmpty, partner};
use super::table::{Agnes, Move, NONE, bit, each};

/// The number of branches that are sorted. There are seldom more; the rest is tried unsorted.
const SORTED: usize = 64;

/// A unit that may be taken.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) pile: u8,
    pub(super) head: u8,
    pub(super) count: u8,
}

impl Agnes {
    /// Pushes foundation moves by pile, tableau moves by pile, number of cards and target, and the deal.
    pub(super) fn push_moves(&self, out: &mut Vec<Move>) {
        self.push_ups(out);
        for unit in (0..self.rules.piles).flat_map(|pile| self.units(pile)) {
            let hosts = self.masks.hosts(bit(unit.head));
            let fills = self.may_fill(unit);
            for (target, &top) in self.top[..self.rules.piles].iter().enumerate() {
                if target != unit.pile as usize && if top == NONE { fills } else { hosts & bit(top) != 0 } {
                    out.push(unit.to(target as u8));
                }
            }
        }
        if self.left() > 0 {
            out.push(Move::Deal);
        }
    }

    fn push_ups(&self, out: &mut Vec<Move>) {
        let ups = self.tops & self.wanted();
        if ups != 0 {
            let tops = (0..).zip(&self.top[..self.rules.piles]);
            let ups = tops.filter(|&(_, &card)| ups & bit(card) != 0);
            out.extend(ups.map(|(pile, &card)| Move::ToFoundation { pile, card }));
        }
    }

    /// Returns the units of a pile that may be taken, the shortest first. Where runs are not cut, there is only one.
    pub(super) fn units(&self, pile: usize) -> impl Iterator<Item = Unit> {
        let mut next = Unit { pile: pile as u8, head: self.top[pile], count: 1 };
        std::iter::from_fn(move || {
            while next.head != NONE {
                let (unit, is_linked) = (next, self.linked & bit(next.head) != 0);
                next.head = if is_linked { self.under[unit.head as usize & 63] } else { NONE };
                next.count += 1;
                if self.masks.cuts != 0 || !is_linked {
                    return Some(unit);
                }
            }
            None
        })
    }

    /// Returns the unit with this head, if it may be taken.
    pub(super) fn unit_headed(&self, head: u8) -> Option<Unit> {
        (0..self.rules.piles).flat_map(|pile| self.units(pile)).find(|unit| unit.head == head)
    }

    pub(super) fn may_fill(&self, unit: Unit) -> bool {
        let ones = if unit.count == 1 { self.masks.ones_to_empty } else { 0 };
        (self.masks.runs_to_empty | ones) & bit(unit.head) != 0
    }

    /// Pushes the moves that a search must try where none is forced, the most promising first.
    pub(super) fn push_branches(&self, out: &mut Vec<Move>) {
        self.push_ups(out);
        let begin = out.len();
        let mut scores = [0i16; SORTED];
        let kept = self.in_suit & self.belonging();
        let has_shuttles = self.has_shuttles();
        let is_sorted = self.prunings.order && self.is_order_good();
        for unit in (0..self.rules.piles).flat_map(|pile| self.units(pile)) {
            let head = unit.head;
            let is_whole = self.under[head as usize & 63] == NONE;
            if kept & bit(head) != 0 || is_whole && self.stays_whole(unit.pile as usize) {
                continue;
            }
            let mut push = |target: u8, score: i16| {
                let place = out.len() - begin;
                out.push(unit.to(target));
                if is_sorted && place < SORTED {
                    let mut place = place;
                    while place > 0 && scores[place - 1] < score {
                        scores[place] = scores[place - 1];
                        out.swap(begin + place, begin + place - 1);
                        place -= 1;
                    }
                    scores[place] = score;
                }
            };
            let mut hosts = self.masks.hosts(bit(head)) & self.tops;
            if has_shuttles && self.linked & bit(head) != 0 {
                // These moves are shifts, which stay in the same class.
                hosts = 0;
            }
            let fills = self.may_fill(unit);
            if hosts == 0 && !fills {
                continue;
            }
            let leaving = if is_sorted { self.score_of_leaving(unit) } else { 0 };
            for host in each(hosts) {
                push(self.at[host as usize & 63], leaving + if host == head + 1 { 40 } else { 0 });
            }
            if fills {
                self.empty_targets(unit.pile, is_whole, |target| {
                    push(target, leaving - if is_whole { 200 } else { 60 });
                });
            }
        }
        if has_shuttles {
            self.push_after_shifts(out);
        }
        if self.left() > 0 {
            self.push_deals(out);
        }
    }

    /// Calls `push` with the empty piles that are worth trying. Of several empty piles that no deal will reach one is
    /// enough, because these piles are interchangeable; and a whole pile in such a place need not go to another.
    pub(super) fn empty_targets(&self, pile: u8, is_whole: bool, mut push: impl FnMut(u8)) {
        let common = if self.prunings.canonical { self.served() } else { self.rules.piles };
        let mut skip = is_whole && pile as usize >= common;
        for (target, _) in self.top[..self.rules.piles].iter().enumerate().filter(|&(_, &top)| top == NONE) {
            if target >= common && std::mem::replace(&mut skip, true) {
                return;
            }
            push(target as u8);
        }
    }

    /// Returns true if the order of branches is worth its time. Measured: this order finds wins sooner, or is as good
    /// as any other, except where single cards of any height go to empty piles.
    fn is_order_good(&self) -> bool {
        self.rules.to_empty != ToEmpty::AnyOne
    }

    /// Returns a score for taking this unit from where it lies; higher is more promising.
    fn score_of_leaving(&self, unit: Unit) -> i16 {
        let below = self.under[unit.head as usize & 63];
        if below == NONE {
            return 20 + if self.rules.to_empty == ToEmpty::Nothing { -20 } else { 40 };
        }
        let mut score = 0;
        if self.face_down & bit(below) != 0 {
            score += 60;
        }
        if self.wanted() & bit(below) != 0 {
            score += 50;
        }
        score
            + if below == unit.head + 1 {
                -80
            } else if partner(bit(below)) == bit(unit.head) << 1 {
                -30
            } else {
                20
            }
    }
}

impl Unit {
    pub(super) fn to(self, target: u8) -> Move {
        Move::ToPile { source: self.pile, target, count: self.count, head: self.head }
    }
}
