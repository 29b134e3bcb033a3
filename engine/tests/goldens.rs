//! Deals and move counts written by the Python rules; `make goldens` writes them again.

use _engine::cards::Card;
use _engine::games::{FixedGame, open};
use _engine::rng::Decks;

/// Returns the lines `key | value value ...` of a data file, which must have some.
fn lines(name: &str) -> Vec<(String, Vec<String>)> {
    let path = format!("{}/../tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines: Vec<_> = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| {
            let (key, values) = line.split_once('|').unwrap_or_else(|| panic!("{path}: no | in {line:?}"));
            (key.trim().to_string(), values.split_whitespace().map(String::from).collect())
        })
        .collect();
    assert!(!lines.is_empty(), "{path} has no lines");
    lines
}

#[test]
fn deck_numbers_name_the_decks_that_they_name_in_python() {
    for (id, expected) in lines("deals.txt") {
        let (seed, number) = id.split_once('#').expect("an id is SEED#NUMBER");
        let mut decks = Decks::new(seed.parse().expect("a seed is a number"));
        for _ in 1..number.parse::<u64>().expect("a deck is a number") {
            decks.skip(52);
        }
        let dealt: Vec<String> =
            decks.deck(52).into_iter().map(|place| Card::at(place).to_string()).collect();
        assert_eq!(dealt, expected, "{id}");
    }
}

/// Returns the game of a variant.
fn game(variant: &str) -> Box<dyn FixedGame> {
    let rules = match variant {
        "belle-lucie/one-deal" => "",
        "belle-lucie/classic" => "redeals=2",
        "belle-lucie/merci" => "redeals=2 merci=play",
        "belle-lucie/three-shuffles-and-a-draw" => "redeals=2 merci=second merci_deals=any",
        "belle-lucie/trefoil" => "redeals=2 aces_out=yes",
        "belle-lucie/super-flower-garden" => "redeals=2 build=any",
        "belle-lucie/fan" => "kings_to_spaces=yes",
        "belle-lucie/fan-18" => "kings_to_spaces=yes fans=18",
        "belle-lucie/shamrocks" => "build=any build_up=yes max_cards=3",
        _ => panic!("the engine does not know {variant}"),
    };
    let fields = rules.split_whitespace().filter_map(|word| word.split_once('='));
    let fields = fields.map(|(field, value)| (field.to_string(), value.to_string()));
    open("belle-lucie", fields.collect()).expect("these rules are supported")
}

#[test]
fn move_counts_are_those_of_the_python_rules() {
    for (id, counts) in lines("belle-lucie/belle-lucie.perft") {
        let (variant, seed) = id.split_once('@').expect("an id is game/variant@seed");
        let game = game(variant);
        let position = game.deal(&mut Decks::new(seed.parse().expect("a seed is a number")));
        for (depth, expected) in (1..).zip(counts) {
            let count = game.perft(&position, depth, &mut || false).expect("a deal is valid");
            assert_eq!(count.map(|count| count.to_string()), Some(expected), "{id} at depth {depth}");
        }
    }
}
