//! Breadth-first search, for the best score where moves cost points.
//!
//! In such games the score depends on the length of the line. A position that was searched once may be worth more when
//! a shorter line reaches it, and a depth-first search with a set of seen positions would miss that. A breadth-first
//! search reaches every position by a shortest line first. So one visit is enough, and the first win is the best one.
//! No position is worth more than a win, so no line found later scores more. A line found earlier may score more than
//! the win: then the win is returned, and its score is not marked as proved.
//!
//! A node stores its move and the number of its parent. The game goes from one node to the next by undoing and applying
//! moves: neighbours in a layer share most of their lines.

use super::clock::Clock;
use super::memory::Memory;
use super::table::{Growth, Table, Visit};
use super::trace::{Cut, Tracer};
use super::{Game, Kinds, Outcome, Stats, Status, Task, Watch};

/// Positions generated between two checks of the clock and the watch.
const POLL: u32 = 256;

/// Finds the win with the best score, or proves the best score if there is none.
pub fn search_in_breadth<G: Game, T: Tracer<G>, const PRUNE: bool>(
    game: &mut G,
    task: &Task,
    watch: &mut Watch,
    tracer: &mut T,
) -> Outcome<G::Move> {
    Search::<G, T, PRUNE>::new(game, task, watch, tracer).run()
}

/// A node: its parent, and the move from there.
struct Node<M> {
    before: u32,
    m: M,
}

/// Why a search ends before all positions are expanded.
enum Stop {
    Won,
    Limit(Status),
}

struct Search<'a, 'w, G: Game, T: Tracer<G>, const PRUNE: bool> {
    game: &'a mut G,
    tracer: &'a mut T,
    nodes: u64,
    clock: Clock<'a, 'w>,
    until_poll: u32,

    memory: Memory,
    table: Table<G::Key>,
    /// Every position but the start, in the order of discovery. The start is number 0, the first of these number 1.
    found: Vec<Node<G::Move>>,
    /// The numbers of the nodes from the start (exclusive) to the current position; `undos` takes their moves back.
    line: Vec<u32>,
    undos: Vec<G::Undo>,
    /// Moves of the position that is being expanded.
    waiting: Vec<G::Move>,

    best: i32,
    best_node: u32,
    /// True if some line scores more than the win that was found.
    is_outdone: bool,
    /// An upper bound on the score of any line from the start.
    bound: i32,
    stats: Stats,
}

impl<'a, 'w, G: Game, T: Tracer<G>, const PRUNE: bool> Search<'a, 'w, G, T, PRUNE> {
    fn new(game: &'a mut G, task: &Task, watch: &'a mut Watch<'w>, tracer: &'a mut T) -> Self {
        Search {
            best: game.score(),
            best_node: 0,
            is_outdone: false,
            bound: if PRUNE { game.bound() } else { game.max_score() },
            game,
            tracer,
            nodes: task.limits.nodes.unwrap_or(u64::MAX),
            clock: Clock::start(task.limits.time, watch),
            until_poll: 0,
            memory: Memory::new(task.limits.memory),
            table: Table::new(),
            found: Vec::new(),
            line: Vec::new(),
            undos: Vec::new(),
            waiting: Vec::new(),
            stats: Stats { kinds: Kinds::of::<G>(), ..Stats::default() },
        }
    }

    fn run(mut self) -> Outcome<G::Move> {
        let end = self.walk();
        if let Err(Stop::Limit(_)) = end {
            self.tell(Cut::Limit);
        }
        let (status, score_proved) = match end {
            Err(Stop::Won) => (Status::Solved, !self.is_outdone),
            Err(Stop::Limit(status)) => (status, self.best == self.bound),
            Ok(()) => (Status::Unsolvable, true),
        };
        self.take_back(0);
        self.stats.table_entries = self.table.entries();
        self.stats.table_bytes = self.table.bytes();
        self.stats.seconds = self.clock.elapsed().as_secs_f64();
        let mut moves = Vec::new();
        let mut number = self.best_node;
        while let Some(node) = self.node(number) {
            moves.push(node.m);
            number = node.before;
        }
        moves.reverse();
        Outcome { status, moves, score: self.best, score_proved, stats: self.stats }
    }

    /// Returns a node by its number; `None` for the start.
    fn node(&self, number: u32) -> Option<&Node<G::Move>> {
        self.found.get((number as usize).checked_sub(1)?)
    }

    fn key(&self) -> G::Key {
        if PRUNE { self.game.key() } else { self.game.plain_key() }
    }

    /// Expands every position in order of discovery; returns `Ok` when none is left.
    fn walk(&mut self) -> Result<(), Stop> {
        if self.game.is_won() {
            self.tell(Cut::Won);
            return Err(Stop::Won);
        }
        let key = self.key();
        self.is_new(key)?;
        let (mut next, mut depth, mut layer_end) = (0, 0, 0);
        while next as usize <= self.found.len() {
            if next > layer_end {
                depth += 1;
                layer_end = self.found.len() as u32;
            }
            self.go_to(next, depth)?;
            self.expand(next)?;
            next += 1;
        }
        Ok(())
    }

    /// Brings the game to node `number`, which is `depth` moves away from the start.
    fn go_to(&mut self, number: u32, depth: usize) -> Result<(), Stop> {
        let (mut first, mut common) = (number, depth);
        let mut ahead = Vec::new();
        while common > 0 && self.line.get(common - 1) != Some(&first) {
            ahead.push(first);
            first = self.node(first).map_or(0, |node| node.before);
            common -= 1;
        }
        self.take_back(common);
        for number in ahead.into_iter().rev() {
            // Only the start has no move, and it is on every line.
            let Some(m) = self.node(number).map(|node| node.m) else { continue };
            let undo = self.game.apply_branch(m);
            if !self.memory.make_room(&mut self.line, 1) || !self.memory.make_room(&mut self.undos, 1) {
                self.game.undo(m, undo);
                return Err(Stop::Limit(Status::MemoryLimit));
            }
            self.line.push(number);
            self.undos.push(undo);
        }
        Ok(())
    }

    /// Undoes moves until the line has this length.
    fn take_back(&mut self, depth: usize) {
        while self.line.len() > depth {
            let Some((number, undo)) = self.line.pop().zip(self.undos.pop()) else { return };
            if let Some(m) = self.node(number).map(|node| node.m) {
                self.game.undo(m, undo);
            }
        }
    }

    /// Generates the children of the current position, which is node `number`.
    fn expand(&mut self, number: u32) -> Result<(), Stop> {
        // Nothing below this position is a win or has a better score.
        if PRUNE && self.game.is_dead_end() && self.game.bound() <= self.best {
            self.stats.blocked += 1;
            return Ok(());
        }
        if self.stats.nodes == self.nodes {
            return Err(Stop::Limit(Status::NodeLimit));
        }
        if self.until_poll == 0 {
            self.until_poll = POLL;
            self.clock.look(self.stats.nodes, self.best, self.bound).map_err(Stop::Limit)?;
        }
        self.stats.nodes += 1;
        let mut moves = std::mem::take(&mut self.waiting);
        if !self.memory.make_room(&mut moves, self.game.most_moves()) {
            return Err(Stop::Limit(Status::MemoryLimit));
        }
        // Forced moves are not played alone: they preserve the outcome, but not the length of the shortest line.
        if PRUNE {
            self.game.branches(&mut moves)
        } else {
            self.game.moves(&mut moves)
        }
        self.stats.dead_ends += u64::from(moves.is_empty());
        self.until_poll = self.until_poll.saturating_sub(moves.len() as u32 + 1);
        if self.line.is_empty() {
            self.tell(if moves.is_empty() { Cut::DeadEnd } else { Cut::None });
        }
        for &m in &moves {
            self.come_to(number, m)?;
        }
        moves.clear();
        self.waiting = moves;
        Ok(())
    }

    /// Plays a move, records the child with `look`, and takes the move back.
    fn come_to(&mut self, before: u32, m: G::Move) -> Result<(), Stop> {
        if T::IS_ON {
            self.tracer.play(self.game, m, false);
        }
        if !G::KINDS.is_empty() {
            self.stats.kinds.counts[self.game.kind(m)] += 1;
        }
        let undo = self.game.apply_branch(m);
        let looked = self.look(before, m);
        if let Err(Stop::Limit(_)) = looked {
            self.tell_after_move(Cut::Limit);
        }
        self.game.undo(m, undo);
        looked
    }

    fn look(&mut self, before: u32, m: G::Move) -> Result<(), Stop> {
        self.stats.max_depth = self.stats.max_depth.max(self.line.len() + 1);
        let (is_won, key) = (self.game.is_won(), self.key());
        if !is_won && !self.is_new(key)? {
            self.stats.table_hits += 1;
            self.tell_after_move(Cut::Seen);
            return Ok(());
        }
        let is_full = self.found.len() + 1 >= u32::MAX as usize;
        if is_full || !self.memory.make_room(&mut self.found, 1) {
            return Err(Stop::Limit(Status::MemoryLimit));
        }
        self.found.push(Node { before, m });
        let score = self.game.score();
        if score > self.best || is_won {
            self.is_outdone = self.best > score;
            self.best = score;
            self.best_node = self.found.len() as u32;
        }
        self.tell_after_move(if is_won { Cut::Won } else { Cut::None });
        if is_won { Err(Stop::Won) } else { Ok(()) }
    }

    /// Reports the current position and its `cut` to the tracer.
    fn tell(&mut self, cut: Cut) {
        if T::IS_ON {
            self.tracer.come_to(self.game, self.line.len(), cut);
        }
    }

    /// Reports the position after a move that is not on the line yet.
    fn tell_after_move(&mut self, cut: Cut) {
        if T::IS_ON {
            self.tracer.come_to(self.game, self.line.len() + 1, cut);
        }
    }

    /// Adds the position to the table; returns true if it was not there. Unlike in a depth-first search the table must
    /// not forget, or lines could run in circles; so a full table is the memory limit.
    fn is_new(&mut self, key: G::Key) -> Result<bool, Stop> {
        loop {
            match self.table.visit(key) {
                Visit::Seen => return Ok(false),
                Visit::New => return Ok(true),
                Visit::Full => {
                    let mut stop = Ok(());
                    let growth = self.table.grow(&mut self.memory, &mut || {
                        stop = self.clock.look(self.stats.nodes, self.best, self.bound);
                        stop.is_err()
                    });
                    stop.map_err(Stop::Limit)?;
                    if growth == Growth::AtCap {
                        return Err(Stop::Limit(Status::MemoryLimit));
                    }
                }
            }
        }
    }
}
