//! Aces Up against the verdicts and best scores of other programs; see tests/data/aces-up/.

use std::collections::HashMap;

use super::plain::VARIANTS;
use super::solver_tests::solve;
use super::table_tests::game;
use crate::cards::Card;
use crate::search::Status;

fn rows(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../tests/data/aces-up/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().skip(1).map(|line| line.split(',').map(str::to_string).collect()).collect()
}

/// Checks one of `every` rows: the verdict when only that is asked for, and the best score.
fn check(every: usize) -> usize {
    let decks: HashMap<String, Vec<Card>> = rows("verdict-decks.csv")
        .into_iter()
        .map(|row| {
            let cards = row[1].split_whitespace().map(|card| card.parse().expect("a card"));
            (row[0].clone(), cards.collect())
        })
        .collect();
    let rows = rows("verdicts.csv");
    assert_eq!(rows.len(), 1700);
    let mut checked = 0;
    for row in rows.iter().step_by(every) {
        let [name, variant, status, best] = row.as_slice() else { panic!("{row:?}") };
        let (_, fields) = VARIANTS.into_iter().find(|(name, _)| name == variant).expect("a variant");
        let game = game(fields, &decks[name]);
        let verdict = solve(&game, false);
        assert!(verdict.status.is_decided(), "{row:?}");
        assert_eq!(verdict.status == Status::Solved, status == "solved", "{row:?}");
        let most = solve(&game, true);
        assert!(most.score_proved, "{row:?}");
        assert_eq!(most.score.to_string(), *best, "{row:?}");
        checked += 1;
    }
    checked
}

#[test]
fn verdicts_and_best_scores() {
    assert_eq!(check(7), 243);
}

#[test]
#[ignore = "every row; the test above has some of them"]
fn all_verdicts_and_best_scores() {
    assert_eq!(check(1), 1700);
}
