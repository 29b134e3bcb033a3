//! Games whose redeals are known: can they be won, and how high can the score be?
//!
//! The heights at a redeal and the mercis left determine everything that follows. So each deal is searched for its
//! reachable heights, and each such state is searched once.

use std::collections::HashSet;
use std::time::Instant;

use super::packed::Heights;
use super::round::{Round, mercis_spent};
use super::rules::Rules;
use super::table::{BelleLucie, Move, card_of};
use super::values::thumb;
use super::whole::{Policy, Table, play, redealt};
use crate::cards::Card;
use crate::search::{
    Game, Limits, Outcome, Progress, Stats, Status, Task, Watch, search, search_with_restarts,
};

impl BelleLucie {
    /// Solves by the fastest search that supports the rules and what is left of the game.
    pub(super) fn solve(&self, task: &Task, watch: &mut Watch) -> Outcome<Move> {
        if task.prune {
            let redeals_left = self.redeals_left();
            let table = self.table();
            if redeals_left == 0 {
                let round = Round::new(&self.rules, &table.fans, 0, table.mercis);
                if !matches!(round, Round::General(_)) {
                    // A game with redeals is only asked for a win, also when its last deal is reached.
                    let task = Task { maximize: task.maximize || self.always_maximizes(), ..*task };
                    return round.decide_line(&task, watch);
                }
            } else {
                let orders: Vec<Vec<Card>> =
                    self.orders().map(|order| order.into_iter().map(card_of).collect()).collect();
                if let Some(outcome) = solve(&self.rules, &table, &orders, task, watch) {
                    return outcome;
                }
            }
        }
        self.search_generally(task, watch)
    }

    /// Solves by the search that supports all rules, with restarts where cards may move back and forth.
    pub(super) fn search_generally(&self, task: &Task, watch: &mut Watch) -> Outcome<Move> {
        if task.prune && self.rules.has_cycles() {
            search_with_restarts(self, task, watch, |game, attempt| game.order = attempt)
        } else {
            search(&mut self.clone(), task, watch)
        }
    }
}

/// Decides the game, or with `task.maximize` proves its best score. Returns `None` if the rules have no frontier
/// search: then the caller must use a general search.
pub fn solve(
    rules: &Rules,
    table: &Table,
    orders: &[Vec<Card>],
    task: &Task,
    watch: &mut Watch,
) -> Option<Outcome<Move>> {
    let round = Round::new(rules, &table.fans, table.redeals_left, table.mercis);
    let is_served =
        rules.may_hold_back && !matches!(round, Round::General(_)) && can_all_be_served(rules, table);
    if !is_served || orders.len() != table.redeals_left as usize {
        return None;
    }
    let started = Instant::now();
    let heights = round.heights();
    let up = heights.iter().map(|&height| i32::from(height)).sum();
    let seen = vec![HashSet::new(); orders.len() + 1];
    let mut open = Open {
        rules,
        orders,
        task,
        watch,
        started,
        seen,
        line: Vec::new(),
        best: up,
        best_line: Vec::new(),
        stats: Stats::default(),
    };
    let end = open.enter(round, 0, table.mercis);
    let (mut best, mut best_line, mut stats) = (open.best, open.best_line, open.stats);
    let status = match end {
        Ok(()) => Status::Unsolvable,
        Err(status) => status,
    };
    if status == Status::Unsolvable && !task.maximize {
        // A search that only decides has no line to show for a lost game, so the line is that of the greedy policy.
        let mut coming = orders.iter();
        let redeal = || coming.next().cloned().unwrap_or_default();
        let game = play(rules, table, &Policy::Greedy, redeal, &mut |_| false);
        let score = game.heights.iter().map(|&height| i32::from(height)).sum();
        if score > best {
            (best, best_line) = (score, game.moves);
        }
    }
    stats.seconds = started.elapsed().as_secs_f64();
    stats.max_depth = stats.max_depth.max(best_line.len());
    let score_proved = status == Status::Solved || status == Status::Unsolvable && task.maximize;
    Some(Outcome { status, moves: best_line, score: best, score_proved, stats })
}

/// Returns true if the coming deals can be packed too: only the number of mercis can prevent it.
fn can_all_be_served(rules: &Rules, table: &Table) -> bool {
    let last = Round::new::<&[Card]>(rules, &[], 0, table.mercis);
    !matches!(last, Round::General(_))
}

struct Open<'a, 'w> {
    rules: &'a Rules,
    orders: &'a [Vec<Card>],
    task: &'a Task,
    watch: &'a mut Watch<'w>,
    started: Instant,
    /// For each deal, the heights and mercis from which everything has been searched.
    seen: Vec<HashSet<(Heights, u8)>>,
    line: Vec<Move>,
    best: i32,
    best_line: Vec<Move>,
    stats: Stats,
}

/// `Err` ends the search early, with a win or a limit.
type Ended = Result<(), Status>;

impl Open<'_, '_> {
    /// Searches from the start of a deal.
    fn enter(&mut self, round: Round, deal: usize, mercis: u8) -> Ended {
        if deal == self.orders.len() {
            return self.last(&round).map(|_| ());
        }
        let start = round.heights();
        let limited = self.limited();
        let found = self.watched(|watch| round.frontiers(&limited, watch));
        let Some(found) = found else { return Ok(()) };
        self.count(&found.stats, found.status)?;
        if let Some(moves) = found.win {
            self.keep(52, &moves);
            return Err(Status::Solved);
        }
        let mut targets = vec![];
        found.each_target(start, |heights, spends| targets.push((heights, spends)));
        // The most promising heights come first; the order affects only the time.
        targets.sort_by_key(|&(heights, spends)| (std::cmp::Reverse(thumb(heights)), spends));
        let next = deal + 1;
        for (heights, spends) in targets {
            let mercis = mercis - u8::from(spends);
            if self.seen[next].contains(&(heights, mercis)) {
                continue;
            }
            let redeals_left = (self.orders.len() - next) as u8;
            let round_after = redealt(self.rules, &self.orders[deal], heights, redeals_left, mercis);
            // Deciding a last deal is quicker than reaching its heights, so it comes first.
            let mut last_line = None;
            if redeals_left == 0 {
                last_line = self.last_line(&round_after)?;
                if last_line.is_none() {
                    self.seen[next].insert((heights, mercis));
                    continue;
                }
            }
            let moves = if heights == start && !spends {
                Vec::new()
            } else {
                let limited = self.limited();
                let reached = self.watched(|watch| round.reach(heights, spends, &limited, watch));
                self.count(&reached.stats, reached.status)?;
                if reached.status != Status::Solved {
                    continue;
                }
                reached.moves
            };
            // If the line does not spend the merci that it may spend, the same heights with the merci kept are another
            // target and worth more.
            if spends && mercis_spent(&moves) == 0 {
                continue;
            }
            self.seen[next].insert((heights, mercis));
            let depth = self.line.len();
            self.line.extend(moves);
            self.line.push(Move::Redeal);
            let ended = match last_line {
                Some((score, moves)) => self.finish(score, &moves),
                None => self.enter(round_after, next, mercis),
            };
            self.line.truncate(depth);
            ended?;
        }
        Ok(())
    }

    /// Searches the last deal of a game that has no redeals left at the start.
    fn last(&mut self, round: &Round) -> Ended {
        match self.last_line(round)? {
            Some((score, moves)) => self.finish(score, &moves),
            None => Ok(()),
        }
    }

    /// Returns a line of the last deal that beats the best so far: a win, or a higher score if the task maximises.
    fn last_line(&mut self, round: &Round) -> Result<Option<(i32, Vec<Move>)>, Status> {
        if self.task.maximize && round.bound() <= self.best {
            return Ok(None);
        }
        let task = self.limited();
        let outcome = self.watched(|watch| round.decide_line(&task, watch));
        self.count(&outcome.stats, outcome.status)?;
        let is_better = outcome.status == Status::Solved || task.maximize && outcome.score > self.best;
        Ok(is_better.then_some((outcome.score, outcome.moves)))
    }

    fn finish(&mut self, score: i32, moves: &[Move]) -> Ended {
        self.keep(score, moves);
        if score == 52 { Err(Status::Solved) } else { Ok(()) }
    }

    fn keep(&mut self, score: i32, moves: &[Move]) {
        if score > self.best || score == 52 {
            self.best = score;
            self.best_line = [&self.line, moves].concat();
        }
    }

    fn count(&mut self, stats: &Stats, status: Status) -> Ended {
        self.stats = self.stats.and(stats);
        if !status.is_decided() {
            return Err(status);
        }
        // Many of the searches end before their first check of the clock.
        let elapsed = self.started.elapsed();
        let progress = Progress { nodes: self.stats.nodes, elapsed, best: self.best, bound: 52 };
        if (self.watch)(progress) {
            return Err(Status::Cancelled);
        }
        match self.task.limits.time {
            Some(time) if elapsed >= time => Err(Status::TimeLimit),
            _ => Ok(()),
        }
    }

    /// Returns the task with what is left of its limits.
    fn limited(&self) -> Task {
        let Limits { nodes, time, memory } = self.task.limits;
        let nodes = nodes.map(|nodes| nodes.saturating_sub(self.stats.nodes));
        let time = time.map(|time| time.saturating_sub(self.started.elapsed()));
        Task { limits: Limits { nodes, time, memory }, ..*self.task }
    }

    /// Runs one of the searches, and reports its progress as part of the whole.
    fn watched<T>(&mut self, run: impl FnOnce(&mut Watch) -> T) -> T {
        let Open { watch, stats, started, best, .. } = self;
        run(&mut |progress| {
            let nodes = stats.nodes + progress.nodes;
            watch(Progress { nodes, elapsed: started.elapsed(), best: *best, bound: 52 })
        })
    }
}
