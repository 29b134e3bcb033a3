//! Agnes Sorel's policies play the games of the Python side, and look at no hidden card. A law of the Python tests
//! checks that both sides play alike in all variants.

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::plain::{random_deck, rules, slugs};
use super::rollout::Seen;
use super::table::{Agnes, Move};
use crate::games::{self, Game as Played, Playable, Playouts, PlaysPolicies, Start};
use crate::rng::Decks;
use crate::search::Game;

fn dealt(slug: &str, seed: u64) -> Agnes {
    Agnes::deal(&rules(slug, 13, 7), &mut Decks::new(seed))
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// Returns the moves of a policy.
fn line(game: &Agnes, policy: &str, luck: u64) -> Vec<Move> {
    let policy = Agnes::policy(&game.rules, policy, None).expect("the engine has it");
    game.play_by(&policy, &mut Decks::new(luck), &mut |_| false).expect("it plays to the end")
}

/// The same numbers are in the Python tests: a changed one changes every published figure.
#[test]
fn the_games_of_greedy() {
    for (slug, scores) in [
        ("up-suit-anyrun", [52, 4, 3, 5, 10, 7, 12, 4, 52, 3, 1, 7, 4, 4, 4, 31, 4, 14, 5, 4]),
        ("up-suit-highrun", [7, 4, 3, 5, 10, 7, 5, 4, 7, 3, 1, 7, 4, 4, 4, 12, 3, 3, 5, 4]),
        ("down-color-none", [7, 4, 3, 5, 10, 13, 5, 4, 7, 3, 1, 7, 4, 4, 4, 12, 3, 8, 5, 9]),
        ("down-color-anyrun-nosplit", [8, 4, 3, 5, 10, 12, 6, 4, 52, 11, 1, 7, 5, 4, 4, 52, 3, 52, 6, 6]),
        ("up-color-any1", [36, 4, 3, 5, 10, 16, 12, 4, 12, 3, 1, 7, 4, 4, 4, 25, 4, 52, 5, 6]),
        ("down-suit-high1", [7, 4, 3, 5, 10, 7, 5, 4, 7, 3, 1, 7, 4, 4, 4, 12, 3, 3, 5, 6]),
    ] {
        for (seed, score) in (0..).zip(scores) {
            let mut game = dealt(slug, seed);
            for m in line(&game.clone(), "greedy", 0) {
                game.apply(m);
            }
            assert_eq!(game.score(), score, "{slug}@{seed}");
        }
    }
}

/// The seed of the random stream is that of the deal's id, as docs/simulate.md derives it.
#[test]
fn the_games_of_rollout() {
    for (slug, luck, expected) in [
        ("up-suit-anyrun", 4_399_266_467_484_341_450, "1-5 6-1 6f 4-6 d 4f 3f 6f d 3f 1f d d"),
        ("down-color-none", 18_065_572_817_535_991_617, "1-5 d 6f 4-3 6-5 6f 3f 3f 4-6 d 3f 1f d 6-4 d"),
        ("up-suit-highrun-nosplit", 13_499_315_934_226_582_582, "1-5 d 6f 4-3 6-5 6f 3f 3f 4-6 d 3f 1f d d"),
    ] {
        let mut game = dealt(slug, 11);
        let mut tokens = Vec::new();
        for m in line(&game.clone(), "rollout:3", luck) {
            tokens.push(game.token(m));
            game.apply(m);
        }
        assert_eq!(tokens.join(" "), expected, "{slug}");
    }
}

/// Two positions that look the same, with other hidden cards, are played the same way until a move shows a difference;
/// and their moves have the same tallies.
#[test]
fn no_hidden_card_is_seen() {
    let (pool, mut differed) = (pool(1), 0);
    for (number, slug) in (0..).zip(slugs()) {
        for seed in 0..3 {
            let (ranks, piles) = if seed == 0 { (13, 7) } else { (7, 5) };
            let rules = rules(&slug, ranks, piles);
            let mut chance = Decks::new(100 * number + seed);
            let mut game = Agnes::dealt(rules, &random_deck(&rules, 10 * number + seed));
            let mut moves = Vec::new();
            for _ in 0..chance.below(8) {
                moves.clear();
                game.moves(&mut moves);
                if !moves.is_empty() {
                    game.apply(moves[chance.below(moves.len() as u64) as usize]);
                }
            }
            let other = Seen::of(&game).fill(&mut chance);
            assert_eq!(game.look(), other.look());
            moves.clear();
            game.moves(&mut moves);
            let tallies = |game: &Agnes| {
                game.playouts(&moves, 3, &mut Decks::new(seed), &pool, &mut |_| false).expect("games")
            };
            assert_eq!(tallies(&game), tallies(&other), "{slug}:\n{}", game.text());
            for policy in ["greedy", "rollout:2"] {
                let (mut game, mut other) = (game.clone(), other.clone());
                let (one, two) = (line(&game, policy, seed), line(&other, policy, seed));
                let mut pairs = (0..).map(|place| (one.get(place), two.get(place)));
                while game.look() == other.look() {
                    let Some(pair) = pairs.next() else { unreachable!("it never ends") };
                    assert_eq!(pair.0, pair.1, "{slug} by {policy}:\n{}\n{}", game.text(), other.text());
                    let (Some(&one), Some(&two)) = pair else { break };
                    game.apply(one);
                    other.apply(two);
                }
                differed += u32::from(game.look() != other.look());
            }
        }
    }
    assert!(differed > 100, "only {differed} pairs came to differ");
}

/// The tallies depend neither on threads nor on how the samples are split: the random stream continues.
#[test]
fn playouts_are_the_same_on_any_number_of_threads_and_in_parts() {
    let game = dealt("up-color-anyrun", 3);
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let play = |samples: &[u64], threads| {
        let pool = pool(threads);
        let mut luck = Decks::new(5);
        let mut tallies = vec![crate::games::Tally::default(); moves.len()];
        for &samples in samples {
            let more = game.playouts(&moves, samples, &mut luck, &pool, &mut |_| false);
            tallies.iter_mut().zip(more.expect("games")).for_each(|(tally, more)| tally.add(more));
        }
        (tallies, luck.state())
    };
    let whole = play(&[300], 1);
    assert_eq!(whole.0.iter().map(|tally| tally.games).collect::<Vec<_>>(), vec![300; moves.len()]);
    assert_eq!(whole, play(&[300], 3));
    assert_eq!(whole, play(&[1, 150, 149], 2));
}

#[test]
fn a_player_can_be_stopped_in_the_middle_of_a_move() {
    let player = |policy: &str| games::player("agnes", Vec::new(), policy, None).expect("the engine has it");
    let rollout = player("rollout:1000000");
    let mut looks = 0;
    let stopped = rollout.play(&Start::Seed(11), 7, &mut |_| {
        looks += 1;
        looks > 3
    });
    assert_eq!(stopped.expect_err("it was stopped").to_string(), "the game was stopped");
    let greedy = player("greedy");
    assert!(greedy.play(&Start::Seed(11), 7, &mut |_| true).is_err());
    let Ok(Played { score, is_won, moves }) = greedy.play(&Start::Seed(11), 7, &mut |_| false) else {
        panic!("nothing stops it");
    };
    assert_eq!((score, is_won, moves.is_empty()), (7, false, false));
}

#[test]
fn a_policy_that_is_none_is_told_with_those_that_are() {
    let fault = |name| Agnes::policy(&rules("up-suit-none", 13, 7), name, None).expect_err(name).to_string();
    assert_eq!(
        fault("value"),
        "the engine has no policy \"value\" of agnes; it has greedy, random, rollout:20"
    );
    for name in ["rollout:0", "rollout:1000001", "rollout:x", "rollout:", "rollout:20;seed=3"] {
        assert!(fault(name).ends_with("expected 1..1000000"), "{name}");
    }
}
