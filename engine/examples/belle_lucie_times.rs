//! Measures how long one thread searches deals of La Belle Lucie: `cargo run --release --example belle_lucie_times
//! [DEALS] [FIRST_SEED] [FIELD=VALUE ...]`, for example `300 0 build=any nodes=1000000`. Besides the fields of the
//! rules there are the options `nodes=LIMIT`, `maximize=yes` and `list=yes` (a line for each deal). The checksum
//! changes if any score does.

use std::time::Instant;

use _engine::games::{Start, open};
use _engine::search::{Limits, Status, Task};

fn main() {
    let (rules, numbers): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.contains('='));
    let mut numbers = numbers.iter().map(|text| text.parse::<u64>().expect("a number"));
    let deals = numbers.next().unwrap_or(100_000);
    let first = numbers.next().unwrap_or(0);
    let (mut fields, mut limits, mut maximize, mut list) = (Vec::new(), Limits::default(), false, false);
    for (field, value) in rules.iter().filter_map(|rule| rule.split_once('=')) {
        match field {
            "nodes" => limits.nodes = Some(value.parse().expect("a number")),
            "maximize" => maximize = value == "yes",
            "list" => list = value == "yes",
            _ => fields.push((field.to_string(), value.to_string())),
        }
    }
    let task = Task { limits, maximize, ..Task::default() };
    let game = open("belle-lucie", fields).expect("these rules are supported");
    let (mut times, mut nodes) = (Vec::new(), Vec::new());
    let (mut wins, mut scores, mut undecided, mut checksum) = (0u64, 0u64, 0u64, 0u64);
    let started = Instant::now();
    for seed in first..first + deals {
        let found = game.solve(&Start::Seed(seed), &task, &mut |_| false).expect("a deal is valid");
        times.push(found.stats.seconds);
        if list {
            let (status, nodes, moves) = (found.status.name(), found.stats.nodes, found.moves.len());
            let seconds = found.stats.seconds;
            println!("{seed} {status} score {} nodes {nodes} moves {moves} {seconds:.6}", found.score);
        }
        nodes.push(found.stats.nodes);
        wins += u64::from(found.status == Status::Solved);
        undecided += u64::from(!matches!(found.status, Status::Solved | Status::Unsolvable));
        scores += found.score as u64;
        checksum = checksum.wrapping_mul(0x100_0000_01b3).wrapping_add(found.score as u64);
    }
    let wall = started.elapsed().as_secs_f64();
    let (search, expanded) = (times.iter().sum::<f64>(), nodes.iter().sum::<u64>());
    times.sort_unstable_by(f64::total_cmp);
    nodes.sort_unstable();
    println!(
        "seeds {first}..{}, {wins} won, {undecided} undecided, scores {scores}, checksum {checksum:016x}",
        first + deals - 1
    );
    print!("microseconds:");
    for (name, share) in [("median", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999)] {
        let place = ((deals as f64 * share) as usize).min(times.len() - 1);
        print!(" {name} {:.2} ({} nodes),", times[place] * 1e6, nodes[place]);
    }
    println!(" max {:.1} ({} nodes)", times[times.len() - 1] * 1e6, nodes[nodes.len() - 1]);
    println!(
        "search {search:.3} s: {:.0} deals/s, {:.0} nodes/s; with dealing and text {wall:.3} s: {:.0} deals/s",
        deals as f64 / search,
        expanded as f64 / search,
        deals as f64 / wall
    );
}
