//! A deliberately simple La Belle Lucie for tests: fans as lists, whole tables copied, every legal move
//! tried, a set of seen positions.

use std::collections::HashSet;

use super::rules::{Merci, Rules};
use crate::cards::Card;
use crate::rng::Decks;

pub(super) type Fans = Vec<Vec<Card>>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Plain {
    pub(super) fans: Fans,
    pub(super) deal: u8,
    pub(super) mercis: u8,
    /// The known orders of the coming redeals; cards that are up are skipped.
    pub(super) orders: Fans,
}

/// Returns the rules of words `field=value` with blanks between them.
pub(super) fn rules(words: &str) -> Rules {
    let pair = |word: &str| {
        let (field, value) = word.split_once('=').expect("field=value");
        (field.to_string(), value.to_string())
    };
    let mut fields =
        crate::games::Fields { game: "belle-lucie", given: words.split_whitespace().map(pair).collect() };
    Rules::read(&mut fields).unwrap_or_else(|refusal| panic!("{words}: {refusal:?}"))
}

/// Returns the fans of a text as the specification writes them.
pub(super) fn fans(text: &str) -> Fans {
    let cards = |fan: &str| fan.split_whitespace().map(|card| card.parse().expect("a card")).collect();
    text.split('/').map(cards).collect()
}

pub(super) fn layout(fans: &Fans) -> String {
    let line = |fan: &Vec<Card>| fan.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
    fans.iter().map(line).collect::<Vec<_>>().join(" / ")
}

fn fits(rules: &Rules, card: Card, onto: Card) -> bool {
    (rules.build_any || card.suit() == onto.suit())
        && (card.rank() + 1 == onto.rank() || rules.build_up && card.rank() == onto.rank() + 1)
}

impl Plain {
    pub(super) fn new(rules: &Rules, fans: Fans) -> Plain {
        Plain { fans, deal: 1, mercis: rules.mercis(), orders: Vec::new() }
    }

    pub(super) fn score(&self) -> i32 {
        52 - self.fans.iter().flatten().count() as i32
    }

    /// Returns the number of cards of this suit on its foundation: those that lie in no fan.
    pub(super) fn height(&self, suit: usize) -> usize {
        13 - self.fans.iter().flatten().filter(|card| card.suit() == suit).count()
    }

    fn goes_up(&self, card: Card) -> bool {
        card.rank() == self.height(card.suit()) + 1
    }

    /// Returns the table without the card at this place.
    fn without(&self, fan: usize, place: usize) -> Plain {
        let mut after = self.clone();
        let card = after.fans[fan].remove(place);
        debug_assert!(after.fans.iter().flatten().all(|&other| other != card));
        after
    }

    fn onto(mut self, fan: usize, card: Card) -> Plain {
        self.fans[fan].push(card);
        self
    }

    pub(super) fn may_redeal(&self, rules: &Rules) -> bool {
        let holds_back = self.fans.iter().filter_map(|fan| fan.last()).any(|&card| self.goes_up(card));
        self.score() < 52 && self.deal <= rules.redeals && (rules.may_hold_back || !holds_back)
    }

    pub(super) fn may_merci(&self, rules: &Rules) -> bool {
        rules.merci != Merci::None
            && self.mercis > 0
            && (rules.merci_in_any_deal || self.deal > rules.redeals)
    }

    fn tops(&self) -> Vec<(usize, Card)> {
        self.fans.iter().enumerate().filter_map(|(f, fan)| Some((f, *fan.last()?))).collect()
    }

    fn without_top(&self, fan: usize) -> Plain {
        self.without(fan, self.fans[fan].len() - 1)
    }

    fn is_full(&self, rules: &Rules, fan: usize) -> bool {
        rules.max_cards > 0 && self.fans[fan].len() >= rules.max_cards as usize
    }

    /// Returns every legal move in the order of the rules: its token, and the table after it.
    pub(super) fn moves(&self, rules: &Rules) -> Vec<(String, Plain)> {
        let mut moves = Vec::new();
        for (from, card) in self.tops() {
            if self.goes_up(card) {
                moves.push((format!("{card}^"), self.without_top(from)));
            }
        }
        self.push_builds(rules, &mut moves);
        self.push_kings(rules, &mut moves);
        if self.may_merci(rules) {
            for (from, top) in self.tops() {
                let buried = self.fans[from].len() - 1;
                let first = if rules.merci == Merci::Second { buried.saturating_sub(1) } else { 0 };
                for place in first..buried {
                    self.push_mercis(rules, from, place, top, &mut moves);
                }
            }
        }
        if self.may_redeal(rules) && !self.orders.is_empty() {
            moves.push(("r".to_string(), self.redealt(rules)));
        }
        for (_, after) in &mut moves {
            if !rules.kings_to_spaces {
                after.fans.retain(|fan| !fan.is_empty());
            }
        }
        moves
    }

    fn push_builds(&self, rules: &Rules, moves: &mut Vec<(String, Plain)>) {
        for (from, card) in self.tops() {
            for (to, onto) in self.tops() {
                if fits(rules, card, onto) && !self.is_full(rules, to) {
                    moves.push((format!("{card}>{onto}"), self.without_top(from).onto(to, card)));
                }
            }
        }
    }

    fn push_kings(&self, rules: &Rules, moves: &mut Vec<(String, Plain)>) {
        let space = self.fans.iter().position(Vec::is_empty).filter(|_| rules.kings_to_spaces);
        let Some(space) = space else { return };
        for (from, card) in self.tops() {
            if card.rank() == 13 && self.fans[from].len() > 1 {
                moves.push((format!("{card}>-"), self.without_top(from).onto(space, card)));
            }
        }
    }

    /// Pushes the mercis of one buried card, in a fan with this top.
    fn push_mercis(
        &self,
        rules: &Rules,
        from: usize,
        place: usize,
        top: Card,
        moves: &mut Vec<(String, Plain)>,
    ) {
        let card = self.fans[from][place];
        let mut without = self.without(from, place);
        without.mercis -= 1;
        if self.goes_up(card) {
            moves.push((format!("*{card}^"), without.clone()));
        }
        for (to, onto) in self.tops() {
            let takes = fits(rules, card, onto) || rules.merci == Merci::Anywhere;
            if to != from && !self.is_full(rules, to) && takes {
                moves.push((format!("*{card}>{onto}"), without.clone().onto(to, card)));
            }
        }
        let to_own = match rules.merci {
            Merci::Play => fits(rules, card, top),
            Merci::Front | Merci::Anywhere => true,
            Merci::Second | Merci::None => false,
        };
        if to_own {
            moves.push((format!("*{card}"), without.onto(from, card)));
        }
    }

    fn redealt(&self, rules: &Rules) -> Plain {
        let mut orders = self.orders.clone();
        let in_play: HashSet<Card> = self.fans.iter().flatten().copied().collect();
        let order: Vec<Card> = orders.remove(0).into_iter().filter(|card| in_play.contains(card)).collect();
        let fans = order.chunks(rules.fan_size).map(<[Card]>::to_vec).collect();
        Plain { fans, deal: self.deal + 1, mercis: self.mercis, orders }
    }

    /// Returns the layout text.
    pub(super) fn text(&self, rules: &Rules) -> String {
        let mut text = String::new();
        let tops = (0..4).filter(|&suit| self.height(suit) > 0);
        let tops: Vec<String> = tops.map(|suit| Card::new(suit, self.height(suit)).to_string()).collect();
        if !tops.is_empty() {
            text += &format!("Foundations: {}\n", tops.join(" "));
        }
        if self.deal > 1 {
            text += &format!("Deal: {}\n", self.deal);
        }
        if rules.merci != Merci::None && self.mercis != rules.merci_count {
            text += &format!("Merci: {}\n", self.mercis);
        }
        let in_play: HashSet<&Card> = self.fans.iter().flatten().collect();
        // A won table has nothing left to deal.
        for (number, order) in (1..).zip(&self.orders).filter(|_| !in_play.is_empty()) {
            text += &format!("Redeal {number}:");
            for card in order.iter().filter(|card| in_play.contains(card)) {
                text += &format!(" {card}");
            }
            text += "\n";
        }
        for fan in &self.fans {
            text += &if fan.is_empty() { "-".to_string() } else { layout(&vec![fan.clone()]) };
            text += "\n";
        }
        text
    }

    /// Returns a canonical form, equal for positions that differ only in the order of fans.
    pub(super) fn name(&self) -> Plain {
        let mut name = self.clone();
        name.fans.sort_unstable();
        name
    }

    /// Returns the greatest score of any reachable position; `None` if there are too many.
    pub(super) fn best(&self, rules: &Rules, most_positions: usize) -> Option<i32> {
        let mut seen = HashSet::from([self.name()]);
        let mut waiting = vec![self.clone()];
        let mut best = 0;
        while let Some(position) = waiting.pop() {
            best = best.max(position.score());
            if best == 52 {
                break;
            }
            for (_, after) in position.moves(rules) {
                if seen.insert(after.name()) {
                    waiting.push(after);
                }
            }
            if seen.len() > most_positions {
                return None;
            }
        }
        Some(best)
    }
}

/// Returns a late position: foundations at random heights, the rest in fans of one to four cards, with known
/// orders for the redeals of the rules; then perhaps some random moves, so that runs lie on the table from
/// the start.
pub(super) fn endgame(rules: &Rules, seed: u64, most_cards: u64) -> Plain {
    let mut chance = Decks::new(seed);
    // Few suits make builds likely: with four the foundations do nearly all the work.
    let suits = 1 + chance.below(4);
    let mut left = [0; 4];
    for _ in 0..5 + chance.below(most_cards - 4) {
        let suit = chance.below(suits) as usize;
        left[suit] = (left[suit] + 1).min(13);
    }
    let mut deck = || {
        let mut cards: Vec<Card> = chance.deck(52).into_iter().map(Card::at).collect();
        cards.retain(|card| card.rank() > 13 - left[card.suit()]);
        cards
    };
    let cards = deck();
    let orders = (0..rules.redeals).map(|_| deck()).collect();
    // Fans of one size, as they are dealt, block most; mixed ones arise in play.
    let (smallest, largest) = [(1, 2), (1, 3), (1, 4), (3, 3), (4, 4), (3, 4)][chance.below(6) as usize];
    let (mut fans, mut rest) = (Vec::new(), &cards[..]);
    while !rest.is_empty() {
        let size = (smallest + chance.below(largest - smallest + 1)) as usize;
        let size = size.min(rest.len());
        fans.push(rest[..size].to_vec());
        rest = &rest[size..];
    }
    if rules.kings_to_spaces {
        for _ in 0..chance.below(3) {
            fans.insert(chance.below(fans.len() as u64 + 1) as usize, Vec::new());
        }
    }
    let mut position = Plain { orders, ..Plain::new(rules, fans) };
    for _ in 0..chance.below(2) * chance.below(6) {
        let mut moves = position.moves(rules);
        if moves.is_empty() {
            break;
        }
        position = moves.swap_remove(chance.below(moves.len() as u64) as usize).1;
    }
    position
}
