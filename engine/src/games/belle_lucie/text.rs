//! The layout text of La Belle Lucie and the tokens of its moves.

use super::BelleLucie;
use super::rules::{Merci, Rules};
use super::table::{Move, card_of, number_of};
use crate::Fault;
use crate::cards::{Card, PACK, suit_name};
use crate::games::{Fields, Playable, Refusal};
use crate::rng::Decks;
use crate::search::{Game, Outcome, Task, Watch};

const FOUNDATIONS: &str = "Foundations:";
const DEAL: &str = "Deal:";
const MERCI: &str = "Merci:";
const REDEAL: &str = "Redeal ";

impl Playable for BelleLucie {
    type Rules = Rules;

    fn deck_size(_: &Rules) -> usize {
        PACK
    }

    fn rules(fields: &mut Fields) -> Result<Rules, Refusal> {
        Rules::read(fields)
    }

    /// Deals the first deck; the next ones are the orders of the redeals.
    fn deal(rules: &Rules, decks: &mut Decks) -> BelleLucie {
        let is_dealt = |card: &Card| !(rules.aces_out && card.rank() == 1);
        let mut deck = || -> Vec<u8> {
            decks.deck(PACK).into_iter().map(Card::at).filter(is_dealt).map(number_of).collect()
        };
        let dealt = deck();
        let known = (0..rules.redeals).map(|_| deck()).collect();
        BelleLucie::dealt(*rules, &dealt, known)
    }

    fn parse(rules: &Rules, text: &str) -> Result<BelleLucie, Fault> {
        let (mut fans, mut foundations, mut orders) = (Vec::new(), None, Vec::new());
        let (mut deal, mut mercis) = (1, rules.mercis());
        for line in text.lines().map(str::trim) {
            if let Some(tops) = line.strip_prefix(FOUNDATIONS) {
                foundations = Some(tops);
            } else if let Some(number) = line.strip_prefix(DEAL) {
                deal = read_number(line, number, 1, rules.redeals + 1)?;
            } else if let Some(number) = line.strip_prefix(MERCI) {
                mercis = read_number(line, number, 0, rules.mercis())?;
            } else if let Some((number, order)) =
                line.strip_prefix(REDEAL).and_then(|rest| rest.split_once(':'))
            {
                if number != (orders.len() + 1).to_string() {
                    let text =
                        format!("{line:?} is out of order; expected {REDEAL}{}: ...", orders.len() + 1);
                    return Err(Fault::new(text));
                }
                orders.push(read_cards(order)?);
            } else if line == "-" {
                // Where no king may fill it, an empty fan is dropped.
                if rules.kings_to_spaces {
                    fans.push(Vec::new());
                }
            } else if !line.is_empty() {
                fans.push(read_cards(line)?);
            }
        }
        // Without a card the text must say that the game is won: an empty file is no position.
        if fans.iter().all(Vec::is_empty)
            && !foundations.is_some_and(|tops| tops.split_whitespace().eq(["KC", "KD", "KH", "KS"]))
        {
            return Err(Fault::new("no cards; expected fans, or 'Foundations: KC KD KH KS' for a won game"));
        }
        // A typed table may have any number of spaces, but no more than this can ever be filled.
        if fans.len() > PACK {
            return Err(Fault::new(format!("{} fans are too many; expected at most {PACK}", fans.len())));
        }
        check(&fans)?;
        let left = rules.redeals + 1 - deal;
        if orders.len() > left.into() {
            let text = format!("{} redeals are known, but {left} may still come", orders.len());
            return Err(Fault::new(text));
        }
        for (number, order) in (1..).zip(&orders) {
            check_order(number, order, &fans)?;
        }
        Ok(BelleLucie::new(*rules, &fans, deal, mercis, &orders))
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let heights = self.heights();
        if heights != [0; 4] {
            text.push_str(FOUNDATIONS);
            for (suit, &height) in heights.iter().enumerate().filter(|&(_, &height)| height > 0) {
                text.push_str(&format!(" {}", Card::new(suit, height)));
            }
            text.push('\n');
        }
        if self.now.deal > 1 {
            text.push_str(&format!("{DEAL} {}\n", self.now.deal));
        }
        if self.now.mercis != self.rules.mercis() {
            text.push_str(&format!("{MERCI} {}\n", self.now.mercis));
        }
        // A won table has no orders: nothing is left to deal.
        for (number, order) in (1..).zip(self.orders().filter(|order| !order.is_empty())) {
            text.push_str(&format!("{REDEAL}{number}:"));
            for card in order {
                text.push(' ');
                text.extend(card_of(card).letters());
            }
            text.push('\n');
        }
        for fan in self.fans() {
            for (place, card) in fan.iter().enumerate() {
                if place > 0 {
                    text.push(' ');
                }
                text.extend(card.letters());
            }
            text.push_str(if fan.is_empty() { "-\n" } else { "\n" });
        }
        text
    }

    fn token(&self, m: Move) -> String {
        // Built letter by letter: with `format!` the tokens took a tenth of the time of a whole batch.
        let mut token = String::with_capacity(6);
        let (is_merci, card, rest) = match m {
            Move::ToFoundation(card) => (false, card, "^"),
            Move::ToFan(card, _) => (false, card, ">"),
            Move::ToSpace(card) => (false, card, ">-"),
            Move::MerciUp(card) => (true, card, "^"),
            Move::MerciOnto(card, _) => (true, card, ">"),
            Move::MerciOwn(card) => (true, card, ""),
            Move::Redeal => return "r".to_string(),
        };
        if is_merci {
            token.push('*');
        }
        token.extend(card_of(card).letters());
        token.push_str(rest);
        if let Move::ToFan(_, onto) | Move::MerciOnto(_, onto) = m {
            token.extend(card_of(onto).letters());
        }
        token
    }

    fn parse_token(&self, token: &str) -> Result<Move, Fault> {
        let m = read_token(token)?;
        let mut legal = Vec::new();
        self.moves(&mut legal);
        if legal.contains(&m) { Ok(m) } else { Err(self.why_not(m)) }
    }

    fn check_open(&self) -> Result<(), Fault> {
        let (left, known) = (self.redeals_left() as usize, self.orders().count());
        if left == known || self.is_won() {
            return Ok(());
        }
        Err(Fault::new(format!("{left} redeals are left, but the order of only {known} is known")))
    }

    fn search(&self, task: &Task, watch: &mut Watch) -> Outcome<Move> {
        self.solve(task, watch)
    }
}

fn not_top(card: u8) -> String {
    format!("{} is not the top of a fan", card_of(card))
}

fn no_foundation(card: u8) -> String {
    let card = card_of(card);
    format!("{card} does not fit the foundation of {}", suit_name(card.suit()))
}

fn full(onto: u8) -> String {
    format!("the fan of {} is full", card_of(onto))
}

impl BelleLucie {
    /// Returns the reason why a move is not legal.
    fn why_not(&self, m: Move) -> Fault {
        Fault::new(match m {
            Move::ToFoundation(card) if self.is_top(card) => no_foundation(card),
            Move::ToFoundation(card) => not_top(card),
            Move::ToFan(card, onto) => self.why_not_to_fan(card, onto),
            Move::ToSpace(card) => self.why_not_to_space(card),
            Move::Redeal => self.why_no_redeal().to_string(),
            Move::MerciUp(card) | Move::MerciOnto(card, _) | Move::MerciOwn(card) => {
                self.why_no_merci(m, card)
            }
        })
    }

    fn why_not_to_fan(&self, card: u8, onto: u8) -> String {
        match (self.is_top(card), self.is_top(onto)) {
            (false, _) => not_top(card),
            (true, false) => not_top(onto),
            (true, true) if !self.fits(card, onto) => self.misfit(card, onto),
            (true, true) => full(onto),
        }
    }

    fn why_not_to_space(&self, card: u8) -> String {
        if !self.rules.kings_to_spaces {
            "under these rules nothing goes into a space".to_string()
        } else if card_of(card).rank() != 13 {
            "only a king goes into a space".to_string()
        } else if !self.is_top(card) {
            not_top(card)
        } else {
            format!("{} lies alone in its fan, or there is no space", card_of(card))
        }
    }

    fn why_no_redeal(&self) -> &'static str {
        if self.redeals_left() == 0 {
            "no redeal is left"
        } else if !self.may_redeal() {
            "a top card fits its foundation"
        } else {
            "the order of the redeal is not known"
        }
    }

    /// Returns the reason why the merci `m` of this card is not legal.
    fn why_no_merci(&self, m: Move, card: u8) -> String {
        if !self.may_merci() {
            let reason = match (self.rules.merci, self.now.mercis) {
                (Merci::None, _) => "under these rules there is no merci",
                (_, 0) => "no merci is left",
                _ => "a merci is allowed only in the last deal",
            };
            return reason.to_string();
        }
        if !self.is_in_play(card) || self.is_top(card) {
            return format!("{} is not buried in a fan", card_of(card));
        }
        let (name, merci) = (card_of(card), self.rules.merci);
        match m {
            Move::MerciUp(_) if self.heights()[name.suit()] + 1 != name.rank() => no_foundation(card),
            Move::MerciOnto(_, onto) if !self.is_top(onto) => not_top(onto),
            Move::MerciOnto(_, onto) if merci != Merci::Anywhere && !self.fits(card, onto) => {
                self.misfit(card, onto)
            }
            Move::MerciOnto(_, onto) if self.is_full(onto) => full(onto),
            Move::MerciOwn(_) if merci == Merci::Play => self.misfit(card, self.top_above(card)),
            Move::MerciOwn(_) => {
                "under these rules a merci goes to another fan or to the foundation".to_string()
            }
            // The remaining cases: `second` takes other cards and targets, and a card's own fan has its own token.
            Move::MerciOnto(_, onto) if self.top_above(card) == onto => {
                format!("{} lies in the fan of {name}", card_of(onto))
            }
            _ => format!("{name} does not lie directly below a top card"),
        }
    }

    fn misfit(&self, card: u8, onto: u8) -> String {
        let up = if self.rules.build_up { "up or down" } else { "down" };
        let suit = if self.rules.build_any { "" } else { " in suit" };
        format!("{} does not fit {}; fans are built {up}{suit}", card_of(card), card_of(onto))
    }

    fn is_top(&self, card: u8) -> bool {
        self.tops() & 1 << card != 0
    }

    fn fits(&self, card: u8, onto: u8) -> bool {
        self.targets(card) & 1 << onto != 0
    }
}

/// Parses the move of a token, legal or not.
fn read_token(token: &str) -> Result<Move, Fault> {
    if token == "r" {
        return Ok(Move::Redeal);
    }
    let (is_merci, rest) = match token.strip_prefix('*') {
        Some(rest) => (true, rest),
        None => (false, token),
    };
    let card = |text: &str| text.parse().map(number_of);
    if let Some(text) = rest.strip_suffix('^') {
        return card(text).map(if is_merci { Move::MerciUp } else { Move::ToFoundation });
    }
    match rest.split_once('>') {
        Some((text, "-")) if !is_merci => card(text).map(Move::ToSpace),
        Some((text, onto)) => {
            let (card, onto) = (card(text)?, card(onto)?);
            Ok(if is_merci { Move::MerciOnto(card, onto) } else { Move::ToFan(card, onto) })
        }
        None if is_merci => card(rest).map(Move::MerciOwn),
        None => Err(Fault::new("it is not a move; expected a card and ^, or two cards and > between them")),
    }
}

fn read_cards(line: &str) -> Result<Vec<Card>, Fault> {
    line.split_whitespace().map(str::parse).collect()
}

fn read_number(line: &str, number: &str, least: u8, most: u8) -> Result<u8, Fault> {
    match number.trim().parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(Fault::new(format!("{line:?} is not allowed; expected a number from {least} to {most}"))),
    }
}

/// Returns an error if a card is there twice, or if a foundation would have a gap.
fn check(fans: &[Vec<Card>]) -> Result<(), Fault> {
    let mut place = [None; PACK];
    for (number, fan) in fans.iter().enumerate() {
        for &card in fan {
            if let Some(first) = place[card.index()].replace(number + 1) {
                let text = format!("{card} is on the table twice, in fan {first} and in fan {}", number + 1);
                return Err(Fault::new(text));
            }
        }
    }
    for card in Card::all().filter(|card| card.rank() < 13) {
        let higher = Card::new(card.suit(), card.rank() + 1);
        if let (Some(fan), None) = (place[card.index()], place[higher.index()]) {
            let suit = suit_name(card.suit());
            return Err(Fault::new(format!("{suit}: {higher} is nowhere, but {card} is in fan {fan}")));
        }
    }
    Ok(())
}

/// Returns an error if a card is there twice, or if a card of the fans is missing.
fn check_order(number: usize, order: &[Card], fans: &[Vec<Card>]) -> Result<(), Fault> {
    let mut is_there = [false; PACK];
    for card in order {
        if std::mem::replace(&mut is_there[card.index()], true) {
            return Err(Fault::new(format!("{card} is twice in redeal {number}")));
        }
    }
    match fans.iter().flatten().find(|card| !is_there[card.index()]) {
        Some(card) => Err(Fault::new(format!("{card} is missing in redeal {number}"))),
        None => Ok(()),
    }
}
