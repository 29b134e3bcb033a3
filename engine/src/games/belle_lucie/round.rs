//! One deal of a game, in the representation that the fastest search for its rules needs.

use super::frontier::{self, Reach, frontier};
use super::merci::{self, Merci, Merciful};
use super::packed::{self, Heights, Packed};
use super::rules::{self, Rules};
use super::table::{BelleLucie, Move, number_of};
use crate::cards::Card;
use crate::search::{Game, Limits, Outcome, Stats, Status, Task, Watch, search};

/// The node limit of searches on a general table, unless the caller sets another.
pub const MOST_NODES: u64 = 5_000;

/// A deal, with the merci if one may be spent in it, and without its redeals.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "the large one is by far the most frequent")]
pub enum Round {
    Plain(Packed),
    Merciful(Box<Merciful>),
    General(Box<BelleLucie>),
}

impl Round {
    /// Returns the round of these fans, empty ones included, with this number of redeals and mercis left in the game.
    pub fn new<F: AsRef<[Card]>>(rules: &Rules, fans: &[F], redeals_left: u8, mercis: u8) -> Round {
        let mercis = if redeals_left == 0 || rules.merci_in_any_deal { mercis } else { 0 };
        let merci = match rules.merci {
            rules::Merci::Play => Some(Merci::Play),
            rules::Merci::Front => Some(Merci::Front),
            rules::Merci::Second => Some(Merci::Second),
            rules::Merci::None | rules::Merci::Anywhere => None,
        };
        let is_packed = !rules.build_any && !rules.build_up && rules.max_cards == 0;
        match (is_packed, mercis, merci) {
            (true, 0, _) => {
                let deal = Packed::new(fans);
                if rules.kings_to_spaces {
                    let spaces = fans.iter().filter(|fan| fan.as_ref().is_empty()).count();
                    Round::Plain(deal.with_spaces(spaces))
                } else {
                    Round::Plain(deal)
                }
            }
            (true, 1, Some(merci)) if !rules.kings_to_spaces => {
                Round::Merciful(Box::new(Merciful::new(Packed::new(fans), merci)))
            }
            _ => {
                let fans: Vec<Vec<Card>> = fans.iter().map(|fan| fan.as_ref().to_vec()).collect();
                Round::General(Box::new(BelleLucie::new(
                    Rules { redeals: 0, ..*rules },
                    &fans,
                    1,
                    mercis,
                    &[],
                )))
            }
        }
    }

    /// Returns the deal as a general table.
    pub fn general(&self, rules: &Rules) -> BelleLucie {
        let (deal, mercis) = match self {
            Round::Plain(deal) => (deal, 0),
            Round::Merciful(merciful) => (merciful.deal(), 1),
            Round::General(table) => return table.as_ref().clone(),
        };
        BelleLucie::new(Rules { redeals: 0, ..*rules }, &deal.fans(), 1, mercis, &[])
    }

    pub fn heights(&self) -> Heights {
        match self {
            Round::Plain(deal) => deal.heights(),
            Round::Merciful(merciful) => merciful.deal().heights(),
            Round::General(table) => table.heights().map(|height| height as u8),
        }
    }

    /// Searches for a win, or with `task.maximize` for the most cards.
    pub fn search(&self, task: &Task, watch: &mut Watch) -> Outcome<Move> {
        match self {
            Round::Plain(deal) => search(&mut deal.clone(), task, watch).map(from_packed),
            Round::Merciful(merciful) => search(merciful.clone().as_mut(), task, watch).map(from_merciful),
            Round::General(table) => table.search_generally(task, watch),
        }
    }

    /// Returns a line that puts up the most cards. It is proved, except on a general table, where a search for a win
    /// and one for the best score have `MOST_NODES` nodes each.
    pub fn most_cards(&self, watch: &mut Watch) -> Outcome<Move> {
        let Round::General(table) = self else {
            return self.search(&Task { maximize: true, ..Task::default() }, watch);
        };
        let limits = Limits { nodes: Some(MOST_NODES), ..Limits::default() };
        let won = table.search_generally(&Task { limits, ..Task::default() }, watch);
        if won.status == Status::Solved {
            return won;
        }
        let task = Task { limits, maximize: true, prune: true };
        let mut most = table.search_generally(&task, watch);
        most.stats.nodes += won.stats.nodes;
        if won.score > most.score { Outcome { stats: most.stats, ..won } } else { most }
    }

    /// Decides the deal without a line; `Unsolvable` and `Solved` are verdicts.
    pub fn decide(mut self, task: &Task, watch: &mut Watch) -> Status {
        let task = Task { maximize: false, ..*task };
        // The bound decides many deals before a search is set up.
        match &mut self {
            Round::Plain(deal) => {
                deal.maximizes = false;
                if deal.is_dead_end() { Status::Unsolvable } else { search(deal, &task, watch).status }
            }
            Round::Merciful(merciful) => {
                merciful.only_decides();
                if merciful.is_dead_end() {
                    Status::Unsolvable
                } else {
                    search(merciful.as_mut(), &task, watch).status
                }
            }
            Round::General(table) => table.search_generally(&task, watch).status,
        }
    }

    /// Searches like `search`, but does not maximise unless the task asks for it.
    pub fn decide_line(&self, task: &Task, watch: &mut Watch) -> Outcome<Move> {
        let mut round = self.clone();
        match &mut round {
            Round::Plain(deal) => deal.maximizes &= task.maximize,
            Round::Merciful(merciful) if !task.maximize => merciful.only_decides(),
            Round::Merciful(_) | Round::General(_) => {}
        }
        round.search(task, watch)
    }

    /// Returns an upper bound on the score of any line.
    pub fn bound(&self) -> i32 {
        match self {
            Round::Plain(deal) => deal.bound(),
            Round::Merciful(merciful) => merciful.bound(),
            Round::General(table) => table.bound(),
        }
    }

    /// Returns the heights of the foundations after these moves.
    pub fn heights_after(&self, moves: &[Move]) -> Heights {
        let mut heights = self.heights();
        for m in moves {
            if let Move::ToFoundation(card) | Move::MerciUp(card) = m {
                heights[*card as usize % 4] += 1;
            }
        }
        heights
    }

    /// Returns the frontiers without the merci and with it; `None` on a general table with a merci.
    pub fn frontiers(&self, task: &Task, watch: &mut Watch) -> Option<Frontiers> {
        let kept = match self {
            Round::Plain(deal) => frontier(deal, Vec::new(), task, watch),
            Round::Merciful(merciful) => frontier(merciful.deal(), Vec::new(), task, watch),
            Round::General(table) if table.may_merci() => return None,
            Round::General(table) => frontier(table.as_ref(), Vec::new(), task, watch),
        };
        let frontier::Found { points, win, stats, status } = kept;
        let mut found = Frontiers { kept: points, spent: Vec::new(), win, stats, status };
        if found.status != Status::Unsolvable {
            return Some(found);
        }
        if let Round::Merciful(merciful) = self {
            // Spending the merci gains nothing for heights below a point that is reached with the merci kept.
            let known = found.kept.clone();
            let mut rest = *task;
            rest.limits.nodes = task.limits.nodes.map(|nodes| nodes.saturating_sub(found.stats.nodes));
            let frontier::Found { points, win, stats, status } =
                frontier(merciful.as_ref(), known, &rest, watch);
            found.spent = points;
            found.win = win;
            found.stats = found.stats.and(&stats);
            found.status = status;
        }
        Some(found)
    }

    /// Searches for a line that ends with these heights; with `spends` it may spend the merci.
    pub fn reach(&self, target: Heights, spends: bool, task: &Task, watch: &mut Watch) -> Outcome<Move> {
        match self {
            Round::Plain(deal) => reach(&mut deal.with_target(target), task, watch),
            Round::Merciful(merciful) if spends => reach(&mut merciful.with_target(target), task, watch),
            Round::Merciful(merciful) => reach(&mut merciful.deal().with_target(target), task, watch),
            Round::General(table) => reach(&mut table.with_target(target), task, watch),
        }
    }
}

/// How far the foundations can be brought, see `frontier`.
pub struct Frontiers {
    pub kept: Vec<Heights>,
    /// With the merci spent, or kept.
    pub spent: Vec<Heights>,
    pub win: Option<Vec<Move>>,
    pub stats: Stats,
    /// `Solved` with a win, `Unsolvable` if everything was searched, or the limit that was hit.
    pub status: Status,
}

impl Frontiers {
    /// Calls `visit` once for all heights from `low` up to a point of a frontier, and whether they belong to the
    /// frontier with the merci spent. Not all of them can be reached.
    pub fn each_target(&self, low: Heights, mut visit: impl FnMut(Heights, bool)) {
        for (points, spends) in [(&self.kept, false), (&self.spent, true)] {
            for (number, &point) in points.iter().enumerate() {
                frontier::each_between(low, point, |target| {
                    if !points[..number].iter().any(|&other| frontier::is_below(target, other)) {
                        visit(target, spends);
                    }
                });
            }
        }
    }
}

fn reach<G: Reach>(game: &mut G, task: &Task, watch: &mut Watch) -> Outcome<Move> {
    if game.is_dead_end() {
        return Outcome::nothing(Status::Unsolvable);
    }
    let task = Task { maximize: false, prune: true, ..*task };
    search(game, &task, watch).map(G::named)
}

/// Returns the number of mercis that the moves spend.
pub fn mercis_spent(moves: &[Move]) -> u8 {
    let is_merci = |m: &&Move| matches!(m, Move::MerciUp(_) | Move::MerciOnto(..) | Move::MerciOwn(_));
    moves.iter().filter(is_merci).count() as u8
}

fn number(bit: u8) -> u8 {
    number_of(packed::card_at(bit))
}

pub fn from_packed(m: packed::Move) -> Move {
    match m {
        packed::Move::ToFoundation(bit) => Move::ToFoundation(number(bit)),
        packed::Move::ToFan(bit) => Move::ToFan(number(bit), number(bit + 1)),
        packed::Move::ToSpace(bit) => Move::ToSpace(number(bit)),
    }
}

pub fn from_merciful(m: merci::Move) -> Move {
    match m {
        merci::Move::Plain(m) => from_packed(m),
        merci::Move::LiftUp(bit) => Move::MerciUp(number(bit)),
        merci::Move::LiftOnto(bit) => Move::MerciOnto(number(bit), number(bit + 1)),
        merci::Move::LiftFront(bit) => Move::MerciOwn(number(bit)),
    }
}
