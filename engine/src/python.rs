//! The Python bindings. They convert values, release the GIL and watch for Ctrl-C; they decide nothing.

mod advice;
mod mass;
mod phases;
mod tables;
mod watching;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::{self, Failure};
use crate::games::{self, Face, FixedGame, Refusal, Start};
use crate::rng::Decks;
use crate::search::{Limits, Stats, Task};
use crate::{Fault, panic_text};
use watching::{EVERY, Watcher, wait};

/// No game has more cards; a typing error must not fill the memory.
const LARGEST_DECK: usize = 65_536;
/// The limit on the number of a deck in its stream. The Python side has the same limit.
const MOST_DECKS: u64 = 1_000_000;
/// Decks that are skipped between two checks for Ctrl-C.
const DECKS: u64 = 1024;

type Rules = BTreeMap<String, String>;

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        PyValueError::new_err(fault.to_string())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Invalid(fault) => fault.into(),
            Failure::Panicked(text) => PyRuntimeError::new_err(text),
        }
    }
}

/// Runs the work of an entry point; a panic becomes a `RuntimeError`.
fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(PyRuntimeError::new_err(panic_text(panic.as_ref()))))
}

fn open(game: &str, rules: Rules) -> Result<Box<dyn FixedGame>, Fault> {
    open_as::<dyn FixedGame>(game, rules)
}

fn open_as<F: Face + ?Sized>(game: &str, rules: Rules) -> Result<Box<F>, Fault> {
    Ok(games::open_as::<F>(game, rules.into_iter().collect())?)
}

/// Returns the stream of a seed, just before its deck `number`.
fn decks_before(py: Python<'_>, seed: u64, number: u64, size: usize) -> PyResult<Decks> {
    if !(1..=MOST_DECKS).contains(&number) {
        let text = format!("number={number} is not allowed; expected 1 to {MOST_DECKS}");
        return Err(PyValueError::new_err(text));
    }
    let mut decks = Decks::new(seed);
    for passed in 1..number {
        decks.skip(size);
        if passed % DECKS == 0 {
            py.check_signals()?;
        }
    }
    Ok(decks)
}

fn limits(nodes: Option<u64>, seconds: Option<f64>, memory: usize) -> PyResult<Limits> {
    let time = match seconds {
        Some(seconds) if seconds.is_nan() || seconds < 0.0 => {
            return Err(PyValueError::new_err(format!("seconds={seconds} is not a length of time")));
        }
        // A number of seconds too large for a `Duration` is no limit.
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        None => None,
    };
    Ok(Limits { nodes, time, memory })
}

fn stats_dict<'py>(py: Python<'py>, stats: &Stats) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("nodes", stats.nodes)?;
    dict.set_item("seconds", stats.seconds)?;
    dict.set_item("max_depth", stats.max_depth)?;
    dict.set_item("forced_moves", stats.forced_moves)?;
    dict.set_item("dead_ends", stats.dead_ends)?;
    dict.set_item("blocked", stats.blocked)?;
    dict.set_item("table_entries", stats.table_entries)?;
    dict.set_item("table_bytes", stats.table_bytes)?;
    dict.set_item("table_hits", stats.table_hits)?;
    dict.set_item("evictions", stats.evictions)?;
    for (name, count) in stats.kinds.iter() {
        dict.set_item(name, count)?;
    }
    Ok(dict)
}

/// The result of a search.
#[pyclass(frozen, module = "unshuffle._engine")]
struct Found {
    found: games::Found,
    #[pyo3(get)]
    interrupted: bool,
}

#[pymethods]
impl Found {
    #[getter]
    fn status(&self) -> &'static str {
        self.found.status.name()
    }

    #[getter]
    fn moves(&self) -> &[String] {
        &self.found.moves
    }

    #[getter]
    fn score(&self) -> i32 {
        self.found.score
    }

    #[getter]
    fn score_proved(&self) -> bool {
        self.found.score_proved
    }

    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        stats_dict(py, &self.found.stats)
    }

    /// Returns the fields that a store keeps, in one call: mass runs need nothing else.
    #[getter]
    fn row(&self) -> (&'static str, i32, bool, u64, f64) {
        let games::Found { status, score, score_proved, stats, .. } = &self.found;
        (status.name(), *score, *score_proved, stats.nodes, stats.seconds)
    }

    fn __repr__(&self) -> String {
        let games::Found { status, score, moves, .. } = &self.found;
        format!("<Found {}: score {score}, {} moves>", status.name(), moves.len())
    }
}

/// Many searches over a pool of threads, with results in the order of submission.
#[pyclass(frozen, module = "unshuffle._engine")]
struct Batch {
    batch: batch::Batch<Start, games::Found>,
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (
        game, rules, *, threads, nodes=None, seconds=None, memory=1_073_741_824, maximize=false, prune=true
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn new(
        game: &str,
        rules: Rules,
        threads: usize,
        nodes: Option<u64>,
        seconds: Option<f64>,
        memory: usize,
        maximize: bool,
        prune: bool,
    ) -> PyResult<Batch> {
        guarded(|| {
            let task = Task { limits: limits(nodes, seconds, memory)?, maximize, prune };
            Ok(Batch { batch: batch::Batch::solving(open(game, rules)?, task, threads)? })
        })
    }

    /// Adds searches from these positions.
    fn submit(&self, positions: Vec<String>) -> PyResult<()> {
        guarded(|| {
            self.batch.submit(positions.into_iter().map(Start::Position));
            Ok(())
        })
    }

    /// Adds searches from the deals of these seeds.
    fn submit_seeds(&self, seeds: Vec<u64>) -> PyResult<()> {
        guarded(|| {
            self.batch.submit(seeds.into_iter().map(Start::Seed));
            Ok(())
        })
    }

    /// Waits for the next result; returns None if nothing is outstanding.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Found>> {
        guarded(|| Ok(wait(py, &self.batch)?.map(|found| Found { found, interrupted: false })))
    }

    /// Ends all searches soon.
    fn cancel(&self) {
        self.batch.cancel();
    }
}

/// The native engine of unshuffle.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use super::advice::{Games, plan, playouts, sample_values, train, weigh};
    #[pymodule_export]
    use super::mass::simulate_many;
    #[pymodule_export]
    use super::phases::{phase_ends, sample_phases};
    #[pymodule_export]
    use super::tables::Tables;
    use super::*;
    #[pymodule_export]
    use super::{Batch, Found};

    /// Returns the version of the engine.
    #[pyfunction]
    fn version() -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// Returns the ids of the games.
    #[pyfunction]
    fn games() -> Vec<&'static str> {
        super::games::ids()
    }

    /// Returns True if the engine knows the game under these rules.
    #[pyfunction]
    fn supports(game: &str, rules: Rules) -> PyResult<bool> {
        guarded(|| match super::games::open(game, rules.into_iter().collect()) {
            Ok(_) => Ok(true),
            Err(Refusal::Unsupported(_)) => Ok(false),
            Err(Refusal::Invalid(fault)) => Err(fault.into()),
        })
    }

    /// Returns deck `number` of a seed, as indices into the ordered deck.
    #[pyfunction]
    fn shuffle(py: Python<'_>, seed: u64, number: u64, size: usize) -> PyResult<Vec<usize>> {
        if size > LARGEST_DECK {
            return Err(PyValueError::new_err(format!(
                "size={size} is not allowed; expected 0 to {LARGEST_DECK}"
            )));
        }
        guarded(|| Ok(decks_before(py, seed, number, size)?.deck(size)))
    }

    /// Returns the layout text of a deal.
    #[pyfunction]
    #[pyo3(signature = (game, rules, seed, number=1))]
    fn deal(py: Python<'_>, game: &str, rules: Rules, seed: u64, number: u64) -> PyResult<String> {
        guarded(|| {
            let game = open(game, rules)?;
            Ok(game.deal(&mut decks_before(py, seed, number, game.deck_size())?))
        })
    }

    /// Returns the tokens of all legal moves, in the order of the rules.
    #[pyfunction]
    fn legal_moves(game: &str, rules: Rules, position: &str) -> PyResult<Vec<String>> {
        guarded(|| Ok(open(game, rules)?.legal_moves(position)?))
    }

    /// Returns the position after some moves, its outcome and its score.
    #[pyfunction]
    fn play(
        game: &str,
        rules: Rules,
        position: &str,
        moves: Vec<String>,
    ) -> PyResult<(String, Option<&'static str>, i32)> {
        guarded(|| {
            let played = open(game, rules)?.play(position, &moves)?;
            Ok((played.position, played.outcome, played.score))
        })
    }

    /// Returns the number of move sequences of exactly this length.
    #[pyfunction]
    fn perft(py: Python<'_>, game: &str, rules: Rules, position: &str, depth: u32) -> PyResult<u64> {
        guarded(|| {
            let game = open(game, rules)?;
            let mut signal = Ok(());
            let count = py.detach(|| {
                let mut looked = std::time::Instant::now();
                game.perft(position, depth, &mut || {
                    if looked.elapsed() >= EVERY {
                        looked = std::time::Instant::now();
                        signal = Python::attach(|py| py.check_signals());
                    }
                    signal.is_err()
                })
            })?;
            signal?;
            count.ok_or_else(|| PyRuntimeError::new_err("the count was stopped by nobody"))
        })
    }

    /// Searches from a position.
    #[pyfunction]
    #[pyo3(signature = (
        game, rules, position, *, nodes=None, seconds=None, memory=1_073_741_824, maximize=false, prune=true, watch=None,
        trace=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn solve(
        py: Python<'_>,
        game: &str,
        rules: Rules,
        position: String,
        nodes: Option<u64>,
        seconds: Option<f64>,
        memory: usize,
        maximize: bool,
        prune: bool,
        watch: Option<Py<PyAny>>,
        trace: Option<Py<PyAny>>,
    ) -> PyResult<Found> {
        guarded(|| {
            let game = open(game, rules)?;
            let task = Task { limits: limits(nodes, seconds, memory)?, maximize, prune };
            let start = Start::Position(position);
            let (found, watcher) = py.detach(|| {
                let watcher = RefCell::new(Watcher::new(watch));
                let mut look = |progress| watcher.borrow_mut().look(progress);
                let found = match trace {
                    None => game.solve(&start, &task, &mut look),
                    Some(trace) => game.trace(&start, &task, &mut look, &mut |text| {
                        watcher.borrow_mut().write(&trace, text);
                    }),
                };
                (found, watcher.into_inner())
            });
            match watcher.error {
                Some(error) => Err(error),
                None => Ok(Found { found: found?, interrupted: watcher.interrupted }),
            }
        })
    }

    /// Returns a line of moves to the same outcome, with no lower score and no more moves. A game that searches for a
    /// shorter line takes about `seconds` for it.
    #[pyfunction]
    #[pyo3(signature = (game, rules, position, moves, *, seconds=0.0))]
    fn shorten(
        py: Python<'_>,
        game: &str,
        rules: Rules,
        position: &str,
        moves: Vec<String>,
        seconds: f64,
    ) -> PyResult<Vec<String>> {
        guarded(|| {
            let game = open(game, rules)?;
            // A number of seconds too large for a `Duration` is no limit.
            let time = limits(None, Some(seconds), 0)?.time.unwrap_or(Duration::MAX);
            let mut watcher = Watcher::new(None);
            let shorter =
                py.detach(|| game.shorten(position, &moves, time, &mut |progress| watcher.look(progress)));
            match (watcher.error, watcher.interrupted) {
                (Some(error), _) => Err(error),
                (None, true) => Err(PyKeyboardInterrupt::new_err(())),
                (None, false) => Ok(shorter?),
            }
        })
    }

    /// Panics, so that a test can check how panics are converted.
    #[pyfunction]
    fn _panic_for_tests() -> PyResult<()> {
        guarded(|| panic!("as a test asked"))
    }
}
