//! Generators for the fuzz tests: rules, positions and tokens, valid ones and ones with errors.

// Each fuzz test is a separate program and uses a part of this.
#![allow(dead_code)]

use _engine::games::{Face, FixedGame, ids, open, open_as};
use _engine::rng::Decks;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngSeed};

/// Returns a configuration with this number of cases, or that of `PROPTEST_CASES`. The seed is fixed, so that a failure
/// can be repeated.
pub fn cases(usual: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    Config {
        cases: asked.unwrap_or(usual),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(12),
        ..Config::default()
    }
}

pub type Rules = Vec<(String, String)>;

/// Returns the fields of a game with allowed values and with nearly allowed ones. A game without a list here is tested
/// with its default rules, and with a field that no game has.
fn fields_of(id: &str) -> &'static [(&'static str, &'static [&'static str])] {
    const FLAG: &[&str] = &["yes", "no"];
    match id {
        "aces-up" => &[
            ("fill", &["optional", "must", "aces-only"]),
            ("destination", &["first", "last", "any"]),
            ("singletons", FLAG),
            ("discards", &["forced", "optional"]),
            ("piles", &["4", "5"]),
            ("deal", &["row", "spaces"]),
            ("reserve", &["0", "1"]),
        ],
        "agnes" => &[
            ("face_up", FLAG),
            ("move_same_suit", FLAG),
            ("move_to_empty_pile", &["none", "any-1", "high-1", "any-run", "high-run"]),
            ("split_runs", FLAG),
            ("ranks", &["2", "3", "5", "13"]),
            ("piles", &["1", "2", "4", "7", "9"]),
        ],
        "belle-lucie" => &[
            ("redeals", &["0", "1", "2", "9"]),
            ("merci", &["none", "play", "front", "anywhere", "second"]),
            ("merci_count", &["1", "2", "9"]),
            ("merci_deals", &["last", "any"]),
            ("build", &["suit", "any"]),
            ("build_up", FLAG),
            ("kings_to_spaces", FLAG),
            ("aces_out", FLAG),
            ("fan_size", &["1", "2", "3", "4", "13"]),
            ("max_cards", &["0", "1", "4", "999999999"]),
            ("fans", &["0", "18"]),
            ("may_hold_back", FLAG),
        ],
        "gaps" => &[
            ("redeals", &["0", "1", "3", "99"]),
            ("redeal_gaps", &["random", "after-run"]),
            ("twos_locked", FLAG),
            ("early_redeal", FLAG),
            ("fixed_suits", &["none", "SHDC", "CDHS"]),
        ],
        "spider" => &[
            ("suits", &["1", "2", "4"]),
            ("deal_on_empty", FLAG),
            ("piles", &["2", "3", "10"]),
            ("ranks", &["2", "4", "13"]),
            ("runs", &["2", "4", "8"]),
            ("table", &["4", "6", "10", "54"]),
        ],
        _ => &[("no_such_field", FLAG)],
    }
}

/// Generates rules with some fields changed; occasionally no game accepts them.
pub fn rules_of(id: &'static str) -> impl Strategy<Value = Rules> {
    let fields = fields_of(id);
    let field = (0..fields.len()).prop_flat_map(move |place| {
        let (name, values) = fields[place];
        select(values).prop_map(move |value| (name.to_string(), value.to_string()))
    });
    prop_oneof![1 => Just(Vec::new()), 3 => prop::collection::vec(field, 0..5)].prop_map(once_each)
}

/// Keeps one value for each field, as Python does.
fn once_each(rules: Rules) -> Rules {
    rules.into_iter().collect::<std::collections::BTreeMap<_, _>>().into_iter().collect()
}

pub fn any_id() -> impl Strategy<Value = &'static str> {
    select(ids())
}

/// Generates a game of the engine with its rules; the default rules replace rejected ones.
pub fn any_game() -> impl Strategy<Value = (&'static str, Rules)> {
    any_id().prop_flat_map(game_of)
}

pub fn game_of(id: &'static str) -> impl Strategy<Value = (&'static str, Rules)> {
    rules_of(id)
        .prop_map(move |rules| if open(id, rules.clone()).is_ok() { (id, rules) } else { (id, Vec::new()) })
}

/// Generates meaningless rules.
pub fn wild_rules() -> impl Strategy<Value = Rules> {
    let wild = prop::collection::vec((wild_text(), wild_text()), 0..3);
    let near = (rules_for_any(), mangles()).prop_map(|(rules, mangles)| {
        let change = |(name, value)| (name, mangle(value, &mangles));
        rules.into_iter().map(change).collect()
    });
    prop_oneof![wild, near]
}

fn rules_for_any() -> impl Strategy<Value = Rules> {
    any_id().prop_flat_map(rules_of)
}

/// Generates text of any kind, with and without the parts of layouts.
pub fn wild_text() -> impl Strategy<Value = String> {
    let pieces = select(PIECES).prop_map(str::to_string);
    prop_oneof![
        ".{0,40}",
        "[ -~\n]{0,60}",
        prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat()),
        prop::collection::vec(any::<u8>(), 0..60)
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

const PIECES: &[&str] = &[
    "AS",
    "TH",
    "10H",
    "KC",
    "2D",
    "XH",
    "[QS]",
    "[",
    "]",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "\r\n",
    ":",
    "|",
    "-",
    "--",
    "#",
    "^",
    ">",
    "=",
    "r",
    "r=",
    "d",
    "x",
    "1x",
    "2-r",
    "r-1",
    "0",
    "-1",
    "1",
    "7",
    "255",
    "256",
    "65536",
    "4294967296",
    "18446744073709551616",
    "99999999999999999999999999",
    "Pile 1:",
    "Pile 0:",
    "Pile 99:",
    "Stock:",
    "Discards:",
    "Reserve:",
    "Bank:",
    "Completed:",
    "Moves:",
    "Deal:",
    "Redeal 1:",
    "Redeals:",
    "Id:",
    "Foundations:",
    "Base:",
    "Gaps:",
    "Row 1:",
    "Fan 1:",
    "Merci:",
    "\u{0}",
    "\u{feff}",
    "♠",
    "A♠",
    "é",
    "𝔸",
    "ß",
    "İ",
    "\u{301}",
    "NaN",
    "inf",
];

/// One error, as of a typist or a disk.
#[derive(Clone, Debug)]
pub enum Mangle {
    /// Two words change places: the cards stay the same.
    SwapWords(Index, Index),
    /// A word goes to another place.
    MoveWord(Index, Index),
    DropWord(Index),
    RepeatWord(Index),
    ReplaceWord(Index, &'static str),
    SwapLines(Index, Index),
    DropLine(Index),
    RepeatLine(Index),
    Cut(Index),
    Insert(Index, &'static str),
    DropChar(Index),
    Flip(Index, u8),
}

pub fn mangles() -> impl Strategy<Value = Vec<Mangle>> {
    let one = prop_oneof![
        6 => any::<(Index, Index)>().prop_map(|(a, b)| Mangle::SwapWords(a, b)),
        3 => any::<(Index, Index)>().prop_map(|(a, b)| Mangle::MoveWord(a, b)),
        1 => any::<Index>().prop_map(Mangle::DropWord),
        1 => any::<Index>().prop_map(Mangle::RepeatWord),
        2 => (any::<Index>(), select(PIECES)).prop_map(|(a, piece)| Mangle::ReplaceWord(a, piece)),
        1 => any::<(Index, Index)>().prop_map(|(a, b)| Mangle::SwapLines(a, b)),
        1 => any::<Index>().prop_map(Mangle::DropLine),
        1 => any::<Index>().prop_map(Mangle::RepeatLine),
        1 => any::<Index>().prop_map(Mangle::Cut),
        1 => (any::<Index>(), select(PIECES)).prop_map(|(a, piece)| Mangle::Insert(a, piece)),
        1 => any::<Index>().prop_map(Mangle::DropChar),
        1 => any::<(Index, u8)>().prop_map(|(a, bits)| Mangle::Flip(a, bits)),
    ];
    prop_oneof![
        2 => Just(Vec::new()),
        3 => prop::collection::vec(one.clone(), 1..3),
        1 => prop::collection::vec(one, 3..12),
    ]
}

pub fn mangle(text: String, mangles: &[Mangle]) -> String {
    mangles.iter().fold(text, mangle_once)
}

fn mangle_once(text: String, mangle: &Mangle) -> String {
    if text.is_empty() {
        return text;
    }
    let mut lines: Vec<Vec<&str>> = text.split('\n').map(|line| line.split(' ').collect()).collect();
    let places: Vec<(usize, usize)> = lines
        .iter()
        .enumerate()
        .flat_map(|(line, words)| (0..words.len()).map(move |word| (line, word)))
        .collect();
    let word = |index: &Index| places[index.index(places.len())];
    let at_char = |index: &Index| {
        text.char_indices().map(|(place, _)| place).nth(index.index(text.chars().count())).unwrap_or(0)
    };
    match mangle {
        Mangle::SwapWords(a, b) => {
            let ((line, place), (other, there)) = (word(a), word(b));
            let (first, second) = (lines[line][place], lines[other][there]);
            (lines[line][place], lines[other][there]) = (second, first);
        }
        Mangle::MoveWord(a, b) => {
            let ((line, place), (other, there)) = (word(a), word(b));
            let moved = lines[line].remove(place);
            let there = there.min(lines[other].len());
            lines[other].insert(there, moved);
        }
        Mangle::DropWord(a) => {
            let (line, place) = word(a);
            lines[line].remove(place);
        }
        Mangle::RepeatWord(a) => {
            let (line, place) = word(a);
            let repeated = lines[line][place];
            lines[line].insert(place, repeated);
        }
        Mangle::ReplaceWord(a, piece) => {
            let (line, place) = word(a);
            lines[line][place] = piece;
        }
        Mangle::SwapLines(a, b) => {
            let (first, second) = (a.index(lines.len()), b.index(lines.len()));
            lines.swap(first, second);
        }
        Mangle::DropLine(a) => drop(lines.remove(a.index(lines.len()))),
        Mangle::RepeatLine(a) => {
            let place = a.index(lines.len());
            lines.insert(place, lines[place].clone());
        }
        Mangle::Cut(a) => return text[..at_char(a)].to_string(),
        Mangle::Insert(a, piece) => {
            let place = at_char(a);
            return [&text[..place], piece, &text[place..]].concat();
        }
        Mangle::DropChar(a) => {
            let place = at_char(a);
            let rest = text[place..].char_indices().nth(1).map_or("", |(next, _)| &text[place + next..]);
            return [&text[..place], rest].concat();
        }
        Mangle::Flip(a, bits) => {
            let mut bytes = text.clone().into_bytes();
            let place = a.index(bytes.len());
            bytes[place] ^= bits;
            return String::from_utf8_lossy(&bytes).into_owned();
        }
    }
    lines.iter().map(|words| words.join(" ")).collect::<Vec<_>>().join("\n")
}

/// A game with its rules, and a position of it that may have been mangled.
#[derive(Clone, Debug)]
pub struct Asked {
    pub id: &'static str,
    pub rules: Rules,
    pub position: String,
}

impl Asked {
    pub fn game(&self) -> Box<dyn FixedGame> {
        open(self.id, self.rules.clone()).expect("the rules were taken before")
    }

    /// Returns another face of the game, if it has it.
    pub fn game_as<F: Face + ?Sized>(&self) -> Option<Box<F>> {
        open_as::<F>(self.id, self.rules.clone()).ok()
    }
}

/// Returns the position after random moves, as far as there are any.
fn wander(game: &dyn FixedGame, seed: u64, choices: &[Index]) -> String {
    let mut position = game.deal(&mut Decks::new(seed));
    for choice in choices {
        let moves = game.legal_moves(&position).expect("its own text is read");
        if moves.is_empty() {
            break;
        }
        let token = moves[choice.index(moves.len())].clone();
        position = game.play(&position, &[token]).expect("a legal move is played").position;
    }
    position
}

pub fn any_asked() -> impl Strategy<Value = Asked> {
    let choices = prop_oneof![
        2 => prop::collection::vec(any::<Index>(), 0..4),
        3 => prop::collection::vec(any::<Index>(), 0..60),
    ];
    let sound =
        (any_game(), any::<u64>(), choices, mangles()).prop_map(|((id, rules), seed, choices, mangles)| {
            let game = open(id, rules.clone()).unwrap_or_else(|_| panic!("the rules were taken before"));
            let position = mangle(wander(game.as_ref(), seed, &choices), &mangles);
            Asked { id, rules, position }
        });
    let wild = (any_game(), wild_text()).prop_map(|((id, rules), position)| Asked { id, rules, position });
    prop_oneof![9 => sound, 1 => wild]
}

/// Generates tokens of moves, valid and invalid ones.
pub fn tokens() -> impl Strategy<Value = Vec<String>> {
    let near = select(vec![
        "d", "1x", "3-1", "2-r", "r-1", "r", "r=", "AS", "AS^", "9H>TH", "KC>", "m:KC", "KC!", "1-2",
        "1-2-3", "1>2:3", "deal", "0-0", "99-99", "TH>1", "AS-r", "255x", "256-1", "5H@3", "QH->", "r=AS KD",
        "r=QS",
    ]);
    let token = prop_oneof![
        3 => (near, mangles()).prop_map(|(token, mangles)| mangle(token.to_string(), &mangles)),
        1 => wild_text(),
    ];
    prop::collection::vec(token, 0..4)
}
