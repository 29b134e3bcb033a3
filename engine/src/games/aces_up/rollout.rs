//! The policy `rollout`: every option is played on to the end by a simple policy, in so many random orders of
//! the unseen cards, and the one with the best mean is played.
//!
//! Chance, to the bit: each choice between two or more options takes the next number of the game's stream as
//! the seed of a stream of its own. From that the orders are drawn one after the other, each a shuffle of the
//! unseen cards in the order of the pack. The Python side plays the same moves.

use std::time::Instant;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::game::WON;
use super::lists::RuleList;
use super::play;
use super::quick::{NONE, Opening, Record, Slim, Table};
use super::rules::Rules;
use super::table::{AcesUp, Move};
use super::weights::{self, Full, Weights, options};
use crate::Fault;
use crate::cards::PACK;
use crate::games::Tally;
use crate::games::policies::MOST_MOVES;
use crate::rng::Decks;
use crate::search::{Game, Progress, Watch};

/// Orders between two looks at whoever may stop it.
pub(super) const ORDERS: u64 = 128;

/// The list that wins most often: by it games are played to their end.
pub(super) const BASE: &str = "10,100,4,200";

/// How `rollout` plays.
#[derive(Clone, PartialEq, Debug)]
pub struct Rollout {
    /// Orders of the unseen cards.
    pub(super) samples: u64,
    /// What a win counts beside its score.
    pub(super) bonus: u64,
    pub(super) base: Base,
}

/// How games are played to their end.
#[derive(Clone, PartialEq, Debug)]
pub enum Base {
    List(RuleList),
    Weights(Weights),
}

/// A way of playing a quick game to its end.
trait Finish: Sync {
    type Kept: Record + Send + Sync;

    /// Plays on: the score at the end.
    fn finish<const P: usize>(
        &self,
        table: &mut Table<Self::Kept, P>,
        rules: &Rules,
        cell: u8,
        stock: &[u8],
    ) -> i32;
}

impl Finish for RuleList {
    type Kept = Slim;

    fn finish<const P: usize>(
        &self,
        table: &mut Table<Slim, P>,
        rules: &Rules,
        cell: u8,
        stock: &[u8],
    ) -> i32 {
        play::play_on(table, rules, self, stock, &mut ());
        PACK as i32 - table.len() as i32 - i32::from(cell != NONE)
    }
}

impl Finish for Weights {
    type Kept = Full;

    fn finish<const P: usize>(
        &self,
        table: &mut Table<Full, P>,
        rules: &Rules,
        cell: u8,
        stock: &[u8],
    ) -> i32 {
        weights::play_on(table, rules, self, cell, stock, &mut ())
    }
}

/// Plays each of some moves, and on to the end, with the stock in this order: the scores.
type PlayEach<'a> = Box<dyn Fn(&[u8], &mut [i32]) + Send + Sync + 'a>;

/// The moves from a position, each played as far as nothing hidden matters.
fn quickly<'a, F: Finish, const P: usize>(game: &'a AcesUp, moves: &[Move], base: &'a F) -> PlayEach<'a> {
    let branch = |&m: &Move| {
        let mut after = game.clone();
        if m == Move::Deal {
            // What might be discarded stays under the cards of a deal.
            let opening = Opening::of(&after);
            return (Table::<F::Kept, P>::stacked(&opening), opening.cell, true);
        }
        after.make(m);
        let opening = Opening::of(&after);
        (Table::laid(&opening), opening.cell, false)
    };
    let branches: Vec<_> = moves.iter().map(branch).collect();
    Box::new(move |stock, scores| {
        for (&(mut table, cell, is_deal), score) in branches.iter().zip(scores) {
            if is_deal {
                table.deal(&game.rules, stock);
            }
            *score = base.finish(&mut table, &game.rules, cell, stock);
        }
    })
}

/// The same by weights where each discard is a move.
fn slowly<'a>(game: &'a AcesUp, moves: &[Move], base: &'a Weights) -> PlayEach<'a> {
    let moves = moves.to_vec();
    Box::new(move |stock, scores| {
        let laid = game.with_stock(stock);
        for (&m, score) in moves.iter().zip(scores) {
            let mut game = laid.clone();
            game.make(m);
            weights::play_slowly(&mut game, base, &mut ());
            *score = game.score();
        }
    })
}

/// What a player sees who weighs moves in a position. The order of the stock plays no part in it.
struct Seen<'a> {
    play_each: PlayEach<'a>,
    moves: usize,
    /// The cards of the stock in the order of the pack.
    unseen: Vec<u8>,
}

impl<'a> Seen<'a> {
    fn of(game: &'a AcesUp, moves: &[Move], base: &'a Base) -> Seen<'a> {
        let play_each = match (base, game.rules.piles) {
            (Base::List(list), 4) => quickly::<_, 4>(game, moves, list),
            (Base::List(list), _) => quickly::<_, 5>(game, moves, list),
            (Base::Weights(weights), _) if game.rules.optional_discards => slowly(game, moves, weights),
            (Base::Weights(weights), 4) => quickly::<_, 4>(game, moves, weights),
            (Base::Weights(weights), _) => quickly::<_, 5>(game, moves, weights),
        };
        Seen { play_each, moves: moves.len(), unseen: Opening::of(game).unseen() }
    }

    /// How many orders are played: where at most one card is unseen there is but one.
    fn orders(&self, samples: u64) -> u64 {
        if self.unseen.len() > 1 { samples } else { 1 }
    }

    /// Another order of the unseen cards, each as likely as every other.
    fn order(&self, luck: &mut Decks) -> Vec<u8> {
        let mut order = self.unseen.clone();
        luck.shuffle(&mut order);
        order
    }

    /// Plays every move on in the same orders, over the threads of the pool.
    fn playouts(&self, samples: u64, luck: &mut Decks, pool: &ThreadPool, watch: &mut Watch) -> Vec<Tally> {
        let begun = Instant::now();
        let mut tallies = vec![Tally::default(); self.moves];
        let mut left = self.orders(samples);
        while left > 0 && !is_stopped(begun, watch) {
            let orders: Vec<Vec<u8>> = (0..left.min(ORDERS)).map(|_| self.order(luck)).collect();
            left -= orders.len() as u64;
            let played = orders.par_iter().map(|order| {
                let mut scores = vec![0; self.moves];
                (self.play_each)(order, &mut scores);
                scores
            });
            for scores in pool.install(|| played.collect::<Vec<_>>()) {
                tallies.iter_mut().zip(scores).for_each(|(tally, score)| tally.count(score, score >= WON));
            }
        }
        tallies
    }
}

/// Whether whoever watches wants no more of it.
pub(super) fn is_stopped(begun: Instant, watch: &mut Watch) -> bool {
    watch(Progress { nodes: 0, elapsed: begun.elapsed(), best: 0, bound: WON })
}

/// Weighs moves by playing on from them with the list that does best.
pub(super) fn playouts(
    game: &AcesUp,
    moves: &[Move],
    samples: u64,
    luck: &mut Decks,
    pool: &ThreadPool,
    watch: &mut Watch,
) -> Result<Vec<Tally>, Fault> {
    let base = Base::List(RuleList::parse(BASE)?.under(&game.rules)?);
    Ok(Seen::of(game, moves, &base).playouts(samples, luck, pool, watch))
}

impl Rollout {
    /// Plays on to the end, or to a win; the line is cut short if the watch says so.
    pub(super) fn line(&self, start: &AcesUp, luck: &mut Decks, watch: &mut Watch) -> Vec<Move> {
        let (begun, mut game, mut line) = (Instant::now(), start.clone(), Vec::new());
        while line.len() < MOST_MOVES && !game.is_won() && !is_stopped(begun, watch) {
            let options = options(&game);
            let m = match options[..] {
                [] => break,
                [only] => only,
                _ => match self.choose(&game, &options, &mut Decks::new(luck.bits()), begun, watch) {
                    Some(m) => m,
                    None => break,
                },
            };
            game.make(m);
            line.push(m);
        }
        line
    }

    /// The option with the largest sum, the first of equals; nothing if the watch says so.
    fn choose(
        &self,
        game: &AcesUp,
        options: &[Move],
        luck: &mut Decks,
        begun: Instant,
        watch: &mut Watch,
    ) -> Option<Move> {
        let seen = Seen::of(game, options, &self.base);
        let (mut sums, mut scores) = (vec![0; options.len()], vec![0; options.len()]);
        for number in 1..=seen.orders(self.samples) {
            // Whole games are what threads are for, so this one is played by one.
            (seen.play_each)(&seen.order(luck), &mut scores);
            for (sum, &score) in sums.iter_mut().zip(&scores) {
                *sum += score as u64 + if score >= WON { self.bonus } else { 0 };
            }
            if number % ORDERS == 0 && is_stopped(begun, watch) {
                return None;
            }
        }
        // Of equals the last is found, so they are gone through backwards.
        (0..options.len()).rev().max_by_key(|&place| sums[place]).map(|place| options[place])
    }
}
