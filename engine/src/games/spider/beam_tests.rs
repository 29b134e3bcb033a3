//! The incremental costs of tables against new ones, and the searches that use them.

use std::time::Duration;

use super::children::Filter;
use super::hidden::{Planned, Sight};
use super::moves::Move;
use super::node::{Ground, Node};
use super::plain::{random_deck, rules};
use super::planner::{CAREFUL, FREE, Planner};
use super::players::PLAIN;
use super::rules::Rules;
use super::sampling::{SETTING, Setting};
use super::solver_tests::{SIZES, sized};
use super::table::Table;
use super::table_tests::table_of;
use super::weights::{OPEN, SEEN};
use crate::games::Playable;
use crate::rng::Decks;
use crate::search::{Limits, Status, Task, search};

const ALL: Filter = FREE;

fn usual(suits: &str, deal_on_empty: &str) -> Rules {
    rules(&[("suits", suits), ("deal_on_empty", deal_on_empty)])
}

/// Calls `each` with the tables along a line of random play, rows included.
fn walk(rules: &Rules, seed: u64, moves: usize, mut each: impl FnMut(&Table)) {
    let mut table = table_of(rules, &random_deck(rules, seed));
    let mut chance = Decks::new(seed);
    let mut legal = Vec::new();
    for _ in 0..moves {
        each(&table);
        legal.clear();
        table.push_moves(&mut legal);
        if legal.is_empty() {
            break;
        }
        table.apply(legal[chance.below(legal.len() as u64) as usize]);
    }
}

/// The cost predicted for a child is that of the table after the move, and so are the other predictions.
#[test]
fn children_are_priced_as_they_come_out() {
    let mut counts = [0; 3];
    let small = SIZES.map(|size| (sized(size, "yes"), 4));
    let large = [usual("1", "yes"), usual("2", "yes"), usual("4", "yes")].map(|rules| (rules, 6));
    for (rules, seeds) in small.into_iter().chain(large) {
        for seed in 0..seeds {
            walk(&rules, seed, 150, |table| {
                let ground = Ground::of(table);
                let weights = OPEN.weights(ground.bank.len() as u8);
                let node = Node::open(&ground, table, &weights);
                node.children(&ground, ALL, &weights, |m, child| {
                    assert!(table.is_legal(m));
                    let (mut after, mut made) = (table.clone(), node.clone());
                    let undo = after.apply(m);
                    made.apply(&ground, m, &weights);
                    let fresh = Node::open(&ground, &after, &weights);
                    assert_eq!((child.cost, child.hash), (fresh.cost, fresh.hash), "{m:?}\n{}", table.text());
                    assert_eq!((made.cost, made.hash, made.done), (fresh.cost, fresh.hash, fresh.done));
                    assert!((0..ground.piles).all(|place| made.pile(place) == fresh.pile(place)));
                    assert_eq!((child.turns, child.completes), (undo.turned() > 0, undo.completed() > 0));
                    counts[0] += 1;
                    counts[1] += u32::from(child.turns);
                    counts[2] += u32::from(child.completes);
                });
                if table.left() > 0 {
                    let (mut dealt, mut after) = (node.clone(), table.clone());
                    dealt.apply(&ground, Move::Row, &weights);
                    after.apply(Move::Row);
                    assert_eq!(node.cost_after_row(&ground, &weights), dealt.cost);
                    let cards = |place: usize| after.piles()[place].cards();
                    assert!((0..ground.piles).all(|place| dealt.pile(place) == cards(place)));
                }
            });
        }
    }
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
}

/// The filter leaves out splits and nothing else.
#[test]
fn all_other_moves_are_tried() {
    walk(&usual("4", "yes"), 3, 200, |table| {
        let ground = Ground::of(table);
        let weights = OPEN.weights(0);
        let node = Node::open(&ground, table, &weights);
        let mut tried = Vec::new();
        node.children(&ground, ALL, &weights, |m, _| tried.push(m));
        let hole = table.piles().iter().position(|pile| pile.is_empty());
        let mut legal = Vec::new();
        table.push_moves(&mut legal);
        for m in legal {
            let Move::Run { from, to, count } = m else { continue };
            let is_empty = table.piles()[usize::from(to)].is_empty();
            let is_whole = count == table.piles()[usize::from(from)].len();
            let left_out = is_empty && (is_whole || hole != Some(to.into()));
            assert_eq!(tried.contains(&m), !left_out, "{m:?}\n{}", table.text());
        }
        let mut careful = Vec::new();
        node.children(&ground, CAREFUL, &weights, |m, _| careful.push(m));
        assert!(careful.iter().all(|m| tried.contains(m)));
    });
}

/// The whole solver, beam and proofs, gives the verdicts of an exhaustive search on small decks.
#[test]
fn verdicts_are_those_of_exhaustive_search() {
    let mut counts = [0; 2];
    for (size, flag) in SIZES.into_iter().flat_map(|size| [(size, "yes"), (size, "no")]) {
        let rules = sized(size, flag);
        for seed in 0..12 {
            let table = table_of(&rules, &random_deck(&rules, seed));
            let limits = Limits { nodes: Some(200_000), ..Limits::default() };
            let plain = Task { limits, maximize: false, prune: false };
            let told = search(&mut table.clone(), &plain, &mut |_| false).status;
            if !told.is_decided() {
                continue;
            }
            let found = table.search(&Task::default(), &mut |_| false);
            assert_eq!(found.status, told, "{rules:?} seed {seed}\n{}", table.text());
            let mut played = table.clone();
            for &m in &found.moves {
                assert!(played.is_legal(m));
                played.apply(m);
            }
            assert_eq!((played.score(), played.is_won()), (found.score, told == Status::Solved));
            counts[usize::from(told == Status::Solved)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
}

/// Deals of all variants are won, by lines that can be shortened; strict lines do not deal on empty piles.
#[test]
fn deals_are_won() {
    for suits in ["1", "2", "4"] {
        for flag in ["yes", "no"] {
            let rules = usual(suits, flag);
            for seed in 0..2 {
                let table = table_of(&rules, &random_deck(&rules, seed));
                let found = table.search(&Task::default(), &mut |_| false);
                assert_eq!(found.status, Status::Solved);
                let again = table.search(&Task::default(), &mut |_| false);
                assert_eq!((&again.moves, again.stats.nodes), (&found.moves, found.stats.nodes));
                let mut looks = 0;
                let short = table.shorten(&found.moves, Duration::MAX, &mut |_| {
                    looks += 1;
                    looks > 800
                });
                assert!(short.len() <= found.moves.len());
                for line in [&found.moves, &short] {
                    let mut played = table.clone();
                    for &m in line {
                        assert!(played.is_legal(m), "{m:?}");
                        played.apply(m);
                    }
                    assert!(played.is_won());
                }
                assert_eq!(table.shorten(&found.moves, Duration::ZERO, &mut |_| false), found.moves);
            }
        }
    }
}

/// Limits end a search at once, and the status names them; they prove nothing.
#[test]
fn limits_are_told() {
    let table = table_of(&usual("4", "yes"), &random_deck(&usual("4", "yes"), 5));
    let limits = |nodes, time, memory| Task { limits: Limits { nodes, time, memory }, ..Task::default() };
    let found = table.search(&limits(Some(1_200), None, 1 << 30), &mut |_| false);
    assert_eq!(found.status, Status::NodeLimit);
    assert!(found.stats.nodes <= 1_200 + 25);
    let mut played = table.clone();
    for &m in &found.moves {
        played.apply(m);
    }
    assert_eq!(played.score(), found.score);
    let found = table.search(&limits(None, Some(Duration::ZERO), 1 << 30), &mut |_| false);
    assert_eq!(found.status, Status::TimeLimit);
    assert_eq!(table.search(&Task::default(), &mut |_| true).status, Status::Cancelled);
}

/// Plans do not depend on cards that lie face down or in the bank.
#[test]
fn what_is_hidden_changes_no_plan() {
    for flag in ["yes", "no"] {
        let rules = usual("4", flag);
        let player = Planned::new(&SEEN, PLAIN, vec![32]);
        walk(&rules, 11, 60, |table| {
            let sight = Sight::of(table, &player);
            let mut chance = Decks::new(table.moves_made().into());
            let deal = sight.suppose(&mut chance);
            let other = deal.table(table);
            let again = Sight::of(&other, &player);
            assert_eq!(sight.view.cards, again.view.cards);
            let mut planner = Planner::new();
            let mut lines = [&sight, &again].map(|sight| {
                let weights = player.weights(sight.view.rows);
                planner.plan(&sight.ground, &sight.view, PLAIN, CAREFUL, weights, true);
                planner.ends.iter().map(|end| (end.cost, planner.line(end))).collect::<Vec<_>>()
            });
            assert_eq!(std::mem::take(&mut lines[0]), lines[1]);
            let decide = |table: &Table| {
                let setting = Setting { samples: 4, ..SETTING };
                table.decision(setting, None, &mut Decks::new(7), &mut |_| false).plans.first().cloned()
            };
            if table.moves_made().is_multiple_of(20) {
                assert_eq!(decide(table), decide(&other));
            }
        });
    }
}
