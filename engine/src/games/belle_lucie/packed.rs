//! La Belle Lucie within one deal, packed into three words.
//!
//! A card makes at most one build in a deal: onto the next higher card of its suit, where it stays until it goes up to
//! its foundation. A king may move once into a space, where it lies at the bottom for good. So a position is the table
//! at the start, the set of cards built since, and the four heights; and sets of cards are 64-bit words.

#[cfg(test)]
#[path = "packed_tests.rs"]
mod tests;

use crate::cards::Card;
use crate::search::Game;

/// The lowest card of each suit. A card is bit 16 * suit + rank - 1, so that "the next card up" is one shift for all
/// four suits, and three bits above each king stay free.
pub(super) const ACES: u64 = 0x0001_0001_0001_0001;
pub(super) const KINGS: u64 = ACES << 12;
pub(super) const CARDS: u64 = (ACES << 13) - ACES;
/// A bit that is no card: it marks the keys, which must not be zero.
const MARK: u64 = 1 << 63;

/// The rank reached on each foundation: clubs, diamonds, hearts, spades.
pub type Heights = [u8; 4];

/// A table of fans and foundations.
#[derive(Clone, Debug)]
pub struct Packed {
    pub(super) start: Start,
    pub(super) now: Now,
    /// Cards that may go up: all of them, or with a target those that belong to it.
    pub(super) cap: u64,
    /// True if the search must maximise even when the task only asks for a win.
    pub(super) maximizes: bool,
}

/// The table at the start of the search.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// The card directly beneath each card, as a set; empty at the bottom of a fan.
    pub(super) beneath: [u64; 64],
    /// The fan of each card, in the order of the text.
    fan: [u8; 64],
    /// Cards with a card beneath them.
    pub(super) covering: u64,
    /// Cards onto which a build is always safe, see `forced`.
    grounded: u64,
    /// The number of fans, empty ones included, where kings may move into spaces; else 0.
    pub(super) fans: u32,
}

/// What moves change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Now {
    /// The last card of every fan.
    pub(super) tops: u64,
    /// Cards in play that were built since the start: each lies on the next card up.
    pub(super) built: u64,
    /// One bit for each suit: the next card that its foundation takes, or the bit above the king.
    pub(super) wanted: u64,
    /// The number of cards on the foundations.
    pub(super) up: u32,
}

/// A move of the card with this bit number; its target follows from its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::enum_variant_names, reason = "the words of the rules")]
pub enum Move {
    ToFoundation(u8),
    /// Onto the next card up.
    ToFan(u8),
    /// A king, into a space.
    ToSpace(u8),
}

impl Move {
    pub(super) fn bit(self) -> u8 {
        match self {
            Move::ToFoundation(bit) | Move::ToFan(bit) | Move::ToSpace(bit) => bit,
        }
    }
}

/// Returns the bit number of a card.
pub(super) fn bit_of(card: Card) -> u8 {
    (16 * card.suit() + card.rank() - 1) as u8
}

pub(super) fn card_at(bit: u8) -> Card {
    Card::new(bit as usize / 16, bit as usize % 16 + 1)
}

/// Returns the bit numbers of a set, lowest first.
pub(super) fn each(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

impl Start {
    /// Returns the card beneath this one, as a set, given whether it was built since the start.
    fn beneath(&self, bit: u8, is_built: bool) -> u64 {
        if is_built { 2 << bit & CARDS } else { self.beneath[bit as usize] }
    }
}

impl Packed {
    /// Returns the table of these fans, bottom card first. Cards that lie in no fan are on the foundations, and no
    /// foundation has a gap: the caller has checked this.
    pub(super) fn new<F: AsRef<[Card]>>(fans: &[F]) -> Packed {
        let mut start = Start { beneath: [0; 64], fan: [0; 64], covering: 0, grounded: KINGS, fans: 0 };
        let mut now = Now { tops: 0, built: 0, wanted: 0, up: 52 };
        let mut in_fans = 0;
        for (number, fan) in fans.iter().enumerate() {
            let mut below = 0;
            for &card in fan.as_ref() {
                let bit = bit_of(card);
                let this = 1u64 << bit;
                start.beneath[bit as usize] = below;
                start.fan[bit as usize] = number as u8;
                if below != 0 {
                    start.covering |= this;
                }
                if below == 0 || below == this << 1 {
                    start.grounded |= this;
                }
                in_fans |= this;
                now.up -= 1;
                below = this;
            }
            now.tops |= below;
        }
        // The lowest card in play of each suit, or the bit above the king if there is none.
        for suit in 0..4 {
            let lane = in_fans >> (16 * suit) & 0x1FFF | 0x2000;
            now.wanted |= (lane & lane.wrapping_neg()) << (16 * suit);
        }
        Packed { start, now, cap: CARDS, maximizes: true }
    }

    /// Recomputes the sets that depend on `beneath`.
    pub(super) fn settle_start(&mut self) {
        let start = &mut self.start;
        (start.covering, start.grounded) = (0, KINGS);
        for bit in each(CARDS & !(self.now.wanted - ACES)) {
            let (this, beneath) = (1u64 << bit, start.beneath[bit as usize]);
            if beneath != 0 {
                start.covering |= this;
            }
            if beneath == 0 || beneath == this << 1 {
                start.grounded |= this;
            }
        }
    }

    /// Returns the same table where kings may move into spaces: fans that are empty, or become so.
    ///
    /// There a lone card is no safe target, because its leaving makes a space; nor is a king that covers a card,
    /// because it may leave.
    pub(super) fn with_spaces(mut self, spaces: usize) -> Packed {
        self.start.fans = self.now.tops.count_ones() + spaces as u32;
        self.start.grounded = 0;
        for bit in each(self.in_play()) {
            let (this, beneath) = (1 << bit, self.start.beneath[bit as usize]);
            if beneath == this << 1 || this & KINGS != 0 && beneath == 0 {
                self.start.grounded |= this;
            }
        }
        self.maximizes = false;
        self
    }

    /// Returns the same table with a target: no foundation passes these heights, and reaching them is a win.
    pub(super) fn with_target(&self, target: Heights) -> Packed {
        let mut capped = self.clone();
        capped.cap = (0..4).map(|suit| ((1 << target[suit]) - 1) << (16 * suit)).sum();
        capped.maximizes = false;
        capped
    }

    /// Returns the fans with their bottom cards first, empty ones last.
    pub(super) fn fans(&self) -> Vec<Vec<Card>> {
        let mut tops: Vec<u8> = each(self.now.tops).collect();
        tops.sort_unstable_by_key(|&top| self.fan(top));
        let fan = |top: u8| {
            let mut fan = vec![card_at(top)];
            let mut beneath = self.beneath(top);
            while beneath != 0 {
                let bit = beneath.trailing_zeros() as u8;
                fan.push(card_at(bit));
                beneath = self.beneath(bit);
            }
            fan.reverse();
            fan
        };
        let mut fans: Vec<Vec<Card>> = tops.into_iter().map(fan).collect();
        fans.resize(fans.len().max(self.start.fans as usize), Vec::new());
        fans
    }

    /// Returns the cards that lie on another one: built cards do, but a king that has moved lies in a space.
    pub(super) fn covering(&self) -> u64 {
        (self.start.covering | self.now.built) & !(self.now.built & KINGS)
    }

    /// Returns the cards in the fans.
    pub(super) fn in_play(&self) -> u64 {
        CARDS & !(self.now.wanted - ACES)
    }

    pub(super) fn heights(&self) -> Heights {
        std::array::from_fn(|suit| (self.now.wanted >> (16 * suit)).trailing_zeros() as u8)
    }

    /// Returns the heights after these cards go up; in each suit they follow each other without a gap.
    pub(super) fn heights_with(&self, goes_up: u64) -> Heights {
        let heights = self.heights();
        std::array::from_fn(|suit| heights[suit] + (goes_up >> (16 * suit) & 0x1FFF).count_ones() as u8)
    }

    /// Returns the kings that may move into a space: there is one, and they do not lie at the bottom.
    pub(super) fn kings_to_move(&self) -> u64 {
        if self.start.fans > self.now.tops.count_ones() {
            self.now.tops & KINGS & self.start.covering & !self.now.built
        } else {
            0
        }
    }

    /// Returns the card beneath this one, as a set.
    pub(super) fn beneath(&self, bit: u8) -> u64 {
        self.start.beneath(bit, self.now.built & 1 << bit != 0)
    }

    /// Returns the tops that fit their foundation.
    pub(super) fn playable(&self) -> u64 {
        self.now.tops & self.now.wanted & self.cap
    }

    /// Returns the tops whose next card up is a top too. None of them has been built before.
    pub(super) fn buildable(&self) -> u64 {
        self.now.tops & self.now.tops >> 1
    }

    /// Returns the fan in which a card lies now, by its number at the start.
    pub(super) fn fan(&self, mut bit: u8) -> u8 {
        while self.now.built & !KINGS & 1 << bit != 0 {
            bit += 1;
        }
        self.start.fan[bit as usize]
    }

    /// Pushes builds in the order of their fans.
    fn push_builds(&self, out: &mut Vec<Move>) {
        let begin = out.len();
        for bit in each(self.buildable()) {
            // Insertion sort, because there are usually only one or two.
            let mut place = out.len();
            out.push(Move::ToFan(bit));
            while place > begin
                && self.start.fan[out[place - 1].bit() as usize] > self.start.fan[bit as usize]
            {
                out.swap(place - 1, place);
                place -= 1;
            }
        }
    }

    /// Returns the cards that a win needs up and that are not.
    pub(super) fn missing(&self) -> u64 {
        self.cap & self.in_play()
    }
}

impl Game for Packed {
    type Move = Move;
    /// True if the card had been built.
    type Undo = bool;
    /// Exact: the position follows from the table at the start, the built cards and the heights.
    type Key = u64;

    /// Each move puts a card up or builds it, and no card is built twice or comes back.
    const ACYCLIC: bool = true;

    #[inline]
    fn most_moves(&self) -> usize {
        52
    }

    /// Pushes foundation moves in the order of the fans, then builds in the order of their fans.
    fn moves(&self, out: &mut Vec<Move>) {
        let begin = out.len();
        out.extend(each(self.playable()).map(Move::ToFoundation));
        out[begin..].sort_unstable_by_key(|m| self.fan(m.bit()));
        self.branches(out);
    }

    fn apply(&mut self, m: Move) -> bool {
        let now = &mut self.now;
        match m {
            Move::ToFoundation(bit) => {
                let this = 1 << bit;
                let was_built = now.built & this != 0;
                now.tops = now.tops ^ this | self.start.beneath(bit, was_built);
                now.built &= !this;
                now.wanted += this;
                now.up += 1;
                was_built
            }
            Move::ToFan(bit) => {
                let this = 1 << bit;
                now.tops = now.tops ^ this << 1 | self.start.beneath(bit, false);
                now.built |= this;
                false
            }
            Move::ToSpace(bit) => {
                now.tops |= self.start.beneath[bit as usize];
                now.built |= 1 << bit;
                false
            }
        }
    }

    fn undo(&mut self, m: Move, was_built: bool) {
        let now = &mut self.now;
        match m {
            Move::ToFoundation(bit) => {
                let this = 1 << bit;
                now.tops = now.tops & !self.start.beneath(bit, was_built) | this;
                now.built |= u64::from(was_built) << bit;
                now.wanted -= this;
                now.up -= 1;
            }
            Move::ToFan(bit) => {
                let this = 1 << bit;
                now.tops = now.tops & !self.start.beneath(bit, false) | this << 1;
                now.built ^= this;
            }
            Move::ToSpace(bit) => {
                now.tops &= !self.start.beneath[bit as usize];
                now.built ^= 1 << bit;
            }
        }
    }

    /// Returns, for each suit, as many ones as cards are up, a zero, and the built cards one place higher: they lie
    /// above the height, so nothing overlaps and both can be read back.
    fn key(&self) -> u64 {
        self.now.built << 1 | (self.now.wanted - ACES) | MARK
    }

    fn is_won(&self) -> bool {
        (self.now.wanted - ACES) & CARDS == self.cap
    }

    fn score(&self) -> i32 {
        self.now.up as i32
    }

    fn max_score(&self) -> i32 {
        self.cap.count_ones() as i32
    }

    /// Returns true where the specification asks for it: the best score too takes only microseconds.
    fn always_maximizes(&self) -> bool {
        self.maximizes
    }

    /// Returns a foundation move or a safe build: onto a card that lies alone, a king, or a card that lies on the next
    /// card up of its suit. Lowest bit first: clubs before diamonds, low ranks first.
    ///
    /// Why they may be played alone. Take any line from here and follow it after the forced move, leaving out the moves
    /// that can no longer be played. Each fan then holds at most the cards that it holds in the line, in the same
    /// order, except for the card that was moved.
    /// *Foundation*, card c: the line would use c only to go up, to be built, or as a target for the next lower card,
    ///   and that one is up. Leaving out the moves of c covers nothing.
    /// *Build* of c onto x: the line may build c, put it up, or leave it. Only c may ever lie on x, what may lie on c
    ///   may lie on it here too, and c goes up from here as well. While c is in play x cannot go up, so the one thing
    ///   that c on x prevents is building x onto the card above it. If x is a king or lies on its next card up already,
    ///   x is never built. If x lies alone, building it would uncover nothing; so that move is left out, and x goes up
    ///   later from where it is.
    fn forced(&self) -> Option<Move> {
        let playable = self.playable();
        if playable != 0 {
            return Some(Move::ToFoundation(playable.trailing_zeros() as u8));
        }
        let safe = self.buildable() & (self.start.grounded | self.now.built) >> 1;
        (safe != 0).then(|| Move::ToFan(safe.trailing_zeros() as u8))
    }

    /// Pushes the moves that need branching; they are all moves where nothing is forced.
    fn branches(&self, out: &mut Vec<Move>) {
        self.push_builds(out);
        let begin = out.len();
        out.extend(each(self.kings_to_move()).map(Move::ToSpace));
        out[begin..].sort_unstable_by_key(|m| self.start.fan[m.bit() as usize]);
    }

    fn bound(&self) -> i32 {
        (self.now.up + self.reachable().count_ones()) as i32
    }

    fn is_dead_end(&self) -> bool {
        self.reachable() != self.missing()
    }
}
