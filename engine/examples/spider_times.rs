//! Solves Spider deals one after the other and prints the results: for measuring with perf or callgrind as well as by
//! the clock.
//!
//!     cargo run --release --example spider_times -- 1000 0 seconds=10 suits=4 deal_on_empty=yes
//!
//! The first number is the number of deals, the second the first of them.

use std::time::Duration;

use _engine::games::{Start, open};
use _engine::search::{Limits, Status, Task};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| arguments.get(place).and_then(|text| text.parse::<u64>().ok());
    let (Some(count), Some(first)) = (number(0), number(1)) else {
        panic!("expected how many deals, the first of them, and field=value pairs")
    };
    let mut seconds = 10.0;
    let mut fields = Vec::new();
    for pair in &arguments[2..] {
        let (name, value) = pair.split_once('=').expect("field=value");
        match name {
            "seconds" => seconds = value.parse().expect("a number of seconds"),
            _ => fields.push((name.to_string(), value.to_string())),
        }
    }
    let game = open("spider", fields).expect("rules that the engine knows");
    let limits = Limits { time: Some(Duration::from_secs_f64(seconds)), ..Limits::default() };
    let task = Task { limits, ..Task::default() };
    let (mut times, mut lengths, mut nodes) = (Vec::new(), Vec::new(), 0);
    for seed in first..first + count {
        let found = game.solve(&Start::Seed(seed), &task, &mut |_| false).expect("a deal");
        times.push(found.stats.seconds);
        nodes += found.stats.nodes;
        match found.status {
            Status::Solved => lengths.push(found.moves.len()),
            status => println!("deal {seed}: {} after {:.1} s", status.name(), found.stats.seconds),
        }
    }
    let total: f64 = times.iter().sum();
    times.sort_by(f64::total_cmp);
    lengths.sort_unstable();
    let at = |share: f64| ((times.len() - 1) as f64 * share) as usize;
    println!(
        "{} of {count} won; seconds: mean {:.4} median {:.4} 99% {:.3} most {:.3}; {:.0} positions/s",
        lengths.len(),
        total / count as f64,
        times[at(0.5)],
        times[at(0.99)],
        times[at(1.0)],
        nodes as f64 / total
    );
    if !lengths.is_empty() {
        let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
        let middle = lengths[lengths.len() / 2];
        println!(
            "moves: mean {mean:.1} median {middle} from {} to {}",
            lengths[0],
            lengths[lengths.len() - 1]
        );
    }
}
