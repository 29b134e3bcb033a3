//! Laws of the counters and traces of a search, on small games made for the purpose.

mod walk;

use std::collections::HashSet;

use _engine::search::{Cut, Game, Limits, Status, Task, Tracer, search, search_with};
use walk::{Walk, memory, run, timeless};

/// A walk with a bound for each node, which is tested before or after the table look-up.
#[derive(Clone)]
struct Bounded<const SEEN_FIRST: bool> {
    walk: Walk<false>,
    bounds: Vec<i32>,
}

impl<const SEEN_FIRST: bool> Bounded<SEEN_FIRST> {
    /// Returns a game whose bounds are sometimes not tight, and where half of the dead ends are known.
    fn random(seed: u64, size: u32, reach: u32, goal: i32, slack: u32) -> Self {
        let mut walk = Walk::<false>::random(seed, size, reach, goal);
        walk.scores.iter_mut().for_each(|score| *score = (*score).min(goal));
        let mut bests = walk.scores.clone();
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for node in (0..size as usize).rev() {
                let best = walk.exits[node].iter().map(|&to| bests[to as usize]).max().unwrap_or(0);
                has_changed |= best > bests[node];
                bests[node] = bests[node].max(best);
            }
        }
        walk.lost = (0..size).filter(|&node| node % 2 == 0 && bests[node as usize] < goal).collect();
        let bounds = (0..size)
            .map(|node| (bests[node as usize] + ((7 * node + seed as u32) % slack) as i32).min(goal));
        Bounded { bounds: bounds.collect(), walk }
    }
}

impl<const SEEN_FIRST: bool> Game for Bounded<SEEN_FIRST> {
    type Move = u32;
    type Undo = u32;
    type Key = u128;

    const ACYCLIC: bool = false;
    const SEEN_FIRST: bool = SEEN_FIRST;
    const KINDS: &'static [&'static str] = &["forward", "back"];

    fn most_moves(&self) -> usize {
        self.walk.most_moves()
    }

    fn moves(&self, out: &mut Vec<u32>) {
        self.walk.moves(out);
    }
    fn apply(&mut self, to: u32) -> u32 {
        self.walk.apply(to)
    }
    fn undo(&mut self, to: u32, from: u32) {
        self.walk.undo(to, from);
    }
    fn kind(&self, to: u32) -> usize {
        usize::from(to <= self.walk.here)
    }
    fn key(&self) -> u128 {
        self.walk.key()
    }
    fn is_won(&self) -> bool {
        self.walk.is_won()
    }
    fn score(&self) -> i32 {
        self.walk.score()
    }
    fn max_score(&self) -> i32 {
        self.walk.max_score()
    }
    /// Every third node is forced, if it has a single exit that leads forward.
    fn forced(&self) -> Option<u32> {
        let exits = &self.walk.exits[self.walk.here as usize];
        (!self.is_won() && self.walk.here.is_multiple_of(3) && exits.len() == 1 && exits[0] > self.walk.here)
            .then(|| exits[0])
    }
    fn bound(&self) -> i32 {
        self.bounds[self.walk.here as usize]
    }
    fn is_dead_end(&self) -> bool {
        self.walk.is_dead_end()
    }
}

#[test]
fn looking_up_first_changes_what_is_counted_and_nothing_else() {
    let (mut blocked, mut verdicts) = (0, HashSet::new());
    for (seed, maximize) in (0..200).flat_map(|seed| [(seed, false), (seed, true)]) {
        let last = run(&mut Bounded::<false>::random(seed, 300, 12, 130, 3), Limits::default(), maximize);
        let first = run(&mut Bounded::<true>::random(seed, 300, 12, 130, 3), Limits::default(), maximize);
        let Bounded { walk, .. } = Bounded::<true>::random(seed, 300, 12, 130, 3);
        walk.check(&first);
        assert_eq!((first.status, first.score_proved), (last.status, last.score_proved));
        assert_eq!((&first.moves, first.stats.nodes), (&last.moves, last.stats.nodes));
        assert_eq!(first.status == Status::Solved, walk.best() == 130);
        assert!(!maximize || first.score == walk.best());
        // A pruned position that is reached again counts as seen.
        let left = |found: &_engine::search::Stats| found.blocked + found.table_hits;
        assert_eq!(left(&first.stats), left(&last.stats));
        assert_eq!(last.stats.table_entries as u64, last.stats.nodes);
        if first.stats.nodes > 0
            && first.status == Status::Unsolvable
            && first.stats.kinds == last.stats.kinds
        {
            assert_eq!(first.stats.table_entries as u64, first.stats.nodes + first.stats.blocked);
        }
        blocked += first.stats.blocked;
        verdicts.insert(first.status.name());
    }
    assert!(blocked > 200 && verdicts.len() == 2, "{blocked} {verdicts:?}");
}

#[test]
fn looking_up_first_is_sound_in_a_table_that_forgets() {
    let mut forgot = 0;
    for seed in 0..40 {
        let mut game = Bounded::<true>::random(seed, 3000, 60, 9999, 400);
        let best = game.walk.best();
        let tight = run(&mut game, Limits { nodes: Some(50_000), ..memory(32 << 10) }, true);
        if tight.status.is_decided() {
            assert_eq!((tight.status, tight.score), (Status::Unsolvable, best));
            forgot += u32::from(tight.stats.evictions > 0);
        }
    }
    assert!(forgot > 5, "{forgot}");
}

#[test]
fn a_dead_end_has_no_move() {
    for seed in 0..50 {
        let mut walk = Walk::<false>::random(seed, 300, 20, 1000);
        let found = run(&mut walk, Limits::default(), true);
        let ends = walk.reachable().iter().filter(|&&node| walk.exits[node as usize].is_empty()).count();
        assert_eq!((found.stats.dead_ends, found.stats.blocked), (ends as u64, 0));
    }
}

/// Follows a search by its trace.
#[derive(Default)]
struct Followed {
    line: Vec<u32>,
    coming: Option<(u32, bool)>,
    told: Vec<Cut>,
    forced: u64,
    deepest: usize,
}

impl<G: Game<Move = u32, Key = u128>> Tracer<G> for Followed {
    fn play(&mut self, game: &G, to: u32, is_forced: bool) {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        assert!(moves.contains(&to));
        self.coming = Some((to, is_forced));
    }

    fn come_to(&mut self, game: &G, depth: usize, cut: Cut) {
        match self.coming.take() {
            Some((to, is_forced)) => {
                self.line.truncate(depth - 1);
                self.line.push(to);
                self.forced += u64::from(is_forced);
            }
            None => assert!(self.told.is_empty(), "a position is told of once"),
        }
        assert_eq!(self.line.len(), depth);
        assert_eq!(game.key(), u128::from(self.line.last().copied().unwrap_or(0)) + 1);
        self.told.push(cut);
        self.deepest = self.deepest.max(depth);
    }
}

#[test]
fn a_trace_tells_of_every_position_what_the_counts_say() {
    let mut met = HashSet::new();
    for (seed, maximize) in (0..200).flat_map(|seed| [(seed, false), (seed, true)]) {
        let mut followed = Followed::default();
        let task = Task { maximize, ..Task::default() };
        let mut game = Bounded::<true>::random(seed, 300, 12, 130, 3);
        let found = search_with(&mut game.clone(), &task, &mut |_| false, &mut followed);
        assert_eq!(timeless(search(&mut game, &task, &mut |_| false)), timeless(found.clone()));
        let count = |cut| followed.told.iter().filter(|&&told| told == cut).count() as u64;
        let stats = found.stats;
        assert_eq!(
            [count(Cut::Seen), count(Cut::Blocked), count(Cut::DeadEnd), count(Cut::Won), followed.forced],
            [
                stats.table_hits,
                stats.blocked,
                stats.dead_ends,
                u64::from(found.status == Status::Solved),
                stats.forced_moves
            ]
        );
        assert_eq!(followed.told.len() as u64, 1 + stats.kinds.iter().map(|(_, count)| count).sum::<u64>());
        assert_eq!(followed.deepest, stats.max_depth);
        met.extend(followed.told.iter().filter_map(|cut| cut.name()));
    }
    assert_eq!(met.len(), 5, "{met:?}");
}

#[test]
fn a_trace_ends_where_a_limit_is_hit() {
    for seed in 0..20 {
        let mut followed = Followed::default();
        let task = Task { limits: walk::nodes(3), maximize: true, prune: false };
        let found = search_with(
            &mut Bounded::<false>::random(seed, 300, 12, 130, 3),
            &task,
            &mut |_| false,
            &mut followed,
        );
        assert_eq!(found.status == Status::NodeLimit, followed.told.last() == Some(&Cut::Limit));
    }
}
