//! A search uses no more memory than its cap: measured at the allocator, not by its own account.

mod fuzzing;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use _engine::games::{PhaseTask, Phasing, Start};
use _engine::search::{Limits, Task};
use fuzzing::{any_asked, cases};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// The system's allocator, with a count of the bytes in use.
struct Counted;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes unchanged to the system's allocator; only counters are updated besides.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MOST.fetch_max(HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: `place` came from `alloc` above with this layout.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// The memory that a search may use beyond its account: the position, its answer as text, small lists.
const BESIDE: usize = 1 << 20;

/// Returns the peak of the bytes in use, beyond those in use before.
fn held_by(work: impl FnOnce()) -> usize {
    let before = HELD.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    work();
    MOST.load(Ordering::Relaxed) - before
}

// One test in the program: another one would be charged to it.
#[test]
fn a_search_keeps_within_its_memory() {
    let mut runner = TestRunner::new(cases(60));
    let memory = prop_oneof![0..300_000usize, 1_000_000..6_000_000usize];
    let asked = (any_asked(), any::<u64>(), any::<bool>(), memory, any::<bool>(), any::<bool>());
    let outcome = runner.run(&asked, |(asked, seed, is_dealt, memory, maximize, prune)| {
        let limits = Limits { nodes: Some(60_000), time: None, memory };
        let (game, task) = (asked.game(), Task { limits, maximize, prune });
        let start = if is_dealt { Start::Seed(seed) } else { Start::Position(asked.position.clone()) };
        let held = held_by(|| drop(game.solve(&start, &task, &mut |_| false)));
        prop_assert!(held <= memory + BESIDE, "{held} bytes were held with a cap of {memory}");
        let phase = PhaseTask { limits, threads: 1, without: Vec::new(), maximize, ends: prune };
        if let Some(game) = asked.game_as::<dyn Phasing>() {
            let held = held_by(|| drop(game.phase(&start, &phase, &mut |_| false)));
            prop_assert!(held <= memory + BESIDE, "{held} bytes were held by a phase with a cap of {memory}");
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
