//! The value of each state: the mean over random deals of the rest, or over all deals where these are few.

use super::packed::Heights;
use super::plan::plan;
use super::round::{MOST_NODES, Round};
use super::rules::Rules;
use super::values::Values;
use super::whole::{redealt, worth};
use crate::cards::Card;
use crate::games::{Sampled, Sampling};
use crate::rng::{Decks, mix};
use crate::search::{Limits, Status, Task, Watch};

/// With at most this number of cards every deal is examined: 40,320 orders, and 5,040 on a general table, where a deal
/// takes longer.
const FEW: usize = 8;
const FEW_ON_A_GENERAL_TABLE: usize = 7;

/// The state to be valued: the heights, and what is left after the deal that is sampled.
#[derive(Clone, Copy, Debug)]
struct State<'a> {
    rules: &'a Rules,
    heights: Heights,
    redeals_left: u8,
    mercis: u8,
}

/// Returns the value of one deal of the rest: 1 or 0 in the last deal, else that of the best stop.
fn worth_of(state: &State, order: &[Card], values: Option<&Values>, watch: &mut Watch) -> f64 {
    let State { rules, heights, redeals_left, mercis } = *state;
    let round = redealt(rules, order, heights, redeals_left, mercis);
    match values {
        Some(values) if redeals_left > 0 => {
            let worth = worth(values, redeals_left, mercis);
            plan(rules, &round, &worth, 1, &Task::default(), watch).stops[0].value
        }
        _ => {
            // On a general table a deal that is not won within this number of nodes counts as lost.
            let limits = Limits { nodes: Some(MOST_NODES), ..Limits::default() };
            let task = Task { limits, ..Task::default() };
            f64::from(u8::from(round.decide(&task, watch) == Status::Solved))
        }
    }
}

/// Estimates the value of one state. The seed of each sample depends on the table's seed, the heights and the number of
/// the sample, so the result does not depend on threads or the order of the states.
pub fn sample(rules: &Rules, heights: Heights, sampling: &Sampling<Values>) -> Sampled {
    let Sampling { redeals_left, mercis, samples, seed, ref values } = *sampling;
    let state = &State { rules, heights, redeals_left, mercis };
    let values = values.as_ref();
    let watch: &mut Watch = &mut |_| false;
    let left: Vec<Card> =
        Card::all().filter(|card| card.rank() > state.heights[card.suit()] as usize).collect();
    if left.is_empty() {
        return Sampled { sum: 1.0, squares: 1.0, count: 0 };
    }
    let is_general = matches!(redealt(rules, &left, heights, redeals_left, mercis), Round::General(_));
    if left.len() <= if is_general { FEW_ON_A_GENERAL_TABLE } else { FEW } {
        let (mut sum, mut deals) = (0.0, 0.0);
        let mut order = left.clone();
        each_order(&mut order, 0, &mut |order| {
            sum += worth_of(state, order, values, watch);
            deals += 1.0;
        });
        return Sampled { sum: sum / deals, squares: 0.0, count: 0 };
    }
    let code = state.heights.iter().fold(0, |code, &height| code << 4 | u64::from(height));
    let stream = mix(seed ^ mix(code << 16 | u64::from(state.redeals_left) << 8 | u64::from(state.mercis)));
    let mut sampled = Sampled { sum: 0.0, squares: 0.0, count: samples };
    for number in 0..samples {
        let mut chance = Decks::new(mix(stream.wrapping_add(number)));
        let order: Vec<Card> = chance.deck(left.len()).into_iter().map(|place| left[place]).collect();
        let value = worth_of(state, &order, values, watch);
        sampled.sum += value;
        sampled.squares += value * value;
    }
    sampled
}

/// Calls `visit` with every order of the cards from `begin` on.
fn each_order(cards: &mut [Card], begin: usize, visit: &mut impl FnMut(&[Card])) {
    if begin == cards.len() {
        return visit(cards);
    }
    for place in begin..cards.len() {
        cards.swap(begin, place);
        each_order(cards, begin + 1, visit);
        cards.swap(begin, place);
    }
}
