//! The engine of unshuffle: patience games packed into bits, and searches over them.
//!
//! The Python rules are the definition; the engine is the speed. `search` knows a game only by the trait
//! [`search::Game`], `games` holds the games and looks them up by their id, `batch` runs many searches at once, `envs`
//! steps many tables at once, and `python` is the thin layer of Python bindings.

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

/// An invalid input, in words; a `ValueError` in Python.
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

/// Returns the message for a panic caught in the Python bindings: a bug of the engine, never of the caller.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let what = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    format!("the engine panicked: {what}; please report it with the deal")
}
