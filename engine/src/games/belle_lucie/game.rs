//! The [`Game`] trait for the general table.

use super::rules::Rules;
use super::table::{BelleLucie, Move, NONE, Place, SPREAD, Table};
use crate::cards::PACK;
use crate::search::Game;

impl Game for BelleLucie {
    type Move = Move;
    type Undo = Place;
    /// The fans as a set, the number of spaces, the mercis left and the deal; the heights follow from these.
    type Key = u128;

    /// If suits do not matter, a card may move back and forth between two others; with `build_up`, between the next
    /// lower and the next higher card.
    const ACYCLIC: bool = false;

    /// Returns an upper bound: at most 8 * 52 builds, and (52 - n) * n mercis with n fans.
    #[inline]
    fn most_moves(&self) -> usize {
        1200
    }

    fn moves(&self, out: &mut Vec<Move>) {
        self.push_moves(out);
    }

    fn apply(&mut self, m: Move) -> Place {
        let now = &mut self.now;
        match m {
            Move::ToFoundation(card) => {
                now.put_up(card);
                now.lift(card)
            }
            Move::ToFan(card, onto) => {
                let from = now.lift(card);
                now.lay(card, now.fan[onto as usize & 63]);
                from
            }
            Move::ToSpace(card) => {
                let space = now.first_space().expect("a king moves only if there is a space");
                let from = now.lift(card);
                now.lay(card, space);
                from
            }
            Move::MerciUp(card) => {
                now.mercis -= 1;
                now.put_up(card);
                now.lift(card)
            }
            Move::MerciOnto(card, onto) => {
                now.mercis -= 1;
                let from = now.lift(card);
                now.lay(card, now.fan[onto as usize & 63]);
                from
            }
            Move::MerciOwn(card) => {
                now.mercis -= 1;
                let from = now.lift(card);
                now.lay(card, from.fan);
                from
            }
            Move::Redeal => {
                self.redeal();
                Place { fan: 0, above: NONE }
            }
        }
    }

    fn undo(&mut self, m: Move, from: Place) {
        let now = &mut self.now;
        match m {
            Move::ToFoundation(card) => {
                now.put_up(card);
                now.put_back(card, from);
            }
            Move::ToFan(card, _) | Move::ToSpace(card) => {
                now.lift(card);
                now.put_back(card, from);
            }
            Move::MerciUp(card) => {
                now.mercis += 1;
                now.put_up(card);
                now.put_back(card, from);
            }
            Move::MerciOnto(card, _) | Move::MerciOwn(card) => {
                now.mercis += 1;
                now.lift(card);
                now.put_back(card, from);
            }
            Move::Redeal => self.now = self.before.pop().expect("a redeal was played"),
        }
    }

    fn key(&self) -> u128 {
        let Table { fans, mercis, deal, tops, links, .. } = self.now;
        // Empty fans are part of the key only where kings may move there.
        let spaces = if self.rules.kings_to_spaces { u32::from(fans) - tops.count_ones() } else { 0 };
        let rest = u128::from(mercis) | u128::from(deal) << 4 | u128::from(spaces) << 8;
        (links ^ (rest + 1).wrapping_mul(SPREAD)).max(1)
    }

    fn is_won(&self) -> bool {
        self.missing() == 0
    }

    fn score(&self) -> i32 {
        PACK as i32 - self.now.in_play.count_ones() as i32
    }

    fn max_score(&self) -> i32 {
        self.cap().count_ones() as i32
    }

    /// Returns true where one deal takes microseconds: there the specification asks for the best score.
    fn always_maximizes(&self) -> bool {
        let Rules { redeals, build_any, build_up, kings_to_spaces, .. } = self.rules;
        redeals == 0 && !build_any && !build_up && !kings_to_spaces
    }

    fn waits_for_chance(&self) -> bool {
        self.may_redeal() && !self.knows_redeal()
    }

    fn forced(&self) -> Option<Move> {
        self.safe_move()
    }

    fn branches(&self, out: &mut Vec<Move>) {
        self.push_branches(out);
    }

    fn bound(&self) -> i32 {
        self.score() + self.reachable().count_ones() as i32
    }

    fn is_dead_end(&self) -> bool {
        self.reachable() != self.missing()
    }
}
