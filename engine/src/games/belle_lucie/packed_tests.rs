//! La Belle Lucie's packed rules and prunings against a deliberately simple reference: fans as lists, every legal move
//! tried, a set of seen positions.

use std::collections::{HashMap, HashSet};

use super::{Move, Packed as BelleLucie, card_at};
use crate::cards::Card;
use crate::rng::Decks;
use crate::search::{Game, Limits, Outcome, Status, Task, search};

type Fans = Vec<Vec<Card>>;

/// Returns the number of cards of this suit on its foundation: those that lie in no fan.
fn height(fans: &Fans, suit: usize) -> usize {
    13 - fans.iter().flatten().filter(|card| card.suit() == suit).count()
}

fn score(fans: &Fans) -> i32 {
    52 - fans.iter().flatten().count() as i32
}

/// Returns every legal move in the documented order: its token, and the fans after it.
fn plain_moves(fans: &Fans) -> Vec<(String, Fans)> {
    let without_top = |from: usize| {
        let mut after = fans.clone();
        after[from].pop();
        after
    };
    let tops: Vec<Card> =
        fans.iter().map(|fan| *fan.last().expect("an empty fan leaves the table")).collect();
    let mut moves = Vec::new();
    for (from, card) in tops.iter().enumerate() {
        if card.rank() == height(fans, card.suit()) + 1 {
            moves.push((format!("{card}^"), without_top(from)));
        }
    }
    for (from, card) in tops.iter().enumerate() {
        for (to, onto) in tops.iter().enumerate() {
            if onto.suit() == card.suit() && onto.rank() == card.rank() + 1 {
                let mut after = without_top(from);
                after[to].push(*card);
                moves.push((format!("{card}>{onto}"), after));
            }
        }
    }
    for (_, after) in &mut moves {
        after.retain(|fan| !fan.is_empty());
    }
    moves
}

/// Returns the best final score of each reachable position; the order of fans is ignored.
fn plain_best(fans: &Fans, known: &mut HashMap<Fans, i32>) -> i32 {
    let mut position = fans.clone();
    position.sort_unstable();
    if let Some(&best) = known.get(&position) {
        return best;
    }
    let after = plain_moves(fans).into_iter().map(|(_, after)| plain_best(&after, known));
    let best = after.max().unwrap_or(0).max(score(fans));
    known.insert(position, best);
    best
}

/// Returns a late position: foundations at random heights, the rest in fans of one to four cards, and then perhaps some
/// random moves, so that runs lie on the table from the start.
fn endgame(seed: u64) -> Fans {
    let mut chance = Decks::new(seed);
    // Few suits make builds likely: with four the foundations do nearly all the work.
    let suits = 1 + chance.below(4);
    let mut left = [0; 4];
    for _ in 0..6 + chance.below(11) {
        let suit = chance.below(suits) as usize;
        left[suit] = (left[suit] + 1).min(13);
    }
    let mut cards: Vec<Card> = chance.deck(52).into_iter().map(Card::at).collect();
    cards.retain(|card| card.rank() > 13 - left[card.suit()]);
    // Fans of one size, as they are dealt, block most; mixed ones arise in play.
    let (smallest, largest) = [(1, 2), (1, 3), (1, 4), (3, 3), (4, 4), (3, 4)][chance.below(6) as usize];
    let (mut fans, mut rest) = (Vec::new(), &cards[..]);
    while !rest.is_empty() {
        let size = (smallest + chance.below(largest - smallest + 1)) as usize;
        let size = size.min(rest.len());
        fans.push(rest[..size].to_vec());
        rest = &rest[size..];
    }
    for _ in 0..chance.below(2) * chance.below(6) {
        let mut moves = plain_moves(&fans);
        if moves.is_empty() {
            break;
        }
        fans = moves.swap_remove(chance.below(moves.len() as u64) as usize).1;
    }
    fans
}

fn layout(fans: &Fans) -> String {
    let line = |fan: &Vec<Card>| fan.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
    fans.iter().map(line).collect::<Vec<_>>().join(" / ")
}

fn token(m: Move) -> String {
    match m {
        Move::ToFoundation(bit) => format!("{}^", card_at(bit)),
        Move::ToFan(bit) => format!("{}>{}", card_at(bit), card_at(bit + 1)),
        Move::ToSpace(bit) => format!("{}>-", card_at(bit)),
    }
}

fn solve(game: &BelleLucie, prune: bool) -> Outcome<Move> {
    search(&mut game.clone(), &Task { prune, ..Task::default() }, &mut |_| false)
}

/// Returns a whole deal in fans of three.
fn dealt(seed: u64) -> BelleLucie {
    let deck: Vec<Card> = Decks::new(seed).deck(52).into_iter().map(Card::at).collect();
    BelleLucie::new(&deck.chunks(3).map(<[Card]>::to_vec).collect::<Fans>())
}

/// Returns the fans after a line, each move looked up among the reference moves.
fn replay(mut fans: Fans, line: &[Move]) -> Fans {
    for &m in line {
        let token = token(m);
        let found = plain_moves(&fans).into_iter().find(|(plain, _)| *plain == token);
        fans = found.unwrap_or_else(|| panic!("{token} is illegal in {}", layout(&fans))).1;
    }
    fans
}

#[test]
fn pruned_and_plain_search_prove_the_best_score() {
    let mut wins = 0;
    for seed in 0..5000 {
        let fans = endgame(seed);
        let game = BelleLucie::new(&fans);
        let best = plain_best(&fans, &mut HashMap::new());
        for prune in [true, false] {
            let found = solve(&game, prune);
            let text = format!("seed {seed}, prune {prune}: {}", layout(&fans));
            assert_eq!((found.score, found.score_proved), (best, true), "{text}");
            let status = if best == 52 { Status::Solved } else { Status::Unsolvable };
            assert_eq!(found.status, status, "{text}");
            assert_eq!(score(&replay(fans.clone(), &found.moves)), best, "{text}");
        }
        wins += u32::from(best == 52);
    }
    // Both verdicts must occur often, or the test proves little.
    assert!((1000..5000).contains(&wins), "{wins} wins");
}

/// Calls `look` once with each reachable position, in both forms.
fn walk(fans: Fans, look: &mut dyn FnMut(&mut BelleLucie, &Fans)) {
    let mut seen = HashSet::from([fans.clone()]);
    let mut waiting = vec![(BelleLucie::new(&fans), fans)];
    while let Some((mut game, fans)) = waiting.pop() {
        look(&mut game, &fans);
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let plain = plain_moves(&fans);
        assert_eq!(moves.len(), plain.len(), "{}", layout(&fans));
        for (m, (plain, after)) in moves.into_iter().zip(plain) {
            assert_eq!(token(m), plain, "{}", layout(&fans));
            if seen.insert(after.clone()) {
                let mut next = game.clone();
                next.apply(m);
                waiting.push((next, after));
            }
        }
    }
}

#[test]
fn moves_and_score_are_those_of_the_plain_rules() {
    for seed in 10_000..10_300 {
        // `walk` compares the moves.
        walk(endgame(seed), &mut |game, fans| assert_eq!(game.score(), score(fans)));
    }
}

#[test]
fn undo_undoes() {
    for seed in 20_000..20_300 {
        walk(endgame(seed), &mut |game, _| {
            let before = game.now;
            let mut moves = Vec::new();
            game.moves(&mut moves);
            assert!(moves.len() <= game.most_moves());
            for m in moves {
                let undo = game.apply(m);
                assert_ne!(game.now, before);
                game.undo(m, undo);
                assert_eq!(game.now, before);
            }
        });
    }
}

#[test]
fn keys_are_equal_where_positions_are() {
    for seed in 30_000..30_300 {
        let (mut position_of, mut key_of) = (HashMap::new(), HashMap::new());
        walk(endgame(seed), &mut |game, fans| {
            let key = game.key();
            assert_ne!(key, 0);
            assert_eq!(position_of.entry(key).or_insert_with(|| fans.clone()), fans);
            assert_eq!(*key_of.entry(fans.clone()).or_insert(key), key);
        });
    }
}

#[test]
fn the_bound_is_never_too_low() {
    let (mut tight, mut all) = (0, 0);
    for seed in 40_000..40_500 {
        let mut known = HashMap::new();
        walk(endgame(seed), &mut |game, fans| {
            let best = plain_best(fans, &mut known);
            assert!(game.bound() >= best, "{} < {best}: {}", game.bound(), layout(fans));
            tight += u32::from(game.bound() == best);
            all += 1;
        });
    }
    assert!(tight > all / 2, "{tight} of {all}");
}

#[test]
fn forced_moves_lose_nothing_and_branches_miss_nothing() {
    let (mut forced_builds, mut blocking) = (0, 0);
    for seed in 50_000..51_800 {
        let mut known = HashMap::new();
        walk(endgame(seed), &mut |game, fans| {
            let best = plain_best(fans, &mut known);
            let mut after = |token: &str| {
                let (_, after) = plain_moves(fans).into_iter().find(|(plain, _)| plain == token).unwrap();
                plain_best(&after, &mut known)
            };
            if let Some(m) = game.forced() {
                forced_builds += u32::from(matches!(m, Move::ToFan(_)));
                assert_eq!(after(&token(m)), best, "{} in {}", token(m), layout(fans));
            } else {
                let mut moves = Vec::new();
                game.branches(&mut moves);
                let best_branch = moves.iter().map(|&m| after(&token(m))).max();
                blocking += u32::from(best_branch.is_some());
                assert_eq!(best_branch.unwrap_or(score(fans)).max(score(fans)), best, "{}", layout(fans));
            }
        });
    }
    assert!(forced_builds > 1000 && blocking > 100, "{forced_builds} {blocking}");
}

#[test]
fn whole_deals_are_pruned_soundly() {
    for seed in 0..40 {
        // The unpruned search takes a second for these two; the others are quick.
        if seed == 5 || seed == 7 {
            continue;
        }
        let game = dealt(seed);
        let (pruned, plain) = (solve(&game, true), solve(&game, false));
        assert_eq!((pruned.status, pruned.score), (plain.status, plain.score), "seed {seed}");
        assert!(pruned.stats.nodes <= plain.stats.nodes);
    }
}

#[test]
fn a_table_too_small_costs_only_time() {
    // 1,300 to 2,300 positions, in a table of 1,024.
    for seed in [4, 9, 26, 37, 41, 43, 46, 48, 80, 102] {
        let game = dealt(seed);
        let limits = Limits { memory: 24 << 10, ..Limits::default() };
        let task = Task { limits, prune: false, ..Task::default() };
        let small = search(&mut game.clone(), &task, &mut |_| false);
        let roomy = solve(&game, false);
        assert!(small.stats.evictions > 0 && small.stats.table_bytes < 24 << 10);
        assert_eq!((small.status, small.score), (roomy.status, roomy.score), "seed {seed}");
        assert_eq!(small.moves, roomy.moves, "seed {seed}");
    }
}
