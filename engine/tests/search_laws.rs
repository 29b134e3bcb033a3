//! Laws of the search that hold for every game, on small games made for the purpose.

mod tolls;
mod walk;

use std::collections::HashSet;
use std::time::Duration;

use _engine::search::{Limits, Status, Task, perft, search};
use walk::{Walk, memory, nodes, run, timeless};

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
        // A search for any win has not proved a score.
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
        cut += with.stats.blocked;
    }
    assert!(cut > 50, "{cut}");
}

#[test]
fn a_table_that_forgets_costs_only_time() {
    // Some 900 slots of 16 bytes, and room for the stacks.
    let cap = 30 << 10;
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
    // Seven dead ends at every node of the ring fill the table on the way round.
    let (size, ends) = (1000, 7);
    let ring = |node: u32| (0..ends).map(|end| size + ends * node + end).chain([(node + 1) % size]).collect();
    let exits = (0..size).map(ring).chain((0..ends * size).map(|_| vec![])).collect();
    let scores = vec![0; (size + ends * size) as usize];
    let mut ring = Walk::<false> { exits, scores, goal: 1, lost: HashSet::new(), here: 0 };
    let mut ended_and_forgot = 0;
    for cap in (150..350).map(|kilobytes| kilobytes << 10) {
        let found = run(&mut ring, memory(cap), true);
        assert!(found.stats.max_depth <= size as usize, "it went round");
        ended_and_forgot += u32::from(found.status == Status::Unsolvable && found.stats.evictions > 0);
        ring.here = 0;
    }
    assert!(ended_and_forgot > 10, "{ended_and_forgot}");
}

#[test]
fn a_table_that_forgets_does_not_run_in_circles() {
    let mut ended_and_forgot = 0;
    for (seed, cap) in (0..20).flat_map(|seed| [34, 38, 42].map(|kilobytes| (seed, kilobytes << 10))) {
        let mut walk = Walk::<false>::random(seed, 2000, 100, 10_000);
        let found = run(&mut walk, Limits { nodes: Some(100_000), ..memory(cap) }, true);
        assert!(found.stats.max_depth < walk.exits.len(), "a line came to a position twice");
        walk.check(&found);
        if found.status.is_decided() {
            assert_eq!((found.status, found.score), (Status::Unsolvable, walk.best()));
            ended_and_forgot += u32::from(found.stats.evictions > 0);
        }
    }
    assert!(ended_and_forgot > 10, "{ended_and_forgot}");
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
        // A search that ends just within its limit has a verdict.
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
    let walk = Walk::<false>::random(1, 2_000_000, 1000, i32::MAX);
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

/// Returns a path of this many nodes; only its end wins.
fn path(size: u32) -> Walk<false> {
    let exits = (1..=size).map(|to| if to < size { vec![to] } else { vec![] }).collect();
    Walk { exits, scores: (0..size as i32).collect(), goal: size as i32 - 1, lost: HashSet::new(), here: 0 }
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
        assert_eq!(found.score, found.moves.len() as i32);
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
