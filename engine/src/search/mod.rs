//! Searches, generic over a [`Game`]: what they ask of a game, their limits and their answers.

mod breadth;
mod clock;
mod dfs;
mod memory;
mod perft;
mod restarts;
mod table;
mod trace;

use std::fmt::Debug;
use std::hash::Hash;
use std::time::Duration;

use crate::rng::mix;

pub use perft::{MOST_DEPTH, perft};
pub use restarts::search_with_restarts;
pub use trace::{Cut, Tracer};

/// One patience, packed for search: a position that moves change in place. It agrees with the
/// Python rules, move for move.
pub trait Game {
    type Move: Copy + Eq + Debug;
    /// What `undo` needs beside the move.
    type Undo: Copy;
    type Key: Key;

    /// No line of play comes to a position twice.
    const ACYCLIC: bool;
    /// Positions are looked up in the table, and noted there, before the bound or the dead-end test is
    /// asked: for games whose test costs more than a look-up. What is cut then takes room in the table.
    const SEEN_FIRST: bool = false;
    /// Moves cost points, each the same: a score is what the position is worth, a win the most, less that. So one position
    /// has many scores, by the way that led there, and a win is not the best: it proves no score unless the bound is
    /// met, and the best score is searched for in breadth.
    const CHARGES_MOVES: bool = false;
    /// The names of the kinds of move, if a search is to count the moves that it makes by kind; at most
    /// [`Kinds::MOST`].
    const KINDS: &'static [&'static str] = &[];

    /// No position under the rules of this one has more legal moves than this; the search makes room for them.
    fn most_moves(&self) -> usize;
    /// Pushes every legal move, in the order of the rules.
    fn moves(&self, out: &mut Vec<Self::Move>);
    fn apply(&mut self, m: Self::Move) -> Self::Undo;
    /// The same, for a move that a search tries from a position which it has expanded.
    fn apply_branch(&mut self, m: Self::Move) -> Self::Undo {
        self.apply(m)
    }
    /// Takes back `m`, the last move applied.
    fn undo(&mut self, m: Self::Move, undo: Self::Undo);
    /// The kind of a legal move, by its place in `KINDS`.
    fn kind(&self, _: Self::Move) -> usize {
        0
    }
    /// Equal for two positions of one search if and only if the same lines of play follow, by `branches`.
    fn key(&self) -> Self::Key;
    fn is_won(&self) -> bool;
    fn score(&self) -> i32;
    /// The score that no position of the game exceeds.
    fn max_score(&self) -> i32;

    /// True if these rules want the proved best score even when only a win was asked for.
    fn always_maximizes(&self) -> bool {
        false
    }

    /// True if the game may go on by chance, with an order that no one knows yet: then a position
    /// without legal moves is not the end.
    fn waits_for_chance(&self) -> bool {
        false
    }

    // The hooks below prune. `prune=false` switches them all off, and tests compare.

    /// The key of a search that tries `moves`, not `branches`. It differs where branches are those of several
    /// positions, to which `key` therefore gives one name: whoever tries the moves of one of them must not take the
    /// others for seen.
    fn plain_key(&self) -> Self::Key {
        self.key()
    }

    /// A move that may be played alone: some best line from here begins with it. Playing forced
    /// moves must come to an end.
    fn forced(&self) -> Option<Self::Move> {
        None
    }

    /// The moves that a search must try where no move is forced, in the order in which it tries them: likely ones first.
    /// No order changes a verdict. This is the twin of Python's `order` hook; `moves` keeps the order of the rules.
    fn branches(&self, out: &mut Vec<Self::Move>) {
        self.moves(out);
    }

    /// No line from here ends with a higher score.
    fn bound(&self) -> i32 {
        self.max_score()
    }

    /// True only if no win is left. A guess belongs in the move order, not here.
    fn is_dead_end(&self) -> bool {
        false
    }
}

/// Names a position in a table. Exact or 128 bits wide: a proof must not hang on a collision.
pub trait Key: Copy + Eq + Hash + Default + Into<u128> + Send {
    /// Well mixed bits. The default value marks a free slot and is never the key of a position.
    fn mixed(self) -> u64;
}

impl Key for u64 {
    fn mixed(self) -> u64 {
        mix(self)
    }
}

impl Key for u128 {
    fn mixed(self) -> u64 {
        mix(self as u64 ^ mix((self >> 64) as u64))
    }
}

/// Searches from the position of `game`.
pub fn search<G: Game>(game: &mut G, task: &Task, watch: &mut Watch) -> Outcome<G::Move> {
    search_with(game, task, watch, &mut ())
}

/// The same search, of which `tracer` is told every position that it comes to.
pub fn search_with<G: Game, T: Tracer<G>>(
    game: &mut G,
    task: &Task,
    watch: &mut Watch,
    tracer: &mut T,
) -> Outcome<G::Move> {
    let in_breadth = G::CHARGES_MOVES && (task.maximize || game.always_maximizes());
    match (in_breadth, task.prune) {
        (false, true) => dfs::search_in_depth::<G, T, true>(game, task, watch, tracer),
        (false, false) => dfs::search_in_depth::<G, T, false>(game, task, watch, tracer),
        (true, true) => breadth::search_in_breadth::<G, T, true>(game, task, watch, tracer),
        (true, false) => breadth::search_in_breadth::<G, T, false>(game, task, watch, tracer),
    }
}

/// Where a search stops undecided. None of them is ever a "no".
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// At most so many positions are expanded.
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
    /// Bytes for the table and the stacks of one search, also while they grow.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { nodes: None, time: None, memory: 1 << 30 }
    }
}

/// What to search for, and how.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Task {
    pub limits: Limits,
    /// Prove the best score, rather than only decide whether there is a win.
    pub maximize: bool,
    /// Use the hooks of the game: forced moves, branches, bound and dead ends.
    pub prune: bool,
}

impl Default for Task {
    fn default() -> Task {
        Task { limits: Limits::default(), maximize: false, prune: true }
    }
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Solved,
    /// Proved: everything was searched.
    Unsolvable,
    NodeLimit,
    TimeLimit,
    MemoryLimit,
    Cancelled,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::Unsolvable => "unsolvable",
            Status::NodeLimit => "node-limit",
            Status::TimeLimit => "time-limit",
            Status::MemoryLimit => "memory-limit",
            Status::Cancelled => "cancelled",
        }
    }
}

/// What a search found: its verdict and its best line.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome<M> {
    pub status: Status,
    /// Legal moves, forced ones included, that end with `score`.
    pub moves: Vec<M>,
    pub score: i32,
    /// No line ends with a higher score.
    pub score_proved: bool,
    pub stats: Stats,
}

impl Status {
    /// A verdict, and not a limit.
    pub fn is_decided(self) -> bool {
        matches!(self, Status::Solved | Status::Unsolvable)
    }
}

impl<M> Outcome<M> {
    /// No move and no score, for a reason.
    pub fn nothing(status: Status) -> Outcome<M> {
        Outcome { status, moves: Vec::new(), score: 0, score_proved: false, stats: Stats::default() }
    }

    /// The same outcome with its moves in other words.
    pub fn map<N>(self, change: impl FnMut(M) -> N) -> Outcome<N> {
        let Outcome { status, moves, score, score_proved, stats } = self;
        Outcome { status, moves: moves.into_iter().map(change).collect(), score, score_proved, stats }
    }
}

/// Counts of one search; all but `seconds` are the same on every run.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Stats {
    /// Positions expanded: their moves were listed. Each once, unless the table had to forget it.
    pub nodes: u64,
    pub seconds: f64,
    /// Moves of the longest line looked at.
    pub max_depth: usize,
    pub forced_moves: u64,
    /// Positions without a move to try that are no win.
    pub dead_ends: u64,
    /// Positions left at once because of the bound or the dead-end test.
    pub blocked: u64,
    pub table_entries: usize,
    pub table_bytes: usize,
    /// Positions left because they had been searched before.
    pub table_hits: u64,
    /// Positions that the full table forgot.
    pub evictions: u64,
    /// Moves made, forced ones too, where the game tells their kinds.
    pub kinds: Kinds,
}

/// How many moves of each kind a search has made.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Kinds {
    pub names: &'static [&'static str],
    pub counts: [u64; Kinds::MOST],
}

impl Kinds {
    /// No game has more kinds of move to tell apart.
    pub const MOST: usize = 4;

    fn of<G: Game>() -> Kinds {
        const { assert!(G::KINDS.len() <= Kinds::MOST) };
        Kinds { names: G::KINDS, counts: [0; Kinds::MOST] }
    }

    /// The names and their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.names.iter().copied().zip(self.counts)
    }

    /// The counts of two searches of one game together.
    fn and(&self, other: &Kinds) -> Kinds {
        // The first part of a whole may be none at all, without names.
        let names = if self.names.is_empty() { other.names } else { self.names };
        Kinds { names, counts: std::array::from_fn(|kind| self.counts[kind] + other.counts[kind]) }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub nodes: u64,
    pub elapsed: Duration,
    pub best: i32,
    /// No line from the start ends with a higher score.
    pub bound: i32,
}

/// Called now and then while a search runs; true stops it.
pub type Watch<'a> = dyn FnMut(Progress) -> bool + 'a;
