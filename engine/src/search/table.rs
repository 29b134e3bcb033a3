//! The transposition table: a set of keys that starts small, grows to a memory cap, and then evicts entries.

use std::mem::size_of;

use super::Key;
use super::memory::Memory;

/// Slots of the first table: most deals of a small game need no more.
const FIRST: usize = 256;
/// The size of a cache line: most look-ups touch only one.
const BUCKET_BYTES: usize = 64;
/// Slots between two calls of `tick` while a table grows: well under a millisecond's work.
const TICK: usize = 1 << 15;
/// A block of this size is mapped on its own pages, and the usual allocator enlarges it without a copy. (glibc takes
/// smaller ones from a heap, where an old and a new block may coexist for a moment.)
const OWN_PAGES: usize = 32 << 20;

/// The result of a look-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visit {
    /// The table has the key.
    Seen,
    /// The key was new and is now in the table.
    New,
    /// The key is new, but the table is full: let it grow or evict.
    Full,
}

/// The result of an attempt to grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// There is room again.
    Grown,
    /// The cap does not allow a larger table.
    AtCap,
    /// `tick` asked to stop; the table may have lost entries.
    Stopped,
}

/// A set of keys: open addressing over buckets of one cache line. Probing starts at the key's home bucket and wraps
/// around from the last to the first. A slot never becomes free again, so the first free one ends a look-up.
///
/// The *high* bits of a key's hash choose its bucket. So the number of buckets need not be a power of two, and keys
/// keep their order when the table grows: they move from front to back, in place and in one pass. Growing is cheap
/// enough for small steps: after the first few hundred keys at least 7/10 of the slots are taken, and at most 7/8.
#[derive(Debug)]
pub struct Table<K> {
    /// Empty until the first key comes: many deals are decided without a table.
    slots: Vec<K>,
    entries: usize,
    /// The number of entries at which the table is full.
    room: usize,
    evictions: u64,
    may_grow: bool,
}

impl<K: Key> Table<K> {
    const BUCKET: usize = BUCKET_BYTES / size_of::<K>();

    pub fn new() -> Table<K> {
        Table { slots: Vec::new(), entries: 0, room: 0, evictions: 0, may_grow: true }
    }

    pub fn entries(&self) -> usize {
        self.entries
    }

    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<K>()
    }

    pub fn evictions(&self) -> u64 {
        self.evictions
    }

    /// Returns true once an entry may have been evicted.
    pub fn has_forgotten(&self) -> bool {
        self.evictions > 0
    }

    /// Returns the first slot of the key's home bucket.
    #[inline]
    fn bucket(&self, key: K) -> usize {
        let buckets = self.slots.len() / Self::BUCKET;
        ((u128::from(key.mixed()) * buckets as u128) >> 64) as usize * Self::BUCKET
    }

    /// Returns the first slot of the bucket after this one.
    #[inline]
    fn after(&self, bucket: usize) -> usize {
        let next = bucket + Self::BUCKET;
        if next == self.slots.len() { 0 } else { next }
    }

    /// Looks a key up, and inserts it if it is new and there is room.
    #[inline]
    pub fn visit(&mut self, key: K) -> Visit {
        debug_assert!(key != K::default(), "this key marks a free slot");
        if self.slots.is_empty() {
            return Visit::Full;
        }
        let mut bucket = self.bucket(key);
        loop {
            for slot in &mut self.slots[bucket..bucket + Self::BUCKET] {
                if *slot == key {
                    return Visit::Seen;
                }
                if *slot == K::default() {
                    if self.entries >= self.room {
                        return Visit::Full;
                    }
                    *slot = key;
                    self.entries += 1;
                    return Visit::New;
                }
            }
            bucket = self.after(bucket);
        }
    }

    /// Enlarges the table by a quarter, or to the cap. `tick` is called at intervals and may stop it: the last steps
    /// take a good part of a second.
    #[cold]
    pub fn grow(&mut self, memory: &mut Memory, tick: &mut dyn FnMut() -> bool) -> Growth {
        let (old, held) = (self.slots.len(), self.bytes());
        let beside = if held < OWN_PAGES { held } else { 0 };
        let spare = memory.left_to_tables().saturating_sub(beside) / size_of::<K>() / Self::BUCKET;
        let step = if old == 0 { FIRST } else { (old / 4).next_multiple_of(Self::BUCKET) };
        let step = step.min(spare * Self::BUCKET);
        // A very small step costs as much time as a whole one.
        let is_worth_it = if old == 0 { step == FIRST } else { step >= old / 16 };
        let bytes = beside + step * size_of::<K>();
        if !self.may_grow || step == 0 || !is_worth_it || !memory.take(bytes) {
            // The stacks never give memory back, so a table that does not fit now would not fit later.
            self.may_grow = false;
            return Growth::AtCap;
        }
        if self.slots.try_reserve_exact(step).is_err() {
            memory.give_back(bytes);
            self.may_grow = false;
            return Growth::AtCap;
        }
        memory.give_back(beside);
        self.spread(old + step, tick)
    }

    /// Moves the keys to their new buckets in a table of `size` slots. The memory is reserved.
    fn spread(&mut self, size: usize, tick: &mut dyn FnMut() -> bool) -> Growth {
        let old = self.slots.len();
        while self.slots.len() < size {
            self.slots.resize((self.slots.len() + TICK).min(size), K::default());
            if self.slots.len() < size && tick() {
                return Growth::Stopped;
            }
        }
        self.room = size / 8 * 7;
        if old == 0 {
            return Growth::Grown;
        }
        // Call a bucket with a free slot open. A key whose home is an open bucket or an earlier one never lies behind
        // that bucket. So all keys between two open buckets have their homes there. Each such group is taken out, the
        // last group first, and inserted again. The new places are never before the old ones, so the groups still to
        // come are not in the way. The group at the front comes last: some of its keys may have wrapped around from the
        // last buckets.
        let is_open = |slots: &[K], bucket: usize| slots[bucket + Self::BUCKET - 1] == K::default();
        let mut front = 0;
        while !is_open(&self.slots, front) {
            front += Self::BUCKET;
        }
        front += Self::BUCKET;
        let (mut first, mut lifted) = (Vec::new(), Vec::new());
        self.lift(0, front, &mut first);
        let (mut end, mut until_tick) = (old, TICK);
        while end > front {
            let mut begin = end - Self::BUCKET;
            while begin > front && !is_open(&self.slots, begin - Self::BUCKET) {
                begin -= Self::BUCKET;
            }
            self.lift(begin, end, &mut lifted);
            lifted.drain(..).for_each(|key| self.lay(key));
            until_tick = until_tick.saturating_sub(end - begin);
            if until_tick == 0 {
                until_tick = TICK;
                if tick() {
                    return Growth::Stopped;
                }
            }
            end = begin;
        }
        first.into_iter().for_each(|key| self.lay(key));
        Growth::Grown
    }

    /// Takes the keys out of a range of slots.
    fn lift(&mut self, begin: usize, end: usize, keys: &mut Vec<K>) {
        let slots = &mut self.slots[begin..end];
        keys.extend(slots.iter().filter(|&&key| key != K::default()));
        slots.fill(K::default());
    }

    /// Inserts a key that is not in the table, which has room for it.
    fn lay(&mut self, key: K) {
        let mut bucket = self.bucket(key);
        loop {
            let slots = &mut self.slots[bucket..bucket + Self::BUCKET];
            if let Some(free) = slots.iter_mut().find(|slot| **slot == K::default()) {
                *free = key;
                return;
            }
            bucket = self.after(bucket);
        }
    }

    /// Inserts a key into a full table in place of another in its bucket; returns false if there is no table at all.
    #[cold]
    pub fn replace(&mut self, key: K) -> bool {
        if self.slots.is_empty() {
            return false;
        }
        let bucket = self.bucket(key);
        let slots = &mut self.slots[bucket..bucket + Self::BUCKET];
        match slots.iter().take_while(|&&slot| slot != K::default()).count() {
            // At most one bucket in eight can be empty, so enough free slots remain.
            0 => {
                slots[0] = key;
                self.entries += 1;
            }
            taken => {
                // The low bits did not choose the bucket, so all slots are evicted equally often.
                slots[key.mixed() as usize % taken] = key;
                self.evictions += 1;
            }
        }
        true
    }

    /// Evicts all entries and keeps a quarter of the slots, so that the stacks can grow; returns false if the table has
    /// its least size. The table will not grow again.
    #[cold]
    pub fn shrink(&mut self, memory: &mut Memory) -> bool {
        if self.slots.len() <= FIRST {
            return false;
        }
        let size = (self.slots.len() / 4).next_multiple_of(Self::BUCKET).max(FIRST);
        memory.give_back(self.bytes() - size * size_of::<K>());
        self.slots = Vec::new();
        self.slots.resize(size, K::default());
        self.evictions += self.entries as u64;
        self.entries = 0;
        self.room = size / 8 * 7;
        self.may_grow = false;
        true
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
