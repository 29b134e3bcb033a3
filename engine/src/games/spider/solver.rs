//! The search for a win on an open table: beam passes, wider and with other weights each time, and between them an
//! exhaustive search, which alone can prove that there is no win.
//!
//! A beam wins nearly every deal within milliseconds and proves nothing: when it runs dry the next one starts. Small
//! state spaces, mainly late positions, are decided by the exhaustive search.

use std::time::Instant;

use super::Spider;
use super::beam::{Beam, Passed};
use super::moves::Move;
use super::node::{Ground, Node};
use super::weights::OPEN;
use crate::rng::Decks;
use crate::search::{self, Limits, Outcome, Progress, Stats, Status, Task, Watch};

/// The width of the first pass, and its growth factor.
const WIDTH: f64 = 25.0;
const GROWTH: f64 = 1.3;
/// How far the weights of later passes may differ from those of the first, as a power of e.
const SPREAD: f64 = 0.4;
/// The node limit of the first exhaustive search: it takes less than a millisecond.
const FIRST_PROOF: u64 = 1_000;
/// Nodes of the beam for each node of the exhaustive searches.
const SHARE: u64 = 8;
/// How many passes at the width that the memory allows may run dry, once the exhaustive search is out of memory: later
/// passes are no wider, and only differ in their weights.
const WIDEST_PASSES: u32 = 8;
/// The memory of a pass of width 1, at most: three levels, the list for the row and the links.
const BYTES: usize = 8 * size_of::<Node>();

impl Spider {
    /// Searches until there is a win, a proof that there is none, or a limit is hit.
    pub(super) fn win(&self, task: &Task, watch: &mut Watch) -> Outcome<Move> {
        if !task.prune || task.maximize {
            return search::search(&mut self.clone(), task, watch);
        }
        let mut solving = Solving::new(self, task, watch);
        let mut proof = FIRST_PROOF;
        let most = (task.limits.memory / BYTES).max(1);
        let (mut width, mut taste) = (WIDTH, OPEN);
        let mut widest_passes = 0;
        // The deal itself is the seed, so that a search can be repeated.
        let mut chance = Decks::new(solving.start.hash);
        loop {
            let waits = SHARE * solving.proved < solving.stats.nodes || solving.proved == 0;
            if waits && let Some(outcome) = solving.prove(proof) {
                return outcome;
            }
            if waits {
                // With too little memory to prove anything no node limit is ever large enough.
                proof = proof.saturating_mul(2);
            }
            if let Some(outcome) = solving.pass((width as usize).min(most), &taste) {
                return outcome;
            }
            widest_passes += u32::from(width as usize >= most);
            if solving.is_out_of_memory && widest_passes >= WIDEST_PASSES {
                return solving.ended(Status::MemoryLimit);
            }
            width *= GROWTH;
            taste = OPEN.varied(SPREAD, &mut chance);
        }
    }
}

struct Solving<'a, 'w> {
    table: &'a Spider,
    ground: Ground,
    start: Node,
    limits: Limits,
    started: Instant,
    watch: &'a mut Watch<'w>,
    stats: Stats,
    /// The number of nodes of exhaustive searches.
    proved: u64,
    /// True if an exhaustive search has run out of memory.
    is_out_of_memory: bool,
    best: Vec<Move>,
    score: i32,
}

impl<'a, 'w> Solving<'a, 'w> {
    fn new(table: &'a Spider, task: &Task, watch: &'a mut Watch<'w>) -> Solving<'a, 'w> {
        let ground = Ground::of(table);
        let start = Node::open(&ground, table, &OPEN.weights(ground.bank.len() as u8));
        let (limits, started, score) = (task.limits, Instant::now(), table.score());
        let (stats, best) = (Stats::default(), Vec::new());
        let (proved, is_out_of_memory) = (0, false);
        Solving { table, ground, start, limits, started, watch, stats, proved, is_out_of_memory, best, score }
    }

    /// Searches exhaustively, up to this number of nodes.
    fn prove(&mut self, nodes: u64) -> Option<Outcome<Move>> {
        let left = self.limits.nodes.map_or(u64::MAX, |limit| limit - self.stats.nodes);
        let time = self.limits.time.map(|time| time.saturating_sub(self.started.elapsed()));
        let limits = Limits { nodes: Some(nodes.min(left)), time, memory: self.limits.memory };
        let task = Task { limits, maximize: false, prune: true };
        let (done, started, watch) = (self.stats.nodes, self.started, &mut *self.watch);
        let mut watch = |progress: Progress| {
            watch(Progress { nodes: done + progress.nodes, elapsed: started.elapsed(), ..progress })
        };
        let found = search::search(&mut self.table.clone(), &task, &mut watch);
        self.stats = self.stats.and(&found.stats);
        self.proved += found.stats.nodes;
        if found.score > self.score {
            (self.score, self.best) = (found.score, found.moves.clone());
        }
        match found.status {
            Status::Solved => {
                (self.score, self.best) = (found.score, found.moves);
                Some(self.ended(Status::Solved))
            }
            Status::Unsolvable => Some(self.ended(Status::Unsolvable)),
            // The search has filled its memory without a verdict; the beam may still win.
            Status::MemoryLimit => {
                self.is_out_of_memory = true;
                None
            }
            Status::NodeLimit if nodes < left => None,
            status => Some(self.ended(status)),
        }
    }

    /// Runs one pass; returns an outcome if it won or a limit was hit.
    fn pass(&mut self, width: usize, taste: &super::weights::Taste) -> Option<Outcome<Move>> {
        let Limits { nodes, time, .. } = self.limits;
        let (done, started, best) = (self.stats.nodes, self.started, self.score);
        let bound = search::Game::max_score(self.table);
        let mut stopped = None;
        let watch = &mut *self.watch;
        let mut go_on = |expanded: u64| {
            let (nodes_now, elapsed) = (done + expanded, started.elapsed());
            stopped = if watch(Progress { nodes: nodes_now, elapsed, best, bound }) {
                Some(Status::Cancelled)
            } else if time.is_some_and(|time| elapsed >= time) {
                Some(Status::TimeLimit)
            } else if nodes.is_some_and(|limit| nodes_now >= limit) {
                Some(Status::NodeLimit)
            } else {
                None
            };
            stopped.is_none()
        };
        let mut beam = Beam::new(&self.ground);
        let passed = beam.pass(&self.start, width, taste, &mut go_on);
        self.stats.nodes += beam.nodes;
        let line = match passed {
            Passed::Won(line) => {
                self.best = line;
                return Some(self.won());
            }
            Passed::Dry(line) | Passed::Stopped(line) => line,
        };
        self.note(&line);
        stopped.map(|status| self.ended(status))
    }

    /// Keeps a line without a win up to its best score.
    fn note(&mut self, line: &[Move]) {
        let mut table = self.table.clone();
        for (place, &m) in line.iter().enumerate() {
            table.apply(m);
            if table.score() > self.score {
                (self.score, self.best) = (table.score(), line[..=place].to_vec());
            }
        }
        self.stats.max_depth = self.stats.max_depth.max(line.len());
    }

    fn won(&mut self) -> Outcome<Move> {
        let mut table = self.table.clone();
        for &m in &self.best {
            table.apply(m);
        }
        self.score = table.score();
        self.stats.max_depth = self.stats.max_depth.max(self.best.len());
        self.ended(Status::Solved)
    }

    fn ended(&mut self, status: Status) -> Outcome<Move> {
        self.stats.seconds = self.started.elapsed().as_secs_f64();
        let moves = std::mem::take(&mut self.best);
        Outcome { status, moves, score: self.score, score_proved: false, stats: self.stats }
    }
}
