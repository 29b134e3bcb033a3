//! The clock of a search, and its watch.

use std::time::{Duration, Instant};

use super::{Progress, Status, Watch};

pub struct Clock<'a, 'w> {
    started: Instant,
    time: Option<Duration>,
    watch: &'a mut Watch<'w>,
}

impl<'a, 'w> Clock<'a, 'w> {
    /// Starts a clock with an optional time limit.
    pub fn start(time: Option<Duration>, watch: &'a mut Watch<'w>) -> Self {
        Clock { started: Instant::now(), time, watch }
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Reports the progress to the watch; returns an error if the search must stop.
    pub fn look(&mut self, nodes: u64, best: i32, bound: i32) -> Result<(), Status> {
        let elapsed = self.elapsed();
        if (self.watch)(Progress { nodes, elapsed, best, bound }) {
            return Err(Status::Cancelled);
        }
        match self.time {
            Some(time) if elapsed >= time => Err(Status::TimeLimit),
            _ => Ok(()),
        }
    }
}
