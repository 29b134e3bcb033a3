//! Agnes Sorel against the deliberately simple rules.

use super::plain::{Plain, deck, random_deck, rules, slugs};
use super::table::{Agnes, Move, Next, Prunings};
use crate::games::Playable;
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
    commute: false,
    early: false,
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

/// Returns the prunings that concern the last deal, with their names.
fn last_deals() -> [(&'static str, Prunings); 4] {
    [
        ("all", Prunings::ALL),
        ("commute", Prunings { commute: true, ..NO }),
        ("commute with shuttles", Prunings { commute: true, shuttles: true, ..NO }),
        ("early", Prunings { early: true, ..NO }),
    ]
}

/// Checks the fast side against the simple one on one small deck: every pruning alone and all together.
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
    // Without hooks the keys of classes are off too.
    let unpruned = game.search(&Task { maximize: true, prune: false, ..Task::default() }, &mut |_| false);
    assert_eq!(unpruned.score, best, "{slug} {ranks}/{piles} seed {seed}, without hooks:\n{}", game.text());
    true
}

type Sizes = [(usize, usize)];

const SIZES: &Sizes = &[(4, 3), (5, 3), (5, 4), (6, 4)];

/// Sizes whose last deal serves more than one pile, and not all: 4 of 5, 3 of 5, 2 of 3.
const UNEVEN: &Sizes = &[(5, 5), (6, 5), (6, 3)];

fn check_many(sizes: &Sizes, seeds: std::ops::Range<u64>, prunings: &[(&str, Prunings)]) {
    let (mut compared, mut left) = (0, 0);
    for seed in seeds {
        for (number, slug) in slugs().iter().enumerate() {
            let (ranks, piles) = sizes[(seed as usize + number) % sizes.len()];
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
    check_many(SIZES, 0..6, &every_pruning());
    check_many(SIZES, 10..25, &every_pruning()[..1]);
    check_many(UNEVEN, 40..43, &last_deals());
}

#[test]
#[ignore = "minutes"]
fn prunings_keep_verdict_and_best_score_on_many_decks() {
    check_many(SIZES, 1000..1040, &every_pruning());
    check_many(SIZES, 2000..2400, &every_pruning()[..1]);
    check_many(UNEVEN, 4000..4020, &last_deals());
}

/// Decks on which a foundation move loses the game that is forced where runs are not split, unless the cards of the
/// stock are considered.
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

/// A pile whose face-down cards lie only under one run is not a whole pile: moving the run turns a card up.
#[test]
fn moving_all_face_up_cards_of_a_pile_turns_one_up() {
    let rules = rules("down-color-anyrun", 4, 3);
    let game = Agnes::dealt(rules, &deck("4H AD 4S 2C 3H 2S 3S 2D AC AH AS 4C 4D 3C 2H 3D"));
    assert_eq!(solve(&game, false).status, Status::Solved);
}

/// A card on the next of its suit is no run where that card lies face down: it may leave.
#[test]
fn a_card_may_leave_a_face_down_card_of_its_suit() {
    let rules = rules("down-suit-highrun-nosplit", 5, 4);
    let game = Agnes::dealt(rules, &random_deck(&rules, 48_377));
    assert_eq!(solve(&game, false).status, Status::Solved);
}

/// Returns a deck of 5 ranks and 4 piles before its last deal, of one card, onto pile 1.
fn before_the_last_deal(slug: &str, text: &str) -> Agnes {
    Agnes::parse(&rules(slug, 5, 4), &format!("Base: A\n{text}")).expect("a position")
}

#[test]
fn the_last_deal_comes_at_once_where_its_cards_go_up() {
    let forced = |text: &str, early: bool| {
        let game = before_the_last_deal("up-suit-none-nosplit", text);
        game.with(Prunings { early, ..Prunings::ALL }).forced()
    };
    let free =
        "Foundations: AC AD AS AH\n1: 2C 3C 4C 5C\n2: 2D 3D 4D 5D\n3: 2S 3S 4S 5S\n4: 3H 4H 5H\nStock: 2H\n";
    assert_eq!(forced(free, true), Some(Move::Deal));
    assert_eq!(forced(free, false), None);
    // The card is not the next of its suit.
    let later = free.replace("3H 4H", "2H 4H").replace("Stock: 2H", "Stock: 3H");
    assert_eq!(forced(&later, true), None);
    // The three of diamonds could be laid on it, and cannot go up yet.
    let ahead =
        "Foundations: AC - AS 3H\n1: 2C 3C 4C 5C\n2: AD 2D 3D 4D 5D\n3: 2S 3S 4S 5S\n4: 5H\nStock: 4H\n";
    assert_eq!(forced(ahead, true), None);
}

/// Returns whether a search tries the deal by itself, and after a shift.
fn deals_tried(game: &Agnes) -> (bool, bool) {
    let mut moves = Vec::new();
    game.branches(&mut moves);
    let is_after_shift = |m: &Move| matches!(m, Move::Shift { next: Next::Deal { .. }, .. });
    (moves.contains(&Move::Deal), moves.iter().any(is_after_shift))
}

#[test]
fn the_last_deal_is_not_tried_after_moves_that_leave_its_piles_alone() {
    // In the first, 4S can leave pile 3; in the second, 4D, and then 4C can move back and forth between piles 1 and 3.
    let one =
        "Foundations: AC AD AS AH\n1: 2C 3C 4D\n2: 2D 3D 5H\n3: 2S 3S 4S\n4: 2H 4H 4C 5D 5S 5C\nStock: 3H\n";
    let two =
        "Foundations: AC AD AS AH\n1: 2C 3C 5C 4C\n2: 2H 4H 4S 5H\n3: 2S 3S 5S 4D\n4: 2D 3D 5D\nStock: 3H\n";
    let lines = [
        ("up-suit-none", one, true, vec![("3-4", (false, false))]),
        ("up-suit-none", one, false, vec![("3-4", (true, false))]),
        ("up-suit-none", one, true, vec![("1-2", (true, false))]),
        ("up-color-none", two, true, vec![("3-4", (false, true)), ("4-2", (false, false))]),
        ("up-color-none", two, false, vec![("3-4", (true, true)), ("4-2", (true, true))]),
    ];
    for (slug, text, commute, line) in lines {
        let mut game = before_the_last_deal(slug, text).with(Prunings { commute, ..Prunings::ALL });
        assert_eq!(deals_tried(&game), (true, false));
        let mut made = Vec::new();
        for (token, tried) in line {
            let m = game.parse_token(token).expect("a legal move");
            made.push((m, game.apply_branch(m)));
            assert_eq!(deals_tried(&game), tried, "{slug} {token} {commute}");
        }
        for (m, undo) in made.into_iter().rev() {
            game.undo(m, undo);
        }
        assert_eq!(deals_tried(&game), (true, false));
    }
}
