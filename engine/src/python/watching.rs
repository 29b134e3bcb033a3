//! Long calls that check for signals and may call a Python callable.

use std::time::Duration;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::batch::{self, Next};
use crate::search::Progress;

/// The interval at which a long call takes the GIL, to check for Ctrl-C and to call `watch`.
pub(super) const EVERY: Duration = Duration::from_millis(50);

/// Waits for the next answer of a batch; Ctrl-C cancels it.
pub(super) fn wait<J, A>(py: Python<'_>, batch: &batch::Batch<J, A>) -> PyResult<Option<A>>
where
    J: Send + 'static,
    A: Send + 'static,
{
    loop {
        match py.detach(|| batch.next(EVERY)) {
            Next::Ready(answer) => return Ok(Some(answer?)),
            Next::Done => return Ok(None),
            Next::Pending => py.check_signals().inspect_err(|_| batch.cancel())?,
        }
    }
}

/// The watch of a search from Python: it checks for signals, and may call a callable.
pub(super) struct Watcher {
    watch: Option<Py<PyAny>>,
    called: Duration,
    pub(super) interrupted: bool,
    pub(super) error: Option<PyErr>,
}

impl Watcher {
    pub(super) fn new(watch: Option<Py<PyAny>>) -> Watcher {
        Watcher { watch, called: Duration::ZERO, interrupted: false, error: None }
    }

    /// Returns true if the search must stop.
    pub(super) fn look(&mut self, progress: Progress) -> bool {
        if self.interrupted || self.error.is_some() {
            return true;
        }
        if progress.elapsed < self.called + EVERY {
            return false;
        }
        self.called = progress.elapsed;
        Python::attach(|py| {
            let stop = self.call(py, progress);
            self.heed(py, stop).unwrap_or(true)
        })
    }

    /// Passes a part of a trace to `write`; an error there stops the search at its next check.
    pub(super) fn write(&mut self, write: &Py<PyAny>, text: &str) {
        Python::attach(|py| {
            let written = write.bind(py).call1((text,));
            self.heed(py, written);
        });
    }

    /// Unwraps the result of a Python call, and records an error. Ctrl-C may come before the callable runs or while it
    /// does; both count as interrupts.
    fn heed<T>(&mut self, py: Python<'_>, answer: PyResult<T>) -> Option<T> {
        match answer {
            Ok(answer) => return Some(answer),
            Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => self.interrupted = true,
            Err(error) => self.error = Some(error),
        }
        None
    }

    fn call(&self, py: Python<'_>, Progress { nodes, elapsed, best, bound }: Progress) -> PyResult<bool> {
        py.check_signals()?;
        match &self.watch {
            Some(watch) => watch.bind(py).call1((nodes, elapsed.as_secs_f64(), best, bound))?.is_truthy(),
            None => Ok(false),
        }
    }
}
