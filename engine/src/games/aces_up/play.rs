//! Whole games by a rule list.

use super::lists::{Found, NO_RULE, RuleList};
use super::quick::{Opening, Record, Slim, Table};
use super::rollout::BASE;
use super::rules::{Fill, Rules};
use super::table::{AcesUp, Move};
use crate::search::{Game, Outcome};

/// Receives the moves of a game.
pub(super) trait Log {
    fn dealt(&mut self) {}
    /// Called when a rule, by its index, has moved the top card of a pile to a space; piles count from 0.
    fn moved(&mut self, _rule: u8, _source: usize, _space: usize) {}
}

/// The log that records nothing.
impl Log for () {}

/// Plays to the end, also past a win, as long as a rule finds a pile.
#[inline(always)]
pub(super) fn play_on<R: Record, const P: usize>(
    table: &mut Table<R, P>,
    rules: &Rules,
    list: &RuleList,
    stock: &[u8],
    log: &mut impl Log,
) {
    let aces_only = rules.fill == Fill::AcesOnly;
    loop {
        while let Some(space) = table.space(rules) {
            let found = Found::on(table, aces_only);
            let rule = if found.is_nothing() { NO_RULE } else { list.rule(found.pattern()) };
            if rule == NO_RULE {
                break;
            }
            let pile = list.dialect.pick(rule, &found, table);
            table.shift(pile, space);
            log.moved(rule, pile, space);
        }
        if table.next == stock.len() {
            return;
        }
        table.deal(rules, stock);
        log.dealt();
    }
}

/// Records the moves of a game, without discards.
impl Log for Vec<Move> {
    fn dealt(&mut self) {
        self.push(Move::Deal);
    }

    fn moved(&mut self, _: u8, source: usize, space: usize) {
        self.push(Move::ToSpace { source: source as u8, target: space as u8 });
    }
}

/// Returns the moves of a list from here to the end. Where discards are moves, each is made as soon as possible, that
/// of the first pile first.
pub(super) fn line(start: &AcesUp, list: &RuleList) -> Vec<Move> {
    let (opening, rules) = (Opening::of(start), &start.rules);
    let mut steps = Vec::new();
    match rules.piles {
        4 => play_on(&mut Table::<Slim, 4>::laid(&opening), rules, list, opening.stock(), &mut steps),
        _ => play_on(&mut Table::<Slim, 5>::laid(&opening), rules, list, opening.stock(), &mut steps),
    }
    if !rules.optional_discards {
        return steps;
    }
    let (mut game, mut line) = (start.clone(), Vec::new());
    let discard = |game: &mut AcesUp, line: &mut Vec<Move>| {
        while let Some(pile) = (0..rules.piles).find(|&pile| game.is_beaten(pile)) {
            line.push(Move::Discard { pile: pile as u8 });
            game.make(Move::Discard { pile: pile as u8 });
        }
    };
    discard(&mut game, &mut line);
    for m in steps {
        line.push(m);
        game.make(m);
        discard(&mut game, &mut line);
    }
    line
}

/// Gives a lost search that has tried nothing the line of a good list.
pub(super) fn any_line(start: &AcesUp, found: Outcome<Move>) -> Outcome<Move> {
    let list = RuleList::parse(BASE).and_then(|list| list.under(&start.rules));
    let moves = line(start, &list.expect("it always finds a pile"));
    let mut game = start.clone();
    for &m in &moves {
        game.make(m);
    }
    if game.score() > found.score { Outcome { score: game.score(), moves, ..found } } else { found }
}
