//! The policy `planner`: of all tables that can be reached before the next deal, it chooses the one with the highest
//! estimated win probability.
//!
//! With one deal to come, all orders of the four cards are enumerated: the probability is exact. Before that, the
//! tables with the highest `values` are examined more closely. The next deal is sampled, with the same samples for all
//! of them; a table's estimate is the mean win probability of the best table reachable after the deal.
//!
//! The random numbers are specified exactly: each such choice takes the next number of the game's stream as the seed of
//! a stream of its own, and draws the orders of the unseen cards from it as `rollout` does. The Python side plays the
//! same moves.

use std::cmp::Reverse;
use std::time::Instant;

use super::game::WON;
use super::quick::{CODES, Opening};
use super::rollout::{ORDERS, is_stopped};
use super::rows::{PILES, Reach, Rows, check_fits};
use super::rules::Rules;
use super::table::{AcesUp, Move};
use super::values::{Values, chance};
use crate::Fault;
use crate::rng::Decks;
use crate::search::{Game, Watch};

/// The number of tables that are examined more closely.
const CLOSER: usize = 5;

/// The settings of `planner`.
#[derive(Clone, PartialEq, Debug)]
pub struct Planner {
    /// Samples of the next deal; 0 to go by the values alone.
    pub(super) samples: u64,
    pub(super) values: Values,
}

/// Returns the cards of a set in the order of the deck.
fn sorted(cards: u64) -> Vec<u8> {
    CODES.into_iter().filter(|code| cards >> code & 1 == 1).collect()
}

/// Returns all orders of the last four cards of the stock.
fn last_orders(unseen: u64) -> Vec<[u8; PILES]> {
    let cards = sorted(unseen);
    let mut orders = Vec::with_capacity(24);
    for number in 0..PILES.pow(PILES as u32) {
        let places: [usize; PILES] = std::array::from_fn(|place| number / PILES.pow(place as u32) % PILES);
        if (0..PILES).all(|place| places.contains(&place)) {
            orders.push(places.map(|place| cards[place]));
        }
    }
    orders
}

/// Counts the orders of the last deal in which the game is won from a table.
pub(super) struct LastDeal {
    orders: Vec<[u8; PILES]>,
    reach: Reach,
}

impl LastDeal {
    pub(super) fn of(unseen: u64) -> LastDeal {
        LastDeal { orders: last_orders(unseen), reach: Reach::default() }
    }

    /// Returns how many of the 24 orders can be won.
    pub(super) fn count(&mut self, table: &Rows, rules: &Rules) -> u32 {
        let LastDeal { orders, reach } = self;
        let is_won = |order: &&[u8; PILES]| {
            let mut after = *table;
            after.deal(&order[..]);
            reach.is_won_from(after, rules)
        };
        orders.iter().filter(is_won).count() as u32
    }
}

impl Planner {
    /// Returns the planner for these rules.
    pub(super) fn new(rules: &Rules, samples: u64, values: Values) -> Result<Planner, Fault> {
        check_fits(rules)?;
        Ok(Planner { samples, values })
    }

    /// Plays to the end, or to a win; the line is cut short if the watch stops it.
    pub(super) fn line(&self, start: &AcesUp, luck: &mut Decks, watch: &mut Watch) -> Vec<Move> {
        let (begun, mut game, mut line) = (Instant::now(), start.clone(), Vec::new());
        let mut reach = Reach::default();
        while !game.is_won() {
            let opening = Opening::of(&game);
            reach.look(Rows::of(&opening), &game.rules);
            let unseen = opening.stock().iter().fold(0, |set, &card| set | 1 << card);
            let mut stop = || is_stopped(begun, watch);
            let Some(place) = self.choose(&reach, &game.rules, unseen, luck, &mut stop) else { break };
            for source in reach.path(place) {
                let space =
                    Rows::of(&Opening::of(&game)).space(&game.rules).expect("there is one in the plan");
                let m = Move::ToSpace { source: source as u8, target: space as u8 };
                game.make(m);
                line.push(m);
                if game.score() >= WON {
                    return line;
                }
            }
            if unseen == 0 {
                break;
            }
            game.make(Move::Deal);
            line.push(Move::Deal);
        }
        line
    }

    /// Returns the index of the table to deal from, or to end with; `None` if `stop` ends the search.
    fn choose(
        &self,
        reach: &Reach,
        rules: &Rules,
        unseen: u64,
        luck: &mut Decks,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<usize> {
        let deals = unseen.count_ones() as usize / PILES;
        if deals == 0 {
            let fewest =
                reach.tables.iter().enumerate().min_by_key(|(_, table)| table.rows.cards.count_ones());
            return fewest.map(|(place, _)| place);
        }
        let mut tables: Vec<(usize, &Rows)> = reach.before_deal(rules).collect();
        if tables.len() == 1 {
            return Some(tables[0].0);
        }
        let value = |rows: &Rows| self.values.of(rows, deals, unseen);
        if deals == 1 {
            let mut last = LastDeal::of(unseen);
            let worth = |&&(_, rows): &&(usize, &Rows)| Reverse((last.count(rows, rules), value(rows)));
            return tables.iter().min_by_key(worth).map(|&(place, _)| place);
        }
        // The sort is stable: of equals the first stays the first.
        tables.sort_by_cached_key(|(_, rows)| Reverse(value(rows)));
        tables.truncate(CLOSER);
        if self.samples == 0 {
            return Some(tables[0].0);
        }
        let mut sums = vec![0.0; tables.len()];
        let (cards, mut stream, mut after) = (sorted(unseen), Decks::new(luck.bits()), Reach::default());
        for number in 0..self.samples {
            if number % ORDERS == 0 && stop() {
                return None;
            }
            let mut order = cards.clone();
            stream.shuffle(&mut order);
            let unseen = order[PILES..].iter().fold(0, |set, &card| set | 1 << card);
            for ((_, rows), sum) in tables.iter().zip(&mut sums) {
                let mut rows = **rows;
                rows.deal(&order);
                after.look(rows, rules);
                let values =
                    after.before_deal(rules).map(|(_, rows)| self.values.of(rows, deals - 1, unseen));
                *sum += chance(values.max().expect("some table can be dealt from"));
            }
        }
        let best = (1..sums.len()).fold(0, |best, next| if sums[next] > sums[best] { next } else { best });
        Some(tables[best].0)
    }
}
