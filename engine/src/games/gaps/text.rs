//! The layout text of Gaps and the tokens of its moves.

use super::board::{Board, CELLS, COLUMNS, GAP, KINGS, ROWS, Step, card_of, cell_at, number_of};
use super::rules::Rules;
use super::table::{Gaps, Move};
use crate::Fault;
use crate::cards::{Card, PACK};
use crate::games::{Fields, Playable, Refusal};
use crate::rng::Decks;
use crate::search::{Game, Outcome, Task, Watch};

const USED: &str = "Redeals used:";
const REDEAL: &str = "Redeal ";
const EMPTY: &str = "--";

impl Playable for Gaps {
    type Rules = Rules;

    fn deck_size(_: &Rules) -> usize {
        PACK
    }

    fn rules(fields: &mut Fields) -> Result<Rules, Refusal> {
        Rules::read(fields)
    }

    /// Deals the first deck row by row; the next ones are those of the redeals.
    fn deal(rules: &Rules, decks: &mut Decks) -> Gaps {
        let mut deck =
            || -> Vec<u8> { decks.deck(PACK).into_iter().map(|place| number_of(Card::at(place))).collect() };
        let mut cards = [GAP; CELLS];
        for (place, &card) in deck().iter().enumerate() {
            cards[cell_at(place / COLUMNS, place % COLUMNS) as usize] =
                if card < ROWS as u8 { GAP } else { card };
        }
        let known = (0..rules.redeals).map(|_| deck()).collect();
        Gaps::new(*rules, Board::new(rules, cards), 0, known)
    }

    fn parse(rules: &Rules, text: &str) -> Result<Gaps, Fault> {
        let (mut used, mut known, mut rows) = (0, Vec::new(), Vec::new());
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(number) = line.strip_prefix(USED) {
                used = match number.trim().parse() {
                    Ok(number) if number <= rules.redeals => number,
                    _ => {
                        let most = rules.redeals;
                        let text = format!("{line:?} is not allowed; expected a number from 0 to {most}");
                        return Err(Fault::new(text));
                    }
                };
            } else if let Some((number, deck)) =
                line.strip_prefix(REDEAL).and_then(|rest| rest.split_once(':'))
            {
                if number != (known.len() + 1).to_string() {
                    let text = format!("{line:?} is out of order; expected {REDEAL}{}: ...", known.len() + 1);
                    return Err(Fault::new(text));
                }
                known.push(read_deck(number, deck)?);
            } else {
                rows.push(line);
            }
        }
        if known.len() > (rules.redeals - used).into() {
            let (left, known) = (rules.redeals - used, known.len());
            return Err(Fault::new(format!("{known} redeals are known, but {left} may still come")));
        }
        Ok(Gaps::new(*rules, Board::new(rules, read_rows(&rows)?), used, known))
    }

    fn text(&self) -> String {
        let mut text = String::new();
        if self.used > 0 {
            text.push_str(&format!("{USED} {}\n", self.used));
        }
        for (number, deck) in (1..).zip(self.decks()) {
            text.push_str(&format!("{REDEAL}{number}:"));
            for &card in deck {
                text.push(' ');
                text.extend(card_of(card).letters());
            }
            text.push('\n');
        }
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                if column > 0 {
                    text.push(' ');
                }
                match self.board.card(cell_at(row, column)) {
                    GAP => text.push_str(EMPTY),
                    card => text.extend(card_of(card).letters()),
                }
            }
            text.push('\n');
        }
        text
    }

    fn token(&self, m: Move) -> String {
        match m {
            Move::ToGap(step) => token(step),
            Move::Redeal => "r".to_string(),
        }
    }

    fn parse_token(&self, token: &str) -> Result<Move, Fault> {
        let m = read_token(token)?;
        let mut legal = Vec::new();
        self.moves(&mut legal);
        if legal.contains(&m) { Ok(m) } else { Err(self.why_not(m)) }
    }

    fn search(&self, task: &Task, watch: &mut Watch) -> Outcome<Move> {
        self.search_phase(task, watch)
    }

    fn within_search(&self) -> Gaps {
        self.last_phase()
    }
}

/// Returns the token of a step, such as `6H>r2c5`.
pub(super) fn token(Step { card, to }: Step) -> String {
    format!("{}>r{}c{}", card_of(card), to as usize % ROWS + 1, to as usize / ROWS + 1)
}

impl Gaps {
    /// Returns the reason why a move is not legal.
    fn why_not(&self, m: Move) -> Fault {
        let step = match m {
            Move::ToGap(step) => step,
            Move::Redeal if self.is_won() => return Fault::new("the game is won"),
            Move::Redeal if self.used == self.rules.redeals => return Fault::new("no redeal is left"),
            Move::Redeal if !self.may_redeal() => return Fault::new("a card can still move"),
            Move::Redeal => return Fault::new("the order of the redeal is not known"),
        };
        let Step { card, to } = step;
        let name = card_of(card);
        let there = self.board.card(to);
        Fault::new(if there != GAP {
            format!("{} is there", card_of(there))
        } else if to < ROWS as u8 {
            match (name.rank() == 2, self.board.twos(to as usize) & 1 << card != 0) {
                (false, _) => "a gap in column 1 takes a 2".to_string(),
                (true, false) => "that row belongs to another suit".to_string(),
                (true, true) => format!("{name} is locked"),
            }
        } else {
            match self.board.card(to - ROWS as u8) {
                GAP => "a gap right of a gap takes nothing".to_string(),
                left if left >= KINGS => "a gap right of a king takes nothing".to_string(),
                left => format!("that gap takes {}", card_of(left + 4)),
            }
        })
    }
}

/// Parses the move of a token, legal or not.
fn read_token(token: &str) -> Result<Move, Fault> {
    if token == "r" {
        return Ok(Move::Redeal);
    }
    let wrong = || Fault::new("it is not a move; expected r, or a card and a cell such as 6H>r2c5");
    let (card, cell) = token.split_once('>').ok_or_else(wrong)?;
    let card: Card = card.parse()?;
    let (row, column) = cell.strip_prefix('r').and_then(|rest| rest.split_once('c')).ok_or_else(wrong)?;
    let number = |text: &str, most: usize| match text.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(wrong()),
    };
    let (row, column) = (number(row, ROWS)?, number(column, COLUMNS)?);
    if card.rank() == 1 {
        return Err(Fault::new("aces are out of the game"));
    }
    Ok(Move::ToGap(Step { card: number_of(card), to: cell_at(row - 1, column - 1) }))
}

/// Parses four rows of thirteen cells, each card once.
fn read_rows(rows: &[&str]) -> Result<[u8; CELLS], Fault> {
    if rows.len() != ROWS {
        return Err(Fault::new(format!("{} rows, expected {ROWS}", rows.len())));
    }
    let mut cards = [GAP; CELLS];
    let mut place: [Option<String>; PACK] = [const { None }; PACK];
    for (row, line) in rows.iter().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() != COLUMNS {
            let text = format!("row {} has {} cells, expected {COLUMNS}", row + 1, words.len());
            return Err(Fault::new(text));
        }
        for (column, word) in words.into_iter().enumerate().filter(|&(_, word)| word != EMPTY) {
            let cell = format!("r{}c{}", row + 1, column + 1);
            let Some(card) = word.parse::<Card>().ok().filter(|card| card.rank() > 1) else {
                return Err(Fault::new(format!("{cell}: '{word}' is not a card or a gap")));
            };
            if let Some(first) = place[card.index()].replace(cell.clone()) {
                return Err(Fault::new(format!("{card} twice: {first} and {cell}")));
            }
            cards[cell_at(row, column) as usize] = number_of(card);
        }
    }
    let is_missing = |card: &Card| card.rank() > 1 && place[card.index()].is_none();
    let missing: Vec<String> = Card::all().filter(is_missing).map(|card| card.to_string()).collect();
    if missing.is_empty() { Ok(cards) } else { Err(Fault::new(format!("missing: {}", missing.join(" ")))) }
}

/// Parses a whole deck.
fn read_deck(number: &str, text: &str) -> Result<Vec<u8>, Fault> {
    let cards = text.split_whitespace().map(str::parse).collect::<Result<Vec<Card>, _>>()?;
    let deck: Vec<u8> = cards.into_iter().map(number_of).collect();
    let mut sorted = deck.clone();
    sorted.sort_unstable();
    if sorted.into_iter().eq(0..PACK as u8) {
        Ok(deck)
    } else {
        Err(Fault::new(format!("redeal {number} is not a whole deck; expected each of the 52 cards once")))
    }
}
