//! Python bindings of the tables of environments.
//!
//! Numbers go in and out through the buffers of arrays that the caller owns, contiguous and in C order.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{Rules, guarded};
use crate::Fault;
use crate::envs::{self, Reward, Seat, Stepping, Terms, WhenInvalid};
use crate::rng::Decks;

/// The results of a step at one table: reward, moves, score, completed, terminated, won, invalid.
type Told = (f64, i64, i64, i64, bool, bool, bool);
/// The saved state of one table: its text, steps since the deal, moves, reward, and the flags terminated, truncated,
/// invalid.
type Kept = (String, u64, i64, f64, (bool, bool, bool));

/// Many tables of one game, stepped together.
#[pyclass(module = "unshuffle._engine")]
pub struct Tables {
    tables: Box<dyn Stepping>,
    luck: Decks,
    /// The last input, kept so that no step allocates.
    actions: Vec<i64>,
    skip: Vec<u8>,
    told: Columns,
}

/// The results of all tables as columns: rewards; moves, scores and so on.
#[derive(Default)]
struct Columns {
    rewards: Vec<f64>,
    numbers: Vec<i64>,
    flags: Vec<u8>,
}

fn reward_of(name: &str, gamma: f64) -> Result<Reward, Fault> {
    match name {
        "delta" => Ok(Reward::Delta),
        "shaped" => Ok(Reward::Shaped { gamma }),
        "win" => Ok(Reward::Win),
        _ => Err(Fault::new(format!("reward={name:?} is not allowed; expected delta, shaped or win"))),
    }
}

fn when_invalid_of(name: &str) -> Result<WhenInvalid, Fault> {
    match name {
        "noop" => Ok(WhenInvalid::Noop),
        "terminate" => Ok(WhenInvalid::Terminate),
        _ => Err(Fault::new(format!("when_invalid={name:?} is not allowed; expected noop or terminate"))),
    }
}

impl Tables {
    fn count(&self) -> usize {
        self.skip.len()
    }

    fn check_place(&self, place: usize) -> PyResult<()> {
        if place < self.count() {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("there is no table {place}; there are {}", self.count())))
    }

    fn check_action(&self, action: i64, place: usize) -> PyResult<()> {
        let actions = self.tables.actions() as i64;
        if (0..actions).contains(&action) {
            return Ok(());
        }
        let last = actions - 1;
        Err(PyValueError::new_err(format!("action {action} of table {place} is not one of 0..{last}")))
    }

    /// Copies the actions and the flags of the skipped tables.
    fn read_in(
        &mut self,
        py: Python<'_>,
        actions: &PyBuffer<i64>,
        skip: Option<&PyBuffer<u8>>,
    ) -> PyResult<()> {
        actions.copy_to_slice(py, &mut self.actions)?;
        match skip {
            Some(skip) => skip.copy_to_slice(py, &mut self.skip)?,
            None => self.skip.fill(0),
        }
        let asked =
            self.actions.iter().zip(&self.skip).enumerate().filter(|(_, (_, skipped))| **skipped == 0);
        for (place, (&action, _)) in asked {
            self.check_action(action, place)?;
        }
        Ok(())
    }
}

#[pymethods]
impl Tables {
    #[new]
    #[pyo3(signature = (game, rules, *, count, threads=1, reward="delta", gamma=0.99, when_invalid="noop", limit=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn new(
        game: &str,
        rules: Rules,
        count: usize,
        threads: usize,
        reward: &str,
        gamma: f64,
        when_invalid: &str,
        limit: Option<u64>,
    ) -> PyResult<Tables> {
        guarded(|| {
            let (reward, when_invalid) = (reward_of(reward, gamma)?, when_invalid_of(when_invalid)?);
            let terms = Terms { reward, when_invalid, limit };
            let tables = envs::open(game, rules.into_iter().collect(), count, threads, terms)?;
            let (actions, skip) = (vec![0; count], vec![0; count]);
            Ok(Tables { tables, luck: Decks::new(0), actions, skip, told: Columns::default() })
        })
    }

    /// Deals new games at some tables.
    fn deal(&mut self, py: Python<'_>, places: Vec<usize>, seeds: Vec<u64>) -> PyResult<()> {
        guarded(|| {
            if places.len() != seeds.len() {
                let text = format!("{} tables, but {} seeds", places.len(), seeds.len());
                return Err(PyValueError::new_err(text));
            }
            places.iter().try_for_each(|&place| self.check_place(place))?;
            py.detach(|| places.iter().zip(&seeds).for_each(|(&place, &seed)| self.tables.deal(place, seed)));
            Ok(())
        })
    }

    /// Lays out a position.
    fn lay(&mut self, place: usize, position: &str) -> PyResult<()> {
        guarded(|| {
            self.check_place(place)?;
            Ok(self.tables.lay(place, position)?)
        })
    }

    /// Returns the layout text of a table.
    fn text(&self, place: usize) -> PyResult<String> {
        guarded(|| {
            self.check_place(place)?;
            Ok(self.tables.text(place))
        })
    }

    /// Returns the first table where the action is not legal.
    #[pyo3(signature = (actions, skip=None))]
    fn first_illegal(
        &mut self,
        py: Python<'_>,
        actions: PyBuffer<i64>,
        skip: Option<PyBuffer<u8>>,
    ) -> PyResult<Option<usize>> {
        guarded(|| {
            self.read_in(py, &actions, skip.as_ref())?;
            Ok(self.tables.first_illegal(&self.actions, &self.skip))
        })
    }

    /// Steps all tables but those that are skipped.
    #[pyo3(signature = (actions, skip=None))]
    fn step(&mut self, py: Python<'_>, actions: PyBuffer<i64>, skip: Option<PyBuffer<u8>>) -> PyResult<()> {
        guarded(|| {
            self.read_in(py, &actions, skip.as_ref())?;
            py.detach(|| self.tables.step(&self.actions, &self.skip));
            Ok(())
        })
    }

    /// Steps the only table; writes its observation and mask, and returns the rest.
    fn step_one(
        &mut self,
        py: Python<'_>,
        action: i64,
        observation: PyBuffer<u8>,
        mask: PyBuffer<i8>,
    ) -> PyResult<Told> {
        guarded(|| {
            if self.count() != 1 {
                return Err(PyValueError::new_err("step_one is for one table"));
            }
            self.check_action(action, 0)?;
            // The work is too little to release the GIL for.
            self.tables.step(&[action], &[0]);
            self.read_one(py, 0, observation, mask)
        })
    }

    /// Writes the observation and mask of one table, and returns the rest.
    fn read_one(
        &self,
        py: Python<'_>,
        place: usize,
        observation: PyBuffer<u8>,
        mask: PyBuffer<i8>,
    ) -> PyResult<Told> {
        guarded(|| {
            self.check_place(place)?;
            let (bytes, actions) = (self.tables.bytes(), self.tables.actions());
            observation.copy_from_slice(py, &self.tables.observations()[place * bytes..][..bytes])?;
            mask.copy_from_slice(py, &self.tables.masks()[place * actions..][..actions])?;
            let Seat { reward, moves, score, completed, terminated, won, invalid, .. } =
                self.tables.seats()[place];
            Ok((reward, moves, score, completed, terminated, won, invalid))
        })
    }

    /// Writes observations and masks, rewards, numbers (moves, scores, completed) and flags (terminated, truncated,
    /// won, invalid) of all tables, or of those at `places`.
    #[pyo3(signature = (observations, masks, rewards, numbers, flags, places=None))]
    #[expect(clippy::too_many_arguments, reason = "an array each")]
    fn read(
        &mut self,
        py: Python<'_>,
        observations: PyBuffer<u8>,
        masks: PyBuffer<i8>,
        rewards: PyBuffer<f64>,
        numbers: PyBuffer<i64>,
        flags: PyBuffer<u8>,
        places: Option<Vec<usize>>,
    ) -> PyResult<()> {
        guarded(|| {
            let seats = match places {
                None => {
                    observations.copy_from_slice(py, self.tables.observations())?;
                    masks.copy_from_slice(py, self.tables.masks())?;
                    self.told.take(self.tables.seats().iter())
                }
                Some(places) => {
                    places.iter().try_for_each(|&place| self.check_place(place))?;
                    let shown = rows(self.tables.observations(), self.tables.bytes(), &places);
                    observations.copy_from_slice(py, &shown)?;
                    masks.copy_from_slice(py, &rows(self.tables.masks(), self.tables.actions(), &places))?;
                    let seats = self.tables.seats();
                    self.told.take(places.iter().map(|&place| &seats[place]))
                }
            };
            rewards.copy_from_slice(py, &seats.rewards)?;
            numbers.copy_from_slice(py, &seats.numbers)?;
            flags.copy_from_slice(py, &seats.flags)
        })
    }

    /// Seeds the stream that `sample` draws from.
    fn seed(&mut self, seed: u64) {
        self.luck = Decks::new(seed);
    }

    /// Writes a random legal action for every table, 0 where there is none.
    fn sample(&mut self, py: Python<'_>, actions: PyBuffer<i64>) -> PyResult<()> {
        guarded(|| {
            self.tables.sample(&mut self.luck, &mut self.actions);
            actions.copy_from_slice(py, &self.actions)
        })
    }

    /// Returns the state of all tables, and the state of the stream of `sample`.
    fn save(&self) -> PyResult<(u64, Vec<Kept>)> {
        guarded(|| {
            let keep = |(place, seat): (usize, &Seat)| {
                let flags = (seat.terminated, seat.truncated, seat.invalid);
                (self.tables.text(place), seat.elapsed, seat.moves, seat.reward, flags)
            };
            Ok((self.luck.state(), self.tables.seats().iter().enumerate().map(keep).collect()))
        })
    }

    /// Restores what `save` returned for such tables.
    fn restore(&mut self, saved: (u64, Vec<Kept>)) -> PyResult<()> {
        guarded(|| {
            let (luck, kept) = saved;
            if kept.len() != self.count() {
                let text = format!("{} tables were saved, and there are {}", kept.len(), self.count());
                return Err(PyValueError::new_err(text));
            }
            self.luck = Decks::new(luck);
            for (place, (text, elapsed, moves, reward, (terminated, truncated, invalid))) in
                kept.into_iter().enumerate()
            {
                self.tables.lay(place, &text)?;
                let seat = Seat { elapsed, moves, reward, terminated, truncated, invalid, ..Seat::default() };
                self.tables.resume(place, seat);
            }
            Ok(())
        })
    }
}

/// Returns the rows at these places, concatenated.
fn rows<T: Copy>(all: &[T], width: usize, places: &[usize]) -> Vec<T> {
    places.iter().flat_map(|&place| &all[place * width..][..width]).copied().collect()
}

impl Columns {
    /// Fills the columns from these seats; reuses their memory.
    fn take<'a>(&mut self, seats: impl ExactSizeIterator<Item = &'a Seat>) -> &Columns {
        let count = seats.len();
        self.rewards.resize(count, 0.0);
        self.numbers.resize(3 * count, 0);
        self.flags.resize(4 * count, 0);
        for (place, seat) in seats.enumerate() {
            self.rewards[place] = seat.reward;
            for (row, number) in [seat.moves, seat.score, seat.completed].into_iter().enumerate() {
                self.numbers[row * count + place] = number;
            }
            let flags = [seat.terminated, seat.truncated, seat.won, seat.invalid];
            for (row, flag) in flags.into_iter().enumerate() {
                self.flags[row * count + place] = flag.into();
            }
        }
        self
    }
}
