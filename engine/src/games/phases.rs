//! Games that are searched phase by phase: the play between two deals, and how it may end.

use std::ops::Range;

use super::fixed::{Fixed, start_of, tokens};
use super::{Playable, Start};
use crate::Fault;
use crate::search::{Limits, Stats, Status, Watch};

/// A game with phases.
pub trait HasPhases: Playable {
    /// Searches the play between two deals, and collects how it may end.
    fn phase(&self, task: &PhaseTask, watch: &mut Watch) -> Result<PhaseFound<Self::Move>, Fault>;

    /// Deals phases, at random or all that exist, and finds out how each may end.
    fn sample_phases(
        rules: &Self::Rules,
        sampling: &PhaseSampling,
        watch: &mut Watch,
    ) -> Result<Vec<PhaseSample>, Fault>;
}

/// [`HasPhases`] with the rules fixed, positions and moves as text.
pub trait Phasing: Send + Sync {
    /// See [`HasPhases::phase`].
    fn phase(&self, start: &Start, task: &PhaseTask, watch: &mut Watch) -> Result<PhaseFound<String>, Fault>;
    /// See [`HasPhases::sample_phases`].
    fn sample_phases(&self, sampling: &PhaseSampling, watch: &mut Watch) -> Result<Vec<PhaseSample>, Fault>;
}

impl<G: HasPhases> Phasing for Fixed<G> {
    fn phase(&self, start: &Start, task: &PhaseTask, watch: &mut Watch) -> Result<PhaseFound<String>, Fault> {
        let game = start_of::<G>(&self.rules, start)?;
        let words = |line: Vec<G::Move>| tokens(&mut game.clone(), &line);
        let PhaseFound { status, moves, score, score_proved, bound, ends, is_complete, stats } =
            game.phase(task, watch)?;
        let end = |PhaseEnd { locks, moves }| PhaseEnd { locks, moves: words(moves) };
        let (moves, ends) = (words(moves), ends.into_iter().map(end).collect());
        Ok(PhaseFound { status, moves, score, score_proved, bound, ends, is_complete, stats })
    }

    fn sample_phases(&self, sampling: &PhaseSampling, watch: &mut Watch) -> Result<Vec<PhaseSample>, Fault> {
        G::sample_phases(&self.rules, sampling, watch)
    }
}

/// The search task for the play between two deals.
#[derive(Clone, Debug)]
pub struct PhaseTask {
    pub limits: Limits,
    pub threads: usize,
    /// Names of pruning techniques that are switched off.
    pub without: Vec<String>,
    /// Prove the best score.
    pub maximize: bool,
    /// Collect the ends: all of them, once a win is ruled out.
    pub ends: bool,
}

/// What the search of the play between two deals found.
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseFound<M> {
    pub status: Status,
    pub moves: Vec<M>,
    pub score: i32,
    pub score_proved: bool,
    /// An upper bound on the score of any line.
    pub bound: i32,
    pub ends: Vec<PhaseEnd<M>>,
    /// True if there are no other ends.
    pub is_complete: bool,
    pub stats: Stats,
}

/// A way in which the play between two deals may end, with the shortest line found to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhaseEnd<M> {
    /// Suit and length of the locked run of each row; the suit is empty for a row without a run.
    pub locks: Vec<(String, u8)>,
    pub moves: Vec<M>,
}

/// Which phases are dealt: those after a redeal that keeps these runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhaseSampling {
    /// The lengths of the runs.
    pub shape: Vec<u8>,
    /// The seed of random samples; `None` stands for all deals that exist, each once.
    pub seed: Option<u64>,
    /// The numbers of the samples.
    pub samples: Range<u64>,
    /// The node limit for each.
    pub nodes: u64,
    pub memory: usize,
}

/// One sampled phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhaseSample {
    pub status: Status,
    /// The shapes that the search found at the end of the phase, as indices into the list of all shapes.
    pub shapes: Vec<usize>,
}
