//! How far the cards of a packed deal can be opened up: the bound of its searches.

use super::packed::{CARDS, KINGS, Now, Packed, each};

impl Packed {
    /// Returns an upper bound on the cards that may still go up: a set that contains every card that goes up in any
    /// line of play.
    ///
    /// It is the least fixed point of three rules:
    /// - A card is *free* if it is a top or the card on it may move.
    /// - It may *go up* if it is free and all lower cards of its suit are up or may go up.
    /// - It may *move* if it may go up, or if it and the next card up are free.
    ///
    /// Each card that moves in a real line is free by the moves before it, and so are
    /// its lower cards or its target; by induction along the line the set misses none. It is never too small. It is too
    /// large because it ignores that building buries cards. Where kings may move into spaces, a free king may *move*
    /// too if there is a space, or if a card at the bottom of some fan may go up or be built, which is the only way to
    /// make a space.
    pub(super) fn reachable(&self) -> u64 {
        self.open(Opening::of(self), 0, 0).goes_up
    }

    /// Returns the fixed point, from the cards that are known to be free. When a card of `above` opens, `beneath` is
    /// freed as well.
    pub(super) fn open(&self, from: Opening, above: u64, beneath: u64) -> Opening {
        let Now { tops, built, wanted, .. } = self.now;
        let covering = self.covering();
        let has_spaces = self.start.fans > 0;
        let has_space = self.start.fans > tops.count_ones();
        let Opening { mut free, mut closed, .. } = from;
        loop {
            // One addition finds the runs that may go up, in all four suits: the carry from the wanted card clears the
            // bits of the run of free cards that begins there.
            let allowed = free & self.cap;
            let goes_up = allowed & !allowed.wrapping_add(wanted);
            let moves = goes_up | free & free >> 1;
            let mut opening = closed & moves;
            if has_spaces && (has_space || moves & !covering != 0) {
                opening |= closed & KINGS;
            }
            if opening == 0 {
                return Opening { free, closed, goes_up };
            }
            // A built card lies on the next card up: all of these are freed by one shift.
            let mut freed = (opening & built) << 1 & CARDS;
            for bit in each(opening & !built) {
                freed |= self.start.beneath[bit as usize];
            }
            if opening & above != 0 {
                freed |= beneath;
            }
            free |= freed;
            closed = closed & !opening | freed & covering;
        }
    }
}

/// The state of the fixed point, see `Packed::reachable`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    pub(super) free: u64,
    /// Free cards whose fan is not opened further yet: each covers a card that is not free.
    pub(super) closed: u64,
    pub(super) goes_up: u64,
}

impl Opening {
    pub(super) fn of(deal: &Packed) -> Opening {
        let tops = deal.now.tops;
        Opening { free: tops, closed: tops & deal.covering(), goes_up: 0 }
    }
}
