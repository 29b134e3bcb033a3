//! Laws of the players, on boards that are quickly searched exhaustively and on whole deals.

use super::board::Board;
use super::players::{Policy, Thoughts, play};
use super::rules::Rules;
use super::sample::kept;
use super::table::{Gaps, Move};
use crate::cards::PACK;
use crate::games::fixed::tokens;
use crate::games::{Playable, PlaysPolicies, Start};
use crate::rng::Decks;
use crate::search::{Game, Watch};

const ADDICTION: Rules =
    Rules { redeals: 3, gaps_after_runs: false, twos_locked: true, early_redeal: false, fixed_suits: None };
const MONTANA: Rules =
    Rules { redeals: 2, gaps_after_runs: true, twos_locked: false, early_redeal: true, fixed_suits: None };

fn policy(rules: &Rules, name: &str) -> Policy {
    // Even runs and long runs have the greatest values.
    let mut table = b"GW1\x01".to_vec();
    for place in 0..1820_u32 {
        table.extend((f64::from(place * 37 % 1820) as f32 / 1820.0).to_le_bytes());
    }
    Policy::read(rules, name, Some(&table)).expect("the engine has it")
}

/// Returns a late game whose redeals are known.
fn late(rules: &Rules, seed: u64) -> Gaps {
    let mut chance = Decks::new(seed);
    let mut deck = || chance.deck(PACK).into_iter().map(|card| card as u8).collect::<Vec<u8>>();
    let board: Board = kept(rules, [11, 10, 10, 9]).redealt(rules, &deck());
    let known = (0..rules.redeals).map(|_| deck()).collect();
    Gaps::new(*rules, board, 0, known)
}

#[test]
fn what_players_share_does_not_change_their_play() {
    let watch: &mut Watch = &mut |_| false;
    for rules in [ADDICTION, Rules { early_redeal: true, ..ADDICTION }, MONTANA] {
        let mut names = vec!["max-locked:400", "value:400", "max-locked:300"];
        if rules.early_redeal {
            names.push("fresh:400");
        }
        let policies: Vec<Policy> = names.iter().map(|name| policy(&rules, name)).collect();
        let together: Vec<&Policy> = policies.iter().collect();
        let starts: Vec<(Start, u64)> = (0..6).map(|seed| (Start::Seed(seed), 0)).collect();
        let results = Gaps::play_all(&rules, &together, &starts, watch).expect("they play");
        for (policy, results) in policies.iter().zip(results) {
            let lines = results.lines.expect("lines are kept");
            for (seed, line) in (0..).zip(lines) {
                let mut game = Gaps::deal(&rules, &mut Decks::new(seed));
                let alone = play(&game, policy, &mut Thoughts::default(), watch).expect("it plays");
                assert_eq!(tokens(&mut game, &alone), line);
                assert_eq!(results.scores[seed as usize], game.score() as i16);
                assert_eq!(results.won[seed as usize] == 1, game.is_won());
            }
        }
    }
}

#[test]
fn every_move_is_legal_and_the_game_goes_to_its_end() {
    let watch: &mut Watch = &mut |_| false;
    for rules in [ADDICTION, Rules { early_redeal: true, ..ADDICTION }, MONTANA] {
        for name in ["max-locked:500", "value:500"] {
            for seed in 0..40 {
                let mut game = late(&rules, seed);
                let line = play(&game, &policy(&rules, name), &mut Thoughts::default(), watch);
                for m in line.expect("it plays") {
                    let mut legal = Vec::new();
                    game.moves(&mut legal);
                    assert!(legal.contains(&m), "{m:?} in {}", game.text());
                    game.apply(m);
                }
                assert!(game.is_won() || game.used == rules.redeals);
                assert!(game.is_won() || !rules.twos_locked || game.board.is_stuck());
            }
        }
    }
}

/// Even with a budget that finds nothing, a redeal comes when no card can move.
#[test]
fn hardly_any_thought_is_enough_to_play_on() {
    let watch: &mut Watch = &mut |_| false;
    for seed in 0..20 {
        let mut game = Gaps::deal(&ADDICTION, &mut Decks::new(seed));
        let line = play(&game, &policy(&ADDICTION, "max-locked:1"), &mut Thoughts::default(), watch);
        for m in line.expect("it plays") {
            assert!(m != Move::Redeal || game.board.is_stuck());
            game.apply(m);
        }
    }
}

#[test]
fn a_policy_that_makes_no_sense_is_refused() {
    let refused = |rules: &Rules, name: &str| Policy::read(rules, name, None).expect_err(name).to_string();
    assert!(refused(&ADDICTION, "fresh:10").contains("a redeal waits until no card can move"));
    assert!(refused(&ADDICTION, "value:10").contains("needs a table of values"));
    assert!(refused(&ADDICTION, "greedy").contains("has no policy \"greedy\" of gaps"));
    for budget in ["0", "-1", "0s", "nans", "infs", "x", "", "1e9s", "9999999999999"] {
        assert!(refused(&ADDICTION, &format!("max-locked:{budget}")).contains("is no budget of a phase"));
    }
}

#[test]
fn unknown_redeals_and_whoever_watches_stop_a_game() {
    let policy = policy(&ADDICTION, "max-locked:100");
    let unknown = Gaps::new(ADDICTION, late(&ADDICTION, 1).board, 0, Vec::new());
    let found = play(&unknown, &policy, &mut Thoughts::default(), &mut |_| false);
    assert!(found.expect_err("a redeal is missing").to_string().contains("not known"));
    let found = play(&late(&ADDICTION, 1), &policy, &mut Thoughts::default(), &mut |_| true);
    assert_eq!(found.expect_err("it was stopped").to_string(), "the game was stopped");
}
