//! A relaxation of the game, which overestimates what can happen: it proves positions lost, and bounds their scores.
//!
//! Three facts about cards, as sets. *Clear*: the card can become a top card. *Off*: it can be parted from the card, or
//! the table, that is now under it. *Up*: it can reach its foundation. Rules that ignore what a card had to give for
//! these facts derive them from each other until nothing new comes. They do so in stages: a stage is the time between
//! two deals, and what was never parted from its pile in a stage still lies there, under what is dealt next.
//!
//! Proof. Take any line of play, and its events in the order of time. Each event's fact is derived:
//! - *c goes up*: it was a top card, so clear, and the lower cards of its suit went up before it.
//! - *c is parted from the card under it*, by going up or as the head of a unit. All cards above it that were not moved
//!   before form one run with it, so each of them is linked or was parted before: `reached` has come down to c. The
//!   unit went onto a top card one higher (clear before) or to an empty pile, which `empty` knows: its bottom card was
//!   parted before, or it is empty now. A single card that goes to an empty pile is a top card. Where runs are not cut,
//!   a linked card is never a head.
//! - *c becomes a top card*: what lay on it was parted from it; or c moved, or was dealt, and what was laid on it
//!   afterwards left again, when it had been clear already.
//! - *A deal*: cards below the lowest one that was off were never parted from their pile, so they lie there still; the
//!   others may be anywhere, and *float*: they count as clear and off. A dealt card y lies somewhere above what stayed
//!   of its pile. To say that it lies directly on the last card z of what stayed is right unless a card directly under
//!   it can carry it. If that card is not z, it floats, and then so does y. If it is z, y is linked to it. But where
//!   runs are not cut, that link would forbid parting y, and it is not certain, because another card may lie between:
//!   so y floats. It floats too if z was not the top card before, or lies face down: the link is not certain, and it
//!   matters whether the link is there.

use super::rules::LOWS;
use super::table::{Agnes, NONE, bit};

impl Agnes {
    /// Returns the cards that may go up, those that are up included: all cards, unless it is certain that some cannot.
    pub(super) fn reachable(&self) -> u64 {
        let all = self.masks.all;
        let mut under = self.under;
        let (mut top, mut linked, mut up) = (self.top, self.linked, self.up);
        let mut floating = 0;
        let mut stock = self.stock();
        let piles = self.rules.piles;
        let movable = self.masks.cuts | !self.linked;
        loop {
            let mut tops = 0;
            let mut reached = 0;
            for &card in &top[..piles] {
                tops |= bit(card);
                reached |= run(card, linked, &under);
            }
            let mut empty = tops >> NONE != 0;
            let mut clear = floating | tops & all;
            let mut off = floating | up;
            loop {
                // All cards of a foundation that are clear or up, from the lowest one on without a gap.
                let here = clear | up;
                up = here & !(here + LOWS);
                let (runs, ones) =
                    if empty { (self.masks.runs_to_empty, self.masks.ones_to_empty) } else { (0, 0) };
                let takers = self.masks.packed_on(clear) | runs | ones & clear;
                let mut parted = reached & !off & (up | movable & takers);
                if parted == 0 || up == all {
                    break;
                }
                off |= parted;
                while parted != 0 {
                    let below = under[parted.trailing_zeros() as usize & 63];
                    parted &= parted - 1;
                    if below == NONE {
                        empty = true;
                    } else {
                        clear |= bit(below);
                        if reached & bit(below) == 0 {
                            reached |= run(below, linked, &under);
                        }
                    }
                }
            }
            if stock.is_empty() || up == all {
                return up;
            }
            // The next deal.
            for card in &mut top[..piles] {
                let (mut next, mut above) = (*card, 0);
                while next != NONE && reached & bit(next) != 0 {
                    above |= bit(next);
                    if off & bit(next) != 0 {
                        floating |= above;
                        *card = under[next as usize & 63];
                    }
                    next = under[next as usize & 63];
                }
            }
            let (dealt, rest) = stock.split_at(stock.len().min(piles));
            stock = rest;
            let mut adrift = 0;
            for (pile, &card) in dealt.iter().enumerate() {
                let carriers = self.masks.carriers(bit(card));
                let last = top[pile];
                if carriers & floating != 0 {
                    adrift |= bit(card);
                } else {
                    under[card as usize & 63] = last;
                    linked |= u64::from(carriers & bit(last) != 0) << card;
                    top[pile] = card;
                }
            }
            floating |= adrift;
        }
    }
}

/// Returns the cards from this one down to the head of its run.
#[inline]
fn run(mut card: u8, linked: u64, under: &[u8; 64]) -> u64 {
    let mut cards = bit(card);
    while linked & bit(card) != 0 {
        card = under[card as usize & 63];
        cards |= bit(card);
    }
    cards
}
