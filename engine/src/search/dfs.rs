//! Depth-first search with a transposition table. It keeps its own stack, because some games are a hundred thousand
//! moves deep.
//!
//! The search decides (stops at the first win) or maximises (proves the best score). A *set* of seen positions is
//! enough for both: everything below a position that was entered has been searched, will be searched before the search
//! ends, or was pruned because it cannot beat the best score, which only rises. So an eviction costs time and nothing
//! else, as long as no line runs in a circle. For the same reason a position may be added to the table before the bound
//! or the dead-end test prunes it: a dead end stays one, and a bound that does not beat the best score will not beat a
//! higher one.
//!
//! Where moves cost points this search only decides and must not maximise: it would pass over a cheaper line to a
//! position that was entered before, and a bound that does not beat the best score does not exclude a win. See
//! `breadth`.

use super::clock::Clock;
use super::memory::{Memory, OnLine};
use super::table::{Growth, Table, Visit};
use super::trace::{Cut, Tracer};
use super::{Game, Key, Kinds, Outcome, Stats, Status, Task, Watch};

/// Positions generated between two checks of the clock and the watch.
const POLL: u32 = 256;

/// Decides whether there is a win, or proves the best score.
pub fn search_in_depth<G: Game, T: Tracer<G>, const PRUNE: bool>(
    game: &mut G,
    task: &Task,
    watch: &mut Watch,
    tracer: &mut T,
) -> Outcome<G::Move> {
    Search::<G, T, PRUNE>::new(game, task, watch, tracer).run()
}

/// An expanded position on the current line.
struct Frame<K> {
    /// The length of the line up to this position, forced moves included.
    depth: usize,
    /// The index of its first move in `waiting`.
    begin: usize,
    /// The index of the next move to try.
    next: usize,
    key: K,
}

/// Why a search ends before all moves are tried.
enum Stop {
    Won,
    /// The best score equals the bound of the start.
    Proved,
    Limit(Status),
}

struct Search<'a, 'w, G: Game, T: Tracer<G>, const PRUNE: bool> {
    game: &'a mut G,
    tracer: &'a mut T,
    maximize: bool,
    nodes: u64,
    clock: Clock<'a, 'w>,
    until_poll: u32,

    memory: Memory,
    table: Table<G::Key>,
    /// The positions of the frames. Used only in games with cycles, and only once the table has evicted an entry: until
    /// then all of them are in the table.
    on_line: Option<OnLine<G::Key>>,
    /// The moves of the current line; `undos` takes them back.
    line: Vec<G::Move>,
    undos: Vec<G::Undo>,
    frames: Vec<Frame<G::Key>>,
    /// The untried and tried moves of all frames, concatenated.
    waiting: Vec<G::Move>,

    best: i32,
    best_line: Vec<G::Move>,
    /// The length of the prefix of the current line that is the best line and is not yet copied; 0 if it is copied.
    raised_at: usize,
    /// An upper bound on the score of any line from the start.
    bound: i32,
    stats: Stats,
}

impl<'a, 'w, G: Game, T: Tracer<G>, const PRUNE: bool> Search<'a, 'w, G, T, PRUNE> {
    fn new(game: &'a mut G, task: &Task, watch: &'a mut Watch<'w>, tracer: &'a mut T) -> Self {
        Search {
            maximize: task.maximize || game.always_maximizes(),
            best: game.score(),
            bound: game.max_score(),
            game,
            tracer,
            nodes: task.limits.nodes.unwrap_or(u64::MAX),
            clock: Clock::start(task.limits.time, watch),
            until_poll: 0,
            memory: Memory::new(task.limits.memory),
            table: Table::new(),
            on_line: None,
            line: Vec::new(),
            undos: Vec::new(),
            frames: Vec::new(),
            waiting: Vec::new(),
            best_line: Vec::new(),
            raised_at: 0,
            stats: Stats { kinds: Kinds::of::<G>(), ..Stats::default() },
        }
    }

    fn run(mut self) -> Outcome<G::Move> {
        let end = self.walk();
        if let Err(Stop::Limit(_)) = end {
            self.tell(Cut::Limit);
        }
        let tight = self.best == self.bound;
        let (status, score_proved) = match end {
            // A win by fewer moves may score more.
            Err(Stop::Won) => (Status::Solved, tight || !G::CHARGES_MOVES),
            Err(Stop::Proved) => (Status::Unsolvable, true),
            // A limit is never a "no", even where the bound of the start excludes a win.
            Err(Stop::Limit(status)) => (status, tight),
            Ok(()) => (Status::Unsolvable, self.maximize || tight),
        };
        self.copy_best_line();
        self.stats.table_entries = self.table.entries();
        self.stats.table_bytes = self.table.bytes();
        self.stats.evictions = self.table.evictions();
        self.stats.seconds = self.clock.elapsed().as_secs_f64();
        Outcome { status, moves: self.best_line, score: self.best, score_proved, stats: self.stats }
    }

    /// Tries every line; returns `Ok` when none is left.
    fn walk(&mut self) -> Result<(), Stop> {
        self.settle()?;
        if PRUNE {
            self.bound = self.game.bound();
        }
        if self.maximize && self.best >= self.bound {
            self.tell(Cut::Proved);
            return Err(Stop::Proved);
        }
        // This comes before the table is allocated: a start that is pruned needs none.
        if self.is_blocked() {
            return Ok(());
        }
        let key = self.key();
        self.is_new(key)?;
        self.expand(key)?;
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == self.waiting.len() {
                self.leave();
                continue;
            }
            let m = self.waiting[frame.next];
            frame.next += 1;
            let depth = frame.depth;
            self.play(m, false)?;
            self.settle()?;
            if !self.enter()? {
                self.take_back(depth);
            }
        }
        Ok(())
    }

    /// Plays the forced moves; stops at a win or at a score that reaches the bound.
    fn settle(&mut self) -> Result<(), Stop> {
        if PRUNE {
            while let Some(m) = self.game.forced() {
                self.tell(Cut::None);
                self.play(m, true)?;
                self.stats.forced_moves += 1;
            }
        }
        self.stats.max_depth = self.stats.max_depth.max(self.line.len());
        if self.game.is_won() {
            self.best = self.game.score();
            self.raised_at = self.line.len();
            self.tell(Cut::Won);
            return Err(Stop::Won);
        }
        if self.maximize && self.best >= self.bound {
            self.tell(Cut::Proved);
            return Err(Stop::Proved);
        }
        Ok(())
    }

    /// Reports the current position and its `cut` to the tracer.
    #[inline]
    fn tell(&mut self, cut: Cut) {
        if T::IS_ON {
            self.tracer.come_to(self.game, self.line.len(), cut);
        }
    }

    fn play(&mut self, m: G::Move, is_forced: bool) -> Result<(), Stop> {
        if self.line.len() == self.line.capacity() {
            self.lengthen()?;
        }
        if T::IS_ON {
            self.tracer.play(self.game, m, is_forced);
        }
        if !G::KINDS.is_empty() {
            self.stats.kinds.counts[self.game.kind(m)] += 1;
        }
        let undo = if is_forced { self.game.apply(m) } else { self.game.apply_branch(m) };
        self.undos.push(undo);
        self.line.push(m);
        if self.game.score() > self.best {
            self.best = self.game.score();
            self.raised_at = self.line.len();
        }
        Ok(())
    }

    /// Grows the three stacks that hold a line. They grow together, so only the capacity of `line` has to be checked.
    #[cold]
    fn lengthen(&mut self) -> Result<(), Stop> {
        let extra = self.line.len().max(1);
        make_room(&mut self.memory, &mut self.table, &mut self.undos, extra)?;
        let for_best = self.line.len() + extra - self.best_line.len();
        make_room(&mut self.memory, &mut self.table, &mut self.best_line, for_best)?;
        make_room(&mut self.memory, &mut self.table, &mut self.line, extra)
    }

    /// Copies the best line. It ends where its score was reached: forced moves after that add nothing.
    fn copy_best_line(&mut self) {
        if self.raised_at > 0 {
            self.best_line.clear();
            self.best_line.extend_from_slice(&self.line[..self.raised_at]);
            self.raised_at = 0;
        }
    }

    fn key(&self) -> G::Key {
        if PRUNE { self.game.key() } else { self.game.plain_key() }
    }

    /// Returns true if the position can be pruned by its bound or as a dead end.
    fn is_blocked(&mut self) -> bool {
        let is_blocked =
            PRUNE && if self.maximize { self.game.bound() <= self.best } else { self.game.is_dead_end() };
        if is_blocked {
            self.stats.blocked += 1;
            self.tell(Cut::Blocked);
        }
        is_blocked
    }

    /// Expands the position unless it is pruned or was seen before; returns true if it now has a frame.
    fn enter(&mut self) -> Result<bool, Stop> {
        if !G::SEEN_FIRST && self.is_blocked() {
            return Ok(false);
        }
        let key = self.key();
        if !self.is_new(key)? {
            self.stats.table_hits += 1;
            self.tell(Cut::Seen);
            return Ok(false);
        }
        if G::SEEN_FIRST && self.is_blocked() {
            return Ok(false);
        }
        self.expand(key)?;
        Ok(true)
    }

    /// Pushes a frame with the moves of the position.
    fn expand(&mut self, key: G::Key) -> Result<(), Stop> {
        if self.stats.nodes == self.nodes {
            return Err(Stop::Limit(Status::NodeLimit));
        }
        if self.until_poll == 0 {
            self.until_poll = POLL;
            self.clock.look(self.stats.nodes, self.best, self.bound).map_err(Stop::Limit)?;
        }
        self.stats.nodes += 1;
        make_room(&mut self.memory, &mut self.table, &mut self.frames, 1)?;
        make_room(&mut self.memory, &mut self.table, &mut self.waiting, self.game.most_moves())?;
        let begin = self.waiting.len();
        if PRUNE {
            self.game.branches(&mut self.waiting);
        } else {
            self.game.moves(&mut self.waiting);
        }
        let moves = self.waiting.len() - begin;
        self.stats.dead_ends += u64::from(moves == 0);
        // Each move generates a position, expanded or not, before the next check of the clock.
        self.until_poll = self.until_poll.saturating_sub(moves as u32 + 1);
        self.frames.push(Frame { depth: self.line.len(), begin, next: begin, key });
        if !G::ACYCLIC && self.table.has_forgotten() {
            self.remember(key)?;
        }
        self.tell(if moves == 0 { Cut::DeadEnd } else { Cut::None });
        Ok(())
    }

    /// Returns true if the position is on the current line. Asked once the table has evicted entries and cannot answer.
    #[cold]
    fn is_on_line(&mut self, key: G::Key) -> Result<bool, Stop> {
        if self.on_line.is_none() {
            // The table has evicted entries since the last position was entered, perhaps all of them.
            self.remember_line()?;
        }
        Ok(self.on_line.as_ref().is_some_and(|on_line| on_line.contains(key)))
    }

    /// Adds the position of the last frame to the positions that must not be forgotten.
    #[cold]
    fn remember(&mut self, key: G::Key) -> Result<(), Stop> {
        let Some(on_line) = &mut self.on_line else { return self.remember_line() };
        while !on_line.insert(key, &mut self.memory) {
            give_way(&mut self.memory, &mut self.table)?;
        }
        Ok(())
    }

    /// Copies the positions of the line into a set of their own, apart from the table.
    #[cold]
    fn remember_line(&mut self) -> Result<(), Stop> {
        let mut on_line = OnLine::new();
        for frame in &self.frames {
            while !on_line.insert(frame.key, &mut self.memory) {
                give_way(&mut self.memory, &mut self.table)?;
            }
        }
        self.on_line = Some(on_line);
        Ok(())
    }

    /// Adds the position to the table; returns true if it was not there.
    fn is_new(&mut self, key: G::Key) -> Result<bool, Stop> {
        if !G::ACYCLIC && self.table.has_forgotten() && self.is_on_line(key)? {
            return Ok(false);
        }
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
                        // If there is no table at all, the cap is below the smallest working set.
                        let noted = self.table.replace(key);
                        return if noted { Ok(true) } else { Err(Stop::Limit(Status::MemoryLimit)) };
                    }
                }
            }
        }
    }

    /// Pops the last frame, whose moves have all been tried.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.waiting.truncate(frame.begin);
        if let Some(on_line) = &mut self.on_line {
            on_line.remove(frame.key);
        }
        let depth = self.frames.last().map_or(0, |frame| frame.depth);
        self.take_back(depth);
    }

    /// Undoes moves until the line has this length.
    fn take_back(&mut self, depth: usize) {
        // The copy is made only here: while the score of a line keeps rising, each copy would be wasted.
        if depth < self.raised_at {
            self.copy_best_line();
        }
        while self.line.len() > depth {
            if let (Some(m), Some(undo)) = (self.line.pop(), self.undos.pop()) {
                self.game.undo(m, undo);
            }
        }
    }
}

/// Makes room on a stack, and shrinks the table if the cap demands it. Stacks cannot forget: when they and the smallest
/// table together exceed the cap, the search ends with the memory limit.
fn make_room<T, K: Key>(
    memory: &mut Memory,
    table: &mut Table<K>,
    stack: &mut Vec<T>,
    extra: usize,
) -> Result<(), Stop> {
    while !memory.make_room(stack, extra) {
        give_way(memory, table)?;
    }
    Ok(())
}

#[cold]
fn give_way<K: Key>(memory: &mut Memory, table: &mut Table<K>) -> Result<(), Stop> {
    if table.shrink(memory) { Ok(()) } else { Err(Stop::Limit(Status::MemoryLimit)) }
}
