//! Plans from deal to deal: their tables against the exact one, and no look at a hidden card. A law of the Python tests
//! checks that both sides play alike.

use super::plain::{VARIANTS, random_deck};
use super::planner::Planner;
use super::quick::Opening;
use super::rows::{Reach, Rows, check_fits};
use super::table::{AcesUp, Move};
use super::table_tests::game;
use super::values::{SIZE, Values, chance};
use crate::games::Playable;
use crate::rng::Decks;
use crate::search::Game;

/// Returns the variants that the planner supports.
fn planned() -> Vec<&'static str> {
    let fits = |fields: &&str| check_fits(&game(fields, &random_deck(52, 0)).rules).is_ok();
    VARIANTS.iter().map(|&(_, fields)| fields).filter(fits).collect()
}

fn some_values(number: u64) -> Values {
    let mut luck = Decks::new(number);
    let bytes: Vec<u8> = (0..SIZE).flat_map(|_| (luck.below(401) as i32 - 200).to_le_bytes()).collect();
    Values::from_bytes(&bytes).expect("values")
}

fn piles(rows: &Rows) -> Vec<Vec<u8>> {
    (0..4).map(|pile| rows.pile(pile).collect()).collect()
}

#[test]
fn seven_variants_are_planned_for() {
    assert_eq!(planned().len(), 7);
}

#[test]
fn tables_are_reached_by_legal_moves() {
    let mut reach = Reach::default();
    for fields in planned() {
        for seed in 0..20 {
            let mut luck = Decks::new(seed);
            let mut game = game(fields, &random_deck(52, seed));
            loop {
                reach.look(Rows::of(&Opening::of(&game)), &game.rules);
                for (place, table) in reach.tables.iter().enumerate() {
                    let mut after = game.clone();
                    for source in reach.path(place) {
                        let space = Rows::of(&Opening::of(&after)).space(&after.rules).expect("a space");
                        let m = Move::ToSpace { source: source as u8, target: space as u8 };
                        let mut moves = Vec::new();
                        after.moves(&mut moves);
                        assert!(moves.contains(&m), "{fields} {seed}: {m:?}");
                        after.make(m);
                    }
                    assert_eq!(piles(&table.rows), piles(&Rows::of(&Opening::of(&after))), "{fields} {seed}");
                }
                let mut moves = Vec::new();
                game.moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                game.make(moves[luck.below(moves.len() as u64) as usize]);
            }
        }
    }
}

/// Returns the moves up to the next deal.
fn plan(planner: &Planner, game: &AcesUp) -> Vec<Move> {
    let line = planner.line(game, &mut Decks::new(5), &mut |_| false);
    line.into_iter().take_while(|&m| m != Move::Deal).collect()
}

#[test]
fn hidden_cards_play_no_part() {
    for fields in planned() {
        for seed in 0..6 {
            let start = game(fields, &random_deck(52, seed));
            let planner = Planner::new(&start.rules, 3, some_values(seed)).expect("a planner");
            let mut game = start.clone();
            for m in planner.line(&start, &mut Decks::new(9), &mut |_| false) {
                let mut stock = Opening::of(&game).stock().to_vec();
                stock.reverse();
                assert_eq!(
                    plan(&planner, &game),
                    plan(&planner, &game.with_stock(&stock)),
                    "{fields} {seed}"
                );
                game.make(m);
            }
            assert!(Opening::of(&game).stock().is_empty(), "{}", game.text());
        }
    }
}

#[test]
fn one_who_is_stopped_plays_no_further() {
    let start = game("", &random_deck(52, 3));
    let planner = Planner::new(&start.rules, 1000, some_values(1)).expect("a planner");
    let mut looks = 0;
    let line = planner.line(&start, &mut Decks::new(9), &mut |_| {
        looks += 1;
        looks > 2
    });
    assert!(line.len() < planner.line(&start, &mut Decks::new(9), &mut |_| false).len());
}

#[test]
fn chances_grow_with_values() {
    let chances: Vec<f64> = (-300..300).map(|value| chance(100 * value)).collect();
    assert!(chances.is_sorted() && chances[0] > 0.0 && chance(0) == 0.5);
}
