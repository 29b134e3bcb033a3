//! The packed searches against the reference data: brute force of other programs.

use serde_json::Value;

use super::merci::{Merci, Merciful};
use super::packed::Packed;
use crate::cards::Card;
use crate::search::{Status, Task, search};

fn rows(name: &str) -> Vec<Value> {
    let path = format!("{}/../tests/data/belle-lucie/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

fn fans(text: &str) -> Vec<Vec<Card>> {
    text.split('/')
        .map(|fan| fan.split_whitespace().map(|card| card.parse().expect("a card")).collect())
        .collect()
}

fn best_with(deal: &[Vec<Card>], merci: Merci) -> u32 {
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
                assert_eq!(u64::from(best_with(&deal, merci)), best, "{name}: {}", row["fans"]);
                compared += 1;
            }
        }
        if let Some(best) = row["best"]["fan"].as_u64() {
            let task = Task { maximize: true, ..Task::default() };
            let outcome = search(&mut Packed::new(&deal).with_spaces(0), &task, &mut |_| false);
            assert_eq!(u64::from(outcome.score), best, "fan: {}", row["fans"]);
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
                assert_eq!(u64::from(best_with(&deal, merci)), best, "{name}: {}", row["fans"]);
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
            println!("{} {} nodes {} s", row["id"], outcome.stats.nodes, outcome.stats.seconds);
            assert_eq!(outcome.status.name(), row["status"].as_str().expect("a status"), "{}", row["fans"]);
            compared += 1;
        }
    }
    assert_eq!(compared, 49);
}

#[test]
#[ignore = "a measurement"]
fn measure() {
    use super::rules::Rules;
    use super::sample::sample;
    use super::values::{STATES, Values, heights_of};
    use super::whole::{Policy, Table, play};
    use crate::games::Sampling;
    use crate::rng::Decks;
    use rayon::prelude::*;
    use std::time::Instant;
    let text = std::env::var("RULES").unwrap_or_default();
    let factor: f64 = std::env::var("FACTOR").map_or(0.1, |text| text.parse().unwrap());
    let games: u64 = std::env::var("GAMES").map_or(100_000, |text| text.parse().unwrap());
    let fields: Vec<(String, String)> = text
        .split_whitespace()
        .map(|pair| pair.split_once('=').map(|(a, b)| (a.to_string(), b.to_string())).unwrap())
        .collect();
    let rules: Rules =
        Rules::read(&mut crate::games::Fields { game: "belle-lucie", given: fields }).ok().unwrap();
    let planes = rules.planes();
    let mut bytes: Vec<u8> = Vec::new();
    for level in 0..rules.redeals {
        for plane in 0..planes {
            let mercis = if planes == 1 { rules.mercis() } else { plane as u8 };
            let begun = Instant::now();
            let values = (level > 0).then(|| Values::from_bytes(&bytes, planes).unwrap());
            let samples = (factor * if level == 0 { 20_000.0 } else { 6_000.0 }) as u64;
            let column: Vec<f64> = (0..STATES)
                .into_par_iter()
                .map(|number| {
                    let policy = values.clone().map(Policy::Value);
                    let sampling = Sampling { redeals_left: level, mercis, samples, seed: 1, policy };
                    let sampled = sample(&rules, heights_of(number), &sampling);
                    sampled.sum / sampled.count.max(1) as f64
                })
                .collect();
            println!("V{level} m{mercis}: {samples} in {:?}, start {:.4}", begun.elapsed(), column[0]);
            let begin = bytes.len();
            bytes.extend(column.iter().flat_map(|value| value.to_le_bytes()));
            let _ = begin;
        }
    }
    let policies =
        [("greedy", Policy::Greedy), ("value", Policy::Value(Values::from_bytes(&bytes, planes).unwrap()))];
    for (name, policy) in policies {
        let begun = Instant::now();
        let won: u64 = (0..games)
            .into_par_iter()
            .map(|seed| {
                let mut decks = Decks::new(seed + 1_000_000);
                let mut deck = || decks.deck(52).into_iter().map(Card::at).collect::<Vec<Card>>();
                let first: Vec<Card> =
                    deck().into_iter().filter(|c| !rules.aces_out || c.rank() > 1).collect();
                let fans: Vec<Vec<Card>> = first.chunks(rules.fan_size).map(<[Card]>::to_vec).collect();
                let table = Table { fans, redeals_left: rules.redeals, mercis: rules.mercis() };
                let game = play(&rules, &table, &policy, deck, &mut |_| false);
                u64::from(game.heights == [13; 4])
            })
            .sum();
        println!("{name}: {won} of {games} = {:.4} in {:?}", won as f64 / games as f64, begun.elapsed());
    }
}

#[test]
fn known_redeals_agree_with_brute_force() {
    use super::BelleLucie;
    use super::plain::rules;
    use crate::games::Notation;
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
            u64::from(outcome.score)
        };
        for (redeals, expected) in row["best"].as_array().expect("best").iter().enumerate() {
            let words = format!("redeals={redeals}");
            assert_eq!(Some(best(&words, redeals)), expected.as_u64(), "{} {words}", row["id"]);
        }
        assert_eq!(Some(best("redeals=2 merci=play", 2)), row["best_merci_play"].as_u64(), "{}", row["id"]);
    }
}
