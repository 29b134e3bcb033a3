//! What a player finds out about the current phase, within the effort for a phase: a win, or else how it may end.

use std::time::Duration;

use super::board::{Board, Step};
use super::ends::Ends;
use super::phase::{Answer, Question, search};
use super::rules::Rules;
use super::switches::Switches;
use super::walk::{Aim, Worth};
use crate::search::{Limits, Status, Watch};

/// The memory for the tables of one search.
pub const MEMORY: usize = 64_000_000;

/// The cost limit of one phase.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effort {
    /// A number of positions: the same play on every machine.
    Nodes(u64),
    Time(Duration),
}

impl Effort {
    fn limits(self, memory: usize) -> Limits {
        match self {
            Effort::Nodes(nodes) => Limits { nodes: Some(nodes), time: None, memory },
            Effort::Time(time) => Limits { nodes: None, time: Some(time), memory },
        }
    }

    /// Returns three quarters of the effort.
    fn most(self) -> Effort {
        match self {
            Effort::Nodes(nodes) => Effort::Nodes(nodes - nodes / 4),
            Effort::Time(time) => Effort::Time(time - time / 4),
        }
    }

    fn without(self, answer: &Answer) -> Effort {
        match self {
            Effort::Nodes(nodes) => Effort::Nodes(nodes.saturating_sub(answer.stats.nodes)),
            Effort::Time(time) => {
                Effort::Time(time.saturating_sub(Duration::from_secs_f64(answer.stats.seconds)))
            }
        }
    }
}

/// What a player wants to know of a phase that is not won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Want {
    /// Nothing more: all effort goes into the win.
    Win,
    /// The most cards, in a last phase: the search for it gets the effort that a proof of no win leaves.
    Most,
    /// How it may end.
    Ends,
    /// The end of the greatest value with this number of redeals left.
    Best(u8),
}

/// What is known about a phase.
#[derive(Clone, Debug)]
pub struct Thought {
    pub status: Status,
    /// The most locked cards found; `line` leads to them.
    pub score: u32,
    pub line: Vec<Step>,
    /// The ends found: stuck positions, or all positions if a redeal may come at any time.
    pub ends: Ends,
    /// True if these are all the ends of a phase that cannot be won.
    pub is_complete: bool,
}

/// Thinks about a phase: first searches for a win. Where ends are wanted, a quarter of the effort is reserved for them,
/// and what a proof of no win leaves. `worth` gives the values of ends where only the best one is wanted.
pub fn think(
    rules: &Rules,
    board: &Board,
    want: Want,
    worth: Option<Worth>,
    effort: Effort,
    memory: usize,
    watch: &mut Watch,
) -> Thought {
    let of_all_positions = rules.early_redeal;
    let for_win = if matches!(want, Want::Ends | Want::Best(_)) { effort.most() } else { effort };
    let question = Question {
        aim: Aim::Decide,
        worth: None,
        gather: Some(of_all_positions),
        switches: Switches::ALL,
        limits: for_win.limits(memory),
        threads: 1,
    };
    let answer = search(board, &question, watch);
    let more = match want {
        _ if matches!(answer.status, Status::Solved | Status::Cancelled) => None,
        Want::Win => None,
        Want::Most => (answer.status == Status::Unsolvable).then_some(Aim::Maximize),
        Want::Ends | Want::Best(_) => Some(Aim::Ends { of_all_positions }),
    };
    let rest = more.map(|aim| {
        let limits = effort.without(&answer).limits(memory);
        let board = if aim == Aim::Maximize { board.clone() } else { still(rules, board) };
        let worth = worth.filter(|_| matches!(want, Want::Best(_)));
        let worth = worth
            .map(|worth| worth.beside(answer.ends.iter().flat_map(Ends::iter).map(|(vector, _)| vector)));
        search(&board, &Question { aim, worth, limits, ..question }, watch)
    });
    let Answer { status, score, line, ends, .. } = answer;
    let mut thought = Thought { status, score, line, ends: ends.unwrap_or_default(), is_complete: false };
    if let Some(rest) = rest {
        // The ends were searched for with 2s that stay. Where each row has its 2, none can hop anyway.
        let is_still = !board.twos_hop() || board.runs().iter().all(|&run| run > 0);
        thought.is_complete = status == Status::Unsolvable && rest.is_complete && is_still;
        thought.ends.merge(rest.ends.unwrap_or_default());
        if rest.score > thought.score {
            (thought.score, thought.line) = (rest.score, rest.line);
        }
        if matches!(rest.status, Status::Solved | Status::Cancelled) {
            thought.status = rest.status;
        }
    }
    thought
}

/// Returns the same board with 2s that stay in column 1. What can be played on it can be played where they are free,
/// and no line is long: with hops a search for ends goes a hundred thousand moves deep.
fn still(rules: &Rules, board: &Board) -> Board {
    if !board.twos_hop() {
        return board.clone();
    }
    Board::new(&Rules { twos_locked: true, ..*rules }, *board.cards())
}
