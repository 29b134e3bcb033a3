//! The table of games: a row for each game with its capabilities, filled by `games!` in the parent module.

use super::fixed::Fixed;
use super::{
    FixedGame, GAMES, HasPhases, Learning, Learns, Phasing, Playable, Playing, PlayingOut, Playouts,
    PlaysPolicies, Refusal, StoppingDeals, StopsDeals, WeighingPlans, WeighsPlans,
};
use crate::Fault;
use crate::envs::{LayingTables, Stepped};

/// Declares the modules of the games and the table. Each row is `folder::Type as "id": what, it, has;`, where the words
/// are methods of [`Entry`]. A module that the examples use is `pub`.
macro_rules! games {
    ($($vis:vis $module:ident::$Game:ident as $id:literal: $($has:ident),*;)+) => {
        $($vis mod $module;)+

        /// Every game, in the order of the ids.
        pub static GAMES: &[Entry] =
            &[$(Entry::of::<$module::$Game>($id)$(.$has::<$module::$Game>())*),+];
    };
}

/// Rules as pairs of field and value.
pub type Given = Vec<(String, String)>;

/// Opens a face of the game of this id with these rules.
pub type Open<F> = fn(&'static str, Given) -> Result<Box<F>, Refusal>;

/// The faces of one game; `None` for a capability that the game lacks.
pub struct Entry {
    pub id: &'static str,
    fixed: Open<dyn FixedGame>,
    steps: Option<Open<dyn LayingTables>>,
    policies: Option<Open<dyn Playing>>,
    playouts: Option<Open<dyn PlayingOut>>,
    plans: Option<Open<dyn WeighingPlans>>,
    stops: Option<Open<dyn StoppingDeals>>,
    phases: Option<Open<dyn Phasing>>,
    learning: Option<Open<dyn Learning>>,
}

/// Defines the builder methods of a row: each adds the face of one trait.
macro_rules! columns {
    ($($(#[$doc:meta])* $method:ident: $Trait:ident => $column:ident;)+) => {
        $($(#[$doc])*
        pub(super) const fn $method<G: $Trait>(mut self) -> Entry {
            self.$column = Some(|id, given| Ok(Box::new(Fixed::<G>::read(id, given)?)));
            self
        })+
    };
}

impl Entry {
    /// Returns the row of a game that can be searched and played at random, and nothing else.
    pub(super) const fn of<G: Playable>(id: &'static str) -> Entry {
        Entry {
            id,
            fixed: |id, given| Ok(Box::new(Fixed::<G>::read(id, given)?)),
            steps: None,
            policies: None,
            playouts: None,
            plans: None,
            stops: None,
            phases: None,
            learning: None,
        }
    }

    columns! {
        /// Adds the environment.
        stepped: Stepped => steps;
        /// Adds the game's own policies.
        plays: PlaysPolicies => policies;
        /// Adds the evaluation of moves by playouts.
        plays_out: Playouts => playouts;
        /// Adds the evaluation of plans.
        weighs_plans: WeighsPlans => plans;
        /// Adds plans for where to stop in a deal.
        stops_deals: StopsDeals => stops;
        /// Adds the search phase by phase.
        has_phases: HasPhases => phases;
        /// Adds training by self-play.
        learns: Learns => learning;
    }
}

/// A capability of games as an object-safe trait: a column of the table.
pub trait Face {
    /// The capability as error messages name it.
    const WHAT: &'static str;

    fn of(row: &Entry) -> Option<Open<Self>>;
}

macro_rules! faces {
    ($($Face:ident => $column:ident, $what:literal;)+) => {
        $(impl Face for dyn $Face {
            const WHAT: &'static str = $what;

            fn of(row: &Entry) -> Option<Open<Self>> {
                row.$column
            }
        })+
    };
}

impl Face for dyn FixedGame {
    const WHAT: &'static str = "rules";

    fn of(row: &Entry) -> Option<Open<Self>> {
        Some(row.fixed)
    }
}

faces! {
    LayingTables => steps, "environment";
    Playing => policies, "policies but random";
    PlayingOut => playouts, "playouts";
    WeighingPlans => plans, "plans that are weighed";
    StoppingDeals => stops, "plans";
    Phasing => phases, "phases";
    Learning => learning, "training";
}

/// Returns the ids of all games.
pub fn ids() -> Vec<&'static str> {
    GAMES.iter().map(|row| row.id).collect()
}

/// Returns the game of this id, with its rules given as pairs of field and value.
pub fn open(id: &str, given: Given) -> Result<Box<dyn FixedGame>, Refusal> {
    open_as::<dyn FixedGame>(id, given)
}

/// Returns a face of the game of this id, with its rules given as pairs of field and value.
pub fn open_as<F: Face + ?Sized>(id: &str, given: Given) -> Result<Box<F>, Refusal> {
    let row = GAMES
        .iter()
        .find(|row| row.id == id)
        .ok_or_else(|| unsupported(format!("the engine has no game {id:?}; it has {}", ids().join(", "))))?;
    let open = F::of(row).ok_or_else(|| unsupported(format!("the engine has no {} of {id}", F::WHAT)))?;
    open(row.id, given)
}

fn unsupported(text: String) -> Refusal {
    Refusal::Unsupported(Fault::new(text))
}
