//! The transposition table of a phase: positions, each with the depth to which it was searched.
//!
//! A position has a key of 128 random bits, of which 69 are compared: 61 are stored, and eight choose a region of the
//! table. Stored bits choose the bucket within the region, so that the table can grow. Among n positions two are
//! confused with probability n^2 / 2^70: 9e-8 for 10^7 positions.

use std::mem::size_of;
use std::sync::atomic::{AtomicU64, Ordering};

/// How thoroughly a position was searched: 1 to 7; 0 is not at all.
pub type Depth = u8;
/// Everything that follows was searched, or will be.
pub const FULLY: Depth = 7;

const SLOTS: usize = 8;
const REGION_BITS: u32 = 8;
/// The size of the smallest region, as a power of two of buckets.
const FIRST_BITS: u32 = 4;
/// Buckets that one look-up tries: where no entry may be evicted, and else.
const REACH: usize = 16;
const SHORT_REACH: usize = 4;

/// One cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; SLOTS]);

#[derive(Debug)]
pub struct Visited {
    buckets: Vec<Bucket>,
    /// The number of buckets of a region, as a power of two.
    bits: u32,
    /// The number of buckets of a region in the largest table that the memory allows, likewise.
    most_bits: u32,
    /// True if a full bucket evicts an entry. It must not where lines may run in a circle.
    forgets: bool,
    /// True if several threads use the table.
    is_shared: bool,
    /// Changed by `forget_all`, so that keys of an earlier round match nothing.
    salt: u128,
}

/// The result of adding a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Noted {
    /// It had been searched as thoroughly before.
    Seen,
    /// It had been searched less thoroughly.
    Again,
    New,
    /// It is new, and replaced another.
    Replaced,
    /// There is no room.
    Full,
}

impl Visited {
    const SMALLEST: usize = size_of::<Bucket>() << (REGION_BITS + FIRST_BITS);

    /// Returns a table that may take this number of bytes; `None` if that is too little.
    pub fn new(memory: usize, forgets: bool) -> Option<Visited> {
        // A growing table coexists for a moment with the old one, a quarter of its size.
        let most = (memory / 5 * 4 / Self::SMALLEST).checked_ilog2()?.min(24);
        let most = most + FIRST_BITS;
        let bits = FIRST_BITS + most % 2;
        let buckets = empty(1 << (REGION_BITS + bits))?;
        let visited = Visited { buckets, bits, most_bits: most, forgets, is_shared: false, salt: 0 };
        Some(visited)
    }

    /// Grows to the limit, and grows no more: for many threads.
    pub fn take_all_memory(&mut self) {
        while self.may_grow() && self.grow() {}
        self.is_shared = true;
    }

    /// Frees the memory; the table must not be used any more.
    pub fn clear(&mut self) {
        self.buckets = Vec::new();
    }

    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Returns the number of entries at which the table should grow.
    pub fn room(&self) -> usize {
        self.buckets.len() * SLOTS / 8 * 5
    }

    pub fn may_grow(&self) -> bool {
        self.bits < self.most_bits
    }

    /// Grows to four times the size; returns false if the machine has too little memory. An entry contains all bits
    /// that its new place needs.
    pub fn grow(&mut self) -> bool {
        let old = self.bits;
        let Some(buckets) = empty(1 << (REGION_BITS + old + 2)) else {
            self.most_bits = old;
            return false;
        };
        self.bits += 2;
        let before = std::mem::replace(&mut self.buckets, buckets);
        for (place, bucket) in before.into_iter().enumerate() {
            let region = place >> old;
            for slot in bucket.0 {
                let entry = slot.into_inner();
                if entry != 0 {
                    self.put(region, entry);
                }
            }
        }
        true
    }

    /// Makes all entries match no key.
    pub fn forget_all(&mut self) {
        self.salt =
            self.salt.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835).wrapping_add(0x5DEE_CE66_D001);
    }

    #[inline(always)]
    fn home(&self, key: u128) -> (usize, u64) {
        let key = key ^ self.salt;
        ((key >> (128 - REGION_BITS)) as usize, key as u64 & !7)
    }

    #[inline(always)]
    fn bucket(&self, region: usize, tag: u64) -> usize {
        // Two shifts, because a shift by 64 would be a shift by 0.
        region << self.bits | (tag >> 1 >> (63 - self.bits)) as usize
    }

    /// Returns the next bucket of the same region.
    #[inline(always)]
    fn bucket_after(&self, bucket: usize) -> usize {
        let within = (1 << self.bits) - 1;
        bucket & !within | (bucket + 1) & within
    }

    /// Prefetches the bucket of a position that will be looked up soon.
    #[inline(always)]
    pub fn touch(&self, key: u128) {
        let (region, tag) = self.home(key);
        fetch(&self.buckets[self.bucket(region, tag)]);
    }

    /// Returns how thoroughly a position was searched.
    #[inline(always)]
    pub fn depth(&self, key: u128) -> Depth {
        let (region, tag) = self.home(key);
        let mut place = self.bucket(region, tag);
        for _ in 0..self.reach() {
            for slot in &self.buckets[place].0 {
                let entry = slot.load(Ordering::Relaxed);
                if entry & !7 == tag && entry != 0 {
                    return (entry & 7) as Depth;
                }
                if entry == 0 {
                    return 0;
                }
            }
            place = self.bucket_after(place);
        }
        0
    }

    #[inline(always)]
    fn reach(&self) -> usize {
        if self.forgets { SHORT_REACH } else { REACH }
    }

    /// Records that a position is searched to this depth.
    #[inline(always)]
    pub fn note(&self, key: u128, depth: Depth) -> Noted {
        let (region, tag) = self.home(key);
        self.put(region, tag | u64::from(depth))
    }

    #[inline(always)]
    fn put(&self, region: usize, entry: u64) -> Noted {
        let place = self.bucket(region, entry & !7);
        match self.put_in(place, entry) {
            Some(noted) => noted,
            None => self.put_beyond(place, entry),
        }
    }

    /// Puts an entry into a bucket; returns `None` if the bucket is full of others.
    #[inline(always)]
    fn put_in(&self, place: usize, entry: u64) -> Option<Noted> {
        for slot in &self.buckets[place].0 {
            let mut there = slot.load(Ordering::Relaxed);
            if there == 0 && !self.is_shared {
                slot.store(entry, Ordering::Relaxed);
                return Some(Noted::New);
            }
            if there == 0 {
                match slot.compare_exchange(0, entry, Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => return Some(Noted::New),
                    // Another thread was quicker.
                    Err(other) => there = other,
                }
            }
            if there & !7 == entry & !7 {
                if there >= entry {
                    return Some(Noted::Seen);
                }
                slot.store(entry, Ordering::Relaxed);
                return Some(Noted::Again);
            }
        }
        None
    }

    /// Puts an entry into the buckets after its own, which is full; or replaces another.
    #[cold]
    fn put_beyond(&self, own: usize, entry: u64) -> Noted {
        let mut place = own;
        for _ in 1..self.reach() {
            place = self.bucket_after(place);
            if let Some(noted) = self.put_in(place, entry) {
                return noted;
            }
        }
        if !self.forgets || self.may_grow() {
            return Noted::Full;
        }
        self.buckets[own].0[(entry >> 3) as usize % SLOTS].store(entry, Ordering::Relaxed);
        Noted::Replaced
    }
}

/// Prefetches a bucket. (Reading it instead makes the processor wait sooner or later.)
#[inline(always)]
fn fetch(bucket: &Bucket) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: nothing is read or written, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::hint::black_box(bucket.0[0].load(Ordering::Relaxed));
}

/// Returns empty buckets; `None` if there is too little memory: then the caller does without, and the process survives.
fn empty(size: usize) -> Option<Vec<Bucket>> {
    let mut buckets = Vec::new();
    buckets.try_reserve_exact(size).ok()?;
    buckets.resize_with(size, Bucket::default);
    Some(buckets)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cap larger than the machine's memory once ended the process.
    #[test]
    fn what_the_machine_does_not_have_is_done_without() {
        assert!(empty(usize::MAX / size_of::<Bucket>()).is_none());
        let mut visited = Visited::new(usize::MAX, true).expect("the smallest table");
        // Larger than any machine: the next step fails, and no other is tried.
        visited.bits = 46;
        visited.most_bits = 50;
        let bytes = visited.bytes();
        assert!(!visited.grow());
        assert!(!visited.may_grow());
        assert_eq!(visited.bytes(), bytes);
    }
}
