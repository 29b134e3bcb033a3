//! La Belle Lucie's rules, layout text and tokens, as callers pass them.

use _engine::cards::Card;
use _engine::games::{FixedGame, Start, open};
use _engine::rng::Decks;
use _engine::search::Task;

fn game(rules: &[(&str, &str)]) -> Box<dyn FixedGame> {
    let fields = rules.iter().map(|&(name, value)| (name.to_string(), value.to_string())).collect();
    open("belle-lucie", fields).expect("these rules are supported")
}

fn deal(rules: &[(&str, &str)], seed: u64) -> Vec<String> {
    game(rules).deal(&mut Decks::new(seed)).lines().map(String::from).collect()
}

fn fault(position: &str) -> String {
    fault_under(&[], position)
}

fn fault_under(rules: &[(&str, &str)], position: &str) -> String {
    game(rules).legal_moves(position).expect_err(position).to_string()
}

/// Returns the reason why this move is illegal here.
fn reason(token: &str, position: &str) -> String {
    reason_under(&[], token, position)
}

fn reason_under(rules: &[(&str, &str)], token: &str, position: &str) -> String {
    let fault = game(rules).play(position, &[token.to_string()]).expect_err(token).to_string();
    let (start, reason) = fault.split_once("\": ").expect("position, then reason");
    assert_eq!(start, format!("illegal move {token:?} in \"{}", position.replace('\n', " | ")));
    reason.to_string()
}

#[test]
fn a_deal_has_seventeen_fans_of_three_and_one_of_one() {
    let fans = deal(&[], 0);
    // tests/data/deals.txt: 8S JH 9C 2S 2D QD ... TH
    assert_eq!((fans.len(), &fans[0][..], &fans[1][..], &fans[17][..]), (18, "8S JH 9C", "2S 2D QD", "TH"));
}

#[test]
fn fan_size_and_aces_out_change_the_deal() {
    let whole = deal(&[], 5).join(" ");
    for size in 1..=13 {
        let fans = deal(&[("fan_size", &size.to_string())], 5);
        assert_eq!(fans.join(" "), whole);
        assert!(fans[..fans.len() - 1].iter().all(|fan| fan.split(' ').count() == size));
    }
    let trefoil = deal(&[("aces_out", "yes")], 5);
    assert_eq!((trefoil.len(), &trefoil[0][..]), (17, "Foundations: AC AD AH AS"));
    let without_aces: Vec<&str> = whole.split(' ').filter(|card| !card.starts_with('A')).collect();
    assert_eq!(trefoil[1..].join(" "), without_aces.join(" "));
}

#[test]
fn eighteen_fans_end_with_two_of_two_and_a_redeal_goes_by_the_fan_size() {
    let whole = deal(&[], 5).join(" ");
    let fans = deal(&[("fans", "18"), ("kings_to_spaces", "yes")], 5);
    assert_eq!(fans.join(" "), whole);
    let sizes: Vec<usize> = fans.iter().map(|fan| fan.split(' ').count()).collect();
    assert_eq!(sizes, [[3; 16].as_slice(), &[2; 2]].concat());
    let rules = [("fans", "18"), ("redeals", "1"), ("aces_out", "yes"), ("fan_size", "5")];
    let dealt = deal(&rules, 5);
    assert_eq!((dealt.len(), &dealt[0][..]), (2 + 16, "Foundations: AC AD AH AS"));
    let played = game(&rules).play(&dealt.join("\n"), &["r".to_string()]).expect("a redeal is allowed");
    let after: Vec<&str> = played.position.lines().collect();
    assert_eq!(after[..2], ["Foundations: AC AD AH AS", "Deal: 2"]);
    assert_eq!(after[2..].join(" "), dealt[1].strip_prefix("Redeal 1: ").unwrap());
    assert!(after[2..after.len() - 1].iter().all(|fan| fan.split(' ').count() == 5));
}

#[test]
fn the_redeals_of_a_deal_are_the_next_decks_of_its_stream() {
    let dealt = deal(&[("redeals", "2")], 7);
    let mut decks = Decks::new(7);
    decks.skip(52);
    for (number, line) in (1..=2).zip(&dealt) {
        let order: Vec<String> =
            decks.deck(52).into_iter().map(|place| Card::at(place).to_string()).collect();
        assert_eq!(*line, format!("Redeal {number}: {}", order.join(" ")));
    }
    assert_eq!(dealt[2..], deal(&[], 7));
}

#[test]
fn lines_beside_the_fans_are_checked() {
    let rules = [("redeals", "2"), ("merci", "front"), ("merci_count", "3")];
    let text = "Foundations: JC KD KH KS\nDeal: 2\nMerci: 1\nRedeal 1: KC QC\nKC\nQC\n".to_string();
    let played = game(&rules).play(&text, &[]).expect("a position");
    assert_eq!((played.position, played.outcome), (text, None));
    for (position, expected) in [
        ("Deal: 4\nKC", "\"Deal: 4\" is not allowed; expected a number from 1 to 3"),
        ("Deal: 0\nKC", "\"Deal: 0\" is not allowed; expected a number from 1 to 3"),
        ("Merci: 4\nKC", "\"Merci: 4\" is not allowed; expected a number from 0 to 3"),
        ("Redeal 2: KC\nKC", "\"Redeal 2: KC\" is out of order; expected Redeal 1: ..."),
        ("Redeal 1: QC\nKC", "KC is missing in redeal 1"),
        ("Redeal 1: KC KC\nKC", "KC is twice in redeal 1"),
        ("Deal: 3\nRedeal 1: KC\nKC", "1 redeals are known, but 0 may still come"),
    ] {
        assert_eq!(fault_under(&rules, position), expected);
    }
    // Cards that are up are skipped, in an order too.
    let played = game(&rules).play("Redeal 1: QC KC AH\nKC", &[]).expect("a position");
    assert_eq!(played.position, "Foundations: QC KD KH KS\nRedeal 1: KC\nKC\n");
    assert_eq!(
        fault_under(&[], "Merci: 1\nKC"),
        "\"Merci: 1\" is not allowed; expected a number from 0 to 0"
    );
}

#[test]
fn an_unknown_redeal_keeps_the_game_open() {
    let stuck = "QC KC";
    let outcome = |rules: &[(&str, &str)], text: &str| game(rules).play(text, &[]).unwrap().outcome;
    assert_eq!(outcome(&[], stuck), Some("stuck"));
    assert_eq!(outcome(&[("redeals", "1")], stuck), None);
    assert_eq!(outcome(&[("redeals", "1")], "Deal: 2\nQC KC"), Some("stuck"));
    assert_eq!(
        reason_under(&[("redeals", "1")], "r", "Foundations: JC KD KH KS\nQC KC"),
        "the order of the redeal is not known"
    );
}

#[test]
fn illegal_moves_of_other_rules_say_why() {
    let spaces = [("kings_to_spaces", "yes")];
    let table = "Foundations: JC QD QH KS\nQC KC\nKD\nKH\n-";
    assert_eq!(game(&spaces).legal_moves(table).unwrap(), ["KD^", "KH^", "KC>-"]);
    assert_eq!(reason_under(&spaces, "QC>-", table), "only a king goes into a space");
    assert_eq!(reason_under(&spaces, "KD>-", table), "KD lies alone in its fan, or there is no space");
    let table = "Foundations: TC QD QH KS\nJC KC QC\nKD\nKH";
    for (rules, token, expected) in [
        (&[][..], "*JC", "under these rules there is no merci"),
        (&[("merci", "play"), ("redeals", "1")], "*JC", "a merci is allowed only in the last deal"),
        (&[("merci", "play")], "*KC", "KC does not fit QC; fans are built down in suit"),
        (&[("merci", "play")], "*KC^", "KC does not fit the foundation of clubs"),
        (&[("merci", "play")], "*QC^", "QC is not buried in a fan"),
        (&[("merci", "play")], "*JC>KD", "JC does not fit KD; fans are built down in suit"),
        (&[("merci", "front")], "*JC>QC", "QC lies in the fan of JC"),
        (&[("merci", "second")], "*JC^", "JC does not lie directly below a top card"),
        (&[("merci", "second")], "*KC", "under these rules a merci goes to another fan or to the foundation"),
        (&[("redeals", "1"), ("may_hold_back", "no")], "r", "a top card fits its foundation"),
        (&[("build", "any")], "KH>KD", "KH does not fit KD; fans are built down"),
        (&[("build", "any"), ("max_cards", "1")], "QC>KD", "the fan of KD is full"),
    ] {
        assert_eq!(reason_under(rules, token, table), expected, "{rules:?}");
    }
}

#[test]
fn rules_without_effect_in_one_deal_are_taken() {
    let rules = [("may_hold_back", "no"), ("merci_count", "3"), ("merci_deals", "any"), ("redeals", "0")];
    assert_eq!(deal(&rules, 1), deal(&[], 1));
}

#[test]
fn a_won_game_is_told_by_its_foundations() {
    let won = "Foundations: KC KD KH KS\n";
    let played = game(&[]).play(won, &[]).expect("four kings are a position");
    assert_eq!((&played.position[..], played.outcome, played.score), (won, Some("won"), 52));
    let found = game(&[]).solve(&Start::Position(won.to_string()), &Task::default(), &mut |_| false).unwrap();
    assert_eq!((found.status.name(), found.moves.len(), found.stats.nodes), ("solved", 0, 0));
}

#[test]
fn a_position_says_what_is_wrong_with_it() {
    let no_cards = "no cards; expected fans, or 'Foundations: KC KD KH KS' for a won game";
    for text in ["", " \n\n", "-\n-", "Foundations: KC KD KH", "Foundations:"] {
        assert_eq!(fault(text), no_cards, "{text:?}");
    }
    let no_card = "is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S";
    assert_eq!(fault("KC\nQX"), format!("\"QX\" {no_card}"));
    assert_eq!(fault("Deal: 2\nKC"), "\"Deal: 2\" is not allowed; expected a number from 1 to 1");
    assert_eq!(fault("KC QC\nQC"), "QC is on the table twice, in fan 1 and in fan 2");
    assert_eq!(fault("KD\nKC\nQD 9D TD"), "diamonds: JD is nowhere, but TD is in fan 3");
    assert_eq!(fault("QS"), "spades: KS is nowhere, but QS is in fan 1");
}

#[test]
fn an_illegal_move_says_why() {
    let position = "Foundations: TC KD JH KS\nKC JC\nQC\nKH QH";
    let tokens = game(&[]).legal_moves(position).unwrap();
    assert_eq!(tokens, ["JC^", "QH^", "JC>QC"]);
    assert_eq!(reason("QC^", position), "QC does not fit the foundation of clubs");
    assert_eq!(reason("KH^", position), "KH is not the top of a fan");
    assert_eq!(reason("AD^", position), "AD is not the top of a fan");
    assert_eq!(reason("QC>KC", position), "KC is not the top of a fan");
    assert_eq!(reason("JC>QH", position), "JC does not fit QH; fans are built down in suit");
    assert_eq!(reason("QC>JC", position), "QC does not fit JC; fans are built down in suit");
    assert_eq!(
        reason("JC", position),
        "it is not a move; expected a card and ^, or two cards and > between them"
    );
    for token in ["", "^", ">", "JC^ ", "jc^", "JC>QC>", "JC>-", "*JC^", "r", "♣", "JC\u{301}^"] {
        reason(token, position);
    }
}

#[test]
fn nonsense_is_refused_and_never_a_panic() {
    let parts = [
        "KC",
        "QC",
        "KD",
        "AS",
        "Foundations:",
        "-",
        "/",
        "\n",
        " ",
        "K",
        "é",
        "\0",
        "10H",
        "♥",
        "^",
        "Deal:",
        "2",
        "Merci: 0",
        "Redeal 1:",
        "Redeal ",
    ];
    let rules = [("redeals", "2"), ("merci", "anywhere"), ("kings_to_spaces", "yes")];
    let (game, mut chance) = (game(&rules), Decks::new(3));
    let mut valid = 0;
    for _ in 0..20_000 {
        let text: String = (0..chance.below(8)).map(|_| parts[chance.below(20) as usize]).collect();
        if let Ok(moves) = game.legal_moves(&text) {
            valid += 1;
            assert!(game.play(&text, &moves[..moves.len().min(1)]).is_ok(), "{text:?}");
        }
    }
    assert!(valid > 100, "{valid}");
}
