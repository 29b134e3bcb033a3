//! The games, and how they are found: by id and rules, with positions and moves as text.

mod aces_up;
mod advised;
mod agnes;
mod belle_lucie;
mod fields;
mod gaps;
mod playing;
pub mod spider;
mod tracing;

use std::ops::Range;
use std::time::Duration;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::Fault;
use crate::rng::Decks;
use crate::search::{self, Outcome, Stats, Status, Task, Watch};
use tracing::JsonTracer;

pub use aces_up::AcesUp;
pub use advised::{
    Advised, Game, PhaseEnd, PhaseFound, PhaseSample, PhaseSampling, PhaseTask, Plan, Results, Sampled,
    Sampling, Stop, Tally, WeighedPlan, Weighing,
};
pub use agnes::Agnes;
pub use belle_lucie::BelleLucie;
pub use fields::Fields;
pub use gaps::Gaps;
pub use playing::{Player, Players};
pub use spider::Spider;

/// What a game adds to [`search::Game`] to be reached from outside: its rules and its text.
pub trait Notation: search::Game + Clone {
    /// The rules that matter to the engine, read and checked.
    type Rules: Send + Sync;

    const ID: &'static str;
    /// Cards of a deck under the usual rules.
    const DECK: usize;

    /// Cards of a deck under these rules.
    fn deck_size(_: &Self::Rules) -> usize {
        Self::DECK
    }

    fn rules(fields: &mut Fields) -> Result<Self::Rules, Refusal>;
    fn deal(rules: &Self::Rules, decks: &mut Decks) -> Self;
    /// Reads a position, and says what is wrong with it.
    fn parse(rules: &Self::Rules, text: &str) -> Result<Self, Fault>;
    /// The text of the position; `parse` is its inverse.
    fn text(&self) -> String;
    /// The text of a legal move.
    fn token(&self, m: Self::Move) -> String;
    /// The legal move of this text, or why it is none.
    fn parse_token(&self, token: &str) -> Result<Self::Move, Fault>;

    /// Says why the position cannot be searched: its play hangs on an order that no one knows.
    fn check_open(&self) -> Result<(), Fault> {
        Ok(())
    }

    /// The position as move counts and the general search see it. A game that is searched one phase at a time
    /// leaves its redeals out.
    fn within_search(&self) -> Self {
        self.clone()
    }

    /// Searches from this position. A game may know a faster search for some of its rules.
    fn search(&self, task: &Task, watch: &mut Watch) -> Outcome<Self::Move> {
        search::search(&mut self.within_search(), task, watch)
    }

    /// A line of legal moves from here to the same outcome as this one, with no lower score and no longer. For
    /// games whose searches find lines that wander. Where that takes a search of its own, it has so much time.
    fn shorten(&self, line: &[Self::Move], _time: Duration, _watch: &mut Watch) -> Vec<Self::Move> {
        line.to_vec()
    }
}

/// Why a game cannot be had under some rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// No such game or field, or not a value of that field.
    Invalid(Fault),
    /// Sound rules that the engine does not know.
    Unsupported(Fault),
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        match refusal {
            Refusal::Invalid(fault) | Refusal::Unsupported(fault) => fault,
        }
    }
}

/// The ids of all games.
pub fn ids() -> Vec<&'static str> {
    vec![AcesUp::ID, Agnes::ID, BelleLucie::ID, Gaps::ID, Spider::ID]
}

/// The game of this id, with its rules fixed by pairs of field and value.
pub fn open(id: &str, fields: Vec<(String, String)>) -> Result<Box<dyn FixedGame>, Refusal> {
    match id {
        AcesUp::ID => fix::<AcesUp>(fields),
        Agnes::ID => fix::<Agnes>(fields),
        BelleLucie::ID => fix::<BelleLucie>(fields),
        Gaps::ID => fix::<Gaps>(fields),
        Spider::ID => fix::<Spider>(fields),
        _ => Err(Refusal::Unsupported(Fault::new(format!(
            "the engine has no game {id:?}; it has {}",
            ids().join(", ")
        )))),
    }
}

fn fix<G: Advised + 'static>(given: Vec<(String, String)>) -> Result<Box<dyn FixedGame>, Refusal> {
    Ok(Box::new(Fixed::<G> { rules: read_rules::<G>(given)? }))
}

/// The rules of a game from pairs of field and value.
pub(crate) fn read_rules<G: Notation>(given: Vec<(String, String)>) -> Result<G::Rules, Refusal> {
    let mut fields = Fields { game: G::ID, given };
    let rules = G::rules(&mut fields);
    // Rules with a field that no one knows mean nothing, so that is told before "not supported".
    if !matches!(rules, Err(Refusal::Invalid(_))) {
        fields.finish().map_err(Refusal::Invalid)?;
    }
    rules
}

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

struct Fixed<G: Notation> {
    rules: G::Rules,
}

fn start_of<G: Notation>(rules: &G::Rules, start: &Start) -> Result<G, Fault> {
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
fn tokens<G: Notation>(game: &mut G, line: &[G::Move]) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|&(name, value)| (name.to_string(), value.to_string())).collect()
    }

    fn refusal(id: &str, pairs: &[(&str, &str)]) -> Refusal {
        open(id, fields(pairs)).err().expect("these rules are refused")
    }

    #[test]
    fn what_is_not_supported_is_told_from_what_is_wrong() {
        let unsupported = |refusal| matches!(refusal, Refusal::Unsupported(_));
        assert!(unsupported(refusal("klondike", &[])));
        assert!(!unsupported(refusal("belle-lucie", &[("redeals", "10")])));
        assert!(!unsupported(refusal("belle-lucie", &[("build_up", "true")])));
        assert!(!unsupported(refusal("belle-lucie", &[("merci", "")])));
        assert!(!unsupported(refusal("belle-lucie", &[("reserve", "1")])));
        assert!(!unsupported(refusal("belle-lucie", &[("redeals", "2"), ("reserve", "1")])));
    }

    #[test]
    fn a_refusal_names_field_value_and_what_was_expected() {
        let text = Fault::from(refusal("belle-lucie", &[("fan_size", "14")])).to_string();
        assert_eq!(text, "belle-lucie: fan_size=\"14\" is not allowed; expected a number from 1 to 13");
    }

    #[test]
    fn every_game_opens_with_its_default_rules() {
        for id in ids() {
            let game = open(id, Vec::new()).expect("the default rules are supported");
            let dealt = game.deal(&mut Decks::new(1));
            assert_eq!(game.play(&dealt, &[]).map(|played| played.position), Ok(dealt));
        }
    }
}
