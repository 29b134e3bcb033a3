//! The policy `rollout:K`: for every move, K samples of the unseen cards are played on by `greedy`; the move with the
//! most wins is played. docs/simulate.md defines it move by move, with every random number drawn; the Python side plays
//! the same moves.

use std::collections::HashSet;
use std::time::Instant;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::rules::Rules;
use super::table::{Agnes, Move, NONE, bit, each};
use crate::games::Tally;
use crate::games::policies::MOST_MOVES;
use crate::rng::Decks;
use crate::search::{Game, Progress, Watch};

/// Samples between two checks of the watch.
const FILLS: u64 = 128;

/// The view of a player. It holds no hidden face.
pub(super) struct Seen {
    rules: Rules,
    base: u8,
    up: u64,
    /// The cards from the bottom up, with the number of face-down cards, whose faces change with each sample.
    piles: Vec<(Vec<u8>, usize)>,
    /// The cards of the stock, whose faces change with each sample.
    stock: Vec<u8>,
    /// The cards that lie face down or in the stock, in the order of the deck.
    unseen: Vec<u8>,
}

impl Seen {
    pub(super) fn of(game: &Agnes) -> Seen {
        let pile = |pile| {
            let mut cards: Vec<u8> = game.pile(pile).collect();
            cards.reverse();
            let down = cards.iter().filter(|&&card| game.face_down & bit(card) != 0).count();
            cards[..down].fill(NONE);
            (cards, down)
        };
        let mut unseen: Vec<u8> = each(game.face_down | game.in_stock).collect();
        unseen.sort_unstable_by_key(|&card| game.card_of(card));
        Seen {
            rules: game.rules,
            base: game.base,
            up: game.up,
            piles: (0..game.rules.piles).map(pile).collect(),
            stock: vec![NONE; game.left()],
            unseen,
        }
    }

    /// Returns the position with the unseen cards in this order: pile by pile, each from its bottom, then the stock.
    fn laid(&mut self, order: impl IntoIterator<Item = u8>) -> Agnes {
        let down = self.piles.iter_mut().flat_map(|(cards, down)| &mut cards[..*down]);
        down.chain(&mut self.stock).zip(order).for_each(|(place, card)| *place = card);
        Agnes::new(self.rules, self.base, &self.piles, &self.stock, self.up)
    }

    /// Returns some position that looks like this, for what depends on no hidden card.
    fn table(&mut self) -> Agnes {
        let unseen = self.unseen.clone();
        self.laid(unseen)
    }

    /// Returns a random position that looks like this, each equally likely.
    pub(super) fn fill(&mut self, luck: &mut Decks) -> Agnes {
        let order: Vec<u8> =
            luck.deck(self.unseen.len()).into_iter().map(|place| self.unseen[place]).collect();
        self.laid(order)
    }

    /// Returns how many samples are drawn: where at most one card is unseen, one is enough.
    fn fills(&self, samples: u64) -> u64 {
        if self.unseen.len() > 1 { samples } else { 1 }
    }

    /// Plays every move on in the same samples, over the threads of the pool.
    pub(super) fn playouts(
        &mut self,
        moves: &[Move],
        samples: u64,
        luck: &mut Decks,
        pool: &ThreadPool,
        watch: &mut Watch,
    ) -> Vec<Tally> {
        let begun = Instant::now();
        let mut tallies = vec![Tally::default(); moves.len()];
        let mut left = self.fills(samples);
        while left > 0 && !is_stopped(begun, watch) {
            let fills: Vec<Agnes> = (0..left.min(FILLS)).map(|_| self.fill(luck)).collect();
            left -= fills.len() as u64;
            let played = fills.into_par_iter().map(|fill| {
                let mut tallies = vec![Tally::default(); moves.len()];
                play_each(&fill, moves, &mut tallies);
                tallies
            });
            for more in pool.install(|| played.collect::<Vec<_>>()) {
                tallies.iter_mut().zip(more).for_each(|(tally, more)| tally.add(more));
            }
        }
        tallies
    }
}

/// Plays each of the moves, and then `greedy` to the end.
fn play_each(fill: &Agnes, moves: &[Move], tallies: &mut [Tally]) {
    for (&m, tally) in moves.iter().zip(tallies) {
        let mut game = fill.clone();
        game.make(m);
        game.play_on();
        tally.count(game.score(), game.is_won());
    }
}

/// Returns true if the watch stops the game.
pub(super) fn is_stopped(begun: Instant, watch: &mut Watch) -> bool {
    watch(Progress { nodes: 0, elapsed: begun.elapsed(), best: 0, bound: 0 })
}

/// Plays to the end; the line is cut short if the watch stops it.
pub(super) fn play(start: &Agnes, samples: u64, luck: &mut Decks, watch: &mut Watch) -> Vec<Move> {
    let mut player = Player { samples, luck, tables: HashSet::new(), begun: Instant::now() };
    let (mut game, mut line) = (start.clone(), Vec::new());
    while line.len() < MOST_MOVES && !game.is_won() && !is_stopped(player.begun, watch) {
        let Some(m) = player.choose(&mut Seen::of(&game), watch) else { break };
        game.make(m);
        line.push(m);
    }
    line
}

/// The player of one game.
struct Player<'a> {
    samples: u64,
    luck: &'a mut Decks,
    /// The looks of the table before each move.
    tables: HashSet<Vec<u8>>,
    begun: Instant,
}

impl Player<'_> {
    fn choose(&mut self, seen: &mut Seen, watch: &mut Watch) -> Option<Move> {
        let table = seen.table();
        self.tables.insert(table.look());
        if let Some(safe) = table.safe_up() {
            return Some(safe);
        }
        let mut options = table.options();
        options.retain(|&m| !self.leads_back(&table, m));
        match options[..] {
            [] => return None,
            [only @ (Move::ToFoundation { .. } | Move::Deal)] => return Some(only),
            _ => {}
        }
        let mut tallies = vec![Tally::default(); options.len()];
        for number in 0..seen.fills(self.samples) {
            // The threads of the pool play whole games, so this one plays alone.
            play_each(&seen.fill(self.luck), &options, &mut tallies);
            if number % FILLS == FILLS - 1 && is_stopped(self.begun, watch) {
                return None;
            }
        }
        if tallies.iter().all(|tally| tally.most <= table.score()) {
            // No sample scores more than the table; new cards may help, and moving back and forth does not.
            return options.contains(&Move::Deal).then_some(Move::Deal);
        }
        let liked = table.greedy();
        let rank = |&place: &usize| {
            let Tally { wins, score, .. } = tallies[place];
            (wins, score, Some(options[place]) == liked)
        };
        // `max_by_key` returns the last of equals, so the moves are reversed to get the first.
        (0..options.len()).rev().max_by_key(rank).map(|place| options[place])
    }

    /// Returns true if a unit that turns no card up goes to a table that was there before in this game.
    fn leads_back(&self, table: &Agnes, m: Move) -> bool {
        let Move::ToPile { head, .. } = m else { return false };
        if table.face_down & bit(table.under[head as usize]) != 0 {
            return false;
        }
        let mut after = table.clone();
        after.make(m);
        self.tables.contains(&after.look())
    }
}

impl Agnes {
    /// Returns the first card that may go up at once without losing any line of play: see `forced_up`.
    fn safe_up(&self) -> Option<Move> {
        let is_certain = self.masks.cuts != 0 || self.left() == 0;
        if is_certain { self.first_up(self.wanted() & self.near()) } else { None }
    }

    /// Returns the moves that differ: a whole pile does not go to an empty one, and of several empty piles only the
    /// first is a target.
    fn options(&self) -> Vec<Move> {
        let first = self.top[..self.rules.piles].iter().position(|&top| top == NONE);
        let mut moves = Vec::new();
        self.push_moves(&mut moves);
        moves.retain(|&m| match m {
            Move::ToPile { target, head, .. } if self.top[target as usize] == NONE => {
                Some(target as usize) == first && self.under[head as usize] != NONE
            }
            _ => true,
        });
        moves
    }

    /// Returns the look of the table: the piles, and the size of the stock. The rest follows from these.
    pub(super) fn look(&self) -> Vec<u8> {
        let mut look = vec![self.left() as u8];
        for pile in 0..self.rules.piles {
            look.extend(
                self.pile(pile).map(|card| if self.face_down & bit(card) != 0 { NONE } else { card }),
            );
            // A separator: it is no card, and not the mark of a face-down one.
            look.push(NONE + 1);
        }
        look
    }
}
