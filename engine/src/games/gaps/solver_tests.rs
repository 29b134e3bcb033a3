//! The search of a phase against a deliberately simple search.

use std::collections::{HashMap, HashSet};

use super::board::{Board, Step, Vector, WON};
use super::peaks::Peaks;
use super::phase::{Answer, Question, search};
use super::shapes::shape_of;
use super::switches::Switches;
use super::table::{Gaps, Move};
use super::table_tests::{VARIANTS, rules, variant};
use super::values::Values;
use super::values::tests::table;
use super::walk::{Aim, Worth};
use crate::games::Playable;
use crate::rng::{Decks, mix};
use crate::search::{Game, Limits, Status};

/// A question with default answers.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub aim: Aim,
    pub gather: Option<bool>,
    pub switches: Switches,
    pub limits: Limits,
    pub threads: usize,
}

impl Default for Asked {
    fn default() -> Asked {
        let limits = Limits { memory: 100_000_000, ..Limits::default() };
        Asked { aim: Aim::Decide, gather: None, switches: Switches::ALL, limits, threads: 1 }
    }
}

/// Returns a deal of one phase.
pub(super) fn deal(seed: u64) -> Board {
    Gaps::deal(&rules("redeals=0"), &mut Decks::new(seed)).board
}

/// Searches, and plays the lines that were found.
pub(super) fn ask(game: &Gaps, asked: &Asked) -> Answer {
    let Asked { aim, gather, switches, limits, threads } = *asked;
    let question = Question { aim, worth: None, gather, switches, limits, threads };
    let answer = search(&game.board, &question, &mut |_| false);
    let check = |line: &[Step]| {
        let mut played = game.last_phase();
        for &step in line {
            let mut legal = Vec::new();
            played.moves(&mut legal);
            assert!(legal.contains(&Move::ToGap(step)), "{step:?} is not legal in\n{}", played.text());
            played.apply(Move::ToGap(step));
        }
        played
    };
    let played = check(&answer.line);
    assert_eq!(played.score() as u32, answer.score);
    assert_eq!(played.is_won(), answer.status == Status::Solved);
    assert!(answer.score <= answer.bound);
    for (vector, line) in answer.ends.clone().unwrap_or_default().sorted() {
        assert_eq!(check(&line).board.vector(), vector);
    }
    answer
}

/// Returns the position after moves given as text.
pub(super) fn play(game: &Gaps, tokens: &[&str]) -> Gaps {
    let mut game = game.clone();
    for token in tokens {
        let m = game.parse_token(token).unwrap_or_else(|reason| panic!("{token}: {reason}\n{}", game.text()));
        game.apply(m);
    }
    game
}

/// Everything that can be reached, by breadth-first search without pruning or eviction.
pub(super) struct Plain {
    pub positions: u64,
    best: u32,
    pub most_moves: usize,
    /// Each end with the length of the shortest line.
    ends: HashMap<Vector, usize>,
    all: HashMap<Vector, usize>,
}

/// Returns the result of the simple search; `None` if there are more positions than `most`.
pub(super) fn plain(start: &Gaps, most: usize) -> Option<Plain> {
    let mut found = Plain { positions: 0, best: 0, most_moves: 0, ends: HashMap::new(), all: HashMap::new() };
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let cells = |game: &Gaps| -> Vec<u8> { (0..52).map(|cell| game.board.card(cell)).collect() };
    let start = start.last_phase();
    let mut layer = vec![start.clone()];
    seen.insert(cells(&start));
    for depth in 0.. {
        let mut next = Vec::new();
        for game in layer {
            found.positions += 1;
            found.best = found.best.max(game.score() as u32);
            let mut moves = Vec::new();
            game.moves(&mut moves);
            found.most_moves = found.most_moves.max(moves.len());
            let vector = game.board.vector();
            found.all.entry(vector).or_insert(depth);
            if moves.is_empty() {
                found.ends.entry(vector).or_insert(depth);
            }
            for m in moves {
                let mut child = game.clone();
                child.apply(m);
                if seen.insert(cells(&child)) {
                    next.push(child);
                }
            }
        }
        if seen.len() > most {
            return None;
        }
        if next.is_empty() {
            return Some(found);
        }
        layer = next;
    }
    None
}

/// Returns a late position: moves taken back from a won one, and with every other seed some cards swapped.
fn late(name: &str, seed: u64) -> Gaps {
    let rules = variant(name);
    let mut luck = Decks::new(seed.wrapping_mul(77) + 5);
    let suits = rules.fixed_suits.unwrap_or([0, 1, 2, 3]);
    let mut cards = [0; 52];
    for row in 0..4 {
        for column in 0..12 {
            cards[4 * column + row] = (4 * (column + 1)) as u8 + suits[row];
        }
    }
    for _ in 0..3 + luck.below(18) {
        let came = (0..52).filter(|&cell| {
            let card = cards[cell];
            card != 0 && if cell < 4 { card < 8 } else { cards[cell - 4] + 4 == card && card >= 8 }
        });
        let came: Vec<usize> = came.collect();
        let gaps: Vec<usize> = (0..52).filter(|&cell| cards[cell] == 0).collect();
        if came.is_empty() {
            break;
        }
        let from = came[luck.below(came.len() as u64) as usize];
        cards.swap(from, gaps[luck.below(4) as usize]);
    }
    for _ in 0..seed % 2 * luck.below(6) {
        let (one, other) = (luck.below(52) as usize, luck.below(52) as usize);
        cards.swap(one, other);
    }
    Gaps::new(rules, Board::new(&rules, cards), rules.redeals, Vec::new())
}

/// Returns each technique alone, all but each, all and none.
fn every_switch() -> Vec<(String, Switches)> {
    let mut sets = vec![("all".to_string(), Switches::ALL), ("none".to_string(), Switches::NONE)];
    for name in Switches::NAMES {
        let mut only = Switches::NONE;
        only.set(name, true).expect("a technique");
        sets.push((format!("only {name}"), only));
        if name != "table" {
            sets.push((format!("without {name}"), Switches::without(&[name]).expect("a technique")));
        }
    }
    sets
}

/// Checks one position: every set of techniques against the simple search.
fn check(name: &str, seed: u64, switches: &[(String, Switches)], threads: usize) -> Option<bool> {
    let game = late(name, seed);
    let expected = plain(&game, 3000)?;
    for (text, switches) in switches {
        let text = || format!("{name}, seed {seed}, {text}:\n{}", game.text());
        // Threads take all the memory at once; these positions need little.
        let limits = Limits { memory: 2_000_000, ..Limits::default() };
        let asked = Asked { switches: *switches, threads, limits, ..Asked::default() };
        let decided = ask(&game, &asked);
        assert_eq!(decided.status == Status::Solved, expected.best == 48, "{}", text());
        assert!(decided.status.is_decided() && decided.bound >= expected.best, "{}", text());
        let most = ask(&game, &Asked { aim: Aim::Maximize, ..asked });
        assert_eq!(
            (most.score, most.score_proved, most.bound),
            (expected.best, true, expected.best),
            "{}",
            text()
        );
        for of_all_positions in [false, true] {
            let aim = Aim::Ends { of_all_positions };
            let gather = Some(of_all_positions);
            let found = ask(&game, &Asked { aim, gather, ..asked });
            let vectors = if of_all_positions { &expected.all } else { &expected.ends };
            let ends = found.ends.expect("they were asked for").sorted();
            if expected.best < 48 {
                assert!(found.is_complete);
                assert_eq!(ends.len(), vectors.len(), "{}", text());
            }
            for (vector, line) in ends {
                assert!(line.len() >= vectors[&vector], "{}", text());
            }
        }
    }
    if expected.best < 48 {
        let question = Asked { switches: Switches::NONE, ..Asked::default() };
        let nodes = ask(&game, &question).stats.nodes;
        assert_eq!(nodes, expected.positions, "{name}, seed {seed}:\n{}", game.text());
    }
    Some(expected.best == 48)
}

/// Checks that the most valuable end is found among fewer positions, whatever the values are.
fn check_best(name: &str, seed: u64) -> Option<(u64, u64)> {
    let game = late(name, seed);
    // A win would end both.
    plain(&game, 3000).filter(|found| found.best < WON)?;
    let bytes = table(1, |place| (mix(seed ^ mix(place as u64 / 9)) % 1000) as f32 / 1000.0);
    let values = Values::from_bytes(&bytes).expect("it is a table");
    let peaks = Peaks::new(&values, 1);
    let (aim, gather) = (Aim::Ends { of_all_positions: false }, Some(false));
    let Asked { switches, limits, threads, .. } = Asked::default();
    let all = Question { aim, worth: None, gather, switches, limits, threads };
    let worth = Some(Worth { values: &values, peaks: &peaks, found: 0.0 });
    let [(all, nodes), (best, fewer)] = [all, Question { worth, ..all }].map(|question| {
        let found = search(&game.board, &question, &mut |_| false);
        let ends = found.ends.expect("they were asked for");
        let greatest = ends.iter().map(|(vector, _)| values.of(1, shape_of(vector))).fold(0.0, f32::max);
        (greatest, found.stats.nodes)
    });
    assert_eq!(all, best, "{name}, seed {seed}:\n{}", game.text());
    Some((nodes, fewer))
}

#[test]
fn the_end_that_is_worth_most_is_found() {
    let counts: Vec<(u64, u64)> = (0..400).filter_map(|seed| check_best("addiction", seed)).collect();
    let (nodes, fewer) = counts.iter().fold((0, 0), |(all, cut), (nodes, fewer)| (all + nodes, cut + fewer));
    assert!(counts.len() > 100 && fewer < nodes, "{fewer} of {nodes} in {}", counts.len());
}

fn check_many(seeds: std::ops::Range<u64>, switches: &[(String, Switches)], threads: usize) {
    for (name, _) in VARIANTS {
        let verdicts: Vec<bool> =
            seeds.clone().filter_map(|seed| check(name, seed, switches, threads)).collect();
        let won = verdicts.iter().filter(|&&is_won| is_won).count();
        assert!(verdicts.len() as u64 * 4 > seeds.end - seeds.start, "{name}: {} were small", verdicts.len());
        assert!(won > 0 && won < verdicts.len(), "{name}: {won} of {}", verdicts.len());
    }
}

#[test]
fn every_technique_keeps_verdict_score_and_ends() {
    check_many(0..12, &every_switch(), 1);
    check_many(100..140, &every_switch()[..1], 1);
}

#[test]
fn threads_come_to_the_same_answers() {
    check_many(200..212, &every_switch()[..1], 3);
}

#[test]
#[ignore = "minutes"]
fn every_technique_keeps_verdict_score_and_ends_in_many_positions() {
    check_many(1000..1150, &every_switch(), 1);
    check_many(2000..3000, &every_switch()[..1], 1);
    check_many(4000..4200, &every_switch()[..1], 3);
}

/// `ask` plays the lines that are found for whole deals.
#[test]
fn lines_of_whole_deals_can_be_played() {
    for (name, fields) in VARIANTS {
        let mut won = 0;
        for seed in 0..8 {
            let game = Gaps::deal(&rules(fields), &mut Decks::new(seed));
            let limits = Limits { nodes: Some(100_000), ..Limits::default() };
            let found = ask(&game, &Asked { limits, gather: Some(false), ..Asked::default() });
            won += u32::from(found.status == Status::Solved);
            assert!(found.status != Status::NodeLimit || found.stats.nodes == 100_000);
        }
        assert!(won > 0, "{name}");
    }
}

#[test]
fn limits_are_kept_and_are_no_verdict() {
    let game = Gaps::deal(&rules("redeals=0"), &mut Decks::new(5));
    for nodes in [0, 1, 2, 1000, 3500] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let found = ask(&game, &Asked { limits, switches: Switches::NONE, ..Asked::default() });
        assert_eq!((found.status, found.stats.nodes), (Status::NodeLimit, nodes));
    }
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    assert_eq!(ask(&game, &Asked { limits, ..Asked::default() }).status, Status::TimeLimit);
    let limits = Limits { memory: 1000, ..Limits::default() };
    assert_eq!(ask(&game, &Asked { limits, ..Asked::default() }).status, Status::MemoryLimit);
    let Asked { aim, gather, switches, limits, threads } = Asked::default();
    let question = Question { aim, worth: None, gather, switches, limits, threads };
    assert_eq!(search(&game.board, &question, &mut |_| true).status, Status::Cancelled);
}
