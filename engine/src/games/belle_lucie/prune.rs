//! What a search of La Belle Lucie may leave out: safe moves, useless ones, lost positions; and the
//! order in which it tries the rest.

use super::rules::{SafeBuilds, SafeUps};
use super::table::{BelleLucie, CARDS, KINGS, Move, NONE, NUMBERS, RANKS, Table, bit, each};
use crate::cards::PACK;
use crate::rng::mix;

impl BelleLucie {
    /// A move that loses nothing, by the specification's table: foundation moves first, then builds.
    /// Each row was tested against all moves on small endgames, and tests do so again.
    ///
    /// *Foundation.* A card that is up is missed only as a place to lie on. With builds in suit only
    /// the next lower card might, and that one is up. If suits do not matter, cards of a rank at most
    /// two above the lowest foundation are safe: whatever might lie on them can go up itself when it
    /// is free. With `build_up` the next higher cards might, too; a merci to anywhere can bury or
    /// fetch any card; and before a redeal it matters which cards are dealt again: never.
    ///
    /// *Build* of c onto x, in suit. Only c may ever lie on x, and while c is in play x cannot go up;
    /// so all that it prevents is to move x, see `packed.rs`. A king, a card that lies alone and one
    /// that lies on its suit's next higher need not move. With spaces a lone card's move is worth one,
    /// and a king that lies on cards may move; so there x must be a lone king or lie on the next
    /// higher. A merci may take a card from under x: then the whole run that x ends must have nothing
    /// beneath it, or under `play` a king, which no merci could fetch but to its foundation. With
    /// other rules there are no safe builds.
    pub(super) fn safe_move(&self) -> Option<Move> {
        let with_merci = self.may_merci();
        if self.redeals_left() == 0 {
            let safe = match self.rules.safe_ups(with_merci) {
                SafeUps::Never => 0,
                SafeUps::Always => CARDS,
                // The lowest wanted card has the lowest foundation: all cards of two ranks from it.
                // A target may keep cards of the first of them down; then only those are safe.
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
        // Where no redeal may come with a card to play, uncovering one can stand against it.
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

    /// Building onto this top is safe; see `safe_move`.
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

    /// All but builds of lone cards where these are of no use, the most promising first: foundation
    /// moves, kings into a space, then builds by what becomes of the card. It is *misplaced* if a lower
    /// card lies beneath it, for as a rule that one has to go up before. Best is a card that no longer
    /// is, worst one that was not. Which of equal ones is first depends on the number of the order;
    /// it is by card in order 0.
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
                // Sorted by insertion as they come: as a rule there are few.
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

    /// Four bits that sort equal builds.
    fn tie(&self, card: u8, onto: u8) -> u8 {
        if self.order == 0 {
            return 0;
        }
        (mix(self.order << 12 | u64::from(card) << 6 | u64::from(onto)) & 15) as u8
    }

    /// A lone card need not be built: the space that it leaves is of no use, nothing is uncovered,
    /// and the target is buried. Any line that follows can be played without this move, with the
    /// card, and all that is laid on it, in its own fan. That holds where spaces and mercis are not
    /// allowed, and where one more top does not stand against a redeal.
    fn may_leave_lone_cards(&self) -> bool {
        !self.rules.kings_to_spaces
            && !self.may_merci()
            && (self.rules.may_hold_back || self.redeals_left() == 0)
    }

    /// Cards that may still go up, and more: a set that holds every card that does so in any line of
    /// play.
    ///
    /// It is the least fixed point of these rules. A card is *free* if it is a top or the card on it
    /// may move; it may *go up* if it is free and all lower cards of its suit are up or may go up; it
    /// may *move* if it may go up, if it and a card on which it may be built are free, or if it is a
    /// free king, lies on a card, and there is a space or all cards of some fan may move. Each card
    /// that moves in a real line is free by the moves before it, and so are its lower cards, its
    /// target or the fan whose place it takes; by induction along the line the set misses none. It
    /// forgets that building buries and that fans may be full, so it is too large, never too small.
    /// With a merci or a redeal to come every card may.
    pub(super) fn reachable(&self) -> u64 {
        let Table { tops, covering, in_play, wanted, ref below, .. } = self.now;
        if self.redeals_left() > 0 || self.may_merci() {
            return self.missing();
        }
        let (rules, cap) = (&self.rules, self.cap());
        let mut free = tops;
        // Free cards that cover a card which is not free.
        let mut closed = tops & covering;
        // A fan is empty, or all its cards may move.
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
