//! The general table and its prunings against the plain rules, under many rules.

use std::collections::HashMap;

use super::*;
use crate::games::belle_lucie::plain::{Plain, endgame, fans, layout, rules};
use crate::games::{Playable, open};
use crate::rng::Decks;
use crate::search::{Game, Limits, Outcome, Status, Task, search};

/// The rules of each row of the table of safe moves.
const ROWS: [&str; 8] = [
    "",
    "merci=play",
    "merci=front",
    "merci=second",
    "merci=anywhere",
    "kings_to_spaces=yes",
    "build=any",
    "build=any build_up=yes max_cards=3",
];

fn random_rules(seed: u64) -> String {
    let mut chance = Decks::new(seed);
    let mut words = Vec::new();
    let mut choose = |field: &str, values: &[&str]| {
        words.push(format!("{field}={}", values[chance.below(values.len() as u64) as usize]));
    };
    choose("redeals", &["0", "0", "0", "1", "2"]);
    choose("merci", &["none", "none", "none", "play", "front", "anywhere", "second"]);
    choose("merci_count", &["1", "1", "2"]);
    choose("merci_deals", &["last", "any"]);
    choose("build", &["suit", "suit", "any"]);
    choose("build_up", &["no", "no", "yes"]);
    choose("kings_to_spaces", &["no", "yes"]);
    choose("fan_size", &["3", "2", "4"]);
    choose("max_cards", &["0", "0", "3", "2", "4"]);
    choose("may_hold_back", &["yes", "no"]);
    words.join(" ")
}

fn table(rules: &Rules, position: &Plain) -> BelleLucie {
    BelleLucie::new(*rules, &position.fans, position.deal, position.mercis, &position.orders)
}

fn solve(game: &BelleLucie, maximize: bool, prune: bool) -> Outcome<Move> {
    search(&mut game.clone(), &Task { maximize, prune, ..Task::default() }, &mut |_| false)
}

/// All positions that can be reached from one, in both forms, with the moves between them.
struct Graph {
    nodes: Vec<(BelleLucie, Plain)>,
    /// The moves of each node, and where they lead.
    moves: Vec<Vec<(Move, usize)>>,
    /// The greatest score that can be reached from each node.
    best: Vec<i32>,
}

/// Returns the graph; `None` if there are more positions than `most`.
fn graph(rules: &Rules, start: Plain, most: usize) -> Option<Graph> {
    let mut number = HashMap::from([(start.name(), 0)]);
    let mut nodes = vec![(table(rules, &start), start)];
    let mut moves: Vec<Vec<(Move, usize)>> = Vec::new();
    while moves.len() < nodes.len() {
        let (mut game, position) = nodes[moves.len()].clone();
        let mut listed = Vec::new();
        game.moves(&mut listed);
        assert!(listed.len() <= game.most_moves());
        let plain = position.moves(rules);
        let tokens: Vec<String> = listed.iter().map(|&m| game.token(m)).collect();
        let expected: Vec<&String> = plain.iter().map(|(token, _)| token).collect();
        assert_eq!(tokens.iter().collect::<Vec<_>>(), expected, "{}", position.text(rules));
        let mut reached = Vec::new();
        for (m, (_, after)) in listed.into_iter().zip(plain) {
            let next = nodes.len();
            let to = *number.entry(after.name()).or_insert(next);
            if to == next {
                let undo = game.apply(m);
                nodes.push((game.clone(), after));
                game.undo(m, undo);
            }
            reached.push((m, to));
        }
        moves.push(reached);
        if nodes.len() > most {
            return None;
        }
    }
    let mut best: Vec<i32> = nodes.iter().map(|(_, position)| position.score()).collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for node in (0..nodes.len()).rev() {
            for &(_, to) in &moves[node] {
                if best[to] > best[node] {
                    best[node] = best[to];
                    changed = true;
                }
            }
        }
    }
    Some(Graph { nodes, moves, best })
}

/// Checks the hooks on a whole graph; returns the number of forced moves.
fn check_hooks(words: &str, graph: &Graph) -> u32 {
    let mut forced = 0;
    for (node, (game, position)) in graph.nodes.iter().enumerate() {
        let best = graph.best[node];
        let after = |m: Move| {
            let found = graph.moves[node].iter().find(|&&(legal, _)| legal == m);
            graph.best[found.unwrap_or_else(|| panic!("{m:?} is not legal")).1]
        };
        let text = || format!("{words}: {} in {}", graph.nodes[0].1.name().deal, layout(&position.fans));
        assert!(game.bound() >= best, "bound {} below {best}; {}", game.bound(), text());
        assert!(!(game.is_dead_end() && best == 52), "no dead end; {}", text());
        if let Some(m) = game.forced() {
            assert_eq!(after(m), best, "{} is not safe; {}", game.token(m), text());
            forced += 1;
        } else {
            let mut branches = Vec::new();
            game.branches(&mut branches);
            let most = branches.into_iter().map(after).max().unwrap_or(0).max(position.score());
            assert_eq!(most, best, "the branches miss something; {}", text());
        }
    }
    forced
}

/// Checks what the search finds; the plain rules replay its line.
fn check_search(words: &str, rules: &Rules, game: &BelleLucie, start: &Plain, best: i32) {
    let chosen = Task { maximize: true, ..Task::default() };
    for (maximize, prune, found) in [
        (true, true, solve(game, true, true)),
        (false, true, solve(game, false, true)),
        (true, false, solve(game, true, false)),
        // The search that the game chooses: packed, or with restarts.
        (true, true, game.search(&chosen, &mut |_| false)),
    ] {
        let text = format!("{words}, maximize {maximize}, prune {prune}: {}", start.text(rules));
        let status = if best == 52 { Status::Solved } else { Status::Unsolvable };
        assert_eq!(found.status, status, "{text}");
        assert!(!maximize || found.score_proved && found.score == best, "{} not {best}: {text}", found.score);
        let (mut game, mut position) = (game.clone(), start.clone());
        for &m in &found.moves {
            let token = game.token(m);
            let after = position.moves(rules).into_iter().find(|(plain, _)| *plain == token);
            position = after.unwrap_or_else(|| panic!("{token} is illegal; {text}")).1;
            game.apply(m);
        }
        assert_eq!(position.score(), found.score, "{text}");
    }
}

fn check_rules(words: &str, seeds: std::ops::Range<u64>, most_cards: u64) -> (u32, u32, u32) {
    let rules = rules(words);
    let (mut checked, mut wins, mut forced) = (0, 0, 0);
    for seed in seeds {
        let start = endgame(&rules, seed, most_cards);
        let Some(graph) = graph(&rules, start.clone(), 3000) else { continue };
        forced += check_hooks(words, &graph);
        check_search(words, &rules, &graph.nodes[0].0, &start, graph.best[0]);
        checked += 1;
        wins += u32::from(graph.best[0] == 52);
    }
    (checked, wins, forced)
}

#[test]
fn every_row_of_safe_moves_loses_nothing() {
    for (row, words) in ROWS.into_iter().enumerate() {
        let start = 1000 * row as u64;
        let (checked, wins, forced) = check_rules(words, start..start + 150, 13);
        // Both verdicts must occur, and safe moves unless there are none.
        assert!(checked > 60 && (10..checked).contains(&wins), "{words}: {wins} of {checked}");
        assert_eq!(forced > 100, !words.contains("build_up"), "{words}: {forced}");
    }
}

#[test]
fn random_rules_are_searched_soundly() {
    let mut checked = 0;
    for seed in 0..600 {
        checked += check_rules(&random_rules(seed), 10_000 + seed..10_001 + seed, 10).0;
    }
    assert!(checked > 400, "{checked}");
}

/// For changes of the rules or of the prunings.
#[test]
#[ignore = "minutes"]
fn many_rules_are_searched_soundly() {
    for (row, words) in ROWS.into_iter().enumerate() {
        let start = 100_000 * (row as u64 + 1);
        println!("{words}: {:?}", check_rules(words, start..start + 2000, 14));
    }
    for seed in 0..8000 {
        check_rules(&random_rules(1000 + seed), 20_000 + seed..20_001 + seed, 11);
    }
}

#[test]
fn the_traps_of_the_table_of_safe_moves() {
    for (words, position, best) in [
        ("merci=play", "8C 9C QC/TC KS QS/KC JC TS/KH JS", 52),
        ("merci=front", "6C JC 7C/9C TC QC/8C KC", 47),
        ("merci=second", "JC KC KH/QC QH", 52),
        ("merci=anywhere", "KD KS QC/TC JC KC", 52),
        ("merci=anywhere", "KC KS 9D/TD JD KD/QD QS", 52),
        ("kings_to_spaces=yes", "9D KD 8D/JD TD QD/KC", 52),
        ("build=any", "KD JD QD/KS KC", 52),
        ("build=any", "QD 8C JC/KC TC QC/KD 9C", 52),
        ("build=any build_up=yes max_cards=3", "KC KS QC/QH KH", 52),
        // A redeal is allowed only with no card to play, and the safe build uncovers one.
        ("redeals=1 may_hold_back=no", "TD QD/KD JD/JC QC/KC", 52),
    ] {
        let rules = rules(words);
        // The order matters only where there is a redeal.
        let orders = fans("TD JC QC JD QD KD KC").into_iter().take(rules.redeals.into()).collect();
        let start = Plain { orders, ..Plain::new(&rules, fans(position)) };
        assert_eq!(start.best(&rules, 1_000_000), Some(best), "{words}: {position}");
        check_search(words, &rules, &table(&rules, &start), &start, best);
    }
}

#[test]
fn cards_are_held_back_where_that_wins() {
    let rules = rules("redeals=1");
    let best = |order: &str| {
        let start = Plain { orders: fans(order), ..Plain::new(&rules, fans("QC JC KC/TC")) };
        check_search("redeals=1", &rules, &table(&rules, &start), &start, start.best(&rules, 1000).unwrap());
        start.best(&rules, 1000)
    };
    // With the ten down four cards are dealt 3 + 1; without it three, in one fan.
    assert_eq!(best("KC JC QC TC"), Some(49));
    assert_eq!(best("KC QC TC JC"), Some(52));
    assert_eq!(best("QC JC TC KC"), Some(52));
    assert_eq!(best("QC KC JC TC"), Some(50));
}

#[test]
fn text_tokens_and_outcome_are_those_of_the_plain_rules() {
    for seed in 0..300 {
        let words = random_rules(50_000 + seed);
        let fields = words.split_whitespace().filter_map(|word| word.split_once('='));
        let fields = fields.map(|(field, value)| (field.to_string(), value.to_string())).collect();
        let (fixed, rules) = (open("belle-lucie", fields).expect("all rules are supported"), rules(&words));
        let mut chance = Decks::new(seed);
        let mut position = endgame(&rules, 60_000 + seed, 20);
        // Some redeals may be unknown.
        position.orders.truncate(chance.below(3) as usize);
        for _ in 0..40 {
            let moves = position.moves(&rules);
            let tokens: Vec<String> = moves.iter().map(|(token, _)| token.clone()).collect();
            let text = position.text(&rules);
            let played = fixed.play(&text, &[]).unwrap_or_else(|fault| panic!("{words}: {text}: {fault}"));
            assert_eq!((&played.position, played.score), (&text, position.score()), "{words}");
            assert_eq!(fixed.legal_moves(&text), Ok(tokens.clone()), "{words}");
            let waits = position.may_redeal(&rules) && position.orders.is_empty();
            let outcome = match position.score() {
                52 => Some("won"),
                _ if tokens.is_empty() && !waits => Some("stuck"),
                _ => None,
            };
            assert_eq!(played.outcome, outcome, "{words}: {text}");
            if moves.is_empty() {
                break;
            }
            let (token, after) = &moves[chance.below(moves.len() as u64) as usize];
            let played = fixed.play(&text, std::slice::from_ref(token)).map(|played| played.position);
            assert_eq!(played, Ok(after.text(&rules)), "{words}: {token} in {text}");
            position = after.clone();
        }
    }
}

#[test]
fn restarts_keep_to_the_limits_and_to_the_verdict() {
    let rules = rules("build=any");
    let deal = |seed| BelleLucie::deal(&rules, &mut Decks::new(seed));
    // A hard deal: no attempt of this length wins it.
    for nodes in [0, 1, 299, 300, 301, 2000, 70_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        for maximize in [false, true] {
            let task = Task { limits, maximize, ..Task::default() };
            let mut last = 0;
            let found = deal(54).search(&task, &mut |progress| {
                assert!(progress.nodes >= last && progress.best <= 52);
                last = progress.nodes;
                false
            });
            assert_eq!((found.status, found.stats.nodes), (Status::NodeLimit, nodes));
            let mut game = deal(54);
            for &m in &found.moves {
                game.apply(m);
            }
            assert_eq!(game.score(), found.score);
        }
    }
    let none = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let found = deal(54).search(&Task { limits: none, ..Task::default() }, &mut |_| false);
    assert_eq!(found.status, Status::TimeLimit);
    assert_eq!(deal(54).search(&Task::default(), &mut |_| true).status, Status::Cancelled);
    // The second attempt, or a later one, wins this deal.
    let found = deal(38).search(&Task::default(), &mut |_| false);
    assert_eq!(found.status, Status::Solved);
    assert!(found.stats.nodes > 300, "{}", found.stats.nodes);
}

#[test]
fn undo_undoes_and_keys_name_positions() {
    for seed in 0..200 {
        let words = random_rules(70_000 + seed);
        let rules = rules(&words);
        let Some(graph) = graph(&rules, endgame(&rules, 80_000 + seed, 9), 1000) else { continue };
        let mut name_of = HashMap::new();
        for ((game, position), moves) in graph.nodes.iter().zip(&graph.moves) {
            assert_eq!(name_of.insert(game.key(), position.name()), None, "two positions with one key");
            // A position built from its fans has the same key as one reached by moves.
            let built = table(&rules, position).now;
            assert_eq!((game.now.links, game.now.covering), (built.links, built.covering));
            let mut played = game.clone();
            for &(m, to) in moves {
                let undo = played.apply(m);
                assert_eq!(played.key(), graph.nodes[to].0.key(), "{words}: {}", game.token(m));
                played.undo(m, undo);
                // Orders of redeals ignore the cards that are up.
                assert_eq!((played.text(), played.key()), (game.text(), game.key()));
                assert_eq!((played.now.tops, played.now.covering), (game.now.tops, game.now.covering));
                assert_eq!(played.now.len, game.now.len);
            }
        }
    }
}
