//! A table for planning from deal to deal: four piles, forced discards, cards dealt in rows.
//!
//! Between two deals a player moves cards to spaces, and no hidden card is revealed. So a plan is a choice among the
//! tables that can be reached before the next deal.

use super::quick::{NONE, Opening, is_ace, suit_of};
use super::rules::{Destination, Fill, Rules};
use crate::Fault;

pub(super) const PILES: usize = 4;
/// With this number of cards on the table, and none in the stock, the game is won.
const LEFT_WHEN_WON: u32 = 4;

/// Returns an error for rules that this table does not support.
pub(super) fn check_fits(rules: &Rules) -> Result<(), Fault> {
    if rules.piles == PILES && !rules.optional_discards && !rules.deals_to_spaces && !rules.reserve {
        return Ok(());
    }
    Err(Fault::new("plans are made for four piles, forced discards, deals in rows and no cell"))
}

/// The piles of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// The card under each card, by its code.
    under: [u8; 64],
    tops: [u8; PILES],
    lens: [u8; PILES],
    /// The cards on the table, and those of them that lie at the bottom of a pile.
    pub(super) cards: u64,
    bottoms: u64,
}

impl Rows {
    pub(super) const BARE: Rows =
        Rows { under: [NONE; 64], tops: [NONE; PILES], lens: [0; PILES], cards: 0, bottoms: 0 };

    pub(super) fn of(opening: &Opening) -> Rows {
        let mut rows = Rows::BARE;
        for (pile, cards) in opening.piles.iter().enumerate() {
            cards.iter().for_each(|&card| rows.put(pile, card));
        }
        rows
    }

    #[inline]
    pub(super) fn top(&self, pile: usize) -> u8 {
        self.tops[pile]
    }

    #[inline]
    pub(super) fn len(&self, pile: usize) -> usize {
        usize::from(self.lens[pile])
    }

    /// Returns the cards of a pile from the top down.
    #[inline]
    pub(super) fn pile(&self, pile: usize) -> impl Iterator<Item = u8> {
        let mut card = self.tops[pile];
        std::iter::from_fn(move || {
            let this = card;
            card = self.under[usize::from(this & 63)];
            (this != NONE).then_some(this)
        })
    }

    fn put(&mut self, pile: usize, card: u8) {
        let below = self.tops[pile];
        self.under[usize::from(card & 63)] = below;
        self.tops[pile] = card;
        self.lens[pile] += 1;
        self.cards |= 1 << card;
        self.bottoms |= u64::from(below == NONE) << card;
    }

    fn lift(&mut self, pile: usize) -> u8 {
        let card = self.tops[pile];
        self.tops[pile] = self.under[usize::from(card & 63)];
        self.lens[pile] -= 1;
        self.cards &= !(1 << card);
        self.bottoms &= !(1 << card);
        card
    }

    fn discard(&mut self) {
        const NOWHERE: usize = PILES;
        let mut shown = [NOWHERE; 4];
        for mut pile in 0..PILES {
            while self.tops[pile] != NONE {
                let card = self.tops[pile];
                let holder = &mut shown[suit_of(card)];
                let other = *holder;
                if other == NOWHERE {
                    *holder = pile;
                    break;
                }
                if self.tops[other] < card {
                    *holder = pile;
                    pile = other;
                }
                self.lift(pile);
            }
        }
    }

    /// Deals the first four of these cards, and discards.
    pub(super) fn deal(&mut self, cards: &[u8]) {
        cards.iter().take(PILES).enumerate().for_each(|(pile, &card)| self.put(pile, card));
        self.discard();
    }

    /// Moves the top card of a pile to a space, and discards.
    fn shift(&mut self, source: usize, space: usize) {
        let card = self.lift(source);
        self.put(space, card);
        self.discard();
    }

    /// Returns the space to which cards go; where any will do, the first.
    pub(super) fn space(&self, rules: &Rules) -> Option<usize> {
        let mut spaces = (0..PILES).filter(|&pile| self.tops[pile] == NONE);
        if rules.destination == Destination::Last { spaces.next_back() } else { spaces.next() }
    }

    /// Returns true if the rules let the player deal now, if there is a stock.
    fn may_deal(&self, rules: &Rules) -> bool {
        rules.fill != Fill::Must
            || self.tops.iter().all(|&top| top != NONE)
            || self.lens.iter().all(|&len| len < 2)
    }
}

/// A table that can be reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) rows: Rows,
    /// The index of the table before, and the pile whose top card was moved. Meaningless for the first.
    from: (usize, usize),
}

/// The tables that can be reached without a deal, each once whatever the order of its piles: ordered by the number of
/// moves, then by the piles moved from.
#[derive(Default)]
pub(super) struct Reach {
    pub(super) tables: Vec<Reached>,
}

impl Reach {
    /// Finds all of them.
    pub(super) fn look(&mut self, start: Rows, rules: &Rules) {
        self.tables.clear();
        self.tables.push(Reached { rows: start, from: (0, 0) });
        let mut next = 0;
        while let Some(&Reached { rows, .. }) = self.tables.get(next) {
            if let Some(space) = rows.space(rules) {
                for source in 0..PILES {
                    let may_fill = rules.fill != Fill::AcesOnly || is_ace(rows.top(source));
                    if rows.len(source) < 2 || !may_fill {
                        continue;
                    }
                    let mut after = rows;
                    after.shift(source, space);
                    if !self.has(&after) {
                        self.tables.push(Reached { rows: after, from: (next, source) });
                    }
                }
            }
            next += 1;
        }
    }

    /// Returns true if the table is already there. A card lies where it lay at first, or it was moved and is the lowest
    /// of its pile: so the cards and the lowest ones determine all piles.
    fn has(&self, table: &Rows) -> bool {
        self.tables
            .iter()
            .any(|Reached { rows, .. }| (rows.cards, rows.bottoms) == (table.cards, table.bottoms))
    }

    /// Returns the tables from which the rules let the player deal, with their indices.
    pub(super) fn before_deal<'a>(&'a self, rules: &'a Rules) -> impl Iterator<Item = (usize, &'a Rows)> {
        let tables = self.tables.iter().map(|reached| &reached.rows).enumerate();
        tables.filter(|(_, rows)| rows.may_deal(rules))
    }

    /// Returns the piles whose top cards are moved, one after the other, to reach a table.
    pub(super) fn path(&self, mut place: usize) -> Vec<usize> {
        let mut sources = Vec::new();
        while place > 0 {
            let (before, source) = self.tables[place].from;
            sources.push(source);
            place = before;
        }
        sources.reverse();
        sources
    }

    /// Returns true if a game with an empty stock can be won from here.
    pub(super) fn is_won_from(&mut self, start: Rows, rules: &Rules) -> bool {
        self.look(start, rules);
        self.tables.iter().any(|Reached { rows, .. }| rows.cards.count_ones() <= LEFT_WHEN_WON)
    }
}
