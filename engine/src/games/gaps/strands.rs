//! The walk where nothing is pruned, ordered or left out. With so little to do for each position, half the time would
//! be spent waiting for the table's memory. So several strands are walked in turn, each through a part of the phase:
//! while the prefetched memory of one arrives, the others go on.

use super::board::{Back, Board, Step, Steps};
use super::parts::Prefix;
use super::visited::{Depth, FULLY};
use super::walk::{Frame, Look, Stop, Walk};

/// The number of strands. More of them slow each other down; fewer leave the processor waiting.
const STRANDS: usize = 6;
/// The number of parts of the phase. Parts differ in size, so there are more parts than strands.
const PARTS: usize = 64;

/// A line through one part.
struct Strand {
    board: Board,
    line: Vec<(Step, Back)>,
    frames: Vec<Frame>,
    waiting: Vec<Step>,
    /// The steps from the position on the board, whose buckets are being prefetched.
    following: Steps,
}

impl Strand {
    fn bytes(&self) -> usize {
        self.line.capacity() * size_of::<(Step, Back)>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.waiting.capacity() * size_of::<Step>()
    }
}

impl Walk<'_> {
    /// Searches everything that follows from the position on the board.
    #[inline(always)]
    pub(super) fn weave(&mut self, depth: Depth, look: &mut Look) -> Result<(), Stop> {
        let mut parts: Vec<Prefix> = self.split(depth, PARTS, look)?;
        // Parts are popped from the end.
        parts.reverse();
        let mut strands: Vec<Strand> = Vec::with_capacity(STRANDS);
        while strands.len() < STRANDS {
            let Some(part) = parts.pop() else { break };
            let mut strand = Strand {
                board: self.board.clone(),
                line: Vec::new(),
                frames: Vec::new(),
                waiting: Vec::new(),
                following: Steps::default(),
            };
            self.begin(&mut strand, &part)?;
            self.fetch(&mut strand);
            strands.push(strand);
        }
        while !strands.is_empty() {
            let mut place = 0;
            while place < strands.len() {
                if self.until_look == 0 {
                    self.stacked = strands.iter().map(Strand::bytes).sum();
                    self.look(look)?;
                }
                self.until_look -= 1;
                let strand = &mut strands[place];
                self.take_note(strand)?;
                if self.go_to_next(strand, &mut parts)? {
                    self.fetch(strand);
                    place += 1;
                } else {
                    strands.swap_remove(place);
                }
            }
        }
        Ok(())
    }

    /// Goes to the start of a part.
    #[inline(never)]
    fn begin(&mut self, strand: &mut Strand, part: &Prefix) -> Result<(), Stop> {
        for &step in &part.line {
            let back = strand.board.make(step);
            strand.line.push((step, back));
        }
        self.arrive_in(strand)
    }

    /// Lists the steps, and prefetches their buckets in the table.
    #[inline(always)]
    fn fetch(&mut self, strand: &mut Strand) {
        strand.following = strand.board.steps();
        if self.switches.table {
            for &step in strand.following.iter() {
                self.table.get().touch(strand.board.key_after(step));
            }
        }
    }

    /// Pushes the steps to new positions.
    #[inline(always)]
    fn take_note(&mut self, strand: &mut Strand) -> Result<(), Stop> {
        self.stats.nodes += 1;
        self.stats.kinds.counts[0] += strand.following.len() as u64;
        self.stats.dead_ends += u64::from(strand.following.is_empty());
        let begin = strand.waiting.len() as u32;
        for &step in strand.following.iter() {
            if self.note(strand.board.key_after(step), FULLY)? {
                strand.waiting.push(step);
            }
        }
        strand.frames.push(Frame { begin, next: begin });
        Ok(())
    }

    /// Goes to the next waiting position, if necessary in another part; returns false if there is none.
    #[inline(always)]
    fn go_to_next(&mut self, strand: &mut Strand, parts: &mut Vec<Prefix>) -> Result<bool, Stop> {
        while let Some(frame) = strand.frames.last_mut() {
            if let Some(&step) = strand.waiting.get(frame.next as usize) {
                frame.next += 1;
                let back = strand.board.make(step);
                strand.line.push((step, back));
                self.arrive_in(strand)?;
                return Ok(true);
            }
            strand.waiting.truncate(frame.begin as usize);
            strand.frames.pop();
            if !strand.frames.is_empty()
                && let Some((step, back)) = strand.line.pop()
            {
                strand.board.unmake(step, back);
            }
        }
        while let Some((step, back)) = strand.line.pop() {
            strand.board.unmake(step, back);
        }
        let Some(part) = parts.pop() else { return Ok(false) };
        self.begin(strand, &part)?;
        Ok(true)
    }

    /// Calls `arrive` for the position of a strand.
    #[inline(always)]
    fn arrive_in(&mut self, strand: &mut Strand) -> Result<(), Stop> {
        self.stats.max_depth = self.stats.max_depth.max(strand.line.len());
        // The rest is rare; a win and a proved score are better scores, so they get there.
        if strand.board.locked() <= self.best && self.ends.is_none() {
            return Ok(());
        }
        self.trade_places(strand);
        let ended = self.arrive();
        self.trade_places(strand);
        ended
    }

    fn trade_places(&mut self, strand: &mut Strand) {
        std::mem::swap(&mut self.board, &mut strand.board);
        std::mem::swap(&mut self.line, &mut strand.line);
    }
}
