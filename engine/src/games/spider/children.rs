//! The children of a table, computed without making the moves.

use super::moves::Move;
use super::node::{Ends, Ground, Node, Pile, Z, nibble, square, suit};
use super::table::rank;
use super::weights::Weights;

/// The properties of the table after a move.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    pub cost: i32,
    pub hash: u64,
    /// True if a face-down card is turned.
    pub turns: bool,
    /// True if a run is completed.
    pub completes: bool,
}

/// The moves that are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Runs may be split onto another suit, and without making a longer one.
    pub splits: bool,
    /// Parts of a run may go to an empty pile.
    pub parts_to_empty: bool,
}

impl Node {
    /// Calls `each` with the moves of cards that are worth a try, and with the children.
    #[inline(always)]
    pub fn children(
        &self,
        ground: &Ground,
        filter: Filter,
        weights: &Weights,
        mut each: impl FnMut(Move, Child),
    ) {
        // The piles that end with each rank, as bits: only possible targets of a source are visited.
        let mut ending = [0u16; 16];
        for (place, pile) in self.piles[..ground.piles].iter().enumerate() {
            ending[usize::from(rank(pile.top))] |= 1 << place;
        }
        let hole = (self.empty > 0).then(|| ending[0].trailing_zeros() as usize);
        for from in 0..ground.piles {
            let source = &self.piles[from];
            if source.len == 0 {
                continue;
            }
            for count in 1..=source.run {
                let mut targets = ending[usize::from(rank(source.top) + count)];
                while targets != 0 {
                    let to = targets.trailing_zeros() as usize;
                    targets &= targets - 1;
                    if count < source.run && !filter.splits {
                        let target = &self.piles[to];
                        // A split onto another suit must be undone before it helps to win; and one that makes no longer
                        // run is useless.
                        if suit(target.top) != suit(source.top) || target.run + count <= source.run {
                            continue;
                        }
                    }
                    let m = Move::Run { from: from as u8, to: to as u8, count };
                    each(m, self.child(ground, from, to, count, weights));
                }
            }
            if let Some(to) = hole {
                let fewest = if filter.parts_to_empty { 1 } else { source.run };
                for count in fewest..=source.run {
                    if count < source.len {
                        let m = Move::Run { from: from as u8, to: to as u8, count };
                        each(m, self.child(ground, from, to, count, weights));
                    }
                }
            }
        }
    }

    /// Returns a pile with this run laid on it: cost, hash, ends, and whether that completes the run.
    #[inline(always)]
    fn laid(
        &self,
        ground: &Ground,
        place: usize,
        first: u8,
        count: u8,
        weights: &Weights,
    ) -> (i32, u64, Ends, bool) {
        let pile = &self.piles[place];
        let last = first + 1 - count;
        let mut hash = pile.hash;
        let at = usize::from(pile.len);
        let (cost, head) = if pile.len == 0 {
            let bottom = weights.bottom * i32::from(rank(first) != ground.ranks);
            (bottom - weights.joins * square(count - 1), self.head_of(ground, first, 0))
        } else if pile.top == first + 1 {
            let run = pile.run + count;
            if run == ground.ranks {
                return (pile.under_cost, pile.under_mixed, pile.under, true);
            }
            (pile.cost - weights.joins * (square(run - 1) - square(pile.run - 1)), pile.ends.head)
        } else {
            let joins = if rank(pile.top) == rank(first) + 1 {
                weights.off
            } else {
                weights.gap + weights.inverse * i32::from(rank(pile.top) < rank(first))
            };
            let lower = pile.masks[suit(first)] & ((1 << rank(first)) - 1);
            let cost = pile.cost
                + joins
                + weights.buried * lower.count_ones() as i32
                + weights.above * i32::from(pile.down > 0)
                - weights.joins * square(count - 1);
            (cost, rank(first))
        };
        for i in 0..usize::from(count) {
            hash ^= Z[at + i][usize::from(first) - i];
        }
        (cost, self.mixed(hash, place), Ends { top: rank(last), head, is_empty: false }, false)
    }

    /// Returns the child of a legal move of cards.
    #[inline(always)]
    pub fn child(&self, ground: &Ground, from: usize, to: usize, count: u8, weights: &Weights) -> Child {
        let (source, target) = (&self.piles[from], &self.piles[to]);
        let (left_cost, left_mixed, left) = if count == source.run {
            (source.under_cost, source.under_mixed, source.under)
        } else {
            let (run, length) = (source.run, source.run - count);
            let cost = source.cost + weights.joins * (square(run - 1) - square(length - 1));
            let mut hash = source.hash;
            let at = usize::from(source.len);
            for i in 1..=usize::from(count) {
                hash ^= Z[at - i][usize::from(source.top) + i - 1];
            }
            let top = rank(source.top) + count;
            (cost, self.mixed(hash, from), Ends { top, head: source.ends.head, is_empty: false })
        };
        let (laid_cost, laid_mixed, laid, completes) =
            self.laid(ground, to, source.top + count - 1, count, weights);
        let sum = self.sum - source.cost - target.cost + left_cost + laid_cost;
        let hash = self.hash.wrapping_sub(source.mixed).wrapping_sub(target.mixed);
        let hash = hash.wrapping_add(left_mixed).wrapping_add(laid_mixed);
        let tops = self.tops - nibble(source.ends.top) - nibble(target.ends.top)
            + nibble(left.top)
            + nibble(laid.top);
        let heads = self.heads - nibble(source.ends.head) - nibble(target.ends.head)
            + nibble(left.head)
            + nibble(laid.head);
        let empty =
            self.empty - u8::from(target.len == 0) + u8::from(left.is_empty) + u8::from(laid.is_empty);
        let turns = count == source.run && source.run + source.down == source.len && source.down > 0
            || completes && target.run + target.down == target.len && target.down > 0;
        let cost = self.total(sum, empty, self.done + u8::from(completes), tops, heads, weights);
        Child { cost, hash, turns, completes }
    }

    /// Returns the cost of the table after the next row is dealt on it.
    pub fn cost_after_row(&self, ground: &Ground, weights: &Weights) -> i32 {
        let row = ground.row(self.rows);
        let (mut sum, mut tops, mut heads, mut empty, mut done) = (0, 0, 0, 0, self.done);
        for (place, &card) in row.iter().enumerate().take(ground.piles) {
            let (cost, _, ends, completes) = self.laid(ground, place, card, 1, weights);
            sum += cost;
            tops += nibble(ends.top);
            heads += nibble(ends.head);
            empty += u8::from(ends.is_empty);
            done += u8::from(completes);
        }
        self.total(sum, empty, done, tops, heads, weights)
    }

    /// Returns the cost of two piles with their cards of the row on them, after a run goes from one to the other, which
    /// is empty.
    fn filled_cost(&self, ground: &Ground, from: usize, to: usize, count: u8, weights: &Weights) -> i32 {
        let mut after = self.clone();
        after.shift(ground, from, to, count, weights);
        let row = ground.row(self.rows);
        after.laid(ground, from, row[from], 1, weights).0 + after.laid(ground, to, row[to], 1, weights).0
    }

    /// Returns the moves that fill all empty piles, each the cheapest by the cost of the two piles after the row;
    /// `None` if there are not enough cards.
    pub fn fills(&self, ground: &Ground, weights: &Weights) -> Option<(Node, Vec<Move>)> {
        let (mut node, mut line) = (self.clone(), Vec::new());
        while let Some(to) = (0..ground.piles).find(|&place| node.piles[place].len == 0) {
            let mut best: Option<(i32, usize, u8)> = None;
            for from in 0..ground.piles {
                let Pile { len, run, .. } = node.piles[from];
                for count in (1..=run).filter(|&count| count < len) {
                    let row = ground.row(node.rows);
                    let now = node.laid(ground, from, row[from], 1, weights).0;
                    let cost = node.filled_cost(ground, from, to, count, weights) - now;
                    if best.is_none_or(|(least, ..)| cost < least) {
                        best = Some((cost, from, count));
                    }
                }
            }
            let (_, from, count) = best?;
            let m = Move::Run { from: from as u8, to: to as u8, count };
            node.apply(ground, m, weights);
            line.push(m);
        }
        Some((node, line))
    }
}
