//! Laws of the search for the best score where moves cost points, on small graphs.

use std::collections::VecDeque;

use _engine::rng::mix;
use _engine::search::{Game, Limits, Outcome, Status, Task, search};

/// A walk in a graph: the score is a node's value less the steps taken. The nodes worth `GOAL` win.
#[derive(Clone, Debug)]
struct Steps {
    exits: Vec<Vec<usize>>,
    values: Vec<i32>,
    here: usize,
    steps: i32,
}

const GOAL: i32 = 40;

impl Game for Steps {
    type Move = usize;
    type Undo = usize;
    type Key = u128;

    const ACYCLIC: bool = false;
    const CHARGES_MOVES: bool = true;

    fn most_moves(&self) -> usize {
        4
    }

    fn moves(&self, out: &mut Vec<usize>) {
        out.extend(&self.exits[self.here]);
    }
    fn apply(&mut self, to: usize) -> usize {
        self.steps += 1;
        std::mem::replace(&mut self.here, to)
    }
    fn undo(&mut self, _: usize, from: usize) {
        self.steps -= 1;
        self.here = from;
    }
    fn key(&self) -> u128 {
        self.here as u128 + 1
    }
    fn is_won(&self) -> bool {
        self.values[self.here] == GOAL
    }
    fn score(&self) -> i32 {
        self.values[self.here] - self.steps
    }
    fn max_score(&self) -> i32 {
        GOAL
    }
    fn bound(&self) -> i32 {
        GOAL - self.steps
    }
}

impl Steps {
    /// Returns a random graph with this number of nodes, one in `rarity` a win.
    fn random(seed: u64, size: usize, rarity: usize) -> Steps {
        let mut state = seed;
        let mut below = |n: usize| {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            (mix(state) % n as u64) as usize
        };
        let mut exits = Vec::new();
        let mut values = Vec::new();
        for _ in 0..size {
            let count = below(4);
            exits.push((0..count).map(|_| below(size)).collect());
            values.push(if below(rarity) == 0 { GOAL } else { below(GOAL as usize) as i32 });
        }
        values[0] = 0;
        Steps { exits, values, here: 0, steps: 0 }
    }

    /// Returns whether there is a win, the best score (of a win if there is one) and whether no node has a higher one,
    /// by distances from the start.
    fn best(&self) -> (bool, i32, bool) {
        let mut distance = vec![None; self.exits.len()];
        distance[0] = Some(0);
        let mut waiting = VecDeque::from([0]);
        while let Some(node) = waiting.pop_front() {
            for &to in &self.exits[node] {
                if distance[to].is_none() && self.values[node] != GOAL {
                    distance[to] = distance[node].map(|steps: i32| steps + 1);
                    waiting.push_back(to);
                }
            }
        }
        let scored = || {
            self.values.iter().zip(&distance).filter_map(|(&value, steps)| Some((value, value - (*steps)?)))
        };
        let win = scored().filter(|&(value, _)| value == GOAL).map(|(_, score)| score).max();
        let any = scored().map(|(_, score)| score).max();
        (win.is_some(), win.or(any).expect("the start has a score"), win.is_none() || win >= any)
    }

    fn check(&self, found: &Outcome<usize>) {
        let mut walk = self.clone();
        for &to in &found.moves {
            assert!(walk.exits[walk.here].contains(&to));
            walk.apply(to);
        }
        assert_eq!((walk.score(), walk.is_won()), (found.score, found.status == Status::Solved));
    }
}

fn run(walk: &mut Steps, limits: Limits, maximize: bool, prune: bool) -> Outcome<usize> {
    search(walk, &Task { limits, maximize, prune }, &mut |_| false)
}

#[test]
fn the_best_score_is_that_of_the_shortest_win() {
    let (mut wins, mut outdone) = (0, 0);
    for seed in 0..400 {
        let mut walk = Steps::random(seed, 80, 40);
        let (is_won, best, proved) = walk.best();
        outdone += u32::from(!proved);
        wins += u32::from(is_won);
        for prune in [false, true] {
            let found = run(&mut walk, Limits::default(), true, prune);
            let status = if is_won { Status::Solved } else { Status::Unsolvable };
            assert_eq!(
                (found.status, found.score, found.score_proved),
                (status, best, proved),
                "seed {seed}"
            );
            assert_eq!((walk.here, walk.steps), (0, 0), "a search leaves the game where it was");
            walk.check(&found);
            // Deciding gives the same verdict, and proves no score.
            let decided = run(&mut walk.clone(), Limits::default(), false, prune);
            assert_eq!((decided.status, decided.score_proved), (status, false));
            walk.check(&decided);
        }
    }
    assert!((50..350).contains(&wins) && outdone > 0, "{wins} wins, {outdone} outdone");
}

#[test]
fn limits_are_limits_in_breadth_too() {
    let mut walk = Steps::random(5, 200_000, usize::MAX);
    // Every node can be reached.
    (1..200_000).for_each(|node| walk.exits[node - 1].push(node));
    let all = run(&mut walk, Limits::default(), true, true);
    assert_eq!((all.status, all.stats.nodes), (Status::Unsolvable, 200_000));
    for nodes in [0, 1, 1000, all.stats.nodes - 1] {
        let found = run(&mut walk, Limits { nodes: Some(nodes), ..Limits::default() }, true, true);
        assert_eq!((found.status, found.score_proved, found.stats.nodes), (Status::NodeLimit, false, nodes));
        walk.check(&found);
        assert_eq!((walk.here, walk.steps), (0, 0));
    }
    for memory in [0, 1000, 100 << 10, 500 << 10] {
        let found = run(&mut walk, Limits { memory, ..Limits::default() }, true, true);
        assert_eq!((found.status, found.score_proved), (Status::MemoryLimit, false));
        assert!(found.stats.table_bytes <= memory);
        walk.check(&found);
        assert_eq!((walk.here, walk.steps), (0, 0));
    }
    let time = Some(std::time::Duration::ZERO);
    assert_eq!(run(&mut walk, Limits { time, ..Limits::default() }, true, true).status, Status::TimeLimit);
    let task = Task { maximize: true, ..Task::default() };
    let found = search(&mut walk, &task, &mut |progress| progress.nodes > 3000);
    assert_eq!(found.status, Status::Cancelled);
    assert!((3000..4000).contains(&found.stats.nodes), "{}", found.stats.nodes);
}
