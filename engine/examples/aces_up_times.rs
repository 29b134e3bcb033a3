//! Measures how long one thread searches decks of Aces Up: `cargo run --release --example aces_up_times [DECKS] [FIRST]
//! [FIELD=VALUE ...]`, for example `1000 0 variant=free nodes=1000000 maximize=yes`. Decks are dealt by seed. Besides
//! the fields of the rules there are these options: `variant=NAME`, `nodes=LIMIT`, `memory=BYTES`, `maximize=yes`,
//! `prune=no`, and `list=yes` (a line for each deck). The checksum changes if any verdict does, or any score where
//! scores are proved.

use _engine::games::{Start, open};
use _engine::search::{Limits, Status, Task};

fn main() {
    let (rules, numbers): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.contains('='));
    let mut numbers = numbers.iter().map(|text| text.parse::<u64>().expect("a number"));
    let decks = numbers.next().unwrap_or(1000);
    let first = numbers.next().unwrap_or(0);
    let (mut fields, mut task, mut list) = (Vec::new(), Task::default(), false);
    let Limits { nodes: limit, memory, .. } = &mut task.limits;
    for (field, value) in rules.iter().filter_map(|rule| rule.split_once('=')) {
        match field {
            "nodes" => *limit = Some(value.parse().expect("a number")),
            "memory" => *memory = value.parse().expect("a number"),
            "maximize" => task.maximize = value == "yes",
            "prune" => task.prune = value != "no",
            "list" => list = value == "yes",
            "variant" => fields.extend(variant(value)),
            _ => fields.push((field.to_string(), value.to_string())),
        }
    }
    let game = open("aces-up", fields).expect("these rules are supported");
    let (mut times, mut nodes) = (Vec::new(), Vec::new());
    let before = cpu();
    let (mut wins, mut scores, mut undecided, mut checksum) = (0u64, 0u64, 0u64, 0u64);
    for seed in first..first + decks {
        let found = game.solve(&Start::Seed(seed), &task, &mut |_| false).expect("a deal is valid");
        let seconds = found.stats.seconds;
        times.push(seconds);
        nodes.push(found.stats.nodes);
        if list {
            let (status, score) = (found.status.name(), found.score);
            println!("{seed} {status} score {score} {seconds:.6} {:?}", found.stats);
        }
        wins += u64::from(found.status == Status::Solved);
        undecided += u64::from(!found.status.is_decided());
        scores += found.score as u64;
        let fact = if found.score_proved { found.score as u64 } else { 100 };
        checksum = checksum.wrapping_mul(0x100_0000_01b3).wrapping_add(fact);
    }
    let mean = |sum: f64| sum / decks.max(1) as f64;
    let expanded = nodes.iter().sum::<u64>();
    times.sort_unstable_by(f64::total_cmp);
    nodes.sort_unstable();
    println!(
        "{decks} decks, {wins} won, {undecided} undecided, mean score {:.3}, checksum {checksum:016x}",
        mean(scores as f64)
    );
    // The whole time of a deck, the text of its line included. If the system does not measure CPU time, the wall time
    // of the searches.
    let total = cpu().zip(before).map_or(times.iter().sum(), |(now, before)| now - before);
    print!("milliseconds: mean {:.5} ({:.1} nodes)", mean(total) * 1e3, mean(expanded as f64));
    for (name, share) in [("median", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1.0)] {
        let place = ((decks as f64 * share) as usize).min(times.len() - 1);
        print!(", {name} {:.4} ({} nodes)", times[place] * 1e3, nodes[place]);
    }
    println!("; {:.0} ns a node", total / expanded.max(1) as f64 * 1e9);
}

/// Returns the CPU seconds of this thread: on a busy machine the wall clock means little.
fn cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<u64>().ok()? as f64 / 1e9)
}

/// Returns the fields in which a named variant differs from the default.
fn variant(name: &str) -> Vec<(String, String)> {
    let text = match name {
        "standard" => "",
        "must-fill" => "fill=must",
        "must-fill-any" => "fill=must destination=any",
        "last-empty" => "destination=last",
        "any-empty" => "destination=any",
        "free" => "destination=any singletons=yes",
        "relaxed-discards" => "destination=any singletons=yes discards=optional",
        "aces-only" => "fill=aces-only",
        "russian" => "deal=spaces",
        "five-piles" => "piles=5",
        "firing-squad" => "reserve=1",
        _ => panic!("there is no variant {name}"),
    };
    let pairs = text.split_whitespace().filter_map(|word| word.split_once('='));
    pairs.map(|(field, value)| (field.to_string(), value.to_string())).collect()
}
