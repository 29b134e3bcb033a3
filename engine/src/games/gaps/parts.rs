//! Walks through parts of a phase in parallel: how the phase is split, and how the results are merged.

use std::collections::VecDeque;

use super::board::Step;
use super::ends::Ends;
use super::visited::{Depth, Visited};
use super::walk::{Look, Stop, Table, Walk};
use crate::search::Stats;

/// The result of one of several walks.
pub struct Found {
    own_best: u32,
    best_line: Vec<Step>,
    ends: Option<Ends>,
    has_refused: bool,
    stats: Stats,
}

/// A line to a position from which a walk continues.
#[derive(Clone, Debug)]
pub struct Prefix {
    pub line: Vec<Step>,
    depth: Depth,
}

impl Walk<'_> {
    /// Returns another walk through the same phase, with the shared table and a share of the stacks.
    pub fn beside<'b>(&self, visited: &'b Visited, walks: usize) -> Walk<'b> {
        let (stacks, table) = (self.stacks / walks, Table::Shared(visited));
        let mut walk = Walk::new(self.board.clone(), table, self.switches, self.aim, self.bound, stacks);
        walk.set_reach(self.reach);
        walk.best = self.best;
        walk.ends = self.ends.as_ref().map(|ends| Ends::new(ends.of_all_positions));
        walk
    }

    /// Returns what a parallel walk has found.
    pub fn into_found(self) -> Found {
        let Walk { own_best, best_line, ends, has_refused, stats, .. } = self;
        Found { own_best, best_line, ends, has_refused, stats }
    }

    pub fn take_in(&mut self, found: Found) {
        if found.own_best > self.own_best {
            (self.best, self.own_best) = (found.own_best, found.own_best);
            self.best_line = found.best_line;
        }
        if let (Some(ends), Some(more)) = (&mut self.ends, found.ends) {
            ends.merge(more);
        }
        self.has_refused |= found.has_refused;
        let bytes = self.stats.table_bytes;
        self.stats = self.stats.and(&found.stats);
        self.stats.table_bytes = bytes;
        self.looked = self.stats.nodes;
    }

    /// Splits the phase: returns lines to positions that together cover everything that follows, at least `at_least` if
    /// there are so many, for threads to continue from.
    pub fn split(&mut self, depth: Depth, at_least: usize, look: &mut Look) -> Result<Vec<Prefix>, Stop> {
        let depth = self.depth_here(depth);
        self.note(self.board.key(), depth)?;
        self.arrive()?;
        let mut parts = VecDeque::from([Prefix { line: Vec::new(), depth }]);
        while parts.len() < at_least {
            let Some(prefix) = parts.pop_front() else { break };
            self.follow(&prefix.line);
            if !self.uses_facts() {
                self.arrive()?;
            }
            self.expand(u64::MAX, prefix.depth, look)?;
            for child in self.waiting.drain(..) {
                let line = prefix.line.iter().copied().chain([child.step]).collect();
                parts.push_back(Prefix { line, depth: child.depth });
            }
            self.frames.clear();
            self.take_back_all();
        }
        Ok(parts.into())
    }

    /// Searches everything that follows after a prefix.
    pub fn run_after(&mut self, prefix: &Prefix, look: &mut Look) -> Result<(), Stop> {
        self.follow(&prefix.line);
        let ended = self.go_on(prefix.depth, look);
        self.take_back_all();
        self.frames.clear();
        self.waiting.clear();
        ended
    }

    fn follow(&mut self, line: &[Step]) {
        line.iter().for_each(|&step| self.play(step));
    }
}
