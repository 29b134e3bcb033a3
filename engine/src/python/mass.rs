//! Python bindings of mass play.

use std::collections::BTreeMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::watching::wait;
use super::{Rules, guarded};
use crate::batch::{Batch, Sitting};
use crate::games::{Results, Start, players};

/// Games in one job: the games of many policies on so many deals fit into the cache.
const MOST_AT_ONCE: usize = 256;
/// The least number of jobs for each thread, so that no thread waits long for the others at the end.
const PORTIONS: usize = 8;

/// Scores (two bytes each, the lower first), wins, tableau moves, counts over all and over won games, and lines.
type Row<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Option<Bound<'py, PyBytes>>,
    BTreeMap<String, (u64, u64)>,
    Option<Vec<Vec<String>>>,
);

/// Plays whole games by each of these policies.
#[pyfunction]
#[pyo3(signature = (game, rules, policies, *, seeds=None, positions=None, lucks=None, threads, values=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub fn simulate_many<'py>(
    py: Python<'py>,
    game: &str,
    rules: Rules,
    policies: Vec<String>,
    seeds: Option<Vec<u64>>,
    positions: Option<Vec<String>>,
    lucks: Option<Vec<u64>>,
    threads: usize,
    values: Option<&[u8]>,
) -> PyResult<Vec<Row<'py>>> {
    guarded(|| {
        let starts: Vec<Start> = match (seeds, positions) {
            (Some(seeds), None) => seeds.into_iter().map(Start::Seed).collect(),
            (None, Some(positions)) => positions.into_iter().map(Start::Position).collect(),
            _ => return Err(PyValueError::new_err("seeds or positions are needed, one of the two")),
        };
        let lucks = lucks.unwrap_or_else(|| vec![0; starts.len()]);
        if lucks.len() != starts.len() {
            let (games, given) = (starts.len(), lucks.len());
            return Err(PyValueError::new_err(format!("{games} games, but the luck of {given}")));
        }
        let players = players(game, rules.into_iter().collect(), &policies, values)?;
        let batch = Batch::playing_many(players, threads)?;
        let size = starts.len().div_ceil(PORTIONS * threads).clamp(1, MOST_AT_ONCE);
        let mut sittings = starts.into_iter().zip(lucks).peekable();
        loop {
            // At least one job, so that every policy has its row.
            batch.submit([sittings.by_ref().take(size).collect::<Vec<Sitting>>()]);
            if sittings.peek().is_none() {
                break;
            }
        }
        let mut all: Vec<Results> = Vec::new();
        while let Some(results) = wait(py, &batch)? {
            if all.is_empty() {
                all = results;
            } else {
                all.iter_mut().zip(results).for_each(|(results, more)| results.extend(more));
            }
        }
        let row = |Results { scores, won, tableau_moves, lines, counts }| {
            let bytes = |bytes: Vec<u8>| PyBytes::new(py, &bytes);
            let scores = scores.into_iter().flat_map(i16::to_le_bytes).collect();
            (bytes(scores), bytes(won), tableau_moves.map(bytes), counts, lines)
        };
        Ok(all.into_iter().map(row).collect())
    })
}
