//! A bound on the score of every line, from the last rows of the stock.

use super::table::{AcesUp, suit};

/// The limit on positions of the last rows that are searched for each of them.
const MOST_TRIES: u32 = 1000;

impl AcesUp {
    /// Returns a score that no line exceeds, whatever is done before the last rows.
    ///
    /// When a row of four suits is dealt onto four piles, no two top cards share a suit: there is no space and no
    /// discard, so the next row is dealt onto it. As long as no card beneath that row comes to the top, what can happen
    /// depends on nothing else. If that holds up to the end, every line leaves at least as many cards of these rows as
    /// the best play of these rows alone. Of the cards before these rows the highest of each suit stays too, because
    /// nothing before them beats it.
    pub(super) fn last_rows_bound(&self) -> i32 {
        let rules = &self.rules;
        let stock = self.stock();
        let is_in_rows =
            rules.piles == 4 && stock.len().is_multiple_of(4) && !rules.deals_to_spaces && !rules.reserve;
        if !is_in_rows || !self.prunings.last_rows {
            return 48;
        }
        let rows: Vec<&[u8]> = stock.chunks(4).collect();
        let has_four_suits = |row: &&[u8]| row.iter().fold(0u8, |suits, &card| suits | 1 << suit(card)) == 15;
        let mut least = 48;
        for first in (0..rows.len()).filter(|&first| has_four_suits(&rows[first])) {
            let (none, mut tries) = (Default::default(), MOST_TRIES);
            let Some(left) = self.least_left(&none, &rows[first..], &mut tries) else { continue };
            // The cards left of those before: the highest of each suit that has any.
            let on_table = (0..rules.piles).flat_map(|pile| self.pile(pile));
            let before = on_table.chain(rows[..first].concat());
            let suits = before.fold(0u8, |suits, card| suits | 1 << suit(card));
            least = least.min(52 - (left + suits.count_ones()) as i32);
        }
        least
    }

    /// Returns the fewest cards of these rows that can be left in the end, if none beneath them can come to the top.
    fn least_left(&self, piles: &[Vec<u8>; 4], rows: &[&[u8]], tries: &mut u32) -> Option<u32> {
        // Where discards are optional, there may be too many ways to search.
        *tries = tries.checked_sub(1)?;
        let is_beaten = |pile: usize| {
            let Some(&card) = piles[pile].last() else { return false };
            let mut tops = piles.iter().filter_map(|pile| pile.last());
            tops.any(|&top| suit(top) == suit(card) && top > card)
        };
        let mut least = u32::MAX;
        for pile in (0..4).filter(|&pile| is_beaten(pile)) {
            if piles[pile].len() == 1 {
                return None;
            }
            let mut after = piles.clone();
            after[pile].pop();
            least = least.min(self.least_left(&after, rows, tries)?);
            if !self.rules.optional_discards {
                return Some(least);
            }
        }
        let Some((row, rest)) = rows.split_first() else {
            return Some(least.min(piles.iter().map(|pile| pile.len() as u32).sum()));
        };
        let mut after = piles.clone();
        for (pile, &card) in after.iter_mut().zip(*row) {
            pile.push(card);
        }
        Some(least.min(self.least_left(&after, rest, tries)?))
    }
}
