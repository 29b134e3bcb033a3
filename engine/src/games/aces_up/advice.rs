//! Aces Up played by policies.

use std::time::Duration;

use super::AcesUp;
use super::lists::RuleList;
use super::many::Many;
use super::play;
use super::quick::Opening;
use super::rules::Rules;
use super::table::Move;
use crate::Fault;
use crate::games::playing::stopped;
use crate::games::{Advised, Notation, Results, Start};
use crate::rng::Decks;
use crate::search::{Progress, Watch};

/// A way of playing.
#[derive(Clone, Debug)]
pub enum Policy {
    List(RuleList),
}

impl Advised for AcesUp {
    type Policy = Policy;

    /// `rules:2,1,10`, or `rules:2,1,10@documented`.
    fn policy(rules: &Rules, name: &str, _values: Option<&[u8]>) -> Result<Policy, Fault> {
        match name.split_once(':') {
            Some(("rules", list)) => Ok(Policy::List(RuleList::parse(list)?.under(rules)?)),
            _ => Err(Fault::new(format!(
                "the engine has no policy {name:?} of aces-up; it has random, rollout:60, rules:1,1000, weights"
            ))),
        }
    }

    fn play_by(&self, policy: &Policy, _luck: &mut Decks, watch: &mut Watch) -> Result<Vec<Move>, Fault> {
        // Whether it is stopped is for the caller to see.
        watch(Progress { nodes: 0, elapsed: Duration::ZERO, best: 0, bound: 48 });
        Ok(match policy {
            Policy::List(list) => play::line(self, list),
        })
    }

    fn play_all(
        rules: &Rules,
        policies: &[&Policy],
        starts: &[(Start, u64)],
        watch: &mut Watch,
    ) -> Result<Vec<Results>, Fault> {
        let lists: Vec<&RuleList> = policies
            .iter()
            .map(|policy| match policy {
                Policy::List(list) => list,
            })
            .collect();
        let mut many = Many::new(rules, &lists, starts.len());
        for (start, _luck) in starts {
            if watch(Progress { nodes: 0, elapsed: Duration::ZERO, best: 0, bound: 48 }) {
                return Err(stopped());
            }
            let opening = match start {
                Start::Seed(seed) => Opening::dealt(&mut Decks::new(*seed)),
                Start::Position(text) => Opening::of(&AcesUp::parse(rules, text)?),
            };
            many.play(&opening);
        }
        Ok(many.results())
    }
}
