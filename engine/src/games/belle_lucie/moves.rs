//! The legal moves of La Belle Lucie, in the order of the Python rules.

use super::rules::Merci;
use super::table::{BelleLucie, KINGS, Move, NONE, bit};
use crate::cards::PACK;

impl BelleLucie {
    /// Pushes foundation moves, builds, kings into a space, mercis and the redeal, each kind by fan.
    pub(super) fn push_moves(&self, out: &mut Vec<Move>) {
        let playable = self.playable();
        out.extend(self.tops_in_order().filter(|&card| playable & bit(card) != 0).map(Move::ToFoundation));
        self.push_builds(out);
        self.push_kings(out);
        self.push_mercis(out);
        self.push_redeal(out);
    }

    fn tops_in_order(&self) -> impl Iterator<Item = u8> {
        self.now.top[..self.now.fans as usize].iter().copied().filter(|&top| top != NONE)
    }

    /// Pushes builds by the fan of the card, then by the fan of the target.
    fn push_builds(&self, out: &mut Vec<Move>) {
        for card in self.tops_in_order() {
            let targets = self.targets(card) & self.now.tops;
            if targets != 0 {
                let onto =
                    self.tops_in_order().filter(|&onto| targets & bit(onto) != 0 && !self.is_full(onto));
                out.extend(onto.map(|onto| Move::ToFan(card, onto)));
            }
        }
    }

    /// Pushes kings that may go into a space, by fan.
    pub(super) fn push_kings(&self, out: &mut Vec<Move>) {
        let kings = self.now.tops & KINGS;
        if self.rules.kings_to_spaces && kings != 0 && self.now.first_space().is_some() {
            let kings = self.tops_in_order().filter(|&card| kings & bit(card) != 0);
            let covering = kings.filter(|&card| self.now.below[card as usize] != NONE);
            out.extend(covering.map(Move::ToSpace));
        }
    }

    /// Pushes mercis by fan, from the bottom card up; for each card to the foundation, then by target fan, then to its
    /// own fan.
    fn push_mercis(&self, out: &mut Vec<Move>) {
        if !self.may_merci() {
            return;
        }
        let merci = self.rules.merci;
        for fan in 0..self.now.fans {
            let top = self.now.top[fan as usize];
            // The buried cards from the top down; with `second` only the first of them.
            let most = if merci == Merci::Second { 1 } else { PACK };
            let (mut buried, mut count, mut card) = ([NONE; PACK], 0, top);
            while card != NONE && self.now.below[card as usize] != NONE && count < most {
                card = self.now.below[card as usize];
                buried[count] = card;
                count += 1;
            }
            for &card in buried[..count].iter().rev() {
                if self.now.wanted & self.cap() & bit(card) != 0 {
                    out.push(Move::MerciUp(card));
                }
                let targets = self.targets(card);
                for onto in self.tops_in_order().filter(|&onto| onto != top && !self.is_full(onto)) {
                    if merci == Merci::Anywhere || targets & bit(onto) != 0 {
                        out.push(Move::MerciOnto(card, onto));
                    }
                }
                let to_own = match merci {
                    Merci::Front | Merci::Anywhere => true,
                    Merci::Play => targets & bit(top) != 0,
                    Merci::Second | Merci::None => false,
                };
                if to_own {
                    out.push(Move::MerciOwn(card));
                }
            }
        }
    }

    pub(super) fn push_redeal(&self, out: &mut Vec<Move>) {
        if self.may_redeal() && self.knows_redeal() {
            out.push(Move::Redeal);
        }
    }
}
