//! Batches of searches give the same answers as single searches, in the order of submission.

use std::time::Duration;

use _engine::batch::{Batch, Next};
use _engine::games::{FixedGame, Start, open};
use _engine::search::{Limits, Status, Task};

const LONG: Duration = Duration::from_secs(60);

fn belle_lucie() -> Box<dyn FixedGame> {
    open("belle-lucie", Vec::new()).expect("the default rules are supported")
}

#[test]
fn answers_come_in_order_and_equal_those_of_single_searches() {
    let (game, task) = (belle_lucie(), Task::default());
    let batch = Batch::solving(belle_lucie(), task, 3).unwrap();
    for seeds in [0..500, 500..900] {
        batch.submit(seeds.map(Start::Seed));
    }
    for seed in 0..900 {
        let Next::Ready(Ok(found)) = batch.next(LONG) else { panic!("no answer for seed {seed}") };
        let mut alone = game.solve(&Start::Seed(seed), &task, &mut |_| false).unwrap();
        alone.stats.seconds = found.stats.seconds;
        assert_eq!(found, alone);
    }
    assert_eq!(batch.next(LONG), Next::Done);
}

#[test]
fn a_cancelled_batch_says_so_for_every_search() {
    let task = Task { limits: Limits::default(), prune: false, maximize: false };
    let batch = Batch::solving(belle_lucie(), task, 2).unwrap();
    batch.cancel();
    batch.submit((0..20).map(Start::Seed));
    for _ in 0..20 {
        let Next::Ready(Ok(found)) = batch.next(LONG) else { panic!("no answer") };
        assert_eq!(found.status, Status::Cancelled);
    }
}
