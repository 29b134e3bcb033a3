//! Shorter lines of Agnes Sorel have the same end as the longer ones.

use std::time::Duration;

use super::plain::{random_deck, rules, slugs};
use super::solver_tests::solve;
use super::table::{Agnes, Move};
use crate::games::Playable;
use crate::rng::Decks;
use crate::search::{Game, Status};

/// Plays legal moves; returns the score, whether it is won, and whether no move is left.
fn end_of(game: &Agnes, line: &[Move]) -> (i32, bool, bool) {
    let mut game = game.clone();
    let mut legal = Vec::new();
    for &m in line {
        legal.clear();
        game.moves(&mut legal);
        assert!(legal.contains(&m), "{m:?} is not legal in\n{}", game.text());
        game.apply(m);
    }
    legal.clear();
    game.moves(&mut legal);
    (game.score(), game.is_won(), legal.is_empty())
}

/// Checks the law: the line is legal, has the same end and is no longer; and a shorter line is not shortened again.
fn check(game: &Agnes, line: &[Move]) -> Vec<Move> {
    let short = game.shorten(line, Duration::MAX, &mut |_| false);
    assert_eq!(end_of(game, &short), end_of(game, line), "{}", game.text());
    assert!(short.len() <= line.len(), "{}", game.text());
    assert_eq!(game.shorten(&short, Duration::MAX, &mut |_| false), short, "{}", game.text());
    short
}

fn line_of(game: &Agnes, tokens: &str) -> Vec<Move> {
    let mut game = game.clone();
    let play = |token| {
        let m = game.parse_token(token).expect("a legal move");
        game.apply(m);
        m
    };
    tokens.split_whitespace().map(play).collect()
}

/// Random play is less direct than any search, stops anywhere, and deals onto piles that were left empty.
fn random_line(game: &Agnes, seed: u64) -> Vec<Move> {
    let mut game = game.clone();
    let mut luck = Decks::new(seed ^ 0x5E);
    let mut line = Vec::new();
    for _ in 0..luck.below(150) {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let mut choice = luck.below(moves.len() as u64) as usize;
        if moves[choice] == Move::Deal && luck.below(3) > 0 {
            choice = 0;
        }
        game.apply(moves[choice]);
        line.push(moves[choice]);
    }
    line
}

#[test]
fn lines_on_small_decks_become_shorter_and_end_alike() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..12 {
        for (number, slug) in slugs().iter().enumerate() {
            let (ranks, piles) = [(4, 3), (5, 3), (5, 4), (6, 4)][(seed as usize + number) % 4];
            let rules = rules(slug, ranks, piles);
            let game = Agnes::dealt(rules, &random_deck(&rules, seed));
            let lines = [solve(&game, false).moves, solve(&game, true).moves, random_line(&game, seed)];
            for line in lines {
                before += line.len();
                after += check(&game, &line).len();
            }
        }
    }
    assert!(after < before);
}

#[test]
fn won_lines_of_whole_decks_become_shorter_and_end_alike() {
    for (slug, seeds) in [
        ("up-suit-anyrun", 0..6),
        ("up-color-anyrun", 0..6),
        ("down-color-any1", 0..4),
        ("up-suit-any1-nosplit", 0..4),
        ("up-color-highrun", 0..6),
    ] {
        let (mut wins, mut before, mut after) = (0, 0, 0);
        for seed in seeds {
            let game = Agnes::deal(&rules(slug, 13, 7), &mut Decks::new(seed));
            let found = solve(&game, false);
            if found.status == Status::Solved {
                wins += 1;
                before += found.moves.len();
                after += check(&game, &found.moves).len();
            }
            check(&game, &random_line(&game, seed));
        }
        assert!(wins > 0 && after < before, "{slug}: {wins} wins, {before} moves, then {after}");
    }
}

/// A unit goes away and comes back while others move: no position repeats, and no single move can be left out.
#[test]
fn to_and_fro_is_left_out() {
    let text = "Base: A\nFoundations: AC AD AS -\n1: 5C 4C\n2: 4H 5S\n3: 2D 3D 4D 5D 3S 2S 4S AH\n\
                4: 3C 2H 3H 5H 2C\nStock: -\n";
    let game = Agnes::parse(&rules("up-color-none", 5, 4), text).expect("a position");
    let line = line_of(&game, "1-2 3f 2-1 4f 3-2 3f 3f");
    assert_eq!(check(&game, &line), line_of(&game, "3f 4f 3-2 3f 3f"));
}

/// The watch can stop the shortening: the line found by then leads to the same end.
#[test]
fn the_watch_ends_it() {
    let game = Agnes::deal(&rules("down-color-any1", 13, 7), &mut Decks::new(7));
    let line = solve(&game, false).moves;
    let mut looks = 0;
    let short = game.shorten(&line, Duration::MAX, &mut |_| {
        looks += 1;
        true
    });
    assert!(looks > 0);
    assert_eq!(end_of(&game, &short), end_of(&game, &line));
    assert!(short.len() <= line.len());
}
