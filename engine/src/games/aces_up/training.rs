//! Training of the weights of `values` by self-play.
//!
//! Whole games are played by the current weights. Then the value of each table dealt from is moved towards its target:
//! half the value of the table after the next deal, half that table's own target. The last deal is not sampled: all its
//! orders are enumerated. Some choices are random, so that tables off the best line are learned too; no earlier table
//! learns from such a choice.
//!
//! The result is equal to that of the Python side to the last bit.

use super::planner::LastDeal;
use super::quick::Opening;
use super::rows::{PILES, Reach, Rows, check_fits};
use super::rules::Rules;
use super::values::{SIZE, features, logistic};
use crate::Fault;
use crate::rng::Decks;

/// The step sizes in the first game and after the last one, shared by all features of a table.
const FIRST_STEP: f64 = 2.0;
const LAST_STEP: f64 = 0.05;
/// One choice in this number is random.
const STRAYS: u64 = 10;
/// The difference between the seeds of consecutive games.
const NEXT: u64 = 0x9E37_79B9_7F4A_7C15;
const ORDERS: f64 = 24.0;

/// A table that was dealt from.
struct Visit {
    features: Vec<usize>,
    /// The value of the best table, if another one was chosen.
    missed: Option<f64>,
}

/// The weights in training.
pub(super) struct Training<'a> {
    rules: &'a Rules,
    numbers: Vec<f64>,
}

fn bits(cards: &[u8]) -> u64 {
    cards.iter().fold(0, |set, &card| set | 1 << card)
}

impl Training<'_> {
    /// Continues with these weights, little-endian and of 8 bytes each; `None` starts with zeros.
    pub(super) fn new<'a>(rules: &'a Rules, numbers: Option<&[u8]>) -> Result<Training<'a>, Fault> {
        check_fits(rules)?;
        let numbers: Vec<f64> = match numbers {
            Some(bytes) if bytes.len() == 8 * SIZE => bytes
                .chunks_exact(8)
                .map(|number| f64::from_le_bytes(number.try_into().expect("8 bytes")))
                .collect(),
            Some(_) => Vec::new(),
            None => vec![0.0; SIZE],
        };
        if numbers.len() != SIZE || !numbers.iter().all(|number| number.is_finite()) {
            return Err(Fault::new(format!(
                "these are no numbers to go on with; expected {SIZE} of 8 bytes"
            )));
        }
        Ok(Training { rules, numbers })
    }

    /// Returns the weights in the format that `new` reads.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// Plays game `game` of `games`, and learns from it.
    pub(super) fn learn(&mut self, seed: u64, game: u64, games: u64) {
        let mut stream = Decks::new(Decks::new(seed.wrapping_add(game.wrapping_mul(NEXT))).bits());
        let opening = Opening::dealt(&mut stream);
        let (visits, mut aim) = self.play(opening.stock(), &mut stream);
        let step = FIRST_STEP + (LAST_STEP - FIRST_STEP) * (game as f64 / games as f64);
        for visit in visits.iter().rev() {
            let p = logistic(self.sum(&visit.features));
            let change = step * (aim - p) / visit.features.len() as f64;
            visit.features.iter().for_each(|&place| self.numbers[place] += change);
            aim = visit.missed.unwrap_or(0.5 * aim + 0.5 * p);
        }
    }

    /// Returns the sum, added from the left as on the Python side.
    fn sum(&self, features: &[usize]) -> f64 {
        features.iter().fold(0.0, |sum, &place| sum + self.numbers[place])
    }

    /// Returns the tables that were dealt from, and the share of the orders of the last deal that win.
    fn play(&self, stock: &[u8], stream: &mut Decks) -> (Vec<Visit>, f64) {
        let (rules, mut reach) = (self.rules, Reach::default());
        let (mut rows, mut visits, mut won) = (Rows::BARE, Vec::new(), 0.0);
        for deals in (1..stock.len() / PILES).rev() {
            let (row, rest) = stock[stock.len() - (deals + 1) * PILES..].split_at(PILES);
            rows.deal(row);
            let unseen = bits(rest);
            reach.look(rows, rules);
            let tables: Vec<&Rows> = reach.before_deal(rules).map(|(_, rows)| rows).collect();
            let mut last = (deals == 1).then(|| LastDeal::of(unseen));
            let mut worth = |rows: &&Rows| match &mut last {
                Some(last) => f64::from(last.count(rows, rules)) / ORDERS,
                None => {
                    let mut sum = 0.0;
                    features(rows, deals, unseen, |place| sum += self.numbers[place]);
                    sum
                }
            };
            let worths: Vec<f64> = tables.iter().map(&mut worth).collect();
            let best =
                (1..worths.len()).fold(0, |best, next| if worths[next] > worths[best] { next } else { best });
            let mut chosen = best;
            if worths.len() > 1 && stream.below(STRAYS) == 0 {
                chosen = stream.below(worths.len() as u64) as usize;
            }
            let chance = if deals == 1 { worths[best] } else { logistic(worths[best]) };
            won = worths[chosen];
            let mut found = Vec::with_capacity(64);
            features(tables[chosen], deals, unseen, |place| found.push(place));
            visits.push(Visit { features: found, missed: (chosen != best).then_some(chance) });
            rows = *tables[chosen];
        }
        (visits, won)
    }
}
