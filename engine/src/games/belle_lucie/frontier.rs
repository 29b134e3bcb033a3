//! The frontier of one deal: the reachable heights of the foundations that no other reachable heights exceed in every
//! suit.

use std::cell::RefCell;

use super::merci::{self, Merciful};
use super::packed::{self, Heights, Packed};
use super::round::{from_merciful, from_packed};
use super::table::{BelleLucie, Move, RANKS};
use crate::search::{Game, Stats, Status, Task, Watch, search};

/// A deal whose frontier can be searched for.
pub trait Reach: Game {
    fn heights(&self) -> Heights;
    /// Returns true if every line from here stays below one of these points.
    fn stays_below(&self, points: &[Heights]) -> bool;
    /// Returns true if the heights of this position belong to the frontier.
    fn counts(&self) -> bool;
    /// Returns the move in the form of the general table.
    fn named(m: Self::Move) -> Move;
}

impl Reach for Packed {
    fn heights(&self) -> Heights {
        Packed::heights(self)
    }

    fn stays_below(&self, points: &[Heights]) -> bool {
        is_below_any(self.heights_with(self.reachable()), points)
    }

    fn counts(&self) -> bool {
        true
    }

    fn named(m: packed::Move) -> Move {
        from_packed(m)
    }
}

/// Only tables on which the merci is spent count: a plain deal covers the others.
impl Reach for Merciful {
    fn heights(&self) -> Heights {
        self.deal().heights()
    }

    fn stays_below(&self, points: &[Heights]) -> bool {
        self.no_lift_leads_above(|reach| is_below_any(reach, points))
    }

    fn counts(&self) -> bool {
        self.is_spent()
    }

    fn named(m: merci::Move) -> Move {
        from_merciful(m)
    }
}

/// Only for tables on which no merci may be spent.
impl Reach for BelleLucie {
    fn heights(&self) -> Heights {
        BelleLucie::heights(self).map(|height| height as u8)
    }

    fn stays_below(&self, points: &[Heights]) -> bool {
        let (heights, goes_up) = (Reach::heights(self), self.reachable());
        let reach = |suit: usize| heights[suit] + (goes_up & RANKS << suit).count_ones() as u8;
        is_below_any(std::array::from_fn(reach), points)
    }

    fn counts(&self) -> bool {
        true
    }

    fn named(m: Move) -> Move {
        m
    }
}

/// The result of a frontier search.
pub struct Found {
    /// Reachable heights, none of them below another.
    pub points: Vec<Heights>,
    /// A winning line, if there is one; the search ends there.
    pub win: Option<Vec<Move>>,
    pub stats: Stats,
    /// `Solved` with a win, `Unsolvable` if everything was searched, or the limit that was hit.
    pub status: Status,
}

/// Searches for the frontier. Forced moves are allowed: they lose no reachable heights. Heights below `known` are not
/// searched for, and `known` belongs to the points found.
pub fn frontier<G: Reach + Clone>(game: &G, known: Vec<Heights>, task: &Task, watch: &mut Watch) -> Found {
    let mut frontier = Frontier { game: game.clone(), points: RefCell::new(known) };
    let task = Task { maximize: false, prune: true, ..*task };
    let outcome = search(&mut frontier, &task, watch);
    Found {
        points: frontier.points.into_inner(),
        win: (outcome.status == Status::Solved).then(|| outcome.moves.into_iter().map(G::named).collect()),
        stats: outcome.stats,
        status: outcome.status,
    }
}

pub fn is_below(low: Heights, high: Heights) -> bool {
    (0..4).all(|suit| low[suit] <= high[suit])
}

fn is_below_any(low: Heights, points: &[Heights]) -> bool {
    points.iter().any(|&point| is_below(low, point))
}

/// Calls `visit` for all heights from `low` to `high`.
pub fn each_between(low: Heights, high: Heights, mut visit: impl FnMut(Heights)) {
    for a in low[0]..=high[0] {
        for b in low[1]..=high[1] {
            for c in low[2]..=high[2] {
                for d in low[3]..=high[3] {
                    visit([a, b, c, d]);
                }
            }
        }
    }
}

/// A game that records the heights of every position in which the search calls `is_dead_end`.
struct Frontier<G> {
    game: G,
    points: RefCell<Vec<Heights>>,
}

impl<G: Reach> Game for Frontier<G> {
    type Move = G::Move;
    type Undo = G::Undo;
    type Key = G::Key;

    const ACYCLIC: bool = G::ACYCLIC;

    #[inline]
    fn most_moves(&self) -> usize {
        self.game.most_moves()
    }

    fn moves(&self, out: &mut Vec<G::Move>) {
        self.game.moves(out);
    }

    fn apply(&mut self, m: G::Move) -> G::Undo {
        self.game.apply(m)
    }

    fn undo(&mut self, m: G::Move, undo: G::Undo) {
        self.game.undo(m, undo);
    }

    fn key(&self) -> G::Key {
        self.game.key()
    }

    fn is_won(&self) -> bool {
        self.game.is_won()
    }

    fn score(&self) -> i32 {
        self.game.score()
    }

    fn max_score(&self) -> i32 {
        self.game.max_score()
    }

    fn forced(&self) -> Option<G::Move> {
        self.game.forced()
    }

    fn branches(&self, out: &mut Vec<G::Move>) {
        self.game.branches(out);
    }

    /// Returns true if the position can be pruned; called on every position after its forced moves. Prunes if the bound
    /// of its heights lies below a known point.
    fn is_dead_end(&self) -> bool {
        let mut points = self.points.borrow_mut();
        if self.game.counts() {
            let heights = self.game.heights();
            if !is_below_any(heights, &points) {
                points.retain(|&point| !is_below(point, heights));
                points.push(heights);
            }
        }
        self.game.stays_below(&points)
    }
}
