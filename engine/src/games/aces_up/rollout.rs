//! The policy `rollout`: a simple policy plays every option to the end, in a number of random orders of the unseen
//! cards, and the option with the best mean is played.
//!
//! The random numbers are specified exactly: each choice between two or more options takes the next number of the
//! game's stream as the seed of a stream of its own. From that the orders are drawn one after the other, each a shuffle
//! of the unseen cards in the order of the deck. The Python side plays the same moves.

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

/// Orders between two checks of the watch.
pub(super) const ORDERS: u64 = 128;

/// The list that wins most often: it plays the games to their end.
pub(super) const BASE: &str = "10,100,4,200";

/// The settings of `rollout`.
#[derive(Clone, PartialEq, Debug)]
pub struct Rollout {
    /// Orders of the unseen cards.
    pub(super) samples: u64,
    /// The bonus for a win, added to its score.
    pub(super) bonus: u64,
    pub(super) base: Base,
}

/// The policy that plays the games to their end.
#[derive(Clone, PartialEq, Debug)]
pub enum Base {
    List(RuleList),
    Weights(Weights),
}

/// A policy that plays a quick game to its end.
trait Finish: Sync {
    type Kept: Record + Send + Sync;

    /// Plays to the end; returns the score.
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

/// Plays each of some moves, and on to the end, with the stock in this order; writes the scores.
type PlayEach<'a> = Box<dyn Fn(&[u8], &mut [i32]) + Send + Sync + 'a>;

/// Returns a function that plays the moves. Each is made once beforehand, as far as nothing hidden matters.
fn quickly<'a, F: Finish, const P: usize>(game: &'a AcesUp, moves: &[Move], base: &'a F) -> PlayEach<'a> {
    let branch = |&m: &Move| {
        let mut after = game.clone();
        if m == Move::Deal {
            // Cards that could be discarded stay under the cards of a deal.
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

/// Returns a function that plays the moves by weights where each discard is a move.
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

/// The view of a player who evaluates moves. It does not contain the order of the stock.
struct Seen<'a> {
    play_each: PlayEach<'a>,
    moves: usize,
    /// The cards of the stock in the order of the deck.
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

    /// Returns how many orders are played: where at most one card is unseen, one is enough.
    fn orders(&self, samples: u64) -> u64 {
        if self.unseen.len() > 1 { samples } else { 1 }
    }

    /// Returns a random order of the unseen cards, each equally likely.
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

/// Returns true if the watch stops the game.
pub(super) fn is_stopped(begun: Instant, watch: &mut Watch) -> bool {
    watch(Progress { nodes: 0, elapsed: begun.elapsed(), best: 0, bound: WON })
}

/// Evaluates moves by playouts with the list that wins most often.
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
    /// Plays to the end, or to a win; the line is cut short if the watch stops it.
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

    /// Returns the option with the largest sum, the first of equals; `None` if the watch stops the search.
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
            // Threads play whole games, so this one is played by one thread.
            (seen.play_each)(&seen.order(luck), &mut scores);
            for (sum, &score) in sums.iter_mut().zip(&scores) {
                *sum += score as u64 + if score >= WON { self.bonus } else { 0 };
            }
            if number % ORDERS == 0 && is_stopped(begun, watch) {
                return None;
            }
        }
        // `max_by_key` returns the last of equals, so the options are reversed to get the first.
        (0..options.len()).rev().max_by_key(|&place| sums[place]).map(|place| options[place])
    }
}
