//! The expansion of a position: which steps are tried, and in which order.

use super::board::Step;
use super::relax::{Relaxed, alone};
use super::visited::{Depth, FULLY};
use super::walk::{Aim, Child, Frame, Look, Reach, Stop, Walk};

impl Walk<'_> {
    /// Pushes a frame with the children of the position on the board that are new and may matter.
    #[inline(always)]
    pub(super) fn expand(&mut self, open: u64, depth: Depth, look: &mut Look) -> Result<(), Stop> {
        if self.until_look == 0 {
            self.look(look)?;
        }
        self.until_look -= 1;
        self.stats.nodes += 1;
        let begin = self.waiting.len();
        let all = self.board.steps();
        let mut steps: &[Step] = &all;
        if self.switches.table {
            // Prefetched while the loop below decides which of them to try.
            for &step in steps {
                self.table.get().touch(self.board.key_after(step));
            }
        }
        self.stats.dead_ends += u64::from(steps.is_empty());
        if self.reach == Reach::Hops && depth == 1 && !self.has_refused {
            self.has_refused = steps.iter().any(|&step| self.board.is_hop(step));
        }
        let mut known = None;
        if self.switches.alone && steps.len() > 1 && !matches!(self.aim, Aim::Ends { of_all_positions: true })
        {
            let may_hop = self.reach != Reach::Hops || depth > 1;
            if let Some(place) = alone(&self.board, steps, self.board.loose_twos(may_hop), open) {
                self.stats.forced_moves += 1;
                steps = &steps[place..=place];
            }
        }
        if steps.len() == 1 {
            // A single step hardly ever leads to a pruned position, and what cannot open here cannot open after it.
            known = Some(open);
        }
        self.stats.kinds.counts[0] += steps.len() as u64;
        for &step in steps {
            self.consider(step, self.board.key_after(step), depth, known)?;
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

    /// Pushes the child of a step, unless it was searched before or cannot matter. If facts are used, they are gathered
    /// for the child, unless `known` says well enough what can move.
    #[inline(always)]
    fn consider(&mut self, step: Step, key: u128, depth: Depth, known: Option<u64>) -> Result<(), Stop> {
        let is_hop = self.board.is_hop(step);
        let mut depth = depth;
        if is_hop && self.reach == Reach::Hops {
            if depth == 1 {
                return Ok(());
            }
            depth -= 1;
        }
        let is_new = match self.reach {
            Reach::All => self.note(key, FULLY)?,
            // Its depth is known later.
            Reach::Departures | Reach::Hops => !self.switches.table || self.table.get().depth(key) < depth,
        };
        if !is_new {
            self.stats.table_hits += 1;
            return Ok(());
        }
        let mut child = Child { open: u64::MAX, step, depth, order: 0 };
        if self.uses_facts() {
            self.play(step);
            let ended = match known {
                Some(open) => {
                    child.open = open;
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
                // The depth may differ from that of the first look-up, so the child may count as seen after all.
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
                child.order = self.order_before(step);
            }
        }
        if is_hop {
            child.order -= 1 << 20;
        }
        self.waiting.push(child);
        Ok(())
    }

    /// Records a child and gathers its facts; returns true if it cannot matter.
    #[inline(always)]
    fn gather(&mut self, child: &mut Child) -> Result<bool, Stop> {
        self.arrive()?;
        child.depth = self.depth_here(child.depth);
        let may_hop = self.reach != Reach::Hops || child.depth > 1;
        let relaxed = Relaxed::of(&self.board, self.board.loose_twos(may_hop));
        let may_matter = self.may_matter(&relaxed);
        if !may_matter && !may_hop && !self.has_refused {
            // A child that cannot matter only because no hop is left is rejected, not proved.
            self.has_refused = self.may_matter(&Relaxed::of(&self.board, self.board.loose_twos(true)));
        }
        if may_matter {
            child.open = relaxed.open;
            if self.switches.ordering {
                child.order = self.order_of(child.step, &relaxed);
            }
        }
        Ok(!may_matter)
    }

    /// Returns true if what is asked for may follow from the position on the board, by its facts.
    #[inline(always)]
    fn may_matter(&self, relaxed: &Relaxed) -> bool {
        match self.aim {
            Aim::Decide => relaxed.may_win(&self.board),
            Aim::Maximize => relaxed.bound(&self.board) > self.best,
            Aim::Ends { .. } => {
                self.worth.is_none_or(|worth| worth.peaks.greatest(relaxed.spans(&self.board)) > worth.found)
            }
        }
    }

    /// Keeps the children that a line with the remaining departures may reach, and adds them to the table.
    #[inline(always)]
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
