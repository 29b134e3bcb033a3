//! A table as the searches use it: cards, and for each pile the data for computing costs without making a move.

use super::moves::Move;
use super::table::{MOST_CARDS as CARDS, MOST_PILES as PILES, NONE as UNKNOWN, Table, rank};
use super::weights::Weights;
use crate::rng::mix;

pub(super) fn suit(card: u8) -> usize {
    super::table::suit(card).into()
}

/// What is the same for all tables of one search.
#[derive(Clone, Debug)]
pub struct Ground {
    pub piles: usize,
    /// The rank of a king, and the length of a complete run.
    pub ranks: u8,
    pub runs: u8,
    pub deal_on_empty: bool,
    /// The cards of the rows in the order in which they are dealt; unknown ones are `UNKNOWN`.
    pub bank: Vec<[u8; PILES]>,
}

impl Ground {
    /// Returns the ground of a table, with its bank as it is.
    pub fn of(table: &Table) -> Ground {
        let rules = table.rules();
        let row = |cards: &[u8]| std::array::from_fn(|pile| cards.get(pile).copied().unwrap_or(UNKNOWN));
        Ground {
            piles: rules.piles.into(),
            ranks: rules.ranks,
            runs: rules.runs,
            deal_on_empty: rules.deal_on_empty,
            bank: table.bank().chunks(rules.piles.into()).map(row).collect(),
        }
    }

    /// Returns the row that is dealt when `left` rows are left.
    pub fn row(&self, left: u8) -> &[u8; PILES] {
        &self.bank[self.bank.len() - usize::from(left)]
    }
}

/// One pile: its place among the cards, its cost, and its cost without the last run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pile {
    /// The hash of its cards and of the number of face-down ones. `mixed` includes the index of the pile, where that
    /// matters.
    pub hash: u64,
    pub(super) mixed: u64,
    /// `mixed` without the last run.
    pub(super) under_mixed: u64,
    pub cost: i32,
    pub(super) under_cost: i32,
    /// The ranks in the pile, by suit.
    pub(super) masks: [u16; 4],
    pub start: u8,
    pub len: u8,
    pub down: u8,
    /// The length of the run at its end, in suit and face up.
    pub run: u8,
    /// The last card, and the first one of the run.
    pub top: u8,
    pub head: u8,
    pub(super) under: Ends,
    pub(super) ends: Ends,
}

/// The ranks at which a pile can give and take, for counting stranded runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ends {
    /// The rank of its last card; 0: unknown or none.
    pub top: u8,
    /// The rank of its run's first card; 0: unknown, none, or a king at the bottom, which need not move.
    pub head: u8,
    pub is_empty: bool,
}

#[derive(Clone, Debug)]
pub struct Node {
    /// Pile after pile, bottom first.
    pub cards: [u8; CARDS],
    pub piles: [Pile; PILES],
    /// The sum of the costs of the piles.
    pub(super) sum: i32,
    pub cost: i32,
    pub hash: u64,
    /// Four bits for each rank: how many piles end with it, and how many runs begin with it.
    pub(super) tops: u64,
    pub(super) heads: u64,
    pub rows: u8,
    pub done: u8,
    pub empty: u8,
    /// The index of the link of the line to here.
    pub trail: u32,
    /// The number of moves made to come here.
    pub made: u32,
}

pub(super) const fn nibble(rank: u8) -> u64 {
    1 << (4 * rank)
}

/// Returns the number of runs without a target: no pile ends one rank above their first card.
fn stranded(tops: u64, heads: u64) -> i32 {
    let some = tops | tops >> 1;
    let some = (some | some >> 2) & 0x1111_1111_1111_1111;
    let taken = (some >> 4) * 15;
    let left = heads & !taken & !15;
    let pairs = (left & 0x0f0f_0f0f_0f0f_0f0f) + (left >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
    (pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56) as i32
}

/// Returns the number of ranks that end some pile on which another card can be laid.
fn taking(tops: u64) -> i32 {
    let some = tops | tops >> 1;
    let some = (some | some >> 2) & 0x1111_1111_1111_1100;
    some.count_ones() as i32
}

pub(super) fn square(n: u8) -> i32 {
    i32::from(n) * i32::from(n)
}

/// The hash of each card at each place of a pile.
pub(super) static Z: [[u64; 64]; CARDS] = {
    let mut table = [[0; 64]; CARDS];
    let mut place = 0;
    while place < CARDS {
        let mut card = 0;
        while card < 64 {
            table[place][card] = mix(0x5912_de4d_0000 + (place * 64 + card) as u64);
            card += 1;
        }
        place += 1;
    }
    table
};

fn down_hash(down: u8) -> u64 {
    mix(0x0d0f_f000 + u64::from(down))
}

impl Node {
    /// Returns the table with these piles: cards from the bottom up, and how many of them are face down.
    pub fn new<'a>(
        ground: &Ground,
        piles: impl IntoIterator<Item = (&'a [u8], u8)>,
        rows: u8,
        done: u8,
        weights: &Weights,
    ) -> Node {
        let mut node = Node {
            cards: [0; CARDS],
            piles: [Pile::default(); PILES],
            sum: 0,
            cost: 0,
            hash: 0,
            tops: 0,
            heads: 0,
            rows,
            done,
            empty: 0,
            trail: 0,
            made: 0,
        };
        let mut start = 0;
        for (pile, (cards, down)) in node.piles.iter_mut().zip(piles) {
            node.cards[start..start + cards.len()].copy_from_slice(cards);
            (pile.start, pile.len, pile.down) = (start as u8, cards.len() as u8, down);
            start += cards.len();
        }
        node.rescan(ground, weights);
        node
    }

    /// Returns the node of a table with every card known.
    pub fn open(ground: &Ground, table: &Table, weights: &Weights) -> Node {
        let piles = table.piles().iter().map(|pile| (pile.cards(), pile.down()));
        Node::new(ground, piles, ground.bank.len() as u8, table.completed().len() as u8, weights)
    }

    /// Returns a lower bound on the moves to a win: each makes at most one join in suit, and a row at most one for each
    /// pile.
    pub fn least_moves(&self, ground: &Ground) -> u32 {
        let joins = |place| {
            let open = &self.pile(place)[usize::from(self.piles[place].down)..];
            open.windows(2).filter(|pair| pair[0] == pair[1] + 1).count() as u32
        };
        let wanted = u32::from(ground.ranks - 1) * u32::from(ground.runs - self.done);
        let wanted = wanted - (0..ground.piles).map(joins).sum::<u32>();
        let rows = u32::from(self.rows);
        rows + wanted.saturating_sub(ground.piles as u32 * rows)
    }

    pub fn pile(&self, place: usize) -> &[u8] {
        let Pile { start, len, .. } = self.piles[place];
        &self.cards[usize::from(start)..usize::from(start + len)]
    }

    /// Recomputes the costs of all piles, after a change of the weights or when cards have become known.
    pub fn rescan(&mut self, ground: &Ground, weights: &Weights) {
        for place in 0..ground.piles {
            self.scan(ground, place, weights);
        }
        self.add_up(ground, weights);
    }

    fn add_up(&mut self, ground: &Ground, weights: &Weights) {
        let (mut sum, mut hash, mut tops, mut heads, mut empty) = (0, mix(u64::from(self.rows) + 1), 0, 0, 0);
        for pile in &self.piles[..ground.piles] {
            sum += pile.cost;
            hash = u64::wrapping_add(hash, pile.mixed);
            tops += nibble(pile.ends.top);
            heads += nibble(pile.ends.head);
            empty += u8::from(pile.len == 0);
        }
        (self.sum, self.hash, self.tops, self.heads, self.empty) = (sum, hash, tops, heads, empty);
        self.cost = self.total(sum, empty, self.done, tops, heads, weights);
    }

    #[inline(always)]
    pub(super) fn total(
        &self,
        sum: i32,
        empty: u8,
        done: u8,
        tops: u64,
        heads: u64,
        weights: &Weights,
    ) -> i32 {
        sum - weights.empty[usize::from(empty)] - weights.done * i32::from(done)
            + weights.stranded * stranded(tops, heads)
            - weights.taking * taking(tops)
    }

    /// Mixes the hash of a pile with its index, as long as rows are dealt: then piles are not interchangeable.
    #[inline(always)]
    pub(super) fn mixed(&self, hash: u64, place: usize) -> u64 {
        mix(if self.rows == 0 { hash } else { hash ^ (place as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) })
    }

    /// Returns the cost of a single card that is turned, or is the first open one, on these face-down ones.
    fn first_cost(ground: &Ground, below: &[u8], card: u8, weights: &Weights) -> i32 {
        let down = below.len() as i32;
        let mut cost = weights.down * down + weights.down2 * down * down;
        match below.last() {
            None => cost += weights.bottom * i32::from(rank(card) != ground.ranks),
            Some(&last) => {
                let follows = card != UNKNOWN && rank(last) == rank(card) + 1;
                cost += if follows { weights.off } else { weights.gap };
                cost += weights.above;
                let lower =
                    below.iter().filter(|&&c| suit(c) == suit(card) && rank(c) < rank(card) && c != UNKNOWN);
                let ranks = lower.fold(0u16, |ranks, &c| ranks | 1 << rank(c));
                cost += weights.buried * ranks.count_ones() as i32;
            }
        }
        cost
    }

    /// Computes the cost of one pile.
    fn scan(&mut self, ground: &Ground, place: usize, weights: &Weights) {
        let Pile { start, len, down, .. } = self.piles[place];
        let cards = &self.cards[usize::from(start)..usize::from(start + len)];
        let mut pile = Pile { start, len, down, ..Pile::default() };
        if len == 0 {
            pile.ends.is_empty = true;
            pile.hash = down_hash(0);
            pile.mixed = self.mixed(pile.hash, place);
            self.piles[place] = pile;
            return;
        }
        let d = usize::from(down);
        let mut masks = [0u16; 4];
        for &card in &cards[..d] {
            masks[suit(card)] |= 1 << rank(card);
        }
        masks[0] &= !1;
        // The first open segment lies on the face-down cards; its cost is that of a turned card, plus that of its
        // length.
        let mut cost = 0;
        let (mut first, mut before) = (d, 0);
        let (mut previous, mut last) = (d, d);
        while first < cards.len() {
            let card = cards[first];
            let mut end = first + 1;
            while end < cards.len() && cards[end] + 1 == cards[end - 1] {
                end += 1;
            }
            before = cost;
            if first == d {
                cost = Node::first_cost(ground, &cards[..d], card, weights);
            } else {
                let on = cards[first - 1];
                cost += if rank(on) == rank(card) + 1 {
                    weights.off
                } else {
                    weights.gap + weights.inverse * i32::from(rank(on) < rank(card))
                };
                let lower = masks[suit(card)] & ((1 << rank(card)) - 1);
                cost += weights.buried * lower.count_ones() as i32;
                cost += weights.above * i32::from(d > 0);
            }
            let length = (end - first) as u8;
            cost -= weights.joins * square(length - 1);
            masks[suit(card)] |= ((1 << length) - 1) << (rank(card) + 1 - length.min(rank(card) + 1));
            (previous, last) = (last, first);
            first = end;
        }
        masks[0] &= !1;
        let hash =
            cards.iter().enumerate().fold(down_hash(down), |hash, (i, &card)| hash ^ Z[i][usize::from(card)]);
        pile.cost = cost;
        pile.masks = masks;
        pile.run = (cards.len() - last) as u8;
        pile.top = cards[cards.len() - 1];
        pile.head = cards[last];
        pile.hash = hash;
        pile.ends =
            Ends { top: rank(pile.top), head: self.head_of(ground, pile.head, last), is_empty: false };
        let mut under = hash;
        for (i, &card) in cards.iter().enumerate().skip(last) {
            under ^= Z[i][usize::from(card)];
        }
        if last > d {
            pile.under_cost = before;
            let head = self.head_of(ground, cards[previous], previous);
            pile.under = Ends { top: rank(cards[last - 1]), head, is_empty: false };
        } else if d == 0 {
            pile.under = Ends { is_empty: true, ..Ends::default() };
        } else {
            let card = cards[d - 1];
            pile.under_cost = Node::first_cost(ground, &cards[..d - 1], card, weights);
            let head = self.head_of(ground, card, d - 1);
            pile.under = Ends { top: rank(card), head, is_empty: false };
            under ^= down_hash(down) ^ down_hash(down - 1);
        }
        pile.mixed = self.mixed(hash, place);
        pile.under_mixed = self.mixed(under, place);
        self.piles[place] = pile;
    }

    pub(super) fn head_of(&self, ground: &Ground, head: u8, place: usize) -> u8 {
        if rank(head) == ground.ranks && place == 0 { 0 } else { rank(head) }
    }

    /// Moves cards from one pile's end to another's, settles both and computes their costs.
    pub(super) fn shift(&mut self, ground: &Ground, from: usize, to: usize, count: u8, weights: &Weights) {
        let n = usize::from(count);
        let mut run = [0; 16];
        let end = usize::from(self.piles[from].start + self.piles[from].len);
        run[..n].copy_from_slice(&self.cards[end - n..end]);
        let target = usize::from(self.piles[to].start + self.piles[to].len);
        if from < to {
            self.cards.copy_within(end..target, end - n);
            for pile in &mut self.piles[from + 1..=to] {
                pile.start -= count;
            }
            self.cards[target - n..target].copy_from_slice(&run[..n]);
        } else {
            self.cards.copy_within(target..end - n, target + n);
            for pile in &mut self.piles[to + 1..=from] {
                pile.start += count;
            }
            self.cards[target..target + n].copy_from_slice(&run[..n]);
        }
        self.piles[from].len -= count;
        self.piles[to].len += count;
        // Taking cards away completes no run.
        self.turn(from);
        self.scan(ground, from, weights);
        self.scan(ground, to, weights);
        self.settle_pile(ground, to, weights);
    }

    /// Turns the last card if it is face down.
    fn turn(&mut self, place: usize) -> bool {
        let pile = &mut self.piles[place];
        let is_down = pile.len > 0 && pile.down == pile.len;
        pile.down -= u8::from(is_down);
        is_down
    }

    /// Takes a complete run off the pile, and turns its last card.
    fn settle_pile(&mut self, ground: &Ground, place: usize, weights: &Weights) {
        let Pile { start, len, run, .. } = self.piles[place];
        if run == ground.ranks {
            let end = usize::from(start + len);
            self.cards.copy_within(end.., end - usize::from(run));
            for pile in &mut self.piles[place + 1..ground.piles] {
                pile.start -= run;
            }
            self.piles[place].len -= run;
            self.done += 1;
            self.turn(place);
            self.scan(ground, place, weights);
        }
    }

    /// Makes a legal move. A card that is turned keeps its number: `UNKNOWN` if it is not known.
    pub fn apply(&mut self, ground: &Ground, m: Move, weights: &Weights) {
        self.made += 1;
        match m {
            Move::Run { from, to, count } => {
                let (from, to) = (usize::from(from), usize::from(to));
                self.shift(ground, from, to, count, weights);
            }
            Move::Row => {
                let row = ground.row(self.rows);
                self.rows -= 1;
                let old = self.cards;
                let mut start = 0;
                for (pile, &card) in self.piles[..ground.piles].iter_mut().zip(row) {
                    let (from, len) = (usize::from(pile.start), usize::from(pile.len));
                    self.cards[start..start + len].copy_from_slice(&old[from..from + len]);
                    self.cards[start + len] = card;
                    (pile.start, pile.len) = (start as u8, pile.len + 1);
                    start += len + 1;
                }
                // The hashes of all piles change with the last row.
                for place in 0..ground.piles {
                    self.scan(ground, place, weights);
                }
                for place in 0..ground.piles {
                    self.settle_pile(ground, place, weights);
                }
            }
        }
        self.add_up(ground, weights);
    }
}
