//! What every game has: rules, a deal, and positions and moves as text.

use std::time::Duration;

use super::{Fields, Given};
use crate::Fault;
use crate::rng::Decks;
use crate::search::{self, Outcome, Task, Watch};

/// What a game adds to [`search::Game`] to be used from outside: its rules and its text. What depends on the rules is a
/// function of them, so that one type may implement many variants.
pub trait Playable: search::Game + Clone + Send + Sync + 'static {
    /// The validated rules that matter to the engine.
    type Rules: Send + Sync;

    fn rules(fields: &mut Fields) -> Result<Self::Rules, Refusal>;
    /// Returns the number of cards of a deck under these rules.
    fn deck_size(rules: &Self::Rules) -> usize;
    fn deal(rules: &Self::Rules, decks: &mut Decks) -> Self;
    /// Parses a position; the error says what is wrong with it.
    fn parse(rules: &Self::Rules, text: &str) -> Result<Self, Fault>;
    /// Returns the text of the position; `parse` is its inverse.
    fn text(&self) -> String;
    /// Returns the text of a legal move.
    fn token(&self, m: Self::Move) -> String;
    /// Returns the legal move of a token, or says why the move is not legal.
    fn parse_token(&self, token: &str) -> Result<Self::Move, Fault>;

    /// Returns an error if the position cannot be searched because its play depends on an unknown order of cards.
    fn check_open(&self) -> Result<(), Fault> {
        Ok(())
    }

    /// Returns the position for move counts and the general search. A game that is searched one phase at a time drops
    /// its redeals here.
    fn within_search(&self) -> Self {
        self.clone()
    }

    /// Searches from this position. A game may have a faster search for some of its rules.
    fn search(&self, task: &Task, watch: &mut Watch) -> Outcome<Self::Move> {
        search::search(&mut self.within_search(), task, watch)
    }

    /// Returns a line of legal moves to the same outcome as this one, with no lower score and no more moves: for games
    /// whose searches find needlessly long lines. Where that takes a search of its own, `_time` is its limit.
    fn shorten(&self, line: &[Self::Move], _time: Duration, _watch: &mut Watch) -> Vec<Self::Move> {
        line.to_vec()
    }

    /// Returns the test for moves of cards on the tableau, which mass play counts in each game; `None` if the game
    /// counts none.
    fn tableau_moves() -> Option<fn(Self::Move) -> bool> {
        None
    }
}

/// Why a game, or one of its capabilities, is not available.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The field does not exist, or the value is not allowed.
    Invalid(Fault),
    /// Valid rules that the engine does not support, an unknown game, or a game without the capability.
    Unsupported(Fault),
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        match refusal {
            Refusal::Invalid(fault) | Refusal::Unsupported(fault) => fault,
        }
    }
}

/// Reads the rules of a game from pairs of field and value; error messages contain the id.
pub(crate) fn read_rules<G: Playable>(id: &'static str, given: Given) -> Result<G::Rules, Refusal> {
    let mut fields = Fields { game: id, given };
    let rules = G::rules(&mut fields);
    // An unknown field makes the rules meaningless, so that error comes before "not supported".
    if !matches!(rules, Err(Refusal::Invalid(_))) {
        fields.finish().map_err(Refusal::Invalid)?;
    }
    rules
}
