//! The players of Spider. None of them sees a card that lies face down or in the bank.

use super::Spider;
use super::hidden::{Deal, Planned, Sight};
use super::moves::Move;
use super::planner::{Planner, Reach};
use super::sampling::{Decision, SETTING, Sampler, Setting};
use super::table::{NONE, rank};
use super::values::{Values, read_values};
use super::weights::SEEN;
use crate::Fault;
use crate::games::policies::stopped;
use crate::rng::Decks;
use crate::search::{Progress, Watch};
use std::time::Instant;

/// The reach of the plain player.
pub const PLAIN: Reach = Reach { width: 16, depth: 40, stall: 8 };
/// The reach of playouts of the sampling player.
const PLAYOUT: Reach = Reach { width: 12, ..PLAIN };
/// The widths of the beams that finish a game whose cards are all known: in play, and in playouts.
const FINISH: [usize; 4] = [50, 200, 800, 3200];
const PLAYOUT_FINISH: usize = 32;
const MOST_SAMPLES: u32 = 100_000;
const MOST_WIDTH: usize = 10_000;
const MOST_RANDOM: u32 = 100_000;

/// A policy of the game.
#[derive(Clone, PartialEq, Debug)]
pub enum Policy {
    /// Random moves, at most this number before each row.
    Random(u32),
    /// The best single move by `worth`.
    Greedy,
    /// From plan to plan, with this number of tables in each level.
    Plan(usize),
    /// Evaluates plans on this number of sampled deals; without values games are played to their end.
    Search(u32, Option<Box<Values>>),
}

impl Policy {
    /// Reads `random:1000`, `greedy`, `plan:16` or `search:40`.
    pub fn read(name: &str, values: Option<&[u8]>) -> Result<Policy, Fault> {
        let (name, number) = name.split_once(':').map_or((name, None), |(name, text)| (name, Some(text)));
        let within = |most: u32, default: u32| match number.map_or(Ok(default), str::parse::<u32>) {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            _ => Err(Fault::new(format!("the policy {name:?} of spider takes a number from 1 to {most}"))),
        };
        match name {
            "random" => Ok(Policy::Random(within(MOST_RANDOM, 1000)?)),
            "greedy" if number.is_none() => Ok(Policy::Greedy),
            "plan" => Ok(Policy::Plan(within(MOST_WIDTH as u32, PLAIN.width as u32)? as usize)),
            "search" => {
                let values = values.map(read_values).transpose()?;
                Ok(Policy::Search(within(MOST_SAMPLES, SETTING.samples)?, values.map(Box::new)))
            }
            _ => Err(Fault::new(format!(
                "the engine has no policy {name:?} of spider; it has random, greedy, plan, search"
            ))),
        }
    }
}

impl Spider {
    pub(super) fn played_by(
        &self,
        policy: &Policy,
        luck: &mut Decks,
        watch: &mut Watch,
    ) -> Result<Vec<Move>, Fault> {
        match policy {
            Policy::Random(moves) => self.play_random(*moves, luck, watch),
            Policy::Greedy => self.play_greedy(watch),
            Policy::Plan(width) => Ok(self.play_plans(*width)),
            Policy::Search(samples, values) => self.play_search(*samples, values.as_deref(), luck, watch),
        }
    }

    fn play_random(&self, most: u32, luck: &mut Decks, watch: &mut Watch) -> Result<Vec<Move>, Fault> {
        let (mut table, mut line, mut moves) = (self.clone(), Vec::new(), Vec::new());
        let mut since_row = 0;
        while !table.is_won() {
            moves.clear();
            table.push_moves(&mut moves);
            let may_deal = moves.last() == Some(&Move::Row);
            let cards = moves.len() - usize::from(may_deal);
            let m = match (cards == 0 || since_row >= most, may_deal) {
                (true, true) => Move::Row,
                // The game is given up. Where a row waits for a pile to be filled, random play has as many moves again
                // to do it.
                (true, false) if cards == 0 || table.left() == 0 || since_row >= 2 * most => break,
                _ => moves[luck.below(cards as u64) as usize],
            };
            since_row = if m == Move::Row { 0 } else { since_row + 1 };
            table.apply(m);
            line.push(m);
            look(line.len(), watch)?;
        }
        Ok(line)
    }

    /// Plays the first of the best moves while one is worth anything; then a row. Piles that must be filled before it
    /// get the last card of the tallest pile, one after the other.
    fn play_greedy(&self, watch: &mut Watch) -> Result<Vec<Move>, Fault> {
        let (mut table, mut line, mut moves) = (self.clone(), Vec::new(), Vec::new());
        while !table.is_won() {
            moves.clear();
            table.push_moves(&mut moves);
            let mut best: Option<(i32, Move)> = None;
            for &m in moves.iter().filter(|&&m| m != Move::Row) {
                let worth = table.worth(m);
                if worth > best.map_or(0, |(most, _)| most) {
                    best = Some((worth, m));
                }
            }
            if let Some((_, m)) = best {
                table.apply(m);
                line.push(m);
            } else {
                while !table.may_deal() {
                    let Some(m) = table.filling() else { return Ok(line) };
                    table.apply(m);
                    line.push(m);
                }
                table.apply(Move::Row);
                line.push(Move::Row);
            }
            look(line.len(), watch)?;
        }
        Ok(line)
    }

    /// Returns the immediate worth of a move of cards: 8 for a turned card, 4 for an emptied pile, 2 for a join in suit
    /// and 1 for one out of suit, less the worth of the join that it breaks.
    fn worth(&self, m: Move) -> i32 {
        let Move::Run { from, to, count } = m else { return 0 };
        let (source, target) = (&self.piles()[usize::from(from)], &self.piles()[usize::from(to)]);
        let left = source.len() - count;
        let first = source.cards()[usize::from(left)];
        let join = |on: u8| match on {
            NONE => 0,
            on if on == first + 1 => 2,
            on => i32::from(rank(on) == rank(first) + 1),
        };
        let turns = left > 0 && left == source.down();
        let lay_on = if left > source.down() { source.cards()[usize::from(left) - 1] } else { NONE };
        let empties = i32::from(left == 0) - i32::from(target.is_empty());
        8 * i32::from(turns) + 4 * empties + join(target.last()) - join(lay_on)
    }

    /// Returns the move that fills the first empty pile, where a row waits for that.
    fn filling(&self) -> Option<Move> {
        let to = self.piles().iter().position(|pile| pile.is_empty()).filter(|_| self.left() > 0)?;
        let piles = self.piles().iter().enumerate().filter(|(_, pile)| pile.len() > 1);
        let (from, _) = piles.rev().max_by_key(|(_, pile)| pile.len())?;
        Some(Move::Run { from: from as u8, to: to as u8, count: 1 })
    }

    fn play_plans(&self, width: usize) -> Vec<Move> {
        let player = Planned::new(&SEEN, Reach { width, ..PLAIN }, FINISH.to_vec());
        let (deal, mut view) = (Deal::of(self), Sight::of(self, &player).view);
        let mut line = Vec::new();
        player.play_on(&mut Planner::new(), &deal, &mut view, None, &mut |moves| line.extend(moves));
        line
    }

    fn play_search(
        &self,
        samples: u32,
        values: Option<&Values>,
        luck: &mut Decks,
        watch: &mut Watch,
    ) -> Result<Vec<Move>, Fault> {
        let (mut table, mut line) = (self.clone(), Vec::new());
        while !table.is_won() {
            let setting = Setting { samples, ..SETTING };
            let decision = table.decision(setting, values, luck, watch);
            if decision.is_stopped {
                return Err(stopped());
            }
            let Some(plan) = decision.plans.first() else { break };
            for &m in &plan.moves {
                table.apply(m);
                line.push(m);
            }
        }
        Ok(line)
    }

    /// Evaluates plans by what a player sees. For a table with all cards known, returns the line to a win.
    pub(super) fn decision(
        &self,
        setting: Setting,
        values: Option<&Values>,
        luck: &mut Decks,
        watch: &mut Watch,
    ) -> Decision {
        let finisher = Planned::new(&SEEN, PLAYOUT, FINISH.to_vec());
        let player = Planned::new(&SEEN, PLAYOUT, vec![PLAYOUT_FINISH]);
        let sight = Sight::of(self, &player);
        if sight.is_whole() {
            return Decision::known(finisher.finish(&sight.ground, &sight.view));
        }
        let mut sampler = Sampler { setting, player: &player, values, planner: Planner::new() };
        sampler.decide(&sight, luck, watch)
    }
}

/// Calls the watch at intervals of moves; returns an error if it stops the game.
fn look(moves: usize, watch: &mut Watch) -> Result<(), Fault> {
    let progress =
        Progress { nodes: moves as u64, elapsed: Instant::now().elapsed(), best: 0, bound: i32::MAX };
    if moves.is_multiple_of(256) && watch(progress) { Err(stopped()) } else { Ok(()) }
}
