//! A round of a search in many threads: the threads share out the ends of short lines, and use one table.
//!
//! The set of positions searched does not depend on which thread comes first: the thread that adds a position to the
//! table searches everything that follows from it. So verdict, best score and ends are those of one thread.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use rayon::ThreadPoolBuilder;

use super::parts::Prefix;
use super::phase::{Budget, Round};
use super::visited::Visited;
use super::walk::{Look, Stop, Walk};
use crate::search::Status;

/// Lines for each thread: some take longer to search than others.
const PARTS: usize = 64;
/// Positions between two exchanges with the other threads.
const POLL: u64 = 256;
/// The interval between two checks of the clock and the watch.
const EVERY: Duration = Duration::from_millis(5);

/// The state that the threads share.
struct Common<'a> {
    parts: &'a [Prefix],
    next: AtomicUsize,
    nodes: AtomicU64,
    /// The number of positions that the round may still search.
    most: u64,
    best: AtomicU32,
    is_over: AtomicBool,
    /// The first reason to stop.
    stop: Mutex<Option<Stop>>,
    running: Mutex<usize>,
    done: Condvar,
}

impl Common<'_> {
    fn stop(&self, stop: Stop) {
        let mut first = self.stop.lock().unwrap_or_else(PoisonError::into_inner);
        // A win takes precedence over a limit that another thread has met.
        if first.is_none() || stop == Stop::Won {
            *first = Some(stop);
        }
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Searches one part after the other.
    fn work(&self, walk: &mut Walk) {
        let _working = Working(self);
        let mut look = |nodes: u64, best: u32| {
            let before = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
            let best = self.best.fetch_max(best, Ordering::Relaxed).max(best);
            if self.is_over.load(Ordering::Relaxed) || before >= self.most {
                return Err(Stop::Share);
            }
            Ok((POLL.min(self.most - before), best))
        };
        while let Some(part) = self.parts.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            match walk.run_after(part, &mut look as &mut Look) {
                Ok(()) => {}
                Err(Stop::Share) => {
                    if !self.is_over.load(Ordering::Relaxed) {
                        self.stop(Stop::Share);
                    }
                    break;
                }
                Err(stop) => {
                    self.stop(stop);
                    break;
                }
            }
        }
    }
}

/// Reports that a thread is done, also after a panic: else the caller would wait for ever.
struct Working<'a, 'b>(&'a Common<'b>);

impl Drop for Working<'_, '_> {
    fn drop(&mut self) {
        let mut running = self.0.running.lock().unwrap_or_else(PoisonError::into_inner);
        *running -= 1;
        self.0.done.notify_all();
    }
}

/// Runs a round in threads, and merges their results into `walk`.
pub fn run_in_threads(
    walk: &mut Walk,
    round: &Round,
    threads: usize,
    budget: &mut Budget,
) -> Result<(), Stop> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    // More threads than the system allows are treated like too little memory: undecided.
    let pool = pool.map_err(|_| Stop::Limit(Status::MemoryLimit))?;
    walk.enlarge_table();
    let mut look = |nodes: u64, best: u32| {
        budget.nodes += nodes;
        Ok((budget.left()?.min(POLL), best))
    };
    let parts = walk.split(round.depth, PARTS * threads, &mut look as &mut Look);
    budget.nodes = walk.stats.nodes;
    let parts = parts?;
    let most = match budget.left() {
        Ok(left) => left,
        Err(_) if parts.is_empty() => return Ok(()),
        Err(stop) => return Err(stop),
    };
    let common = Common {
        parts: &parts,
        next: AtomicUsize::new(0),
        nodes: AtomicU64::new(0),
        most,
        best: AtomicU32::new(walk.best),
        is_over: AtomicBool::new(false),
        stop: Mutex::new(None),
        running: Mutex::new(threads),
        done: Condvar::new(),
    };
    let visited: &Visited = walk.table.get();
    let mut walks: Vec<Walk> = (0..threads).map(|_| walk.beside(visited, threads)).collect();
    let before = budget.nodes;
    pool.in_place_scope(|scope| {
        for walk in &mut walks {
            scope.spawn(|_| common.work(walk));
        }
        // Signals come to the calling thread.
        let mut running = common.running.lock().unwrap_or_else(PoisonError::into_inner);
        while *running > 0 {
            let waited = common.done.wait_timeout(running, EVERY).unwrap_or_else(PoisonError::into_inner);
            running = waited.0;
            budget.nodes = before + common.nodes.load(Ordering::Relaxed);
            if let Err(stop) = budget.look(common.best.load(Ordering::Relaxed)) {
                common.stop(stop);
            }
        }
    });
    let found: Vec<_> = walks.into_iter().map(Walk::into_found).collect();
    found.into_iter().for_each(|found| walk.take_in(found));
    budget.nodes = walk.stats.nodes;
    let stop = common.stop.into_inner().unwrap_or_else(PoisonError::into_inner);
    match stop {
        None => Ok(()),
        Some(Stop::Share) => Err(budget.left().err().unwrap_or(Stop::Share)),
        Some(stop) => Err(stop),
    }
}
