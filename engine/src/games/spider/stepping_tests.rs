//! Laws of environments: the incremental observation equals a new one, and actions are moves.

use std::collections::BTreeSet;

use super::moves::Move;
use super::rules::Rules;
use super::table::Table;
use crate::envs::{Actions, Reward, Stepped, Stepping, Tables, Terms, WhenInvalid};
use crate::games::Playable;
use crate::rng::Decks;

const TERMS: Terms = Terms { reward: Reward::Delta, when_invalid: WhenInvalid::Noop, limit: None };

fn every_rules() -> impl Iterator<Item = Rules> {
    let usual = Rules { suits: 4, deal_on_empty: true, piles: 10, ranks: 13, runs: 8, table: 54 };
    [1, 2, 4]
        .into_iter()
        .flat_map(move |suits| [true, false].map(|deal_on_empty| Rules { suits, deal_on_empty, ..usual }))
}

/// Returns the actions of all legal moves, as the page defines them.
fn actions_of(table: &Table) -> BTreeSet<usize> {
    let mut moves = Vec::new();
    table.push_moves(&mut moves);
    let piles = table.piles();
    let first_empty = piles.iter().position(|pile| pile.is_empty());
    let action = |m: Move| {
        let Move::Run { from, to, count } = m else { return Some(0) };
        let (from, to) = (usize::from(from), usize::from(to));
        if !piles[to].is_empty() || count == piles[from].run() {
            return Some(1 + 10 * from + to);
        }
        (first_empty == Some(to)).then(|| 101 + 11 * from + usize::from(count) - 1)
    };
    moves.into_iter().filter_map(action).collect()
}

#[test]
fn what_is_kept_is_what_would_be_made_anew() {
    for (seed, rules) in (0..).zip(every_rules()) {
        let mut luck = Decks::new(seed);
        for deal in 0..10 {
            let mut table = Table::deal(&rules, &mut Decks::new(deal));
            let mut observation = vec![0; Table::bytes(&rules)];
            table.observe(&mut observation);
            for _ in 0..600 {
                let legal = table.legal();
                let listed: BTreeSet<usize> = (0..legal.len()).map(|before| legal.nth(before)).collect();
                assert_eq!(listed, actions_of(&table), "{}", table.text());
                if legal.is_empty() {
                    break;
                }
                let action = legal.nth(luck.below(legal.len() as u64) as usize);
                let moves = Stepped::moves_made(&table);
                table.act(action, &mut observation);
                assert_eq!(Stepped::moves_made(&table), moves + 1);
                let mut anew = vec![7; Table::bytes(&rules)];
                table.observe(&mut anew);
                assert_eq!(observation, anew, "{}", table.text());
                table.check_fit().expect("play leads to it");
            }
        }
    }
}

/// The last run of a typed position leaves, and the episode is over.
#[test]
fn a_win_is_worth_one_and_leaves_no_action() {
    let rules = every_rules().nth(4).expect("six rules");
    let clubs = "KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C";
    let empty: String = (3..=10).map(|pile| format!("{pile}:\n")).collect();
    let text = format!("1: {clubs}\n2: AC\n{empty}Bank:\nCompleted: S S H H D D C\nMoves: 9\n");
    for reward in [Reward::Delta, Reward::Win, Reward::Shaped { gamma: 0.5 }] {
        let mut tables = Tables::<Table>::new(rules, 1, 1, Terms { reward, ..TERMS }).expect("one table");
        tables.lay(0, &text).expect("a position");
        let sun = tables.seats()[0].score + 9;
        tables.step(&[1 + 10], &[0]);
        let seat = tables.seats()[0];
        assert!(seat.won && seat.terminated && !seat.truncated && !seat.invalid);
        assert_eq!((seat.completed, seat.moves, seat.score), (8, 10, 980));
        let expected = match reward {
            Reward::Delta => (990 - sun - 1) as f64,
            Reward::Win => 1.0,
            Reward::Shaped { .. } => 1.0 - sun as f64 / 990.0,
        };
        assert_eq!(seat.reward, expected);
        assert!(tables.masks().iter().all(|&byte| byte == 0));
        let mut action = [5];
        tables.sample(&mut Decks::new(0), &mut action);
        assert_eq!(action, [0]);
    }
}

#[test]
fn threads_change_nothing() {
    let rules = every_rules().next().expect("six rules");
    let terms = Terms { limit: Some(40), ..TERMS };
    let [mut one, mut three] =
        [1, 3].map(|threads| Tables::<Table>::new(rules, 500, threads, terms).expect("500 tables"));
    let mut lucks = [Decks::new(1), Decks::new(1)];
    let (mut actions, mut skip) = (vec![0; 500], vec![0; 500]);
    for step in 0..100 {
        for (place, skipped) in skip.iter().enumerate() {
            if *skipped == 1 {
                one.deal(place, step);
                three.deal(place, step);
            }
        }
        one.sample(&mut lucks[0], &mut actions);
        let mut same = vec![0; 500];
        three.sample(&mut lucks[1], &mut same);
        assert_eq!(actions, same);
        one.step(&actions, &skip);
        three.step(&actions, &skip);
        assert_eq!((one.seats(), one.masks()), (three.seats(), three.masks()));
        assert_eq!(one.observations(), three.observations());
        skip = one.seats().iter().map(|seat| u8::from(seat.terminated || seat.truncated)).collect();
    }
    assert!(one.seats().iter().any(|seat| seat.truncated || seat.elapsed < 40), "no episode ended");
}

#[test]
fn an_invalid_action_wastes_a_move_or_ends_the_episode() {
    let rules = every_rules().next().expect("six rules");
    for (when_invalid, reward, terminated) in
        [(WhenInvalid::Noop, -1.0, false), (WhenInvalid::Terminate, 0.0, true)]
    {
        let mut tables =
            Tables::<Table>::new(rules, 1, 1, Terms { when_invalid, ..TERMS }).expect("one table");
        let shown = tables.observations().to_vec();
        // From a pile to itself.
        assert_eq!(tables.first_illegal(&[1], &[0]), Some(0));
        assert_eq!(tables.first_illegal(&[1], &[1]), None);
        tables.step(&[1], &[0]);
        let seat = tables.seats()[0];
        assert_eq!((seat.invalid, seat.reward, seat.terminated), (true, reward, terminated));
        assert_eq!(tables.observations(), shown);
    }
}

#[test]
fn what_no_observation_holds_is_refused() {
    let small = Rules { suits: 4, deal_on_empty: true, piles: 4, ranks: 5, runs: 4, table: 8 };
    assert!(Table::check_rules(&small).is_err());
    let rules = every_rules().next().expect("six rules");
    assert!(Tables::<Table>::new(rules, 0, 1, TERMS).is_err());
    assert!(Tables::<Table>::new(rules, 1, 0, TERMS).is_err());
    let deck: Vec<u8> = (0..104).map(|place| rules.card_at(place)).collect();
    let mut piles: Vec<(Vec<u8>, usize)> = vec![(Vec::new(), 0); 10];
    piles[0] = (deck.clone(), 103);
    assert!(Table::new(rules, &piles, &[], &[], 0).check_fit().is_err());
    // From the ace up: no two of them are a sequence.
    piles[0].1 = 0;
    assert!(Table::new(rules, &piles, &[], &[], 0).check_fit().is_err());
}
