//! The search of one phase at the border to Python.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Rules, Watcher, guarded, limits, open, stats_dict};
use crate::games::{PhaseEnd, PhaseTask, Start};

/// Searches the play between two deals, and gathers how it may end.
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
        let game = open(game, rules)?;
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
