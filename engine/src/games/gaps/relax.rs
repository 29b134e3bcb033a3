//! What could ever happen: facts "this card can stand in that cell" that are added and never lapse.
//!
//! A card that can go anywhere can leave its cell; a cell that can be empty can take whatever follows a card
//! that can stand on its left. Each real move is one of these steps, so by induction over a line of moves
//! every card is, all along the line, in a cell that the facts give it. What the facts rule out cannot
//! happen. The converse does not hold: the facts never get into each other's way.
//!
//! Facts are kept by cell, as sets of cards. A cell is looked at when it can newly be empty, and when there are
//! new facts on its left. (Sweeps over all cells, four rows at once, took as long, and cannot stop in between.)

use super::board::{Board, CELLS, COLUMNS, KINGS, ROWS, Sets, Step, TWOS};

/// All numbers of cards.
const ALL: u64 = (1 << 52) - 1;

/// All facts, and the cards that can move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relaxed {
    facts: Sets,
    pub mobile: u64,
    /// How many facts there are that the board does not show.
    pub count: u32,
}

impl Relaxed {
    /// The facts that follow from a board, where of the 2s only `twos` may move.
    #[inline]
    pub fn of(board: &Board, twos: u64) -> Relaxed {
        let mut relaxed = Relaxed::start(board);
        relaxed.complete(board, twos, 0, |_, _| false);
        relaxed
    }

    #[inline]
    fn start(board: &Board) -> Relaxed {
        Relaxed { facts: *board.sets(), mobile: 0, count: 0 }
    }

    /// Adds all facts that follow where of the 2s only `twos` may move and of all cards none of `frozen`. False if
    /// `is_enough` stopped it.
    #[inline]
    fn complete(
        &mut self,
        board: &Board,
        twos: u64,
        frozen: u64,
        is_enough: impl Fn(&Sets, u64) -> bool,
    ) -> bool {
        let free = ALL & !(frozen | TWOS & !twos);
        let Relaxed { facts, mobile, count } = self;
        // Cells that can be empty, and those of them to be looked at: the first column first.
        let mut open = board.gaps();
        let mut pending = open;
        while pending != 0 {
            let cell = pending.trailing_zeros() as usize;
            pending &= pending - 1;
            let here = (cell + ROWS) % 64;
            let added = facts[cell % 64] << 4 & free & !facts[here];
            if added == 0 {
                continue;
            }
            facts[here] |= added;
            // Most come one at a time; counting bits is slow where the machine cannot be asked for it.
            *count += if added & (added - 1) == 0 { 1 } else { added.count_ones() };
            pending |= open & 1 << here;
            let mut fresh = added & !*mobile;
            *mobile |= fresh;
            if is_enough(facts, *mobile) {
                return false;
            }
            while fresh != 0 {
                let cell = 1 << (board.at(fresh.trailing_zeros() as u8) % 64);
                fresh &= fresh - 1;
                open |= cell;
                pending |= cell;
            }
        }
        true
    }

    /// False if the game cannot be won any more: each row needs a suit of its own of which it can hold all
    /// cards.
    #[inline]
    pub fn may_win(&self, board: &Board) -> bool {
        // The suits of which each row can still become a whole run.
        let mut whole = rows_of_suits(board);
        for column in 1..COLUMNS {
            for (suits, facts) in whole.iter_mut().zip(&self.facts[ROWS * column..]) {
                *suits &= facts >> (4 * column);
            }
        }
        let [a, b, c, d] = whole.map(|suits| suits as usize & 15);
        PAIRS[a][b] & PAIRS[c][d].reverse_bits() != 0
    }

    /// No position that follows has more locked cards: a run is no longer than the cards that can reach
    /// their cells, and no two rows have the same suit.
    #[inline]
    pub fn bound(&self, board: &Board) -> u32 {
        let mut suits = rows_of_suits(board);
        let mut lengths = [0; ROWS];
        for column in 1..COLUMNS {
            for row in 0..ROWS {
                suits[row] &= self.facts[ROWS * column + row] >> (4 * column);
                lengths[row] += BYTES[suits[row] as usize & 15];
            }
        }
        assigned(&lengths)
    }
}

/// The suits that each row may have.
#[inline]
fn rows_of_suits(board: &Board) -> [u64; ROWS] {
    std::array::from_fn(|row| board.twos(row) >> 4)
}

/// The ways to split the suits into two for the upper rows and two for the lower: the last is the first turned
/// round, and so on.
const SPLITS: [[usize; 4]; 6] =
    [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]];

/// For the suits that two rows may have: which first halves of `SPLITS` they can share, as bits 1 to 6, so that
/// turning the byte round turns each split into its other half.
const PAIRS: [[u8; 16]; 16] = {
    let mut pairs = [[0; 16]; 16];
    let mut sets = 0;
    while sets < 256 {
        let (one, other) = (sets / 16, sets % 16);
        let mut split = 0;
        while split < 6 {
            let (p, q) = (SPLITS[split][0], SPLITS[split][1]);
            if (one >> p & other >> q | one >> q & other >> p) & 1 == 1 {
                pairs[one][other] |= 2 << split;
            }
            split += 1;
        }
        sets += 1;
    }
    pairs
};

/// A byte for each suit of a set: 1 if it is there.
const BYTES: [u32; 16] = {
    let mut bytes = [0; 16];
    let mut suits = 0;
    while suits < 16 {
        bytes[suits] = (suits as u32 & 1)
            | (suits as u32 >> 1 & 1) << 8
            | (suits as u32 >> 2 & 1) << 16
            | (suits as u32 >> 3 & 1) << 24;
        suits += 1;
    }
    bytes
};

/// The largest sum of lengths with a suit of its own for each row.
#[inline]
fn assigned(lengths: &[u32; ROWS]) -> u32 {
    let of = lengths.map(u32::to_le_bytes);
    let mut most = 0;
    for [p, q, r, s] in SPLITS {
        let upper = (of[0][p] + of[1][q]).max(of[0][q] + of[1][p]);
        let lower = (of[2][r] + of[3][s]).max(of[2][s] + of[3][r]);
        most = most.max(upper + lower);
    }
    most.into()
}

/// The place of a step that may be played alone, if there is one.
///
/// Let c go from f to g. While c stays at f, and its predecessor left of g, g takes no other card and the step
/// stays legal. The facts without any move of c must show that (1) the predecessor never leaves, and (2) c + 1
/// never comes right of f, which is all that needs c at f. Take any line w from here that does not play c first. If w ends in a
/// stuck position it plays c -> g somewhere, for that is legal until it is played. All that w does before it
/// is done with c at f, so by (2) none of it needs c there, nor by (1) touches g: the same moves can be made after c -> g, and
/// lead to the same position. So every stuck position, the won ones too, can still be reached, and in finitely many steps, as
/// w has got no longer. A line that ends elsewhere without playing c may have it added at its end: c was not
/// locked, or its predecessor would stand left of f, so no lock is lost by it. So the most locked cards stay
/// too; but not every position in between, nor its locks.
///
/// A 2 has no predecessor; what is said of g must hold all the same: with fixed suits, or if the others
/// are locked, no other 2 comes to g.
pub fn alone(board: &Board, steps: &[Step], twos: u64, mobile: u64) -> Option<usize> {
    let going = steps.iter().fold(0u64, |set, step| set | 1 << step.card);
    let mut unsure = [0; 16];
    let mut count = 0;
    for (place, &Step { card, .. }) in steps.iter().enumerate() {
        if card < 8 && !(board.has_fixed_suits() || !board.twos_hop() && twos & (twos - 1) == 0) {
            continue;
        }
        let needs = Needs::of(board, card);
        if going & needs.before != 0 || needs.follower != 0 && board.gaps() & 1 << needs.cell != 0 {
            continue;
        }
        // What cannot move with nothing frozen cannot move with c frozen.
        if mobile & (needs.follower | needs.before) == 0 {
            return Some(place);
        }
        unsure[count] = place;
        count += 1;
    }
    unsure[..count].iter().copied().find(|&place| {
        let card = steps[place].card;
        let Needs { before, follower, cell } = Needs::of(board, card);
        let is_wrong =
            |facts: &Sets, mobile: u64| mobile & before != 0 || facts[(cell + ROWS) % 64] & follower != 0;
        Relaxed::start(board).complete(board, twos, 1 << card, is_wrong)
    })
}

/// What a card that plays alone needs: that one never moves, and the other never comes to a cell.
struct Needs {
    before: u64,
    follower: u64,
    cell: usize,
}

impl Needs {
    #[inline]
    fn of(board: &Board, card: u8) -> Needs {
        let before = if card < 8 { 0 } else { 1 << (card - 4) };
        let cell = board.at(card) as usize + ROWS;
        // Nothing follows a king, nor in the last column; and what stands there already is not hindered.
        let is_free = card >= KINGS || cell >= CELLS || board.card(cell as u8) == card + 4;
        Needs { before, follower: if is_free { 0 } else { 1 << (card + 4) }, cell }
    }
}
