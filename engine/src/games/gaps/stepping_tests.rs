//! Laws of environments: the incremental observation equals a new one, and actions are moves.

use std::collections::BTreeSet;

use super::board::Step;
use super::rules::Rules;
use super::table::{Gaps, Move};
use crate::envs::{Actions, Stepped};
use crate::games::Playable;
use crate::rng::Decks;
use crate::search::Game;

const ADDICTION: Rules =
    Rules { redeals: 3, gaps_after_runs: false, twos_locked: true, early_redeal: false, fixed_suits: None };

fn every_rules() -> [Rules; 5] {
    [
        ADDICTION,
        Rules { early_redeal: true, ..ADDICTION },
        Rules { redeals: 2, gaps_after_runs: true, ..ADDICTION },
        Rules { redeals: 2, twos_locked: false, early_redeal: true, ..ADDICTION },
        Rules { redeals: 0, fixed_suits: Some([0, 2, 3, 1]), ..ADDICTION },
    ]
}

/// Returns the action of a move, as the page defines it: suits in the order S H D C.
fn action_of(m: Move) -> usize {
    let Move::ToGap(Step { card, to }) = m else { return 0 };
    let (suit, rank) = (3 - usize::from(card % 4), usize::from(card / 4) + 1);
    if rank == 2 { 45 + 4 * suit + usize::from(to) } else { 1 + 11 * suit + rank - 3 }
}

#[test]
fn what_is_kept_is_what_would_be_made_anew() {
    let (mut redeals, mut ends) = (0, 0);
    for (seed, rules) in (0..).zip(every_rules()) {
        let mut luck = Decks::new(seed);
        for deal in 0..20 {
            let mut table = Gaps::deal(&rules, &mut Decks::new(deal));
            let mut observation = vec![0; Gaps::bytes(&rules)];
            table.observe(&mut observation);
            for _ in 0..400 {
                let legal = table.legal();
                let listed: BTreeSet<usize> = (0..legal.len()).map(|before| legal.nth(before)).collect();
                let mut moves = Vec::new();
                table.moves(&mut moves);
                assert_eq!(listed, moves.iter().copied().map(action_of).collect(), "{}", table.text());
                assert_eq!(listed.len(), moves.len(), "two moves have one action");
                if legal.is_empty() {
                    ends += 1;
                    break;
                }
                let action = legal.nth(luck.below(legal.len() as u64) as usize);
                let chosen = moves.into_iter().find(|&m| action_of(m) == action).expect("it was listed");
                let mut after = table.clone();
                after.apply(chosen);
                redeals += usize::from(action == 0);
                table.act(action, &mut observation);
                assert_eq!(table.text(), after.text());
                let mut anew = vec![99; Gaps::bytes(&rules)];
                table.observe(&mut anew);
                assert_eq!(observation, anew, "{}", table.text());
                table.check_fit().expect("play leads to it");
            }
        }
    }
    assert!(redeals > 50 && ends > 30, "{redeals} redeals, {ends} ends");
}

#[test]
fn a_position_with_unknown_redeals_is_refused() {
    let text = Gaps::deal(&ADDICTION, &mut Decks::new(1)).text();
    let board: String = text
        .lines()
        .filter(|line| !line.starts_with("Redeal"))
        .fold(String::new(), |all, line| all + line + "\n");
    let table = Gaps::parse(&ADDICTION, &board).expect("a board");
    assert!(table.check_fit().is_err());
    assert!(Gaps::parse(&ADDICTION, &text).expect("a board").check_fit().is_ok());
}
