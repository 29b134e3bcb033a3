//! Measures how fast one thread plays whole games of Aces Up: `cargo run --release --example aces_up_play [GAMES]
//! [FIRST] [FIELD=VALUE ...] [POLICY ...]`, for example `1000000 0 destination=last rules:1,1000`. All policies play
//! the same deals. Besides the fields of the rules there are two options: `lists=FILE`, a policy on each line;
//! `values=W,W,...`, the weights of the policies that need them.

use std::time::Instant;

use _engine::games::{Results, Start, players};

/// Games in one call, as in a run from Python.
const BLOCK: u64 = 256;

fn main() {
    let mut numbers = Vec::new();
    let (mut fields, mut policies, mut values) = (Vec::new(), Vec::new(), None);
    for argument in std::env::args().skip(1) {
        if let Ok(number) = argument.parse::<u64>() {
            numbers.push(number);
        } else if let Some(file) = argument.strip_prefix("lists=") {
            let text = std::fs::read_to_string(file).expect("a file of policies");
            policies.extend(text.lines().map(str::to_string));
        } else if let Some(weights) = argument.strip_prefix("values=") {
            let weights = weights.split(',').map(|weight| weight.parse::<f64>().expect("a weight"));
            values = Some(weights.flat_map(f64::to_le_bytes).collect::<Vec<u8>>());
        } else if argument.contains(':') || !argument.contains('=') {
            policies.push(argument);
        } else if let Some((field, value)) = argument.split_once('=') {
            fields.push((field.to_string(), value.to_string()));
        }
    }
    let games = numbers.first().copied().unwrap_or(100_000);
    let first = numbers.get(1).copied().unwrap_or(0);
    if policies.is_empty() {
        policies.push("rules:1,1000".to_string());
    }
    let players =
        players("aces-up", fields, &policies, values.as_deref()).expect("these policies can be had");
    let mut results: Vec<Results> = Vec::new();
    let (started, cpu_before) = (Instant::now(), cpu());
    for block in (first..first + games).step_by(BLOCK as usize) {
        let seeds = block..(block + BLOCK).min(first + games);
        let starts: Vec<(Start, u64)> = seeds.map(|seed| (Start::Seed(seed), seed)).collect();
        let played = players.play(&starts, &mut |_| false).expect("deals can be played");
        if results.is_empty() {
            results = played;
        } else {
            results.iter_mut().zip(played).for_each(|(results, more)| results.extend(more));
        }
    }
    let seconds = cpu().zip(cpu_before).map(|(now, before)| now - before);
    let seconds = seconds.unwrap_or_else(|| started.elapsed().as_secs_f64());
    for (policy, result) in policies.iter().zip(&results).take(40) {
        let wins: u64 = result.won.iter().map(|&won| u64::from(won)).sum();
        let scores: i64 = result.scores.iter().map(|&score| i64::from(score)).sum();
        let moves: u64 = result.tableau_moves.iter().flatten().map(|&moves| u64::from(moves)).sum();
        let (share, mean) = (wins as f64 / games as f64, scores as f64 / games as f64);
        let error = 1.96 * (share * (1.0 - share) / games as f64).sqrt();
        println!(
            "{policy}: {wins} won, {:.3} % +-{:.3}, mean {mean:.3}, {:.2} moves, {:?}",
            100.0 * share,
            100.0 * error,
            moves as f64 / games as f64,
            result.counts,
        );
    }
    let any = (0..games as usize).filter(|&game| results.iter().any(|result| result.won[game] == 1)).count();
    println!("{any} deals won by some policy");
    let all = games as f64 * policies.len() as f64;
    println!("{seconds:.3} s of CPU: {:.0} games/s, {:.0} deals/s", all / seconds, games as f64 / seconds);
}

/// Returns the CPU seconds of this thread: on a busy machine the wall clock means little.
fn cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<u64>().ok()? as f64 / 1e9)
}
