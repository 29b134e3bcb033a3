//! Any text is parsed or gives an error: no panic. What is parsed is formatted and parsed again.

mod fuzzing;

use _engine::cards::Card;
use _engine::games::{Refusal, ids, open};
use fuzzing::{any_asked, any_id, cases, mangle, mangles, rules_of, tokens, wild_rules, wild_text};
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn rules_are_read_or_refused(id in any_id(), rules in prop_oneof![wild_rules(), any_id().prop_flat_map(rules_of)]) {
        if let Err(refusal) = open(id, rules) {
            prop_assert!(!_engine::Fault::from(refusal).to_string().is_empty());
        }
    }

    #[test]
    fn an_unknown_game_is_not_supported_and_named(id in wild_text()) {
        prop_assume!(!ids().contains(&id.as_str()));
        let Err(Refusal::Unsupported(fault)) = open(&id, Vec::new()) else { panic!("{id:?} is taken for a game") };
        prop_assert!(fault.to_string().contains("belle-lucie"));
    }

    #[test]
    fn cards_are_read_or_refused(text in prop_oneof![wild_text(), "[A2-9TJQKX10]{0,2}[CDHS♠♥♦♣]?"]) {
        if let Ok(card) = text.parse::<Card>() {
            prop_assert_eq!(card.to_string().parse::<Card>(), Ok(card));
        }
    }

    #[test]
    fn a_position_that_is_read_is_written_and_read_again(asked in any_asked()) {
        let game = asked.game();
        match (game.play(&asked.position, &[]), game.legal_moves(&asked.position)) {
            (Ok(read), Ok(moves)) => {
                prop_assert_eq!(game.play(&read.position, &[]), Ok(read.clone()));
                prop_assert_eq!(game.legal_moves(&read.position), Ok(moves.clone()));
                for token in moves {
                    let played = game.play(&asked.position, std::slice::from_ref(&token));
                    prop_assert!(played.is_ok(), "{token} is legal, but {played:?}");
                }
            }
            (Err(fault), Err(same)) => {
                prop_assert_eq!(&fault, &same);
                prop_assert!(!fault.to_string().is_empty());
            }
            (read, moves) => prop_assert!(false, "{read:?}, but {moves:?}"),
        }
    }

    #[test]
    fn tokens_are_played_or_refused_with_their_words(asked in any_asked(), tokens in tokens()) {
        if let Err(fault) = asked.game().play(&asked.position, &tokens) {
            prop_assert!(!fault.to_string().is_empty());
        }
    }

    /// A token of the position, changed by a random error.
    #[test]
    fn mangled_moves_are_played_or_refused(asked in any_asked(), choice in any::<prop::sample::Index>(), mangles in mangles()) {
        let game = asked.game();
        let Ok(moves) = game.legal_moves(&asked.position) else { return Ok(()) };
        if moves.is_empty() {
            return Ok(());
        }
        let token = mangle(moves[choice.index(moves.len())].clone(), &mangles);
        if let Ok(played) = game.play(&asked.position, std::slice::from_ref(&token)) {
            // Whatever was accepted is a legal move, under one of its names.
            prop_assert!(game.play(&played.position, &[]).is_ok(), "{token:?} leads to {:?}", played.position);
        }
    }
}
