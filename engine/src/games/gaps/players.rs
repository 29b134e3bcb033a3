//! Whole games, phase after phase. A player thinks about each phase when it is dealt, and wins it, or else ends it
//! where its policy prefers and redeals.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

use super::board::{Board, Step, Vector, WON};
use super::peaks::Peaks;
use super::rules::Rules;
use super::shapes::shape_of;
use super::table::{Gaps, Move};
use super::think::{Effort, MEMORY, Thought, Want, think};
use super::values::Values;
use super::walk::Worth;
use crate::Fault;
use crate::games::policies::stopped;
use crate::search::{Game, Status, Watch};

/// With free 2s, which could cycle for ever, a phase ends after this number of moves without a better score.
const PATIENCE: usize = 1000;
/// The largest node budget, against typing errors. The Python side has the same limits.
const MOST_NODES: u64 = 1_000_000_000_000;
const MOST_SECONDS: f64 = 86_400.0;

/// A policy for whole games.
#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    choice: Choice,
    /// The effort for each phase.
    effort: Effort,
}

/// How a phase that is not won ends.
#[derive(Clone, PartialEq, Debug)]
enum Choice {
    /// With the most locked cards.
    MaxLocked,
    /// With the greatest value of the redeal. Where redeals wait until no card can move, the peaks of the values for 1,
    /// 2, ... redeals left prune the search for it.
    Value(Values, Vec<Peaks>),
    /// With as few locked cards as possible.
    Fresh,
}

impl Policy {
    /// Reads `max-locked:300000`, `value:0.3s` or `fresh:2s`.
    pub fn read(rules: &Rules, name: &str, values: Option<&[u8]>) -> Result<Policy, Fault> {
        let (choice, budget) = name.split_once(':').unwrap_or((name, "300000"));
        let effort = read_effort(budget)?;
        let choice = match choice {
            "max-locked" => Choice::MaxLocked,
            "value" => {
                let values = values.ok_or_else(|| Fault::new("the policy value needs a table of values"))?;
                let values = Values::from_bytes(values)?;
                let known = if rules.early_redeal { 0 } else { rules.redeals.min(values.redeals()) };
                let peaks = (1..=known).map(|redeals_left| Peaks::new(&values, redeals_left)).collect();
                Choice::Value(values, peaks)
            }
            "fresh" if !rules.early_redeal => {
                return Err(Fault::new(
                    "the policy fresh gives a phase up at once, and in these rules a redeal waits until no card can move",
                ));
            }
            "fresh" => Choice::Fresh,
            _ => {
                return Err(Fault::new(format!(
                    "the engine has no policy {name:?} of gaps; it has fresh, max-locked, random, value, each of \
                     its own with a budget such as value:300000 or value:0.3s"
                )));
            }
        };
        Ok(Policy { choice, effort })
    }

    /// Returns what the policy needs to know of a phase with this number of redeals left. Where 2s stay no card is ever
    /// unlocked, so the fewest locked cards are those of the start.
    fn want(&self, redeals_left: u8) -> Want {
        match self.choice {
            _ if redeals_left == 0 => Want::Most,
            Choice::Fresh => Want::Win,
            _ if self.worth(redeals_left).is_some() => Want::Best(redeals_left),
            _ => Want::Ends,
        }
    }

    /// Returns the values by which the best end is chosen.
    fn worth(&self, redeals_left: u8) -> Option<Worth<'_>> {
        let Choice::Value(values, peaks) = &self.choice else { return None };
        // For more redeals than the table covers, the last entry is used.
        let peaks = peaks.get(usize::from(redeals_left).min(peaks.len()).checked_sub(1)?)?;
        Some(Worth { values, peaks, found: 0.0 })
    }

    /// Returns the rank of an end, greater is better; more locked cards break ties.
    fn rank(&self, vector: Vector, redeals_left: u8) -> (u32, u32) {
        let locked = locked(vector);
        match &self.choice {
            Choice::MaxLocked => (locked, locked),
            // The bits of floats that are not negative have the same order as the floats.
            Choice::Value(values, _) => (values.of(redeals_left, shape_of(vector)).to_bits(), locked),
            Choice::Fresh => (WON - locked, 0),
        }
    }
}

fn locked(vector: Vector) -> u32 {
    Board::runs_of(vector).iter().map(|&(_, length)| u32::from(length)).sum()
}

fn read_effort(text: &str) -> Result<Effort, Fault> {
    let effort = match text.strip_suffix('s') {
        Some(seconds) => {
            let seconds = seconds.parse().ok().filter(|&seconds| 0.0 < seconds && seconds <= MOST_SECONDS);
            seconds.map(|seconds| Effort::Time(Duration::from_secs_f64(seconds)))
        }
        None => {
            let nodes = text.parse().ok().filter(|nodes| (1..=MOST_NODES).contains(nodes));
            nodes.map(Effort::Nodes)
        }
    };
    effort.ok_or_else(|| {
        Fault::new(format!(
            "{text:?} is no budget of a phase; expected positions such as 300000, or seconds such as 0.3s"
        ))
    })
}

/// The results of thinking about the phases of one game. Players that reach the same board with the same budget get the
/// same result, so they share it.
#[derive(Default)]
pub struct Thoughts(HashMap<(u128, Want, Effort), Thought>);

impl Thoughts {
    fn about(
        &mut self,
        game: &Gaps,
        policy: &Policy,
        redeals_left: u8,
        watch: &mut Watch,
    ) -> Result<&Thought, Fault> {
        let want = policy.want(redeals_left);
        let found = self.0.entry((game.board.key(), want, policy.effort));
        let thought = found.or_insert_with(|| {
            let worth = policy.worth(redeals_left);
            think(&game.rules, &game.board, want, worth, policy.effort, MEMORY, watch)
        });
        if thought.status == Status::Cancelled { Err(stopped()) } else { Ok(thought) }
    }
}

/// Plays to the end.
pub fn play(
    start: &Gaps,
    policy: &Policy,
    thoughts: &mut Thoughts,
    watch: &mut Watch,
) -> Result<Vec<Move>, Fault> {
    let mut game = start.clone();
    if game.decks().len() < usize::from(game.rules.redeals - game.used) && !game.is_won() {
        return Err(Fault::new("the game goes on with a redeal whose order is not known"));
    }
    let mut played = Vec::new();
    while !game.is_won() {
        let redeals_left = game.rules.redeals - game.used;
        let thought = thoughts.about(&game, policy, redeals_left, watch)?;
        for step in line(&game, policy, redeals_left, thought) {
            played.push(Move::ToGap(step));
            game.board.make(step);
        }
        if redeals_left == 0 || game.is_won() {
            break;
        }
        played.push(Move::Redeal);
        game.apply(Move::Redeal);
    }
    Ok(played)
}

/// Returns the moves for the current phase.
fn line(game: &Gaps, policy: &Policy, redeals_left: u8, thought: &Thought) -> Vec<Step> {
    let board = &game.board;
    if redeals_left == 0 || thought.status == Status::Solved && is_patient(board, &thought.line) {
        let mut line = thought.line.clone();
        line.truncate(patient(board, &line));
        return played_out(board, line);
    }
    // If a redeal waits until no card can move, the best line must go on to such a position; it may be the only one
    // that was found.
    let best = (!game.rules.early_redeal).then(|| played_out(board, thought.line.clone()));
    let best = best.map(|line| (vector_after(board, &line), line));
    let ends = thought.ends.iter().map(|(vector, line)| (vector, line.as_slice()));
    let ends = ends.chain(best.iter().map(|(vector, line)| (*vector, line.as_slice())));
    let patient = ends.filter(|(_, line)| is_patient(board, line));
    // Of two lines to one end only the shorter is kept, so the vector breaks every remaining tie.
    let chosen = patient.max_by_key(|(vector, line)| {
        (policy.rank(*vector, redeals_left), Reverse(line.len()), Reverse(*vector))
    });
    chosen.map(|(_, line)| line.to_vec()).unwrap_or_default()
}

/// Returns how many moves of a line its player makes before patience ends.
fn patient(board: &Board, line: &[Step]) -> usize {
    if !board.twos_hop() {
        return line.len();
    }
    let mut board = board.clone();
    let (mut best, mut since) = (board.locked(), 0);
    for (place, &step) in line.iter().enumerate() {
        if since == PATIENCE {
            return place;
        }
        board.make(step);
        since += 1;
        if board.locked() > best {
            (best, since) = (board.locked(), 0);
        }
    }
    line.len()
}

fn is_patient(board: &Board, line: &[Step]) -> bool {
    patient(board, line) == line.len()
}

/// Extends the line by the steps that lock most until no card can move. Free 2s would go on for ever, so then the line
/// stays as it is.
fn played_out(board: &Board, mut line: Vec<Step>) -> Vec<Step> {
    if board.twos_hop() {
        return line;
    }
    let mut board = after(board, &line);
    loop {
        let mut best: Option<(u32, Step)> = None;
        for &step in board.steps().iter() {
            let back = board.make(step);
            if best.is_none_or(|(locked, _)| board.locked() > locked) {
                best = Some((board.locked(), step));
            }
            board.unmake(step, back);
        }
        let Some((_, step)) = best else { return line };
        board.make(step);
        line.push(step);
    }
}

fn after(board: &Board, line: &[Step]) -> Board {
    let mut board = board.clone();
    for &step in line {
        board.make(step);
    }
    board
}

fn vector_after(board: &Board, line: &[Step]) -> Vector {
    after(board, line).vector()
}
