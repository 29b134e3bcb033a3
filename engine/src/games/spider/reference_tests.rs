//! Spider against recorded episodes, in which cards are picked up one by one and put down; see tests/data/spider/.

use serde_json::Value;

use super::moves::Move;
use super::plain::rules;
use super::table::Table;
use super::table_tests::table_of;
use crate::cards::Card;
use crate::games::Playable;

fn episodes(name: &str) -> Vec<Value> {
    let path = format!("{}/../tests/data/spider/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).expect("an episode")).collect()
}

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().expect("a list").iter().map(|number| number.as_i64().expect("a number")).collect()
}

/// Cards that have been picked up: from which pile, and how many.
#[derive(Clone, Copy)]
struct Hand {
    from: u8,
    count: u8,
}

/// Returns the actions that are allowed: 0 deals, 1 to 10 pick a card up, 11 to 20 put the hand down.
fn allowed(table: &Table, hand: Hand, may_put_back: bool) -> Vec<i64> {
    let Hand { from, count } = hand;
    if count == 0 {
        let row = (table.may_deal()).then_some(0);
        let piles = (1..).zip(table.piles()).filter(|(_, pile)| !pile.is_empty()).map(|(place, _)| place);
        return row.into_iter().chain(piles).collect();
    }
    let more = (count < table.piles()[usize::from(from)].run()).then_some(i64::from(from) + 1);
    let targets = (0..10u8).filter(|&to| match to == from {
        true => may_put_back,
        false => table.is_legal(Move::Run { from, to, count }),
    });
    more.into_iter().chain(targets.map(|to| i64::from(to) + 11)).collect()
}

/// Follows an episode; returns the number of moves made.
fn follow(episode: &Value) -> u32 {
    let name = &episode["name"];
    let suits = episode["num_suits"].to_string();
    let deck = episode["deck"].as_str().expect("a deck").split(' ');
    let deck: Vec<Card> = deck.map(|card| card.parse().expect("a card")).collect();
    let mut table = table_of(&rules(&[("suits", &suits)]), &deck);
    let may_put_back = episode["strict_hand"] == false;
    let mut hand = Hand { from: 0, count: 0 };
    assert_eq!(allowed(&table, hand, may_put_back), numbers(&episode["initial_valid"]), "{name}");
    assert_eq!(i64::from(table.score()), episode["initial_score"].as_i64().expect("a score"));
    let actions = numbers(&episode["actions"]);
    let [rewards, moves, completed] =
        ["rewards", "num_moves", "completed"].map(|field| numbers(&episode[field]));
    for (step, &action) in actions.iter().enumerate() {
        // Only the last action of an episode may be a wrong one, which changes nothing.
        let is_allowed = allowed(&table, hand, may_put_back).contains(&action);
        assert!(is_allowed || step + 1 == actions.len(), "{name}, step {step}");
        match action {
            _ if !is_allowed => {}
            0 => {
                table.apply(Move::Row);
            }
            1..=10 => hand = Hand { from: action as u8 - 1, count: hand.count + 1 },
            _ => {
                let (to, Hand { from, count }) = (action as u8 - 11, hand);
                if to != from {
                    table.apply(Move::Run { from, to, count });
                }
                hand.count = 0;
            }
        }
        assert_eq!(i64::from(table.score()), rewards[step], "{name}, step {step}");
        assert_eq!(i64::from(table.moves_made()), moves[step], "{name}, step {step}");
        assert_eq!(table.completed().len() as i64, completed[step], "{name}, step {step}");
        let expected = numbers(&episode["valid_after"][step]);
        assert_eq!(allowed(&table, hand, may_put_back), expected, "{name}, step {step}");
    }
    let text = table.text();
    for (place, (line, pile)) in
        text.lines().zip(episode["final_piles"].as_array().expect("piles")).enumerate()
    {
        let mut words: Vec<&str> = line.split(' ').skip(1).collect();
        if place == usize::from(hand.from) {
            words.truncate(words.len() - usize::from(hand.count));
        }
        let expected = pile.as_str().expect("a pile");
        assert_eq!(words.join(" "), expected, "{name}, pile {}", place + 1);
    }
    assert_eq!(i64::from(table.left()), episode["final_bank"].as_i64().expect("a number"));
    table.moves_made()
}

#[test]
fn recorded_episodes_go_as_recorded() {
    let episodes = episodes("episodes");
    assert_eq!(episodes.len(), 10);
    assert!(episodes.iter().map(follow).sum::<u32>() > 500);
}

#[test]
fn made_episodes_go_as_the_rules_say() {
    let episodes = episodes("made");
    assert_eq!(episodes.len(), 6);
    for episode in &episodes {
        follow(episode);
    }
}
