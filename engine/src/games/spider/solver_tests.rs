//! The searches of Spider against deliberately simple rules.

use std::collections::HashSet;

use super::moves::Move;
use super::plain::{Plain, random_deck, rules};
use super::rules::Rules;
use super::table::{Table, number};
use super::table_tests::table_of;
use crate::games::Playable;
use crate::search::{Game, Limits, Outcome, Status, Task, search};

/// Searches by the general search, and plays the line that was found.
fn solve(table: &Table, maximize: bool, prune: bool) -> Outcome<Move> {
    let task = Task { limits: Limits::default(), maximize, prune };
    let found = search(&mut table.clone(), &task, &mut |_| false);
    let mut played = table.clone();
    for &m in &found.moves {
        assert!(played.is_legal(m), "{m:?} is not legal in\n{}", played.text());
        played.apply(m);
    }
    assert_eq!(played.score(), found.score);
    assert_eq!(played.is_won(), found.status == Status::Solved);
    found
}

/// Suits, runs, ranks, piles and cards on the table; some without a bank, some with several rows.
pub const SIZES: [[&str; 5]; 13] = [
    ["1", "2", "3", "2", "4"],
    ["1", "2", "4", "3", "5"],
    ["1", "3", "3", "3", "6"],
    ["2", "2", "3", "2", "4"],
    ["2", "2", "4", "2", "8"],
    ["2", "2", "4", "3", "5"],
    ["2", "2", "5", "4", "6"],
    ["2", "4", "2", "3", "5"],
    ["4", "4", "2", "2", "4"],
    ["4", "4", "2", "3", "5"],
    ["4", "4", "2", "3", "8"],
    ["4", "4", "3", "4", "8"],
    ["4", "4", "3", "3", "12"],
];

pub fn sized([suits, runs, ranks, piles, table]: [&str; 5], deal_on_empty: &str) -> Rules {
    rules(&[
        ("suits", suits),
        ("runs", runs),
        ("ranks", ranks),
        ("piles", piles),
        ("table", table),
        ("deal_on_empty", deal_on_empty),
    ])
}

/// Checks verdicts and best scores of some decks; returns how many were won, lost and too large.
fn check_many(seeds: std::ops::Range<u64>, most: usize) -> [u32; 3] {
    let mut counts = [0; 3];
    for (size, flag) in SIZES.into_iter().flat_map(|size| [(size, "yes"), (size, "no")]) {
        let rules = sized(size, flag);
        for seed in seeds.clone() {
            let deck = random_deck(&rules, seed);
            let Some((is_won, best, proved)) = Plain::deal(&rules, &deck).best(&rules, most) else {
                counts[2] += 1;
                continue;
            };
            counts[usize::from(is_won)] += 1;
            let table = table_of(&rules, &deck);
            let what = || format!("{rules:?} seed {seed}\n{}", table.text());
            let verdict = if is_won { Status::Solved } else { Status::Unsolvable };
            for prune in [true, false] {
                assert_eq!(solve(&table, false, prune).status, verdict, "{}", what());
                let found = solve(&table, true, prune);
                let told = (found.status, found.score, found.score_proved);
                assert_eq!(told, (verdict, best, proved), "{}", what());
            }
        }
    }
    counts
}

#[test]
fn verdicts_and_best_scores_with_and_without_pruning() {
    let [lost, won, large] = check_many(0..15, 20_000);
    assert!(lost > 100 && won > 100 && large * 5 < lost + won, "{lost} lost, {won} won, {large} too large");
}

#[test]
#[ignore = "minutes"]
fn verdicts_and_best_scores_of_many_decks() {
    let [lost, won, large] = check_many(1000..1200, 100_000);
    assert!(lost > 500 && won > 500 && large * 5 < lost + won, "{lost} lost, {won} won, {large} too large");
}

/// Returns the keys of all reachable positions, wins or not, and how many moves were tried.
fn reach(start: &Table, list: impl Fn(&Table, &mut Vec<Move>)) -> (HashSet<u128>, usize) {
    let mut keys = HashSet::from([start.key().into()]);
    let (mut waiting, mut tried) = (vec![start.clone()], 0);
    while let Some(table) = waiting.pop() {
        let mut moves = Vec::new();
        list(&table, &mut moves);
        tried += moves.len();
        for m in moves {
            let mut after = table.clone();
            after.apply(m);
            if keys.insert(after.key().into()) {
                waiting.push(after);
            }
        }
    }
    (keys, tried)
}

/// Pruned moves lead to known positions: the same positions are reached without them.
#[test]
fn pruning_misses_no_position() {
    let mut left_out = 0;
    for (size, seed) in SIZES.into_iter().flat_map(|size| (0..20).map(move |seed| (size, seed))) {
        let rules = sized(size, if seed % 2 == 0 { "yes" } else { "no" });
        let table = table_of(&rules, &random_deck(&rules, seed));
        let (all, tried) = reach(&table, Table::push_moves);
        let (pruned, tried_then) = reach(&table, Game::branches);
        assert_eq!(pruned, all, "{}", table.text());
        left_out += tried - tried_then;
    }
    assert!(left_out > 1000, "{left_out} moves");
}

#[test]
fn a_strict_solution_is_one_of_the_loose_game_too() {
    let (mut lines, mut rows) = (0, 0);
    for (size, seed) in SIZES.into_iter().flat_map(|size| (100..140).map(move |seed| (size, seed))) {
        let (strict, loose) = (sized(size, "no"), sized(size, "yes"));
        let deck = random_deck(&strict, seed);
        let found = solve(&table_of(&strict, &deck), false, true);
        let mut table = table_of(&loose, &deck);
        for &m in &found.moves {
            assert!(table.is_legal(m));
            table.apply(m);
            rows += u32::from(m == Move::Row);
        }
        assert_eq!(table.is_won(), found.status == Status::Solved);
        lines += u32::from(table.is_won());
    }
    assert!(lines > 100 && rows > 100, "{lines} lines, {rows} rows");
}

/// A search for any win has not proved that no win has fewer moves.
#[test]
fn a_win_proves_no_score() {
    let rules = sized(["1", "2", "3", "2", "4"], "yes");
    let won = (0..50).map(|seed| table_of(&rules, &random_deck(&rules, seed)));
    let won: Vec<Table> = won.filter(|table| solve(table, false, true).status == Status::Solved).collect();
    assert!(won.len() > 5, "{} deals", won.len());
    for table in won {
        let (decided, best) = (solve(&table, false, true), solve(&table, true, true));
        assert!(!decided.score_proved);
        assert!(best.score >= decided.score);
        assert_eq!(best.score, rules.most_sun() - best.moves.len() as i32);
    }
}

#[test]
fn a_limit_is_never_a_no() {
    let rules = rules(&[]);
    let table = table_of(&rules, &random_deck(&rules, 1));
    for maximize in [false, true] {
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        let task = Task { limits, maximize, prune: true };
        let found = search(&mut table.clone(), &task, &mut |_| false);
        assert_eq!((found.status, found.score_proved, found.stats.nodes), (Status::NodeLimit, false, 500));
        let limits = Limits { memory: 1 << 20, ..Limits::default() };
        let task = Task { limits, maximize: true, prune: true };
        let found = search(&mut table.clone(), &task, &mut |_| false);
        assert_eq!((found.status, found.score_proved), (Status::MemoryLimit, false));
        assert!(found.score >= 0 && found.score == table_after(&table, &found.moves).score());
    }
}

/// Proofs without a result, twice as large each time, once exceeded the range of their number.
#[test]
fn with_no_memory_at_all_the_limit_that_is_hit_first_is_named() {
    let rules = rules(&[]);
    let table = table_of(&rules, &random_deck(&rules, 1));
    for (nodes, status) in
        [(Some(10), Status::NodeLimit), (Some(60_000), Status::MemoryLimit), (None, Status::MemoryLimit)]
    {
        let limits = Limits { nodes, memory: 0, ..Limits::default() };
        let found = table.win(&Task { limits, maximize: false, prune: true }, &mut |_| false);
        assert_eq!(found.status, status, "{nodes:?}");
    }
}

fn table_after(table: &Table, moves: &[Move]) -> Table {
    let mut table = table.clone();
    for &m in moves {
        table.apply(m);
    }
    table
}

/// Five runs that lack their aces, and five empty piles.
#[test]
fn there_is_room_for_all_moves() {
    let run = |pile: u8| ((2..=13).rev().map(|rank| number(pile % 4, rank)).collect(), 0);
    let piles: Vec<(Vec<u8>, usize)> = (0..5).map(run).collect();
    let mut moves = Vec::new();
    let table = Table::new(rules(&[]), &piles, &[number(0, 1); 10], &[], 0);
    table.push_moves(&mut moves);
    assert_eq!(moves.len(), 5 * 5 * 12 + 1);
    assert!(moves.len() <= table.most_moves());
}
