//! Aces Up's search against rules too plain to be wrong.

use super::plain::{Plain, VARIANTS, any_rules, random_deck, rules};
use super::table::{AcesUp, Move, Prunings};
use super::table_tests::game;
use crate::games::Notation;
use crate::search::{Game, Outcome, Status, Task};

/// Searches, and plays the line that was found.
pub(super) fn solve(game: &AcesUp, maximize: bool) -> Outcome<Move> {
    let found = game.search(&Task { maximize, ..Task::default() }, &mut |_| false);
    let mut played = game.clone();
    for &m in &found.moves {
        let mut legal = Vec::new();
        played.moves(&mut legal);
        assert!(legal.contains(&m), "{m:?} is not legal in\n{}", played.text());
        played.apply(m);
    }
    assert_eq!(played.score(), found.score);
    assert_eq!(played.is_won(), found.status == Status::Solved);
    found
}

const NO: Prunings = Prunings {
    alone: false,
    canonical: false,
    free_moves: false,
    loose: false,
    last_rows: false,
    discards: false,
    order: false,
};

fn every_pruning() -> [(&'static str, Prunings); 8] {
    [
        ("all", Prunings::ALL),
        ("alone", Prunings { alone: true, ..NO }),
        ("canonical", Prunings { canonical: true, ..NO }),
        ("free moves", Prunings { free_moves: true, ..NO }),
        ("loose", Prunings { loose: true, ..NO }),
        ("last rows", Prunings { last_rows: true, ..NO }),
        ("discards", Prunings { discards: true, ..NO }),
        ("order", Prunings { order: true, ..NO }),
    ]
}

/// The fast side against the plain one on one small deck: every pruning alone and all together.
fn check(fields: &str, cards: usize, seed: u64, prunings: &[(&str, Prunings)]) -> bool {
    let rules = rules(fields);
    let cards = (0..=cards).rev().find(|&left| rules.leaves(left)).unwrap_or_default();
    let deck = random_deck(cards, seed);
    let Some(best) = Plain::new(&rules, &deck).best(&rules, 20_000) else { return false };
    for (name, prunings) in prunings {
        let game = game(fields, &deck).with(*prunings);
        let text = || format!("{fields}, seed {seed}, {name}:\n{}", game.text());
        let verdict = solve(&game, false);
        assert!(verdict.status.is_decided());
        assert_eq!(verdict.status == Status::Solved, best == 48, "{}", text());
        let most = solve(&game, true);
        assert!(most.score_proved);
        assert_eq!(most.score, best, "{}", text());
    }
    true
}

/// Every variant and as many other rules, on decks of all sizes that the plain side can search.
fn check_many(seeds: std::ops::Range<u64>, prunings: &[(&str, Prunings)]) {
    let (mut compared, mut left) = (0, 0);
    for seed in seeds {
        for (number, (_, fields)) in VARIANTS.iter().enumerate() {
            let seed = 11 * seed + number as u64;
            for fields in [fields.to_string(), any_rules(seed)] {
                let is_hard = ["optional ", "reserve=1", "yes"].iter().any(|word| fields.contains(word));
                let most = if is_hard { 17 } else { 28 };
                let cards = 8 + seed as usize % (most - 7);
                if check(&fields, cards, seed, prunings) {
                    compared += 1;
                } else {
                    left += 1;
                }
            }
        }
    }
    assert!(left * 3 < compared, "{left} of {} were too large", compared + left);
}

#[test]
fn prunings_keep_verdict_and_best_score() {
    check_many(0..10, &every_pruning());
    check_many(10..40, &every_pruning()[..1]);
}

#[test]
#[ignore = "minutes"]
fn prunings_keep_verdict_and_best_score_on_many_decks() {
    check_many(1000..1200, &every_pruning());
    check_many(2000..4000, &every_pruning()[..1]);
}
