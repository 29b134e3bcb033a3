//! The memory account of one search, and the stacks that are charged to it.

use std::collections::HashSet;
use std::mem::size_of;

use super::Key;

/// The capacity of a new stack: most lines of play in small games fit.
const SMALLEST: usize = 64;

/// The memory of one search, kept under a cap.
#[derive(Debug)]
pub struct Memory {
    cap: usize,
    used: usize,
}

impl Memory {
    pub fn new(cap: usize) -> Memory {
        Memory { cap, used: 0 }
    }

    /// Charges bytes to the account; returns false, and charges nothing, if the cap does not allow them.
    pub fn take(&mut self, bytes: usize) -> bool {
        let fits = bytes <= self.cap - self.used;
        if fits {
            self.used += bytes;
        }
        fits
    }

    pub fn give_back(&mut self, bytes: usize) {
        self.used -= bytes;
    }

    /// Returns the bytes that a table may still take: an eighth of the cap is reserved for the stacks, which cannot
    /// forget.
    pub fn left_to_tables(&self) -> usize {
        (self.cap - self.cap / 8).saturating_sub(self.used)
    }

    #[cfg(test)]
    pub fn used(&self) -> usize {
        self.used
    }

    /// Makes room for `extra` more items; returns false if the cap or the machine does not allow it.
    #[inline]
    pub fn make_room<T>(&mut self, vec: &mut Vec<T>, extra: usize) -> bool {
        vec.capacity() - vec.len() >= extra || self.enlarge(vec, extra)
    }

    #[cold]
    fn enlarge<T>(&mut self, vec: &mut Vec<T>, extra: usize) -> bool {
        let held = vec.capacity() * size_of::<T>();
        let capacity = (2 * vec.capacity()).max(vec.len() + extra).max(SMALLEST);
        // The old and the new block coexist while the items move.
        if !self.take(capacity * size_of::<T>()) {
            return false;
        }
        let enlarged = vec.try_reserve_exact(capacity - vec.len()).is_ok();
        self.give_back(if enlarged { held } else { capacity * size_of::<T>() });
        enlarged
    }
}

/// The positions on the current line of a game with cycles. They must not be evicted: a line that came back to one of
/// them would cycle for ever.
#[derive(Debug)]
pub struct OnLine<K> {
    keys: HashSet<K>,
    bytes: usize,
}

impl<K: Key> OnLine<K> {
    pub fn new() -> OnLine<K> {
        OnLine { keys: HashSet::new(), bytes: 0 }
    }

    pub fn contains(&self, key: K) -> bool {
        self.keys.contains(&key)
    }

    pub fn remove(&mut self, key: K) {
        self.keys.remove(&key);
    }

    /// Inserts a key; returns false, without a change, if the cap does not allow it.
    pub fn insert(&mut self, key: K, memory: &mut Memory) -> bool {
        if self.keys.len() == self.keys.capacity() && !self.enlarge(memory) {
            return false;
        }
        self.keys.insert(key);
        true
    }

    #[cold]
    fn enlarge(&mut self, memory: &mut Memory) -> bool {
        let extra = self.keys.len().max(SMALLEST);
        // The standard library sizes its sets so: a power of two of slots, at most 7/8 full, with one more byte a slot.
        let slots = ((self.keys.len() + extra) * 8 / 7 + 1).next_power_of_two();
        let bytes = slots * (size_of::<K>() + 1) + 64;
        if !memory.take(bytes) {
            return false;
        }
        let enlarged = self.keys.try_reserve(extra).is_ok();
        if enlarged {
            memory.give_back(self.bytes);
            self.bytes = bytes;
        } else {
            memory.give_back(bytes);
        }
        enlarged
    }
}
