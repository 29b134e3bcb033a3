//! Spider against deliberately simple rules.

use super::moves::Move;
use super::plain::{Names, Plain, random_deck, rules};
use super::rules::Rules;
use super::table::{Table, card_of, number_of};
use crate::cards::Card;
use crate::games::Playable;
use crate::rng::Decks;
use crate::search::{Game, perft};

pub(super) fn table_of(rules: &Rules, deck: &[Card]) -> Table {
    let deck: Vec<u8> = deck.iter().copied().map(number_of).collect();
    Table::dealt(*rules, &deck)
}

/// Returns all kinds of rules, with the seed that deals the deck.
pub(super) fn decks() -> impl Iterator<Item = (Rules, u64)> {
    let sizes: [&[(&str, &str)]; 7] = [
        &[],
        &[("runs", "4"), ("ranks", "6"), ("piles", "4"), ("table", "12")],
        &[("runs", "4"), ("ranks", "4"), ("piles", "3"), ("table", "7")],
        &[("runs", "8"), ("ranks", "3"), ("piles", "4"), ("table", "12")],
        &[("runs", "4"), ("ranks", "2"), ("piles", "2"), ("table", "4")],
        &[("runs", "4"), ("ranks", "5"), ("piles", "5"), ("table", "5")],
        &[("runs", "52"), ("ranks", "2"), ("piles", "10"), ("table", "24")],
    ];
    let kinds = sizes.into_iter().flat_map(|size| {
        ["1", "2", "4"].into_iter().flat_map(move |suits| {
            ["yes", "no"].map(|flag| {
                let all = [size, &[("suits", suits), ("deal_on_empty", flag)]].concat();
                rules(&all)
            })
        })
    });
    kinds.zip(0..)
}

/// Checks everything that is maintained incrementally against the simple table.
fn check_equal(table: &Table, plain: &Plain, moves: u32) {
    let rules = table.rules();
    for (place, (pile, cards)) in table.piles().iter().zip(&plain.piles).enumerate() {
        let expected: Vec<(Card, bool)> =
            (0u8..).zip(pile.cards()).map(|(number, &card)| (card_of(card), number >= pile.down())).collect();
        assert_eq!(expected, *cards);
        assert_eq!(usize::from(pile.run()), plain.longest(place));
    }
    assert!(table.bank().iter().copied().map(card_of).eq(plain.bank.iter().copied()));
    assert!(table.completed().iter().map(|&suit| 3 - usize::from(suit)).eq(plain.completed.iter().copied()));
    assert_eq!(table.sun(), plain.sun(rules));
    assert_eq!(table.sun(), table.count_sun());
    assert_eq!(table.score(), plain.sun(rules) - moves as i32);
    assert_eq!(table.moves_made(), moves);
    assert_eq!(table.is_won(), plain.is_won(rules));
    let read = Table::parse(rules, &table.text()).expect("a table that play has come to");
    assert_eq!((read.text(), read.key(), read.sun()), (table.text(), table.key(), table.sun()));
}

/// Plays one random game, forth and back.
fn check_walk(rules: &Rules, seed: u64, steps: u32) -> usize {
    let deck = random_deck(rules, seed);
    let (mut table, mut plain) = (table_of(rules, &deck), Plain::deal(rules, &deck));
    let mut luck = Decks::new(!seed);
    let mut line = Vec::new();
    for step in 0..steps {
        check_equal(&table, &plain, step);
        let mut moves = Vec::new();
        table.push_moves(&mut moves);
        let expected = plain.moves(rules);
        let tokens: Vec<String> = moves.iter().map(|&m| m.token()).collect();
        assert!(tokens.iter().eq(expected.iter().map(|(token, _)| token)), "{tokens:?} in {plain:?}");
        check_legality(&table, &moves);
        if moves.is_empty() {
            break;
        }
        // Rows are rare, or the bank would be empty at once.
        let mut choice = luck.below(moves.len() as u64) as usize;
        if moves[choice] == Move::Row && luck.below(4) > 0 {
            choice = luck.below(moves.len() as u64) as usize;
        }
        let undo = table.apply(moves[choice]);
        line.push((moves[choice], undo, std::mem::replace(&mut plain, expected[choice].1.clone())));
    }
    let completed = table.completed().len();
    while let Some((m, undo, before)) = line.pop() {
        table.undo(m, undo);
        check_equal(&table, &before, line.len() as u32);
    }
    completed
}

/// Checks that `is_legal` agrees with the list.
fn check_legality(table: &Table, moves: &[Move]) {
    assert_eq!(table.is_legal(Move::Row), moves.contains(&Move::Row));
    for from in 0..11 {
        for to in 0..11 {
            for count in 0..15 {
                let m = Move::Run { from, to, count };
                assert_eq!(table.is_legal(m), moves.contains(&m), "{m:?}");
            }
        }
    }
}

#[test]
fn random_play_agrees_with_plain_rules_forth_and_back() {
    let mut completed = 0;
    for (rules, seed) in decks() {
        for seed in [seed, seed + 1000, seed + 2000] {
            completed += check_walk(&rules, seed, 150);
        }
    }
    // Completing runs is the hard part.
    assert!(completed > 100, "{completed} runs");
}

#[test]
fn move_sequences_are_as_many_as_by_plain_rules() {
    for (rules, seed) in decks() {
        let deck = random_deck(&rules, seed);
        let depth = if rules.piles > 5 { 3 } else { 6 };
        let mut table = table_of(&rules, &deck);
        let expected = Plain::deal(&rules, &deck).perft(&rules, depth);
        assert_eq!(perft(&mut table, depth, &mut || false), Some(expected), "{rules:?}");
    }
}

/// Keys distinguish what must be distinguished, and nothing else.
#[test]
fn keys_name_positions() {
    let mut positions = 0;
    for (rules, seed) in decks() {
        let deck = random_deck(&rules, seed);
        let mut names = Names::new();
        for luck in 0..20 {
            let (mut table, mut plain) = (table_of(&rules, &deck), Plain::deal(&rules, &deck));
            let mut luck = Decks::new(luck);
            for _ in 0..60 {
                names.check(&plain, table.key().into());
                let (mut moves, after) = (Vec::new(), plain.moves(&rules));
                table.push_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                let choice = luck.below(moves.len() as u64) as usize;
                table.apply(moves[choice]);
                plain = after[choice].1.clone();
            }
        }
        positions += names.len();
    }
    assert!(positions > 10_000, "{positions} positions");
}

/// Until the bank is empty a row distinguishes piles.
#[test]
fn the_order_of_piles_counts_while_a_row_is_to_come() {
    let rules = rules(&[("suits", "1"), ("runs", "4"), ("ranks", "2"), ("piles", "2"), ("table", "4")]);
    let key = |text: &str| Table::parse(&rules, text).unwrap_or_else(|fault| panic!("{fault}")).key();
    let rest = "Bank: AS AS\nCompleted: S\nMoves: 3\n";
    let [one, other] =
        ["1: [AS] 2S\n2: 2S 2S\n", "1: 2S 2S\n2: [AS] 2S\n"].map(|piles| format!("{piles}{rest}"));
    assert_ne!(key(&one), key(&other));
    // The number of moves made is no part of a position, nor is the order of completed runs.
    assert_eq!(key(&one), key(&one.replace("Moves: 3", "Moves: 4")));
    let [one, other] =
        [&one, &other].map(|text| text.replace("[AS] 2S\n", "[AS] AS AS 2S\n").replace(" AS AS\nC", "\nC"));
    assert_eq!(key(&one), key(&other));
    // A face-down card differs from the same card face up.
    assert_ne!(key(&one), key(&one.replace("[AS]", "AS")));
}
