//! The choices in which one Aces Up differs from another.

use crate::games::{Fields, Refusal};

/// When a top card may, or must, go to a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    Optional,
    /// No deal while there is a space and a pile of two or more cards.
    Must,
    AcesOnly,
}

/// The space to which a card goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Destination {
    First,
    Last,
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    pub fill: Fill,
    pub destination: Destination,
    /// The only card of a pile may go to a space, while there is a stock.
    pub singletons: bool,
    /// Each discard is a move, which is optional; else all happen at once.
    pub optional_discards: bool,
    pub piles: usize,
    /// While there are spaces, a deal puts cards on them only.
    pub deals_to_spaces: bool,
    /// There is a cell for one card.
    pub reserve: bool,
}

pub(super) const MOST_PILES: usize = 5;

impl Rules {
    pub(super) fn read(fields: &mut Fields) -> Result<Rules, Refusal> {
        Ok(Rules {
            fill: match fields.word("fill", &["optional", "must", "aces-only"])? {
                "must" => Fill::Must,
                "aces-only" => Fill::AcesOnly,
                _ => Fill::Optional,
            },
            destination: match fields.word("destination", &["first", "last", "any"])? {
                "last" => Destination::Last,
                "any" => Destination::Any,
                _ => Destination::First,
            },
            singletons: fields.flag("singletons", false)?,
            optional_discards: fields.word("discards", &["forced", "optional"])? == "optional",
            piles: fields.number("piles", 4, 4, MOST_PILES as u32)? as usize,
            deals_to_spaces: fields.word("deal", &["row", "spaces"])? == "spaces",
            reserve: fields.number("reserve", 0, 0, 1)? == 1,
        })
    }

    /// Returns true if some number of deals leaves `left` of the 52 cards in the stock.
    pub(super) fn leaves(&self, left: usize) -> bool {
        let dealt = crate::cards::PACK - left;
        // The first deal is always a whole row; after it deals to spaces may have any size up to that.
        let in_part = self.deals_to_spaces && dealt > self.piles;
        left == 0 || dealt.is_multiple_of(self.piles) || in_part
    }
}
