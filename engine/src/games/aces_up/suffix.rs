//! What the last rows of the stock say about every line of play.

use super::table::{AcesUp, suit};

impl AcesUp {
    /// No line ends with a higher score, whatever is done before the last rows.
    ///
    /// A row of four suits is dealt onto four piles, and no two top cards share a suit: there is no space and no
    /// discard, so the next row is dealt onto it. As long as no card beneath that row comes to the top, what
    /// happens hangs on nothing else. If that is so up to the end, the cards of these rows that are left then, of
    /// each suit one at least, stay in every line; and of the cards before these rows the highest of each suit
    /// stays too, for nothing before them beats it.
    pub(super) fn last_rows_bound(&self) -> u32 {
        let rules = &self.rules;
        let stock = self.stock();
        let is_in_rows = rules.piles == 4 && stock.len() % 4 == 0 && !rules.deals_to_spaces && !rules.reserve;
        if !is_in_rows || !self.prunings.last_rows {
            return 48;
        }
        let rows: Vec<&[u8]> = stock.chunks(4).collect();
        let has_four_suits = |row: &&[u8]| row.iter().fold(0u8, |suits, &card| suits | 1 << suit(card)) == 15;
        let mut least = 48;
        for first in (0..rows.len()).filter(|&first| has_four_suits(&rows[first])) {
            let Some(left) = self.left_of(&rows[first..]) else { continue };
            // What is left of the cards before: the highest of each suit that has any.
            let on_table = (0..rules.piles).flat_map(|pile| self.pile(pile));
            let before = on_table.chain(rows[..first].concat());
            let suits = before.fold(0u8, |suits, card| suits | 1 << suit(card));
            least = least.min(52 - left - suits.count_ones());
        }
        least
    }

    /// How many cards of these rows are left in the end, if none beneath them comes to the top.
    fn left_of(&self, rows: &[&[u8]]) -> Option<u32> {
        let mut piles: [Vec<u8>; 4] = Default::default();
        for row in rows {
            for (pile, &card) in piles.iter_mut().zip(*row) {
                pile.push(card);
            }
            let beaten = |piles: &[Vec<u8>; 4]| {
                (0..4).find(|&pile| {
                    let Some(&card) = piles[pile].last() else { return false };
                    let mut tops = piles.iter().filter_map(|pile| pile.last());
                    tops.any(|&top| suit(top) == suit(card) && top > card)
                })
            };
            while let Some(pile) = beaten(&piles) {
                // Where discards are optional there would be a choice.
                if self.rules.optional_discards || piles[pile].len() == 1 {
                    return None;
                }
                piles[pile].pop();
            }
        }
        Some(piles.iter().map(|pile| pile.len() as u32).sum())
    }
}
