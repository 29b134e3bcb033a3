//! La Belle Lucie's rules, layout text and tokens, as they come in from outside.

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
    game(&[]).legal_moves(position).expect_err(position).to_string()
}

/// Why this move is illegal here.
fn reason(token: &str, position: &str) -> String {
    let fault = game(&[]).play(position, &[token.to_string()]).expect_err(token).to_string();
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
    assert_eq!(fault("Deal: 2\nKC"), format!("\"Deal:\" {no_card}"));
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
    let parts =
        ["KC", "QC", "KD", "AS", "Foundations:", "-", "/", "\n", " ", "K", "é", "\0", "10H", "♥", "^"];
    let (game, mut chance) = (game(&[]), Decks::new(3));
    let mut valid = 0;
    for _ in 0..20_000 {
        let text: String = (0..chance.below(8)).map(|_| parts[chance.below(15) as usize]).collect();
        if let Ok(moves) = game.legal_moves(&text) {
            valid += 1;
            assert!(game.play(&text, &moves[..moves.len().min(1)]).is_ok(), "{text:?}");
        }
    }
    assert!(valid > 100, "{valid}");
}
