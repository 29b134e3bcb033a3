//! A relaxation of the game: facts "this card can stand in that cell" that are added and never removed.
//!
//! A card that can go anywhere can leave its cell; a cell that can be empty can take whatever follows a card that can
//! stand on its left. Each real move is one of these steps. So by induction over a line of moves every card is, all
//! along the line, in a cell that the facts give it, and what the facts rule out cannot happen. The converse does not
//! hold, because the facts ignore that moves can exclude each other.
//!
//! Facts are sets of cells for each card, and all follow from the cells that can be empty: from these a round computes
//! where the cards of each rank can stand, all suits at once, and which cells open when they leave. Rounds are
//! repeated, nine on average, until nothing new opens. On processors with wide registers that takes less than half the
//! time of a work list of cells; on others it takes as long.

use super::board::{Board, CELLS, KINGS, Places, ROWS, Step, WHOLE, WON};
use super::peaks::Spans;

/// A set of cells for each suit.
type Suits = [u64; 4];

/// The facts about a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relaxed {
    /// The cells that can be empty: the gaps, and those of cards that can move.
    pub open: u64,
    /// The cells of column 1 to which the 2 of each suit may go.
    homes: Suits,
}

impl Relaxed {
    /// Returns the facts about a board on which only the 2s of `twos` may move.
    #[inline(always)]
    pub fn of(board: &Board, twos: u64) -> Relaxed {
        let homes = homes(board, twos);
        Relaxed { open: spread(board.places(), homes, board.gaps(), 0), homes }
    }

    /// Calls `visit` with where the cards of each rank can stand, 2s first.
    #[inline(always)]
    fn each_rank(&self, board: &Board, mut visit: impl FnMut(u32, Suits)) {
        let mut reached = twos_reached(board.places(), self.homes, self.open);
        visit(0, reached);
        for rank in 1..u32::from(WHOLE) {
            reached = next_reached(board.places(), rank as usize, reached, self.open);
            visit(rank, reached);
        }
    }

    /// Returns false if the game cannot be won any more: each row needs a suit of its own of which it can hold all
    /// cards.
    #[inline(always)]
    pub fn may_win(&self, board: &Board) -> bool {
        // The rows in which each suit can still become a whole run.
        let mut whole: Suits = std::array::from_fn(|suit| board.homes(suit));
        self.each_rank(board, |rank, reached| {
            whole = std::array::from_fn(|suit| whole[suit] & reached[suit] >> (4 * rank));
        });
        let [a, b, c, d] = whole.map(|rows| rows as usize & 15);
        PAIRS[a][b] & PAIRS[c][d].reverse_bits() != 0
    }

    /// Returns an upper bound on the locked cards of every position that follows: a run is no longer than the cards
    /// that can reach their cells, and no two rows have the same suit.
    #[inline(always)]
    pub fn bound(&self, board: &Board) -> u32 {
        assigned(&self.lengths(board))
    }

    /// Returns the least and the greatest length that the run of each row can reach, where 2s stay.
    #[inline(always)]
    pub fn spans(&self, board: &Board) -> Spans {
        let lengths = self.lengths(board).map(u32::to_le_bytes);
        let runs = board.runs();
        std::array::from_fn(|row| (runs[row], lengths.iter().fold(0, |most, of_suit| most.max(of_suit[row]))))
    }

    /// Returns how long a run of each suit can become, in a byte for each row.
    #[inline(always)]
    fn lengths(&self, board: &Board) -> [u32; 4] {
        let mut rows: Suits = std::array::from_fn(|suit| board.homes(suit));
        // A byte for each row.
        let mut lengths: Suits = [0; 4];
        self.each_rank(board, |rank, reached| {
            rows = std::array::from_fn(|suit| rows[suit] & reached[suit] >> (4 * rank) & 15);
            // The product has bit n of the rows at bit 8 n, and others in between.
            lengths = std::array::from_fn(|suit| lengths[suit] + ((rows[suit] * 0x20_4081) & 0x0101_0101));
        });
        lengths.map(|bytes| bytes as u32)
    }

    /// Returns the number of facts that the board does not show.
    #[inline(always)]
    pub fn count(&self, board: &Board) -> u32 {
        let mut count = 0;
        self.each_rank(board, |_, reached| count += reached.map(u64::count_ones).iter().sum::<u32>());
        count - WON
    }
}

/// Returns the cells of column 1 to which the 2 of each suit may go, if only `twos` may move.
#[inline(always)]
fn homes(board: &Board, twos: u64) -> Suits {
    std::array::from_fn(|suit| board.homes(suit) & 0u64.wrapping_sub(twos >> (4 + suit) & 1))
}

/// Returns where the 2s can stand.
#[inline(always)]
fn twos_reached(places: &Places, homes: Suits, open: u64) -> Suits {
    std::array::from_fn(|suit| places.0[4 + suit] | open & homes[suit])
}

/// Returns where the cards of a rank (0 for the 2s) can stand, given where those of the rank before can stand.
#[inline(always)]
fn next_reached(places: &Places, rank: usize, before: Suits, open: u64) -> Suits {
    std::array::from_fn(|suit| places.0[4 * (rank + 1) + suit] | before[suit] << 4 & open)
}

/// Returns all cells that can be empty if those of `open` can; stops early as soon as a cell of `stop` is among them.
#[inline(always)]
fn spread(places: &Places, homes: Suits, mut open: u64, stop: u64) -> u64 {
    loop {
        let mut reached = twos_reached(places, homes, open);
        let mut left = [0; 4];
        for rank in 0..usize::from(WHOLE) {
            if rank > 0 {
                reached = next_reached(places, rank, reached, open);
            }
            for suit in 0..4 {
                let at = places.0[4 * (rank + 1) + suit];
                left[suit] |= if reached[suit] == at { 0 } else { at };
            }
        }
        let more = open | left[0] | left[1] | left[2] | left[3];
        if more == open || more & stop != 0 {
            return more;
        }
        open = more;
    }
}

/// The ways to split the suits into two for the upper rows and two for the lower. The last is the first with the halves
/// exchanged, and so on.
const SPLITS: [[usize; 4]; 6] =
    [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]];

/// For each pair of sets of suits that two rows may have: the first halves of `SPLITS` that they can share, as bits 1
/// to 6, so that reversing the byte maps each split to its other half.
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

/// Returns the largest sum of lengths with a suit of its own for each row.
#[inline(always)]
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

/// Returns the index of a step that may be played alone, if there is one.
///
/// Let c go from f to g. While c stays at f, and its predecessor left of g, g takes no other card and the step stays
/// legal. The facts without any move of c must show that (1) the predecessor never leaves, and (2) c + 1 never comes
/// right of f, which is the only reason to keep c at f. Take any line w from here that does not play c first. If w ends
/// in a stuck position, it plays c -> g somewhere, because that is legal until it is played. All that w does before it
/// is done with c at f, so by (2) none of it needs c there, nor by (1) touches g: the same moves can be made after c ->
/// g, and lead to the same position. So every stuck position, the won ones too, can still be reached, and in finitely
/// many steps, as w has got no longer. A line that ends elsewhere without playing c may have it added at its end: c was
/// not locked, or its predecessor would stand left of f, so no lock is lost by it. So the greatest number of locked
/// cards stays too; but not every position in between, nor its locks.
///
/// A 2 has no predecessor, and the statements about g must hold all the same: with fixed suits, or if the others are
/// locked, no other 2 comes to g.
///
/// Both conditions say that a cell is never empty, that of the predecessor and the one right of f: with c at f, that
/// cell open is all that c + 1 needs. As long as c can go to g only, treating g as shut keeps c at f: no card lies
/// there that could open it, and no other can come there before (1) fails.
#[inline(always)]
pub fn alone(board: &Board, steps: &[Step], twos: u64, open: u64) -> Option<usize> {
    let mut unsure = [(0, 0); 16];
    let mut count = 0;
    let going = steps.iter().fold(0u64, |set, step| set | board.places().0[step.card as usize]);
    for (place, &Step { card, .. }) in steps.iter().enumerate() {
        if card < 8 && !(board.has_fixed_suits() || !board.twos_hop() && twos & (twos - 1) == 0) {
            continue;
        }
        let shut = must_stay_shut(board, card);
        if (going | board.gaps()) & shut != 0 {
            continue;
        }
        // What cannot be empty with all cards free to move cannot be empty with c at f.
        if open & shut == 0 {
            return Some(place);
        }
        unsure[count] = (place, shut);
        count += 1;
    }
    let homes = homes(board, twos);
    for &(place, shut) in &unsure[..count] {
        let gaps = board.gaps() & !(1 << steps[place].to);
        if spread(board.places(), homes, gaps, shut) & shut == 0 {
            return Some(place);
        }
    }
    None
}

/// Returns the cells that must never be empty if a card is to play alone: that of its predecessor, and the one on its
/// right, into which its follower could come.
#[inline(always)]
fn must_stay_shut(board: &Board, card: u8) -> u64 {
    let before = if card < 8 { 0 } else { board.places().0[card as usize - 4] };
    let cell = board.at(card) + ROWS as u8;
    // Nothing follows a king, nor in the last column; and what stands there already is not affected.
    let is_free = card >= KINGS || cell >= CELLS as u8 || board.card(cell) == card + 4;
    before | if is_free { 0 } else { 1 << cell }
}
