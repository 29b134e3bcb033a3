//! Agnes Sorel against rules too plain to be wrong.

use super::plain::{Plain, deck, random_deck, rules, slugs};
use super::table::{Agnes, Move, Prunings};
use crate::games::Notation;
use crate::search::{Game, Outcome, Status, Task};

/// Searches, and plays the line that was found.
pub(super) fn solve(game: &Agnes, maximize: bool) -> Outcome<Move> {
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
    relax: false,
    forced: false,
    join: false,
    twins: false,
    canonical: false,
    shuttles: false,
    order: false,
};

fn every_pruning() -> [(&'static str, Prunings); 9] {
    [
        ("all", Prunings::ALL),
        ("relax", Prunings { relax: true, ..NO }),
        ("forced", Prunings { forced: true, ..NO }),
        ("join", Prunings { join: true, ..NO }),
        ("twins", Prunings { join: true, twins: true, forced: true, ..NO }),
        ("canonical", Prunings { canonical: true, ..NO }),
        ("shuttles", Prunings { shuttles: true, ..NO }),
        ("no shuttles", Prunings { shuttles: false, ..Prunings::ALL }),
        ("order", Prunings { order: true, ..NO }),
    ]
}

/// The fast side against the plain one on one small deck: every pruning alone and all together.
fn check(slug: &str, ranks: usize, piles: usize, seed: u64, prunings: &[(&str, Prunings)]) -> bool {
    let rules = rules(slug, ranks, piles);
    let deck = random_deck(&rules, seed);
    let Some(best) = Plain::deal(&rules, &deck).best(&rules, 100_000) else { return false };
    let game = Agnes::dealt(rules, &deck);
    for (name, prunings) in prunings {
        let game = game.clone().with(*prunings);
        let text = || format!("{slug} {ranks}/{piles} seed {seed}, {name}:\n{}", game.text());
        let verdict = solve(&game, false);
        assert_eq!(verdict.status == Status::Solved, best as usize == rules.deck(), "{}", text());
        assert!(verdict.status.is_decided());
        let most = solve(&game, true);
        assert!(most.score_proved);
        assert_eq!(most.score, best, "{}", text());
    }
    true
}

fn check_many(seeds: std::ops::Range<u64>, prunings: &[(&str, Prunings)]) {
    let sizes = [(4, 3), (5, 3), (5, 4), (6, 4)];
    let (mut compared, mut left) = (0, 0);
    for seed in seeds {
        for (number, slug) in slugs().iter().enumerate() {
            let (ranks, piles) = sizes[(seed as usize + number) % 4];
            if check(slug, ranks, piles, seed * 40 + number as u64, prunings) {
                compared += 1;
            } else {
                left += 1;
            }
        }
    }
    assert!(left * 10 < compared, "{left} of {} were too large", compared + left);
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

/// Decks on which a foundation move that is forced where runs are not cut, whatever may still be dealt, loses
/// the game.
#[test]
fn a_card_is_held_back_where_it_keeps_runs_apart() {
    let five = "AD 2H 3D AC 5S 5C AS AH 2S 4D 5H 3H 2C 3S 2D 4C 3C 4S 4H 5D";
    let witnesses = [
        ("up-suit-any1-nosplit", 5, 4, five),
        ("up-suit-high1-nosplit", 5, 4, five),
        ("up-color-none-nosplit", 4, 3, "AC 2C 3H 4D AD 2S 4C 3D AS AH 4H 2H 2D 3C 4S 3S"),
        ("up-color-anyrun-nosplit", 4, 3, "4H 2C 2H 3D 4S 3H 2D 2S AD AH 3C 3S AC 4D 4C AS"),
    ];
    for (slug, ranks, piles, cards) in witnesses {
        let game = Agnes::dealt(rules(slug, ranks, piles), &deck(cards));
        assert_eq!(solve(&game, false).status, Status::Solved, "{slug}");
    }
}

/// A pile whose face-down cards have no others above them but a run from its head on is not a whole pile.
#[test]
fn moving_all_face_up_cards_of_a_pile_turns_one_up() {
    let rules = rules("down-color-anyrun", 4, 3);
    let game = Agnes::dealt(rules, &deck("4H AD 4S 2C 3H 2S 3S 2D AC AH AS 4C 4D 3C 2H 3D"));
    assert_eq!(solve(&game, false).status, Status::Solved);
}

/// A card on the next of its suit is no run where that lies face down: it may leave.
#[test]
fn a_card_may_leave_a_face_down_card_of_its_suit() {
    let rules = rules("down-suit-highrun-nosplit", 5, 4);
    let game = Agnes::dealt(rules, &random_deck(&rules, 48_377));
    assert_eq!(solve(&game, false).status, Status::Solved);
}
