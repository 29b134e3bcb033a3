//! Agnes Sorel against the verdicts of other programs; see tests/data/agnes/.

use super::plain::{deck, rules};
use super::solver_tests::solve;
use super::table::Agnes;
use crate::search::Status;

fn rows(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../tests/data/agnes/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().skip(1).map(|line| line.split(',').map(str::to_string).collect()).collect()
}

/// Every small deck that was searched exhaustively without any pruning.
#[test]
fn verdicts_and_best_scores_of_shrunken_decks() {
    let rows = rows("small.csv");
    assert_eq!(rows.len(), 2880);
    for row in rows {
        let [_, ranks, piles, cards, slug, verdict, best, _] = row.as_slice() else { panic!("{row:?}") };
        let rules = rules(slug, ranks.parse().expect("a number"), piles.parse().expect("a number"));
        let game = Agnes::dealt(rules, &deck(cards));
        let is_won = solve(&game, false).status == Status::Solved;
        assert_eq!(if is_won { "won" } else { "lost" }, verdict, "{row:?}");
        let found = solve(&game, true);
        assert!(found.score_proved);
        assert_eq!(found.score.to_string(), *best, "{row:?}");
    }
}

/// Checks the decided rows of a file that took other programs at most `most` steps.
fn check_verdicts(name: &str, most: u64) -> usize {
    let mut checked = 0;
    for row in rows(name) {
        let [_, cards, slug, verdict, states, _] = row.as_slice() else { panic!("{row:?}") };
        if verdict != "capped" && states.parse::<u64>().expect("a number") <= most {
            let found = solve(&Agnes::dealt(rules(slug, 13, 7), &deck(cards)), false);
            assert!(found.status.is_decided());
            let is_won = found.status == Status::Solved;
            assert_eq!(if is_won { "won" } else { "lost" }, verdict, "{row:?}");
            checked += 1;
        }
    }
    checked
}

#[test]
fn verdicts_of_whole_decks() {
    let checked = check_verdicts("peer.csv", 5_000) + check_verdicts("exhaustive.csv", 5_000);
    assert!(checked > 1000, "{checked} rows");
}

#[test]
#[ignore = "every row; the test above has the quick ones"]
fn all_verdicts_of_whole_decks() {
    let checked = (check_verdicts("peer.csv", u64::MAX), check_verdicts("exhaustive.csv", u64::MAX));
    assert_eq!(checked, (1812, 912));
}
