//! The choices in which one Agnes Sorel differs from another, and what follows from them.

use crate::Fault;
use crate::games::{Fields, Refusal};

/// What may go to an empty pile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToEmpty {
    Nothing,
    /// Any unit of one card.
    AnyOne,
    /// A high card alone.
    HighOne,
    /// Any unit.
    AnyRun,
    /// A unit whose head is a high card.
    HighRun,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// All cards are dealt face up; else only the top card of each pile is.
    pub face_up: bool,
    /// Only cards of one suit move together; else those of one colour.
    pub move_same_suit: bool,
    pub to_empty: ToEmpty,
    /// A run may be split.
    pub split_runs: bool,
    /// Cards of each suit.
    pub ranks: usize,
    pub piles: usize,
}

pub(super) const MOST_RANKS: usize = 13;
pub(super) const MOST_PILES: usize = 10;

impl Rules {
    pub(super) fn read(fields: &mut Fields) -> Result<Rules, Refusal> {
        let rules = Rules {
            face_up: fields.flag("face_up", false)?,
            move_same_suit: fields.flag("move_same_suit", false)?,
            to_empty: match fields
                .word("move_to_empty_pile", &["none", "any-1", "high-1", "any-run", "high-run"])?
            {
                "any-1" => ToEmpty::AnyOne,
                "high-1" => ToEmpty::HighOne,
                "any-run" => ToEmpty::AnyRun,
                "high-run" => ToEmpty::HighRun,
                _ => ToEmpty::Nothing,
            },
            split_runs: fields.flag("split_runs", true)?,
            ranks: fields.number("ranks", 13, 2, MOST_RANKS as u32)? as usize,
            piles: fields.number("piles", 7, 1, MOST_PILES as u32)? as usize,
        };
        if 1 + rules.on_piles() > rules.deck() {
            let text = format!(
                "agnes: ranks={} and piles={} do not go together; the base card and the piles need {} cards, \
                 and the deck has {}",
                rules.ranks,
                rules.piles,
                1 + rules.on_piles(),
                rules.deck()
            );
            return Err(Refusal::Invalid(Fault::new(text)));
        }
        Ok(rules)
    }

    /// Returns the number of cards of the deck.
    pub fn deck(&self) -> usize {
        4 * self.ranks
    }

    /// Returns the number of cards that are dealt to the piles at the start.
    pub(super) fn on_piles(&self) -> usize {
        self.piles * (self.piles + 1) / 2
    }

    /// Returns the number of cards of the stock at the start.
    pub(super) fn stock(&self) -> usize {
        self.deck() - 1 - self.on_piles()
    }

    /// Returns the rules as sets of cards; see `table` for how cards are numbered.
    pub(super) fn masks(&self) -> Masks {
        let lane = (1 << self.ranks) - 1;
        let all = LOWS * lane;
        let highs = LOWS << (self.ranks - 1);
        let (runs_to_empty, ones_to_empty) = match self.to_empty {
            ToEmpty::Nothing => (0, 0),
            ToEmpty::AnyOne => (0, all),
            ToEmpty::HighOne => (0, highs),
            ToEmpty::AnyRun => (all, 0),
            ToEmpty::HighRun => (highs, 0),
        };
        Masks {
            all,
            highs,
            partners: if self.move_same_suit { 0 } else { !0 },
            cuts: if self.split_runs { !0 } else { 0 },
            runs_to_empty,
            ones_to_empty,
        }
    }
}

/// The four low cards.
pub(super) const LOWS: u64 = 0x0001_0001_0001_0001;

/// The rules as sets of cards: the same code serves all rules without branching.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Masks {
    /// Every card of the deck.
    pub(super) all: u64,
    pub(super) highs: u64,
    /// All bits if cards of partner suits move together, else 0.
    pub(super) partners: u64,
    /// All bits if runs may be split, else 0.
    pub(super) cuts: u64,
    /// The heads that may take their unit to an empty pile.
    pub(super) runs_to_empty: u64,
    /// The cards that may go to an empty pile alone.
    pub(super) ones_to_empty: u64,
}

/// Returns the partners of these cards: the other card of the same height and colour.
pub(super) fn partner(cards: u64) -> u64 {
    cards.rotate_left(32)
}

impl Masks {
    /// Returns the cards that may be packed on one of these: one height less, and of the same colour.
    pub(super) fn packed_on(&self, cards: u64) -> u64 {
        (cards | partner(cards)) >> 1 & self.all
    }

    /// Returns the cards on which one of these may be packed.
    pub(super) fn hosts(&self, cards: u64) -> u64 {
        (cards | partner(cards)) << 1 & self.all
    }

    /// Returns the cards whose run one of these would lengthen.
    pub(super) fn carriers(&self, cards: u64) -> u64 {
        (cards | partner(cards) & self.partners) << 1 & self.all
    }

    /// Returns the cards that would lengthen a run that ends with one of these.
    pub(super) fn carried_by(&self, cards: u64) -> u64 {
        (cards | partner(cards) & self.partners) >> 1 & self.all
    }
}
