//! The techniques of the search; each can be switched off, to see what it is worth.

use crate::Fault;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switches {
    /// Positions that cannot be won by the facts of `relax` are left, where a win is asked for.
    pub closure: bool,
    /// A step that is proved to suffice is played alone.
    pub alone: bool,
    /// Positions that cannot have more locked cards are left, where the most are asked for.
    pub bound: bool,
    /// Steps of lines that bettered the score come first among equals.
    pub history: bool,
    /// The moves are tried in an order: the one below that is on, or else a hand-made one.
    pub ordering: bool,
    /// Positions with many facts and locks are searched first.
    pub facts: bool,
    /// Without `facts`: positions are searched first that have what positions of winning lines have.
    pub learned: bool,
    /// Lines with few departures from the first choice are searched before all others.
    pub widening: bool,
    /// With free 2s, lines with few hops are searched before all others.
    pub hops: bool,
    /// Positions are searched once. Without it only late positions can be searched at all.
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
    /// Plain search, with its table.
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

    /// All techniques but those of these names.
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
