//! Making moves and taking them back.

use super::keys::{COMMON, LINKS, PLACES, STOCK};
use super::table::{Agnes, Move, Undo, bit};

impl Agnes {
    /// Takes the card or unit with this head off its pile, and turns the next card up. The caller must update the top
    /// cards.
    #[inline]
    fn lift(&mut self, pile: usize, head: u8) -> Undo {
        let below = self.under[head as usize & 63];
        let mut undo =
            Undo { key: self.key, under: below, turned: false, pending: self.pending, touched: self.touched };
        self.key ^= self.key_of_leaving(pile, head);
        self.top[pile] = below;
        self.at[below as usize & 63] = pile as u8;
        undo.turned = self.face_down & bit(below) != 0;
        self.face_down &= !bit(below);
        undo
    }

    /// Takes back what `lift` did.
    #[inline]
    fn put_back(&mut self, pile: usize, head: u8, top: u8, undo: Undo) {
        self.key = undo.key;
        self.under[head as usize & 63] = undo.under;
        self.top[pile] = top;
        self.at[top as usize & 63] = pile as u8;
        if undo.turned {
            self.face_down |= bit(undo.under);
        }
        self.link(head, undo.under);
    }

    #[inline]
    pub(super) fn make(&mut self, m: Move) -> Undo {
        let undo = self.move_cards(m);
        if let Some(next) = self.pending {
            self.pending = next.after(m);
        }
        if let Move::Shift { next, .. } = m {
            self.pending = Some(next);
        }
        undo
    }

    #[inline]
    fn move_cards(&mut self, m: Move) -> Undo {
        match m {
            Move::ToFoundation { pile, card } => {
                let undo = self.lift(pile as usize, card);
                self.touched |= 1 << pile;
                self.up |= bit(card);
                self.unlink(card);
                self.tops = (self.tops & !bit(card) | bit(undo.under)) & self.masks.all;
                undo
            }
            Move::ToPile { source, target, head, .. } | Move::Shift { source, target, head, .. } => {
                let (source, target) = (source as usize, target as usize);
                let (top, onto) = (self.top[source], self.top[target]);
                let undo = self.lift(source, head);
                self.touched |= 1 << source | 1 << target;
                self.key ^= LINKS[head as usize & 63][self.place(target, onto)];
                self.under[head as usize & 63] = onto;
                self.link(head, onto);
                self.top[target] = top;
                self.at[top as usize & 63] = target as u8;
                self.tops = (self.tops & !bit(onto) | bit(undo.under)) & self.masks.all;
                undo
            }
            Move::Deal => self.make_deal(),
        }
    }

    #[inline]
    pub(super) fn unmake(&mut self, m: Move, undo: Undo) {
        self.pending = undo.pending;
        self.touched = undo.touched;
        match m {
            Move::ToFoundation { pile, card } => {
                self.up &= !bit(card);
                self.put_back(pile as usize, card, card, undo);
                self.tops = (self.tops & !bit(undo.under) | bit(card)) & self.masks.all;
            }
            Move::ToPile { source, target, head, .. } | Move::Shift { source, target, head, .. } => {
                let (source, target) = (source as usize, target as usize);
                let (top, onto) = (self.top[target], self.under[head as usize & 63]);
                self.top[target] = onto;
                self.at[onto as usize & 63] = target as u8;
                self.put_back(source, head, top, undo);
                self.tops = (self.tops & !bit(undo.under) | bit(onto)) & self.masks.all;
            }
            Move::Deal => self.unmake_deal(undo),
        }
    }

    fn make_deal(&mut self) -> Undo {
        let (before, served) = (self.left(), self.served());
        let undo = Undo {
            key: self.key,
            under: served as u8,
            turned: false,
            pending: self.pending,
            touched: self.touched,
        };
        for pile in 0..served {
            let card = self.stock[self.dealt as usize + pile];
            let below = self.top[pile];
            self.under[card as usize & 63] = below;
            self.link(card, below);
            self.key ^= LINKS[card as usize & 63][self.place(pile, below)];
            self.top[pile] = card;
            self.at[card as usize & 63] = pile as u8;
            self.in_stock &= !bit(card);
            self.tops = self.tops & !bit(below) | bit(card);
        }
        self.dealt += served as u8;
        self.touched |= (1 << served) - 1;
        self.key ^= LINKS[before][STOCK] ^ LINKS[self.left()][STOCK];
        if self.prunings.canonical {
            for pile in self.served()..served {
                if let Some(bottom) = self.pile(pile).last() {
                    self.key ^= LINKS[bottom as usize][PLACES + pile] ^ LINKS[bottom as usize][COMMON];
                }
            }
        }
        undo
    }

    fn unmake_deal(&mut self, undo: Undo) {
        self.dealt -= undo.under;
        for pile in 0..undo.under as usize {
            let card = self.stock[self.dealt as usize + pile];
            let below = self.under[card as usize & 63];
            self.top[pile] = below;
            self.at[below as usize & 63] = pile as u8;
            self.unlink(card);
            self.in_stock |= bit(card);
            self.tops = (self.tops & !bit(card) | bit(below)) & self.masks.all;
        }
        self.key = undo.key;
    }
}
