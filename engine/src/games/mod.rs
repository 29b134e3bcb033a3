//! The games, and how they are found: by id and rules, with positions and moves as text.

mod aces_up;
mod advised;
mod agnes;
mod belle_lucie;
mod fields;
mod fixed;
mod gaps;
mod playing;
pub mod spider;
mod tracing;

use std::time::Duration;

use crate::Fault;
use crate::rng::Decks;
use crate::search::{self, Outcome, Task, Watch};
use fixed::Fixed;

pub use aces_up::AcesUp;
pub use advised::{
    Advised, Game, PhaseEnd, PhaseFound, PhaseSample, PhaseSampling, PhaseTask, Plan, Results, Sampled,
    Sampling, Stop, Tally, WeighedPlan, Weighing,
};
pub use agnes::Agnes;
pub use belle_lucie::BelleLucie;
pub use fields::Fields;
pub use fixed::{FixedGame, Found, Played, Start};
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
