//! A game with its rules fixed, with positions and moves as text: what the border to Python is given.

use std::ops::Range;
use std::time::Duration;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::tracing::JsonTracer;
use super::{
    Advised, Notation, PhaseEnd, PhaseFound, PhaseSample, PhaseSampling, PhaseTask, Plan, Player, Players,
    Sampled, Sampling, Stop, Tally, WeighedPlan, Weighing, playing,
};
use crate::Fault;
use crate::rng::Decks;
use crate::search::{self, Outcome, Stats, Status, Task, Watch};

/// Where a search starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// A position as text.
    Position(String),
    /// The first deck of a deal number.
    Seed(u64),
}

/// What a search found, with its moves as text.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    pub status: Status,
    pub moves: Vec<String>,
    pub score: i32,
    pub score_proved: bool,
    pub stats: Stats,
}

/// A position reached by moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    pub position: String,
    /// `won`, `stuck` (no legal move, nor an unknown redeal), or nothing while the game goes on.
    pub outcome: Option<&'static str>,
    pub score: i32,
}

/// A game with its rules fixed: all that the border to Python needs to know of it.
pub trait FixedGame: Send + Sync {
    fn deck_size(&self) -> usize;
    fn deal(&self, decks: &mut Decks) -> String;
    fn legal_moves(&self, position: &str) -> Result<Vec<String>, Fault>;
    fn play(&self, position: &str, moves: &[String]) -> Result<Played, Fault>;
    fn perft(&self, position: &str, depth: u32, stop: &mut dyn FnMut() -> bool)
    -> Result<Option<u64>, Fault>;
    fn solve(&self, start: &Start, task: &Task, watch: &mut Watch) -> Result<Found, Fault>;
    /// Solves by the general search, which knows all rules, and writes a line of JSON for every position
    /// that it comes to; `write` is given many whole lines at a time.
    fn trace(
        &self,
        start: &Start,
        task: &Task,
        watch: &mut Watch,
        write: &mut dyn FnMut(&str),
    ) -> Result<Found, Fault>;
    /// Moves to the same outcome as these and no lower score, and no more of them; see [`Notation::shorten`].
    fn shorten(
        &self,
        position: &str,
        moves: &[String],
        time: Duration,
        watch: &mut Watch,
    ) -> Result<Vec<String>, Fault>;
    /// Sits down to play by a policy.
    fn player(self: Box<Self>, policy: &str, values: Option<&[u8]>) -> Result<Box<dyn Player>, Fault>;
    /// Those who sit down to play by several policies.
    fn players(
        self: Box<Self>,
        policies: &[String],
        values: Option<&[u8]>,
    ) -> Result<Box<dyn Players>, Fault>;
    /// Plans one deal by these values.
    fn plan(
        &self,
        position: &str,
        values: &[u8],
        at_most: usize,
        watch: &mut Watch,
    ) -> Result<Plan<String>, Fault>;
    /// Values states; those that do not exist are refused.
    fn sample(
        &self,
        states: &[usize],
        sampling: &Sampling<()>,
        values: Option<&[u8]>,
    ) -> Result<Vec<Sampled>, Fault>;
    /// Searches the play between two deals.
    fn phase(&self, start: &Start, task: &PhaseTask, watch: &mut Watch) -> Result<PhaseFound<String>, Fault>;
    /// Deals phases by chance; see [`Advised::sample_phases`].
    fn sample_phases(&self, sampling: &PhaseSampling, watch: &mut Watch) -> Result<Vec<PhaseSample>, Fault>;
    /// Weighs moves by playing on from them; see [`Advised::playouts`].
    fn playouts(
        &self,
        position: &str,
        moves: &[String],
        samples: u64,
        luck: &mut Decks,
        pool: &ThreadPool,
        watch: &mut Watch,
    ) -> Result<Vec<Tally>, Fault>;
    /// Weighs plans; see [`Advised::weigh`].
    fn weigh(
        &self,
        position: &str,
        samples: u32,
        values: Option<&[u8]>,
        luck: &mut Decks,
        watch: &mut Watch,
    ) -> Result<Weighing<String>, Fault>;
    /// Finds the numbers of a value; see [`Advised::train`].
    fn train(&self, numbers: Option<&[u8]>, seed: u64, games: Range<u64>, of: u64) -> Result<Vec<u8>, Fault>;
}

/// The same for any game that can be searched, played and advised on.
pub(super) struct Fixed<G: Notation> {
    pub(super) rules: G::Rules,
}

pub(super) fn start_of<G: Notation>(rules: &G::Rules, start: &Start) -> Result<G, Fault> {
    match start {
        Start::Position(text) => G::parse(rules, text),
        Start::Seed(seed) => Ok(G::deal(rules, &mut Decks::new(*seed))),
    }
}

/// The legal move of this text; what is wrong is told with the position.
fn read_move<G: Notation>(game: &G, token: &str) -> Result<G::Move, Fault> {
    game.parse_token(token).map_err(|reason| {
        let table = game.text().lines().collect::<Vec<_>>().join(" | ");
        Fault::new(format!("illegal move {token:?} in {table:?}: {reason}"))
    })
}

/// Plays a line, and gives its moves as text.
pub(super) fn tokens<G: Notation>(game: &mut G, line: &[G::Move]) -> Vec<String> {
    let mut tokens = Vec::with_capacity(line.len());
    for &m in line {
        tokens.push(game.token(m));
        game.apply(m);
    }
    tokens
}

/// Plays moves given as text.
fn play_tokens<G: Notation>(game: &mut G, tokens: &[String]) -> Result<Vec<G::Move>, Fault> {
    let mut line = Vec::with_capacity(tokens.len());
    for token in tokens {
        let m = read_move(game, token)?;
        line.push(m);
        game.apply(m);
    }
    Ok(line)
}

/// The outcome of a search from this position, its moves as text.
fn in_words<G: Notation>(mut game: G, outcome: Outcome<G::Move>) -> Found {
    let Outcome { status, moves, score, score_proved, stats } = outcome;
    Found { status, moves: tokens(&mut game, &moves), score, score_proved, stats }
}

impl<G: Advised + 'static> FixedGame for Fixed<G> {
    fn deck_size(&self) -> usize {
        G::deck_size(&self.rules)
    }

    fn deal(&self, decks: &mut Decks) -> String {
        G::deal(&self.rules, decks).text()
    }

    fn legal_moves(&self, position: &str) -> Result<Vec<String>, Fault> {
        let game = G::parse(&self.rules, position)?;
        let mut moves = Vec::new();
        game.moves(&mut moves);
        Ok(moves.into_iter().map(|m| game.token(m)).collect())
    }

    fn play(&self, position: &str, moves: &[String]) -> Result<Played, Fault> {
        let mut game = G::parse(&self.rules, position)?;
        play_tokens(&mut game, moves)?;
        let mut further = Vec::new();
        game.moves(&mut further);
        let outcome = match (game.is_won(), further.is_empty()) {
            (true, _) => Some("won"),
            (false, true) if !game.waits_for_chance() => Some("stuck"),
            (false, _) => None,
        };
        Ok(Played { position: game.text(), outcome, score: game.score() })
    }

    fn perft(
        &self,
        position: &str,
        depth: u32,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Option<u64>, Fault> {
        if depth > search::MOST_DEPTH {
            let most = search::MOST_DEPTH;
            return Err(Fault::new(format!("depth={depth} is not allowed; expected 0 to {most}")));
        }
        let game = G::parse(&self.rules, position)?;
        Ok(search::perft(&mut game.within_search(), depth, stop))
    }

    fn solve(&self, start: &Start, task: &Task, watch: &mut Watch) -> Result<Found, Fault> {
        let game = start_of::<G>(&self.rules, start)?;
        game.check_open()?;
        let outcome = game.search(task, watch);
        Ok(in_words(game, outcome))
    }

    fn trace(
        &self,
        start: &Start,
        task: &Task,
        watch: &mut Watch,
        write: &mut dyn FnMut(&str),
    ) -> Result<Found, Fault> {
        let game = start_of::<G>(&self.rules, start)?;
        game.check_open()?;
        let mut tracer = JsonTracer::new(write);
        let outcome = search::search_with(&mut game.within_search(), task, watch, &mut tracer);
        tracer.finish();
        Ok(in_words(game, outcome))
    }

    fn shorten(
        &self,
        position: &str,
        moves: &[String],
        time: Duration,
        watch: &mut Watch,
    ) -> Result<Vec<String>, Fault> {
        let mut game = G::parse(&self.rules, position)?;
        let line = play_tokens(&mut game.clone(), moves)?;
        let shorter = game.shorten(&line, time, watch);
        Ok(tokens(&mut game, &shorter))
    }

    fn player(self: Box<Self>, policy: &str, values: Option<&[u8]>) -> Result<Box<dyn Player>, Fault> {
        playing::sit_down::<G>(self.rules, policy, values)
    }

    fn players(
        self: Box<Self>,
        policies: &[String],
        values: Option<&[u8]>,
    ) -> Result<Box<dyn Players>, Fault> {
        playing::sit_together::<G>(self.rules, policies, values)
    }

    fn plan(
        &self,
        position: &str,
        values: &[u8],
        at_most: usize,
        watch: &mut Watch,
    ) -> Result<Plan<String>, Fault> {
        let game = G::parse(&self.rules, position)?;
        let policy = G::policy(&self.rules, "value", Some(values))?;
        let plan = game.plan(&policy, at_most, watch)?;
        let words = |stop: Stop<G::Move>| Stop {
            moves: tokens(&mut game.clone(), &stop.moves),
            heights: stop.heights,
            mercis: stop.mercis,
            value: stop.value,
        };
        let Plan { stops, most, is_won, redeals, is_complete, nodes, seconds } = plan;
        let stops = stops.into_iter().map(words).collect();
        Ok(Plan { stops, most: words(most), is_won, redeals, is_complete, nodes, seconds })
    }

    fn sample(
        &self,
        states: &[usize],
        sampling: &Sampling<()>,
        values: Option<&[u8]>,
    ) -> Result<Vec<Sampled>, Fault> {
        if let Some(state) = states.iter().find(|&&state| state >= G::states()) {
            return Err(Fault::new(format!("there is no state {state}; there are {}", G::states())));
        }
        let policy = values.map(|values| G::policy(&self.rules, "value", Some(values))).transpose()?;
        let Sampling { redeals_left, mercis, samples, seed, .. } = *sampling;
        if redeals_left > 0 && policy.is_none() {
            return Err(Fault::new("with redeals left the values after them are needed"));
        }
        let sampling = Sampling { redeals_left, mercis, samples, seed, policy };
        states.par_iter().map(|&state| G::sample(&self.rules, state, &sampling)).collect()
    }

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

    fn playouts(
        &self,
        position: &str,
        moves: &[String],
        samples: u64,
        luck: &mut Decks,
        pool: &ThreadPool,
        watch: &mut Watch,
    ) -> Result<Vec<Tally>, Fault> {
        let game = G::parse(&self.rules, position)?;
        let moves = moves.iter().map(|token| read_move(&game, token)).collect::<Result<Vec<_>, _>>()?;
        game.playouts(&moves, samples, luck, pool, watch)
    }

    fn weigh(
        &self,
        position: &str,
        samples: u32,
        values: Option<&[u8]>,
        luck: &mut Decks,
        watch: &mut Watch,
    ) -> Result<Weighing<String>, Fault> {
        let game = G::parse(&self.rules, position)?;
        let Weighing { plans, is_won, is_open, samples, playouts, seconds } =
            game.weigh(samples, values, luck, watch)?;
        let words = |plan: WeighedPlan<G::Move>| {
            let WeighedPlan { moves, chance, samples, cost } = plan;
            WeighedPlan { moves: tokens(&mut game.clone(), &moves), chance, samples, cost }
        };
        let plans = plans.into_iter().map(words).collect();
        Ok(Weighing { plans, is_won, is_open, samples, playouts, seconds })
    }

    fn train(&self, numbers: Option<&[u8]>, seed: u64, games: Range<u64>, of: u64) -> Result<Vec<u8>, Fault> {
        G::train(&self.rules, numbers, seed, games, of)
    }
}
