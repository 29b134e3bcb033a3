//! The layout text of Spider and the tokens of its moves.

use std::fmt::Write;
use std::time::Duration;

use super::moves::Move;
use super::rules::Rules;
use super::table::{Table, card_of, number, number_of, rank};
use crate::Fault;
use crate::cards::Card;
use crate::games::{Fields, Playable, Refusal};
use crate::rng::Decks;
use crate::search::{Outcome, Task, Watch};

const BANK: &str = "Bank";
const COMPLETED: &str = "Completed";
const MOVES: &str = "Moves";
/// The suits in the order of the numbers.
const SUITS: &str = "SHDC";
/// The limit on the moves of a layout: their score still fits into a number.
const MOST_MOVES_MADE: u32 = 1_000_000_000;

impl Playable for Table {
    type Rules = Rules;

    fn deck_size(rules: &Rules) -> usize {
        rules.deck()
    }

    fn rules(fields: &mut Fields) -> Result<Rules, Refusal> {
        Rules::read(fields)
    }

    fn deal(rules: &Rules, decks: &mut Decks) -> Table {
        let deck: Vec<u8> = decks.deck(rules.deck()).into_iter().map(|place| rules.card_at(place)).collect();
        Table::dealt(*rules, &deck)
    }

    fn parse(rules: &Rules, text: &str) -> Result<Table, Fault> {
        let mut faults = Vec::new();
        match read(rules, text, &mut faults) {
            Some(table) if faults.is_empty() => Ok(table),
            _ => Err(Fault::new(faults.join("; "))),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        for (place, pile) in self.piles().iter().enumerate() {
            let _ = write!(text, "{}:", place + 1);
            for (place, &card) in (0u8..).zip(pile.cards()) {
                let card = card_of(card);
                let _ = if place < pile.down { write!(text, " [{card}]") } else { write!(text, " {card}") };
            }
            text.push('\n');
        }
        let _ = write!(text, "{BANK}:");
        for &card in self.bank() {
            let _ = write!(text, " {}", card_of(card));
        }
        let _ = write!(text, "\n{COMPLETED}:");
        for &suit in self.completed() {
            text.push(' ');
            text.push(SUITS.as_bytes()[usize::from(suit)] as char);
        }
        let _ = writeln!(text, "\n{MOVES}: {}", self.moves);
        text
    }

    fn token(&self, m: Move) -> String {
        m.token()
    }

    fn parse_token(&self, token: &str) -> Result<Move, Fault> {
        let m = read_token(token)?;
        if self.is_legal(m) { Ok(m) } else { Err(self.why_not(m)) }
    }

    fn search(&self, task: &Task, watch: &mut Watch) -> Outcome<Move> {
        self.win(task, watch)
    }

    fn shorten(&self, line: &[Move], time: Duration, watch: &mut Watch) -> Vec<Move> {
        self.shorter(line, time, watch)
    }
}

impl Move {
    /// Returns the token: `d`, `3-7` or `3-7x4`, with piles counted from 1.
    pub fn token(self) -> String {
        match self {
            Move::Row => "d".to_string(),
            Move::Run { from, to, count: 1 } => format!("{}-{}", from + 1, to + 1),
            Move::Run { from, to, count } => format!("{}-{}x{count}", from + 1, to + 1),
        }
    }
}

/// Parses the move of a token, legal or not. There is one spelling, except that a single card may have a count.
fn read_token(token: &str) -> Result<Move, Fault> {
    let wrong = || Fault::new("it is not a move; expected d, 3-7 or 3-7x4");
    let token = token.to_ascii_lowercase();
    if token == "d" {
        return Ok(Move::Row);
    }
    let token = token.strip_suffix("x1").unwrap_or(&token);
    let (from, rest) = token.split_once('-').ok_or_else(wrong)?;
    let (to, count) = rest.split_once('x').unwrap_or((rest, "1"));
    let number = |text: &str| text.parse::<u8>().ok().filter(|&number| number > 0).ok_or_else(wrong);
    let m = Move::Run { from: number(from)? - 1, to: number(to)? - 1, count: number(count)? };
    if m.token() == token { Ok(m) } else { Err(wrong()) }
}

impl Table {
    /// Returns the reason why a move is not legal, for direct callers of the engine. Users get the messages of the
    /// Python rules.
    fn why_not(&self, m: Move) -> Fault {
        let Move::Run { from, to, count } = m else {
            let is_empty = self.left() == 0;
            return Fault::new(if is_empty { "the bank is empty" } else { "a pile is empty" });
        };
        let piles = self.rules.piles;
        if let Some(pile) = [from, to].into_iter().find(|&pile| pile >= piles) {
            return Fault::new(format!("there is no pile {}; expected 1 to {piles}", pile + 1));
        }
        let (source, target) = (&self.piles[usize::from(from)], &self.piles[usize::from(to)]);
        Fault::new(if from == to {
            "source and target are one pile".to_string()
        } else if source.is_empty() {
            format!("pile {} is empty", from + 1)
        } else if count > source.run {
            format!("the longest run of pile {} has length {}", from + 1, source.run)
        } else {
            // The target is not empty, or the move would be legal.
            let head = card_of(source.last() + count - 1);
            format!("{head} does not go onto {}", card_of(target.last()))
        })
    }
}

/// Parses a layout, and collects everything that is wrong with it. If there is a fault, the table must not be used.
fn read(rules: &Rules, text: &str, faults: &mut Vec<String>) -> Option<Table> {
    let labels: Vec<String> = (1..=rules.piles).map(|pile| pile.to_string()).collect();
    let lines = Lines::read(&labels, text, faults);
    let piles: Vec<(Vec<u8>, usize)> =
        labels.iter().map(|label| read_pile(label, lines.take(label, faults), faults)).collect();
    let bank: Vec<u8> = lines
        .take(BANK, faults)
        .split_whitespace()
        .filter_map(|word| read_card(BANK, word, faults))
        .collect();
    let completed: Vec<u8> = lines
        .take(COMPLETED, faults)
        .split_whitespace()
        .filter_map(|word| {
            let suit = SUITS.find(word).filter(|_| word.len() == 1);
            if suit.is_none() {
                faults.push(format!("{COMPLETED}: {word:?} is not a suit; expected C, D, H or S"));
            }
            suit.map(|suit| suit as u8)
        })
        .collect();
    let made = lines.take(MOVES, faults);
    let moves = made.parse().ok().filter(|&moves| moves <= MOST_MOVES_MADE);
    if moves.is_none() {
        faults.push(format!("{MOVES}: {made:?} is not a number from 0 to {MOST_MOVES_MADE}"));
    }
    if !faults.is_empty() {
        // Cards that could not be read would be reported as missing.
        return None;
    }
    check_counts(rules, &piles, &bank, &completed, faults);
    if !bank.len().is_multiple_of(rules.piles.into()) {
        let (cards, piles) = (bank.len(), rules.piles);
        faults.push(format!("{BANK}: {cards} cards are not whole rows of {piles}"));
    }
    for (label, (cards, down)) in labels.iter().zip(&piles) {
        check_end(rules, label, &cards[*down..], !cards.is_empty(), faults);
    }
    if !faults.is_empty() {
        return None;
    }
    Some(Table::new(*rules, &piles, &bank, &completed, moves?))
}

/// The lines of a layout by their labels.
struct Lines<'a> {
    lines: Vec<(&'a str, &'a str)>,
}

impl<'a> Lines<'a> {
    fn read(piles: &[String], text: &'a str, faults: &mut Vec<String>) -> Lines<'a> {
        let mut lines: Vec<(&str, &str)> = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let Some((label, rest)) = line.split_once(':') else {
                faults.push(format!("{line:?} has no label; expected 1:, {BANK}:, {COMPLETED}: or {MOVES}:"));
                continue;
            };
            let label = label.trim();
            if ![BANK, COMPLETED, MOVES].contains(&label) && !piles.iter().any(|pile| pile == label) {
                faults.push(format!("{label:?} is no line of this layout"));
            } else if lines.iter().any(|&(other, _)| other == label) {
                faults.push(format!("the line {label:?} is there twice"));
            } else {
                lines.push((label, rest.trim()));
            }
        }
        Lines { lines }
    }

    /// Takes the text behind a label.
    fn take(&self, label: &str, faults: &mut Vec<String>) -> &'a str {
        let line = self.lines.iter().find(|&&(other, _)| other == label);
        if line.is_none() {
            faults.push(format!("there is no line {label:?}"));
        }
        line.map_or("", |&(_, rest)| rest)
    }
}

fn read_card(label: &str, word: &str, faults: &mut Vec<String>) -> Option<u8> {
    let card: Result<Card, Fault> = word.parse();
    card.map_err(|fault| faults.push(format!("{label}: {fault}"))).ok().map(number_of)
}

/// Parses the cards of a pile; returns them and the number of face-down ones.
fn read_pile(label: &str, text: &str, faults: &mut Vec<String>) -> (Vec<u8>, usize) {
    let (mut cards, mut down) = (Vec::new(), 0);
    for word in text.split_whitespace() {
        let hidden = word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if hidden.is_some() && down < cards.len() {
            faults.push(format!("{label}: {word} lies face down on a card that is face up"));
        }
        down += usize::from(hidden.is_some());
        cards.extend(read_card(label, hidden.unwrap_or(word), faults));
    }
    (cards, down)
}

/// Adds a fault for each card that is not there as often as in the deck.
fn check_counts(
    rules: &Rules,
    piles: &[(Vec<u8>, usize)],
    bank: &[u8],
    completed: &[u8],
    faults: &mut Vec<String>,
) {
    let of_runs = completed.iter().flat_map(|&suit| (1..=rules.ranks).map(move |rank| number(suit, rank)));
    let mut counts = [0u32; 64];
    for card in piles.iter().flat_map(|(cards, _)| cards).chain(bank).copied().chain(of_runs) {
        counts[usize::from(card)] += 1;
    }
    let expected = rules.counts();
    for card in Card::all() {
        let place = usize::from(number_of(card));
        let (count, expected) = (counts[place], expected[place]);
        if count != u32::from(expected) {
            faults.push(format!("{card} is there {count} times; expected {expected}"));
        }
    }
}

/// Adds a fault unless the last card of a pile lies face up and the pile has no complete run, which would have left at
/// once. A run under other cards would leave when they do, long after the move that completed it, which cannot happen
/// in play.
fn check_end(rules: &Rules, label: &str, face_up: &[u8], has_cards: bool, faults: &mut Vec<String>) {
    if has_cards && face_up.is_empty() {
        faults.push(format!("{label}: the last card lies face down"));
    }
    for (start, run) in face_up.windows(rules.ranks.into()).enumerate() {
        if run.windows(2).all(|pair| pair[0] == pair[1] + 1)
            && run.last().is_some_and(|&card| rank(card) == 1)
        {
            let is_last = start + run.len() == face_up.len();
            let place = if is_last { "at its end" } else { "under other cards" };
            faults.push(format!("{label}: a complete run lies {place}"));
        }
    }
}
