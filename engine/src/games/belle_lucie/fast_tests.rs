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
