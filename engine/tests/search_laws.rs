//! Laws of the search that hold for every game, on small games made for the purpose.

use std::collections::HashSet;
use std::time::Duration;

use _engine::rng::mix;
use _engine::search::{Game, Limits, Outcome, Status, Task, perft, search};

/// Walking about in a graph: each node has a score, and the walk may run in circles.
#[derive(Clone, Debug)]
struct Walk<const ACYCLIC: bool> {
    exits: Vec<Vec<u32>>,
    scores: Vec<u32>,
    goal: u32,
    /// Nodes that are known to be lost; none unless a test says so.
    lost: HashSet<u32>,
    here: u32,
}

impl<const ACYCLIC: bool> Game for Walk<ACYCLIC> {
    type Move = u32;
    type Undo = u32;
    type Key = u128;

    const ACYCLIC: bool = ACYCLIC;
    const MOST_MOVES: usize = 8;

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
    fn score(&self) -> u32 {
        self.scores[self.here as usize]
    }
    fn max_score(&self) -> u32 {
        self.goal
    }
    fn is_dead_end(&self) -> bool {
        self.lost.contains(&self.here)
    }
}

impl<const ACYCLIC: bool> Walk<ACYCLIC> {
    /// A graph of `size` nodes with one to three exits each. Exits lead forward by at most `reach`;
    /// where circles are allowed, one in eight leads back.
    fn random(seed: u64, size: u32, reach: u32, goal: u32) -> Self {
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
        let scores = (0..size).map(|node| below(1 + node / 2 + 1)).collect();
        Walk { exits, scores, goal, lost: HashSet::new(), here: 0 }
    }

    fn reachable(&self) -> HashSet<u32> {
        self.reachable_from(0)
    }

    fn reachable_from(&self, node: u32) -> HashSet<u32> {
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

    fn best(&self) -> u32 {
        self.reachable().into_iter().map(|node| self.scores[node as usize]).max().unwrap_or(0)
    }

    /// The line is a walk, and ends with the score.
    fn check(&self, found: &Outcome<u32>) {
        let mut here = 0;
        for &to in &found.moves {
            assert!(self.exits[here as usize].contains(&to));
            here = to;
        }
        assert_eq!(self.scores[here as usize], found.score);
    }
}

fn run<G: Game>(game: &mut G, limits: Limits, maximize: bool) -> Outcome<G::Move> {
    search(game, &Task { limits, maximize, prune: true }, &mut |_| false)
}

/// The same outcome on every run, but for the time.
fn timeless<M>(mut outcome: Outcome<M>) -> Outcome<M> {
    outcome.stats.seconds = 0.0;
    outcome
}

fn memory(bytes: usize) -> Limits {
    Limits { memory: bytes, ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

#[test]
fn every_node_is_expanded_once_and_the_best_score_is_proved() {
    for seed in 0..200 {
        let mut walk = Walk::<false>::random(seed, 500, 20, 1000);
        let found = run(&mut walk, Limits::default(), true);
        assert_eq!((found.status, found.score_proved), (Status::Unsolvable, true));
        assert_eq!(found.score, walk.best());
        assert_eq!(found.stats.nodes, walk.reachable().len() as u64);
        walk.check(&found);
        assert_eq!(walk.here, 0, "a search that ends leaves the game where it was");
    }
}

#[test]
fn a_decided_game_is_won_if_and_only_if_the_goal_can_be_reached() {
    let mut verdicts = [0, 0];
    for seed in 0..200 {
        let mut walk = Walk::<false>::random(seed, 60, 5, 25);
        let can_win = walk.reachable().iter().any(|&node| walk.scores[node as usize] == 25);
        let found = run(&mut walk, Limits::default(), false);
        assert_eq!(found.status, if can_win { Status::Solved } else { Status::Unsolvable });
        // Who only looks for a win has not proved a score.
        assert_eq!(found.score_proved, can_win);
        walk.check(&found);
        verdicts[usize::from(can_win)] += 1;
    }
    assert!(verdicts.iter().all(|&count| count > 20), "{verdicts:?}");
}

#[test]
fn dead_ends_are_left_at_once_unless_pruning_is_off() {
    let mut cut = 0;
    for seed in 0..100 {
        let mut walk = Walk::<false>::random(seed, 60, 5, 25);
        let wins = |node: &u32| walk.reachable_from(*node).iter().any(|&to| walk.scores[to as usize] == 25);
        let lost: HashSet<u32> = (0..60).filter(|node| !wins(node)).collect();
        let without = run(&mut walk.clone(), Limits::default(), false);
        walk.lost = lost;
        let with = run(&mut walk.clone(), Limits::default(), false);
        assert_eq!(with.status, without.status);
        assert!(with.stats.nodes <= without.stats.nodes);
        assert!(with.status == Status::Solved || with.stats.nodes == 0);
        let task = Task { prune: false, ..Task::default() };
        assert_eq!(timeless(search(&mut walk, &task, &mut |_| false)), timeless(without));
        cut += with.stats.dead_ends;
    }
    assert!(cut > 50, "{cut}");
}

#[test]
fn a_table_that_forgets_costs_only_time() {
    // 1,024 slots of 16 bytes, and room for the stacks.
    let cap = 40 << 10;
    for seed in 0..20 {
        let mut walk = Walk::<true>::random(seed, 2000, 60, 10_000);
        let roomy = run(&mut walk, Limits::default(), true);
        let tight = run(&mut walk, memory(cap), true);
        assert_eq!(roomy.stats.evictions, 0);
        assert!(tight.stats.evictions > 0 && tight.stats.table_bytes <= cap);
        assert!(tight.stats.nodes >= roomy.stats.nodes);
        assert_eq!((tight.status, tight.score, &tight.moves), (roomy.status, roomy.score, &roomy.moves));
    }
}

#[test]
fn a_ring_larger_than_the_table_is_walked_once() {
    let size = 4000;
    let exits = (1..=size).map(|to| vec![to % size]).collect();
    let mut ring =
        Walk::<false> { exits, scores: vec![0; size as usize], goal: 1, lost: HashSet::new(), here: 0 };
    let mut ended_and_forgot = 0;
    for cap in (300..700).map(|kilobytes| kilobytes << 10) {
        let found = run(&mut ring, memory(cap), true);
        assert!(found.stats.max_depth <= size as usize, "it went round");
        ended_and_forgot += u32::from(found.status == Status::Unsolvable && found.stats.evictions > 0);
        ring.here = 0;
    }
    assert!(ended_and_forgot > 10, "{ended_and_forgot}");
}

#[test]
fn a_table_that_forgets_does_not_run_in_circles() {
    for seed in 0..20 {
        let mut walk = Walk::<false>::random(seed, 2000, 100, 10_000);
        let found = run(&mut walk, memory(47 << 10), true);
        assert!(found.stats.evictions > 0 || walk.reachable().len() < 900);
        assert_eq!((found.status, found.score), (Status::Unsolvable, walk.best()));
        walk.check(&found);
        assert!(found.stats.max_depth < walk.exits.len(), "a line came to a position twice");
    }
}

#[test]
fn node_limits_are_exact() {
    for seed in 0..20 {
        let mut walk = Walk::<false>::random(seed, 300, 20, 1000);
        let all = timeless(run(&mut walk.clone(), Limits::default(), true));
        for limit in [0, 1, 2, all.stats.nodes - 1].into_iter().filter(|&limit| limit < all.stats.nodes) {
            let found = run(&mut walk.clone(), nodes(limit), true);
            assert_eq!((found.status, found.score_proved), (Status::NodeLimit, false));
            assert_eq!(found.stats.nodes, limit);
            walk.check(&found);
        }
        // What ends just in time is decided.
        assert_eq!(timeless(run(&mut walk, nodes(all.stats.nodes), true)), all);
    }
}

#[test]
fn a_win_is_found_whatever_the_limits_say() {
    let mut won =
        Walk::<true> { exits: vec![vec![]], scores: vec![7], goal: 7, lost: HashSet::new(), here: 0 };
    let limits = Limits { nodes: Some(0), time: Some(Duration::ZERO), memory: 0 };
    let found = run(&mut won, limits, false);
    assert_eq!((found.status, found.score, found.moves.len()), (Status::Solved, 7, 0));
}

#[test]
fn no_time_and_no_memory_are_limits() {
    let mut walk = Walk::<false>::random(1, 300, 20, 1000);
    let no_time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    for (limits, status) in [(no_time, Status::TimeLimit), (memory(1000), Status::MemoryLimit)] {
        let found = run(&mut walk.clone(), limits, true);
        assert_eq!((found.status, found.score_proved), (status, false));
        walk.check(&found);
    }
    let cancelled = search(&mut walk, &Task::default(), &mut |_| true);
    assert_eq!(cancelled.status, Status::Cancelled);
}

#[test]
fn time_and_watch_stop_a_search_under_way() {
    let walk = Walk::<false>::random(1, 2_000_000, 1000, u32::MAX);
    let limits = Limits { time: Some(Duration::from_millis(5)), ..Limits::default() };
    let found = run(&mut walk.clone(), limits, true);
    assert_eq!(found.status, Status::TimeLimit);
    assert!(found.stats.nodes > 0);
    walk.check(&found);
    let found = search(&mut walk.clone(), &Task::default(), &mut |progress| progress.nodes > 5000);
    assert_eq!(found.status, Status::Cancelled);
    assert!((5000..6000).contains(&found.stats.nodes), "{} nodes", found.stats.nodes);
    walk.check(&found);
}

/// A path of this many nodes; only its end wins.
fn path(size: u32) -> Walk<false> {
    let exits = (1..=size).map(|to| if to < size { vec![to] } else { vec![] }).collect();
    Walk { exits, scores: (0..size).collect(), goal: size - 1, lost: HashSet::new(), here: 0 }
}

#[test]
fn lines_may_be_very_deep() {
    let found = run(&mut path(1_000_000), Limits::default(), false);
    assert_eq!((found.status, found.stats.max_depth), (Status::Solved, 999_999));
    assert_eq!(perft(&mut path(1_000_000), 999_999, &mut || false), Some(1));
}

#[test]
fn a_line_too_deep_for_the_memory_is_a_limit() {
    for cap in [50 << 10, 1 << 20, 8 << 20] {
        let found = run(&mut path(1_000_000), memory(cap), false);
        assert_eq!(found.status, Status::MemoryLimit);
        // The table gave way before: most of the cap holds the line itself, some 70 bytes a move.
        assert!(found.stats.max_depth * 400 > cap, "{} moves in {cap} bytes", found.stats.max_depth);
        assert_eq!(found.score, found.moves.len() as u32);
    }
}

#[test]
fn perft_counts_sequences_also_in_circles() {
    let mut walk = Walk::<false> {
        exits: vec![vec![1, 2], vec![0], vec![]],
        scores: vec![0; 3],
        goal: 1,
        lost: HashSet::new(),
        here: 0,
    };
    let counts: Vec<_> = (0..7).map(|depth| perft(&mut walk, depth, &mut || false)).collect();
    assert_eq!(counts, [1, 2, 1, 2, 1, 2, 1].map(Some));
    assert_eq!(walk.here, 0);
    assert_eq!(perft(&mut walk, 100_000, &mut || true), None);
}
