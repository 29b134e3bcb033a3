//! The policies, playouts and training of Aces Up.

use std::ops::Range;
use std::time::Instant;

use rayon::ThreadPool;

use super::AcesUp;
use super::game::WON;
use super::lists::RuleList;
use super::many::Many;
use super::planner::Planner;
use super::play;
use super::quick::Opening;
use super::rollout::{self, BASE, Base, Rollout, is_stopped};
use super::rules::Rules;
use super::table::Move;
use super::training::Training;
use super::values::Values;
use super::weights::{self, Weights};
use crate::Fault;
use crate::games::policies::{self, stopped};
use crate::games::{Learns, Playable, Playouts, PlaysPolicies, Results, Start, Tally};
use crate::rng::Decks;
use crate::search::Watch;

/// The limit on samples and bonus, against typing errors; the Python side has the same limit.
const MOST: u64 = 1_000_000;

/// Quick games between two checks of the watch.
const GAMES: usize = 64;

/// A policy of the game.
#[derive(Clone, PartialEq, Debug)]
pub enum Policy {
    List(RuleList),
    Weights(Weights),
    Rollout(Rollout),
    Planner(Planner),
}

fn read_number(what: &str, text: &str, least: u64) -> Result<u64, Fault> {
    let number = text.parse().ok().filter(|number| (least..=MOST).contains(number));
    number.ok_or_else(|| Fault::new(format!("{what} {text:?}: expected {least}..{MOST}")))
}

fn read_weights(values: Option<&[u8]>) -> Result<Weights, Fault> {
    Weights::from_bytes(values.ok_or_else(|| Fault::new("the policy needs weights"))?)
}

/// Parses the options of `rollout`: `:60;bonus=50;base=10,100,4,200`, or a part of it.
fn read_rollout(rules: &Rules, text: &str, values: Option<&[u8]>) -> Result<Rollout, Fault> {
    let (mut samples, mut bonus, mut base) = (60, 50, BASE);
    for (place, part) in text.trim_start_matches(':').split(';').enumerate() {
        match part.split_once('=') {
            Some(("bonus", number)) => bonus = read_number("bonus", number, 0)?,
            Some(("base", name)) => base = name,
            None if place == 0 && part.is_empty() => {}
            None if place == 0 => samples = read_number("samples", part, 1)?,
            _ => {
                return Err(Fault::new(format!(
                    "{part:?} is nothing that rollout knows; it has bonus, base"
                )));
            }
        }
    }
    let base = match base {
        "weights" => Base::Weights(read_weights(values)?),
        list => Base::List(RuleList::parse(list)?.under(rules)?),
    };
    Ok(Rollout { samples, bonus, base })
}

/// Parses the options of `planner`: `:60`, or nothing.
fn read_planner(rules: &Rules, text: &str, values: Option<&[u8]>) -> Result<Planner, Fault> {
    let samples = match text.strip_prefix(':') {
        Some(number) => read_number("samples", number, 0)?,
        None => 60,
    };
    let values = values.ok_or_else(|| Fault::new("the policy needs values"))?;
    Planner::new(rules, samples, Values::from_bytes(values)?)
}

impl PlaysPolicies for AcesUp {
    type Policy = Policy;

    /// Reads `rules:2,1,10` or `rules:2,1,10@documented`, `weights`, `rollout:60;bonus=50;base=10,100,4,200`, or
    /// `planner:60`; each game has its own seed for the random stream.
    fn policy(rules: &Rules, name: &str, values: Option<&[u8]>) -> Result<Policy, Fault> {
        if let Some(list) = name.strip_prefix("rules:") {
            return Ok(Policy::List(RuleList::parse(list)?.under(rules)?));
        }
        if let Some(rest) =
            name.strip_prefix("planner").filter(|rest| rest.is_empty() || rest.starts_with(':'))
        {
            return Ok(Policy::Planner(read_planner(rules, rest, values)?));
        }
        match name.strip_prefix("rollout") {
            Some(rest) if rest.is_empty() || rest.starts_with([':', ';']) => {
                Ok(Policy::Rollout(read_rollout(rules, rest, values)?))
            }
            _ if name == "weights" => Ok(Policy::Weights(read_weights(values)?)),
            _ => Err(Fault::new(format!(
                "the engine has no policy {name:?} of aces-up; it has planner:60, random, rollout:60, rules:1,1000, weights"
            ))),
        }
    }

    fn play_by(&self, policy: &Policy, luck: &mut Decks, watch: &mut Watch) -> Result<Vec<Move>, Fault> {
        let mut line = Vec::new();
        match policy {
            Policy::Rollout(rollout) => line = rollout.line(self, luck, watch),
            Policy::Planner(planner) => line = planner.line(self, luck, watch),
            // One check is enough: a game ends long before the next would be due.
            _ if is_stopped(Instant::now(), watch) => {}
            Policy::List(list) => line = play::line(self, list),
            Policy::Weights(weights) => drop(weights::play(self, weights, &mut line)),
        }
        Ok(line)
    }

    /// Plays all rule lists together; each deck is shuffled once.
    fn play_all(
        rules: &Rules,
        policies: &[&Policy],
        starts: &[(Start, u64)],
        watch: &mut Watch,
    ) -> Result<Vec<Results>, Fault> {
        let lists: Vec<&RuleList> = policies
            .iter()
            .filter_map(|policy| if let Policy::List(list) = policy { Some(list) } else { None })
            .collect();
        let mut many = Many::new(rules, &lists, starts.len());
        let nothing = Results { tableau_moves: Some(Vec::new()), ..Results::default() };
        let mut results = vec![nothing; policies.len()];
        let begun = Instant::now();
        for (number, (start, _)) in starts.iter().enumerate() {
            if number % GAMES == 0 && is_stopped(begun, watch) {
                return Err(stopped());
            }
            let opening = match start {
                Start::Seed(seed) => Opening::dealt(&mut Decks::new(*seed)),
                Start::Position(text) => Opening::of(&AcesUp::parse(rules, text)?),
            };
            many.play(&opening);
            for (policy, results) in policies.iter().zip(&mut results) {
                if let (Policy::Weights(weights), false) = (policy, rules.optional_discards) {
                    let mut moves = 0;
                    let score = weights::play_opening(&opening, rules, weights, &mut moves);
                    results.push(score, score >= WON, Some(moves))?;
                }
            }
        }
        let mut of_lists = many.results().into_iter();
        for (policy, results) in policies.iter().zip(&mut results) {
            match policy {
                Policy::List(_) => *results = of_lists.next().expect("every list has its results"),
                Policy::Weights(_) if !rules.optional_discards => {}
                _ => {
                    *results = policies::results(starts, |start, luck| {
                        policies::play_by::<AcesUp>(rules, policy, start, luck, watch)
                    })?;
                }
            }
        }
        Ok(results)
    }
}

impl Playouts for AcesUp {
    fn playouts(
        &self,
        moves: &[Move],
        samples: u64,
        luck: &mut Decks,
        pool: &ThreadPool,
        watch: &mut Watch,
    ) -> Result<Vec<Tally>, Fault> {
        rollout::playouts(self, moves, samples, luck, pool, watch)
    }
}

impl Learns for AcesUp {
    fn train(
        rules: &Rules,
        numbers: Option<&[u8]>,
        seed: u64,
        games: Range<u64>,
        of: u64,
    ) -> Result<Vec<u8>, Fault> {
        if games.end > of {
            let last = games.end;
            return Err(Fault::new(format!("last={last} is not allowed; there are {of} games in all")));
        }
        let mut training = Training::new(rules, numbers)?;
        games.for_each(|game| training.learn(seed, game, of));
        Ok(training.to_bytes())
    }
}
