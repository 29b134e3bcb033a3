//! A search of Aces Up in larger steps. A step is a move and the rows that are dealt after it because there is no
//! space; and where single cards may go to any space, all their moves before it.

use super::game::{Key, WON};
use super::table::{AcesUp, Move, NONE, Now, TOPS, Undo, bit, suit};
use crate::search::{self, Game, Outcome, Task, Watch};

/// Searches in larger steps. The line that it returns has the plain moves; the counters count steps.
pub(super) fn search_steps(game: &AcesUp, task: &Task, watch: &mut Watch) -> Outcome<Move> {
    let mut solver = Solver { game: game.clone(), bound: game.last_rows_bound() };
    solver.game.run_rows(game.now.dealt);
    let found = search::search(&mut solver, task, watch);
    let Outcome { status, moves: steps, score, score_proved, stats } = found;
    let mut moves = Vec::new();
    let mut game = game.clone();
    // The line ends as soon as it has its score.
    let mut play = |game: &mut AcesUp, m: Move| {
        if game.score() < score {
            game.make(m);
            moves.push(m);
        }
    };
    let rows = |game: &mut AcesUp, play: &mut dyn FnMut(&mut AcesUp, Move)| {
        while game.only_deals() && game.score() < score {
            play(game, Move::Deal);
        }
    };
    rows(&mut game, &mut play);
    for step in steps {
        if let Some(tops) = step.tops {
            while let Some(m) = game.arranging(tops).filter(|_| game.score() < score) {
                play(&mut game, m);
            }
        }
        match step.then {
            Then::Play(m) => play(&mut game, m),
            Then::Keep(card) => game.now.kept |= bit(card),
        }
        rows(&mut game, &mut play);
    }
    Outcome { status, moves, score, score_proved, stats }
}

struct Solver {
    game: AcesUp,
    /// The bound from the last rows.
    bound: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    /// The top cards after the single cards are rearranged, if any of them moves.
    tops: Option<[u8; TOPS]>,
    then: Then,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Then {
    Play(Move),
    /// This card is not discarded before the next deal.
    Keep(u8),
}

/// Returns a step of a single move.
fn plain(m: Move) -> Step {
    Step { tops: None, then: Then::Play(m) }
}

#[derive(Clone, Copy)]
struct Back {
    now: Now,
    undo: Option<Undo>,
}

impl AcesUp {
    /// Deals as long as nothing else is legal, and computes the hashes of all cards that were dealt after the first
    /// `dealt`.
    #[inline]
    fn run_rows(&mut self, dealt: u8) {
        while self.only_deals() {
            self.deal();
        }
        // A position where nothing can follow needs no key.
        if !self.is_over() {
            self.hash_dealt(dealt);
        }
    }

    /// Returns the next move of a single card towards these top cards; `None` once they are reached.
    fn arranging(&self, tops: [u8; TOPS]) -> Option<Move> {
        let differing = || (0..self.rules.piles).filter(|&pile| self.now.top[pile] != tops[pile]);
        let mut space = NONE;
        for target in (0..self.rules.piles).filter(|&pile| self.now.top[pile] == NONE) {
            space = target as u8;
            if let Some(source) =
                differing().find(|&pile| tops[target] != NONE && self.now.top[pile] == tops[target])
            {
                return Some(Move::ToSpace { source: source as u8, target: space });
            }
        }
        let source = differing().find(|&pile| self.now.top[pile] != NONE)? as u8;
        Some(Move::ToSpace { source, target: space })
    }
}

impl Game for Solver {
    type Move = Step;
    type Undo = Back;
    type Key = Key;

    const ACYCLIC: bool = AcesUp::ACYCLIC;

    /// Returns an upper bound: five single cards and spaces in every order, before a deal and before the card of the
    /// cell; and a few others.
    #[inline]
    fn most_moves(&self) -> usize {
        256
    }

    fn moves(&self, out: &mut Vec<Step>) {
        self.branches(out);
    }

    #[inline]
    fn apply(&mut self, step: Step) -> Back {
        let now = self.game.now;
        if let Some(tops) = step.tops {
            self.game.arrange(tops);
        }
        let undo = match step.then {
            Then::Play(m) => Some(self.game.make_unhashed(m)),
            Then::Keep(card) => {
                self.game.now.kept |= bit(card);
                None
            }
        };
        self.game.run_rows(now.dealt);
        Back { now, undo }
    }

    #[inline]
    fn undo(&mut self, _: Step, back: Back) {
        if let Some(undo) = back.undo {
            self.game.unmake(undo);
        }
        self.game.now = back.now;
    }

    fn key(&self) -> Key {
        Key(self.game.position_key(self.game.is_loose()).max(1))
    }

    fn is_won(&self) -> bool {
        self.game.is_won()
    }

    fn score(&self) -> i32 {
        self.game.score()
    }

    fn max_score(&self) -> i32 {
        self.game.max_score()
    }

    fn forced(&self) -> Option<Step> {
        self.game.forced_move().map(plain)
    }

    fn branches(&self, out: &mut Vec<Step>) {
        self.game.push_steps(out);
    }

    fn bound(&self) -> i32 {
        self.game.bound().min(self.bound)
    }

    fn is_dead_end(&self) -> bool {
        self.bound < WON || self.game.is_dead_end()
    }
}

impl AcesUp {
    /// Rearranges the single cards; their hashes do not depend on places.
    #[inline]
    fn arrange(&mut self, tops: [u8; TOPS]) {
        self.now.top = tops;
        if !self.rules.optional_discards {
            for (pile, &top) in tops.iter().enumerate().filter(|&(_, &top)| top != NONE) {
                self.now.holder[suit(top)] = pile as u8;
            }
        }
    }

    fn push_steps(&self, out: &mut Vec<Step>) {
        if self.discards_at_once()
            && let Some(pile) = self.open_discard()
        {
            let keep = Then::Keep(self.now.top[pile as usize]);
            out.extend([plain(Move::Discard { pile }), Step { tops: None, then: keep }]);
            return;
        }
        if self.is_loose() {
            return self.push_loose(out);
        }
        self.each_branch(|m| match m {
            Move::Discard { .. } if self.discards_at_once() => {}
            _ => out.push(plain(m)),
        });
    }

    /// Pushes the steps where single cards are loose. Their order is chosen only when it matters: before a deal and
    /// before the last space is filled.
    fn push_loose(&self, out: &mut Vec<Step>) {
        let piles = self.rules.piles as u8;
        if self.rules.optional_discards && !self.discards_at_once() {
            let beaten = (0..piles).filter(|&pile| self.is_beaten(pile as usize));
            out.extend(beaten.map(|pile| plain(Move::Discard { pile })));
        }
        let space = (0..piles).find(|&pile| self.now.top[pile as usize] == NONE).unwrap_or(NONE);
        let is_last = self.spaces() == 1;
        for source in (0..piles).filter(|&pile| self.is_long(pile as usize)) {
            let is_free = !self.rules.optional_discards && self.is_free(source as usize);
            if is_last && !is_free {
                self.push_arranged(&|target| Move::ToSpace { source, target }, out);
            } else {
                out.push(plain(Move::ToSpace { source, target: space }));
            }
        }
        if self.rules.reserve {
            if self.now.cell == NONE {
                let sources = (0..piles).filter(|&pile| self.now.top[pile as usize] != NONE);
                out.extend(sources.map(|pile| plain(Move::ToReserve { pile })));
            } else if is_last {
                self.push_arranged(&|target| Move::FromReserve { target }, out);
            } else {
                out.push(plain(Move::FromReserve { target: space }));
            }
        }
        if self.may_deal() {
            self.push_arranged(&|_| Move::Deal, out);
        }
    }

    /// Pushes the move `next`, with a space as its target, after every order of the single cards and spaces.
    fn push_arranged(&self, next: &dyn Fn(u8) -> Move, out: &mut Vec<Step>) {
        let mut tops = self.now.top;
        let (mut singles, mut count) = ([NONE; TOPS], 0);
        let mut open = 0u32;
        for pile in (0..self.rules.piles).filter(|&pile| !self.is_long(pile)) {
            open |= 1 << pile;
            tops[pile] = NONE;
            if self.now.top[pile] != NONE {
                singles[count] = self.now.top[pile];
                count += 1;
            }
        }
        self.push_orders(&singles[..count], open, tops, next, out);
    }

    /// Pushes a step for every way to lay these cards onto the open piles.
    fn push_orders(
        &self,
        singles: &[u8],
        open: u32,
        tops: [u8; TOPS],
        next: &dyn Fn(u8) -> Move,
        out: &mut Vec<Step>,
    ) {
        let Some((&card, rest)) = singles.split_first() else {
            let tops_then = (tops != self.now.top).then_some(tops);
            out.push(Step { tops: tops_then, then: Then::Play(next(open.trailing_zeros() as u8)) });
            return;
        };
        for pile in (0..self.rules.piles).filter(|pile| open >> pile & 1 != 0) {
            let mut with_card = tops;
            with_card[pile] = card;
            self.push_orders(rest, open & !(1 << pile), with_card, next, out);
        }
    }
}
