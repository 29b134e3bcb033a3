//! Searches, generic over a [`Game`]: the trait, the limits and the results.

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

/// One patience, packed for search: a position that moves change in place. It agrees with the Python rules, move for
/// move.
pub trait Game {
    type Move: Copy + Eq + Debug;
    /// What `undo` needs besides the move.
    type Undo: Copy;
    type Key: Key;

    /// True if no line of play reaches a position twice.
    const ACYCLIC: bool;
    /// True if positions are looked up in the table, and added to it, before the bound or the dead-end test: for games
    /// whose test costs more than a look-up. Pruned positions then take room in the table.
    const SEEN_FIRST: bool = false;
    /// True if every move costs points, each the same: a score is the worth of the position (a win has the most) less
    /// the cost of the line. So the score of a position depends on the line to it. A win is not always the best score:
    /// it proves none unless it meets the bound, and the best score is searched for in breadth.
    const CHARGES_MOVES: bool = false;
    /// The names of the kinds of move, if a search is to count its moves by kind; at most [`Kinds::MOST`].
    const KINDS: &'static [&'static str] = &[];

    /// Returns an upper bound on the number of legal moves of any position under these rules; the search reserves room
    /// for them.
    fn most_moves(&self) -> usize;
    /// Pushes every legal move, in the order of the rules.
    fn moves(&self, out: &mut Vec<Self::Move>);
    fn apply(&mut self, m: Self::Move) -> Self::Undo;
    /// Plays a move that a search tries from a position that it has expanded; by default [`Game::apply`].
    fn apply_branch(&mut self, m: Self::Move) -> Self::Undo {
        self.apply(m)
    }
    /// Takes back `m`, the last move applied.
    fn undo(&mut self, m: Self::Move, undo: Self::Undo);
    /// Returns the kind of a legal move, as an index into `KINDS`.
    fn kind(&self, _: Self::Move) -> usize {
        0
    }
    /// Returns the key of the position: equal for two positions of one search if and only if the same lines of play
    /// follow, by `branches`.
    fn key(&self) -> Self::Key;
    fn is_won(&self) -> bool;
    fn score(&self) -> i32;
    /// Returns an upper bound on the score of all positions of the game.
    fn max_score(&self) -> i32;

    /// Returns true if these rules want the proved best score even when the task only asks for a win.
    fn always_maximizes(&self) -> bool {
        false
    }

    /// Returns true if the game may go on with a redeal whose order is not known: then a position without legal moves
    /// is not the end.
    fn waits_for_chance(&self) -> bool {
        false
    }

    // The hooks below prune. `prune=false` switches them all off, and tests compare.

    /// Returns the key for a search that tries `moves` instead of `branches`. It differs from `key` where `branches`
    /// collects the moves of several positions, which `key` therefore identifies: a search that tries the moves of one
    /// of them must not take the others for seen.
    fn plain_key(&self) -> Self::Key {
        self.key()
    }

    /// Returns a move that may be played alone: some best line from here begins with it. A sequence of forced moves
    /// must be finite.
    fn forced(&self) -> Option<Self::Move> {
        None
    }

    /// Pushes the moves that a search must try where no move is forced, likely ones first. No order changes a verdict.
    /// This is the twin of Python's `order` hook; `moves` keeps the order of the rules.
    fn branches(&self, out: &mut Vec<Self::Move>) {
        self.moves(out);
    }

    /// Returns an upper bound on the score of any line from here.
    fn bound(&self) -> i32 {
        self.max_score()
    }

    /// Returns true only if no win can be reached. A guess belongs in the move order, not here.
    fn is_dead_end(&self) -> bool {
        false
    }
}

/// Identifies a position in a table. Exact or 128 bits wide: a proof must not depend on the absence of collisions.
pub trait Key: Copy + Eq + Hash + Default + Into<u128> + Send {
    /// Returns well mixed bits. The default value of the type marks a free slot and is never the key of a position.
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

/// Searches from the position of `game`, and reports every position that it reaches to `tracer`.
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

/// The limits of a search, which end it undecided. None of them is ever a "no".
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// The number of positions that may be expanded.
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
    /// The legal moves of a line with `score`, forced ones included.
    pub moves: Vec<M>,
    pub score: i32,
    /// True if no line ends with a higher score.
    pub score_proved: bool,
    pub stats: Stats,
}

impl Status {
    /// Returns true for a verdict, false for a limit.
    pub fn is_decided(self) -> bool {
        matches!(self, Status::Solved | Status::Unsolvable)
    }
}

impl<M> Outcome<M> {
    /// Returns an outcome without moves and score, for searches that could not start.
    pub fn nothing(status: Status) -> Outcome<M> {
        Outcome { status, moves: Vec::new(), score: 0, score_proved: false, stats: Stats::default() }
    }

    /// Returns the same outcome with each move converted.
    pub fn map<N>(self, change: impl FnMut(M) -> N) -> Outcome<N> {
        let Outcome { status, moves, score, score_proved, stats } = self;
        Outcome { status, moves: moves.into_iter().map(change).collect(), score, score_proved, stats }
    }
}

/// The counters of one search; all but `seconds` are the same on every run.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Stats {
    /// Positions expanded: their moves were listed. Each once, unless the table evicted it.
    pub nodes: u64,
    pub seconds: f64,
    /// The length of the longest line.
    pub max_depth: usize,
    pub forced_moves: u64,
    /// Positions without a move to try that are no win.
    pub dead_ends: u64,
    /// Positions pruned by the bound or the dead-end test.
    pub blocked: u64,
    pub table_entries: usize,
    pub table_bytes: usize,
    /// Positions skipped because the table had them.
    pub table_hits: u64,
    /// Positions that the full table evicted.
    pub evictions: u64,
    /// Moves made, forced ones included, if the game names its kinds.
    pub kinds: Kinds,
}

/// The number of moves of each kind that a search made.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Kinds {
    pub names: &'static [&'static str],
    pub counts: [u64; Kinds::MOST],
}

impl Kinds {
    /// The largest number of kinds that any game names.
    pub const MOST: usize = 4;

    fn of<G: Game>() -> Kinds {
        const { assert!(G::KINDS.len() <= Kinds::MOST) };
        Kinds { names: G::KINDS, counts: [0; Kinds::MOST] }
    }

    /// Returns the names and their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.names.iter().copied().zip(self.counts)
    }

    /// Returns the sum of the counts of two searches of one game.
    fn and(&self, other: &Kinds) -> Kinds {
        // The default value has no names.
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
    /// An upper bound on the score of any line from the start.
    pub bound: i32,
}

/// Called at intervals while a search runs; a return value of true stops the search.
pub type Watch<'a> = dyn FnMut(Progress) -> bool + 'a;
