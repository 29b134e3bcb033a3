//! Gaps against deliberately simple rules.

use super::board::Step;
use super::rules::Rules;
use super::table::{Gaps, Move};
use crate::games::{Fields, Playable};
use crate::rng::Decks;
use crate::search::Game;

/// The named variants.
pub(super) const VARIANTS: [(&str, &str); 8] = [
    ("addiction", ""),
    ("addiction-early", "early_redeal=yes"),
    ("addiction-one-deal", "redeals=0"),
    ("montana", "redeals=2 redeal_gaps=after-run twos_locked=no early_redeal=yes"),
    ("montana-locked", "redeals=2 redeal_gaps=after-run"),
    ("spaces", "redeals=2 twos_locked=no early_redeal=yes"),
    ("one-deal", "redeals=0 twos_locked=no"),
    ("basic", "redeals=0 fixed_suits=CHSD"),
];

pub(super) fn rules(fields: &str) -> Rules {
    let pairs = fields.split_whitespace().filter_map(|word| word.split_once('='));
    let given = pairs.map(|(field, value)| (field.to_string(), value.to_string())).collect();
    Gaps::rules(&mut Fields::for_tests(given)).expect("these rules are allowed")
}

pub(super) fn variant(name: &str) -> Rules {
    rules(VARIANTS.into_iter().find(|&(other, _)| other == name).expect("a variant").1)
}

/// Returns the cells of the text, row by row.
fn cells(game: &Gaps) -> Vec<Vec<String>> {
    let text = game.text();
    let rows = text.lines().filter(|line| !line.contains(':'));
    rows.map(|line| line.split_whitespace().map(str::to_string).collect()).collect()
}

const RANKS: &str = "A23456789TJQK";

fn next_up(card: &str) -> Option<String> {
    let rank = RANKS.find(&card[..1]).filter(|&rank| rank < 12)?;
    Some(format!("{}{}", &RANKS[rank + 1..rank + 2], &card[1..]))
}

/// Returns the length of the run of a row.
fn run(rules: &Rules, row: usize, cells: &[String]) -> usize {
    let is_right = match rules.fixed_suits {
        None => cells[0].starts_with('2'),
        Some(suits) => cells[0] == format!("2{}", &"CDHS"[suits[row] as usize..=suits[row] as usize]),
    };
    if !is_right {
        return 0;
    }
    1 + cells.windows(2).take_while(|pair| next_up(&pair[0]).as_ref() == Some(&pair[1])).count()
}

/// Returns the legal card moves by the words of the specification.
fn plain_moves(rules: &Rules, cells: &[Vec<String>]) -> Vec<String> {
    let place = |card: &str| cells.iter().flatten().position(|other| other == card).expect("it is there");
    let mut moves = Vec::new();
    for (row, line) in cells.iter().enumerate() {
        for (column, _) in line.iter().enumerate().filter(|(_, cell)| *cell == "--") {
            let called: Vec<String> = if column > 0 {
                next_up(&line[column - 1]).filter(|_| line[column - 1] != "--").into_iter().collect()
            } else {
                let twos = ["2C", "2D", "2H", "2S"].map(String::from);
                let may_go = |two: &String| {
                    let (from, is_first) = (place(two) / 13, place(two) % 13 == 0);
                    match rules.fixed_suits {
                        None => !(is_first && rules.twos_locked),
                        Some(suits) => {
                            let own = |row: usize| "CDHS".find(&two[1..]) == Some(suits[row] as usize);
                            own(row) && !(is_first && own(from))
                        }
                    }
                };
                twos.into_iter().filter(may_go).collect()
            };
            moves.extend(called.into_iter().map(|card| format!("{card}>r{}c{}", row + 1, column + 1)));
        }
    }
    moves
}

fn tokens(game: &Gaps) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves.into_iter().map(|m| game.token(m)).collect()
}

/// Checks that the position is what its text says, and that its moves and score are those of the simple rules.
fn check(rules: &Rules, game: &Gaps) {
    let cells = cells(game);
    let mut expected = plain_moves(rules, &cells);
    let may_redeal =
        game.used < rules.redeals && game.score() < 48 && (rules.early_redeal || expected.is_empty());
    if may_redeal {
        expected.push("r".to_string());
    }
    assert_eq!(tokens(game), expected, "{}", game.text());
    let locked: usize = cells.iter().enumerate().map(|(row, cells)| run(rules, row, cells)).sum();
    assert_eq!(game.score() as usize, locked, "{}", game.text());
    let again = Gaps::parse(rules, &game.text()).expect("it is its own text");
    assert_eq!((&again.board, again.used, again.decks()), (&game.board, game.used, game.decks()));
    assert_eq!(again.key(), game.key());
}

#[test]
fn random_play_agrees_with_the_plain_rules_and_can_be_taken_back() {
    for (name, fields) in VARIANTS {
        let rules = rules(fields);
        for seed in 0..30 {
            let start = Gaps::deal(&rules, &mut Decks::new(seed));
            let (mut game, mut line) = (start.clone(), Vec::new());
            let mut luck = Decks::new(seed + 1000);
            for _ in 0..300 {
                check(&rules, &game);
                let mut moves = Vec::new();
                game.moves(&mut moves);
                // Early redeals are rare, so that there is some play between them.
                if moves.len() > 1 && moves.last() == Some(&Move::Redeal) && luck.below(50) > 0 {
                    moves.pop();
                }
                if moves.is_empty() || game.is_won() {
                    break;
                }
                let m = moves[luck.below(moves.len() as u64) as usize];
                line.push((m, game.apply(m)));
            }
            assert!(rules.redeals == 0 || game.used > 0, "{name}");
            while let Some((m, undo)) = line.pop() {
                game.undo(m, undo);
            }
            assert_eq!((game.board, game.used), (start.board, start.used));
        }
    }
}

#[test]
fn a_redeal_keeps_what_is_locked_and_deals_the_rest_by_rows() {
    for (name, fields) in VARIANTS {
        let rules = rules(fields);
        for seed in (0..40).filter(|_| rules.redeals > 0) {
            let mut game = Gaps::deal(&rules, &mut Decks::new(seed));
            let mut luck = Decks::new(seed + 7);
            let mut moves = Vec::new();
            game.moves(&mut moves);
            for _ in 0..200 {
                moves.retain(|&m| m != Move::Redeal);
                if moves.is_empty() {
                    break;
                }
                game.apply(moves[luck.below(moves.len() as u64) as usize]);
                moves.clear();
                game.moves(&mut moves);
            }
            let (before, deck) = (cells(&game), game.decks()[0].clone());
            game.apply(Move::Redeal);
            let after = cells(&game);
            let kept: Vec<usize> = (0..4).map(|row| run(&rules, row, &before[row])).collect();
            let locked: Vec<&String> = (0..4).flat_map(|row| &before[row][..kept[row]]).collect();
            let mut free = Vec::new();
            for row in 0..4 {
                assert_eq!(after[row][..kept[row]], before[row][..kept[row]], "{name}");
                let skip = usize::from(rules.gaps_after_runs);
                assert!(skip == 0 || after[row][kept[row]] == "--");
                free.extend(after[row][kept[row] + skip..].iter().cloned());
            }
            let dealt = deck.iter().map(|&card| super::board::card_of(card).to_string());
            let dealt = dealt.filter(|card| !locked.contains(&card));
            let dealt = dealt.map(|card| if card.starts_with('A') { "--".to_string() } else { card });
            let dealt = dealt.filter(|card| !(rules.gaps_after_runs && card == "--"));
            assert_eq!(free, dealt.collect::<Vec<_>>(), "{name}");
        }
    }
}

#[test]
fn a_whole_phase_of_moves_has_at_most_sixteen_choices() {
    let text = "-- 2C 5D 6D 7D 8D 9D TD JD QD KD 3C 4C\n-- 2D 5C 6C 7C 8C 9C TC JC QC KC 3D 4D\n\
                -- 2H 5H 6H 7H 8H 9H TH JH QH KH 3H 4H\n-- 2S 5S 6S 7S 8S 9S TS JS QS KS 3S 4S\n";
    let game = Gaps::parse(&variant("addiction"), text).expect("a valid board");
    assert_eq!(tokens(&game).len(), 16);
    let fixed = Gaps::parse(&variant("basic"), text).expect("a valid board");
    assert_eq!(tokens(&fixed), ["2C>r1c1", "2H>r2c1", "2S>r3c1", "2D>r4c1"]);
}

#[test]
fn rows_of_the_wrong_suits_do_not_win_where_suits_are_fixed() {
    let row =
        |suit: &str| RANKS[1..].chars().map(|rank| format!("{rank}{suit} ")).collect::<String>() + "--\n";
    let wrong = ["D", "C", "H", "S"].map(row).concat();
    let right = ["C", "H", "S", "D"].map(row).concat();
    let basic = variant("basic");
    assert!(!Gaps::parse(&basic, &wrong).expect("a valid board").is_won());
    assert!(Gaps::parse(&basic, &right).expect("a valid board").is_won());
    assert!(Gaps::parse(&variant("addiction"), &wrong).expect("a valid board").is_won());
}

#[test]
fn what_is_wrong_is_named() {
    let rules = variant("addiction");
    let text = Gaps::deal(&rules, &mut Decks::new(1)).within_search().text();
    let fault = |text: &str| Gaps::parse(&rules, text).expect_err("it is refused").to_string();
    assert_eq!(fault("2C"), "1 rows, expected 4");
    assert_eq!(fault(&text.replacen(' ', " -- ", 1)), "row 1 has 14 cells, expected 13");
    assert!(fault(&text.replacen("5H", "H5", 1)).ends_with(": 'H5' is not a card or a gap"));
    assert_eq!(fault(&text.replacen("5H", "--", 1)), "missing: 5H");
    assert!(fault(&text.replacen("5H", "6H", 1)).starts_with("6H twice: r"));
    assert!(fault(&format!("Redeal 1: 2C 3C\n{text}")).starts_with("redeal 1 is not a whole deck"));
    let game = Gaps::parse(&rules, &text).expect("a valid board");
    let (card, to) = (super::board::number_of("2C".parse().expect("a card")), 0);
    assert_ne!(tokens(&game).first(), Some(&super::text::token(Step { card, to })));
    for (token, reason) in
        [("2C", "it is not a move"), ("AC>r1c1", "aces are out"), ("r", "a card can still move")]
    {
        assert!(game.parse_token(token).expect_err("refused").to_string().starts_with(reason), "{token}");
    }
}

#[test]
fn free_twos_need_early_redeals() {
    let refused = |fields: &str| {
        let pairs = fields.split_whitespace().filter_map(|word| word.split_once('='));
        let given = pairs.map(|(field, value)| (field.to_string(), value.to_string())).collect();
        Gaps::rules(&mut Fields::for_tests(given)).is_err()
    };
    assert!(refused("redeals=1 twos_locked=no"));
    assert!(!refused("redeals=0 twos_locked=no"));
    assert!(!refused("redeals=1 twos_locked=no early_redeal=yes"));
    assert!(refused("fixed_suits=CDHH"));
}
