//! Finding the numbers of `values` by playing.
//!
//! Whole games are played by the numbers found so far. What a table was worth is then moved towards what came
//! of it: half what the table after the next deal was worth, half what that one was moved towards. The last
//! deal is not left to chance: all its orders are gone through. Now and then any table is chosen instead of the
//! best, so that those beside the way are known too; nothing before it learns from that choice.
//!
//! To the bit what the Python side finds.

use super::planner::LastDeal;
use super::quick::Opening;
use super::rows::{PILES, Reach, Rows, check_fits};
use super::rules::Rules;
use super::values::{SIZE, features, logistic};
use crate::Fault;
use crate::rng::Decks;

/// How far the numbers are moved in the first game and after the last one, for all features of a table.
const FIRST_STEP: f64 = 2.0;
const LAST_STEP: f64 = 0.05;
/// One choice in so many is made by chance.
const STRAYS: u64 = 10;
/// From one seed of a stream to the next.
const NEXT: u64 = 0x9E37_79B9_7F4A_7C15;
const ORDERS: f64 = 24.0;

/// A table that was dealt from.
struct Visit {
    features: Vec<usize>,
    /// What the best table was worth, if another one was chosen.
    missed: Option<f64>,
}

/// Numbers that are being found.
pub(super) struct Training<'a> {
    rules: &'a Rules,
    numbers: Vec<f64>,
}

fn bits(cards: &[u8]) -> u64 {
    cards.iter().fold(0, |set, &card| set | 1 << card)
}

impl Training<'_> {
    /// Goes on with these numbers: little-endian, of 8 bytes. None: with nothing.
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

    /// As `new` reads them.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// Plays and learns from one game of so many.
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

    /// From the left, as the Python side adds.
    fn sum(&self, features: &[usize]) -> f64 {
        features.iter().fold(0.0, |sum, &place| sum + self.numbers[place])
    }

    /// The tables that were dealt from, and the share of the orders of the last deal that win.
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
