//! The choices in which one Belle Lucie differs from another, and what follows from them.

use crate::Fault;
use crate::games::{Fields, Refusal};

/// What a merci may do with a buried card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merci {
    None,
    /// To its foundation, or onto a top card on which it may be built.
    Play,
    /// As `Play`, or to the top of its own fan.
    Front,
    /// As `Front`, or onto any other fan that holds cards.
    Anywhere,
    /// Only the card directly below a top card; as `Play`, without its own fan.
    Second,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// How often the fans may be gathered, shuffled and dealt again.
    pub redeals: u8,
    pub merci: Merci,
    /// The number of mercis in the whole game.
    pub merci_count: u8,
    /// Mercis are also allowed while redeals are left.
    pub merci_in_any_deal: bool,
    /// Suits do not matter for building.
    pub build_any: bool,
    /// A card may also be built onto the next lower one.
    pub build_up: bool,
    pub kings_to_spaces: bool,
    pub aces_out: bool,
    pub fan_size: usize,
    /// A fan with this number of cards takes no other; 0: no limit.
    pub max_cards: u32,
    /// The first deal lays sixteen fans of three, then two of two.
    pub eighteen_fans: bool,
    /// A redeal is allowed while some top card fits its foundation.
    pub may_hold_back: bool,
}

/// Which builds lose nothing, so that they need no branching. See `safe_move`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SafeBuilds {
    Never,
    /// Onto a lone card, a king, or a card that lies on its suit's next higher card.
    Plain,
    /// Onto a run that starts at the bottom of its fan or with a king.
    RunFromBottomOrKing,
    /// Onto a run that starts at the bottom of its fan.
    RunFromBottom,
    /// Onto a king alone in its fan, or a card that lies on its suit's next higher card.
    Spaces,
}

/// Which foundation moves lose nothing, in a deal that is not followed by a redeal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SafeUps {
    Never,
    /// Cards of a rank at most two above the lowest foundation.
    Low,
    Always,
}

impl Rules {
    pub(super) fn read(fields: &mut Fields) -> Result<Rules, Refusal> {
        let rules = Rules {
            redeals: fields.number("redeals", 0, 0, 9)? as u8,
            merci: match fields.word("merci", &["none", "play", "front", "anywhere", "second"])? {
                "play" => Merci::Play,
                "front" => Merci::Front,
                "anywhere" => Merci::Anywhere,
                "second" => Merci::Second,
                _ => Merci::None,
            },
            merci_count: fields.number("merci_count", 1, 1, 9)? as u8,
            merci_in_any_deal: fields.word("merci_deals", &["last", "any"])? == "any",
            build_any: fields.word("build", &["suit", "any"])? == "any",
            build_up: fields.flag("build_up", false)?,
            kings_to_spaces: fields.flag("kings_to_spaces", false)?,
            aces_out: fields.flag("aces_out", false)?,
            fan_size: fields.number("fan_size", 3, 1, 13)? as usize,
            max_cards: fields.number("max_cards", 0, 0, 999_999_999)?,
            eighteen_fans: match fields.number("fans", 0, 0, 18)? {
                0 => false,
                18 => true,
                fans => {
                    let text = format!("belle-lucie: fans=\"{fans}\" is not allowed; expected 0 or 18");
                    return Err(Refusal::Invalid(Fault::new(text)));
                }
            },
            may_hold_back: fields.flag("may_hold_back", true)?,
        };
        Ok(rules)
    }

    /// Returns the number of mercis at the start of a game.
    pub fn mercis(&self) -> u8 {
        if self.merci == Merci::None { 0 } else { self.merci_count }
    }

    /// Returns how many numbers of mercis left are distinguished before the last deal.
    pub fn planes(&self) -> usize {
        if self.merci != Merci::None && self.merci_in_any_deal { self.merci_count as usize + 1 } else { 1 }
    }

    /// Returns true if fans are built down in suit and nothing else: then a card makes at most one build in a deal.
    pub fn is_plain(&self) -> bool {
        !self.build_any && !self.build_up && !self.kings_to_spaces && self.max_cards == 0
    }

    /// Returns the fan of the card that is dealt at this place, both counted from 0.
    pub(super) fn fan_at(&self, place: usize, deal: u8) -> usize {
        match place.checked_sub(48) {
            _ if !self.eighteen_fans || deal > 1 => place / self.fan_size,
            None => place / 3,
            Some(rest) => 16 + rest / 2,
        }
    }

    /// Returns true if a line of play may reach a position twice, because a card moves back and forth between two
    /// others.
    pub fn has_cycles(&self) -> bool {
        self.build_any || self.build_up
    }

    /// Looks up the specification's table of safe moves; combinations outside its rows are never safe. `with_merci`: a
    /// merci is allowed now.
    pub(super) fn safe_builds(&self, with_merci: bool) -> SafeBuilds {
        if self.build_any || self.build_up || self.max_cards != 0 {
            return SafeBuilds::Never;
        }
        match (self.merci, self.kings_to_spaces) {
            (_, true) if with_merci => SafeBuilds::Never,
            (_, true) => SafeBuilds::Spaces,
            (_, false) if !with_merci => SafeBuilds::Plain,
            (Merci::Play, _) => SafeBuilds::RunFromBottomOrKing,
            (Merci::Front | Merci::Second, _) => SafeBuilds::RunFromBottom,
            (Merci::Anywhere | Merci::None, _) => SafeBuilds::Never,
        }
    }

    /// Looks up the safe foundation moves: every row that concerns the rules must allow them.
    pub(super) fn safe_ups(&self, with_merci: bool) -> SafeUps {
        if self.build_up || with_merci && self.merci == Merci::Anywhere {
            SafeUps::Never
        } else if self.build_any {
            SafeUps::Low
        } else {
            SafeUps::Always
        }
    }
}
