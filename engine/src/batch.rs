//! Many searches, or games, over a pool of threads, with results in the order of submission.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::games::{FixedGame, Found, Game, Player, Players, Results, Start};
use crate::search::{Task, Watch};
use crate::{Fault, panic_text};

/// The limit on the number of threads, against typing errors.
const MOST_THREADS: usize = 1024;

/// Why one search of a batch has no answer; the others go on.
#[derive(Clone, PartialEq, Debug)]
pub enum Failure {
    Invalid(Fault),
    Panicked(String),
}

pub type Answer<A> = Result<A, Failure>;

/// The result of waiting for the next answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Next<A> {
    Ready(Answer<A>),
    /// The answer did not come within the timeout.
    Pending,
    /// Nothing is outstanding.
    Done,
}

/// The function that processes a job.
type Work<J, A> = dyn Fn(&J, &mut Watch) -> Result<A, Fault> + Send + Sync;

/// Where a game starts, and the seed of its random stream.
pub type Sitting = (Start, u64);

/// Searches, or games, under one set of rules and limits.
pub struct Batch<J, A> {
    pool: ThreadPool,
    shared: Arc<Shared<J, A>>,
}

/// The state that the threads of the pool share.
struct Shared<J, A> {
    work: Box<Work<J, A>>,
    cancelled: AtomicBool,
    queue: Mutex<Queue<A>>,
    /// Notified when the first outstanding answer has come.
    ready: Condvar,
}

struct Queue<A> {
    /// The answers not yet fetched, in order; `None` where a search still waits or runs.
    answers: VecDeque<Option<Answer<A>>>,
    /// The number of the first answer in the queue, counted from the first submission.
    first: u64,
}

/// Returns an error for a number of threads out of range.
pub fn check_threads(threads: usize) -> Result<(), Fault> {
    if (1..=MOST_THREADS).contains(&threads) {
        return Ok(());
    }
    Err(Fault::new(format!("threads={threads} is not allowed; expected 1 to {MOST_THREADS}")))
}

impl Batch<Start, Found> {
    /// Returns a batch that solves every start.
    pub fn solving(game: Box<dyn FixedGame>, task: Task, threads: usize) -> Result<Self, Fault> {
        Batch::new(Box::new(move |start, watch| game.solve(start, &task, watch)), threads)
    }
}

impl Batch<Sitting, Game> {
    /// Returns a batch that plays a game from every start.
    pub fn playing(player: Box<dyn Player>, threads: usize) -> Result<Self, Fault> {
        Batch::new(Box::new(move |(start, luck), watch| player.play(start, *luck, watch)), threads)
    }
}

impl Batch<Vec<Sitting>, Vec<Results>> {
    /// Returns a batch whose jobs are lists of starts, each played by several policies.
    pub fn playing_many(players: Box<dyn Players>, threads: usize) -> Result<Self, Fault> {
        Batch::new(Box::new(move |starts, watch| players.play(starts, watch)), threads)
    }
}

impl<J: Send + 'static, A: Send + 'static> Batch<J, A> {
    pub fn new(work: Box<Work<J, A>>, threads: usize) -> Result<Self, Fault> {
        check_threads(threads)?;
        let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("unshuffle-{n}"));
        let pool = pool.build().map_err(|error| Fault::new(format!("no threads to be had: {error}")))?;
        let queue = Mutex::new(Queue { answers: VecDeque::new(), first: 0 });
        let (cancelled, ready) = (AtomicBool::new(false), Condvar::new());
        let shared = Arc::new(Shared { work, cancelled, queue, ready });
        Ok(Batch { pool, shared })
    }

    /// Adds searches; they start at once, in order of submission.
    pub fn submit(&self, jobs: impl IntoIterator<Item = J>) {
        for job in jobs {
            let number = {
                let mut queue = self.shared.lock();
                queue.answers.push_back(None);
                queue.first + queue.answers.len() as u64 - 1
            };
            let shared = Arc::clone(&self.shared);
            self.pool.spawn_fifo(move || shared.finish(number, shared.answer(&job)));
        }
    }

    /// Waits for the next answer, at most `timeout`.
    pub fn next(&self, timeout: Duration) -> Next<A> {
        let waiting = |queue: &mut Queue<A>| matches!(queue.answers.front(), Some(None));
        let guard = self.shared.ready.wait_timeout_while(self.shared.lock(), timeout, waiting);
        let (mut queue, _) = guard.unwrap_or_else(PoisonError::into_inner);
        match queue.answers.front_mut().map(Option::take) {
            None => Next::Done,
            Some(None) => Next::Pending,
            Some(Some(answer)) => {
                queue.answers.pop_front();
                queue.first += 1;
                Next::Ready(answer)
            }
        }
    }

    /// Ends all searches soon, also those that wait and those still to come: their status is `cancelled`.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }
}

impl<J, A> Drop for Batch<J, A> {
    fn drop(&mut self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }
}

impl<J, A> Shared<J, A> {
    fn answer(&self, job: &J) -> Answer<A> {
        let mut watch = |_| self.cancelled.load(Ordering::Relaxed);
        // A panic must not end the pool: it becomes the answer of this one search.
        match catch_unwind(AssertUnwindSafe(|| (self.work)(job, &mut watch))) {
            Ok(answer) => answer.map_err(Failure::Invalid),
            Err(panic) => Err(Failure::Panicked(panic_text(panic.as_ref()))),
        }
    }

    fn finish(&self, number: u64, answer: Answer<A>) {
        let mut queue = self.lock();
        let place = (number - queue.first) as usize;
        queue.answers[place] = Some(answer);
        if place == 0 {
            self.ready.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue<A>> {
        // Nothing that can panic runs under the lock.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Played;
    use crate::rng::Decks;
    use crate::search::{Stats, Status};

    const LONG: Duration = Duration::from_secs(60);

    /// A game that fails in every way: seed 1 panics, seed 2 is invalid, seed 3 ends when cancelled.
    struct Faulty;

    impl FixedGame for Faulty {
        fn deck_size(&self) -> usize {
            0
        }
        fn deal(&self, _: &mut Decks) -> String {
            String::new()
        }
        fn legal_moves(&self, _: &str) -> Result<Vec<String>, Fault> {
            Ok(Vec::new())
        }
        fn play(&self, _: &str, _: &[String]) -> Result<Played, Fault> {
            Err(Fault::new("no moves"))
        }
        fn perft(&self, _: &str, _: u32, _: &mut dyn FnMut() -> bool) -> Result<Option<u64>, Fault> {
            Ok(None)
        }
        fn shorten(&self, _: &str, _: &[String], _: Duration, _: &mut Watch) -> Result<Vec<String>, Fault> {
            Err(Fault::new("no moves"))
        }
        fn ramble(&self, _: &Start, _: u64, _: &mut Watch) -> Result<Game, Fault> {
            Err(Fault::new("no moves"))
        }
        fn ramble_all(&self, _: &[(Start, u64)], _: &mut Watch) -> Result<Results, Fault> {
            Err(Fault::new("no moves"))
        }
        fn trace(
            &self,
            start: &Start,
            task: &Task,
            watch: &mut Watch,
            _: &mut dyn FnMut(&str),
        ) -> Result<Found, Fault> {
            self.solve(start, task, watch)
        }
        fn solve(&self, start: &Start, task: &Task, watch: &mut Watch) -> Result<Found, Fault> {
            let progress = crate::search::Progress { nodes: 0, elapsed: Duration::ZERO, best: 0, bound: 1 };
            match start {
                Start::Seed(1) => panic!("seed {} of {:?}", 1, task.maximize),
                Start::Seed(2) => return Err(Fault::new("seed 2")),
                Start::Seed(3) => while !watch(progress) {},
                _ => {}
            }
            let (status, stats) = (Status::Cancelled, Stats::default());
            Ok(Found { status, moves: Vec::new(), score: 0, score_proved: false, stats })
        }
    }

    #[test]
    fn a_panic_is_the_answer_to_one_search_only() {
        let batch = Batch::solving(Box::new(Faulty), Task::default(), 2).unwrap();
        batch.submit([0, 1, 2, 0].map(Start::Seed));
        assert!(matches!(batch.next(LONG), Next::Ready(Ok(_))));
        let text = "the engine panicked: seed 1 of false; please report it with the deal".to_string();
        assert_eq!(batch.next(LONG), Next::Ready(Err(Failure::Panicked(text))));
        assert_eq!(batch.next(LONG), Next::Ready(Err(Failure::Invalid(Fault::new("seed 2")))));
        assert!(matches!(batch.next(LONG), Next::Ready(Ok(_))));
    }

    #[test]
    fn waiting_ends_and_cancelling_ends_the_searches() {
        let batch = Batch::solving(Box::new(Faulty), Task::default(), 1).unwrap();
        batch.submit([3, 0].map(Start::Seed));
        assert_eq!(batch.next(Duration::from_millis(5)), Next::Pending);
        batch.cancel();
        assert!(matches!(batch.next(LONG), Next::Ready(Ok(_))));
        assert!(matches!(batch.next(LONG), Next::Ready(Ok(_))));
        assert_eq!(batch.next(LONG), Next::Done);
    }

    #[test]
    fn a_batch_wants_a_sensible_number_of_threads() {
        for threads in [0, MOST_THREADS + 1] {
            assert!(Batch::solving(Box::new(Faulty), Task::default(), threads).is_err());
        }
    }
}
