//! A game with its rules fixed, with positions and moves as text, as the Python bindings use it.

use std::time::Duration;

use super::playable::read_rules;
use super::policies::ramble;
use super::tracing::JsonTracer;
use super::{Game, Given, Playable, Refusal, Results, policies};
use crate::Fault;
use crate::rng::Decks;
use crate::search::{self, Outcome, Stats, Status, Task, Watch};

/// Where a search starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// A position as text.
    Position(String),
    /// The first deck of a seed.
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

/// The result of playing moves from a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    pub position: String,
    /// `won`, `stuck` (no legal move and no redeal whose order is unknown), or `None` while the game goes on.
    pub outcome: Option<&'static str>,
    pub score: i32,
}

/// A game with its rules fixed: what every game offers to the Python bindings.
pub trait FixedGame: Send + Sync {
    fn deck_size(&self) -> usize;
    fn deal(&self, decks: &mut Decks) -> String;
    fn legal_moves(&self, position: &str) -> Result<Vec<String>, Fault>;
    fn play(&self, position: &str, moves: &[String]) -> Result<Played, Fault>;
    fn perft(&self, position: &str, depth: u32, stop: &mut dyn FnMut() -> bool)
    -> Result<Option<u64>, Fault>;
    fn solve(&self, start: &Start, task: &Task, watch: &mut Watch) -> Result<Found, Fault>;
    /// Solves by the general search, which supports all rules, and writes a line of JSON for every position that it
    /// reaches; each call of `write` gets many whole lines.
    fn trace(
        &self,
        start: &Start,
        task: &Task,
        watch: &mut Watch,
        write: &mut dyn FnMut(&str),
    ) -> Result<Found, Fault>;
    /// Returns a line to the same outcome, with no lower score and no more moves; see [`Playable::shorten`].
    fn shorten(
        &self,
        position: &str,
        moves: &[String],
        time: Duration,
        watch: &mut Watch,
    ) -> Result<Vec<String>, Fault>;
    /// Plays to the end at random: all legal moves are equally likely. `luck` is the seed of the random stream.
    fn ramble(&self, start: &Start, luck: u64, watch: &mut Watch) -> Result<Game, Fault>;
    /// Plays at random from each of these starts.
    fn ramble_all(&self, starts: &[(Start, u64)], watch: &mut Watch) -> Result<Results, Fault>;
}

/// A game with its rules fixed; it implements one [`Face`](super::table::Face) for each capability of the game.
pub struct Fixed<G: Playable> {
    pub(crate) rules: G::Rules,
}

impl<G: Playable> Fixed<G> {
    pub(super) fn read(id: &'static str, given: Given) -> Result<Fixed<G>, Refusal> {
        Ok(Fixed { rules: read_rules::<G>(id, given)? })
    }
}

pub(super) fn start_of<G: Playable>(rules: &G::Rules, start: &Start) -> Result<G, Fault> {
    match start {
        Start::Position(text) => G::parse(rules, text),
        Start::Seed(seed) => Ok(G::deal(rules, &mut Decks::new(*seed))),
    }
}

/// Returns the legal move of a token; an error quotes the position.
pub(super) fn read_move<G: Playable>(game: &G, token: &str) -> Result<G::Move, Fault> {
    game.parse_token(token).map_err(|reason| {
        let table = game.text().lines().collect::<Vec<_>>().join(" | ");
        Fault::new(format!("illegal move {token:?} in {table:?}: {reason}"))
    })
}

/// Plays a line, and returns its tokens.
pub(super) fn tokens<G: Playable>(game: &mut G, line: &[G::Move]) -> Vec<String> {
    let mut tokens = Vec::with_capacity(line.len());
    for &m in line {
        tokens.push(game.token(m));
        game.apply(m);
    }
    tokens
}

/// Plays moves given as text, and returns them.
fn play_tokens<G: Playable>(game: &mut G, tokens: &[String]) -> Result<Vec<G::Move>, Fault> {
    let mut line = Vec::with_capacity(tokens.len());
    for token in tokens {
        let m = read_move(game, token)?;
        line.push(m);
        game.apply(m);
    }
    Ok(line)
}

/// Returns the outcome of a search from this position, with its moves as text.
fn in_words<G: Playable>(mut game: G, outcome: Outcome<G::Move>) -> Found {
    let Outcome { status, moves, score, score_proved, stats } = outcome;
    Found { status, moves: tokens(&mut game, &moves), score, score_proved, stats }
}

impl<G: Playable> FixedGame for Fixed<G> {
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

    fn ramble(&self, start: &Start, luck: u64, watch: &mut Watch) -> Result<Game, Fault> {
        let (game, line) = ramble::<G>(&self.rules, start, luck, watch)?;
        Ok(policies::ended(game, &line))
    }

    fn ramble_all(&self, starts: &[(Start, u64)], watch: &mut Watch) -> Result<Results, Fault> {
        policies::results(starts, |start, luck| ramble::<G>(&self.rules, start, luck, watch))
    }
}
