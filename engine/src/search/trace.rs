//! Tracing: step-by-step reports of what a search does.

use super::Game;

/// What a search does with a position that it reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// It is expanded, or a forced move is played.
    None,
    /// It was searched before.
    Seen,
    /// The bound or the dead-end test prunes it.
    Blocked,
    /// There is no move to try.
    DeadEnd,
    Won,
    /// It is no win, but no line has a higher score.
    Proved,
    /// A limit ends the search here.
    Limit,
}

impl Cut {
    /// Returns the name in a trace; `None` where the search goes on.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Cut::None => None,
            Cut::Seen => Some("seen"),
            Cut::Blocked => Some("blocked"),
            Cut::DeadEnd => Some("dead-end"),
            Cut::Won => Some("won"),
            Cut::Proved => Some("proved"),
            Cut::Limit => Some("limit"),
        }
    }
}

/// Receives every move of a search before it is made, and every position that it reaches once its fate is known.
pub trait Tracer<G: Game> {
    /// False: nothing is traced, and the search is compiled without the calls.
    const IS_ON: bool = true;

    fn play(&mut self, game: &G, m: G::Move, is_forced: bool);
    fn come_to(&mut self, game: &G, depth: usize, cut: Cut);
}

/// The tracer that records nothing.
impl<G: Game> Tracer<G> for () {
    const IS_ON: bool = false;

    fn play(&mut self, _: &G, _: G::Move, _: bool) {}
    fn come_to(&mut self, _: &G, _: usize, _: Cut) {}
}
