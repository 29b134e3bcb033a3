//! Hidden cards, real or sampled, and the plain player, which plays on from plan to plan.

use super::Spider;
use super::beam::{Beam, Passed};
use super::moves::Move;
use super::node::{Ground, Node};
use super::planner::{CAREFUL, End, FREE, Planner, Reach};
use super::table::{MOST_PILES as PILES, NONE as UNKNOWN, number};
use super::weights::{OPEN, Taste, Weights};
use crate::rng::Decks;

/// The number of rows of a usual deal; layers beyond it use the weights of the last.
const MOST_ROWS: u8 = 5;

/// A deal: the bank, and the face-down cards of each pile from the bottom up.
#[derive(Clone, Debug)]
pub struct Deal {
    pub ground: Ground,
    down: Vec<Vec<u8>>,
}

impl Deal {
    /// Returns the deal of a table.
    pub fn of(table: &Spider) -> Deal {
        let down = table.piles().iter().map(|pile| pile.cards()[..usize::from(pile.down())].to_vec());
        Deal { ground: Ground::of(table), down: down.collect() }
    }

    /// Returns this table with the cards of the deal in place of those that lie face down and in the bank.
    #[cfg(test)]
    pub fn table(&self, table: &Spider) -> Spider {
        let piles: Vec<(Vec<u8>, usize)> = table
            .piles()
            .iter()
            .zip(&self.down)
            .map(|(pile, down)| {
                let mut cards = pile.cards().to_vec();
                cards[..down.len()].copy_from_slice(down);
                (cards, down.len())
            })
            .collect();
        let piles_count = self.ground.piles;
        let bank: Vec<u8> = self.ground.bank.iter().flat_map(|row| row[..piles_count].to_vec()).collect();
        Spider::new(*table.rules(), &piles, &bank, table.completed(), table.moves_made())
    }

    /// Turns up, in a view, the cards that its moves have uncovered.
    pub fn reveal(&self, view: &mut Node, weights: &Weights) {
        let mut is_any = false;
        for (place, down) in self.down.iter().enumerate() {
            let pile = view.piles[place];
            let at = usize::from(pile.start + pile.down);
            if pile.len > 0 && view.cards[at] == UNKNOWN {
                view.cards[at] = down[usize::from(pile.down)];
                is_any = true;
            }
        }
        if is_any {
            view.rescan(&self.ground, weights);
        }
    }
}

/// What a player sees: the open cards, the numbers of cards face down and in the bank, and the set of hidden cards.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The ground, with a bank of unknown cards.
    pub ground: Ground,
    pub view: Node,
    /// The unseen cards, in the order of their numbers.
    unseen: Vec<u8>,
}

impl Sight {
    pub fn of(table: &Spider, player: &Planned) -> Sight {
        let mut ground = Ground::of(table);
        ground.bank.fill([UNKNOWN; PILES]);
        let mut counts = table.rules().counts();
        for &suit in table.completed() {
            for rank in 1..=ground.ranks {
                counts[usize::from(number(suit, rank))] -= 1;
            }
        }
        let mut piles: Vec<(Vec<u8>, u8)> = Vec::new();
        for pile in table.piles() {
            let (mut cards, down) = (pile.cards().to_vec(), usize::from(pile.down()));
            cards[..down].fill(UNKNOWN);
            cards[down..].iter().for_each(|&card| counts[usize::from(card)] -= 1);
            piles.push((cards, pile.down()));
        }
        let numbers = (0u8..).zip(counts);
        let unseen = numbers.flat_map(|(card, count)| std::iter::repeat_n(card, count.into())).collect();
        let (rows, done) = (ground.bank.len() as u8, table.completed().len() as u8);
        let seen = piles.iter().map(|(cards, down)| (&cards[..], *down));
        let view = Node::new(&ground, seen, rows, done, player.weights(rows));
        Sight { ground, view, unseen }
    }

    /// Returns true if no card is hidden.
    pub fn is_whole(&self) -> bool {
        self.unseen.is_empty()
    }

    /// Samples a deal that is consistent with the view, each equally likely.
    pub fn suppose(&self, chance: &mut Decks) -> Deal {
        let mut cards = self.unseen.clone();
        chance.shuffle(&mut cards);
        let mut cards = cards.into_iter();
        let mut ground = self.ground.clone();
        for row in &mut ground.bank {
            row[..ground.piles].fill_with(|| cards.next().unwrap_or(UNKNOWN));
        }
        let down = |place: usize| cards.by_ref().take(self.view.piles[place].down.into()).collect();
        let down = (0..ground.piles).map(down).collect();
        Deal { ground, down }
    }
}

/// A player that goes from plan to plan and takes the cheapest end each time.
pub struct Planned {
    pub reach: Reach,
    /// The weights, by the rows left.
    layers: Vec<Weights>,
    /// The widths of the beams that play on when all cards are known.
    pub widths: Vec<usize>,
}

/// Why a player stops.
pub enum Stop {
    Won,
    Lost,
    /// It is about to deal with `at_row` rows or fewer left.
    AtRow,
}

impl Planned {
    pub fn new(taste: &Taste, reach: Reach, widths: Vec<usize>) -> Planned {
        Planned { reach, layers: (0..=MOST_ROWS).map(|rows| taste.weights(rows)).collect(), widths }
    }

    pub fn weights(&self, rows: u8) -> &Weights {
        &self.layers[usize::from(rows.min(MOST_ROWS))]
    }

    /// Returns the cheapest end of a plan; with splits only if there is none without.
    fn best_end(&self, planner: &mut Planner, ground: &Ground, view: &Node) -> Option<End> {
        for filter in [CAREFUL, FREE] {
            planner.plan(ground, view, self.reach, filter, self.weights(view.rows), false);
            if let Some(&end) = planner.ends.last() {
                return Some(end);
            }
        }
        None
    }

    /// Makes the moves of a plan, and reveals the cards that they turn.
    pub fn carry_out(&self, deal: &Deal, view: &mut Node, line: &[Move]) {
        let rows = view.rows;
        for &m in line {
            view.apply(&deal.ground, m, self.weights(rows));
        }
        if view.rows != rows {
            view.rescan(&deal.ground, self.weights(view.rows));
        }
        deal.reveal(view, self.weights(view.rows));
    }

    /// Plays on from a view of this deal, and passes the moves to `told`; stops where it wants to deal with `at_row`
    /// rows or fewer left.
    pub fn play_on(
        &self,
        planner: &mut Planner,
        deal: &Deal,
        view: &mut Node,
        at_row: Option<u8>,
        told: &mut dyn FnMut(&[Move]),
    ) -> Stop {
        let ground = &deal.ground;
        loop {
            if view.done == ground.runs {
                return Stop::Won;
            }
            if view.rows == 0 && view.piles.iter().all(|pile| pile.down == 0) {
                return match self.finish(ground, view) {
                    Some(line) => {
                        told(&line);
                        Stop::Won
                    }
                    None => Stop::Lost,
                };
            }
            let Some(end) = self.best_end(planner, ground, view) else { return Stop::Lost };
            if end.last == Move::Row && at_row.is_some_and(|rows| view.rows <= rows) {
                return Stop::AtRow;
            }
            let line = planner.line(&end);
            told(&line);
            self.carry_out(deal, view, &line);
        }
    }

    /// Returns a line to a win from a table of which all cards are known.
    pub fn finish(&self, ground: &Ground, view: &Node) -> Option<Vec<Move>> {
        self.widths.iter().find_map(|&width| {
            match Beam::new(ground).pass(view, width, &OPEN, &mut |_| true) {
                Passed::Won(line) => Some(line),
                Passed::Dry(_) | Passed::Stopped(_) => None,
            }
        })
    }
}
