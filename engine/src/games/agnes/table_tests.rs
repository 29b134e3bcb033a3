//! Agnes Sorel's packed position and its text, against the deliberately simple rules.

use super::plain::{Plain, deck, random_deck, rules, slugs};
use super::rules::Rules;
use super::table::{Agnes, Move, Prunings};
use crate::cards::Card;
use crate::games::{Playable, open};
use crate::rng::Decks;
use crate::search::{Game, perft};

/// The decks of `agnes/..@python:12345#1`, `#2` and `#3`.
const STREAM: [&str; 3] = [
    "7S QS AC 5H 6H 4C 5D TC 7H 3S QH 2H JH 5C 9H 3H TD QC 6S 2D KH 5S TS 9C 2C 2S \
     JD AS 8H JS 9D KD 4S 6D 6C 8D 4D QD KC 8S 7C 3D 9S TH AD 8C AH 4H JC KS 7D 3C",
    "4S 9D TS QD 6D AS KH 2H 8H 4D 9H 3H 5C TD 7H KS 3C QS 3S 5H AC 2C QC JC 5D TC \
     2D 4C 7S JH AD QH KC 9S 7C 7D 6S KD 8C TH AH 6H JD 6C 8D 8S 4H 9C JS 3D 5S 2S",
    "9H 4C 6H JS QC 2H KH 3D 2D 8H 3S 6D 4S 4D JD TD 5S QH JH AC 9S 9C JC 4H 9D 7S \
     5H AH 3C 5C KS AS TH TS 7H QS 5D 8S 8C QD 6C 2S 3H KC 7C 6S 2C TC KD 7D 8D AD",
];

/// Returns the text of a position, written from the simple side.
fn layout(rules: &Rules, plain: &Plain) -> String {
    let or_none = |text: String| if text.is_empty() { "-".to_string() } else { text };
    // Suits of `Card`: clubs, diamonds, hearts, spades; the text has clubs, diamonds, spades, hearts.
    let top = |suit: usize| match plain.foundations[suit] {
        0 => "-".to_string(),
        count => Card::new(suit, (plain.base + count - 2) % rules.ranks + 1).to_string(),
    };
    let base = Card::new(0, plain.base).to_string();
    let tops = [0, 1, 3, 2].map(top).join(" ");
    let mut text = format!("Base: {}\nFoundations: {tops}\n", &base[..1]);
    for (number, pile) in (1..).zip(&plain.piles) {
        let cards = |is_up: bool| -> String {
            let cards = pile.iter().filter(|card| card.1 == is_up).map(|card| card.0.to_string());
            cards.collect::<Vec<_>>().join(" ")
        };
        let (down, up) = (cards(false), cards(true));
        let down = if down.is_empty() { down } else { format!("[{down}] ") };
        text += &format!("{number}: {}\n", or_none(down + &up));
    }
    let stock: Vec<String> = plain.stock.iter().map(Card::to_string).collect();
    text + &format!("Stock: {}\n", or_none(stock.join(" ")))
}

/// Plays at random on both sides: checks that moves, tokens and text are equal, that parsed text gives the same
/// position and key, and that undo restores the position.
fn check_line(slug: &str, ranks: usize, piles: usize, seed: u64) {
    let rules = rules(slug, ranks, piles);
    let deck = random_deck(&rules, seed);
    let mut luck = Decks::new(seed ^ 0xA6);
    let (mut game, mut plain) = (Agnes::dealt(rules, &deck), Plain::deal(&rules, &deck));
    let mut line = Vec::new();
    for _ in 0..120 {
        let text = game.text();
        assert_eq!(text, layout(&rules, &plain), "{slug} {ranks}/{piles} seed {seed}");
        let read = Agnes::parse(&rules, &text).expect("what is written can be read");
        assert_eq!((read.text(), read.key()), (text.clone(), game.key()), "{slug}:\n{text}");
        assert_eq!(game.score(), plain.score());
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let mut further = plain.moves(&rules);
        let tokens: Vec<String> = moves.iter().map(|&m| game.token(m)).collect();
        assert!(tokens.iter().eq(further.iter().map(|(token, _)| token)), "{slug}:\n{text}{tokens:?}");
        assert!(moves.len() <= game.most_moves());
        if moves.is_empty() {
            break;
        }
        // Deals are rare, so that there is some play between them.
        let mut choice = luck.below(moves.len() as u64) as usize;
        if moves[choice] == Move::Deal && luck.below(3) > 0 {
            choice = 0;
        }
        assert_eq!(game.parse_token(&tokens[choice]), Ok(moves[choice]));
        line.push((moves[choice], game.apply(moves[choice]), text));
        plain = further.swap_remove(choice).1;
    }
    for (m, undo, text) in line.into_iter().rev() {
        game.undo(m, undo);
        assert_eq!(game.text(), text, "{slug}: {m:?} taken back");
        let read = Agnes::parse(&rules, &text).expect("what is written can be read");
        assert_eq!((game.key, game.tops, game.linked), (read.key, read.tops, read.linked));
        assert_eq!((game.face_down, game.in_stock, game.up), (read.face_down, read.in_stock, read.up));
    }
}

#[test]
fn both_sides_play_the_same_game() {
    for (number, slug) in (0..).zip(slugs()) {
        for (ranks, piles) in [(13, 7), (4, 3), (6, 4), (5, 5), (13, 9), (2, 1), (11, 2)] {
            for seed in 0..3 {
                check_line(&slug, ranks, piles, 100 * number + seed);
            }
        }
    }
}

#[test]
fn piles_that_no_deal_reaches_may_change_places() {
    let rules = rules("up-color-none", 4, 3);
    let read = |text: &str| Agnes::parse(&rules, text).expect("a position");
    let position = |piles: &str| format!("Base: A\nFoundations: AC AD - AH\n{piles}\n");
    let early = "1: 2C 3C 4C\n2: 2D 3D\n3: AS 4H\nStock: 4D 2H 3H 2S 3S 4S";
    let early_swapped = "1: 2C 3C 4C\n2: AS 4H\n3: 2D 3D\nStock: 4D 2H 3H 2S 3S 4S";
    assert_eq!(rules.stock(), 9);
    assert_ne!(read(&position(early)).key(), read(&position(early_swapped)).key());
    let late = "1: 2C 3C 4C 4D 2S\n2: 2D 3D 2H 3S\n3: AS 4H 3H 4S\nStock: -";
    let late_swapped = "1: AS 4H 3H 4S\n2: 2D 3D 2H 3S\n3: 2C 3C 4C 4D 2S\nStock: -";
    assert_eq!(read(&position(late)).key(), read(&position(late_swapped)).key());
    let fixed = Prunings { canonical: false, ..Prunings::ALL };
    assert_ne!(read(&position(late)).with(fixed).key(), read(&position(late_swapped)).with(fixed).key());
}

#[test]
fn the_golden_deal() {
    let game = Agnes::dealt(rules("down-color-none", 13, 7), &deck(STREAM[0]));
    let text = "Base: 7\nFoundations: - - 7S -\n1: QS\n2: [AC] 7H\n3: [5H 3S] 9H\n4: [6H QH 3H] 2D\n\
                5: [4C 2H TD KH] 9C\n6: [5D JH QC 5S 2C] JD\n7: [TC 5C 6S TS 2S AS] 8H\n\
                Stock: JS 9D KD 4S 6D 6C 8D 4D QD KC 8S 7C 3D 9S TH AD 8C AH 4H JC KS 7D 3C\n";
    assert_eq!(game.text(), text);
    for slug in slugs() {
        let game = Agnes::dealt(rules(&slug, 13, 7), &deck(STREAM[0]));
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let tokens: Vec<String> = moves.into_iter().map(|m| game.token(m)).collect();
        assert_eq!(tokens, ["2f", "2-7", "7-3", "d"], "{slug}");
    }
}

/// The table of the specification: sequences of 1 to 6 moves, decks 1 to 3 of the stream.
#[test]
fn counts_of_move_sequences() {
    let table = [
        ("down-color-none", "4 11 26 78 244 701 | 3 9 23 56 118 261 | 3 10 30 80 197 472"),
        ("up-color-none", "4 11 26 79 249 713 | 3 9 23 56 118 261 | 3 10 30 80 197 472"),
        ("up-suit-none-nosplit", "4 11 26 77 237 663 | 3 9 22 49 89 162 | 3 10 30 78 179 400"),
        ("up-suit-anyrun", "4 11 26 78 240 674 | 3 9 29 94 344 1111 | 3 10 30 87 248 724"),
        ("up-suit-any1-nosplit", "4 11 26 77 237 663 | 3 9 28 81 265 754 | 3 10 30 83 209 537"),
        ("down-color-highrun-nosplit", "4 11 26 77 241 690 | 3 9 22 49 89 162 | 3 10 30 77 172 380"),
    ];
    for (slug, rows) in table {
        for (cards, row) in STREAM.iter().zip(rows.split('|')) {
            let mut game = Agnes::dealt(rules(slug, 13, 7), &deck(cards));
            let counts: Vec<String> = (1..=6)
                .map(|depth| perft(&mut game, depth, &mut || false).expect("nobody stops it").to_string())
                .collect();
            assert_eq!(counts, row.split_whitespace().collect::<Vec<_>>(), "{slug}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused_and_never_panics() {
    let fields = [("ranks", "4"), ("piles", "3")].map(|(name, value)| (name.to_string(), value.to_string()));
    let game = open("agnes", fields.to_vec()).expect("these rules are sound");
    assert_eq!(game.deck_size(), 16);
    let whole = "Base: 2\nFoundations: 2C - - -\n1: 3C\n2: [4C] 2D\n3: [AD 3D] AC\n\
                 Stock: 4D 2S 3S 4S AS 2H 3H 4H AH\n";
    let fault = |text: &str| game.play(text, &[]).err().map(|fault| fault.to_string());
    assert_eq!(game.play(whole, &[]).map(|played| played.position), Ok(whole.to_string()));
    let faults = [
        ("Base: 2\n", "", "there is no line \"Base\""),
        ("Base: 2\n", "Base: 5\n", "\"5\" is no rank; expected one of A234"),
        ("Base: 2\n", "Base: 2\nBase: 2\n", "the line \"Base\" is there twice"),
        ("2C - - -", "2C - -", "3 foundations are given; expected 4"),
        ("2C - - -", "- 2C - -", "2C is no top card of a foundation of diamonds"),
        ("2C - - -", "3C - - -", "3C is there twice"),
        ("1: 3C", "1: 5C", "5C is not in a deck of 4 ranks"),
        ("1: 3C", "1: XC", "\"XC\" is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S"),
        ("1: 3C", "1: -", "3C is missing"),
        ("1: 3C", "1:", "the line \"1\" is empty; expected cards, or -"),
        ("1: 3C", "4: 3C", "\"4\" is no line of this layout"),
        ("1: 3C", "3C", "\"3C\" has no label; expected Base:, Stock:, 1: ..."),
        ("1: 3C", "1: [3C", "pile 1: a ] is missing"),
        ("[4C] 2D", "[4C 2D]", "pile 2: all its cards lie face down"),
        ("1: 3C\n2: [4C] 2D", "1: [3C] 2D\n2: 4C", "pile 1: 1 cards lie face down; at most 0 were dealt so"),
        ("4H AH", "4H", "a stock of 8 cards cannot be; it begins with 9"),
        ("2C - - -", "4C - - -", "4C is there twice"),
    ];
    for (old, new, expected) in faults {
        let text = whole.replacen(old, new, 1);
        assert_eq!(fault(&text).as_deref(), Some(expected), "{text}");
    }
    let hidden = whole.replace("2C - - -", "AC - - -").replace(" AC\n", " 2C\n");
    assert_eq!(fault(&hidden).as_deref(), Some("2C is also on its foundation"));
    let open_game = open("agnes", vec![("face_up".to_string(), "yes".to_string())]).expect("sound rules");
    let text = open_game.deal(&mut Decks::new(1));
    let line = text.lines().nth(3).expect("a line of pile 2");
    let turned = line.replace("2: ", "2: [").replacen(' ', "] ", 2).replacen("] ", " ", 1);
    let found = open_game.play(&text.replace(line, &turned), &[]).err().map(|fault| fault.to_string());
    assert_eq!(found.as_deref(), Some("pile 2: no card lies face down under these rules"), "{turned}");
    // Any text at all gives an answer or a fault.
    let mut luck = Decks::new(5);
    for _ in 0..20_000 {
        let mut text: Vec<char> = whole.chars().collect();
        for _ in 0..=luck.below(3) {
            let place = luck.below(text.len() as u64) as usize;
            let letter = text[luck.below(text.len() as u64) as usize];
            match luck.below(3) {
                0 => drop(text.remove(place)),
                1 => text[place] = letter,
                _ => text.insert(place, ['é', ' ', '[', ']', '-', 'Q', '\n', '#'][luck.below(8) as usize]),
            }
        }
        let _ = game.legal_moves(&text.into_iter().collect::<String>());
    }
}

#[test]
fn rules_that_cannot_be_are_refused() {
    let refused = |pairs: &[(&str, &str)]| {
        let fields = pairs.iter().map(|&(name, value)| (name.to_string(), value.to_string())).collect();
        crate::Fault::from(open("agnes", fields).err().expect("refused")).to_string()
    };
    let text = "agnes: ranks=4 and piles=6 do not go together; the base card and the piles need 22 cards, \
                and the deck has 16";
    assert_eq!(refused(&[("ranks", "4"), ("piles", "6")]), text);
    let text =
        "agnes: move_to_empty_pile=\"all\" is not allowed; expected none, any-1, high-1, any-run, high-run";
    assert_eq!(refused(&[("move_to_empty_pile", "all")]), text);
    assert!(refused(&[("piles", "11")]).ends_with("a number from 1 to 10"));
    assert!(refused(&[("ranks", "1")]).ends_with("a number from 2 to 13"));
}

#[test]
fn a_wrong_token_is_told() {
    let game = Agnes::dealt(rules("down-color-none", 13, 7), &deck(STREAM[0]));
    let fault = |token: &str| game.parse_token(token).err().map(|fault| fault.to_string()).expect("illegal");
    assert_eq!(fault("1f"), "QS does not fit the foundation of spades");
    assert_eq!(fault("8f"), "there is no pile \"8\"; expected 1 to 7");
    assert_eq!(fault("3-3"), "source and target are one pile");
    assert_eq!(fault("1-2x2"), "no such unit of pile 1 goes to pile 2");
    assert_eq!(fault("hello"), "it is not a move; expected d, 3f, 3-5 or 3-5x4");
    assert_eq!(game.parse_token("2-7X1").map(|m| game.token(m)), Ok("2-7".to_string()));
    assert_eq!(game.parse_token("D"), Ok(Move::Deal));
}
