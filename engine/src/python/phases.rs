//! Python bindings of the search of one phase.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::watching::Watcher;
use super::{Rules, guarded, limits, open_as, stats_dict};
use crate::games::{PhaseEnd, PhaseSample, PhaseSampling, PhaseTask, Phasing, Start};
use crate::search::Progress;

/// Searches the play between two deals, and collects how it may end.
#[pyfunction]
#[pyo3(signature = (
    game, rules, position, *, seconds=None, nodes=None, memory=100_000_000, threads=1, without=None,
    maximize=false, ends=true, watch=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub fn phase_ends<'py>(
    py: Python<'py>,
    game: &str,
    rules: Rules,
    position: String,
    seconds: Option<f64>,
    nodes: Option<u64>,
    memory: usize,
    threads: usize,
    without: Option<Vec<String>>,
    maximize: bool,
    ends: bool,
    watch: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    guarded(|| {
        let game = open_as::<dyn Phasing>(game, rules)?;
        let limits = limits(nodes, seconds, memory)?;
        let without = without.unwrap_or_default();
        let task = PhaseTask { limits, threads, without, maximize, ends };
        let start = Start::Position(position);
        let mut watcher = Watcher::new(watch);
        let found = py.detach(|| game.phase(&start, &task, &mut |progress| watcher.look(progress)));
        if let Some(error) = watcher.error {
            return Err(error);
        }
        let found = found?;
        let dict = PyDict::new(py);
        let pair = |PhaseEnd { locks, moves }| (locks, moves);
        dict.set_item("ends", found.ends.into_iter().map(pair).collect::<Vec<_>>())?;
        dict.set_item("complete", found.is_complete)?;
        dict.set_item("status", found.status.name())?;
        dict.set_item("moves", found.moves)?;
        dict.set_item("score", found.score)?;
        dict.set_item("score_proved", found.score_proved)?;
        dict.set_item("bound", found.bound)?;
        dict.set_item("interrupted", watcher.interrupted)?;
        dict.set_item("stats", stats_dict(py, &found.stats)?)?;
        Ok(dict)
    })
}

/// Deals phases in which runs of these lengths are kept, at random or (without a seed) all that exist. Returns for each
/// the status of its search and the shapes with which it may end.
#[pyfunction]
#[pyo3(signature = (game, rules, shape, *, seed, first, count, nodes, memory=64_000_000))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub fn sample_phases(
    py: Python<'_>,
    game: &str,
    rules: Rules,
    shape: Vec<usize>,
    seed: Option<u64>,
    first: u64,
    count: u64,
    nodes: u64,
    memory: usize,
) -> PyResult<Vec<(&'static str, Vec<usize>)>> {
    guarded(|| {
        let game = open_as::<dyn Phasing>(game, rules)?;
        // A length too large for a byte is too large for a run.
        let shape = shape.into_iter().map(|length| u8::try_from(length).unwrap_or(u8::MAX)).collect();
        let samples = first..first.saturating_add(count);
        let sampling = PhaseSampling { shape, seed, samples, nodes, memory };
        let mut watcher = Watcher::new(None);
        let begun = std::time::Instant::now();
        // Each search has its own clock, and may end before its first check of the watch.
        let found = py.detach(|| {
            game.sample_phases(&sampling, &mut |progress| {
                watcher.look(Progress { elapsed: begun.elapsed(), ..progress })
            })
        });
        if watcher.interrupted {
            return Err(PyKeyboardInterrupt::new_err(()));
        }
        let pair = |PhaseSample { status, shapes }| (status.name(), shapes);
        Ok(found?.into_iter().map(pair).collect())
    })
}
