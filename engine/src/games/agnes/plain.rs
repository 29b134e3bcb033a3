//! A deliberately simple Agnes Sorel for tests: piles as lists, whole tables copied, every legal move tried, a set of
//! seen positions. Written from the rules, with nothing taken from the fast side.

use std::collections::HashSet;

use super::rules::{Rules, ToEmpty};
use crate::cards::Card;
use crate::games::Fields;
use crate::rng::Decks;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Plain {
    /// Bottom to top; a card and whether it lies face up.
    pub(super) piles: Vec<Vec<(Card, bool)>>,
    /// Next card first.
    pub(super) stock: Vec<Card>,
    pub(super) base: usize,
    /// The number of cards on each foundation, by suit of `Card`.
    pub(super) foundations: [usize; 4],
}

fn is_black(card: Card) -> bool {
    card.suit() == 0 || card.suit() == 3
}

impl Plain {
    /// Returns the first deal of a deck: base card, rows, stock.
    pub(super) fn deal(rules: &Rules, deck: &[Card]) -> Plain {
        let mut piles = vec![Vec::new(); rules.piles];
        let mut next = 1;
        for row in 0..rules.piles {
            for pile in &mut piles[row..] {
                pile.push((deck[next], rules.face_up));
                next += 1;
            }
        }
        for pile in &mut piles {
            pile.last_mut().expect("every pile has a card").1 = true;
        }
        let mut foundations = [0; 4];
        foundations[deck[0].suit()] = 1;
        Plain { piles, stock: deck[next..].to_vec(), base: deck[0].rank(), foundations }
    }

    pub(super) fn score(&self) -> i32 {
        self.foundations.iter().sum::<usize>() as i32
    }

    fn height(&self, rules: &Rules, card: Card) -> usize {
        (card.rank() + rules.ranks - self.base) % rules.ranks
    }

    /// Returns true if a card may be packed on another: one height less, same colour.
    fn packs(&self, rules: &Rules, card: Card, onto: Card) -> bool {
        self.height(rules, card) + 1 == self.height(rules, onto) && is_black(card) == is_black(onto)
    }

    /// Returns true if two neighbours in a pile, the lower one first, belong to one run.
    fn is_run(&self, rules: &Rules, below: (Card, bool), above: (Card, bool)) -> bool {
        below.1
            && above.1
            && self.packs(rules, above.0, below.0)
            && (!rules.move_same_suit || below.0.suit() == above.0.suit())
    }

    /// Returns every legal move in the documented order: its token, and the table after it.
    pub(super) fn moves(&self, rules: &Rules) -> Vec<(String, Plain)> {
        let mut moves = Vec::new();
        for (number, pile) in self.piles.iter().enumerate() {
            if let Some(&(card, _)) = pile.last()
                && self.height(rules, card) == self.foundations[card.suit()]
            {
                let mut after = self.clone();
                after.take(number, 1);
                after.foundations[card.suit()] += 1;
                moves.push((format!("{}f", number + 1), after));
            }
        }
        for (source, pile) in self.piles.iter().enumerate() {
            for count in 1..=pile.len() {
                let unit = &pile[pile.len() - count..];
                if !unit.windows(2).all(|pair| self.is_run(rules, pair[0], pair[1])) {
                    break;
                }
                let head = unit[0];
                let longer = pile.len() > count && self.is_run(rules, pile[pile.len() - count - 1], head);
                if longer && !rules.split_runs || !head.1 {
                    continue;
                }
                for (target, onto) in self.piles.iter().enumerate().filter(|&(target, _)| target != source) {
                    let is_high = self.height(rules, head.0) == rules.ranks - 1;
                    let is_legal = match (onto.last(), rules.to_empty) {
                        (Some(&(onto, _)), _) => self.packs(rules, head.0, onto),
                        (None, ToEmpty::Nothing) => false,
                        (None, ToEmpty::AnyOne) => count == 1,
                        (None, ToEmpty::HighOne) => count == 1 && is_high,
                        (None, ToEmpty::AnyRun) => true,
                        (None, ToEmpty::HighRun) => is_high,
                    };
                    if is_legal {
                        let mut after = self.clone();
                        let unit = after.take(source, count);
                        after.piles[target].extend(unit);
                        let times = if count > 1 { format!("x{count}") } else { String::new() };
                        moves.push((format!("{}-{}{times}", source + 1, target + 1), after));
                    }
                }
            }
        }
        if !self.stock.is_empty() {
            let mut after = self.clone();
            let rest = after.stock.split_off(rules.piles.min(self.stock.len()));
            for (pile, card) in after.piles.iter_mut().zip(std::mem::replace(&mut after.stock, rest)) {
                pile.push((card, true));
            }
            moves.push(("d".to_string(), after));
        }
        moves
    }

    /// Takes cards off a pile, and turns its next one up.
    fn take(&mut self, pile: usize, count: usize) -> Vec<(Card, bool)> {
        let left = self.piles[pile].len() - count;
        let unit = self.piles[pile].split_off(left);
        if let Some(top) = self.piles[pile].last_mut() {
            top.1 = true;
        }
        unit
    }

    /// Returns the best reachable score: every position once, no pruning. `None` if there are more positions than
    /// `most`.
    pub(super) fn best(&self, rules: &Rules, most: usize) -> Option<i32> {
        let mut seen = HashSet::from([self.clone()]);
        let mut waiting = vec![self.clone()];
        let mut best = 0;
        while let Some(position) = waiting.pop() {
            best = best.max(position.score());
            if best as usize == rules.deck() {
                break;
            }
            if seen.len() > most {
                return None;
            }
            for (_, after) in position.moves(rules) {
                if seen.insert(after.clone()) {
                    waiting.push(after);
                }
            }
        }
        Some(best)
    }
}

/// Returns the rules of a slug, with fields that change them: `up-suit-none-nosplit`.
pub(super) fn rules(slug: &str, ranks: usize, piles: usize) -> Rules {
    let words: Vec<&str> = slug.split('-').collect();
    let empty = match words[2] {
        "any1" => "any-1",
        "high1" => "high-1",
        "anyrun" => "any-run",
        "highrun" => "high-run",
        _ => "none",
    };
    let yes = |is_so: bool| if is_so { "yes" } else { "no" }.to_string();
    let given = vec![
        ("face_up".to_string(), yes(words[0] == "up")),
        ("move_same_suit".to_string(), yes(words[1] == "suit")),
        ("move_to_empty_pile".to_string(), empty.to_string()),
        ("split_runs".to_string(), yes(words.len() == 3)),
        ("ranks".to_string(), ranks.to_string()),
        ("piles".to_string(), piles.to_string()),
    ];
    Rules::read(&mut Fields { game: "agnes", given }).expect("these rules are sound")
}

pub(super) fn slugs() -> Vec<String> {
    let mut slugs = Vec::new();
    for face in ["down", "up"] {
        for unit in ["color", "suit"] {
            for empty in ["none", "any1", "high1", "highrun", "anyrun"] {
                for split in ["", "-nosplit"] {
                    slugs.push(format!("{face}-{unit}-{empty}{split}"));
                }
            }
        }
    }
    slugs
}

pub(super) fn deck(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().expect("a card")).collect()
}

pub(super) fn random_deck(rules: &Rules, seed: u64) -> Vec<Card> {
    let card = |place| Card::new(place / rules.ranks, place % rules.ranks + 1);
    Decks::new(seed).deck(rules.deck()).into_iter().map(card).collect()
}
