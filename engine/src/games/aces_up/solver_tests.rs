//! Aces Up's search against deliberately simple rules.

use super::plain::{Plain, VARIANTS, any_rules, random_deck, rules};
use super::table::{AcesUp, Move, Prunings};
use super::table_tests::game;
use crate::games::Playable;
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
};

fn every_pruning() -> [(&'static str, Prunings); 7] {
    [
        ("all", Prunings::ALL),
        ("alone", Prunings { alone: true, ..NO }),
        ("canonical", Prunings { canonical: true, ..NO }),
        ("free moves", Prunings { free_moves: true, ..NO }),
        ("loose", Prunings { loose: true, ..NO }),
        ("last rows", Prunings { last_rows: true, ..NO }),
        ("discards", Prunings { discards: true, ..NO }),
    ]
}

/// Checks the fast side against the simple one on one small deck: every pruning alone and all together.
fn check(fields: &str, cards: usize, seed: u64, most: usize, prunings: &[(&str, Prunings)]) -> bool {
    let rules = rules(fields);
    let cards = (0..=cards).rev().find(|&left| rules.leaves(left)).unwrap_or_default();
    let deck = random_deck(cards, seed);
    let Some(best) = Plain::new(&rules, &deck).best(&rules, most) else { return false };
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

/// Checks every variant and as many other rules, on decks of all sizes that the simple side can search.
fn check_many(seeds: std::ops::Range<u64>, prunings: &[(&str, Prunings)]) {
    let (mut compared, mut left) = (0, 0);
    for seed in seeds {
        for (number, (_, fields)) in VARIANTS.iter().enumerate() {
            let seed = 11 * seed + number as u64;
            for fields in [fields.to_string(), any_rules(seed)] {
                let is_hard = ["optional ", "reserve=1", "yes"].iter().any(|word| fields.contains(word));
                let most = if is_hard { 17 } else { 28 };
                let cards = 8 + seed as usize % (most - 7);
                if check(&fields, cards, seed, 20_000, prunings) {
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

/// Where discards are optional, on decks with room for keeping cards back.
#[test]
fn optional_discards_on_larger_decks() {
    let mut compared = 0;
    for seed in 0..60 {
        for fields in [VARIANTS[6].1, "destination=any discards=optional", "discards=optional"] {
            compared += u32::from(check(fields, 20, seed, 300_000, &every_pruning()[..1]));
        }
    }
    assert!(compared > 90, "{compared} of 180");
}

/// The results of research on 1,426 decks of the nines and higher, in percent: any space, and single cards too; with
/// forced and with optional discards.
#[test]
#[ignore = "rates, a few seconds; the tests above have the verdicts"]
fn delaying_discards_wins_as_many_more_decks_as_it_should() {
    let won = |fields: &str| {
        let is_won =
            |&seed: &u64| solve(&game(fields, &random_deck(24, seed)), false).status == Status::Solved;
        (0..1426).filter(is_won).count() as f64 / 14.26
    };
    for (fields, forced, optional) in
        [("destination=any", 31.9, 37.0), ("destination=any singletons=yes", 59.7, 60.2)]
    {
        let found = (won(fields), won(&format!("{fields} discards=optional")));
        // Four standard errors of the difference of two samples of this size.
        assert!((found.0 - forced).abs() < 7.4 && (found.1 - optional).abs() < 7.4, "{fields}: {found:?}");
        assert!(found.0 < found.1, "{fields}: {found:?}");
        println!("{fields}: {found:?}");
    }
}
