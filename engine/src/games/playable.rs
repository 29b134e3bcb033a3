//! What every game has: rules, a deal, and positions and moves as text.

use std::time::Duration;

use super::{Fields, Given};
use crate::Fault;
use crate::rng::Decks;
use crate::search::{self, Outcome, Task, Watch};

/// What a game adds to [`search::Game`] to be reached from outside: its rules and its text. What hangs on the rules is a
/// function of them, so that one type may serve many games.
pub trait Playable: search::Game + Clone + Send + Sync + 'static {
    /// The rules that matter to the engine, read and checked.
    type Rules: Send + Sync;

    fn rules(fields: &mut Fields) -> Result<Self::Rules, Refusal>;
    /// Cards of a deck under these rules.
    fn deck_size(rules: &Self::Rules) -> usize;
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

    /// Tells the moves that mass play counts in each game, those of cards on the table; `None` where it counts none.
    fn tableau_moves() -> Option<fn(Self::Move) -> bool> {
        None
    }
}

/// Why a game, or something of it, cannot be had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// No such field, or not a value of that field.
    Invalid(Fault),
    /// Sound rules that the engine does not know, or no such game, or a game that has nothing of the kind.
    Unsupported(Fault),
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        match refusal {
            Refusal::Invalid(fault) | Refusal::Unsupported(fault) => fault,
        }
    }
}

/// The rules of a game from pairs of field and value; the id is for what is told.
pub(crate) fn read_rules<G: Playable>(id: &'static str, given: Given) -> Result<G::Rules, Refusal> {
    let mut fields = Fields { game: id, given };
    let rules = G::rules(&mut fields);
    // Rules with a field that no one knows mean nothing, so that is told before "not supported".
    if !matches!(rules, Err(Refusal::Invalid(_))) {
        fields.finish().map_err(Refusal::Invalid)?;
    }
    rules
}
