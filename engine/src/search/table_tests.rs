//! Tests of the transposition table.

use super::*;
use crate::rng::Decks;

/// Returns key number `n`, never the default.
fn key(n: u64) -> u64 {
    n + 1
}

fn note<K: Key>(table: &mut Table<K>, memory: &mut Memory, key: K) -> Visit {
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

/// A key of 128 bits that is its own hash, in its high half: tests choose the buckets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
struct Placed(u128);

impl From<Placed> for u128 {
    fn from(key: Placed) -> u128 {
        key.0
    }
}

impl Key for Placed {
    fn mixed(self) -> u64 {
        (self.0 >> 64) as u64
    }
}

/// After each growth the table finds every key and no other, however the keys are clustered.
#[test]
fn growth_loses_no_key_however_they_crowd() {
    let mut random = Decks::new(1);
    for round in 0..400 {
        // The hashes come from a few narrow ranges, among them the last bucket, from which keys wrap around to the
        // first.
        let places: Vec<u64> = (0..1 + random.below(3))
            .map(|_| if random.below(3) == 0 { u64::MAX } else { random.below(u64::MAX) })
            .collect();
        let width = 1 << (44 + random.below(20));
        let (mut table, mut memory) = (Table::new(), Memory::new(1 << 30));
        let mut keys = Vec::new();
        for n in 0..random.below(3000) as u128 {
            let near = places[random.below(places.len() as u64) as usize];
            let hash = near.saturating_sub(random.below(width));
            let key = Placed(u128::from(hash) << 64 | (n + 1));
            assert_eq!(note(&mut table, &mut memory, key), Visit::New, "round {round}");
            keys.push(key);
        }
        assert_eq!(table.slots.iter().filter(|&&slot| slot != Placed(0)).count(), keys.len());
        assert!(keys.iter().all(|&key| table.visit(key) == Visit::Seen), "round {round}");
    }
}

#[test]
fn a_position_takes_at_most_24_bytes() {
    let (mut table, mut memory) = (Table::new(), Memory::new(1 << 30));
    for n in 0..400_000u128 {
        note(&mut table, &mut memory, n + 1);
        assert!(table.entries() < 200 || table.bytes() <= 24 * table.entries(), "{n}");
    }
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
        assert!((0.86..0.9).contains(&load), "{load} at the cap {cap}");
        assert!(table.bytes() * 5 > cap * 2, "{} bytes at the cap {cap}", table.bytes());
    }
}

/// Large tables grow in place: they use the cap but for the eighth that is left to the stacks, and one step.
#[test]
fn a_large_table_uses_most_of_its_cap() {
    let cap = 100 << 20;
    let (mut table, mut memory) = (Table::<u64>::new(), Memory::new(cap));
    while table.grow(&mut memory, &mut || false) == Growth::Grown {}
    assert!(table.bytes() * 16 > cap * 13, "{} bytes", table.bytes());
    assert_eq!(memory.used(), table.bytes());
}

#[test]
fn a_cap_below_the_first_table_holds_nothing() {
    let (mut table, mut memory) = (Table::<u64>::new(), Memory::new(FIRST * 8));
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
