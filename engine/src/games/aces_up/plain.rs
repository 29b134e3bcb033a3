//! A deliberately simple Aces Up for tests: piles as lists, whole tables copied, every legal move tried, a set of seen
//! positions. Written from the rules, with nothing taken from the fast side.

use std::collections::HashSet;

use super::rules::{Destination, Fill, Rules};
use crate::cards::Card;
use crate::games::Fields;
use crate::rng::Decks;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Plain {
    /// Bottom to top.
    pub(super) piles: Vec<Vec<Card>>,
    pub(super) cell: Option<Card>,
    /// Next card first.
    pub(super) stock: Vec<Card>,
    pub(super) score: i32,
}

fn strength(card: Card) -> usize {
    if card.rank() == 1 { 14 } else { card.rank() }
}

impl Plain {
    /// Returns an empty table. Cards that are not in the stock count as discarded.
    pub(super) fn new(rules: &Rules, stock: &[Card]) -> Plain {
        let score = 52 - stock.len() as i32;
        Plain { piles: vec![Vec::new(); rules.piles], cell: None, stock: stock.to_vec(), score }
    }

    fn is_beaten(&self, pile: usize) -> bool {
        let Some(&card) = self.piles[pile].last() else { return false };
        let mut tops = self.piles.iter().filter_map(|pile| pile.last());
        tops.any(|&top| top.suit() == card.suit() && strength(top) > strength(card))
    }

    fn discard(&mut self, pile: usize) {
        self.piles[pile].pop();
        self.score += 1;
    }

    fn settled(mut self, rules: &Rules) -> Plain {
        while let Some(pile) = (0..rules.piles).find(|&pile| self.is_beaten(pile)) {
            if rules.optional_discards {
                break;
            }
            self.discard(pile);
        }
        self
    }

    /// Returns every legal move in the documented order: its token, and the table after it.
    pub(super) fn moves(&self, rules: &Rules) -> Vec<(String, Plain)> {
        let mut moves = Vec::new();
        let spaces: Vec<usize> = (0..rules.piles).filter(|&pile| self.piles[pile].is_empty()).collect();
        let targets = match (rules.destination, spaces.as_slice()) {
            (_, []) => &[],
            (Destination::First, _) => &spaces[..1],
            (Destination::Last, _) => &spaces[spaces.len() - 1..],
            (Destination::Any, _) => &spaces[..],
        };
        let fits = |card: Card| rules.fill != Fill::AcesOnly || strength(card) == 14;
        for pile in 0..rules.piles {
            if rules.optional_discards && self.is_beaten(pile) {
                let mut after = self.clone();
                after.discard(pile);
                moves.push((format!("{}x", pile + 1), after));
            }
        }
        for (source, cards) in self.piles.iter().enumerate() {
            let Some(&card) = cards.last() else { continue };
            if !fits(card) || cards.len() == 1 && (!rules.singletons || self.stock.is_empty()) {
                continue;
            }
            for &target in targets {
                let mut after = self.clone();
                after.piles[source].pop();
                after.piles[target].push(card);
                moves.push((format!("{}-{}", source + 1, target + 1), after.settled(rules)));
            }
        }
        if rules.reserve {
            for (source, cards) in self.piles.iter().enumerate() {
                if let (Some(&card), None) = (cards.last(), self.cell) {
                    let mut after = self.clone();
                    after.piles[source].pop();
                    after.cell = Some(card);
                    moves.push((format!("{}-r", source + 1), after.settled(rules)));
                }
            }
            if let Some(card) = self.cell.filter(|&card| fits(card)) {
                for &target in targets {
                    let mut after = self.clone();
                    after.cell = None;
                    after.piles[target].push(card);
                    moves.push((format!("r-{}", target + 1), after.settled(rules)));
                }
            }
        }
        let can_fill = !spaces.is_empty() && self.piles.iter().any(|pile| pile.len() > 1);
        let must_fill = rules.fill == Fill::Must && can_fill;
        if !self.stock.is_empty() && !must_fill {
            let mut after = self.clone();
            let to =
                if rules.deals_to_spaces && !spaces.is_empty() { spaces } else { (0..rules.piles).collect() };
            for (pile, &card) in to.into_iter().zip(&self.stock) {
                after.piles[pile].push(card);
                after.stock.remove(0);
            }
            moves.push(("d".to_string(), after.settled(rules)));
        }
        moves
    }

    /// Returns the best reachable score: every position once, no pruning. `None` if there are more positions than
    /// `most`.
    pub(super) fn best(&self, rules: &Rules, most: usize) -> Option<i32> {
        let mut seen = HashSet::from([self.clone()]);
        let mut waiting = vec![self.clone()];
        let mut best = 0;
        while let Some(position) = waiting.pop() {
            best = best.max(position.score);
            if best == 48 {
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

    /// Returns the text of the position.
    pub(super) fn layout(&self, rules: &Rules) -> String {
        let words = |cards: &[Card]| cards.iter().map(|card| format!(" {card}")).collect::<String>();
        let or_none = |text: String| if text.is_empty() { " -".to_string() } else { text };
        let mut text = String::new();
        for (number, pile) in (1..).zip(&self.piles) {
            text += &format!("Pile {number}:{}\n", words(pile));
        }
        if rules.reserve {
            let cell: Vec<Card> = self.cell.into_iter().collect();
            text += &format!("Reserve:{}\n", or_none(words(&cell)));
        }
        text += &format!("Stock:{}\n", or_none(words(&self.stock)));
        let is_there = |card: &Card| {
            self.piles.concat().contains(card) || self.stock.contains(card) || self.cell == Some(*card)
        };
        let mut gone: Vec<Card> = Card::all().filter(|card| !is_there(card)).collect();
        gone.sort_by_key(|&card| (card.suit(), strength(card)));
        assert_eq!(gone.len() as i32, self.score);
        if gone.is_empty() { text } else { text + &format!("Discards:{}\n", words(&gone)) }
    }
}

/// The named variants and the fields in which they differ from the default.
pub(super) const VARIANTS: [(&str, &str); 11] = [
    ("standard", ""),
    ("must-fill", "fill=must"),
    ("must-fill-any", "fill=must destination=any"),
    ("last-empty", "destination=last"),
    ("any-empty", "destination=any"),
    ("free", "destination=any singletons=yes"),
    ("relaxed-discards", "destination=any singletons=yes discards=optional"),
    ("aces-only", "fill=aces-only"),
    ("russian", "deal=spaces"),
    ("five-piles", "piles=5"),
    ("firing-squad", "reserve=1"),
];

/// Returns the rules of a text such as `fill=must destination=any`.
pub(super) fn rules(text: &str) -> Rules {
    let given = text.split_whitespace().filter_map(|word| word.split_once('='));
    let given = given.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    Rules::read(&mut Fields { game: "aces-up", given }).expect("these rules are sound")
}

/// Returns a combination of all rules, by its number.
pub(super) fn any_rules(number: u64) -> String {
    let mut luck = Decks::new(number);
    let mut pick = |words: &[&str]| words[luck.below(words.len() as u64) as usize].to_string();
    [
        pick(&["fill=optional", "fill=must", "fill=aces-only"]),
        pick(&["destination=first", "destination=last", "destination=any"]),
        pick(&["singletons=no", "singletons=yes"]),
        pick(&["discards=forced", "discards=optional"]),
        pick(&["piles=4", "piles=5"]),
        pick(&["deal=row", "deal=spaces"]),
        pick(&["reserve=0", "reserve=1"]),
    ]
    .join(" ")
}

/// Returns a deck of the strongest cards, in random order; the rest counts as discarded.
pub(super) fn random_deck(cards: usize, seed: u64) -> Vec<Card> {
    let mut strongest: Vec<Card> = Card::all().collect();
    strongest.sort_by_key(|&card| std::cmp::Reverse(strength(card)));
    Decks::new(seed).deck(cards).into_iter().map(|place| strongest[place]).collect()
}
