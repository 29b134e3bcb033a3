//! Aces Up's packed position and its text, against deliberately simple rules.

use super::plain::{Plain, VARIANTS, any_rules, random_deck, rules};
use super::table::{AcesUp, NONE, number_of};
use crate::cards::Card;
use crate::games::Playable;
use crate::rng::Decks;
use crate::search::{Game, perft};

pub(super) fn game(text: &str, deck: &[Card]) -> AcesUp {
    let numbers: Vec<u8> = deck.iter().map(|&card| number_of(card)).collect();
    AcesUp::new(rules(text), &[], &numbers, NONE)
}

/// Plays at random on both sides: checks that moves, tokens and text are equal, that parsed text gives the same
/// position and key, and that undo restores the position.
fn check_line(fields: &str, cards: usize, seed: u64) {
    let rules = rules(fields);
    let deck = random_deck(cards, seed);
    let mut luck = Decks::new(seed ^ 0xA6);
    let (mut game, mut plain) = (game(fields, &deck), Plain::new(&rules, &deck));
    let mut line = Vec::new();
    for _ in 0..80 {
        let text = game.text();
        assert_eq!(text, plain.layout(&rules), "{fields} seed {seed}");
        let read = AcesUp::parse(&rules, &text).expect("what is written can be read");
        assert_eq!(read.text(), text);
        assert_eq!(game.score(), plain.score);
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let mut further = plain.moves(&rules);
        let tokens: Vec<String> = moves.iter().map(|&m| game.token(m)).collect();
        assert!(tokens.iter().eq(further.iter().map(|(token, _)| token)), "{fields}:\n{text}{tokens:?}");
        assert!(moves.len() <= game.most_moves());
        if moves.is_empty() {
            break;
        }
        let choice = luck.below(moves.len() as u64) as usize;
        assert_eq!(game.parse_token(&tokens[choice]), Ok(moves[choice]));
        line.push((moves[choice], game.key(), game.apply(moves[choice]), text));
        plain = further.swap_remove(choice).1;
    }
    for (m, key, undo, text) in line.into_iter().rev() {
        game.undo(m, undo);
        assert_eq!((game.text(), game.key()), (text, key), "{fields}: {m:?} taken back");
    }
}

#[test]
fn random_play_agrees_with_the_plain_rules() {
    for seed in 0..20 {
        for (_, fields) in VARIANTS {
            check_line(fields, 52, seed);
        }
        check_line(&any_rules(seed), 52, seed);
        check_line(&any_rules(seed + 100), if seed % 2 == 0 { 12 } else { 52 }, seed);
    }
}

#[test]
fn the_first_deals_have_the_move_counts_of_the_plain_rules() {
    fn count(plain: &Plain, fields: &str, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        plain.moves(&rules(fields)).iter().map(|(_, after)| count(after, fields, depth - 1)).sum()
    }
    for (name, fields) in VARIANTS {
        let deck = random_deck(52, 7);
        let expected = count(&Plain::new(&rules(fields), &deck), fields, 6);
        assert_eq!(perft(&mut game(fields, &deck), 6, &mut || false), Some(expected), "{name}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let fault = |fields: &str, text: &str| {
        AcesUp::parse(&rules(fields), text).expect_err("this is refused").to_string()
    };
    let piles = "Pile 1: QS 6H\nPile 2: QD\nPile 3:\nPile 4: 4D\n";
    assert_eq!(fault("", &format!("{piles}Stock: -\n")), "4D on pile 4 is beaten by another top card");
    assert_eq!(fault("", "Pile 1: 4D"), "there is no line \"Pile 2\"");
    assert_eq!(
        fault("", &format!("{piles}Stock: 2C 3C\n")),
        "a stock of 2 cards is left by no number of deals"
    );
    assert_eq!(fault("", &format!("{piles}Stock: 4D 3C\n")), "4D is there twice");
    assert_eq!(fault("", &format!("{piles}Stock: -\nDiscards: 3C\n")), "2C is missing");
    assert_eq!(fault("", &format!("{piles}Stock: ?\n")).split(';').next(), Some("\"?\" is not a card"));
    assert_eq!(fault("", "Reserve: -"), "\"Reserve\" is no line of this layout");
    let relaxed = AcesUp::parse(&rules("discards=optional"), &format!("{piles}Stock: -\n"));
    assert_eq!(relaxed.map(|game| game.score()), Ok(48));
}

#[test]
fn a_stock_is_what_deals_leave() {
    let sizes =
        |fields: &str| -> Vec<usize> { (0..=52).filter(|&left| rules(fields).leaves(left)).collect() };
    assert_eq!(sizes(""), [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52]);
    assert_eq!(sizes("piles=5"), [0, 2, 7, 12, 17, 22, 27, 32, 37, 42, 47, 52]);
    assert_eq!(sizes("deal=spaces"), (0..=48).chain([52]).collect::<Vec<_>>());
    assert_eq!(sizes("deal=spaces piles=5"), (0..=47).chain([52]).collect::<Vec<_>>());
}
