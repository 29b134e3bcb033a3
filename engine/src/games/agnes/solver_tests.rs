//! Agnes Sorel against rules too plain to be wrong.

use super::plain::Plain;
use super::rules::Rules;
use super::table::{Agnes, Move, Prunings};
use crate::cards::Card;
use crate::games::{Fields, Notation};
use crate::rng::Decks;
use crate::search::{Game, Outcome, Status, Task, search};

/// Rules by their slug, with fields that change them: `up-suit-none-nosplit`.
fn rules(slug: &str, ranks: usize, piles: usize) -> Rules {
    let words: Vec<&str> = slug.split('-').collect();
    let empty = match words[2] {
        "any1" => "any-1",
        "high1" => "high-1",
        "anyrun" => "any-run",
        "highrun" => "high-run",
        _ => "none",
    };
    let yes = |is_so: bool| if is_so { "yes" } else { "no" }.to_string();
    let given = vec![
        ("face_up".to_string(), yes(words[0] == "up")),
        ("move_same_suit".to_string(), yes(words[1] == "suit")),
        ("move_to_empty_pile".to_string(), empty.to_string()),
        ("split_runs".to_string(), yes(words.len() == 3)),
        ("ranks".to_string(), ranks.to_string()),
        ("piles".to_string(), piles.to_string()),
    ];
    Rules::read(&mut Fields { game: "agnes", given }).expect("these rules are sound")
}

fn slugs() -> Vec<String> {
    let mut slugs = Vec::new();
    for face in ["down", "up"] {
        for unit in ["color", "suit"] {
            for empty in ["none", "any1", "high1", "highrun", "anyrun"] {
                for split in ["", "-nosplit"] {
                    slugs.push(format!("{face}-{unit}-{empty}{split}"));
                }
            }
        }
    }
    slugs
}

fn deck(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().expect("a card")).collect()
}

fn random_deck(rules: &Rules, seed: u64) -> Vec<Card> {
    let card = |place| Card::new(place / rules.ranks, place % rules.ranks + 1);
    Decks::new(seed).deck(rules.deck()).into_iter().map(card).collect()
}

fn solve(game: &Agnes, maximize: bool) -> Outcome<Move> {
    let found = search(&mut game.clone(), &Task { maximize, ..Task::default() }, &mut |_| false);
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

const NO: Prunings = Prunings { relax: false, forced: false, join: false, canonical: false, order: false };

fn every_pruning() -> [(&'static str, Prunings); 6] {
    [
        ("all", Prunings::ALL),
        ("relax", Prunings { relax: true, ..NO }),
        ("forced", Prunings { forced: true, ..NO }),
        ("join", Prunings { join: true, ..NO }),
        ("canonical", Prunings { canonical: true, ..NO }),
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
    check_many(0..8, &every_pruning());
}

#[test]
#[ignore]
fn prunings_keep_verdict_and_best_score_on_many_decks() {
    check_many(1000..3000, &every_pruning());
}

/// A full deck of the reference, `agnes/..@python:12345#1`.
const GOLDEN: &str = "7S QS AC 5H 6H 4C 5D TC 7H 3S QH 2H JH 5C 9H 3H TD QC 6S 2D KH 5S TS 9C 2C 2S \
     JD AS 8H JS 9D KD 4S 6D 6C 8D 4D QD KC 8S 7C 3D 9S TH AD 8C AH 4H JC KS 7D 3C";

#[test]
fn the_golden_layout() {
    let game = Agnes::dealt(rules("down-color-none", 13, 7), &deck(GOLDEN));
    let text = "Base: 7\nFoundations: - - 7S -\n1: QS\n2: [AC] 7H\n3: [5H 3S] 9H\n4: [6H QH 3H] 2D\n\
                5: [4C 2H TD KH] 9C\n6: [5D JH QC 5S 2C] JD\n7: [TC 5C 6S TS 2S AS] 8H\n\
                Stock: JS 9D KD 4S 6D 6C 8D 4D QD KC 8S 7C 3D 9S TH AD 8C AH 4H JC KS 7D 3C\n";
    assert_eq!(game.text(), text);
    assert_eq!(Agnes::parse(&game.rules, text).map(|game| game.text()), Ok(text.to_string()));
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let tokens: Vec<String> = moves.into_iter().map(|m| game.token(m)).collect();
    assert_eq!(tokens, ["2f", "2-7", "7-3", "d"]);
}
