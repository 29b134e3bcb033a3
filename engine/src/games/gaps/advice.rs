//! The policies of Gaps, and the search of the current phase for advice: the ways in which it may end.

use super::board::{Board, Vector};
use super::phase::{Answer, Question, search};
use super::players::{Policy, Thoughts, play};
use super::rules::Rules;
use super::sample::sample;
use super::switches::Switches;
use super::table::{Gaps, Move};
use super::walk::Aim;
use crate::Fault;
use crate::games::fixed::{start_of, tokens};
use crate::games::{
    HasPhases, PhaseEnd, PhaseFound, PhaseSample, PhaseSampling, PhaseTask, PlaysPolicies, Results, Start,
};
use crate::rng::Decks;
use crate::search::{Game, Limits, Status, Watch};

impl PlaysPolicies for Gaps {
    type Policy = Policy;

    /// Reads `max-locked:300000`, `value:0.3s` or `fresh:2s`.
    fn policy(rules: &Rules, name: &str, values: Option<&[u8]>) -> Result<Policy, Fault> {
        Policy::read(rules, name, values)
    }

    fn play_by(&self, policy: &Policy, _: &mut Decks, watch: &mut Watch) -> Result<Vec<Move>, Fault> {
        play(self, policy, &mut Thoughts::default(), watch)
    }

    /// Keeps the lines, which cost little beside the searches. All policies share the results of their searches.
    fn play_all(
        rules: &Rules,
        policies: &[&Policy],
        starts: &[(Start, u64)],
        watch: &mut Watch,
    ) -> Result<Vec<Results>, Fault> {
        let mut results = vec![Results { lines: Some(Vec::new()), ..Results::default() }; policies.len()];
        for (start, _) in starts {
            let start: Gaps = start_of(rules, start)?;
            let mut thoughts = Thoughts::default();
            for (policy, results) in policies.iter().zip(&mut results) {
                let line = play(&start, policy, &mut thoughts, watch)?;
                let mut game = start.clone();
                let tokens = tokens(&mut game, &line);
                results.push(game.score(), game.is_won(), None)?;
                results.lines.get_or_insert_default().push(tokens);
            }
        }
        Ok(results)
    }
}

impl HasPhases for Gaps {
    fn sample_phases(
        rules: &Rules,
        sampling: &PhaseSampling,
        watch: &mut Watch,
    ) -> Result<Vec<PhaseSample>, Fault> {
        sample(rules, sampling, watch)
    }

    fn phase(&self, task: &PhaseTask, watch: &mut Watch) -> Result<PhaseFound<Move>, Fault> {
        let of_all_positions = self.rules.early_redeal;
        let question = Question {
            worth: None,
            aim: if task.maximize { Aim::Maximize } else { Aim::Decide },
            gather: task.ends.then_some(of_all_positions),
            switches: Switches::without(&task.without)?,
            limits: task.limits,
            threads: task.threads.max(1),
        };
        let mut answer = search(&self.board, &question, watch);
        if task.ends && answer.status == Status::Unsolvable {
            // There is no win, so the question is which ends to keep: none may be pruned.
            let aim = Aim::Ends { of_all_positions };
            let limits = left(&task.limits, &answer);
            let rest = search(&self.board, &Question { aim, limits, ..question }, watch);
            answer = both(answer, rest);
        }
        let moves = |line: Vec<_>| line.into_iter().map(Move::ToGap).collect();
        let Answer { status, score, line, score_proved, bound, ends, is_complete, stats } = answer;
        let ends = ends.map(|ends| ends.sorted()).unwrap_or_default();
        let end = |(vector, line)| PhaseEnd { locks: locks(vector), moves: moves(line) };
        Ok(PhaseFound {
            status,
            moves: moves(line),
            score: score as i32,
            score_proved,
            bound: bound as i32,
            ends: ends.into_iter().map(end).collect(),
            is_complete,
            stats,
        })
    }
}

/// Returns the limits less what a search has used.
fn left(limits: &Limits, answer: &Answer) -> Limits {
    let spent = std::time::Duration::from_secs_f64(answer.stats.seconds);
    Limits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_sub(answer.stats.nodes)),
        time: limits.time.map(|time| time.saturating_sub(spent)),
        memory: limits.memory,
    }
}

/// Adds the results of a search for ends to a phase without a win. The verdict stands.
fn both(decided: Answer, rest: Answer) -> Answer {
    let (more, other) = if rest.score > decided.score { (rest, decided) } else { (decided, rest) };
    let mut ends = more.ends.unwrap_or_default();
    ends.merge(other.ends.unwrap_or_default());
    let mut stats = more.stats.and(&other.stats);
    stats.table_entries = more.stats.table_entries.max(other.stats.table_entries);
    Answer {
        status: Status::Unsolvable,
        score_proved: more.score_proved || other.score_proved,
        bound: more.bound.min(other.bound),
        ends: Some(ends),
        is_complete: more.is_complete || other.is_complete,
        stats,
        score: more.score,
        line: more.line,
    }
}

fn locks(vector: Vector) -> Vec<(String, u8)> {
    let name = |(suit, length): (u8, u8)| match length {
        0 => (String::new(), 0),
        _ => (["C", "D", "H", "S"][suit as usize].to_string(), length),
    };
    Board::runs_of(vector).map(name).to_vec()
}
