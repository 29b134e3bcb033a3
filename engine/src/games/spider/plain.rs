//! A deliberately simple Spider for tests: piles as lists, whole tables copied, nothing incremental. Written from the
//! rules, with nothing taken from the fast side but the type of the rules.

use std::collections::{HashMap, HashSet, VecDeque};

use super::rules::Rules;
use crate::cards::Card;
use crate::games::Fields;
use crate::rng::Decks;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Plain {
    /// Bottom to top; a card and whether it lies face up.
    pub(super) piles: Vec<Vec<(Card, bool)>>,
    /// Next card first.
    pub(super) bank: Vec<Card>,
    /// Suits of completed runs.
    pub(super) completed: Vec<usize>,
}

/// Returns rules with some fields changed.
pub(super) fn rules(given: &[(&str, &str)]) -> Rules {
    let given = given.iter().map(|&(name, value)| (name.to_string(), value.to_string())).collect();
    Rules::read(&mut Fields::for_tests(given)).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

/// Returns a shuffled deck of these rules: the ordered deck, as often as needed.
pub(super) fn random_deck(rules: &Rules, seed: u64) -> Vec<Card> {
    let ranks = usize::from(rules.ranks);
    let mut deck = Vec::new();
    for run in 0..usize::from(rules.runs) {
        for rank in 1..=ranks {
            let letter = match (rules.suits, run % 4) {
                (1, _) => "S",
                (2, 0 | 3) => "S",
                (2, _) => "H",
                (_, suit) => ["C", "D", "H", "S"][suit],
            };
            let rank = "A23456789TJQK".get(rank - 1..rank).expect("a rank");
            deck.push(format!("{rank}{letter}").parse().expect("a card"));
        }
    }
    Decks::new(seed).shuffle(&mut deck);
    deck
}

/// Returns true if two neighbours of a pile, the lower one first, are face up and of one run.
fn is_join(below: (Card, bool), above: (Card, bool)) -> bool {
    below.1 && above.1 && below.0.suit() == above.0.suit() && below.0.rank() == above.0.rank() + 1
}

impl Plain {
    pub(super) fn deal(rules: &Rules, deck: &[Card]) -> Plain {
        let mut piles = vec![Vec::new(); rules.piles.into()];
        for (place, &card) in deck[..rules.table.into()].iter().enumerate() {
            piles[place % usize::from(rules.piles)].push((card, false));
        }
        for pile in &mut piles {
            pile.last_mut().expect("every pile has a card").1 = true;
        }
        Plain { piles, bank: deck[rules.table.into()..].to_vec(), completed: Vec::new() }
    }

    /// Returns the length of the longest run that may be moved.
    pub(super) fn longest(&self, pile: usize) -> usize {
        let cards = &self.piles[pile];
        (1..=cards.len())
            .take_while(|count| {
                let run = &cards[cards.len() - count..];
                run[0].1 && run.windows(2).all(|pair| is_join(pair[0], pair[1]))
            })
            .count()
    }

    /// Returns every legal move in the documented order: its token, and the table after it.
    pub(super) fn moves(&self, rules: &Rules) -> Vec<(String, Plain)> {
        let mut moves = Vec::new();
        for source in 0..self.piles.len() {
            for target in (0..self.piles.len()).filter(|&target| target != source) {
                for count in 1..=self.longest(source) {
                    let start = self.piles[source].len() - count;
                    let head = self.piles[source][start].0;
                    if self.piles[target].last().is_none_or(|(card, _)| card.rank() == head.rank() + 1) {
                        let mut after = self.clone();
                        let run = after.piles[source].split_off(start);
                        after.piles[target].extend(run);
                        after.settle(rules);
                        let times = if count > 1 { format!("x{count}") } else { String::new() };
                        moves.push((format!("{}-{}{times}", source + 1, target + 1), after));
                    }
                }
            }
        }
        let may_deal = rules.deal_on_empty || self.piles.iter().all(|pile| !pile.is_empty());
        if !self.bank.is_empty() && may_deal {
            let mut after = self.clone();
            for pile in &mut after.piles {
                pile.push((after.bank.remove(0), true));
            }
            after.settle(rules);
            moves.push(("d".to_string(), after));
        }
        moves
    }

    fn settle(&mut self, rules: &Rules) {
        for pile in 0..self.piles.len() {
            let cards = &mut self.piles[pile];
            if let Some(start) = cards.len().checked_sub(rules.ranks.into()) {
                let run = &cards[start..];
                let suit = run[0].0.suit();
                let descends =
                    (1..=usize::from(rules.ranks)).rev().eq(run.iter().map(|(card, _)| card.rank()));
                if descends && run.iter().all(|&(card, is_up)| is_up && card.suit() == suit) {
                    cards.truncate(start);
                    self.completed.push(suit);
                }
            }
            if let Some(last) = self.piles[pile].last_mut() {
                last.1 = true;
            }
        }
    }

    pub(super) fn is_won(&self, rules: &Rules) -> bool {
        self.completed.len() == usize::from(rules.runs)
    }

    /// Returns the Sun score, as the page of the game defines it.
    pub(super) fn sun(&self, rules: &Rules) -> i32 {
        let down = |pile: &Vec<(Card, bool)>| pile.iter().filter(|(_, is_up)| !is_up).count();
        let on_table: usize = self.piles.iter().map(down).sum();
        let open = self.piles.iter().filter(|pile| down(pile) == 0).count();
        let joins: usize =
            self.piles.iter().map(|pile| pile.windows(2).filter(|p| is_join(p[0], p[1])).count()).sum();
        let at_first = i32::from(rules.table) - i32::from(rules.piles);
        10 * (at_first - on_table as i32)
            + 15 * open as i32
            + 2 * joins as i32
            + 50 * self.completed.len() as i32
    }

    /// Returns the number of move sequences of exactly this length.
    pub(super) fn perft(&self, rules: &Rules, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.moves(rules).iter().map(|(_, after)| after.perft(rules, depth - 1)).sum()
    }

    /// Searches breadth-first through all positions; only identical ones count as equal. Returns whether there is a
    /// win, the best score (of a win if there is one), and whether no line has a higher one. `None` if there are more
    /// positions than `most`.
    pub(super) fn best(&self, rules: &Rules, most: usize) -> Option<(bool, i32, bool)> {
        let mut seen = HashSet::from([self.clone()]);
        let mut queue = VecDeque::from([(self.clone(), 0)]);
        let mut best = i32::MIN;
        while let Some((table, depth)) = queue.pop_front() {
            let score = table.sun(rules) - depth;
            if table.is_won(rules) {
                // The Sun score of every win is the same, and this one has the fewest moves.
                return Some((true, score, score >= best));
            }
            best = best.max(score);
            for (_, after) in table.moves(rules) {
                if seen.insert(after.clone()) {
                    queue.push_back((after, depth + 1));
                }
            }
            if seen.len() > most {
                return None;
            }
        }
        Some((false, best, true))
    }

    /// Returns the table with its piles sorted, if no row is to come.
    pub(super) fn in_any_order(&self) -> Plain {
        let mut table = self.clone();
        table.completed.sort_unstable();
        if table.bank.is_empty() {
            table.piles.sort_unstable();
        }
        table
    }
}

/// Checks along a walk that keys are equal exactly for equal tables.
pub(super) struct Names {
    keys: HashMap<Plain, u128>,
    tables: HashMap<u128, Plain>,
}

impl Names {
    pub(super) fn new() -> Names {
        Names { keys: HashMap::new(), tables: HashMap::new() }
    }

    pub(super) fn check(&mut self, table: &Plain, key: u128) {
        let table = table.in_any_order();
        assert_eq!(*self.keys.entry(table.clone()).or_insert(key), key, "two keys of\n{table:?}");
        assert_eq!(*self.tables.entry(key).or_insert(table.clone()), table, "one key of two tables");
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }
}
