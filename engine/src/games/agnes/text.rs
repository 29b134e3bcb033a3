//! The layout text of Agnes Sorel and the tokens of its moves.

use std::time::Duration;

use super::Agnes;
use super::rules::Rules;
use super::table::{Move, NONE, bit};
use crate::Fault;
use crate::cards::{Card, PACK, suit_name};
use crate::games::{Fields, Playable, Refusal};
use crate::rng::Decks;
use crate::search::{Game, Outcome, Task, Watch, search};

const BASE: &str = "Base";
const FOUNDATIONS: &str = "Foundations";
const STOCK: &str = "Stock";
/// Suits (of `Card`) in the order in which foundations are written: clubs, diamonds, spades, hearts.
const WRITTEN: [usize; 4] = [0, 1, 3, 2];
const RANKS: &str = "A23456789TJQK";

impl Playable for Agnes {
    type Rules = Rules;

    fn deck_size(rules: &Rules) -> usize {
        rules.deck()
    }

    fn rules(fields: &mut Fields) -> Result<Rules, Refusal> {
        Rules::read(fields)
    }

    fn deal(rules: &Rules, decks: &mut Decks) -> Agnes {
        let card = |place| Card::new(place / rules.ranks, place % rules.ranks + 1);
        let deck: Vec<Card> = decks.deck(rules.deck()).into_iter().map(card).collect();
        Agnes::dealt(*rules, &deck)
    }

    fn parse(rules: &Rules, text: &str) -> Result<Agnes, Fault> {
        let mut lines = Lines::read(rules, text)?;
        let base = read_rank(rules, lines.take(BASE)?)?;
        let mut seen = Seen::new(rules);
        let mut up = 0;
        let tops: Vec<&str> = lines.take(FOUNDATIONS)?.split_whitespace().collect();
        if tops.len() != 4 {
            return Err(Fault::new(format!("{} foundations are given; expected 4", tops.len())));
        }
        for (&suit, top) in WRITTEN.iter().zip(tops) {
            if top == "-" {
                continue;
            }
            let card = seen.read(top)?;
            if card.suit() != suit {
                let text = format!("{card} is no top card of a foundation of {}", suit_name(suit));
                return Err(Fault::new(text));
            }
            let number = Agnes::number_of(rules, base, card);
            for lower in number & !15..=number {
                up |= bit(lower);
            }
        }
        let mut piles = Vec::with_capacity(rules.piles);
        for pile in 1..=rules.piles {
            let (cards, down) = read_pile(rules, pile, lines.take(&pile.to_string())?)?;
            let cards =
                cards.into_iter().map(|card| seen.read(card)).collect::<Result<Vec<Card>, Fault>>()?;
            piles.push((cards, down));
        }
        let stock = match lines.take(STOCK)?.trim() {
            "-" => Vec::new(),
            cards => cards.split_whitespace().map(|card| seen.read(card)).collect::<Result<_, _>>()?,
        };
        let dealt = rules.stock().checked_sub(stock.len());
        if !dealt.is_some_and(|dealt| dealt % rules.piles == 0 || stock.is_empty()) {
            let text =
                format!("a stock of {} cards cannot be; it begins with {}", stock.len(), rules.stock());
            return Err(Fault::new(text));
        }
        let numbers = |cards: &[Card]| -> Vec<u8> {
            cards.iter().map(|&card| Agnes::number_of(rules, base, card)).collect()
        };
        seen.check_whole(rules, base, up)?;
        let piles: Vec<_> = piles.iter().map(|(cards, down)| (numbers(cards), *down)).collect();
        Ok(Agnes::new(*rules, base, &piles, &numbers(&stock), up))
    }

    fn text(&self) -> String {
        let rank = RANKS.as_bytes()[self.base as usize - 1] as char;
        let mut text = format!("{BASE}: {rank}\n{FOUNDATIONS}:");
        for suit in 0..4 {
            let height = (self.up >> (16 * suit) & 0xFFFF).count_ones() as u8;
            text.push(' ');
            match height.checked_sub(1) {
                None => text.push('-'),
                Some(height) => text.extend(self.card_of(16 * suit + height).letters()),
            }
        }
        text.push('\n');
        for pile in 0..self.rules.piles {
            text.push_str(&format!("{}:", pile + 1));
            let mut cards: Vec<u8> = self.pile(pile).collect();
            cards.reverse();
            let down = cards.iter().filter(|&&card| self.face_down & bit(card) != 0).count();
            for (place, &card) in cards.iter().enumerate() {
                text.push_str(if place == 0 && down > 0 { " [" } else { " " });
                text.extend(self.card_of(card).letters());
                if place + 1 == down {
                    text.push(']');
                }
            }
            text.push_str(if cards.is_empty() { " -\n" } else { "\n" });
        }
        text.push_str(STOCK);
        text.push(':');
        for &card in self.stock() {
            text.push(' ');
            text.extend(self.card_of(card).letters());
        }
        text.push_str(if self.left() == 0 { " -\n" } else { "\n" });
        text
    }

    fn token(&self, m: Move) -> String {
        match m {
            Move::Deal => "d".to_string(),
            Move::ToFoundation { pile, .. } => format!("{}f", pile + 1),
            Move::ToPile { source, target, count, .. } | Move::Shift { source, target, count, .. } => {
                let times = if count > 1 { format!("x{count}") } else { String::new() };
                format!("{}-{}{times}", source + 1, target + 1)
            }
        }
    }

    fn parse_token(&self, token: &str) -> Result<Move, Fault> {
        let token = token.to_ascii_lowercase();
        let token = token.strip_suffix("x1").unwrap_or(&token);
        let mut legal = Vec::new();
        self.moves(&mut legal);
        match legal.into_iter().find(|&m| self.token(m) == token) {
            Some(m) => Ok(m),
            None => Err(self.why_not(token)),
        }
    }

    fn search(&self, task: &Task, watch: &mut Watch) -> Outcome<Move> {
        search(&mut self.clone(), task, watch).map(Move::plain)
    }

    fn shorten(&self, line: &[Move], _: Duration, watch: &mut Watch) -> Vec<Move> {
        self.shorter(line, watch)
    }
}

impl Agnes {
    /// Returns the reason why a token is no legal move, for direct callers of the engine. Users get the messages of the
    /// Python rules.
    fn why_not(&self, token: &str) -> Fault {
        let pile = |text: &str| match text.parse::<usize>() {
            Ok(pile) if (1..=self.rules.piles).contains(&pile) => Ok(pile - 1),
            _ => Err(Fault::new(format!("there is no pile {text:?}; expected 1 to {}", self.rules.piles))),
        };
        if token == "d" {
            return Fault::new("the stock is empty");
        }
        let (source, target) = if let Some(source) = token.strip_suffix('f') {
            (source, None)
        } else if let Some((source, rest)) = token.split_once('-') {
            (source, Some(rest.split_once('x').map_or(rest, |(target, _)| target)))
        } else {
            return Fault::new("it is not a move; expected d, 3f, 3-5 or 3-5x4");
        };
        let (source, target) = match (pile(source), target.map(pile).transpose()) {
            (Ok(source), Ok(target)) => (source, target),
            (Err(fault), _) | (_, Err(fault)) => return fault,
        };
        if self.top[source] == NONE {
            return Fault::new(format!("pile {} is empty", source + 1));
        }
        let top = self.card_of(self.top[source]);
        Fault::new(match target {
            None => format!("{top} does not fit the foundation of {}", suit_name(top.suit())),
            Some(target) if target == source => "source and target are one pile".to_string(),
            Some(target) => format!("no such unit of pile {} goes to pile {}", source + 1, target + 1),
        })
    }
}

/// The labelled lines of a layout, each taken once.
struct Lines<'a> {
    lines: Vec<(&'a str, &'a str)>,
}

impl<'a> Lines<'a> {
    fn read(rules: &Rules, text: &'a str) -> Result<Lines<'a>, Fault> {
        let mut lines: Vec<(&str, &str)> = Vec::new();
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let Some((label, rest)) = line.split_once(':') else {
                return Err(Fault::new(format!("{line:?} has no label; expected {BASE}:, {STOCK}:, 1: ...")));
            };
            let label = label.trim();
            let is_pile = (1..=rules.piles).any(|pile| pile.to_string() == label);
            if !is_pile && ![BASE, FOUNDATIONS, STOCK].contains(&label) {
                return Err(Fault::new(format!("{label:?} is no line of this layout")));
            }
            if lines.iter().any(|&(other, _)| other == label) {
                return Err(Fault::new(format!("the line {label:?} is there twice")));
            }
            lines.push((label, rest.trim()));
        }
        Ok(Lines { lines })
    }

    fn take(&mut self, label: &str) -> Result<&'a str, Fault> {
        match self.lines.iter().find(|&&(other, _)| other == label) {
            Some(&(_, rest)) if !rest.is_empty() => Ok(rest),
            Some(_) => Err(Fault::new(format!("the line {label:?} is empty; expected cards, or -"))),
            None => Err(Fault::new(format!("there is no line {label:?}"))),
        }
    }
}

/// The cards read so far: each may occur once.
struct Seen {
    ranks: usize,
    is_seen: [bool; PACK],
}

impl Seen {
    fn new(rules: &Rules) -> Seen {
        Seen { ranks: rules.ranks, is_seen: [false; PACK] }
    }

    fn read(&mut self, text: &str) -> Result<Card, Fault> {
        let card: Card = text.parse()?;
        if card.rank() > self.ranks {
            return Err(Fault::new(format!("{card} is not in a deck of {} ranks", self.ranks)));
        }
        if std::mem::replace(&mut self.is_seen[card.index()], true) {
            return Err(Fault::new(format!("{card} is there twice")));
        }
        Ok(card)
    }

    /// Returns an error unless every card is in one place: seen, or on a foundation under its top card.
    fn check_whole(&self, rules: &Rules, base: u8, up: u64) -> Result<(), Fault> {
        for card in Card::all().filter(|card| card.rank() <= rules.ranks) {
            let number = Agnes::number_of(rules, base, card);
            let is_up = up & bit(number) != 0;
            let is_top = is_up && up & bit(number + 1) == 0;
            match (self.is_seen[card.index()], is_up) {
                (false, false) => return Err(Fault::new(format!("{card} is missing"))),
                (true, true) if !is_top => {
                    return Err(Fault::new(format!("{card} is also on its foundation")));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn read_rank(rules: &Rules, text: &str) -> Result<u8, Fault> {
    let ranks = &RANKS[..rules.ranks];
    match ranks.find(text) {
        Some(place) if text.len() == 1 => Ok(place as u8 + 1),
        _ => Err(Fault::new(format!("{text:?} is no rank; expected one of {ranks}"))),
    }
}

/// Returns the cards of a pile as text, and the number of face-down cards.
fn read_pile<'a>(rules: &Rules, pile: usize, text: &'a str) -> Result<(Vec<&'a str>, usize), Fault> {
    if text == "-" {
        return Ok((Vec::new(), 0));
    }
    let (down, open) = match text.strip_prefix('[') {
        None => ("", text),
        Some(rest) => {
            rest.split_once(']').ok_or_else(|| Fault::new(format!("pile {pile}: a ] is missing")))?
        }
    };
    let mut cards: Vec<&str> = down.split_whitespace().collect();
    let count = cards.len();
    cards.extend(open.split_whitespace());
    let fault = if text.starts_with('[') && rules.face_up {
        "no card lies face down under these rules".to_string()
    } else if count == cards.len() {
        "all its cards lie face down".to_string()
    } else if count >= pile {
        format!("{count} cards lie face down; at most {} were dealt so", pile - 1)
    } else {
        return Ok((cards, count));
    };
    Err(Fault::new(format!("pile {pile}: {fault}")))
}
