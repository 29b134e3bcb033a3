//! The environment of Gaps: docs/envs/gaps.md defines the numbers and bytes.

use super::board::{CELLS, COLUMNS, GAP, ROWS, Step, WHOLE, WON, cell_at};
use super::rules::Rules;
use super::table::Gaps;
use crate::Fault;
use crate::envs::{Legal, Stepped};
use crate::search::Game;

/// The first action that moves a card of rank 3 to 13, and the first that moves a 2.
const CARD: usize = 1;
const TWO: usize = CARD + 4 * 11;

/// The offsets of the parts of an observation: the cells row by row, the lengths of the locked runs, and redeals left.
const CELL: usize = 0;
const LOCKED: usize = CELL + CELLS;
const REDEALS: usize = LOCKED + ROWS;

/// The index of each suit (C D H S) in the order S H D C of actions and observations.
const SUITS: [u8; 4] = [3, 2, 1, 0];

/// The byte of a card in an observation, and the action that moves it, if it is no 2; both by its number.
const CODES: [u8; CELLS] = numbers(13, 1, 0);
const ACTIONS: [u8; CELLS] = numbers(11, CARD as u8, 2);

/// Returns a number for each card: `width` ranks in each suit, counted from `first` for the rank `skipped + 1` on; 0
/// for the ranks before it.
const fn numbers(width: u8, first: u8, skipped: u8) -> [u8; CELLS] {
    let mut numbers = [0; CELLS];
    let mut card = ROWS * if skipped == 0 { 1 } else { skipped as usize };
    while card < CELLS {
        numbers[card] = first + width * SUITS[card % 4] + card as u8 / 4 - skipped;
        card += 1;
    }
    numbers
}

/// Returns the offset of a cell in an observation.
#[inline]
fn place(cell: u8) -> usize {
    let cell = usize::from(cell);
    CELL + COLUMNS * (cell % ROWS) + cell / ROWS
}

impl Gaps {
    /// Returns the action of a step.
    #[inline]
    fn number(step: Step) -> usize {
        let Step { card, to } = step;
        if to >= ROWS as u8 {
            return ACTIONS[usize::from(card)].into();
        }
        TWO + 4 * usize::from(SUITS[usize::from(card % 4)]) + usize::from(to)
    }

    /// Returns the step of a legal action that moves a card.
    #[inline]
    fn decode(&self, action: usize) -> Step {
        if let Some(two) = action.checked_sub(TWO) {
            // The order of the suits is its own inverse.
            return Step { card: 4 + SUITS[two / 4], to: (two % 4) as u8 };
        }
        let (suit, rank) = ((action - CARD) / 11, (action - CARD) % 11);
        let card = 4 * (rank as u8 + 2) + SUITS[suit];
        Step { card, to: self.board.at(card - 4) + ROWS as u8 }
    }

    fn observe_rest(&self, observation: &mut [u8]) {
        observation[LOCKED..REDEALS].copy_from_slice(&self.board.runs());
        observation[REDEALS] = self.rules.redeals - self.used;
    }
}

impl Stepped for Gaps {
    type Legal = Legal<1>;

    #[inline]
    fn actions(_: &Rules) -> usize {
        TWO + 4 * ROWS
    }

    #[inline]
    fn bytes(_: &Rules) -> usize {
        REDEALS + 1
    }

    fn check_rules(_: &Rules) -> Result<(), Fault> {
        Ok(())
    }

    /// Returns an error unless the orders of all coming redeals are known: a game that goes on must have an action.
    fn check_fit(&self) -> Result<(), Fault> {
        let (left, known) = (usize::from(self.rules.redeals - self.used), self.decks().len());
        if left == known {
            return Ok(());
        }
        Err(Fault::new(format!("{left} redeals are left, but the order of only {known} is known")))
    }

    fn observe(&self, observation: &mut [u8]) {
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                let cell = cell_at(row, column);
                // A gap is 0 in both.
                observation[place(cell)] = CODES[usize::from(self.board.card(cell))];
            }
        }
        self.observe_rest(observation);
    }

    #[inline]
    fn legal(&self) -> Legal<1> {
        let mut legal = Legal::default();
        for &step in self.board.steps().iter() {
            legal.insert(Gaps::number(step));
        }
        let may_redeal = self.used < self.rules.redeals
            && (self.rules.early_redeal || legal == Legal::default())
            && !self.is_won();
        if may_redeal {
            legal.insert(0);
        }
        legal
    }

    #[inline]
    fn act(&mut self, action: usize, observation: &mut [u8]) {
        if action == 0 {
            self.redeal();
            return self.observe(observation);
        }
        let step = self.decode(action);
        let back = self.board.make(step);
        observation[place(back.from())] = GAP;
        observation[place(step.to)] = CODES[usize::from(step.card)];
        self.observe_rest(observation);
    }

    #[inline]
    fn completed_count(&self) -> i64 {
        self.board.runs().iter().filter(|&&run| run == WHOLE).count() as i64
    }

    #[inline]
    fn potential(&self) -> f64 {
        f64::from(self.board.locked()) / f64::from(WON)
    }
}
