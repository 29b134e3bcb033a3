//! What a search of La Belle Lucie may leave out: safe moves, useless moves, lost positions; and the order in which it
//! tries the rest.

use super::rules::{SafeBuilds, SafeUps};
use super::table::{BelleLucie, CARDS, KINGS, Move, NONE, NUMBERS, RANKS, Table, bit, each};
use crate::cards::PACK;
use crate::rng::mix;

impl BelleLucie {
    /// Returns a move that loses nothing, by the specification's table: foundation moves first, then builds. Each row
    /// was tested against all moves on small endgames, and tests do so again.
    ///
    /// *Foundation.* A card that is up is missed only as a target. With builds in suit only the next lower card might
    /// need it, and that one is up. If suits do not matter, cards of a rank at most two above the lowest foundation are
    /// safe: every card that might lie on them can go up itself when it is free. Foundation moves are never safe with
    /// `build_up`, where the next higher cards might need the target too; with a merci to anywhere, which can bury or
    /// fetch any card; and before a redeal, where it matters which cards are dealt again.
    ///
    /// *Build* of c onto x, in suit. Only c may ever lie on x, and while c is in play x cannot go up; so all that it
    /// prevents is moving x, see `packed.rs`. A king, a card that lies alone and a card that lies on its suit's next
    /// higher one need not move. With spaces, moving a lone card makes a space, and a king that lies on cards may move;
    /// so there x must be a lone king or lie on the next higher card. A merci may take a card from under x: then the
    /// whole run that x ends must have nothing beneath it, or under `play` a king, which no merci could fetch except to
    /// its foundation. With other rules there are no safe builds.
    pub(super) fn safe_move(&self) -> Option<Move> {
        let with_merci = self.may_merci();
        if self.redeals_left() == 0 {
            let safe = match self.rules.safe_ups(with_merci) {
                SafeUps::Never => 0,
                SafeUps::Always => CARDS,
                // The lowest wanted card belongs to the lowest foundation: all cards of that rank and the next are
                // safe. A target may keep cards of the first rank down; then only that rank is safe.
                SafeUps::Low => {
                    let lowest = self.now.wanted.trailing_zeros() & !3;
                    let held = self.now.in_play & !self.cap() & 15 << lowest;
                    if held == 0 { (256 << lowest) - 1 } else { (16 << lowest) - 1 }
                }
            };
            let playable = self.playable() & safe;
            if playable != 0 {
                return Some(Move::ToFoundation(playable.trailing_zeros() as u8));
            }
        }
        // Where a redeal is not allowed while a card can be played, uncovering such a card can prevent it.
        if self.redeals_left() > 0 && !self.rules.may_hold_back {
            return None;
        }
        let safe = self.rules.safe_builds(with_merci);
        if safe == SafeBuilds::Never {
            return None;
        }
        let buildable = self.now.tops & self.now.tops >> 4;
        let card = each(buildable).find(|&card| self.takes_safely(card + 4, safe));
        card.map(|card| Move::ToFan(card, card + 4))
    }

    /// Returns true if building onto this top is safe; see `safe_move`.
    fn takes_safely(&self, top: u8, safe: SafeBuilds) -> bool {
        let below = |card: u8| self.now.below[card as usize & 63];
        let is_king = |card: u8| bit(card) & KINGS != 0;
        let is_on_next = |card: u8| below(card) == card + 4;
        let run_start = || {
            let mut start = top;
            while is_on_next(start) {
                start += 4;
            }
            start
        };
        match safe {
            SafeBuilds::Never => false,
            SafeBuilds::Plain => below(top) == NONE || is_king(top) || is_on_next(top),
            SafeBuilds::RunFromBottomOrKing => {
                let start = run_start();
                below(start) == NONE || is_king(start)
            }
            SafeBuilds::RunFromBottom => below(run_start()) == NONE,
            SafeBuilds::Spaces => below(top) == NONE && is_king(top) || is_on_next(top),
        }
    }

    /// Pushes all moves but useless builds of lone cards, the most promising first: foundation moves, kings into a
    /// space, then builds. A card is *misplaced* if a lower card lies beneath it, because that one usually has to go up
    /// before. The best builds are of cards that are misplaced before and not after, the worst of cards that become
    /// misplaced. The number of the order breaks ties; order 0 breaks them by card.
    pub(super) fn push_branches(&self, out: &mut Vec<Move>) {
        if self.rules.is_plain() || self.may_merci() {
            return self.push_moves(out);
        }
        out.extend(each(self.playable()).map(Move::ToFoundation));
        self.push_kings(out);
        self.push_builds_by_promise(out);
        self.push_redeal(out);
    }

    fn push_builds_by_promise(&self, out: &mut Vec<Move>) {
        let below = &self.now.below;
        // The lowest rank in the fan of each top.
        let mut lowest = [0; NUMBERS];
        for top in each(self.now.tops) {
            let (mut rank, mut card) = (top / 4, below[top as usize & 63]);
            while card != NONE {
                rank = rank.min(card / 4);
                card = below[card as usize & 63];
            }
            lowest[top as usize & 63] = rank;
        }
        let leave_lone = self.may_leave_lone_cards();
        let begin = out.len();
        let mut keys = [0; 8 * PACK];
        for card in each(self.now.tops) {
            let targets = self.targets(card) & self.now.tops;
            if targets == 0 || leave_lone && below[card as usize & 63] == NONE {
                continue;
            }
            let was_misplaced = lowest[card as usize & 63] < card / 4;
            for onto in each(targets).filter(|&onto| !self.is_full(onto)) {
                let is_misplaced = lowest[onto as usize & 63] < card / 4;
                let class = 2 * u8::from(!was_misplaced) + u8::from(is_misplaced);
                let key = class << 4 | self.tie(card, onto);
                // Insertion sort, because there are usually few.
                let mut place = out.len() - begin;
                out.push(Move::ToFan(card, onto));
                keys[place] = key;
                while place > 0 && keys[place - 1] > key {
                    keys.swap(place - 1, place);
                    out.swap(begin + place - 1, begin + place);
                    place -= 1;
                }
            }
        }
    }

    /// Returns four bits that break ties between builds.
    fn tie(&self, card: u8, onto: u8) -> u8 {
        if self.order == 0 {
            return 0;
        }
        (mix(self.order << 12 | u64::from(card) << 6 | u64::from(onto)) & 15) as u8
    }

    /// Returns true if a lone card need not be built: the space that it leaves is useless, nothing is uncovered, and
    /// the target is buried. Any line that follows can be played without this move, with the card, and all that is laid
    /// on it, in its own fan. That holds where spaces and mercis are not allowed, and where one more top cannot prevent
    /// a redeal.
    fn may_leave_lone_cards(&self) -> bool {
        !self.rules.kings_to_spaces
            && !self.may_merci()
            && (self.rules.may_hold_back || self.redeals_left() == 0)
    }

    /// Returns an upper bound on the cards that may still go up: a set that contains every card that goes up in any
    /// line of play.
    ///
    /// It is the least fixed point of these rules:
    /// - A card is *free* if it is a top or the card on it may move.
    /// - It may *go up* if it is free and all lower cards of its suit are up or may go up.
    /// - It may *move* if it may go up, if it and a card on which it may be built are free, or if it is a free king,
    ///   lies on a card, and there is a space or all cards of some fan may move.
    ///
    /// Each card that moves in a real line is free by the moves before it, and so are its lower cards, its target or
    /// the fan whose place it takes; by induction along the line the set misses none. It ignores that building buries
    /// cards and that fans may be full, so it is too large, never too small. With a merci or a redeal to come the set
    /// holds every card.
    pub(super) fn reachable(&self) -> u64 {
        let Table { tops, covering, in_play, wanted, ref below, .. } = self.now;
        if self.redeals_left() > 0 || self.may_merci() {
            return self.missing();
        }
        let (rules, cap) = (&self.rules, self.cap());
        let mut free = tops;
        // Free cards that cover a card which is not free.
        let mut closed = tops & covering;
        // True if a fan is empty, or all its cards may move.
        let mut has_space = tops.count_ones() < u32::from(self.now.fans);
        loop {
            // Runs of free cards from the wanted ones, in all four suits at once.
            let mut goes_up = free & wanted & cap;
            let mut run = free & cap;
            for shift in [4, 8, 16, 32] {
                goes_up |= run & goes_up << shift;
                run &= run << shift;
            }
            if free == in_play {
                return goes_up;
            }
            let onto = if rules.build_any {
                15 * ((free | free >> 1 | free >> 2 | free >> 3) & RANKS)
            } else {
                free
            };
            let mut moves = goes_up | free & onto >> 4;
            if rules.build_up {
                moves |= free & onto << 4;
            }
            if rules.kings_to_spaces {
                has_space |= free & !covering & moves != 0;
                if has_space {
                    moves |= closed & KINGS;
                }
            }
            let opening = closed & moves;
            if opening == 0 {
                return goes_up;
            }
            let mut freed = 0;
            for card in each(opening) {
                freed |= bit(below[card as usize & 63]);
            }
            free |= freed;
            closed = closed & !opening | freed & covering;
        }
    }
}
