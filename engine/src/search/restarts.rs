//! Depth-first search with restarts: many short searches that differ in the order of moves, then one without a limit of
//! its own.
//!
//! Where moves can be taken back in play, one early mistake can cost a depth-first search all its time, while most
//! other move orders find a win at once. Short attempts cost little and soon find such an order. Their lengths follow
//! the sequence of Luby, Sinclair and Zuckerman (1 1 2 1 1 2 4 ...).

use std::time::{Duration, Instant};

use super::{Game, Outcome, Progress, Stats, Status, Task, Watch, search};

/// Nodes of the shortest attempts.
const SHORTEST: u64 = 300;
/// Attempts before the search that has no limit but the task's.
const ATTEMPTS: u64 = 255;

/// Searches from the position of `game`. `reorder` takes the number of the attempt, from 0, and changes only the order
/// of branches.
pub fn search_with_restarts<G: Game + Clone>(
    game: &G,
    task: &Task,
    watch: &mut Watch,
    reorder: impl Fn(&mut G, u64),
) -> Outcome<G::Move> {
    let started = Instant::now();
    let mut all: Option<Outcome<G::Move>> = None;
    for attempt in 0..=ATTEMPTS {
        let start = || (Stats::default(), game.score());
        let (done, best) = all.as_ref().map_or_else(start, |all| (all.stats, all.score));
        let left = task.limits.nodes.map(|nodes| nodes - done.nodes);
        let length = if attempt < ATTEMPTS { Some(SHORTEST * luby(attempt + 1)) } else { None };
        let mut part = *task;
        part.limits.nodes = [left, length].into_iter().flatten().min();
        part.limits.time = task.limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let before = started.elapsed();
        let mut watch = |progress: Progress| watch(progress.after(done.nodes, before, best));
        let mut game = game.clone();
        reorder(&mut game, attempt);
        let mut found = search(&mut game, &part, &mut watch);
        let ended = found.status != Status::NodeLimit || part.limits.nodes == left;
        found.stats = done.and(&found.stats);
        found.stats.seconds = started.elapsed().as_secs_f64();
        // A win stands, even if its moves cost more points than a line that does not win.
        if let Some(all) = all.filter(|all| all.score >= found.score && found.status != Status::Solved) {
            (found.score, found.moves) = (all.score, all.moves);
        }
        if ended {
            return found;
        }
        all = Some(found);
    }
    unreachable!("the last attempt has no limit but the task's")
}

/// Returns a term of the sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., counted from 1.
fn luby(term: u64) -> u64 {
    let whole = (term + 1).next_power_of_two();
    if whole == term + 1 { whole / 2 } else { luby(term - (whole / 2 - 1)) }
}

impl Progress {
    /// Adds the nodes, the time and the best score of earlier searches.
    fn after(self, nodes: u64, elapsed: Duration, best: i32) -> Progress {
        Progress {
            nodes: self.nodes + nodes,
            elapsed: self.elapsed + elapsed,
            best: self.best.max(best),
            ..self
        }
    }
}

impl Stats {
    /// Returns the sum of the counters of two searches; table sizes are the larger of the two.
    pub fn and(&self, other: &Stats) -> Stats {
        Stats {
            nodes: self.nodes + other.nodes,
            seconds: self.seconds + other.seconds,
            max_depth: self.max_depth.max(other.max_depth),
            forced_moves: self.forced_moves + other.forced_moves,
            dead_ends: self.dead_ends + other.dead_ends,
            blocked: self.blocked + other.blocked,
            table_entries: self.table_entries.max(other.table_entries),
            table_bytes: self.table_bytes.max(other.table_bytes),
            table_hits: self.table_hits + other.table_hits,
            evictions: self.evictions + other.evictions,
            kinds: self.kinds.and(&other.kinds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn the_sequence_is_the_published_one() {
        let first: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
