//! Shorter lines to the same end.
//!
//! A depth-first search often finds needlessly long lines: a unit goes away and comes back much later. Single moves of
//! such a line can seldom be left out, because the moves after them refer to piles that have changed. So a line is read
//! as a list of *aims*, which refer to cards: they keep their meaning when others are left out, and those that are
//! already fulfilled are dropped.

use std::collections::HashMap;
use std::time::Instant;

use super::table::{Agnes, Move, NONE, bit};
use crate::search::{Game, Progress, Watch};

/// The limit on moves played over all tries: some tenths of a second.
const MOST_PLAYED: u64 = 3_000_000;
/// Lines with more moves than this are first shortened piece by piece: a try is given up unless it comes back to a
/// position of the line soon.
const LONG: usize = 2000;
/// Moves between two checks of the watch.
const LOOK: u64 = 4096;

/// The purpose of a move, independent of where the cards lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Aim {
    /// The card goes to its foundation.
    Up(u8),
    /// The head of a unit comes to lie on a card.
    Onto {
        head: u8,
        host: u8,
    },
    /// The head of a unit becomes the bottom card of a pile, of this one if it can.
    Empty {
        head: u8,
        pile: u8,
    },
    Deal,
}

/// An aim, and the key of the position after it.
///
/// The keys ignore the order of piles that no deal reaches, and so do aims: from positions of one key the same aims
/// lead to the same end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    aim: Aim,
    key: u128,
}

/// How a line ends.
#[derive(PartialEq, Eq, Debug)]
struct End {
    score: i32,
    is_won: bool,
    is_stuck: bool,
}

impl Agnes {
    /// Returns a line to the same score and outcome that is no longer.
    pub(super) fn shorter(&self, line: &[Move], watch: &mut Watch) -> Vec<Move> {
        let mut game = self.clone();
        let mut steps = Vec::with_capacity(line.len());
        for &m in line {
            let aim = game.aim_of(m);
            game.apply(m);
            steps.push(Step { aim, key: game.key });
        }
        let mut tries = Tries { end: game.end(), watch, started: Instant::now(), played: 0, is_over: false };
        tries.cut_across(self, &mut steps);
        loop {
            let before = steps.len();
            let mut size = before / 2;
            while size > 0 {
                tries.leave_out(self, &mut steps, size);
                size /= 2;
            }
            tries.cut_across(self, &mut steps);
            if steps.len() == before || tries.is_over {
                break;
            }
        }
        let mut game = self.clone();
        let moves = steps.into_iter().filter_map(|step| game.pursue(step.aim)).collect();
        debug_assert_eq!(game.end(), tries.end);
        moves
    }

    fn end(&self) -> End {
        let mut legal = Vec::new();
        self.moves(&mut legal);
        End { score: self.score(), is_won: self.is_won(), is_stuck: legal.is_empty() }
    }

    /// Returns the aim of a legal move.
    fn aim_of(&self, m: Move) -> Aim {
        match m {
            Move::Deal => Aim::Deal,
            Move::ToFoundation { card, .. } => Aim::Up(card),
            Move::ToPile { target, head, .. } | Move::Shift { target, head, .. } => {
                match self.top[target as usize] {
                    NONE => Aim::Empty { head, pile: target },
                    host => Aim::Onto { head, host },
                }
            }
        }
    }

    /// Returns the legal move that fulfils an aim; `None` if it is already fulfilled, or cannot be now.
    fn move_for(&self, aim: Aim) -> Option<Move> {
        match aim {
            Aim::Deal => (self.left() > 0).then_some(Move::Deal),
            Aim::Up(card) => (self.tops & self.wanted() & bit(card) != 0)
                .then_some(Move::ToFoundation { pile: self.at[card as usize & 63], card }),
            Aim::Onto { head, host } => {
                if self.masks.hosts(bit(head)) & self.tops & bit(host) == 0 {
                    return None;
                }
                Some(self.unit_headed(head)?.to(self.at[host as usize & 63]))
            }
            Aim::Empty { head, pile } => {
                if self.bottoms & bit(head) != 0 && self.is_bottom_of(head, pile as usize) {
                    return None;
                }
                // If that pile is taken, the last empty one: it is the least likely to be dealt on.
                let empty = (0..self.rules.piles).filter(|&pile| self.top[pile] == NONE);
                let target = empty.max_by_key(|&empty| (empty == pile as usize, empty))?;
                let unit = self.unit_headed(head).filter(|&unit| self.may_fill(unit))?;
                Some(unit.to(target as u8))
            }
        }
    }

    /// Returns true if a card is the bottom card of this pile, or of an equivalent one if no deal reaches this pile.
    fn is_bottom_of(&self, card: u8, pile: usize) -> bool {
        let is_bottom = |pile: usize| self.pile(pile).last() == Some(card);
        is_bottom(pile) || pile >= self.served() && (self.served()..self.rules.piles).any(is_bottom)
    }

    /// Plays the move that fulfils an aim.
    fn pursue(&mut self, aim: Aim) -> Option<Move> {
        let m = self.move_for(aim);
        if let Some(m) = m {
            self.apply(m);
        }
        m
    }
}

/// The state of the tries, and their cost.
struct Tries<'a, 'w> {
    end: End,
    watch: &'a mut Watch<'w>,
    started: Instant,
    /// The number of moves played so far.
    played: u64,
    /// True when the limit is reached.
    is_over: bool,
}

impl Tries<'_, '_> {
    /// Pursues the aims of these steps from another position than they were made for, until they reach a position of
    /// theirs or, with all of them, the same end. Returns the steps taken, and how many of the others they replace.
    ///
    /// A tableau move that has become impossible is left out as well: it often continues what a step before it began.
    /// Measured: that shortens lines of `down-color-any1` by a sixth, in less time. A card that cannot go up shows that
    /// too much was left out.
    fn play(&mut self, mut game: Agnes, steps: &[Step], reach: usize) -> Option<(Vec<Step>, usize)> {
        let mut taken = Vec::new();
        for (place, step) in steps.iter().enumerate() {
            self.count();
            if self.is_over || place == reach {
                return None;
            }
            match game.move_for(step.aim) {
                Some(m) => {
                    let aim = game.aim_of(m);
                    game.apply(m);
                    taken.push(Step { aim, key: game.key });
                }
                None if matches!(step.aim, Aim::Up(_)) => return None,
                None => {}
            }
            if game.key == step.key {
                return Some((taken, place + 1));
            }
        }
        (game.end() == self.end).then_some((taken, steps.len()))
    }

    fn count(&mut self) {
        self.played += 1;
        if self.played.is_multiple_of(LOOK) {
            let (elapsed, score) = (self.started.elapsed(), self.end.score);
            let progress = Progress { nodes: self.played, elapsed, best: score, bound: score };
            self.is_over |= self.played >= MOST_PLAYED || (self.watch)(progress);
        }
    }

    /// Leaves out blocks of `size` steps where the rest can still be played.
    fn leave_out(&mut self, start: &Agnes, steps: &mut Vec<Step>, size: usize) {
        let mut game = start.clone();
        let mut begin = 0;
        while begin < steps.len() && !self.is_over {
            let end = (begin + size).min(steps.len());
            let reach = if steps.len() > LONG { 4 * size + 256 } else { LONG };
            if let Some((taken, count)) = self.play(game.clone(), &steps[end..], reach) {
                steps.splice(begin..end + count, taken);
                continue;
            }
            for step in &steps[begin..end] {
                game.pursue(step.aim);
                self.count();
            }
            begin = end;
        }
    }

    /// Takes the shortest way through positions of the line, with one move from each to any later one: this removes
    /// loops, and detours between two positions that one move connects. It costs little even for very long lines.
    fn cut_across(&mut self, start: &Agnes, steps: &mut Vec<Step>) {
        // A position is identified by the last place where it occurs: the number of steps before it.
        let mut places = HashMap::from([(start.key, 0)]);
        places.extend(steps.iter().map(|step| step.key).zip(1..));
        let first = places[&start.key];
        // The shortest way to each position: its length, and the place before the last step.
        let mut ways: Vec<Option<(usize, usize, Step)>> = vec![None; steps.len() + 1];
        let mut game = start.clone();
        let mut legal = Vec::new();
        for (place, step) in steps.iter().enumerate() {
            self.count();
            if self.is_over {
                return;
            }
            let length = match ways[place] {
                Some((length, ..)) => Some(length),
                None => (place == first).then_some(0),
            };
            if let Some(length) = length {
                legal.clear();
                game.moves(&mut legal);
                for &m in &legal {
                    let aim = game.aim_of(m);
                    let undo = game.apply(m);
                    let key = game.key;
                    game.undo(m, undo);
                    let next = places.get(&key).copied().unwrap_or(0);
                    if next > place && ways[next].is_none_or(|(other, ..)| length + 1 < other) {
                        ways[next] = Some((length + 1, place, Step { aim, key }));
                    }
                }
            }
            game.pursue(step.aim);
        }
        let mut taken = Vec::new();
        let mut place = steps.len();
        while let Some((_, before, step)) = ways[place] {
            taken.push(step);
            place = before;
        }
        if taken.len() < steps.len() {
            taken.reverse();
            *steps = taken;
        }
    }
}
