//! The table of games: a row for each, with what it has. `games!` in the module above fills it.

use super::fixed::Fixed;
use super::{
    FixedGame, GAMES, HasPhases, Learning, Learns, Phasing, Playable, Playing, PlayingOut, Playouts,
    PlaysPolicies, Refusal, StoppingDeals, StopsDeals, WeighingPlans, WeighsPlans,
};
use crate::Fault;
use crate::envs::{LayingTables, Stepped};

/// Writes the modules of the games and the table: `folder::Type as "id": what, it, has;` for each, where the words are the
/// methods of [`Entry`]. A module that the examples look into is `pub`.
macro_rules! games {
    ($($vis:vis $module:ident::$Game:ident as $id:literal: $($has:ident),*;)+) => {
        $($vis mod $module;)+

        /// Every game, in the order of the ids.
        pub static GAMES: &[Entry] =
            &[$(Entry::of::<$module::$Game>($id)$(.$has::<$module::$Game>())*),+];
    };
}

/// Rules as they come in: pairs of field and value.
pub type Given = Vec<(String, String)>;

/// Opens a face of a game: the game of this id with these rules.
pub type Open<F> = fn(&'static str, Given) -> Result<Box<F>, Refusal>;

/// What the engine has of one game. `None`: the game lacks it.
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

/// A constructor of rows: each method adds what one trait gives.
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
    /// A game that can be searched, played at random, and nothing else.
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
        /// It can be stepped as an environment.
        stepped: Stepped => steps;
        /// It has policies of its own.
        plays: PlaysPolicies => policies;
        /// It weighs moves by playing on from them.
        plays_out: Playouts => playouts;
        /// It weighs plans.
        weighs_plans: WeighsPlans => plans;
        /// It knows where to stop in a deal.
        stops_deals: StopsDeals => stops;
        /// It is searched phase by phase.
        has_phases: HasPhases => phases;
        /// It finds the numbers of a value by playing.
        learns: Learns => learning;
    }
}

/// Something that the engine can do with games, as the border to Python sees it: a column of the table.
pub trait Face {
    /// What a game has that can do it, in words.
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

/// The ids of all games.
pub fn ids() -> Vec<&'static str> {
    GAMES.iter().map(|row| row.id).collect()
}

/// The game of this id, with its rules fixed by pairs of field and value.
pub fn open(id: &str, given: Given) -> Result<Box<dyn FixedGame>, Refusal> {
    open_as::<dyn FixedGame>(id, given)
}

/// A face of the game of this id, with its rules fixed by pairs of field and value.
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
