//! Aces Up by rule lists: the reference games of tests/data/aces-up/, and every list against deliberately simple rules.

use std::collections::HashMap;

use super::lists::RuleList;
use super::play;
use super::table::{AcesUp, NONE, card_of, number_of};
use crate::cards::Card;
use crate::games::{Fields, Playable, Results, Start, players};
use crate::search::Game;

fn read(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../tests/data/aces-up/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().skip(1).map(columns).collect()
}

/// Returns the columns of a line; commas between quotes are text.
fn columns(line: &str) -> Vec<String> {
    let mut columns = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => columns.push(String::new()),
            _ => columns.last_mut().expect("there is one").push(letter),
        }
    }
    columns
}

/// Returns the reference decks, ready to be dealt.
fn decks() -> HashMap<String, AcesUp> {
    let rules = AcesUp::rules(&mut Fields::for_tests(Vec::new())).expect("the default rules");
    let dealt = |row: Vec<String>| {
        let [name, deck] = row.try_into().expect("two columns");
        let card = |text: &str| number_of(text.parse::<Card>().expect("a card"));
        let deck: Vec<u8> = deck.split(' ').map(card).collect();
        (name, AcesUp::new(rules, &[], &deck, NONE))
    };
    read("decks.csv").into_iter().map(dealt).collect()
}

/// Returns the results of each of these policies on each of these positions.
fn mass(positions: &[AcesUp], policies: &[String]) -> Vec<Results> {
    let players = players("aces-up", Vec::new(), policies, None).expect("the engine has them");
    let starts: Vec<_> = positions.iter().map(|game| (Start::Position(game.text()), 0)).collect();
    players.play(&starts, &mut |_| false).expect("they play to the end")
}

#[test]
fn every_reference_game_in_classic() {
    let (decks, rows) = (decks(), read("classic.csv"));
    assert_eq!((decks.len(), rows.len()), (120, 1560));
    for row in rows {
        let [name, rules, score, won, moved, piles, counts, moves] = row.as_slice() else {
            panic!("{row:?}")
        };
        let mut game = decks[name].clone();
        let line = play::line(&game, &RuleList::parse(rules).expect("a list"));
        let mut tokens = Vec::new();
        for m in line {
            tokens.push(game.token(m));
            game.apply(m);
        }
        let expected: Vec<&str> = moves.split(' ').filter(|token| !token.ends_with('x')).collect();
        assert_eq!(tokens, expected, "{name} {rules}");
        assert_eq!(
            (game.score().to_string(), u8::from(game.is_won()).to_string()),
            (score.clone(), won.clone())
        );
        assert_eq!(tokens.iter().filter(|&token| token != "d").count().to_string(), *moved);
        let pile = |pile| {
            let mut cards: Vec<String> = game.pile(pile).map(|card| card_of(card).to_string()).collect();
            cards.reverse();
            cards.join(" ")
        };
        assert_eq!((0..4).map(pile).collect::<Vec<_>>().join("|"), *piles, "{name} {rules}");
        let results = &mass(&[decks[name].clone()], &[format!("rules:{rules}")])[0];
        let mut counted: Vec<(u64, u64)> =
            results.counts.iter().map(|(rule, count)| (rule.parse().expect("a number"), count.0)).collect();
        counted.sort_unstable();
        let counted: Vec<String> = counted.iter().map(|(rule, count)| format!("{rule}:{count}")).collect();
        assert_eq!(counted.join(" "), *counts, "{name} {rules}");
    }
}

/// Checks all games of a file at once: the lists share their play.
fn check_results(file: &str, dialect: &str) {
    let (decks, rows) = (decks(), read(file));
    let mut names: Vec<&String> = decks.keys().collect();
    names.sort_unstable();
    let mut lists: Vec<&String> = rows.iter().map(|row| &row[1]).collect();
    lists.sort_unstable();
    lists.dedup();
    let positions: Vec<AcesUp> = names.iter().map(|&name| decks[name].clone()).collect();
    let policies: Vec<String> = lists.iter().map(|list| format!("rules:{list}{dialect}")).collect();
    let results = mass(&positions, &policies);
    assert_eq!(rows.len(), names.len() * lists.len());
    for row in &rows {
        let [name, list, score, won, moves, ..] = row.as_slice() else { panic!("{row:?}") };
        let result = &results[lists.binary_search(&list).expect("it was played")];
        let game = names.binary_search(&name).expect("it was played");
        let (score_then, told) = (result.scores[game], result.tableau_moves.as_ref().expect("told"));
        let played = [score_then, i16::from(result.won[game]), i16::from(told[game])];
        assert_eq!(
            played.map(|number| number.to_string()),
            [score, won, moves].map(String::clone),
            "{row:?}"
        );
    }
}

#[test]
fn results_of_the_reference_games() {
    check_results("classic.csv", "");
    check_results("documented.csv", "@documented");
}
