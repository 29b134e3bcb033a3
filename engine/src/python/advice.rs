//! Python bindings of policies, plans and values.

use std::time::Instant;

use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::watching::{Watcher, wait};
use super::{Rules, guarded, open_as};
use crate::batch;
use crate::games::{
    Game, Learning, PlayingOut, Sampling, Start, Stop, StoppingDeals, Tally, WeighedPlan, WeighingPlans,
    player,
};
use crate::rng::Decks;

/// Many games by one policy over a pool of threads, with results in the order of submission.
#[pyclass(frozen, module = "unshuffle._engine")]
pub struct Games {
    batch: batch::Batch<batch::Sitting, Game>,
}

#[pymethods]
impl Games {
    #[new]
    #[pyo3(signature = (game, rules, *, policy, threads, values=None))]
    fn new(game: &str, rules: Rules, policy: &str, threads: usize, values: Option<&[u8]>) -> PyResult<Games> {
        guarded(|| {
            let player = player(game, rules.into_iter().collect(), policy, values)?;
            Ok(Games { batch: batch::Batch::playing(player, threads)? })
        })
    }

    /// Adds games from these positions, each with the seed of its random stream.
    #[pyo3(signature = (positions, lucks=None))]
    fn submit(&self, positions: Vec<String>, lucks: Option<Vec<u64>>) -> PyResult<()> {
        guarded(|| self.add(positions.into_iter().map(Start::Position), lucks))
    }

    /// Adds the deals of these seeds, each with the seed of its random stream.
    #[pyo3(signature = (seeds, lucks=None))]
    fn submit_seeds(&self, seeds: Vec<u64>, lucks: Option<Vec<u64>>) -> PyResult<()> {
        guarded(|| self.add(seeds.into_iter().map(Start::Seed), lucks))
    }

    /// Waits for the next game; returns its score, whether it was won, and its moves.
    fn next(&self, py: Python<'_>) -> PyResult<Option<(i32, bool, Vec<String>)>> {
        guarded(|| {
            let game = wait(py, &self.batch)?;
            Ok(game.map(|Game { score, is_won, moves }| (score, is_won, moves)))
        })
    }

    /// Ends all games soon.
    fn cancel(&self) {
        self.batch.cancel();
    }
}

impl Games {
    fn add(&self, starts: impl ExactSizeIterator<Item = Start>, lucks: Option<Vec<u64>>) -> PyResult<()> {
        let lucks = lucks.unwrap_or_else(|| vec![0; starts.len()]);
        if lucks.len() != starts.len() {
            let (games, given) = (starts.len(), lucks.len());
            return Err(PyValueError::new_err(format!("{games} games, but the luck of {given}")));
        }
        self.batch.submit(starts.zip(lucks));
        Ok(())
    }
}

fn stop_dict<'py>(py: Python<'py>, stop: &Stop<String>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("moves", &stop.moves)?;
    dict.set_item("heights", stop.heights.iter().map(|&height| u32::from(height)).collect::<Vec<u32>>())?;
    dict.set_item("mercis", stop.mercis)?;
    dict.set_item("value", stop.value)?;
    Ok(dict)
}

/// Returns the plan for the current deal.
#[pyfunction]
#[pyo3(signature = (game, rules, position, values, *, alternatives=true))]
pub fn plan<'py>(
    py: Python<'py>,
    game: &str,
    rules: Rules,
    position: String,
    values: Vec<u8>,
    alternatives: bool,
) -> PyResult<Bound<'py, PyDict>> {
    guarded(|| {
        let game = open_as::<dyn StoppingDeals>(game, rules)?;
        let mut watcher = Watcher::new(None);
        let at_most = if alternatives { 2 } else { 1 };
        let plan =
            py.detach(|| game.plan(&position, &values, at_most, &mut |progress| watcher.look(progress)))?;
        if watcher.interrupted {
            return Err(PyKeyboardInterrupt::new_err(()));
        }
        let dict = stop_dict(py, &plan.stops[0])?;
        dict.set_item("won", plan.is_won)?;
        dict.set_item("redeal", plan.redeals)?;
        dict.set_item("complete", plan.is_complete)?;
        dict.set_item("most_cards", stop_dict(py, &plan.most)?)?;
        dict.set_item("next_best", plan.stops.get(1).map(|stop| stop_dict(py, stop)).transpose()?)?;
        dict.set_item("nodes", plan.nodes)?;
        dict.set_item("seconds", plan.seconds)?;
        Ok(dict)
    })
}

fn pool_of(threads: usize) -> PyResult<ThreadPool> {
    batch::check_threads(threads)?;
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| PyValueError::new_err(format!("no threads to be had: {error}")))
}

/// Estimates the values of states by sampling; returns sum, sum of squares and number of samples of each. If the number
/// is 0, the sum is the exact value.
#[pyfunction]
#[pyo3(signature = (game, rules, *, redeals_left, mercis, states, samples, seed, threads, values=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub fn sample_values(
    py: Python<'_>,
    game: &str,
    rules: Rules,
    redeals_left: u8,
    mercis: u8,
    states: Vec<usize>,
    samples: u64,
    seed: u64,
    threads: usize,
    values: Option<Vec<u8>>,
) -> PyResult<Vec<(f64, f64, u64)>> {
    guarded(|| {
        let game = open_as::<dyn StoppingDeals>(game, rules)?;
        let pool = pool_of(threads)?;
        let sampling = Sampling { redeals_left, mercis, samples, seed, values: None };
        let mut rows = Vec::with_capacity(states.len());
        // The states are processed in chunks, with a check for Ctrl-C after each.
        for piece in states.chunks(2 * threads.max(1)) {
            let sampled = py.detach(|| pool.install(|| game.sample(piece, &sampling, values.as_deref())))?;
            rows.extend(sampled.iter().map(|row| (row.sum, row.squares, row.count)));
            py.check_signals()?;
        }
        Ok(rows)
    })
}

/// Games, wins, sum of scores, greatest score.
type Row = (u64, u64, i64, i32);

/// Evaluates moves by playouts in which unseen cards are sampled; returns games, wins, sum of scores and greatest score
/// of each move, and the state of the random stream afterwards.
#[pyfunction]
#[pyo3(signature = (game, rules, position, moves, *, samples, luck, threads))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub fn playouts(
    py: Python<'_>,
    game: &str,
    rules: Rules,
    position: &str,
    moves: Vec<String>,
    samples: u64,
    luck: u64,
    threads: usize,
) -> PyResult<(Vec<Row>, u64)> {
    guarded(|| {
        let game = open_as::<dyn PlayingOut>(game, rules)?;
        let pool = pool_of(threads)?;
        let mut watcher = Watcher::new(None);
        let mut luck = Decks::new(luck);
        // The pool does the work; signals come to this thread.
        let tallies = py.detach(|| {
            game.playouts(position, &moves, samples, &mut luck, &pool, &mut |progress| watcher.look(progress))
        })?;
        if watcher.interrupted {
            return Err(PyKeyboardInterrupt::new_err(()));
        }
        let row = |Tally { games, wins, score, most }| (games, wins, score, most);
        Ok((tallies.into_iter().map(row).collect(), luck.state()))
    })
}

/// Evaluates plans up to the next unseen card; returns the plans, the best first, and how they were evaluated.
#[pyfunction]
#[pyo3(signature = (game, rules, position, *, samples, luck, seconds=None, values=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub fn weigh<'py>(
    py: Python<'py>,
    game: &str,
    rules: Rules,
    position: &str,
    samples: u32,
    luck: u64,
    seconds: Option<f64>,
    values: Option<&[u8]>,
) -> PyResult<Bound<'py, PyDict>> {
    guarded(|| {
        let game = open_as::<dyn WeighingPlans>(game, rules)?;
        let mut watcher = Watcher::new(None);
        let started = Instant::now();
        let found = py.detach(|| {
            game.weigh(position, samples, values, &mut Decks::new(luck), &mut |progress| {
                let is_late = seconds.is_some_and(|seconds| started.elapsed().as_secs_f64() >= seconds);
                watcher.look(progress) || is_late
            })
        })?;
        if watcher.interrupted {
            return Err(PyKeyboardInterrupt::new_err(()));
        }
        let answer = PyDict::new(py);
        let mut plans = Vec::new();
        for WeighedPlan { moves, chance, samples, cost } in found.plans {
            let plan = PyDict::new(py);
            plan.set_item("moves", moves)?;
            plan.set_item("chance", chance)?;
            plan.set_item("samples", samples)?;
            plan.set_item("cost", cost)?;
            plans.push(plan);
        }
        answer.set_item("plans", plans)?;
        answer.set_item("won", found.is_won)?;
        answer.set_item("open", found.is_open)?;
        answer.set_item("samples", found.samples)?;
        answer.set_item("playouts", found.playouts)?;
        answer.set_item("seconds", found.seconds)?;
        Ok(answer)
    })
}

/// Games between two checks for Ctrl-C.
const TRAINED_AT_ONCE: u64 = 1000;

/// Trains the weights of a value function by playing games `first` to `last` (exclusive) of `of`; returns the weights.
#[pyfunction]
#[pyo3(signature = (game, rules, *, seed, first, last, of, numbers=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub fn train<'py>(
    py: Python<'py>,
    game: &str,
    rules: Rules,
    seed: u64,
    first: u64,
    last: u64,
    of: u64,
    numbers: Option<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    guarded(|| {
        let game = open_as::<dyn Learning>(game, rules)?;
        // Training on no games checks the arguments, before hours of play.
        let mut numbers = py.detach(|| game.train(numbers.as_deref(), seed, last..last, of))?;
        let mut next = first;
        while next < last {
            let end = last.min(next.saturating_add(TRAINED_AT_ONCE));
            numbers = py.detach(|| game.train(Some(&numbers), seed, next..end, of))?;
            next = end;
            py.check_signals()?;
        }
        Ok(PyBytes::new(py, &numbers))
    })
}
