//! Aces Up by weights and by rollouts: quick against plain, and no look at a hidden card. A law of the Python tests
//! checks that both sides play alike in all variants.

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::plain::{VARIANTS, any_rules, random_deck};
use super::play;
use super::quick::{Opening, Table};
use super::table::{AcesUp, Move, NONE, card_of};
use super::table_tests::game;
use super::weights::{self, Full, Weights, options};
use crate::cards::Card;
use crate::games::{self, Playable, Playouts, PlaysPolicies, Start, Tally};
use crate::rng::Decks;
use crate::search::Game;

/// The weights of the specification.
const PUBLISHED: [f64; 18] = [
    -2.016, -1.171, 1.295, 0.956, -0.568, 0.385, 0.121, 0.026, 0.305, 0.613, 0.216, 0.862, -1.257, -0.121,
    -0.573, -0.180, -0.319, 2.740,
];

fn packed(weights: &[f64]) -> Vec<u8> {
    weights.iter().flat_map(|weight| weight.to_le_bytes()).collect()
}

/// Returns the published weights, and others by their number.
fn some_weights(number: u64) -> Weights {
    let mut luck = Decks::new(number);
    let weights =
        PUBLISHED.map(|weight| if number == 0 { weight } else { luck.below(601) as f64 / 100.0 - 3.0 });
    Weights::from_bytes(&packed(&weights)).expect("weights")
}

/// Returns all variants, and other combinations of rules.
fn all_rules() -> Vec<String> {
    VARIANTS.iter().map(|(_, fields)| fields.to_string()).chain((0..25).map(any_rules)).collect()
}

/// Returns a position after some random moves.
fn somewhere(fields: &str, seed: u64) -> AcesUp {
    let mut luck = Decks::new(seed ^ 0xACE5);
    let mut game = game(fields, &random_deck(if seed % 3 == 2 { 16 } else { 52 }, seed));
    for _ in 0..luck.below(20) {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        game.apply(moves[luck.below(moves.len() as u64) as usize]);
    }
    game
}

fn strength(card: Card) -> u32 {
    if card.rank() == 1 { 14 } else { card.rank() as u32 }
}

/// Returns the features 2 and 4 to 16, counted card by card.
fn count_features(game: &AcesUp) -> Vec<f64> {
    let mut counts = [0; 17];
    for pile in 0..game.rules.piles {
        let mut cards: Vec<Card> = game.pile(pile).map(card_of).collect();
        cards.reverse();
        counts[2] += u32::from(cards.is_empty());
        counts[4] += cards.len().pow(2) as u32;
        for (place, card) in cards.iter().enumerate() {
            if card.rank() == 1 {
                counts[if place == 0 { 5 } else { 6 }] += 1;
                counts[7] += place as u32;
                counts[8] += (cards.len() - 1 - place) as u32;
            }
            for (higher, above) in cards.iter().enumerate().skip(place + 1) {
                if card.suit() == above.suit() {
                    let feature = if strength(*above) > strength(*card) { 9 } else { 10 };
                    counts[feature] += 1;
                    counts[feature + 2] += u32::from(higher == place + 1);
                }
            }
        }
        counts[13] += cards.first().map_or(0, |&card| strength(card));
        counts[14] += cards.last().map_or(0, |&card| strength(card));
        counts[15] += if cards.len() == 1 { strength(cards[0]) } else { 0 };
        counts[16] = counts[16].max(cards.len() as u32);
    }
    let tenths = [4, 13, 14, 15];
    let value =
        |feature: usize| f64::from(counts[feature]) / if tenths.contains(&feature) { 10.0 } else { 1.0 };
    [2].into_iter().chain(4..17).map(value).collect()
}

#[test]
fn features_are_what_they_say() {
    for (number, fields) in (0..).zip(all_rules()) {
        for seed in 0..20 {
            let game = somewhere(&fields, 100 * number + seed);
            let (opening, is_deal) = (Opening::of(&game), seed % 2 == 0);
            let held = game.left() as u32 + u32::from(game.now.cell != NONE);
            let features = match game.rules.piles {
                4 => weights::features(&Table::<Full, 4>::stacked(&opening), is_deal, 13, held),
                _ => weights::features(&Table::<Full, 5>::stacked(&opening), is_deal, 13, held),
            };
            let counted: Vec<f64> = [2].into_iter().chain(4..17).map(|feature| features[feature]).collect();
            assert_eq!(counted, count_features(&game), "{fields}:\n{}", game.text());
            let deal = f64::from(u8::from(is_deal));
            let others = [deal, deal * 13.0 / 52.0, features[2] * 13.0 / 52.0, f64::from(game.score())];
            assert_eq!([features[0], features[1], features[3], features[17]], others, "{fields}");
        }
    }
}

/// The quick table, which takes moves back, plays like one that copies whole positions.
#[test]
fn quick_games_by_weights_are_those_of_the_rules() {
    for (number, fields) in (0..).zip(all_rules()) {
        for seed in 0..24 {
            let (start, weights) = (somewhere(&fields, 100 * number + seed), some_weights(seed % 6));
            let (mut quick, mut plain, mut end) = (Vec::new(), Vec::new(), start.clone());
            let score = weights::play(&start, &weights, &mut quick);
            weights::play_slowly(&mut end, &weights, &mut plain);
            assert_eq!(quick, plain, "{fields}:\n{}", start.text());
            assert_eq!(score, end.score());
        }
    }
}

fn policy(game: &AcesUp, name: &str) -> super::advice::Policy {
    AcesUp::policy(&game.rules, name, Some(&packed(&PUBLISHED)))
        .unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

/// Returns the moves of a policy.
fn line(game: &AcesUp, name: &str, luck: u64) -> Vec<Move> {
    let policy = policy(game, name);
    game.play_by(&policy, &mut Decks::new(luck), &mut |_| false).expect("it plays to the end")
}

/// Returns a base that fits the rules: a list that always finds a pile, or weights.
fn base(number: u64) -> &'static str {
    ["10,100,4,200", "2,1,10,1000@documented", "weights"][number as usize % 3]
}

/// Returns the move of `rollout`, computed option by option and game by game.
fn plain_choice(game: &AcesUp, base: &str, samples: u64, bonus: u64, luck: &mut Decks) -> Option<Move> {
    let options = options(game);
    if options.len() < 2 {
        return options.first().copied();
    }
    let mut stream = Decks::new(luck.bits());
    let mut unseen: Vec<Card> = game.stock().iter().map(|&card| card_of(card)).collect();
    unseen.sort_unstable();
    let mut sums = vec![0; options.len()];
    for _ in 0..samples {
        let order: Vec<Card> = stream.deck(unseen.len()).into_iter().map(|place| unseen[place]).collect();
        let mut laid = game.clone();
        for (place, &card) in order.iter().enumerate() {
            laid.stock[usize::from(laid.now.dealt) + place] = super::table::number_of(card);
        }
        for (&m, sum) in options.iter().zip(&mut sums) {
            let mut after = laid.clone();
            after.apply(m);
            let rest = if base == "weights" { base.to_string() } else { format!("rules:{base}") };
            for m in line(&after, &rest, 0) {
                after.apply(m);
            }
            *sum += after.score() as u64 + if after.is_won() { bonus } else { 0 };
        }
    }
    let most = *sums.iter().max()?;
    sums.iter().position(|&sum| sum == most).map(|place| options[place])
}

#[test]
fn rollouts_are_played_as_they_are_specified() {
    for (number, fields) in (0..).zip(all_rules()) {
        for seed in 0..3 {
            let mut game = somewhere(&fields, 10 * number + seed);
            let (base, mut luck) = (base(number + seed), Decks::new(seed));
            let line = line(&game, &format!("rollout:4;bonus=7;base={base}"), seed);
            for m in line {
                let expected = plain_choice(&game, base, 4, 7, &mut luck);
                assert_eq!(Some(m), expected, "{fields} {base}:\n{}", game.text());
                game.apply(m);
            }
            assert!(game.is_won() || options(&game).is_empty(), "{fields}:\n{}", game.text());
        }
    }
}

/// Returns how the table looks to a player.
fn look(game: &AcesUp) -> String {
    let text = game.text();
    let hidden: String = text.lines().filter(|line| !line.starts_with("Stock")).collect();
    format!("{hidden} {}", game.left())
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// Two positions that look the same, with other orders of the stock, are played the same way until a deal shows a
/// difference; and their moves have the same tallies.
#[test]
fn no_hidden_card_is_seen() {
    let (pool, mut differed) = (pool(1), 0);
    for (number, fields) in (0..).zip(all_rules()) {
        for seed in 0..3 {
            let game = somewhere(&fields, 10 * number + seed);
            let mut stock = Opening::of(&game).unseen();
            Decks::new(seed).shuffle(&mut stock);
            let other = game.with_stock(&stock);
            assert_eq!(look(&game), look(&other));
            let mut moves = Vec::new();
            game.moves(&mut moves);
            let tallies = |game: &AcesUp| {
                game.playouts(&moves, 5, &mut Decks::new(seed), &pool, &mut |_| false).expect("games")
            };
            assert_eq!(tallies(&game), tallies(&other), "{fields}:\n{}", game.text());
            for name in ["rules:2,1,1000", "weights", "rollout:3", "rollout:2;base=weights"] {
                let (mut game, mut other) = (game.clone(), other.clone());
                let (one, two) = (line(&game, name, seed), line(&other, name, seed));
                let mut pairs = (0..).map(|place| (one.get(place), two.get(place)));
                while look(&game) == look(&other) {
                    let Some(pair) = pairs.next() else { unreachable!("it never ends") };
                    assert_eq!(pair.0, pair.1, "{fields} by {name}:\n{}\n{}", game.text(), other.text());
                    let (Some(&one), Some(&two)) = pair else { break };
                    game.apply(one);
                    other.apply(two);
                }
                differed += u32::from(look(&game) != look(&other));
            }
        }
    }
    assert!(differed > 100, "only {differed} pairs came to differ");
}

/// The tallies depend neither on threads nor on how the samples are split: the random stream continues.
#[test]
fn playouts_are_the_same_on_any_number_of_threads_and_in_parts() {
    let mut positions = (0..).map(|seed| somewhere("", seed));
    let game = positions.find(|game| game.left() > 10 && options(game).len() > 2).expect("there is one");
    let moves = options(&game);
    let play = |samples: &[u64], threads| {
        let pool = pool(threads);
        let mut luck = Decks::new(5);
        let mut tallies = vec![Tally::default(); moves.len()];
        for &samples in samples {
            let more = game.playouts(&moves, samples, &mut luck, &pool, &mut |_| false);
            tallies.iter_mut().zip(more.expect("games")).for_each(|(tally, more)| tally.add(more));
        }
        (tallies, luck.state())
    };
    let whole = play(&[300], 1);
    assert_eq!(whole.0.iter().map(|tally| tally.games).collect::<Vec<_>>(), vec![300; moves.len()]);
    assert_eq!(whole, play(&[300], 3));
    assert_eq!(whole, play(&[1, 150, 149], 2));
}

/// A line of a list goes on where one by weights ends: at the win.
#[test]
fn weights_stop_at_a_win_and_lists_do_not() {
    let text = "Pile 1: AC AD\nPile 2:\nPile 3: AH\nPile 4: AS\nStock: -\n";
    let game = AcesUp::parse(&super::plain::rules(""), text).expect("a position");
    assert!(game.is_won());
    assert_eq!(line(&game, "weights", 0), []);
    assert_eq!(line(&game, "rollout:3", 0), []);
    assert_eq!(play::line(&game, &super::lists::RuleList::parse("1").expect("a list")).len(), 1);
}

/// Wins, scores and moves: a changed number changes every published figure.
#[test]
fn the_first_games_of_each_policy() {
    let policies = ["rules:10,100,4,200", "rules:10,2,4,200@documented", "weights", "rollout:10"];
    let (policies, values) = (policies.map(str::to_string), packed(&PUBLISHED));
    let players = games::players("aces-up", Vec::new(), &policies, Some(&values)).expect("policies");
    let starts: Vec<(Start, u64)> = (0..1000).map(|seed| (Start::Seed(seed), seed)).collect();
    let results = players.play(&starts, &mut |_| false).expect("they play");
    let sums = results.iter().map(|result| {
        let sum = |bytes: &[u8]| bytes.iter().map(|&byte| i32::from(byte)).sum::<i32>();
        let scores = result.scores.iter().map(|&score| i32::from(score)).sum::<i32>();
        [sum(&result.won), scores, sum(result.tableau_moves.as_deref().unwrap_or_default())]
    });
    assert_eq!(
        sums.collect::<Vec<_>>(),
        [[12, 36828, 4790], [14, 36585, 4532], [20, 37690, 5371], [29, 37122, 4472]]
    );
}

#[test]
fn a_player_can_be_stopped_in_the_middle_of_a_move() {
    let player = games::player("aces-up", Vec::new(), "rollout:1000000", None).expect("the engine has it");
    let mut looks = 0;
    let stopped = player.play(&Start::Seed(11), 7, &mut |_| {
        looks += 1;
        looks > 3
    });
    assert_eq!(stopped.expect_err("it was stopped").to_string(), "the game was stopped");
    for name in ["rules:1,1000", "weights", "rollout:2"] {
        let (policies, values) = ([name.to_string()], packed(&PUBLISHED));
        let players =
            games::players("aces-up", Vec::new(), &policies, Some(&values)).expect("the engine has it");
        assert!(players.play(&[(Start::Seed(1), 2)], &mut |_| true).is_err(), "{name}");
    }
}

#[test]
fn a_policy_that_is_none_is_told_with_those_that_are() {
    let rules = super::plain::rules("");
    let fault =
        |name: &str, values: Option<&[u8]>| AcesUp::policy(&rules, name, values).expect_err(name).to_string();
    assert_eq!(
        fault("value", None),
        "the engine has no policy \"value\" of aces-up; it has planner:60, random, rollout:60, rules:1,1000, weights"
    );
    assert_eq!(fault("weights", None), "the policy needs weights");
    assert_eq!(fault("rollout:2;base=weights", None), "the policy needs weights");
    assert_eq!(fault("weights", Some(&[0; 8])), "8 bytes are no weights; expected 18 numbers of 8");
    let nan = packed(&[f64::NAN; 18]);
    assert_eq!(fault("weights", Some(&nan)), "a weight is not a finite number");
    for name in ["rollout:0", "rollout:1000001", "rollout:x", "rollout:-1"] {
        assert!(fault(name, None).ends_with("expected 1..1000000"), "{name}");
    }
    assert!(fault("rollout:1;bonus=x", None).ends_with("expected 0..1000000"));
    assert!(fault("rollout:1;seed=3", None).contains("is nothing that rollout knows"));
    assert!(fault("rollout:1;base=7", None).starts_with("rule 7 is not defined"));
    let same = ["rollout", "rollout:60", "rollout;bonus=50", "rollout:60;bonus=50;base=10,100,4,200"];
    for name in same {
        assert_eq!(AcesUp::policy(&rules, name, None), AcesUp::policy(&rules, same[0], None), "{name}");
    }
}
