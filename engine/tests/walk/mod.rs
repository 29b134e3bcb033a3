//! A small game made for laws of the search: a walk in a graph.

use std::collections::HashSet;

use _engine::rng::mix;
use _engine::search::{Game, Limits, Outcome, Task, search};

/// A walk in a graph: each node has a score, and the walk may run in circles.
#[derive(Clone, Debug)]
pub struct Walk<const ACYCLIC: bool> {
    pub exits: Vec<Vec<u32>>,
    pub scores: Vec<i32>,
    pub goal: i32,
    /// Nodes that are known to be lost; none unless a test sets them.
    pub lost: HashSet<u32>,
    pub here: u32,
}

impl<const ACYCLIC: bool> Game for Walk<ACYCLIC> {
    type Move = u32;
    type Undo = u32;
    type Key = u128;

    const ACYCLIC: bool = ACYCLIC;

    fn most_moves(&self) -> usize {
        8
    }

    fn moves(&self, out: &mut Vec<u32>) {
        out.extend(&self.exits[self.here as usize]);
    }
    fn apply(&mut self, to: u32) -> u32 {
        std::mem::replace(&mut self.here, to)
    }
    fn undo(&mut self, _: u32, from: u32) {
        self.here = from;
    }
    fn key(&self) -> u128 {
        u128::from(self.here) + 1
    }
    fn is_won(&self) -> bool {
        self.score() == self.goal
    }
    fn score(&self) -> i32 {
        self.scores[self.here as usize]
    }
    fn max_score(&self) -> i32 {
        self.goal
    }
    fn is_dead_end(&self) -> bool {
        self.lost.contains(&self.here)
    }
}

impl<const ACYCLIC: bool> Walk<ACYCLIC> {
    /// Returns a graph of `size` nodes with one to three exits each. Exits lead forward by at most `reach`; where
    /// circles are allowed, one in eight leads back.
    pub fn random(seed: u64, size: u32, reach: u32, goal: i32) -> Self {
        let mut state = seed;
        let mut below = |n: u32| {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            (mix(state) % u64::from(n)) as u32
        };
        let mut exits = Vec::new();
        for node in 0..size {
            let count = 1 + below(3);
            let mut to = |_| {
                let back = below(8) == 0;
                let distance = 1 + below(reach);
                if back && !ACYCLIC { node.saturating_sub(distance) } else { node + distance }
            };
            let mut reached: Vec<u32> = (0..count).map(&mut to).collect();
            reached.retain(|&to| to < size);
            exits.push(reached);
        }
        // Only nodes near the end may have the highest scores.
        let scores = (0..size).map(|node| below(1 + node / 2 + 1) as i32).collect();
        Walk { exits, scores, goal, lost: HashSet::new(), here: 0 }
    }

    pub fn reachable(&self) -> HashSet<u32> {
        self.reachable_from(0)
    }

    pub fn reachable_from(&self, node: u32) -> HashSet<u32> {
        let (mut seen, mut waiting) = (HashSet::from([node]), vec![node]);
        while let Some(node) = waiting.pop() {
            for &to in &self.exits[node as usize] {
                if seen.insert(to) {
                    waiting.push(to);
                }
            }
        }
        seen
    }

    pub fn best(&self) -> i32 {
        self.reachable().into_iter().map(|node| self.scores[node as usize]).max().unwrap_or(0)
    }

    /// Checks that the line is a walk, and ends with the score.
    pub fn check(&self, found: &Outcome<u32>) {
        let mut here = 0;
        for &to in &found.moves {
            assert!(self.exits[here as usize].contains(&to));
            here = to;
        }
        assert_eq!(self.scores[here as usize], found.score);
    }
}

pub fn run<G: Game>(game: &mut G, limits: Limits, maximize: bool) -> Outcome<G::Move> {
    search(game, &Task { limits, maximize, prune: true }, &mut |_| false)
}

/// Returns the same outcome without its time, which differs from run to run.
pub fn timeless<M>(mut outcome: Outcome<M>) -> Outcome<M> {
    outcome.stats.seconds = 0.0;
    outcome
}

pub fn memory(bytes: usize) -> Limits {
    Limits { memory: bytes, ..Limits::default() }
}

pub fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}
