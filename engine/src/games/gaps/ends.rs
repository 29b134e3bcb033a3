//! The lock vectors with which a phase can end.

use std::collections::HashMap;

use super::board::{Back, Step, Vector};

/// Lock vectors, each with the shortest line found to it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Ends {
    /// True if the vectors of all positions count, not only those of stuck ones.
    pub of_all_positions: bool,
    lines: HashMap<Vector, Vec<Step>>,
}

impl Ends {
    pub fn new(of_all_positions: bool) -> Ends {
        Ends { of_all_positions, lines: HashMap::new() }
    }

    pub(super) fn add(&mut self, vector: Vector, line: &[(Step, Back)]) {
        let known = self.lines.get(&vector).map_or(usize::MAX, Vec::len);
        if line.len() < known {
            self.lines.insert(vector, line.iter().map(|&(step, _)| step).collect());
        }
    }

    /// Adds the ends of another walk from the same start.
    pub fn merge(&mut self, other: Ends) {
        for (vector, line) in other.lines {
            let known = self.lines.get(&vector).map_or(usize::MAX, Vec::len);
            if line.len() < known {
                self.lines.insert(vector, line);
            }
        }
    }

    /// Returns all of them, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (Vector, &Vec<Step>)> {
        self.lines.iter().map(|(&vector, line)| (vector, line))
    }

    /// Returns all of them: most locked cards first, then the shorter line.
    pub fn sorted(self) -> Vec<(Vector, Vec<Step>)> {
        let locked =
            |vector: Vector| vector.to_le_bytes().map(|byte| u32::from(byte / 4)).iter().sum::<u32>();
        let mut ends: Vec<(Vector, Vec<Step>)> = self.lines.into_iter().collect();
        ends.sort_by_key(|(vector, line)| (std::cmp::Reverse(locked(*vector)), line.len(), *vector));
        ends
    }
}
