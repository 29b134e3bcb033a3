//! The search through one phase: depth-first with make and undo, on a stack of its own, since free 2s lead
//! some hundred thousand moves deep.
//!
//! What has been come to is noted before it is searched. That is enough for a verdict, for the best score and
//! for all ends: whatever follows from a noted position has been searched, or will be before the walk is
//! over, or was cut because it cannot better what is known.

use super::board::{Back, Board, KINGS, ROWS, Step, WON};
use super::ends::Ends;
use super::relax::{Relaxed, alone};
use super::switches::Switches;
use super::visited::{Depth, FULLY, Noted, Visited};
use crate::search::{Stats, Status};

/// What is asked of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Can it be won?
    Decide,
    /// The most cards that can be locked.
    Maximize,
    /// Every lock vector with which it can end, or if so asked every one that can be reached.
    Ends { of_all_positions: bool },
}

/// How far a walk goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Everywhere.
    All,
    /// Lines that depart from the first choice so often at the most.
    Departures,
    /// Lines in which 2s leave column 1 so often at the most.
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

/// Asked now and then with the positions searched since, and the best score; gives how many may come before it
/// is asked again, and the best score that others have.
pub type Look<'a> = dyn FnMut(u64, u32) -> Result<(u64, u32), Stop> + 'a;

/// The table of a walk.
pub enum Table<'a> {
    Own(Box<Visited>),
    Shared(&'a Visited),
}

impl Table<'_> {
    #[inline]
    pub fn get(&self) -> &Visited {
        match self {
            Table::Own(visited) => visited,
            Table::Shared(visited) => visited,
        }
    }
}

/// A position that waits to be searched.
#[derive(Clone, Copy, Debug)]
struct Child {
    /// The cards that can ever move in it, or all where that is not known.
    mobile: u64,
    step: Step,
    depth: Depth,
    /// High comes first.
    order: i32,
}

/// A position on the current line.
#[derive(Clone, Copy, Debug)]
struct Frame {
    begin: u32,
    next: u32,
}

pub struct Walk<'a> {
    pub board: Board,
    pub table: Table<'a>,
    switches: Switches,
    aim: Aim,
    pub reach: Reach,
    /// No position that follows from the start has a higher score.
    bound: u32,
    line: Vec<(Step, Back)>,
    frames: Vec<Frame>,
    waiting: Vec<Child>,
    /// Bytes that the stacks may take.
    stacks: usize,
    pub best: u32,
    /// The best line of this walk, and its score: another may have a better one.
    pub own_best: u32,
    pub best_line: Vec<Step>,
    pub ends: Option<Ends>,
    /// Something was left out that a walk through everything would search.
    pub has_refused: bool,
    /// How often a step was part of a line that bettered the score.
    history: Box<[[u8; 52]; 52]>,
    until_look: u64,
    looked: u64,
    entries: usize,
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
            table,
            switches,
            aim,
            reach: Reach::All,
            bound,
            line: Vec::new(),
            frames: Vec::new(),
            waiting: Vec::new(),
            stacks,
            best_line: Vec::new(),
            ends: None,
            has_refused: false,
            history: Box::new([[0; 52]; 52]),
            until_look: 0,
            looked: 0,
            entries: 0,
            stats: Stats::default(),
        }
    }

    /// Another walk through the same phase, beside this one.
    pub fn beside<'b>(&self, visited: &'b Visited, walks: usize) -> Walk<'b> {
        let (stacks, table) = (self.stacks / walks, Table::Shared(visited));
        let mut walk = Walk::new(self.board.clone(), table, self.switches, self.aim, self.bound, stacks);
        walk.reach = self.reach;
        walk.best = self.best;
        walk.ends = self.ends.as_ref().map(|ends| Ends::new(ends.of_all_positions));
        walk
    }

    /// What a walk beside this one has found.
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

    /// All that was noted means nothing from here on.
    pub fn forget_all(&mut self) {
        if let Table::Own(visited) = &mut self.table {
            visited.forget_all();
        }
    }

    /// Gives the memory of the table back, before another takes its place.
    pub fn drop_table(&mut self) {
        self.stats.table_bytes = self.stats.table_bytes.max(self.table.get().bytes());
        if let Table::Own(visited) = &mut self.table {
            visited.clear();
        }
        self.entries = 0;
    }

    /// Lets the table take all its memory, so that threads can share it.
    pub fn enlarge_table(&mut self) {
        if let Table::Own(visited) = &mut self.table {
            visited.take_all_memory();
        }
    }

    /// Searches everything within reach; an error is why it stopped before.
    pub fn run(&mut self, depth: Depth, look: &mut Look) -> Result<(), Stop> {
        let depth = self.depth_here(depth);
        self.note(self.board.key(), depth)?;
        let ended = self.go_on(depth, look);
        self.take_back_all();
        self.frames.clear();
        self.waiting.clear();
        ended
    }

    fn go_on(&mut self, depth: Depth, look: &mut Look) -> Result<(), Stop> {
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
            let Child { mobile, step, depth, .. } = self.waiting[next as usize];
            self.play(step);
            // With facts it was arrived at when they were gathered.
            if !self.uses_facts() {
                self.arrive()?;
            }
            self.expand(mobile, depth, look)?;
        }
        Ok(())
    }

    /// The lines to positions from which together everything follows, at least so many if there are; for
    /// many threads to go on from.
    pub fn split(&mut self, depth: Depth, at_least: usize, look: &mut Look) -> Result<Vec<Prefix>, Stop> {
        let depth = self.depth_here(depth);
        self.note(self.board.key(), depth)?;
        self.arrive()?;
        let mut parts = std::collections::VecDeque::from([Prefix { line: Vec::new(), depth }]);
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

    /// Searches all that follows after a prefix.
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

    fn take_back_all(&mut self) {
        while let Some((step, back)) = self.line.pop() {
            self.board.unmake(step, back);
        }
    }

    fn uses_facts(&self) -> bool {
        match self.aim {
            Aim::Decide => self.switches.closure,
            Aim::Maximize => self.switches.bound,
            Aim::Ends { .. } => false,
        }
    }

    #[inline]
    fn play(&mut self, step: Step) {
        let back = self.board.make(step);
        self.line.push((step, back));
    }

    /// Notes the score and the end of a position that the line has come to.
    #[inline]
    fn arrive(&mut self) -> Result<(), Stop> {
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
    fn better(&mut self, locked: u32) {
        (self.best, self.own_best) = (locked, locked);
        self.best_line.clear();
        self.best_line.extend(self.line.iter().map(|&(step, _)| step));
        for &Step { card, to } in &self.best_line {
            let count = &mut self.history[card as usize][to as usize];
            *count = count.saturating_add(1);
        }
    }

    /// An end is a stuck position; if all positions are asked for, one is enough where the locks change.
    fn arrive_at_end(&mut self) {
        let Some(ends) = &mut self.ends else { return };
        let is_end = if ends.of_all_positions {
            self.line.last().is_none_or(|&(step, back)| self.board.has_changed_locks(step, back))
        } else {
            self.board.is_stuck()
        };
        if is_end || self.board.locked() == WON {
            ends.add(self.board.vector(), &self.line);
        }
    }

    /// How thoroughly the position on the board is to be searched, if the line has so much left.
    #[inline]
    fn depth_here(&self, depth: Depth) -> Depth {
        // No gap comes to column 1 again: no 2 can hop, however often it may.
        if self.reach == Reach::Hops && self.board.is_first_column_full() { 1 } else { depth }
    }

    fn note(&mut self, key: u128, depth: Depth) -> Result<bool, Stop> {
        if !self.switches.table {
            return Ok(true);
        }
        loop {
            match self.table.get().note(key, depth) {
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
                }
            }
        }
    }

    fn grow(&mut self) -> bool {
        match &mut self.table {
            Table::Own(visited) if visited.may_grow() => {
                visited.grow();
                true
            }
            _ => false,
        }
    }

    fn look(&mut self, look: &mut Look) -> Result<(), Stop> {
        let (until, best) = look(self.stats.nodes - self.looked, self.best)?;
        self.looked = self.stats.nodes;
        self.until_look = until;
        if best > self.best {
            self.best = best;
        }
        if self.entries > self.table.get().room() && self.grow() {
            self.stats.table_bytes = self.table.get().bytes();
        }
        let bytes = self.line.capacity() * size_of::<(Step, Back)>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.waiting.capacity() * size_of::<Child>();
        if bytes > self.stacks { Err(Stop::Limit(Status::MemoryLimit)) } else { Ok(()) }
    }

    /// Lists what follows from the position on the board, as far as it is new and may matter.
    fn expand(&mut self, mobile: u64, depth: Depth, look: &mut Look) -> Result<(), Stop> {
        if self.until_look == 0 {
            self.look(look)?;
        }
        self.until_look -= 1;
        self.stats.nodes += 1;
        let begin = self.waiting.len();
        let mut steps = [Step { card: 0, to: 0 }; 16];
        let mut count = 0;
        self.board.each_step(|step| {
            steps[count] = step;
            count += 1;
        });
        self.stats.dead_ends += u64::from(count == 0);
        if self.reach == Reach::Hops && depth == 1 && !self.has_refused {
            self.has_refused = steps[..count].iter().any(|&step| self.board.is_hop(step));
        }
        if self.switches.table {
            // Fetched while it is found out which of them is to be tried.
            for &step in &steps[..count] {
                self.table.get().touch(self.board.key_after(step));
            }
        }
        let mut known = None;
        if self.switches.alone && count > 1 && !matches!(self.aim, Aim::Ends { of_all_positions: true }) {
            let may_hop = self.reach != Reach::Hops || depth > 1;
            if let Some(place) = alone(&self.board, &steps[..count], self.board.loose_twos(may_hop), mobile) {
                self.stats.forced_moves += 1;
                steps[0] = steps[place];
                count = 1;
            }
        }
        if count == 1 {
            // Hardly any step that is the only one brings a cut, and what cannot move here cannot move after it.
            known = Some(mobile);
        }
        self.stats.kinds.counts[0] += count as u64;
        for &step in &steps[..count] {
            self.consider(step, depth, known)?;
        }
        if self.waiting.len() > begin + 1 && self.switches.ordering {
            self.waiting[begin..].sort_by_key(|child| std::cmp::Reverse(child.order));
        }
        if self.reach == Reach::Departures {
            self.limit(begin, depth)?;
        }
        self.frames.push(Frame { begin: begin as u32, next: begin as u32 });
        Ok(())
    }

    /// Lets what a step leads to wait, unless it was searched before or cannot matter. Facts are gathered, if they
    /// are used, unless it is known well enough what can move.
    #[inline]
    fn consider(&mut self, step: Step, depth: Depth, known: Option<u64>) -> Result<(), Stop> {
        let is_hop = self.board.is_hop(step);
        let mut depth = depth;
        if is_hop && self.reach == Reach::Hops {
            if depth == 1 {
                return Ok(());
            }
            depth -= 1;
        }
        let key = self.board.key_after(step);
        let is_new = match self.reach {
            Reach::All => self.note(key, FULLY)?,
            // How far it will be searched is known later.
            Reach::Departures | Reach::Hops => !self.switches.table || self.table.get().depth(key) < depth,
        };
        if !is_new {
            self.stats.table_hits += 1;
            return Ok(());
        }
        let mut child = Child { mobile: u64::MAX, step, depth, order: 0 };
        if self.uses_facts() {
            self.play(step);
            let ended = match known {
                Some(mobile) => {
                    child.mobile = mobile;
                    child.depth = self.depth_here(child.depth);
                    self.arrive().map(|()| false)
                }
                None => self.gather(&mut child),
            };
            let (step, back) = self.line.pop().expect("it was played");
            self.board.unmake(step, back);
            let is_cut = ended?;
            if self.reach == Reach::Hops || is_cut && self.reach == Reach::Departures {
                let depth = if self.reach == Reach::Hops { child.depth } else { FULLY };
                // Another way to it may have been as good in the end.
                if !self.note(key, depth)? {
                    self.stats.table_hits += 1;
                    return Ok(());
                }
            }
            if is_cut {
                self.stats.blocked += 1;
                return Ok(());
            }
        } else {
            if self.reach == Reach::Hops && !self.note(key, depth)? {
                return Ok(());
            }
            if self.switches.ordering {
                child.order = self.hand_made(step);
            }
        }
        if is_hop {
            child.order -= 1 << 20;
        }
        self.waiting.push(child);
        Ok(())
    }

    /// Arrives at a child and gathers its facts; true if it cannot matter.
    fn gather(&mut self, child: &mut Child) -> Result<bool, Stop> {
        self.arrive()?;
        child.depth = self.depth_here(child.depth);
        let may_hop = self.reach != Reach::Hops || child.depth > 1;
        let relaxed = Relaxed::of(&self.board, self.board.loose_twos(may_hop));
        let may_matter = self.may_matter(&relaxed);
        if !may_matter && !may_hop && !self.has_refused {
            // What cannot matter because no hop is left is refused rather than proved.
            self.has_refused = self.may_matter(&Relaxed::of(&self.board, self.board.loose_twos(true)));
        }
        if may_matter {
            child.mobile = relaxed.mobile;
            if self.switches.ordering {
                let facts = relaxed.count + 20 * self.board.locked();
                let Step { card, to } = child.step;
                let history = self.history[card as usize][to as usize].min(15);
                child.order = 16 * facts as i32 + if self.switches.history { i32::from(history) } else { 0 };
            }
        }
        Ok(!may_matter)
    }

    /// What is asked for may follow from the position on the board, of which these are the facts.
    fn may_matter(&self, relaxed: &Relaxed) -> bool {
        match self.aim {
            Aim::Maximize => relaxed.bound(&self.board) > self.best,
            _ => relaxed.may_win(&self.board),
        }
    }

    /// The order of someone who knows the game: locks first, then what opens column 1, joins cards; last what
    /// leaves a gap that takes nothing.
    fn hand_made(&self, step: Step) -> i32 {
        let Step { card, to } = step;
        let from = self.board.at(card);
        let locks = self.board.runs()[to as usize % ROWS] == to / 4;
        let opens = from < ROWS as u8;
        let joins = to < KINGS && card < KINGS && self.board.card(to + 4) == card + 4;
        let left = if from < ROWS as u8 { 1 } else { self.board.card(from - ROWS as u8) };
        let is_dead = left == 0 || left >= KINGS;
        let history =
            if self.switches.history { self.history[card as usize][to as usize].min(15) } else { 0 };
        16 * (8 * i32::from(locks) + 4 * i32::from(opens) + 2 * i32::from(joins) - 3 * i32::from(is_dead))
            + i32::from(history)
    }

    /// Keeps the children that a line with so few departures may come to, and notes them.
    fn limit(&mut self, begin: usize, depth: Depth) -> Result<(), Stop> {
        let mut kept = begin;
        for place in begin..self.waiting.len() {
            let mut child = self.waiting[place];
            child.depth = if place == begin { depth } else { depth - 1 };
            if child.depth == 0 {
                self.has_refused = true;
                break;
            }
            if self.note(self.board.key_after(child.step), child.depth)? {
                self.waiting[kept] = child;
                kept += 1;
            }
        }
        self.waiting.truncate(kept);
        Ok(())
    }
}

/// What one of several walks has found.
pub struct Found {
    own_best: u32,
    best_line: Vec<Step>,
    ends: Option<Ends>,
    has_refused: bool,
    stats: Stats,
}

/// A line to a position from which a walk goes on.
#[derive(Clone, Debug)]
pub struct Prefix {
    pub line: Vec<Step>,
    depth: Depth,
}
