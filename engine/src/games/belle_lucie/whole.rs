//! Whole games, deal after deal, by a policy that sees each deal when it is dealt.

use super::packed::Heights;
use super::plan::plan;
use super::round::{Round, mercis_spent};
use super::rules::Rules;
use super::table::Move;
use super::values::{Values, state_of};
use crate::cards::Card;
use crate::search::{Task, Watch};

/// A policy for a whole game.
#[derive(Clone, Debug)]
pub enum Policy {
    /// The stop with the most cards in every deal.
    Greedy,
    /// The stop with the highest value.
    Value(Values),
}

/// A table at the start of a game, or in the middle of one.
#[derive(Clone, Debug)]
pub struct Table {
    /// Bottom cards first; empty fans are spaces.
    pub fans: Vec<Vec<Card>>,
    pub redeals_left: u8,
    pub mercis: u8,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    pub heights: Heights,
    pub moves: Vec<Move>,
}

/// Plays from the table to the end; `redeal` returns the orders of the coming redeals, one by one. Cards that are up
/// are skipped in them.
pub fn play(
    rules: &Rules,
    table: &Table,
    policy: &Policy,
    mut redeal: impl FnMut() -> Vec<Card>,
    watch: &mut Watch,
) -> Game {
    let Table { mut redeals_left, mut mercis, .. } = *table;
    let mut round = Round::new(rules, &table.fans, redeals_left, mercis);
    let mut played = Vec::new();
    loop {
        let (moves, heights) = play_deal(rules, &round, policy, redeals_left, mercis, watch);
        mercis -= mercis_spent(&moves);
        played.extend(moves);
        if redeals_left == 0 || heights == [13; 4] {
            return Game { heights, moves: played };
        }
        played.push(Move::Redeal);
        redeals_left -= 1;
        round = redealt(rules, &redeal(), heights, redeals_left, mercis);
    }
}

/// Returns the deal of an order, without the cards that are up.
pub fn redealt(rules: &Rules, order: &[Card], heights: Heights, redeals_left: u8, mercis: u8) -> Round {
    let is_left = |card: &&Card| card.rank() > heights[card.suit()] as usize;
    let left: Vec<Card> = order.iter().filter(is_left).copied().collect();
    let fans: Vec<&[Card]> = left.chunks(rules.fan_size).collect();
    Round::new(rules, &fans, redeals_left, mercis)
}

/// Returns the moves in one deal, and the heights of the foundations after them.
fn play_deal(
    rules: &Rules,
    round: &Round,
    policy: &Policy,
    redeals_left: u8,
    mercis: u8,
    watch: &mut Watch,
) -> (Vec<Move>, Heights) {
    match policy {
        Policy::Value(values) if redeals_left > 0 => {
            let worth = worth(values, redeals_left, mercis);
            let best = plan(rules, round, &worth, 1, &Task::default(), watch).stops.swap_remove(0);
            (best.moves, best.heights)
        }
        _ => {
            let moves = round.most_cards(watch).moves;
            let heights = round.heights_after(&moves);
            (moves, heights)
        }
    }
}

/// Returns the value of stops in a deal with this number of redeals and mercis left.
pub fn worth(values: &Values, redeals_left: u8, mercis: u8) -> impl Fn(Heights, u8) -> f64 {
    let plane =
        move |spent: u8| values.plane(redeals_left as usize - 1, mercis.saturating_sub(spent) as usize);
    // Nearly always at most one merci is spent.
    let (kept, one_spent) = (plane(0), plane(1));
    move |heights, spent| match spent {
        0 => kept[state_of(heights)],
        1 => one_spent[state_of(heights)],
        _ => plane(spent)[state_of(heights)],
    }
}
