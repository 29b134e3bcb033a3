//! The engine of unshuffle: patience games packed into bits, and searches over them.
//!
//! The Python rules are the definition; this is the speed. `search` knows a game only by the trait
//! [`search::Game`], `games` holds the games and finds them by their id, `batch` runs many searches
//! at once, `envs` steps many tables at once, and `python` is the thin border to Python.

pub mod batch;
pub mod cards;
pub mod envs;
pub mod games;
#[cfg(feature = "python")]
mod python;
pub mod rng;
pub mod search;

use std::any::Any;
use std::fmt;

/// What is wrong with something that was passed in; a `ValueError` in Python.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault(String);

impl Fault {
    pub fn new(text: impl Into<String>) -> Fault {
        Fault(text.into())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

/// The words for a panic that was caught at the border: a bug of ours, never of the caller.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let what = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    format!("the engine panicked: {what}; please report it with the deal")
}
