//! The packed searches against the reference data: brute-force results of other programs.

use std::collections::HashSet;

use serde_json::Value;

use super::BelleLucie;
use super::frontier;
use super::merci::{Merci, Merciful};
use super::packed::{Heights, Packed};
use super::plain::{Plain, endgame, fans, layout, rules};
use super::plan::plan;
use super::round::Round;
use super::rules::Rules;
use crate::cards::Card;
use crate::games::Playable;
use crate::rng::mix;
use crate::search::{Status, Task, search};

fn rows(name: &str) -> Vec<Value> {
    let path = format!("{}/../tests/data/belle-lucie/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

fn best_with(deal: &[Vec<Card>], merci: Merci) -> i32 {
    let task = Task { maximize: true, ..Task::default() };
    let outcome = search(&mut Merciful::new(Packed::new(deal), merci), &task, &mut |_| false);
    assert!(outcome.score_proved);
    let mut decided = Packed::new(deal);
    decided.maximizes = false;
    let decided = search(&mut Merciful::new(decided, merci), &Task::default(), &mut |_| false);
    assert_eq!(decided.status == Status::Solved, outcome.score == 52);
    outcome.score
}

#[test]
fn mercis_and_spaces_agree_with_the_endgames() {
    let mut compared = 0;
    for row in rows("endgames.jsonl") {
        let deal = fans(row["fans"].as_str().expect("fans"));
        for (name, merci) in [("play", Merci::Play), ("front", Merci::Front), ("second", Merci::Second)] {
            if let Some(best) = row["best"][name].as_u64() {
                assert_eq!(best_with(&deal, merci) as u64, best, "{name}: {}", row["fans"]);
                compared += 1;
            }
        }
        if let Some(best) = row["best"]["fan"].as_u64() {
            let task = Task { maximize: true, ..Task::default() };
            let outcome = search(&mut Packed::new(&deal).with_spaces(0), &task, &mut |_| false);
            assert_eq!(outcome.score as u64, best, "fan: {}", row["fans"]);
            compared += 1;
        }
    }
    assert!(compared > 600, "{compared}");
}

#[test]
fn mercis_agree_with_the_reference_deals() {
    let mut compared = 0;
    for row in rows("deals.jsonl") {
        let deal = fans(row["fans"].as_str().expect("fans"));
        for (name, merci) in [("best_merci_play", Merci::Play), ("best_merci_front", Merci::Front)] {
            if let Some(best) = row[name].as_u64() {
                assert_eq!(best_with(&deal, merci) as u64, best, "{name}: {}", row["fans"]);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 80);
}

#[test]
fn spaces_agree_with_the_verdicts() {
    let mut compared = 0;
    for row in rows("verdicts.jsonl") {
        if row["variant"].as_str().is_some_and(|variant| variant.starts_with("fan")) {
            let deal = fans(row["fans"].as_str().expect("fans"));
            let mut game = Packed::new(&deal).with_spaces(0);
            let outcome = search(&mut game, &Task::default(), &mut |_| false);
            assert_eq!(outcome.status.name(), row["status"].as_str().expect("a status"), "{}", row["fans"]);
            compared += 1;
        }
    }
    assert_eq!(compared, 49);
}

#[test]
fn known_redeals_agree_with_brute_force() {
    for row in rows("redeals.jsonl") {
        let deal = fans(row["fans"].as_str().expect("fans"));
        let orders: Vec<Vec<Card>> = row["redeals"]
            .as_array()
            .expect("orders")
            .iter()
            .map(|order| fans(order.as_str().expect("an order")).concat())
            .collect();
        let best = |words: &str, redeals: usize| {
            let table = BelleLucie::new(rules(words), &deal, 1, rules(words).mercis(), &orders[..redeals]);
            table.check_open().expect("all redeals are known");
            let outcome = table.search(&Task { maximize: true, ..Task::default() }, &mut |_| false);
            assert!(outcome.score_proved);
            let decided = table.search(&Task::default(), &mut |_| false);
            assert_eq!(decided.status, outcome.status);
            // The line is legal and ends with the score.
            for line in [&outcome, &decided] {
                let mut table = table.clone();
                for &m in &line.moves {
                    let mut legal = Vec::new();
                    crate::search::Game::moves(&table, &mut legal);
                    assert!(legal.contains(&m), "{m:?} in {}", table.text());
                    crate::search::Game::apply(&mut table, m);
                }
                assert_eq!(crate::search::Game::score(&table), line.score);
            }
            outcome.score as u64
        };
        for (redeals, expected) in row["best"].as_array().expect("best").iter().enumerate() {
            let words = format!("redeals={redeals}");
            assert_eq!(Some(best(&words, redeals)), expected.as_u64(), "{} {words}", row["id"]);
        }
        assert_eq!(Some(best("redeals=2 merci=play", 2)), row["best_merci_play"].as_u64(), "{}", row["id"]);
    }
}

/// Returns every reachable position of the deal, as its heights and the mercis spent.
fn stops(rules: &Rules, start: &Plain, most: usize) -> Option<HashSet<(Heights, u8)>> {
    let mut seen = HashSet::from([start.name()]);
    let mut waiting = vec![start.clone()];
    let mut stops = HashSet::new();
    while let Some(position) = waiting.pop() {
        let heights = std::array::from_fn(|suit| position.height(suit) as u8);
        if rules.may_hold_back || position.may_redeal(rules) || position.score() == 52 {
            stops.insert((heights, start.mercis - position.mercis));
        }
        for (token, after) in position.moves(rules) {
            if token != "r" && seen.insert(after.name()) {
                waiting.push(after);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(stops)
}

/// Returns a round under rules that have one redeal left, and the same position for brute force.
fn round_of(words: &str, seed: u64, most_cards: u64) -> (Rules, Plain, Round) {
    let rules = rules(words);
    let mut start = endgame(&rules, seed, most_cards);
    start.orders.clear();
    let round = Round::new(&rules, &start.fans, rules.redeals + 1 - start.deal, start.mercis);
    (rules, start, round)
}

const WITH_REDEALS: [&str; 9] = [
    "redeals=1",
    "redeals=1 merci=play merci_deals=any",
    "redeals=1 merci=front merci_deals=any",
    "redeals=1 merci=second merci_deals=any",
    "redeals=1 kings_to_spaces=yes",
    "redeals=1 build=any",
    "redeals=1 build=any kings_to_spaces=yes",
    "redeals=1 build_up=yes",
    "redeals=1 max_cards=3",
];

fn check_targets(seeds: std::ops::Range<u64>) -> [u64; 2] {
    let mut counts = [0; 2];
    for words in WITH_REDEALS {
        for seed in seeds.clone() {
            let (rules, start, round) = round_of(words, seed, 12);
            let Some(stops) = stops(&rules, &start, 20_000) else { continue };
            let task = Task::default();
            let mut most = [0; 4];
            for (heights, _) in &stops {
                most = std::array::from_fn(|suit| most[suit].max(heights[suit]));
            }
            frontier::each_between(round.heights(), most, |target| {
                for spends in [false, matches!(round, Round::Merciful(_))] {
                    let reached = round.reach(target, spends, &task, &mut |_| false).status == Status::Solved;
                    let expected = stops.contains(&(target, 0)) || spends && stops.contains(&(target, 1));
                    assert_eq!(reached, expected, "{words}: {target:?} {spends} in {}", layout(&start.fans));
                    counts[usize::from(reached)] += 1;
                }
            });
        }
    }
    counts
}

#[test]
fn targets_are_reached_exactly_if_brute_force_reaches_them() {
    let [not, reached] = check_targets(0..120);
    assert!(not > 1000 && reached > 1000, "{not} and {reached}");
}

/// The king of clubs moves into the space and goes up from there. That makes a space again, for the king of hearts.
#[test]
fn a_king_that_goes_up_from_a_space_leaves_one() {
    let mut deal = fans("TH KD KC / JH QC QD / KS QS KH / QH 9H");
    deal.push(Vec::new());
    let round = Round::new(&rules("redeals=1 kings_to_spaces=yes"), &deal, 1, 0);
    let reached = round.reach([13, 11, 8, 12], false, &Task::default(), &mut |_| false);
    assert_eq!(reached.status, Status::Solved);
}

#[test]
#[ignore = "minutes"]
fn many_targets_are_reached_exactly_if_brute_force_reaches_them() {
    let [not, reached] = check_targets(1000..6000);
    println!("{not} targets cannot be reached, {reached} can");
}

#[test]
fn the_plan_is_worth_the_most_that_brute_force_finds() {
    let others = [
        "redeals=1 may_hold_back=no",
        "redeals=2 build=any",
        "redeals=1 merci=anywhere merci_deals=any",
        "redeals=1 merci=play merci_deals=any merci_count=2",
    ];
    for words in WITH_REDEALS.into_iter().chain(others) {
        let mut found = 0;
        for seed in 0..150 {
            let (rules, start, round) = round_of(words, seed, 10);
            let Some(stops) = stops(&rules, &start, 3_000) else { continue };
            // Any values will do if a win is worth most and a merci kept is worth no less.
            let worth = |heights: Heights, spent: u8| {
                let code = heights.iter().fold(seed, |code, &height| mix(code << 4 | u64::from(height)));
                let value = 0.4 + 0.5 * (code % 1000) as f64 / 1000.0;
                if heights == [13; 4] {
                    1.0
                } else if spent > 0 {
                    0.9 * value
                } else {
                    value
                }
            };
            let expected = stops.iter().map(|&(heights, spent)| worth(heights, spent)).fold(0.0, f64::max);
            if stops.is_empty() {
                continue;
            }
            for at_most in [1, 2] {
                let plan = plan(&rules, &round, &worth, at_most, &Task::default(), &mut |_| false);
                let best = &plan.stops[0];
                assert!(plan.complete, "{words}");
                assert!(
                    (best.value - expected).abs() < 1e-6,
                    "{words}: {} but {expected} in {}",
                    best.value,
                    layout(&start.fans)
                );
                if let [first, second] = &plan.stops[..] {
                    assert_ne!(first.heights, second.heights);
                }
                let values: Vec<f64> = plan.stops.iter().map(|stop| stop.value).collect();
                assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
            }
            found += 1;
        }
        assert!(found > 75, "{words}: {found}");
    }
}

#[test]
fn games_with_known_redeals_are_solved_as_by_brute_force() {
    let all = [
        "redeals=1",
        "redeals=2",
        "redeals=1 merci=play",
        "redeals=2 merci=front",
        "redeals=1 merci=second merci_deals=any",
        "redeals=1 merci=play merci_deals=any",
        "redeals=1 kings_to_spaces=yes",
        "redeals=1 may_hold_back=no",
        "redeals=1 build=any",
    ];
    for words in all {
        let rules = rules(words);
        let mut wins = 0;
        for seed in 0..100 {
            let start = endgame(&rules, seed, 9);
            let Some(best) = start.best(&rules, 20_000) else { continue };
            let table = BelleLucie::new(rules, &start.fans, start.deal, start.mercis, &start.orders);
            for maximize in [false, true] {
                let outcome = table.search(&Task { maximize, ..Task::default() }, &mut |_| false);
                let place = || format!("{words}: {}", start.text(&rules));
                assert_eq!(outcome.status == Status::Solved, best == 52, "{}", place());
                assert!(!outcome.score_proved || outcome.score == best, "{}", place());
                assert!(!maximize || outcome.score_proved, "{}", place());
            }
            wins += u32::from(best == 52);
        }
        assert!((5..95).contains(&wins), "{words}: {wins}");
    }
}

/// Checks the packed searches of one deal, for a win and for the best score, against all legal moves.
fn check_deals(seeds: std::ops::Range<u64>, most_cards: u64) {
    for words in ["redeals=0", "merci=play", "merci=front", "merci=second", "kings_to_spaces=yes"] {
        let rules = rules(words);
        let (mut wins, mut losses) = (0, 0);
        for seed in seeds.clone() {
            let start = endgame(&rules, seed, most_cards);
            let Some(best) = start.best(&rules, 30_000) else { continue };
            let round = Round::new(&rules, &start.fans, 0, start.mercis);
            assert!(!matches!(round, Round::General(_)));
            let place = || format!("{words}: {}", layout(&start.fans));
            let most = round.most_cards(&mut |_| false);
            assert_eq!((most.score, most.score_proved), (best, true), "{}", place());
            let status = round.decide(&Task::default(), &mut |_| false);
            assert_eq!(status == Status::Solved, best == 52, "{}", place());
            if best == 52 { wins += 1 } else { losses += 1 }
        }
        println!("{words}: {wins} wins, {losses} losses");
        assert!(wins > 30 && losses > 30, "{words}: {wins} wins, {losses} losses");
    }
}

#[test]
fn packed_deals_are_searched_as_by_brute_force() {
    check_deals(0..250, 13);
}

#[test]
#[ignore = "minutes"]
fn many_packed_deals_are_searched_as_by_brute_force() {
    check_deals(10_000..25_000, 14);
}
