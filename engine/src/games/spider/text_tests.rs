//! The layout text and tokens of Spider, and the messages about wrong ones.

use super::moves::Move;
use super::plain::rules;
use super::table::Table;
use crate::games::Playable;
use crate::rng::Decks;

const LAYOUT: &str =
    "1: [AS] [3S] 2S AS\n2:\n3: [3S] [2S] [AS] 3S 2S\nBank: 3S AS 2S\nCompleted: S S\nMoves: 12\n";

fn small() -> super::Rules {
    rules(&[("suits", "1"), ("runs", "6"), ("ranks", "3"), ("piles", "3"), ("table", "9")])
}

fn fault(text: &str) -> String {
    Table::parse(&small(), text).err().expect("a layout with faults").to_string()
}

#[test]
fn a_layout_is_read_and_written() {
    let table = Table::parse(&small(), LAYOUT).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(table.text(), LAYOUT);
    let piles: Vec<(u8, u8, u8)> =
        table.piles().iter().map(|pile| (pile.len(), pile.down(), pile.run())).collect();
    assert_eq!(piles, [(4, 2, 2), (0, 0, 0), (5, 3, 2)]);
    assert_eq!((table.completed(), table.moves_made(), table.left()), (&[0, 0][..], 12, 3));
    // Six cards lay face down at first, five do now. One pile has none; two joins, two runs, twelve moves.
    assert_eq!((table.sun(), table.score()), (10 + 15 + 4 + 100, 117));
}

#[test]
fn the_deal_of_a_seed() {
    let table = Table::deal(&rules(&[]), &mut Decks::new(7));
    let lines: Vec<String> = table.text().lines().map(str::to_string).collect();
    assert_eq!(lines.len(), 13);
    let lengths: Vec<usize> = lines.iter().map(|line| line.split_whitespace().count() - 1).collect();
    assert_eq!(lengths, [6, 6, 6, 6, 5, 5, 5, 5, 5, 5, 50, 0, 1]);
    assert_eq!((lines[11].as_str(), lines[12].as_str()), ("Completed:", "Moves: 0"));
    assert_eq!(table.score(), 0);
}

#[test]
fn every_fault_is_named() {
    let counts = LAYOUT.replace("Bank: 3S AS 2S", "Bank: 3S AS 3S");
    assert_eq!(fault(&counts), "2S is there 5 times; expected 6; 3S is there 7 times; expected 6");
    let wrong =
        "1: [AS] 2S [AS]\n2: 4S ##\n3: [3S\n3: 2S\nBank: 50\nHand: AS\nCompleted: X\nMoves: many\nxyz\n";
    let found = fault(wrong);
    for expected in [
        "the line \"3\" is there twice",
        "\"Hand\" is no line of this layout",
        "\"xyz\" has no label",
        "1: [AS] lies face down on a card that is face up",
        "2: \"##\" is not a card",
        "3: \"[3S\" is not a card",
        "Bank: \"50\" is not a card",
        "Completed: \"X\" is not a suit",
        "Moves: \"many\" is not a number",
    ] {
        assert!(found.contains(expected), "{expected} in\n{found}");
    }
    let ends = "1: [AS] [2S]\n2: AS 3S 2S AS\n3: 3S 2S AS 2S\nBank: 3S AS\nCompleted: S S\nMoves: 0\n";
    let found = fault(ends);
    for expected in [
        "1: the last card lies face down",
        "2: a complete run lies at its end",
        "3: a complete run lies under other cards",
        "Bank: 2 cards are not whole rows of 3",
        "3S is there 5 times",
    ] {
        assert!(found.contains(expected), "{expected} in\n{found}");
    }
    assert_eq!(fault("1:\n2:\nBank:\nMoves: 0\n"), "there is no line \"3\"; there is no line \"Completed\"");
}

/// A run over a face-down king is complete when the king is turned and the queen brought back to it.
#[test]
fn a_face_down_king_is_no_part_of_a_run() {
    let text = "1: [3S] 2S AS\n2:\n3:\nBank:\nCompleted: S S S S S\nMoves: 0\n";
    let mut table = Table::parse(&small(), text).unwrap_or_else(|fault| panic!("{fault}"));
    for (token, after) in [("1-2x2", "1: 3S\n2: 2S AS\n3:\n"), ("2-1x2", "1:\n2:\n3:\n")] {
        assert!(!table.is_won());
        let m = table.parse_token(token).expect("a legal move");
        table.apply(m);
        assert!(table.text().starts_with(after), "{}", table.text());
    }
    assert!(table.is_won());
    assert_eq!(table.score(), small().most_sun() - 2);
}

#[test]
fn tokens_have_one_spelling() {
    let table = Table::parse(&small(), LAYOUT).expect("a table");
    let run = |from, to, count| Ok(Move::Run { from, to, count });
    assert_eq!(table.parse_token("d"), Ok(Move::Row));
    assert_eq!(table.parse_token("1-3"), run(0, 2, 1));
    assert_eq!(table.parse_token("1-3x1"), run(0, 2, 1));
    assert_eq!(table.parse_token("1-2x2"), run(0, 1, 2));
    for (token, expected) in [
        ("1-3x2", "2S does not go onto 2S"),
        ("3-1", "2S does not go onto AS"),
        ("1-2x3", "the longest run of pile 1 has length 2"),
        ("2-1", "pile 2 is empty"),
        ("1-1", "one pile"),
        ("1-4", "there is no pile 4; expected 1 to 3"),
        ("0-1", "it is not a move"),
        ("01-3", "it is not a move"),
        ("+1-3", "it is not a move"),
        ("1-3x", "it is not a move"),
        ("1-3x0", "it is not a move"),
        ("1-3x300", "it is not a move"),
        ("1-255", "there is no pile 255"),
        ("r", "it is not a move"),
        ("", "it is not a move"),
    ] {
        let fault = table.parse_token(token).err().unwrap_or_else(|| panic!("{token} is accepted"));
        assert!(fault.to_string().contains(expected), "{token}: {fault}");
    }
}

#[test]
fn a_row_waits_for_empty_piles_where_the_rules_are_strict() {
    let strict = super::Rules { deal_on_empty: false, ..small() };
    let table = Table::parse(&strict, LAYOUT).expect("a table");
    assert_eq!(table.parse_token("d").map_err(|fault| fault.to_string()), Err("a pile is empty".to_string()));
    let empty = LAYOUT.replace("Bank: 3S AS 2S", "Bank:").replace("2:\n", "2: 3S AS 2S\n");
    let table = Table::parse(&strict, &empty).expect("a table");
    assert_eq!(
        table.parse_token("d").map_err(|fault| fault.to_string()),
        Err("the bank is empty".to_string())
    );
}
