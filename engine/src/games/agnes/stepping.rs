//! The environment of Agnes Sorel: docs/envs/agnes.md defines the numbers and bytes.

use super::rules::Rules;
use super::table::{Agnes, Move, NONE, bit, each};
use crate::Fault;
use crate::envs::{Legal, Stepped};
use crate::search::Game;

const RANKS: usize = 13;
const PILES: usize = 7;
/// The number of lengths of a split: the longest run has thirteen cards, and a split leaves at least one.
const SPLITS: usize = 12;
/// The first action of each kind; 0 deals.
const UP: usize = 1;
const PAIR: usize = UP + PILES;
const SPLIT: usize = PAIR + PILES * PILES;

/// The offsets of the parts of an observation: the base rank, face-down cards of each pile, cards on each foundation,
/// the height of each pile, cards in the stock, and the cards of each pile.
const BASE: usize = 0;
const DOWN: usize = BASE + 1;
const FOUNDATIONS: usize = DOWN + PILES;
const HEIGHT: usize = FOUNDATIONS + 4;
const STOCK: usize = HEIGHT + PILES;
const TABLEAU: usize = STOCK + 1;
/// The size of the tallest pile: all cards but the base card.
const TALLEST: usize = 51;
const FACE_DOWN: u8 = 53;

/// The suits of the numbers, C D S H, in the order of observations, S H D C.
const SUITS: [u8; 4] = [3, 2, 0, 1];

impl Agnes {
    /// Returns the code of a face-up card: 1..52.
    #[inline]
    fn code(&self, card: u8) -> u8 {
        let rank = card % 16 + self.base - 1;
        13 * SUITS[usize::from(card >> 4 & 3)] + rank % RANKS as u8 + 1
    }

    /// Returns the move of a legal action.
    #[inline]
    fn decode(&self, action: usize) -> Move {
        if action == 0 {
            return Move::Deal;
        }
        if action < PAIR {
            let pile = action - UP;
            return Move::ToFoundation { pile: pile as u8, card: self.top[pile] };
        }
        let (source, target, count) = match action.checked_sub(SPLIT) {
            Some(split) => (split / SPLITS / PILES, split / SPLITS % PILES, Some(split % SPLITS + 1)),
            None => ((action - PAIR) / PILES, (action - PAIR) % PILES, None),
        };
        let host = self.top[target];
        let mut units = self.units(source);
        let unit = match count {
            Some(count) => units.find(|unit| usize::from(unit.count) == count),
            None if host == NONE => units.last(),
            // Exactly one card of a run is one height below the host.
            None => units.find(|unit| self.masks.hosts(bit(unit.head)) & bit(host) != 0),
        };
        unit.expect("the action is legal").to(target as u8)
    }

    /// Writes the top `count` cards of a pile, which have come to it.
    #[inline]
    fn observe_arrival(&self, pile: usize, count: usize, observation: &mut [u8]) {
        let height = usize::from(observation[HEIGHT + pile]) + count;
        observation[HEIGHT + pile] = height as u8;
        let row = &mut observation[TABLEAU + TALLEST * pile..][..TALLEST];
        for (shown, card) in row[height - count..height].iter_mut().rev().zip(self.pile(pile)) {
            *shown = self.code(card);
        }
    }

    /// Clears the top `count` cards of a pile, which have left it, and writes the next card if it was turned.
    #[inline]
    fn observe_leaving(&self, pile: usize, count: usize, turned: bool, observation: &mut [u8]) {
        let height = usize::from(observation[HEIGHT + pile]) - count;
        observation[HEIGHT + pile] = height as u8;
        let row = TABLEAU + TALLEST * pile;
        observation[row + height..][..count].fill(0);
        if turned {
            observation[row + height - 1] = self.code(self.top[pile]);
            observation[DOWN + pile] -= 1;
        }
    }
}

impl Stepped for Agnes {
    type Legal = Legal<11>;

    #[inline]
    fn actions(_: &Rules) -> usize {
        SPLIT + PILES * PILES * SPLITS
    }

    #[inline]
    fn bytes(_: &Rules) -> usize {
        TABLEAU + PILES * TALLEST
    }

    fn check_rules(rules: &Rules) -> Result<(), Fault> {
        if (rules.ranks, rules.piles) == (RANKS, PILES) {
            return Ok(());
        }
        Err(Fault::new("the environment of agnes is for ranks=13 and piles=7"))
    }

    fn check_fit(&self) -> Result<(), Fault> {
        // Every table has a started foundation, so no pile has more cards than the observation holds.
        Ok(())
    }

    fn observe(&self, observation: &mut [u8]) {
        observation.fill(0);
        observation[BASE] = self.base;
        observation[STOCK] = self.left() as u8;
        for (lane, &suit) in SUITS.iter().enumerate() {
            let up = (self.up >> (16 * lane) & 0xFFFF).count_ones() as u8;
            observation[FOUNDATIONS + usize::from(suit)] = up;
        }
        for pile in 0..PILES {
            let height = self.pile(pile).count();
            self.observe_arrival(pile, height, observation);
            let down = self.pile(pile).filter(|&card| self.face_down & bit(card) != 0).count();
            observation[DOWN + pile] = down as u8;
            observation[TABLEAU + TALLEST * pile..][..down].fill(FACE_DOWN);
        }
    }

    #[inline]
    fn legal(&self) -> Legal<11> {
        let mut legal = Legal::default();
        if self.left() > 0 {
            legal.insert(0);
        }
        for card in each(self.tops & self.wanted()) {
            legal.insert(UP + usize::from(self.at[usize::from(card) & 63]));
        }
        let empty = (0..PILES).filter(|&pile| self.top[pile] == NONE).fold(0, |set, pile| set | 1 << pile);
        for pile in 0..PILES {
            for unit in self.units(pile) {
                for host in each(self.masks.hosts(bit(unit.head)) & self.tops) {
                    legal.insert(PAIR + PILES * pile + usize::from(self.at[usize::from(host) & 63]));
                }
                if empty == 0 || !self.may_fill(unit) {
                    continue;
                }
                let is_whole = self.linked & bit(unit.head) == 0;
                for target in each(empty) {
                    let pair = PILES * pile + usize::from(target);
                    let split = SPLIT + SPLITS * pair + usize::from(unit.count) - 1;
                    legal.insert(if is_whole { PAIR + pair } else { split });
                }
            }
        }
        legal
    }

    #[inline]
    fn act(&mut self, action: usize, observation: &mut [u8]) {
        let m = self.decode(action);
        let undo = self.make(m);
        match m {
            Move::Deal => {
                (0..usize::from(undo.under)).for_each(|pile| self.observe_arrival(pile, 1, observation));
                observation[STOCK] = self.left() as u8;
            }
            Move::ToFoundation { pile, card } => {
                self.observe_leaving(pile.into(), 1, undo.turned, observation);
                observation[FOUNDATIONS + usize::from(SUITS[usize::from(card >> 4 & 3)])] += 1;
            }
            Move::ToPile { source, target, count, .. } | Move::Shift { source, target, count, .. } => {
                self.observe_leaving(source.into(), count.into(), undo.turned, observation);
                self.observe_arrival(target.into(), count.into(), observation);
            }
        }
    }

    /// Returns the number of full foundations.
    #[inline]
    fn completed_count(&self) -> i64 {
        (0..4).filter(|lane| self.up >> (16 * lane) & 0xFFFF == 0x1FFF).count() as i64
    }

    #[inline]
    fn potential(&self) -> f64 {
        f64::from(self.score()) / f64::from(self.max_score())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envs::{Actions, check_stepping};
    use crate::games::read_rules;

    #[test]
    fn what_is_kept_is_what_would_be_made_anew() {
        for (policy, split, suit, face_up) in [
            ("none", "yes", "no", "no"),
            ("any-run", "yes", "no", "yes"),
            ("any-run", "no", "yes", "no"),
            ("high-run", "yes", "no", "no"),
            ("any-1", "yes", "yes", "no"),
        ] {
            let fields = [
                ("move_to_empty_pile", policy),
                ("split_runs", split),
                ("move_same_suit", suit),
                ("face_up", face_up),
            ];
            let fields = fields.map(|(name, value)| (name.to_string(), value.to_string()));
            let rules = read_rules::<Agnes>("agnes", fields.into()).expect("rules");
            check_stepping::<Agnes>(&rules, |table, legal| {
                let mut moves = Vec::new();
                table.push_moves(&mut moves);
                let listed = (0..legal.len()).map(|before| table.decode(legal.nth(before)));
                let listed: Vec<Move> = listed.collect();
                assert_eq!(listed.len(), moves.len());
                assert!(moves.iter().all(|m| listed.contains(m)));
            });
        }
    }

    #[test]
    fn small_games_are_refused() {
        let fields = vec![("ranks".to_string(), "5".to_string()), ("piles".to_string(), "4".to_string())];
        assert!(Agnes::check_rules(&read_rules::<Agnes>("agnes", fields).expect("rules")).is_err());
    }
}
