//! Games in which every move costs points: scores below 0, wins that score less than losses, and positions that have
//! many scores.

use std::cell::Cell;

use crate::walk::{Walk, run};
use _engine::search::{Game, Limits, Outcome, Status, Task, search, search_with_restarts};

/// The cost of a move.
const TOLL: i32 = 7;

/// A walk whose moves cost points. Its bound is exact.
#[derive(Clone)]
struct Toll {
    walk: Walk<false>,
    paid: i32,
    /// True if the order of the branches is reversed.
    turned: bool,
}

impl Game for Toll {
    type Move = u32;
    type Undo = u32;
    type Key = u128;

    const ACYCLIC: bool = false;
    const CHARGES_MOVES: bool = true;

    fn most_moves(&self) -> usize {
        self.walk.most_moves()
    }

    fn moves(&self, out: &mut Vec<u32>) {
        self.walk.moves(out);
        if self.turned {
            let begin = out.len() - self.walk.exits[self.walk.here as usize].len();
            out[begin..].reverse();
        }
    }
    fn apply(&mut self, to: u32) -> u32 {
        self.paid += TOLL;
        self.walk.apply(to)
    }
    fn undo(&mut self, to: u32, from: u32) {
        self.paid -= TOLL;
        self.walk.undo(to, from);
    }
    fn key(&self) -> u128 {
        self.walk.key()
    }
    fn is_won(&self) -> bool {
        self.walk.is_won()
    }
    fn score(&self) -> i32 {
        self.walk.score() - self.paid
    }
    fn max_score(&self) -> i32 {
        self.walk.goal
    }
    /// Returns the best score of all lines from here, by a breadth-first search.
    fn bound(&self) -> i32 {
        let (mut best, mut reached, mut cost) = (i32::MIN, vec![self.walk.here], 0);
        let mut seen = std::collections::HashSet::from([self.walk.here]);
        while !reached.is_empty() {
            best =
                best.max(reached.iter().map(|&node| self.walk.scores[node as usize] - cost).max().unwrap());
            let exits = reached.iter().flat_map(|&node| &self.walk.exits[node as usize]);
            reached = exits.copied().filter(|&to| seen.insert(to)).collect();
            cost += TOLL;
        }
        best - self.paid
    }
}

/// Returns the walk from a start at which this much has been paid.
fn toll(seed: u64, paid: i32) -> Toll {
    let mut walk = Walk::random(seed, 60, 5, 25);
    // Nothing is worth more than a win.
    walk.scores.iter_mut().for_each(|score| *score = 25.min(*score));
    Toll { walk, paid, turned: false }
}

/// Checks that the line is a walk and ends with its score, and with a win exactly if one is claimed.
fn check(game: &Toll, found: &Outcome<u32>) {
    let mut end = game.clone();
    for &to in &found.moves {
        assert!(end.walk.exits[end.walk.here as usize].contains(&to));
        end.apply(to);
    }
    assert_eq!(end.score(), found.score);
    assert_eq!(end.is_won(), found.status == Status::Solved);
    assert!(!found.score_proved || found.score == game.bound());
}

/// A win is found wherever there is one, whatever it scores, and no score is called proved that is not the best.
#[test]
fn a_win_that_scores_less_than_a_loss_is_found() {
    let (mut verdicts, mut poor, mut below, mut proved) = ([0, 0], 0, 0, 0);
    for seed in 0..200 {
        for (paid, maximize, prune) in
            [(0, false, true), (0, true, true), (500, true, true), (0, true, false)]
        {
            let game = toll(seed, paid);
            let can_win = game.walk.reachable().iter().any(|&node| game.walk.scores[node as usize] == 25);
            let task = Task { limits: Limits::default(), maximize, prune };
            let found = search(&mut game.clone(), &task, &mut |_| false);
            assert_eq!(found.status == Status::Solved, can_win, "seed {seed}");
            assert!(found.status.is_decided());
            check(&game, &found);
            verdicts[usize::from(can_win)] += 1;
            poor += u32::from(can_win && found.score < game.score());
            below += u32::from(found.score < 0);
            proved += u32::from(found.score_proved);
        }
    }
    assert!(verdicts.iter().all(|&count| count > 80), "{verdicts:?}");
    assert!(poor > 20 && below > 200 && proved > 0, "{poor} {below} {proved}");
}

/// The same holds with restarts; and the progress reports the best score so far.
#[test]
fn restarts_keep_the_win_and_tell_the_best_score_so_far() {
    let mut restarted = 0;
    for seed in 0..40 {
        let game = Toll { walk: Walk::random(seed, 4000, 40, 1000), paid: 100, turned: false };
        let attempts = Cell::new(0);
        let reorder = |game: &mut Toll, attempt| {
            attempts.set(attempt);
            game.turned = attempt % 2 == 1;
        };
        let mut least = i32::MAX;
        let found = search_with_restarts(
            &game,
            &Task::default(),
            &mut |progress| {
                least = least.min(progress.best);
                false
            },
            reorder,
        );
        let alone = run(&mut game.clone(), Limits::default(), false);
        assert_eq!(found.status, alone.status, "seed {seed}");
        check(&game, &found);
        // Nothing is better than the start before it has been found.
        assert_eq!(least, game.score());
        restarted += u32::from(attempts.get() > 0 && found.status == Status::Solved);
    }
    assert!(restarted > 3, "{restarted}");
}
