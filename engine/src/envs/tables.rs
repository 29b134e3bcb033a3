//! Many tables of one game, stepped together.
//!
//! Observations and masks persist from step to step; only what a move changes is written again.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Actions, Stepped};
use crate::Fault;
use crate::batch::check_threads;
use crate::rng::Decks;

/// The limit on the number of tables, against typing errors: more would fill the memory.
const MOST_TABLES: usize = 1 << 22;
/// The least number of tables that a thread takes at a time.
const PORTION: usize = 64;

/// The reward of a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reward {
    /// The change of the score.
    Delta,
    /// 1 for a win, plus `gamma` times the new potential less the old one.
    Shaped { gamma: f64 },
    /// 1 for a win.
    Win,
}

/// What an illegal action does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhenInvalid {
    /// Nothing, but it counts as a move.
    Noop,
    /// It ends the episode.
    Terminate,
}

/// The settings of all tables.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Terms {
    pub reward: Reward,
    pub when_invalid: WhenInvalid,
    /// The number of steps after which an episode is truncated.
    pub limit: Option<u64>,
}

/// The state of a table besides its observation and mask, after the last step or deal.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Seat {
    pub reward: f64,
    /// Moves made. Includes the moves before a typed position, if it records them.
    pub moves: i64,
    pub score: i64,
    pub completed: i64,
    /// Steps since the deal.
    pub elapsed: u64,
    pub terminated: bool,
    pub truncated: bool,
    pub won: bool,
    pub invalid: bool,
}

/// Tables of some game: the interface for the Python bindings.
pub trait Stepping: Send + Sync {
    fn actions(&self) -> usize;
    fn bytes(&self) -> usize;
    /// Returns the observations of all tables, concatenated.
    fn observations(&self) -> &[u8];
    /// Returns the masks of all tables, concatenated: a 1 for every legal action.
    fn masks(&self) -> &[i8];
    fn seats(&self) -> &[Seat];
    /// Deals a new game at a table. `place` must be below the number of tables.
    fn deal(&mut self, place: usize, seed: u64);
    /// Lays out a position.
    fn lay(&mut self, place: usize, position: &str) -> Result<(), Fault>;
    /// Returns the position as text.
    fn text(&self, place: usize) -> String;
    /// Continues an episode, with this seat, on the position at the table.
    fn resume(&mut self, place: usize, seat: Seat);
    /// Returns the first table, of those not skipped, whose action is not legal.
    fn first_illegal(&self, actions: &[i64], skip: &[u8]) -> Option<usize>;
    /// Steps all tables but those that are skipped. Every action must be in range.
    fn step(&mut self, actions: &[i64], skip: &[u8]);
    /// Writes a random legal action for every table, 0 where there is none.
    fn sample(&self, luck: &mut Decks, actions: &mut [i64]);
}

/// Tables of one game under one set of rules.
pub struct Tables<G: Stepped> {
    rules: G::Rules,
    terms: Terms,
    tables: Vec<G>,
    legal: Vec<G::Legal>,
    seats: Vec<Seat>,
    observations: Vec<u8>,
    masks: Vec<i8>,
    /// Actions under these rules: the width of a mask.
    actions: usize,
    /// None for one thread: the caller's own.
    pool: Option<ThreadPool>,
}

impl<G: Stepped> Tables<G> {
    pub fn new(rules: G::Rules, count: usize, threads: usize, terms: Terms) -> Result<Tables<G>, Fault> {
        if !(1..=MOST_TABLES).contains(&count) {
            return Err(Fault::new(format!("count={count} is not allowed; expected 1 to {MOST_TABLES}")));
        }
        check_threads(threads)?;
        let pool = match threads {
            1 => None,
            _ => {
                let pool = ThreadPoolBuilder::new().num_threads(threads);
                Some(pool.build().map_err(|error| Fault::new(format!("no threads to be had: {error}")))?)
            }
        };
        // Each table needs a position until the first deal.
        let first = G::deal(&rules, &mut Decks::new(0));
        let actions = G::actions(&rules);
        if actions > G::Legal::MOST {
            let most = G::Legal::MOST;
            return Err(Fault::new(format!("{actions} actions are too many; tables have room for {most}")));
        }
        let mut tables = Tables {
            tables: vec![first; count],
            legal: vec![G::Legal::default(); count],
            seats: vec![Seat::default(); count],
            observations: vec![0; count * G::bytes(&rules)],
            masks: vec![0; count * actions],
            actions,
            rules,
            terms,
            pool,
        };
        (0..count).for_each(|place| tables.begin(place));
        Ok(tables)
    }

    /// Starts an episode on the position at the table.
    fn begin(&mut self, place: usize) {
        let (table, bytes) = (&self.tables[place], self.bytes());
        table.observe(&mut self.observations[place * bytes..][..bytes]);
        self.legal[place] = table.legal();
        self.legal[place].write(&mut self.masks[place * self.actions..][..self.actions]);
        self.seats[place] = Seat { moves: table.moves_made(), ..Seat::default() };
        self.seats[place].look(table);
    }
}

impl Seat {
    #[inline]
    fn look<G: Stepped>(&mut self, table: &G) {
        self.score = table.score().into();
        self.completed = table.completed_count();
        self.won = table.is_won();
    }
}

/// One table with all its data.
struct Place<'a, G: Stepped> {
    table: &'a mut G,
    legal: &'a mut G::Legal,
    seat: &'a mut Seat,
    observation: &'a mut [u8],
    mask: &'a mut [i8],
}

impl<G: Stepped> Place<'_, G> {
    #[inline]
    fn step(&mut self, action: usize, terms: &Terms) {
        let Place { table, legal, seat, .. } = self;
        let score = seat.score;
        let potential = if matches!(terms.reward, Reward::Shaped { .. }) { table.potential() } else { 0.0 };
        seat.invalid = !legal.contains(action);
        seat.terminated = false;
        match (seat.invalid, terms.when_invalid) {
            (true, WhenInvalid::Terminate) => seat.terminated = true,
            (true, WhenInvalid::Noop) => {
                table.waste();
                seat.moves += 1;
            }
            (false, _) => {
                seat.moves += 1;
                table.act(action, self.observation);
                let next = table.legal();
                next.write_over(legal, self.mask);
                **legal = next;
            }
        }
        seat.look(*table);
        // The game is over: won, or stuck.
        seat.terminated |= seat.won || legal.is_empty();
        seat.elapsed += 1;
        seat.truncated = terms.limit.is_some_and(|limit| seat.elapsed >= limit);
        let win = f64::from(u8::from(seat.won));
        seat.reward = match terms.reward {
            Reward::Delta => (seat.score - score) as f64,
            Reward::Shaped { gamma } => {
                let next = if seat.terminated { 0.0 } else { table.potential() };
                win + (gamma * next - potential)
            }
            Reward::Win => win,
        };
    }
}

impl<G: Stepped> Stepping for Tables<G> {
    fn actions(&self) -> usize {
        self.actions
    }

    #[inline]
    fn bytes(&self) -> usize {
        G::bytes(&self.rules)
    }

    fn observations(&self) -> &[u8] {
        &self.observations
    }

    fn masks(&self) -> &[i8] {
        &self.masks
    }

    fn seats(&self) -> &[Seat] {
        &self.seats
    }

    fn deal(&mut self, place: usize, seed: u64) {
        self.tables[place] = G::deal(&self.rules, &mut Decks::new(seed));
        self.begin(place);
    }

    fn lay(&mut self, place: usize, position: &str) -> Result<(), Fault> {
        let table = G::parse(&self.rules, position)?;
        table.check_fit()?;
        self.tables[place] = table;
        self.begin(place);
        Ok(())
    }

    fn text(&self, place: usize) -> String {
        self.tables[place].text()
    }

    fn resume(&mut self, place: usize, seat: Seat) {
        self.seats[place] = seat;
        self.seats[place].look(&self.tables[place]);
    }

    fn first_illegal(&self, actions: &[i64], skip: &[u8]) -> Option<usize> {
        let is_illegal =
            |place: &usize| skip[*place] == 0 && !self.legal[*place].contains(actions[*place] as usize);
        (0..self.tables.len()).find(is_illegal)
    }

    fn step(&mut self, actions: &[i64], skip: &[u8]) {
        let (terms, width, rules) = (self.terms, self.actions, &self.rules);
        let step = |tables: &mut [G],
                    legal: &mut [G::Legal],
                    seats: &mut [Seat],
                    observations: &mut [u8],
                    masks: &mut [i8],
                    actions: &[i64],
                    skip: &[u8]| {
            let owned = tables.iter_mut().zip(legal).zip(seats);
            // `G::bytes` is called here, where it is a constant in most games, so that the compiler knows the length of
            // an observation.
            let shown = observations.chunks_exact_mut(G::bytes(rules)).zip(masks.chunks_exact_mut(width));
            let asked = actions.iter().zip(skip);
            for ((((table, legal), seat), (observation, mask)), (&action, &skipped)) in
                owned.zip(shown).zip(asked)
            {
                if skipped == 0 {
                    Place { table, legal, seat, observation, mask }.step(action as usize, &terms);
                }
            }
        };
        let Tables { tables, legal, seats, observations, masks, pool, .. } = self;
        let Some(pool) = pool else {
            return step(tables, legal, seats, observations, masks, actions, skip);
        };
        let portion = tables.len().div_ceil(4 * pool.current_num_threads()).max(PORTION);
        pool.install(|| {
            let owned = tables.par_chunks_mut(portion).zip(legal.par_chunks_mut(portion));
            let owned = owned.zip(seats.par_chunks_mut(portion));
            let shown = observations.par_chunks_mut(portion * G::bytes(rules));
            let shown = shown.zip(masks.par_chunks_mut(portion * width));
            let asked = actions.par_chunks(portion).zip(skip.par_chunks(portion));
            owned.zip(shown).zip(asked).for_each(
                |((((tables, legal), seats), (observations, masks)), (actions, skip))| {
                    step(tables, legal, seats, observations, masks, actions, skip);
                },
            );
        });
    }

    fn sample(&self, luck: &mut Decks, actions: &mut [i64]) {
        for (action, legal) in actions.iter_mut().zip(&self.legal) {
            *action = match legal.len() {
                0 => 0,
                count => legal.nth(luck.below(count as u64) as usize) as i64,
            };
        }
    }
}
