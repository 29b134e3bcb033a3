//! The techniques of the search; each can be switched off, to measure its effect.

use crate::Fault;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switches {
    /// Prune positions that cannot be won by the facts of `relax`, where a win is asked for.
    pub closure: bool,
    /// Play a step alone that is proved to suffice.
    pub alone: bool,
    /// Prune positions that cannot lock more cards, where the most are asked for.
    pub bound: bool,
    /// Among equals, try steps first that were part of lines that improved the score.
    pub history: bool,
    /// Try the moves in an order: the one below that is on, or else a hand-made one.
    pub ordering: bool,
    /// Search positions with many facts and locks first.
    pub facts: bool,
    /// Without `facts`: search positions first whose features resemble those of winning lines.
    pub learned: bool,
    /// Search lines with few departures from the first choice before all others.
    pub widening: bool,
    /// With free 2s, search lines with few hops before all others.
    pub hops: bool,
    /// Search positions once. Without it only late positions can be searched at all.
    pub table: bool,
}

impl Switches {
    pub const ALL: Switches = Switches {
        closure: true,
        alone: true,
        bound: true,
        history: true,
        ordering: true,
        facts: true,
        learned: true,
        widening: true,
        hops: true,
        table: true,
    };
    /// The unpruned search, with its table.
    pub const NONE: Switches = Switches {
        closure: false,
        alone: false,
        bound: false,
        history: false,
        ordering: false,
        facts: false,
        learned: false,
        widening: false,
        hops: false,
        table: true,
    };
    pub const NAMES: [&str; 10] =
        ["closure", "alone", "bound", "history", "ordering", "facts", "learned", "widening", "hops", "table"];

    /// Returns all techniques except those of these names.
    pub fn without<T: AsRef<str>>(names: &[T]) -> Result<Switches, Fault> {
        let mut switches = Switches::ALL;
        for name in names {
            switches.set(name.as_ref(), false)?;
        }
        Ok(switches)
    }

    pub fn set(&mut self, name: &str, is_on: bool) -> Result<(), Fault> {
        let switch = match name {
            "closure" => &mut self.closure,
            "alone" => &mut self.alone,
            "bound" => &mut self.bound,
            "history" => &mut self.history,
            "ordering" => &mut self.ordering,
            "facts" => &mut self.facts,
            "learned" => &mut self.learned,
            "widening" => &mut self.widening,
            "hops" => &mut self.hops,
            "table" => &mut self.table,
            _ => {
                let names = Switches::NAMES.join(", ");
                return Err(Fault::new(format!(
                    "the search of gaps has no technique {name:?}; it has {names}"
                )));
            }
        };
        *switch = is_on;
        Ok(())
    }
}
