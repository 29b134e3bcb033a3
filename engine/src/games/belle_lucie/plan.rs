//! Where to stop in a deal that is not the last: the best of the heights that can be reached.
//!
//! Heights v can be reached exactly if a search with the foundations capped at v, all automatic
//! moves included, meets every cap. Automatic moves stay right under caps: a card that goes up
//! below its cap is wanted there. So heights are tried from the most valuable down, below what the
//! frontier allows, and the first that can be reached is the plan.

use std::collections::BinaryHeap;

use super::frontier::{Reach, frontier, is_below};
use super::merci::{Merci, Merciful, Move};
use super::packed::{self, Heights, Packed};
use super::rules::{self, Rules};
use crate::cards::Card;
use crate::search::{Game, Outcome, Status, Task, Watch, search};

/// A deal: the table, and the merci if one may be spent now.
#[derive(Clone, Debug)]
pub struct Round {
    deal: Packed,
    merciful: Option<Merciful>,
}

impl Round {
    /// The fans, with so many empty ones, when so many redeals and mercis are left; nothing if the
    /// rules are not those of packed deals.
    pub fn new<F: AsRef<[Card]>>(
        rules: &Rules,
        fans: &[F],
        spaces: usize,
        redeals_left: u8,
        mercis: u8,
    ) -> Option<Round> {
        if rules.build_any || rules.build_up || rules.max_cards != 0 {
            return None;
        }
        let mut deal = Packed::new(fans);
        if rules.kings_to_spaces {
            deal = deal.with_spaces(spaces);
        }
        if mercis == 0 || redeals_left > 0 && !rules.merci_in_any_deal {
            return Some(Round { deal, merciful: None });
        }
        let merci = match rules.merci {
            rules::Merci::Play => Merci::Play,
            rules::Merci::Front => Merci::Front,
            rules::Merci::Second => Merci::Second,
            rules::Merci::None | rules::Merci::Anywhere => return None,
        };
        (mercis == 1 && !rules.kings_to_spaces).then(|| {
            let merciful = Some(Merciful::new(deal.clone(), merci));
            Round { deal, merciful }
        })
    }

    pub fn heights(&self) -> Heights {
        self.deal.heights()
    }

    /// Looks for a win, or with `task.maximize` for the most cards.
    pub fn search(&self, task: &Task, watch: &mut Watch) -> Outcome<Move> {
        match &self.merciful {
            Some(merciful) => search(&mut merciful.clone(), task, watch),
            None => search(&mut self.deal.clone(), task, watch).map(Move::Plain),
        }
    }

    /// True if the deal can be won.
    pub fn can_be_won(&self, watch: &mut Watch) -> bool {
        let status = match &self.merciful {
            Some(merciful) => {
                let mut merciful = merciful.clone();
                merciful.only_decides();
                if merciful.is_dead_end() {
                    return false;
                }
                search(&mut merciful, &Task::default(), watch).status
            }
            None => {
                let mut deal = self.deal.clone();
                deal.maximizes = false;
                if deal.is_dead_end() {
                    return false;
                }
                search(&mut deal, &Task::default(), watch).status
            }
        };
        status == Status::Solved
    }

    /// The foundations after these moves.
    pub fn heights_after(&self, moves: &[Move]) -> Heights {
        let mut heights = self.heights();
        for m in moves {
            if let Move::Plain(packed::Move::ToFoundation(bit)) | Move::LiftUp(bit) = m {
                heights[*bit as usize / 16] += 1;
            }
        }
        heights
    }
}

pub fn spends_merci(moves: &[Move]) -> bool {
    moves.iter().any(|m| !matches!(m, Move::Plain(_)))
}

/// Where to stop.
#[derive(Clone, PartialEq, Debug)]
pub struct Stop {
    pub moves: Vec<Move>,
    pub heights: Heights,
    pub spends_merci: bool,
    pub value: f64,
}

impl Stop {
    pub fn is_won(&self) -> bool {
        self.heights == [13; 4]
    }
}

/// Stops in descending order of their value, and what the search for them took.
pub struct Plan {
    pub stops: Vec<Stop>,
    pub nodes: u64,
    /// No search was cut short: no better stop exists.
    pub complete: bool,
}

/// What it is worth to stop with these heights, the merci spent in this deal or not.
pub type Worth<'a> = dyn Fn(Heights, bool) -> f64 + 'a;

/// Finds the best stops, at most so many. Redealing at once is one of them.
pub fn plan(round: &Round, worth: &Worth, at_most: usize, task: &Task, watch: &mut Watch) -> Plan {
    let start = round.deal.heights();
    let mut plan = Plan { stops: Vec::new(), nodes: 0, complete: true };
    let mut targets = Vec::new();
    let found = frontier(&round.deal, task, watch);
    let reachable = (found.points, false);
    plan.nodes += found.nodes;
    plan.complete &= found.complete;
    let mut win = found.win;
    let mut spent = (Vec::new(), true);
    if let (None, Some(merciful)) = (&win, &round.merciful) {
        let found = frontier(merciful, task, watch);
        spent.0 = found.points;
        plan.nodes += found.nodes;
        plan.complete &= found.complete;
        win = found.win;
    }
    if let Some(moves) = win {
        let spends_merci = spends_merci(&moves);
        plan.stops.push(Stop { moves, heights: [13; 4], spends_merci, value: 1.0 });
        return plan;
    }
    let at_once = Stop { moves: Vec::new(), heights: start, spends_merci: false, value: worth(start, false) };
    // More than one stop is wanted only for comparison; then those worse than stopping at once count.
    let floor = if at_most == 1 { at_once.value } else { -1.0 };
    for (points, is_spent) in [&reachable, &spent] {
        for (number, &point) in points.iter().enumerate() {
            each_below(start, point, |target| {
                let value = worth(target, *is_spent);
                let is_new = !points[..number].iter().any(|&other| is_below(target, other));
                if value > floor && is_new && (*is_spent || target != start) {
                    targets.push(Target::new(target, *is_spent, value));
                }
            });
        }
    }
    if at_most > 1 {
        targets.push(Target::new(start, false, at_once.value));
    }
    let mut targets = BinaryHeap::from(targets);
    while let Some(target) = targets.pop() {
        let (heights, is_spent) = (target.heights(), target.is_spent());
        if heights == start && !is_spent {
            plan.stops.push(at_once.clone());
        } else {
            let reached = match &round.merciful {
                Some(merciful) if is_spent => {
                    reach(&mut merciful.with_target(heights), &mut plan, task, watch)
                }
                _ => reach(&mut round.deal.with_target(heights), &mut plan, task, watch),
            };
            if let Some(moves) = reached {
                // A line may meet its caps without the merci; its worth is then that of the other list.
                let spends_merci = spends_merci(&moves);
                plan.stops.push(Stop { moves, heights, spends_merci, value: worth(heights, spends_merci) });
            }
        }
        if plan.stops.len() >= at_most {
            return plan;
        }
    }
    if at_most == 1 {
        plan.stops.push(at_once);
    }
    plan
}

/// A line that meets every cap, if there is one.
fn reach<G: Reach>(game: &mut G, plan: &mut Plan, task: &Task, watch: &mut Watch) -> Option<Vec<Move>> {
    if game.is_dead_end() {
        return None;
    }
    let outcome = search(game, &Task { maximize: false, prune: true, ..*task }, watch);
    plan.nodes += outcome.stats.nodes;
    plan.complete &= matches!(outcome.status, Status::Solved | Status::Unsolvable);
    (outcome.status == Status::Solved).then(|| outcome.moves.into_iter().map(G::plain).collect())
}

/// Calls `visit` for all heights from `low` to `high`.
pub fn each_below(low: Heights, high: Heights, mut visit: impl FnMut(Heights)) {
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

/// Heights in the order in which they are tried: by value, then cards up, then the higher clubs,
/// diamonds, hearts; without the merci before with it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Target {
    /// Values are not negative, so their bits are in order.
    value: u64,
    rest: u32,
}

impl Target {
    fn new(heights: Heights, is_spent: bool, value: f64) -> Target {
        let up: u8 = heights.iter().sum();
        let code = heights.iter().fold(u32::from(up), |code, &height| code << 4 | u32::from(height));
        Target { value: value.to_bits(), rest: code << 1 | u32::from(!is_spent) }
    }

    fn heights(self) -> Heights {
        std::array::from_fn(|suit| (self.rest >> 1 >> (12 - 4 * suit) & 15) as u8)
    }

    fn is_spent(self) -> bool {
        self.rest & 1 == 0
    }
}
