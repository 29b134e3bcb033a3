//! The positions that a search has seen: a set that starts small, grows to a memory cap, and then
//! forgets.

use std::mem::size_of;

use super::Key;
use super::memory::Memory;

/// Slots of the first table.
const FIRST: usize = 1024;
/// A cache line: one look-up seldom needs more.
const BUCKET_BYTES: usize = 64;
/// Slots between two calls of `tick` while a table grows: well under a millisecond's work.
const TICK: usize = 1 << 15;

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visit {
    /// Seen before.
    Seen,
    /// New, and noted.
    New,
    /// New, but the table is full: let it grow or forget.
    Full,
}

/// How an attempt to grow ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// There is room again.
    Grown,
    /// The cap does not allow a larger table.
    AtCap,
    /// `tick` asked to stop; the table may have lost entries.
    Stopped,
}

/// A set of keys: open addressing over buckets of one cache line, from a key's own bucket on. A slot
/// never becomes free again, so the first free one ends a look-up; an eighth of them stays free.
#[derive(Debug)]
pub struct Table<K> {
    /// Empty until the first key comes: many deals are decided without a table.
    slots: Vec<K>,
    entries: usize,
    /// With so many entries the table is full.
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

    /// The first slot of the bucket that is a key's own.
    fn bucket(&self, key: K) -> usize {
        (key.mixed() as usize & (self.slots.len() - 1)) / Self::BUCKET * Self::BUCKET
    }

    /// Looks a key up, and notes it if it is new and there is room.
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
            bucket = (bucket + Self::BUCKET) & (self.slots.len() - 1);
        }
    }

    /// A table four times as large, or twice where the cap allows no more. `tick` is called now and
    /// then and may stop it: the last steps take most of a second.
    #[cold]
    pub fn grow(&mut self, memory: &mut Memory, tick: &mut dyn FnMut() -> bool) -> Growth {
        if !self.may_grow {
            return Growth::AtCap;
        }
        let len = self.slots.len();
        let sizes: &[usize] = if len == 0 { &[FIRST] } else { &[4 * len, 2 * len] };
        for &size in sizes {
            // The old table lives until its keys have moved: the cap holds for both together.
            if memory.take(size * size_of::<K>()) {
                let mut slots = Vec::new();
                if slots.try_reserve_exact(size).is_err() {
                    memory.give_back(size * size_of::<K>());
                    continue;
                }
                let old_bytes = self.bytes();
                let growth = self.move_into(slots, size, tick);
                memory.give_back(old_bytes);
                return growth;
            }
        }
        self.stop_growing();
        if self.entries < self.room { Growth::Grown } else { Growth::AtCap }
    }

    fn move_into(&mut self, mut slots: Vec<K>, size: usize, tick: &mut dyn FnMut() -> bool) -> Growth {
        while slots.len() < size {
            slots.resize((slots.len() + TICK).min(size), K::default());
            if slots.len() < size && tick() {
                return Growth::Stopped;
            }
        }
        let old = std::mem::replace(&mut self.slots, slots);
        self.entries = 0;
        self.room = size / 4 * 3;
        for chunk in old.chunks(TICK) {
            for &key in chunk.iter().filter(|&&key| key != K::default()) {
                self.visit(key);
            }
            if chunk.len() == TICK && tick() {
                return Growth::Stopped;
            }
        }
        Growth::Grown
    }

    /// From here on the table fills up and then forgets. The stacks never give memory back, so a
    /// table that does not fit now would not fit later.
    fn stop_growing(&mut self) {
        self.may_grow = false;
        self.room = self.slots.len() / 8 * 7;
    }

    /// Notes a key for which the table is full, in place of another in its bucket; false if there
    /// is no table at all.
    #[cold]
    pub fn replace(&mut self, key: K) -> bool {
        if self.slots.is_empty() {
            return false;
        }
        let bucket = self.bucket(key);
        let slots = &mut self.slots[bucket..bucket + Self::BUCKET];
        match slots.iter().take_while(|&&slot| slot != K::default()).count() {
            // At most one bucket in eight can be empty, so this leaves enough free slots.
            0 => {
                slots[0] = key;
                self.entries += 1;
            }
            taken => {
                // The high bits, which did not choose the bucket: each slot has its turn.
                slots[(key.mixed() >> 48) as usize % taken] = key;
                self.evictions += 1;
            }
        }
        true
    }

    /// Forgets everything and goes on with a quarter of the slots, so that the stacks can grow;
    /// false if the table is as small as can be. It will not grow again.
    #[cold]
    pub fn shrink(&mut self, memory: &mut Memory) -> bool {
        if self.slots.len() <= FIRST {
            return false;
        }
        let size = (self.slots.len() / 4).max(FIRST);
        memory.give_back(self.bytes() - size * size_of::<K>());
        self.slots = Vec::new();
        self.slots.resize(size, K::default());
        self.evictions += self.entries as u64;
        self.entries = 0;
        self.stop_growing();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Key number `n`, never the default.
    fn key(n: u64) -> u64 {
        n + 1
    }

    fn note(table: &mut Table<u64>, memory: &mut Memory, key: u64) -> Visit {
        loop {
            match table.visit(key) {
                Visit::Full => match table.grow(memory, &mut || false) {
                    Growth::Grown => {}
                    Growth::AtCap => {
                        assert!(table.replace(key));
                        return Visit::New;
                    }
                    Growth::Stopped => unreachable!("nobody asked to stop"),
                },
                known => return known,
            }
        }
    }

    #[test]
    fn a_table_with_room_forgets_nothing() {
        let (mut table, mut memory) = (Table::new(), Memory::new(1 << 30));
        for n in 0..300_000 {
            assert_eq!(note(&mut table, &mut memory, key(n)), Visit::New);
        }
        for n in 0..300_000 {
            assert_eq!(note(&mut table, &mut memory, key(n)), Visit::Seen);
        }
        assert_eq!((table.entries(), table.evictions()), (300_000, 0));
        assert_eq!(memory.used(), table.bytes());
    }

    #[test]
    fn a_full_table_forgets_and_keeps_under_the_cap() {
        for cap in [8 << 10, 20 << 10, 100 << 10, 1 << 20] {
            let (mut table, mut memory) = (Table::new(), Memory::new(cap));
            for n in 0..200_000 {
                note(&mut table, &mut memory, key(n));
                assert!(memory.used() <= cap && table.bytes() <= memory.used());
                assert_eq!(table.visit(key(n)), Visit::Seen);
            }
            assert_eq!(table.entries() as u64 + table.evictions(), 200_000);
            let load = table.entries() as f64 / table.slots.len() as f64;
            assert!((0.875..0.9).contains(&load), "{load} at the cap {cap}");
        }
    }

    #[test]
    fn a_cap_below_the_first_table_holds_nothing() {
        let (mut table, mut memory) = (Table::<u64>::new(), Memory::new((8 << 10) - 1));
        assert_eq!(table.visit(key(1)), Visit::Full);
        assert_eq!(table.grow(&mut memory, &mut || false), Growth::AtCap);
        assert!(!table.replace(key(1)));
    }

    #[test]
    fn growth_can_be_stopped() {
        let (mut table, mut memory) = (Table::new(), Memory::new(1 << 30));
        for n in 0..100_000 {
            note(&mut table, &mut memory, key(n));
        }
        assert_eq!(table.grow(&mut memory, &mut || true), Growth::Stopped);
    }

    #[test]
    fn a_shrunk_table_gives_its_memory_to_the_stacks() {
        let (mut table, mut memory) = (Table::new(), Memory::new(64 << 10));
        for n in 0..10_000 {
            note(&mut table, &mut memory, key(n));
        }
        let mut stack: Vec<u64> = Vec::new();
        while memory.make_room(&mut stack, 1) {
            stack.push(0);
        }
        let before = stack.len();
        while table.shrink(&mut memory) {}
        assert_eq!(table.bytes(), FIRST * 8);
        while memory.make_room(&mut stack, 1) {
            stack.push(0);
        }
        assert!(stack.len() > before);
        assert_eq!(memory.used(), table.bytes() + stack.capacity() * 8);
        assert_eq!(note(&mut table, &mut memory, key(1)), Visit::New);
    }
}
