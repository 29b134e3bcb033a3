//! The layout text of Aces Up and the tokens of its moves.

use super::AcesUp;
use super::rules::Rules;
use super::table::{ALL, Move, NONE, bit, card_of, number_of};
use super::weights::is_tableau_move;
use super::{play, relaxed};
use crate::Fault;
use crate::cards::{Card, PACK};
use crate::games::{Fields, Playable, Refusal};
use crate::rng::Decks;
use crate::search::{Game, Outcome, Status, Task, Watch, search};

const PILE: &str = "Pile";
const RESERVE: &str = "Reserve";
const STOCK: &str = "Stock";
const DISCARDS: &str = "Discards";

impl Playable for AcesUp {
    type Rules = Rules;

    fn deck_size(_: &Rules) -> usize {
        PACK
    }

    fn rules(fields: &mut Fields) -> Result<Rules, Refusal> {
        Rules::read(fields)
    }

    fn deal(rules: &Rules, decks: &mut Decks) -> AcesUp {
        let deck: Vec<u8> = decks.deck(PACK).into_iter().map(|place| number_of(Card::at(place))).collect();
        AcesUp::new(*rules, &[], &deck, NONE)
    }

    fn parse(rules: &Rules, text: &str) -> Result<AcesUp, Fault> {
        let lines = Lines::read(rules, text)?;
        let mut seen = 0;
        let mut cards = |label: &str| lines.cards(label, &mut seen);
        let piles = (1..=rules.piles)
            .map(|pile| cards(&format!("{PILE} {pile}"))?.ok_or_else(|| missing(&format!("{PILE} {pile}"))))
            .collect::<Result<Vec<Vec<u8>>, Fault>>()?;
        let cell = match (rules.reserve, cards(RESERVE)?.as_deref()) {
            (false, _) | (true, None | Some([])) => NONE,
            (true, Some(&[card])) => card,
            (true, Some(cards)) => {
                return Err(Fault::new(format!("{} cards are in the cell; it holds one", cards.len())));
            }
        };
        let stock = cards(STOCK)?.ok_or_else(|| missing(STOCK))?;
        if !rules.leaves(stock.len()) {
            return Err(Fault::new(format!(
                "a stock of {} cards is left by no number of deals",
                stock.len()
            )));
        }
        // Without the line the discards are the cards that are named nowhere else.
        if cards(DISCARDS)?.is_some() && seen != ALL {
            return Err(Fault::new(format!("{} is missing", card_of((ALL & !seen).trailing_zeros() as u8))));
        }
        let game = AcesUp::new(*rules, &piles, &stock, cell);
        let tops = &game.now.top[..rules.piles];
        for (pile, &top) in tops.iter().enumerate().filter(|&(pile, _)| game.is_beaten(pile)) {
            if !rules.optional_discards {
                return Err(Fault::new(format!(
                    "{} on pile {} is beaten by another top card",
                    card_of(top),
                    pile + 1
                )));
            }
        }
        Ok(game)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |label: &str, cards: &mut dyn Iterator<Item = u8>, if_none: &str| {
            text.push_str(label);
            text.push(':');
            let before = text.len();
            for card in cards {
                text.push(' ');
                text.extend(card_of(card).letters());
            }
            text.push_str(if text.len() == before { if_none } else { "" });
            text.push('\n');
        };
        for pile in 0..self.rules.piles {
            let mut cards: Vec<u8> = self.pile(pile).collect();
            cards.reverse();
            line(&format!("{PILE} {}", pile + 1), &mut cards.into_iter(), "");
        }
        if self.rules.reserve {
            line(RESERVE, &mut [self.now.cell].into_iter().filter(|&card| card != NONE), " -");
        }
        line(STOCK, &mut self.stock().iter().copied(), " -");
        if self.now.gone != 0 {
            line(DISCARDS, &mut (0..NONE).filter(|&card| self.now.gone & bit(card) != 0), "");
        }
        text
    }

    fn tableau_moves() -> Option<fn(Move) -> bool> {
        Some(is_tableau_move)
    }

    fn token(&self, m: Move) -> String {
        match m {
            Move::Discard { pile } => format!("{}x", pile + 1),
            Move::ToSpace { source, target } => format!("{}-{}", source + 1, target + 1),
            Move::ToReserve { pile } => format!("{}-r", pile + 1),
            Move::FromReserve { target } => format!("r-{}", target + 1),
            Move::Deal => "d".to_string(),
        }
    }

    fn search(&self, task: &Task, watch: &mut Watch) -> Outcome<Move> {
        if !task.prune {
            return search(&mut self.clone(), task, watch);
        }
        let found = relaxed::search(self, task, watch);
        // Where the last rows prove a deal lost nothing is tried, but the result should have a line all the same.
        if found.status == Status::Unsolvable && found.moves.is_empty() {
            return play::any_line(self, found);
        }
        found
    }

    fn parse_token(&self, token: &str) -> Result<Move, Fault> {
        let token = token.to_ascii_lowercase();
        let mut legal = Vec::new();
        self.moves(&mut legal);
        match legal.into_iter().find(|&m| self.token(m) == token) {
            Some(m) => Ok(m),
            None => Err(self.why_not(&token)),
        }
    }
}

impl AcesUp {
    /// Returns the reason why a token is no legal move, for direct callers of the engine. Users get the messages of the
    /// Python rules.
    fn why_not(&self, token: &str) -> Fault {
        let is_place = |text: &str| {
            text == "r" && self.rules.reserve
                || text.parse().is_ok_and(|pile: usize| (1..=self.rules.piles).contains(&pile))
        };
        Fault::new(match token.split_once('-') {
            None if token == "d" && self.left() == 0 => "the stock is empty",
            None if token == "d" => "a space has to be filled first",
            None if token.strip_suffix('x').is_some_and(is_place) => "no other top card beats that card",
            Some((source, target)) if is_place(source) && is_place(target) => "that card cannot go there",
            _ => "it is not a move; expected d, 2x, 3-1, 2-r or r-1",
        })
    }
}

fn missing(label: &str) -> Fault {
    Fault::new(format!("there is no line {label:?}"))
}

/// The labelled lines of a layout.
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
                return Err(Fault::new(format!(
                    "{line:?} has no label; expected {PILE} 1:, {STOCK}:, {DISCARDS}: ..."
                )));
            };
            let label = label.trim();
            let is_pile = (1..=rules.piles).any(|pile| format!("{PILE} {pile}") == label);
            let is_cell = rules.reserve && label == RESERVE;
            if !is_pile && !is_cell && ![STOCK, DISCARDS].contains(&label) {
                return Err(Fault::new(format!("{label:?} is no line of this layout")));
            }
            if lines.iter().any(|&(other, _)| other == label) {
                return Err(Fault::new(format!("the line {label:?} is there twice")));
            }
            lines.push((label, rest.trim()));
        }
        Ok(Lines { lines })
    }

    /// Returns the cards of a line, if it is there; none of them may have been seen before.
    fn cards(&self, label: &str, seen: &mut u64) -> Result<Option<Vec<u8>>, Fault> {
        let Some(&(_, rest)) = self.lines.iter().find(|&&(other, _)| other == label) else { return Ok(None) };
        let read = |word: &str| -> Result<u8, Fault> {
            let number = number_of(word.parse()?);
            if *seen & bit(number) != 0 {
                return Err(Fault::new(format!("{word} is there twice")));
            }
            *seen |= bit(number);
            Ok(number)
        };
        let words = rest.split_whitespace().filter(|&word| word != "-");
        words.map(read).collect::<Result<_, _>>().map(Some)
    }
}
