//! Policies and plans of La Belle Lucie.

use std::time::Instant;

use super::packed::Heights;
use super::plan::{self, plan};
use super::round::{Round, mercis_spent};
use super::rules::Rules;
use super::sample::sample;
use super::table::{BelleLucie, Move, card_of};
use super::values::{STATES, Values, heights_of};
use super::whole::{Policy, Table, play, worth};
use crate::Fault;
use crate::cards::Card;
use crate::games::{Plan, PlaysPolicies, Sampled, Sampling, Stop, StopsDeals};
use crate::rng::Decks;
use crate::search::{Game, Task, Watch};

impl PlaysPolicies for BelleLucie {
    type Policy = Policy;

    fn policy(rules: &Rules, name: &str, values: Option<&[u8]>) -> Result<Policy, Fault> {
        match (name, values) {
            ("greedy", _) => Ok(Policy::Greedy),
            ("value", Some(values)) => Ok(Policy::Value(Self::values(rules, values)?)),
            ("value", None) => Err(Fault::new("the policy value needs value tables")),
            _ => Err(Fault::new(format!(
                "the engine has no policy {name:?} of belle-lucie; it has greedy, random, value"
            ))),
        }
    }

    fn play_by(&self, policy: &Policy, _: &mut Decks, watch: &mut Watch) -> Result<Vec<Move>, Fault> {
        if self.is_won() {
            return Ok(Vec::new());
        }
        let mut orders = self.orders().map(|order| order.into_iter().map(card_of).collect::<Vec<Card>>());
        if self.orders().count() < self.redeals_left() as usize {
            return Err(Fault::new("the game goes on with a redeal whose order is not known"));
        }
        let redeal = || orders.next().unwrap_or_default();
        Ok(play(&self.rules, &self.table(), policy, redeal, watch).moves)
    }
}

impl StopsDeals for BelleLucie {
    type Values = Values;

    fn values(rules: &Rules, values: &[u8]) -> Result<Values, Fault> {
        Values::from_bytes(values, rules.planes())
    }

    fn states(_: &Rules) -> usize {
        STATES
    }

    fn plan(&self, values: &Values, at_most: usize, watch: &mut Watch) -> Result<Plan<Move>, Fault> {
        let started = Instant::now();
        let (redeals_left, mercis) = (self.redeals_left(), self.now.mercis);
        let round = Round::new(&self.rules, &self.fans(), redeals_left, mercis);
        let stop = |moves, heights: Heights, spent, value| Stop {
            moves,
            heights: heights.to_vec(),
            mercis: mercis - spent,
            value,
        };
        if redeals_left == 0 {
            let found = round.most_cards(watch);
            let (nodes, is_complete) = (found.stats.nodes, found.score_proved);
            let (heights, spent) = (round.heights_after(&found.moves), mercis_spent(&found.moves));
            let is_won = heights == [13; 4];
            let most = stop(found.moves, heights, spent, f64::from(u8::from(is_won)));
            let (stops, seconds) = (vec![most.clone()], started.elapsed().as_secs_f64());
            return Ok(Plan { stops, most, is_won, redeals: false, is_complete, nodes, seconds });
        }
        let worth = worth(values, redeals_left, mercis);
        let task = Task::default();
        let best = plan(&self.rules, &round, &worth, at_most, &task, watch);
        // Where cards come first, stops are ordered by cards on the foundations and then by value.
        let cards_first = |heights: Heights, spent: u8| {
            let up: u8 = heights.iter().sum();
            (f64::from(up) + worth(heights, spent).min(1.0)) / 54.0
        };
        let mut most = if at_most > 1 {
            plan(&self.rules, &round, &cards_first, 1, &task, watch)
        } else {
            plan::Plan { stops: best.stops[..1].to_vec(), nodes: 0, complete: true }
        };
        let words = |plan::Stop { moves, heights, mercis_spent, .. }| {
            let value = if heights == [13; 4] { 1.0 } else { worth(heights, mercis_spent) };
            stop(moves, heights, mercis_spent, value)
        };
        let most_stop = words(most.stops.swap_remove(0));
        let stops: Vec<Stop<Move>> = best.stops.into_iter().map(words).collect();
        let is_won = stops[0].heights == [13; 4];
        Ok(Plan {
            stops,
            most: most_stop,
            is_won,
            redeals: !is_won,
            is_complete: best.complete && most.complete,
            nodes: best.nodes + most.nodes,
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    fn sample(rules: &Rules, state: usize, sampling: &Sampling<Values>) -> Result<Sampled, Fault> {
        Ok(sample(rules, heights_of(state), sampling))
    }
}

impl BelleLucie {
    pub(super) fn table(&self) -> Table {
        Table { fans: self.fans(), redeals_left: self.redeals_left(), mercis: self.now.mercis }
    }
}
