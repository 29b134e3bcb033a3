//! The cells and their cards: the part of a game that card moves change.
//!
//! A card is the number 4 * (rank - 1) + suit and a cell is 4 * column + row, both counted from 0. So the next card of
//! a suit and the next cell of a row are both four further on, and a set of either is one word. Aces lie nowhere, so
//! the number 0 is free to mean a gap.

use std::ops::Deref;

use super::rules::Rules;
use crate::cards::{Card, PACK};
use crate::rng::mix;

pub const ROWS: usize = 4;
pub const COLUMNS: usize = 13;
pub const CELLS: usize = PACK;
/// No card.
pub const GAP: u8 = 0;
/// Card numbers from here on are kings, and cells from here on are the last column.
pub const KINGS: u8 = 48;
/// The 2s, as a set.
pub const TWOS: u64 = 0xF0;
/// The number of cards of a finished row.
pub const WHOLE: u8 = 12;
/// The number of locked cards of a won game.
pub const WON: u32 = 48;

pub fn number_of(card: Card) -> u8 {
    (4 * (card.rank() - 1) + card.suit()) as u8
}

pub fn card_of(number: u8) -> Card {
    Card::new(number as usize % 4, number as usize / 4 + 1)
}

/// Returns the cell of a row and a column, both from 0.
pub fn cell_at(row: usize, column: usize) -> u8 {
    (ROWS * column + row) as u8
}

/// A set of cells for each card; those of one rank are adjacent, so that all suits can be processed at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Places(pub [u64; PACK]);

/// The runs of the four rows: suit and length of each, in one number.
pub type Vector = u32;

/// A card goes to a cell that is a gap.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Step {
    pub card: u8,
    pub to: u8,
}

/// The steps from a position: at most 16, because four gaps in column 1 take four 2s each.
#[derive(Clone, Copy, Default, Debug)]
pub struct Steps {
    list: [Step; 16],
    count: usize,
}

impl Steps {
    #[inline(always)]
    fn push(&mut self, step: Step) {
        self.list[self.count % 16] = step;
        self.count += 1;
    }
}

impl Deref for Steps {
    type Target = [Step];

    #[inline(always)]
    fn deref(&self) -> &[Step] {
        &self.list[..self.count]
    }
}

/// What takes a step back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Back {
    from: u8,
    /// The runs of the target row and the source row.
    run_to: u8,
    run_from: u8,
}

impl Back {
    /// Returns the cell from which the card came.
    pub fn from(self) -> u8 {
        self.from
    }

    /// Returns the length of the run of the target row before the step.
    pub fn run_to(self) -> u8 {
        self.run_to
    }
}

/// A random word for each card in each cell.
static WORDS: [[u128; CELLS]; PACK] = {
    let mut words = [[0; CELLS]; PACK];
    let mut state: u64 = 0;
    let mut card = 0;
    while card < PACK {
        let mut cell = 0;
        while cell < CELLS {
            let high = mix(state.wrapping_add(0x9E37_79B9_7F4A_7C15));
            state = state.wrapping_add(0x3C6E_F372_FE94_F82A);
            words[card][cell] = (high as u128) << 64 | mix(state) as u128;
            cell += 1;
        }
        card += 1;
    }
    words
};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The card in each cell.
    cards: [u8; CELLS],
    /// The cell of each card; the entry of an ace means nothing.
    at: [u8; 64],
    /// The cell of each card, as a set of one; empty for an ace.
    places: Places,
    gaps: u64,
    /// The 2s that a gap of column 1 takes, by row; and the cells of column 1 that take a 2, by its suit.
    twos: [u64; ROWS],
    homes: [u64; 4],
    /// The length of the locked run of each row.
    runs: [u8; ROWS],
    key: u128,
    /// True if a 2 in column 1 may go to another gap there.
    twos_hop: bool,
}

impl Board {
    /// Returns the board with these cards; all but the aces must be there, once each, and four gaps.
    pub fn new(rules: &Rules, cards: [u8; CELLS]) -> Board {
        let twos = match rules.fixed_suits {
            None => [TWOS; ROWS],
            Some(suits) => suits.map(|suit| 1 << (4 + suit)),
        };
        let mut board = Board {
            cards,
            at: [0; 64],
            places: Places([0; PACK]),
            gaps: 0,
            twos,
            homes: std::array::from_fn(|suit| {
                (0..ROWS).map(|row| (twos[row] >> (4 + suit) & 1) << row).sum()
            }),
            runs: [0; ROWS],
            key: 0,
            twos_hop: rules.twos_hop(),
        };
        for cell in 0..CELLS as u8 {
            let card = cards[cell as usize];
            if card == GAP {
                board.gaps |= 1 << cell;
            } else {
                board.at[card as usize] = cell;
                board.places.0[card as usize] = 1 << cell;
                board.key ^= WORDS[card as usize][cell as usize];
            }
        }
        for row in 0..ROWS {
            board.runs[row] = board.run_from(row, 0);
        }
        board
    }

    /// Returns the card in each cell.
    pub fn cards(&self) -> &[u8; CELLS] {
        &self.cards
    }

    #[inline(always)]
    pub fn card(&self, cell: u8) -> u8 {
        self.cards[cell as usize]
    }

    #[inline(always)]
    pub fn at(&self, card: u8) -> u8 {
        self.at[card as usize % 64]
    }

    #[inline(always)]
    pub fn places(&self) -> &Places {
        &self.places
    }

    #[inline(always)]
    pub fn gaps(&self) -> u64 {
        self.gaps
    }

    #[inline(always)]
    pub fn runs(&self) -> [u8; ROWS] {
        self.runs
    }

    #[inline(always)]
    pub fn key(&self) -> u128 {
        self.key
    }

    /// Returns the 2s that a gap of column 1 in this row takes, wherever they are.
    #[inline(always)]
    pub fn twos(&self, row: usize) -> u64 {
        self.twos[row]
    }

    /// Returns the cells of column 1 that take the 2 of a suit.
    #[inline(always)]
    pub fn homes(&self, suit: usize) -> u64 {
        self.homes[suit]
    }

    /// Returns true if suits are fixed to rows.
    #[inline(always)]
    pub fn has_fixed_suits(&self) -> bool {
        self.twos(0) != TWOS
    }

    /// Returns true if a 2 in column 1 may go to another gap there.
    #[inline(always)]
    pub fn twos_hop(&self) -> bool {
        self.twos_hop
    }

    #[inline(always)]
    pub fn locked(&self) -> u32 {
        self.runs.iter().map(|&run| u32::from(run)).sum()
    }

    /// Returns the runs, each as its length and the suit of its 2.
    pub fn vector(&self) -> Vector {
        (0..ROWS).fold(0, |vector, row| {
            let run = u32::from(self.runs[row]);
            let suit = if run == 0 { 0 } else { u32::from(self.cards[row] % 4) };
            vector | (run << 2 | suit) << (8 * row)
        })
    }

    /// Returns the suit (0..4) and length of the run of each row.
    pub fn runs_of(vector: Vector) -> [(u8, u8); ROWS] {
        vector.to_le_bytes().map(|byte| (byte % 4, byte / 4))
    }

    /// Returns the length of the run of a row, of which `known` cards are known to be locked.
    #[inline(always)]
    fn run_from(&self, row: usize, known: u8) -> u8 {
        let mut run = known;
        if run == 0 {
            if 1 << self.cards[row] & self.twos(row) == 0 {
                return 0;
            }
            run = 1;
        }
        while run < WHOLE
            && self.cards[ROWS * run as usize + row] == self.cards[ROWS * run as usize + row - ROWS] + 4
        {
            run += 1;
        }
        run
    }

    /// Returns the 2s that may still move: all but those in column 1 that stay there, or may not hop.
    #[inline(always)]
    pub fn loose_twos(&self, may_hop: bool) -> u64 {
        if self.twos_hop && may_hop {
            return TWOS;
        }
        let staying: u64 = (0..ROWS).map(|row| 1 << self.cards[row] & self.twos[row]).sum();
        TWOS & !staying
    }

    /// Returns true if no gap can come to column 1 again unless a 2 leaves it for a gap there.
    #[inline(always)]
    pub fn is_first_column_full(&self) -> bool {
        (0..ROWS).all(|row| 1 << self.cards[row] & self.twos[row] != 0)
    }

    /// Returns true if the step moves a 2 out of column 1, where the rules allow it.
    #[inline(always)]
    pub fn is_hop(&self, step: Step) -> bool {
        self.twos_hop && step.to < ROWS as u8 && self.at(step.card) < ROWS as u8
    }

    /// Returns every step, by gap from the first column on, and 2s in the order of suits.
    #[inline(always)]
    pub fn steps(&self) -> Steps {
        let mut steps = Steps::default();
        let mut gaps = self.gaps;
        while gaps != 0 {
            let to = gaps.trailing_zeros() as u8;
            gaps &= gaps - 1;
            if to < ROWS as u8 {
                let mut twos = self.loose_twos(true) & self.twos[to as usize];
                while twos != 0 {
                    steps.push(Step { card: twos.trailing_zeros() as u8, to });
                    twos &= twos - 1;
                }
            } else {
                let left = self.cards[to as usize - ROWS];
                if left != GAP && left < KINGS {
                    steps.push(Step { card: left + 4, to });
                }
            }
        }
        steps
    }

    pub fn is_stuck(&self) -> bool {
        self.steps().is_empty()
    }

    /// Returns the key of the board after a step.
    #[inline(always)]
    pub fn key_after(&self, step: Step) -> u128 {
        let words = &WORDS[step.card as usize];
        self.key ^ words[self.at[step.card as usize] as usize] ^ words[step.to as usize]
    }

    #[inline(always)]
    pub fn make(&mut self, step: Step) -> Back {
        let Step { card, to } = step;
        let from = self.at[card as usize];
        self.key = self.key_after(step);
        self.shift(card, from, to);
        let (row_to, row_from) = (to as usize % ROWS, from as usize % ROWS);
        let back = Back { from, run_to: self.runs[row_to], run_from: self.runs[row_from] };
        if from < ROWS as u8 {
            // If the card was locked, it was the 2 of its run.
            self.runs[row_from] = 0;
        }
        if self.runs[row_to] == to / 4 {
            self.runs[row_to] = self.run_from(row_to, self.runs[row_to]);
        }
        back
    }

    #[inline(always)]
    pub fn unmake(&mut self, step: Step, back: Back) {
        let Step { card, to } = step;
        let words = &WORDS[card as usize];
        self.key ^= words[back.from as usize] ^ words[to as usize];
        self.shift(card, to, back.from);
        self.runs[to as usize % ROWS] = back.run_to;
        self.runs[back.from as usize % ROWS] = back.run_from;
    }

    #[inline(always)]
    fn shift(&mut self, card: u8, from: u8, to: u8) {
        self.cards[from as usize] = GAP;
        self.cards[to as usize] = card;
        self.at[card as usize] = to;
        self.places.0[card as usize] = 1 << to;
        self.gaps ^= 1 << from | 1 << to;
    }

    /// Returns true if the last step changed a run.
    #[inline(always)]
    pub fn has_changed_locks(&self, step: Step, back: Back) -> bool {
        self.runs[step.to as usize % ROWS] != back.run_to
            || self.runs[back.from as usize % ROWS] != back.run_from
    }

    /// Returns board `number` of all boards that a redeal can produce, counted from 0; `None` if there are not that
    /// many. One loose card after the other, by rank and then by suit, takes one of the remaining cells, row by row;
    /// the remainders of the number choose the cell.
    pub fn arranged(&self, rules: &Rules, mut number: u64) -> Option<Board> {
        let mut cards = [GAP; CELLS];
        let mut locked: u64 = 0;
        let mut free = Vec::new();
        for (row, &run) in self.runs.iter().enumerate() {
            let run = usize::from(run);
            for column in 0..run {
                let cell = ROWS * column + row;
                cards[cell] = self.cards[cell];
                locked |= 1 << self.cards[cell];
            }
            let first = run + usize::from(rules.gaps_after_runs);
            free.extend((first..COLUMNS).map(|column| ROWS * column + row));
        }
        for card in (ROWS as u8..CELLS as u8).filter(|&card| locked & 1 << card == 0) {
            let left = free.len() as u64;
            cards[free.remove((number % left) as usize)] = card;
            number /= left;
        }
        (number == 0).then(|| Board::new(rules, cards))
    }

    /// Returns the board after a redeal with this deck; see `Rules::gaps_after_runs`.
    pub fn redealt(&self, rules: &Rules, deck: &[u8]) -> Board {
        let mut cards = [GAP; CELLS];
        let mut locked: u64 = 0;
        for row in 0..ROWS {
            for column in 0..self.runs[row] as usize {
                let cell = ROWS * column + row;
                cards[cell] = self.cards[cell];
                locked |= 1 << self.cards[cell];
            }
        }
        let is_loose = |&card: &u8| {
            if card < ROWS as u8 { !rules.gaps_after_runs } else { locked & 1 << card == 0 }
        };
        let mut loose = deck.iter().copied().filter(is_loose);
        for (row, &run) in self.runs.iter().enumerate() {
            let first = run as usize + usize::from(rules.gaps_after_runs);
            for column in first..COLUMNS {
                let card = loose.next().unwrap_or(GAP);
                cards[ROWS * column + row] = if card < ROWS as u8 { GAP } else { card };
            }
        }
        Board::new(rules, cards)
    }
}
