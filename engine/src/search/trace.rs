//! Telling, step by step, what a search does.

use super::Game;

/// What becomes of a position that a search has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Its moves are tried, or a forced one is played.
    None,
    /// It was searched before.
    Seen,
    /// The bound or the dead-end test says that nothing can follow.
    Blocked,
    /// There is no move to try.
    DeadEnd,
    Won,
    /// No win, but no line has a higher score.
    Proved,
    /// A limit ends the search here.
    Limit,
}

impl Cut {
    /// Its name in a trace; nothing where the search goes on.
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

/// Who is told every move that a search makes, before it is made, and every position that it comes to,
/// when it is known what becomes of it.
pub trait Tracer<G: Game> {
    /// False: nobody listens, and the search is compiled without any of this.
    const IS_ON: bool = true;

    fn play(&mut self, game: &G, m: G::Move, is_forced: bool);
    fn come_to(&mut self, game: &G, depth: usize, cut: Cut);
}

/// Nobody.
impl<G: Game> Tracer<G> for () {
    const IS_ON: bool = false;

    fn play(&mut self, _: &G, _: G::Move, _: bool) {}
    fn come_to(&mut self, _: &G, _: usize, _: Cut) {}
}
