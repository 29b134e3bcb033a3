//! Plays Spider deals by one policy and prints how often it wins: a tool for measuring.
//!
//! `cargo run --release --example spider_play POLICY [DEALS] [FIRST] [FIELD=VALUE ...]`, for example
//! `... spider_play search:40 300 0 suits=4 deal_on_empty=no`.

use std::time::Instant;

use _engine::games::{Start, open};

fn main() {
    let (fields, words): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.contains('='));
    let mut words = words.iter();
    let policy = words.next().expect("a policy");
    let mut numbers = words.map(|text| text.parse::<u64>().expect("a number"));
    let count = numbers.next().unwrap_or(100);
    let first = numbers.next().unwrap_or(0);
    let fields = fields.iter().filter_map(|field| field.split_once('='));
    let fields = fields.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let game = open("spider", fields).expect("rules that the engine knows");
    let player = game.player(policy, None).expect("a policy that the engine knows");
    let (mut won, mut moves, started) = (0, 0, Instant::now());
    for seed in first..first + count {
        let game = player.play(&Start::Seed(seed), seed, &mut |_| false).expect("a game");
        won += u64::from(game.is_won);
        moves += game.moves.len();
        let games = seed + 1 - first;
        if games.is_multiple_of(20) || games == count {
            let seconds = started.elapsed().as_secs_f64() / games as f64;
            let (share, moves) = (100.0 * won as f64 / games as f64, moves as f64 / games as f64);
            println!("{won} of {games} won = {share:.1} %; {moves:.0} moves and {seconds:.4} s a game");
        }
    }
}
