//! The environment of La Belle Lucie: docs/envs/belle-lucie.md defines the numbers and bytes.

use super::rules::{Merci, Rules};
use super::table::{BelleLucie, KINGS, Move, NONE, bit, each};
use crate::Fault;
use crate::cards::PACK;
use crate::envs::{Legal, Stepped};
use crate::games::Playable;
use crate::search::Game;

/// The first action of each kind: to the foundation, to the top of its own fan, a king into a space, onto a card.
const UP: usize = 1;
const OWN: usize = UP + PACK;
const SPACE: usize = OWN + PACK;
const ONTO: usize = SPACE + 4;
/// The number of targets of a card: four of the next higher rank and four of the next lower; all cards where a merci
/// goes anywhere.
const BASES: usize = 8;

/// The offsets of the parts of an observation: for each card what lies below it and how many lie on it; the
/// foundations; mercis and redeals left; spaces.
const BELOW: usize = 0;
const BURIED: usize = BELOW + PACK;
const FOUNDATIONS: usize = BURIED + PACK;
const MERCIS: usize = FOUNDATIONS + 4;
const REDEALS: usize = MERCIS + 1;
const SPACES: usize = REDEALS + 1;
/// The value of `BELOW` for a card that is up.
const IS_UP: u8 = 53;

/// Returns the index of a card in the order of the page, where the suits are S H D C: its code less one.
#[inline]
fn place(card: u8) -> usize {
    usize::from(13 * (3 - card % 4) + card / 4)
}

/// Returns the card at an index.
#[inline]
fn card_at(place: usize) -> u8 {
    (4 * (place % 13) + 3 - place / 13) as u8
}

fn targets_of(rules: &Rules) -> usize {
    if rules.merci == Merci::Anywhere { PACK } else { BASES }
}

impl BelleLucie {
    /// Returns the action that brings a card onto another.
    #[inline]
    fn onto(card: u8, onto: u8, targets: usize) -> usize {
        let target = if targets == PACK {
            place(onto)
        } else {
            usize::from(3 - onto % 4 + if onto > card { 0 } else { 4 })
        };
        ONTO + targets * place(card) + target
    }

    /// Returns the move of a legal action. The move of a buried card is a merci.
    #[inline]
    fn decode(&self, action: usize) -> Move {
        let is_top = |card: u8| self.now.tops & bit(card) != 0;
        if action >= ONTO {
            let targets = targets_of(&self.rules);
            let (card, target) = (card_at((action - ONTO) / targets), (action - ONTO) % targets);
            let onto = match target {
                _ if targets == PACK => card_at(target),
                0..4 => (card & !3) + 4 + 3 - target as u8,
                _ => (card & !3) - 4 + 7 - target as u8,
            };
            return if is_top(card) { Move::ToFan(card, onto) } else { Move::MerciOnto(card, onto) };
        }
        if action >= SPACE {
            return Move::ToSpace(card_at(13 * (action - SPACE) + 12));
        }
        if action >= OWN {
            return Move::MerciOwn(card_at(action - OWN));
        }
        match action.checked_sub(UP).map(card_at) {
            None => Move::Redeal,
            Some(card) if is_top(card) => Move::ToFoundation(card),
            Some(card) => Move::MerciUp(card),
        }
    }

    #[inline]
    fn insert_mercis(&self, legal: &mut Legal<44>, targets: usize) {
        let merci = self.rules.merci;
        let up = self.now.wanted & self.cap();
        for fan in 0..self.now.fans {
            let top = self.now.top[usize::from(fan)];
            let mut card = top;
            while card != NONE && self.now.below[usize::from(card)] != NONE {
                card = self.now.below[usize::from(card)];
                if up & bit(card) != 0 {
                    legal.insert(UP + place(card));
                }
                let fitting = self.targets(card);
                let others = if merci == Merci::Anywhere { self.now.tops } else { fitting & self.now.tops };
                for onto in each(others & !bit(top)).filter(|&onto| !self.is_full(onto)) {
                    legal.insert(BelleLucie::onto(card, onto, targets));
                }
                let to_own = match merci {
                    Merci::Front | Merci::Anywhere => true,
                    Merci::Play => fitting & bit(top) != 0,
                    Merci::Second | Merci::None => false,
                };
                if to_own {
                    legal.insert(OWN + place(card));
                }
                if merci == Merci::Second {
                    break;
                }
            }
        }
    }

    /// Writes the cards of a fan.
    #[inline]
    fn observe_fan(&self, fan: u8, observation: &mut [u8]) {
        let (mut card, mut buried) = (self.now.top[usize::from(fan)], 0);
        while card != NONE {
            let below = self.now.below[usize::from(card)];
            observation[BELOW + place(card)] = if below == NONE { 0 } else { place(below) as u8 + 1 };
            observation[BURIED + place(card)] = buried;
            (card, buried) = (below, buried + 1);
        }
    }

    #[inline]
    fn observe_rest(&self, observation: &mut [u8]) {
        for (suit, height) in self.heights().into_iter().enumerate() {
            observation[FOUNDATIONS + 3 - suit] = height as u8;
        }
        observation[MERCIS] = self.now.mercis;
        observation[REDEALS] = self.redeals_left();
        observation[SPACES] =
            if self.rules.kings_to_spaces { self.now.fans - self.now.tops.count_ones() as u8 } else { 0 };
    }
}

impl Stepped for BelleLucie {
    type Legal = Legal<44>;

    #[inline]
    fn bytes(_: &Rules) -> usize {
        SPACES + 1
    }

    #[inline]
    fn actions(rules: &Rules) -> usize {
        ONTO + PACK * targets_of(rules)
    }

    fn check_rules(_: &Rules) -> Result<(), Fault> {
        Ok(())
    }

    /// Returns an error unless the orders of all coming redeals are known: a game that goes on must have an action.
    fn check_fit(&self) -> Result<(), Fault> {
        self.check_open()
    }

    fn observe(&self, observation: &mut [u8]) {
        observation[BELOW..BURIED].fill(IS_UP);
        observation[BURIED..FOUNDATIONS].fill(0);
        (0..self.now.fans).for_each(|fan| self.observe_fan(fan, observation));
        self.observe_rest(observation);
    }

    #[inline]
    fn legal(&self) -> Legal<44> {
        let (mut legal, targets) = (Legal::default(), targets_of(&self.rules));
        for card in each(self.playable()) {
            legal.insert(UP + place(card));
        }
        for card in each(self.now.tops) {
            for onto in each(self.targets(card) & self.now.tops).filter(|&onto| !self.is_full(onto)) {
                legal.insert(BelleLucie::onto(card, onto, targets));
            }
        }
        let kings = self.now.tops & self.now.covering & KINGS;
        if self.rules.kings_to_spaces && kings != 0 && self.now.first_space().is_some() {
            for king in each(kings) {
                legal.insert(SPACE + usize::from(3 - king % 4));
            }
        }
        if self.may_merci() {
            self.insert_mercis(&mut legal, targets);
        }
        if self.may_redeal() {
            legal.insert(0);
        }
        legal
    }

    #[inline]
    fn act(&mut self, action: usize, observation: &mut [u8]) {
        let m = self.decode(action);
        let from = self.apply(m);
        match m {
            Move::Redeal => {
                // An environment never takes moves back.
                self.before.clear();
                return self.observe(observation);
            }
            Move::ToFoundation(card) | Move::MerciUp(card) => {
                observation[BELOW + place(card)] = IS_UP;
                observation[BURIED + place(card)] = 0;
            }
            Move::ToFan(card, _) | Move::ToSpace(card) | Move::MerciOnto(card, _) | Move::MerciOwn(card) => {
                self.observe_fan(self.now.fan[usize::from(card)], observation);
            }
        }
        self.observe_fan(from.fan, observation);
        self.observe_rest(observation);
    }

    #[inline]
    fn completed_count(&self) -> i64 {
        self.heights().iter().filter(|&&height| height == 13).count() as i64
    }

    #[inline]
    fn potential(&self) -> f64 {
        f64::from(self.score()) / PACK as f64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::envs::{Actions, check_stepping};

    #[test]
    fn every_legal_move_has_an_action_of_its_own_and_back() {
        let plain = Rules {
            redeals: 2,
            merci: Merci::None,
            merci_count: 2,
            merci_in_any_deal: true,
            build_any: false,
            build_up: false,
            kings_to_spaces: false,
            aces_out: false,
            fan_size: 3,
            max_cards: 0,
            eighteen_fans: false,
            may_hold_back: true,
        };
        let mercis = [Merci::Play, Merci::Front, Merci::Anywhere, Merci::Second];
        let rules = [
            plain,
            Rules { build_any: true, build_up: true, max_cards: 5, may_hold_back: false, ..plain },
            Rules { redeals: 0, kings_to_spaces: true, eighteen_fans: true, ..plain },
            Rules { fan_size: 1, aces_out: true, ..plain },
            Rules { fan_size: 13, build_any: true, kings_to_spaces: true, ..plain },
        ];
        for rules in rules.into_iter().chain(mercis.map(|merci| Rules { merci, build_up: true, ..plain })) {
            check_stepping::<BelleLucie>(&rules, |table, legal| {
                let mut moves = Vec::new();
                table.push_moves(&mut moves);
                let actions: BTreeSet<usize> = (0..legal.len()).map(|before| legal.nth(before)).collect();
                assert_eq!((actions.len(), legal.len()), (moves.len(), moves.len()), "{}", table.text());
                for action in actions {
                    assert!(action < BelleLucie::actions(&rules));
                    assert!(moves.contains(&table.decode(action)), "{action}: {}", table.text());
                }
            });
        }
    }
}
