//! The search through one phase: depth-first with make and undo, on its own stack, because free 2s lead some hundred
//! thousand moves deep.
//!
//! A position is added to the table before it is searched. That is enough for a verdict, for the best score and for all
//! ends: whatever follows from a position in the table has been searched, or will be before the walk is over, or was
//! pruned because it cannot improve on what is known.

use super::board::{Back, Board, Step, Vector, WON};
use super::build::Build;
use super::ends::Ends;
use super::peaks::Peaks;
use super::shapes::shape_of;
use super::switches::Switches;
use super::values::Values;
use super::visited::{Depth, Noted, Visited};
use crate::search::{Stats, Status};

/// The aim of the search of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Can it be won?
    Decide,
    /// The most cards that can be locked.
    Maximize,
    /// Every lock vector with which the phase can end, or with `of_all_positions` every one that can be reached.
    Ends { of_all_positions: bool },
}

/// How far a walk goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Everywhere.
    All,
    /// Lines that depart from the first choice at most so often as the depth allows.
    Departures,
    /// Lines in which 2s leave column 1 at most so often as the depth allows.
    Hops,
}

/// Why a walk ends before everything has been searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    Won,
    /// The best score equals the bound.
    Proved,
    /// This round has used its share.
    Share,
    Limit(Status),
}

/// Called at intervals with the number of positions searched since the last call, and the best score; returns how many
/// positions may come before the next call, and the best score of all threads.
pub type Look<'a> = dyn FnMut(u64, u32) -> Result<(u64, u32), Stop> + 'a;

/// The values of ends, where only the best one is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Worth<'a> {
    pub values: &'a Values,
    pub peaks: &'a Peaks,
    /// The value of the best end found.
    pub found: f32,
}

impl Worth<'_> {
    fn of(&self, vector: Vector) -> f32 {
        self.values.of(self.peaks.redeals_left(), shape_of(vector))
    }

    /// Returns the same values, for a search that starts with these ends found.
    pub fn beside(mut self, ends: impl Iterator<Item = Vector>) -> Self {
        self.found = ends.fold(self.found, |found, vector| found.max(self.of(vector)));
        self
    }
}

/// The transposition table of a walk.
pub enum Table<'a> {
    Own(Box<Visited>),
    Shared(&'a Visited),
}

impl Table<'_> {
    #[inline(always)]
    pub fn get(&self) -> &Visited {
        match self {
            Table::Own(visited) => visited,
            Table::Shared(visited) => visited,
        }
    }
}

/// A position that waits to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    /// The cells that can ever be empty after it, or all where that is not known.
    pub(super) open: u64,
    pub(super) step: Step,
    pub(super) depth: Depth,
    /// High comes first.
    pub(super) order: i32,
}

/// A position on the current line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) begin: u32,
    pub(super) next: u32,
}

pub struct Walk<'a> {
    pub board: Board,
    pub(super) build: Build,
    pub table: Table<'a>,
    pub(super) switches: Switches,
    pub(super) aim: Aim,
    pub(super) reach: Reach,
    /// True if nothing is pruned, ordered or left out: then `strands` walks faster.
    pub(super) is_plain: bool,
    /// An upper bound on the score of every position that follows from the start.
    pub(super) bound: u32,
    pub(super) line: Vec<(Step, Back)>,
    pub(super) frames: Vec<Frame>,
    pub(super) waiting: Vec<Child>,
    /// The number of bytes that the stacks may take; `stacked` is what the stacks of strands take.
    pub(super) stacks: usize,
    pub(super) stacked: usize,
    pub best: u32,
    /// The score of this walk's own best line: another walk may have a better one.
    pub own_best: u32,
    pub best_line: Vec<Step>,
    pub ends: Option<Ends>,
    /// Prunes by value: only an end worth more than the best one found matters.
    pub worth: Option<Worth<'a>>,
    /// True if this walk left out something that an exhaustive one would search.
    pub has_refused: bool,
    /// How often a step was part of a line that improved the score.
    pub(super) history: Box<[[u8; 52]; 52]>,
    pub(super) until_look: u64,
    pub(super) looked: u64,
    pub(super) entries: usize,
    pub stats: Stats,
}

impl<'a> Walk<'a> {
    pub fn new(
        board: Board,
        table: Table<'a>,
        switches: Switches,
        aim: Aim,
        bound: u32,
        stacks: usize,
    ) -> Self {
        Walk {
            best: board.locked(),
            own_best: board.locked(),
            board,
            build: Build::best(),
            table,
            switches,
            aim,
            reach: Reach::All,
            is_plain: false,
            bound,
            line: Vec::new(),
            frames: Vec::new(),
            waiting: Vec::new(),
            stacks,
            stacked: 0,
            best_line: Vec::new(),
            ends: None,
            worth: None,
            has_refused: false,
            history: Box::new([[0; 52]; 52]),
            until_look: 0,
            looked: 0,
            entries: 0,
            stats: Stats::default(),
        }
    }

    /// Sets how far the next round goes.
    pub fn set_reach(&mut self, reach: Reach) {
        self.reach = reach;
        self.has_refused = false;
        (self.looked, self.until_look) = (self.stats.nodes, 0);
        self.is_plain = reach == Reach::All && !self.uses_facts() && !self.switches.ordering;
    }

    /// Makes all entries of the table match no key.
    pub fn forget_all(&mut self) {
        if let Table::Own(visited) = &mut self.table {
            visited.forget_all();
        }
    }

    /// Frees the memory of the table, before another takes its place.
    pub fn drop_table(&mut self) {
        self.stats.table_bytes = self.stats.table_bytes.max(self.table.get().bytes());
        if let Table::Own(visited) = &mut self.table {
            visited.clear();
        }
        self.entries = 0;
    }

    /// Grows the table to its limit, so that threads can share it.
    pub fn enlarge_table(&mut self) {
        if let Table::Own(visited) = &mut self.table {
            visited.take_all_memory();
        }
    }

    /// Searches everything within reach; an error says why it stopped before.
    pub fn run(&mut self, depth: Depth, look: &mut Look) -> Result<(), Stop> {
        let depth = self.depth_here(depth);
        self.note(self.board.key(), depth)?;
        let ended = self.go_on(depth, look);
        self.take_back_all();
        self.frames.clear();
        self.waiting.clear();
        ended
    }

    /// Searches everything that follows from the position on the board; see `Build` for the callers.
    #[inline(always)]
    pub(super) fn go_on_here(&mut self, depth: Depth, look: &mut Look) -> Result<(), Stop> {
        if self.is_plain && self.line.is_empty() {
            return self.weave(depth, look);
        }
        self.arrive()?;
        self.expand(u64::MAX, depth, look)?;
        while let Some(&Frame { begin, next }) = self.frames.last() {
            if next as usize == self.waiting.len() {
                self.waiting.truncate(begin as usize);
                self.frames.pop();
                if let Some((step, back)) = self.line.pop() {
                    self.board.unmake(step, back);
                }
                continue;
            }
            let height = self.frames.len();
            self.frames[height - 1].next += 1;
            let Child { open, step, depth, .. } = self.waiting[next as usize];
            self.play(step);
            // With facts, `arrive` was called when they were gathered.
            if !self.uses_facts() {
                self.arrive()?;
            }
            self.expand(open, depth, look)?;
        }
        Ok(())
    }

    pub(super) fn take_back_all(&mut self) {
        while let Some((step, back)) = self.line.pop() {
            self.board.unmake(step, back);
        }
    }

    #[inline(always)]
    pub(super) fn uses_facts(&self) -> bool {
        match self.aim {
            Aim::Decide => self.switches.closure,
            Aim::Maximize => self.switches.bound,
            Aim::Ends { .. } => self.worth.is_some(),
        }
    }

    #[inline(always)]
    pub(super) fn play(&mut self, step: Step) {
        let back = self.board.make(step);
        self.line.push((step, back));
    }

    /// Records the score and the end of the position that the line has reached.
    #[inline(always)]
    pub(super) fn arrive(&mut self) -> Result<(), Stop> {
        self.stats.max_depth = self.stats.max_depth.max(self.line.len());
        let locked = self.board.locked();
        if locked > self.best {
            self.better(locked);
        }
        if self.ends.is_some() {
            self.arrive_at_end();
        }
        if locked == WON {
            return Err(Stop::Won);
        }
        if self.best >= self.bound && self.aim == Aim::Maximize {
            return Err(Stop::Proved);
        }
        Ok(())
    }

    #[cold]
    pub(super) fn better(&mut self, locked: u32) {
        (self.best, self.own_best) = (locked, locked);
        self.best_line.clear();
        self.best_line.extend(self.line.iter().map(|&(step, _)| step));
        for &Step { card, to } in &self.best_line {
            let count = &mut self.history[card as usize][to as usize];
            *count = count.saturating_add(1);
        }
    }

    /// Records an end: a stuck position, or, if all positions are asked for, each position where the locks changed.
    pub(super) fn arrive_at_end(&mut self) {
        let Some(ends) = &mut self.ends else { return };
        let is_end = if ends.of_all_positions {
            self.line.last().is_none_or(|&(step, back)| self.board.has_changed_locks(step, back))
        } else {
            self.board.is_stuck()
        };
        if is_end || self.board.locked() == WON {
            ends.add(self.board.vector(), &self.line);
            if let Some(worth) = &mut self.worth {
                worth.found = worth.found.max(worth.of(self.board.vector()));
            }
        }
    }

    /// Returns how thoroughly the position on the board must be searched, if the line has this depth left.
    #[inline(always)]
    pub(super) fn depth_here(&self, depth: Depth) -> Depth {
        // No gap comes to column 1 again: no 2 can hop, however many hops are left.
        if self.reach == Reach::Hops && self.board.is_first_column_full() { 1 } else { depth }
    }

    #[inline(always)]
    pub(super) fn note(&mut self, key: u128, depth: Depth) -> Result<bool, Stop> {
        if !self.switches.table {
            return Ok(true);
        }
        match self.table.get().note(key, depth) {
            Noted::Seen => Ok(false),
            Noted::New => {
                self.entries += 1;
                self.stats.table_entries += 1;
                Ok(true)
            }
            noted => self.note_again(noted, key, depth),
        }
    }

    /// Handles the rare results of adding a position; if there was no room, the table grows and the position is added
    /// again.
    #[cold]
    fn note_again(&mut self, mut noted: Noted, key: u128, depth: Depth) -> Result<bool, Stop> {
        loop {
            match noted {
                Noted::Seen => return Ok(false),
                Noted::Again => return Ok(true),
                Noted::New => {
                    self.entries += 1;
                    self.stats.table_entries += 1;
                    return Ok(true);
                }
                Noted::Replaced => {
                    self.stats.evictions += 1;
                    return Ok(true);
                }
                Noted::Full => {
                    if !self.grow() {
                        return Err(Stop::Limit(Status::MemoryLimit));
                    }
                    noted = self.table.get().note(key, depth);
                }
            }
        }
    }

    pub(super) fn grow(&mut self) -> bool {
        match &mut self.table {
            Table::Own(visited) if visited.may_grow() => visited.grow(),
            _ => false,
        }
    }

    pub(super) fn look(&mut self, look: &mut Look) -> Result<(), Stop> {
        let (until, best) = look(self.stats.nodes - self.looked, self.best)?;
        self.looked = self.stats.nodes;
        self.until_look = until;
        if best > self.best {
            self.best = best;
        }
        if self.entries > self.table.get().room() && self.grow() {
            self.stats.table_bytes = self.table.get().bytes();
        }
        let bytes = self.stacked
            + self.line.capacity() * size_of::<(Step, Back)>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.waiting.capacity() * size_of::<Child>();
        if bytes > self.stacks { Err(Stop::Limit(Status::MemoryLimit)) } else { Ok(()) }
    }
}
