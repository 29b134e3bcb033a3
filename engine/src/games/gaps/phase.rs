//! The search of one phase, the play between two deals, in rounds: the most promising lines first, then everything.

use std::time::{Duration, Instant};

use super::board::{Board, Step, WON};
use super::ends::Ends;
use super::relax::Relaxed;
use super::switches::Switches;
use super::table::{Gaps, Move};
use super::threads::run_in_threads;
use super::visited::{Depth, FULLY, Visited};
use super::walk::{Aim, Look, Reach, Stop, Table, Walk, Worth};
use crate::search::{Kinds, Limits, Outcome, Progress, Stats, Status, Task, Watch};

/// Positions between two checks of the clock and the watch.
const POLL: u64 = 256;
/// The number of rounds with limited departures from the first choice (0, 1, ...) before the exhaustive one; and the
/// node limit of the first of them, which doubles from round to round.
const WIDENINGS: u32 = 4;
const FIRST_SHARE: u64 = 256;
/// Node limits of the rounds with 0, 1, 2, ... hops.
const HOP_SHARES: [u64; 5] = [6_000_000, 3_000_000, 3_000_000, 3_000_000, 3_000_000];

/// The task for the search of a phase.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub aim: Aim,
    /// For a search of ends: only the best end is wanted.
    pub worth: Option<Worth<'a>>,
    /// Collect the ends that the search meets, whatever its aim; with `true` of all positions, not only stuck ones.
    pub gather: Option<bool>,
    pub switches: Switches,
    pub limits: Limits,
    pub threads: usize,
}

/// The result of the search of a phase.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    pub status: Status,
    /// The most locked cards found; `line` leads to them.
    pub score: u32,
    pub line: Vec<Step>,
    pub score_proved: bool,
    /// An upper bound on the locked cards of any line of the phase.
    pub bound: u32,
    pub ends: Option<Ends>,
    /// True if everything was searched without pruning: there are no other ends.
    pub is_complete: bool,
    pub stats: Stats,
}

/// A part of a search: its reach, and its node limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    pub reach: Reach,
    pub depth: Depth,
    share: Option<u64>,
}

/// The limits of a whole search, and what it has used.
pub struct Budget<'a, 'w> {
    limits: Limits,
    started: Instant,
    watch: &'a mut Watch<'w>,
    pub nodes: u64,
    /// The node count at which the current round must end.
    share_end: u64,
    pub bound: u32,
}

impl Budget<'_, '_> {
    /// Returns how many positions may still be searched in this round; the error says why there are none.
    pub fn left(&self) -> Result<u64, Stop> {
        let limit = self.limits.nodes.unwrap_or(u64::MAX);
        if self.nodes >= limit {
            return Err(Stop::Limit(Status::NodeLimit));
        }
        if self.nodes >= self.share_end {
            return Err(Stop::Share);
        }
        Ok(limit.min(self.share_end) - self.nodes)
    }

    /// Checks the clock and the watch.
    pub fn look(&mut self, best: u32) -> Result<(), Stop> {
        let elapsed = self.elapsed();
        if (self.watch)(Progress { nodes: self.nodes, elapsed, best: best as i32, bound: self.bound as i32 })
        {
            return Err(Stop::Limit(Status::Cancelled));
        }
        match self.limits.time {
            Some(time) if elapsed >= time => Err(Stop::Limit(Status::TimeLimit)),
            _ => Ok(()),
        }
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// Searches a phase.
pub fn search(board: &Board, question: &Question, watch: &mut Watch) -> Answer {
    let Question { aim, worth, gather, switches, limits, .. } = *question;
    let relaxed = Relaxed::of(board, board.loose_twos(true));
    let uses_bound = switches.closure || switches.bound;
    let bound = if uses_bound { relaxed.bound(board) } else { WON };
    let mut budget = Budget { limits, started: Instant::now(), watch, nodes: 0, share_end: 0, bound };
    let stats = Stats { kinds: Kinds { names: &["generated"], ..Kinds::default() }, ..Stats::default() };
    let mut answer = Answer {
        // The status if no search runs: without memory for one, it is only known whether the table is won already.
        status: if board.locked() == WON { Status::Solved } else { Status::MemoryLimit },
        score: board.locked(),
        line: Vec::new(),
        score_proved: board.locked() == bound,
        bound,
        ends: gather.map(Ends::new),
        is_complete: false,
        stats,
    };
    let is_lost = match aim {
        Aim::Decide => switches.closure && !relaxed.may_win(board),
        Aim::Maximize => switches.bound && bound == board.locked() && bound < WON,
        Aim::Ends { .. } => false,
    };
    if is_lost && gather.is_none() {
        answer.status = Status::Unsolvable;
        return answer;
    }
    let memory = limits.memory - limits.memory / 8;
    let forgets = !board.twos_hop();
    let rounds = rounds(board, question);
    let begins_kept = !forgets && rounds[0].reach == Reach::All;
    let Some(visited) = Visited::new(memory, !begins_kept) else { return answer };
    let table = Table::Own(Box::new(visited));
    let mut walk = Walk::new(board.clone(), table, switches, aim, bound, limits.memory / 8);
    walk.stats = stats;
    walk.ends = answer.ends.take();
    walk.worth = worth;
    let mut ended = Ok(());
    for (number, round) in rounds.iter().enumerate() {
        if number > 0 {
            if !forgets && round.reach == Reach::All {
                walk.drop_table();
                let Some(visited) = Visited::new(memory, false) else { break };
                walk.table = Table::Own(Box::new(visited));
            } else if ended == Err(Stop::Share) {
                walk.forget_all();
            }
        }
        walk.set_reach(round.reach);
        budget.share_end = round.share.map_or(u64::MAX, |share| budget.nodes + share);
        ended = if question.threads > 1 && round.reach != Reach::Departures {
            run_in_threads(&mut walk, round, question.threads, &mut budget)
        } else {
            run(&mut walk, round, &mut budget)
        };
        let is_over = match ended {
            Ok(()) => !walk.has_refused,
            Err(Stop::Share) => false,
            Err(_) => true,
        };
        if is_over {
            break;
        }
    }
    finish(answer, walk, ended, question, &budget)
}

fn finish(
    mut answer: Answer,
    mut walk: Walk,
    ended: Result<(), Stop>,
    question: &Question,
    budget: &Budget,
) -> Answer {
    let Question { aim, switches, .. } = *question;
    (answer.score, answer.line) = (walk.own_best, std::mem::take(&mut walk.best_line));
    answer.stats = walk.stats;
    answer.stats.table_bytes = answer.stats.table_bytes.max(walk.table.get().bytes());
    answer.stats.seconds = budget.elapsed().as_secs_f64();
    answer.ends = walk.ends.take();
    let has_cut = match aim {
        Aim::Decide => switches.closure,
        Aim::Maximize => false,
        Aim::Ends { .. } => question.worth.is_some(),
    };
    let is_tight = answer.score == answer.bound;
    (answer.status, answer.score_proved) = match ended {
        Err(Stop::Won) => (Status::Solved, true),
        Err(Stop::Proved) => (Status::Unsolvable, true),
        Err(Stop::Limit(status)) => (status, is_tight),
        Err(Stop::Share) => unreachable!("the last round has no share"),
        Ok(()) => (Status::Unsolvable, is_tight || !has_cut),
    };
    if answer.score == WON {
        answer.status = Status::Solved;
    }
    answer.is_complete = ended.is_ok() && matches!(aim, Aim::Ends { .. }) && question.worth.is_none();
    if answer.score_proved {
        answer.bound = answer.score;
    } else if answer.status == Status::Unsolvable {
        answer.bound = answer.bound.min(WON - 1);
    }
    answer
}

fn rounds(board: &Board, question: &Question) -> Vec<Round> {
    let Question { aim, switches, .. } = *question;
    let mut rounds = Vec::new();
    let is_about_ends = matches!(aim, Aim::Ends { .. });
    if board.twos_hop() {
        if switches.hops && !is_about_ends {
            rounds.extend((1..).zip(HOP_SHARES).map(|(depth, share)| Round {
                reach: Reach::Hops,
                depth,
                share: Some(share),
            }));
        }
    } else if switches.widening && !is_about_ends {
        rounds.extend((0..WIDENINGS).map(|departures| Round {
            reach: Reach::Departures,
            depth: departures as Depth + 1,
            share: Some(FIRST_SHARE << departures),
        }));
    }
    rounds.push(Round { reach: Reach::All, depth: FULLY, share: None });
    rounds
}

fn run(walk: &mut Walk, round: &Round, budget: &mut Budget) -> Result<(), Stop> {
    let mut look = |nodes: u64, best: u32| {
        budget.nodes += nodes;
        let left = budget.left()?;
        budget.look(best)?;
        Ok((left.min(POLL), best))
    };
    let ended = walk.run(round.depth, &mut look as &mut Look);
    budget.nodes = walk.stats.nodes;
    ended
}

impl Gaps {
    /// Searches the current phase, without redeals.
    pub(super) fn search_phase(&self, task: &Task, watch: &mut Watch) -> Outcome<Move> {
        let question = Question {
            aim: if task.maximize { Aim::Maximize } else { Aim::Decide },
            worth: None,
            gather: None,
            switches: if task.prune { Switches::ALL } else { Switches::NONE },
            limits: task.limits,
            threads: 1,
        };
        let Answer { status, score, line, score_proved, stats, .. } = search(&self.board, &question, watch);
        Outcome { status, moves: line, score: score as i32, score_proved, stats }.map(Move::ToGap)
    }
}
