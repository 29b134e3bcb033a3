//! The moves of Spider: which are legal, how they are made and taken back.

use super::table::{MOST_PILES, NONE, Table, number, rank, suit};

/// A move; piles are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A card of the bank to each pile.
    Row,
    /// The last `count` cards of a pile go to another.
    Run { from: u8, to: u8, count: u8 },
}

/// What `undo` needs besides the move. Sets of piles are bits, the first pile the lowest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undo {
    /// The Sun score before the move.
    sun: i32,
    /// Piles from which a run left the table.
    completed: u16,
    /// Piles of which a card was turned up.
    turned: u16,
    /// The longest runs of the two piles before a move of cards.
    from_run: u8,
    to_run: u8,
}

impl Undo {
    /// Returns the piles from which a run left the table, as bits.
    pub fn completed(&self) -> u16 {
        self.completed
    }

    /// Returns the piles of which a card was turned up, as bits.
    pub fn turned(&self) -> u16 {
        self.turned
    }
}

impl Table {
    /// Pushes every legal move: moves of cards by source, target and number of cards, then the row.
    pub fn push_moves(&self, out: &mut Vec<Move>) {
        self.push_card_moves(out, |_, _| true);
        if self.may_deal() {
            out.push(Move::Row);
        }
    }

    /// Pushes the moves of cards in their order. To an empty pile only those that `fills` accepts; its arguments are
    /// the target and whether the whole source would move.
    #[inline]
    pub(super) fn push_card_moves(&self, out: &mut Vec<Move>, fills: impl Fn(usize, bool) -> bool) {
        // The rank of each pile's last card, and the piles of each rank as bits; 0 for those that are empty.
        let (mut lasts, mut of_rank) = ([0u8; MOST_PILES], [0u16; 16]);
        for (place, pile) in self.piles().iter().enumerate() {
            lasts[place] = rank(pile.last());
            of_rank[usize::from(lasts[place])] |= 1 << place;
        }
        for (from, source) in self.piles().iter().enumerate().filter(|(_, source)| source.len > 0) {
            // Some part of the run goes onto any card above its last one, up to one above its first.
            let above = usize::from(lasts[from]) + 1;
            let hosts = &of_rank[above..above + usize::from(source.run)];
            let mut targets = hosts.iter().fold(of_rank[0], |all, piles| all | piles);
            while targets != 0 {
                let to = targets.trailing_zeros() as usize;
                targets &= targets - 1;
                let run = |count| Move::Run { from: from as u8, to: to as u8, count };
                if lasts[to] == 0 {
                    let counts = (1..=source.run).filter(|&count| fills(to, count == source.len));
                    out.extend(counts.map(run));
                } else {
                    out.push(run(lasts[to] - lasts[from]));
                }
            }
        }
    }

    /// Returns true if a move is legal.
    pub fn is_legal(&self, m: Move) -> bool {
        let Move::Run { from, to, count } = m else { return self.may_deal() };
        if from == to || from >= self.rules.piles || to >= self.rules.piles {
            return false;
        }
        let (source, last) = (&self.piles[usize::from(from)], self.piles[usize::from(to)].last());
        (1..=source.run).contains(&count) && (last == NONE || rank(source.last()) + count == rank(last))
    }

    /// Makes a legal move.
    pub fn apply(&mut self, m: Move) -> Undo {
        let mut undo = Undo { sun: self.sun, completed: 0, turned: 0, from_run: 0, to_run: 0 };
        match m {
            Move::Row => self.deal_row(),
            Move::Run { from, to, count } => {
                undo.from_run = self.piles[usize::from(from)].run;
                undo.to_run = self.piles[usize::from(to)].run;
                self.carry(from.into(), to.into(), count);
            }
        }
        self.moves += 1;
        self.settle(&mut undo);
        undo
    }

    /// Takes back `m`, the last move made.
    pub fn undo(&mut self, m: Move, undo: Undo) {
        self.unsettle(&undo);
        match m {
            Move::Row => self.take_row(),
            Move::Run { from, to, count } => {
                let (from, to, count) = (usize::from(from), usize::from(to), usize::from(count));
                self.shift(to, from, count);
                self.piles[from].run = undo.from_run;
                self.piles[to].run = undo.to_run;
            }
        }
        self.moves -= 1;
        self.sun = undo.sun;
    }

    /// Moves the last cards of a pile, and nothing else.
    #[inline]
    fn shift(&mut self, from: usize, to: usize, count: usize) {
        let (len, start) = (usize::from(self.piles[from].len), usize::from(self.piles[to].len));
        for place in 0..count {
            self.piles[to].cards[start + place] = self.piles[from].cards[len - count + place];
        }
        self.piles[from].len -= count as u8;
        self.piles[to].len += count as u8;
    }

    #[inline]
    fn carry(&mut self, from: usize, to: usize, count: u8) {
        let head = self.piles[from].last() + count - 1;
        let joins = self.piles[to].last() == head + 1;
        self.shift(from, to, count.into());
        let source = &mut self.piles[from];
        if source.run > count {
            source.run -= count;
            self.sun -= 2;
        } else {
            // A card that lies face down now is turned by `settle`.
            source.run = source.count_run();
        }
        let target = &mut self.piles[to];
        if joins {
            target.run += count;
            self.sun += 2;
        } else {
            target.run = count;
        }
    }

    fn deal_row(&mut self) {
        for pile in 0..usize::from(self.rules.piles) {
            let card = self.bank[usize::from(self.dealt) + pile];
            let pile = &mut self.piles[pile];
            if pile.last() == card + 1 {
                pile.run += 1;
                self.sun += 2;
            } else {
                pile.run = 1;
            }
            pile.cards[usize::from(pile.len)] = card;
            pile.len += 1;
        }
        self.dealt += self.rules.piles;
    }

    fn take_row(&mut self) {
        self.dealt -= self.rules.piles;
        for pile in &mut self.piles[..usize::from(self.rules.piles)] {
            pile.len -= 1;
            pile.run = pile.count_run();
        }
    }

    /// Removes whole runs from the table, and turns up the last card of a pile if it is face down.
    #[inline]
    fn settle(&mut self, undo: &mut Undo) {
        let ranks = self.rules.ranks;
        // All piles: a typed layout may have whole runs one upon the other, of which one leaves at a time.
        for (place, pile) in self.piles[..usize::from(self.rules.piles)].iter_mut().enumerate() {
            // A run of this length has all ranks: from the king to the ace.
            if pile.run == ranks {
                self.completed[usize::from(self.completed_len)] = suit(pile.last());
                self.completed_len += 1;
                pile.len -= ranks;
                pile.run = pile.count_run();
                self.sun += 50 - 2 * (i32::from(ranks) - 1);
                undo.completed |= 1 << place;
            }
            if pile.len > 0 && pile.len == pile.down {
                pile.down -= 1;
                pile.run = 1;
                self.sun += 10 + 15 * i32::from(pile.down == 0);
                undo.turned |= 1 << place;
            }
        }
    }

    /// Turns cards face down again, and brings runs back. The caller must restore the score.
    #[inline]
    fn unsettle(&mut self, undo: &Undo) {
        let mut changed = undo.completed | undo.turned;
        // The last pile first: its run was completed last.
        while let Some(place) = changed.checked_ilog2() {
            changed ^= 1 << place;
            let pile = &mut self.piles[place as usize];
            pile.down += (undo.turned >> place & 1) as u8;
            if undo.completed >> place & 1 == 1 {
                self.completed_len -= 1;
                let suit = self.completed[usize::from(self.completed_len)];
                for rank in (1..=self.rules.ranks).rev() {
                    pile.cards[usize::from(pile.len)] = number(suit, rank);
                    pile.len += 1;
                }
                pile.run = self.rules.ranks;
            }
        }
    }
}
