//! Measures the search of one phase of Gaps over many deals.
//!
//! `cargo run --release --example gaps_times [DEALS] [FIRST] [FIELD=VALUE ...]`, for example `... gaps_times 1000 0
//! redeals=0 seconds=2 memory=100000000`. Besides the fields of the rules there are these options: `deals=FILE` (a
//! table with a column `layout`; then all its rows are searched), `nodes=LIMIT`, `seconds=LIMIT`, `memory=BYTES`,
//! `threads=N`, `maximize=yes`, `ends=yes`, `without=NAME,NAME`, `plain=yes` (no technique but the table) and
//! `list=yes` (a line for each deal). The checksum changes if any verdict does. Times are CPU times if there is one
//! thread.

use std::time::Duration;

use _engine::games::{PhaseFound, PhaseTask, Phasing, Start, open_as};
use _engine::search::{Limits, Status};

const ALL: &str = "closure,alone,bound,history,ordering,facts,learned,widening,hops";

fn main() {
    let (options, numbers): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.contains('='));
    let mut numbers = numbers.iter().map(|text| text.parse::<u64>().expect("a number"));
    let count = numbers.next().unwrap_or(100);
    let first = numbers.next().unwrap_or(0);
    let limits = Limits { memory: 100_000_000, ..Limits::default() };
    let mut task = PhaseTask { limits, threads: 1, without: Vec::new(), maximize: false, ends: false };
    let (mut fields, mut list, mut deals) = (Vec::new(), false, None);
    for (field, value) in options.iter().filter_map(|option| option.split_once('=')) {
        let names = |text: &str| text.split(',').map(str::to_string).collect();
        match field {
            "nodes" => task.limits.nodes = Some(value.parse().expect("a number")),
            "seconds" => {
                task.limits.time = Some(Duration::from_secs_f64(value.parse().expect("a number")));
            }
            "memory" => task.limits.memory = value.parse().expect("a number"),
            "threads" => task.threads = value.parse().expect("a number"),
            "maximize" => task.maximize = value == "yes",
            "ends" => task.ends = value == "yes",
            "without" => task.without = names(value),
            "plain" => task.without = names(ALL),
            "list" => list = value == "yes",
            "deals" => deals = Some(std::fs::read_to_string(value).expect("a file of deals")),
            _ => fields.push((field.to_string(), value.to_string())),
        }
    }
    let game = open_as::<dyn Phasing>("gaps", fields).expect("these rules are supported");
    let starts: Vec<Start> = match deals {
        None => (first..first + count).map(Start::Seed).collect(),
        Some(text) => {
            let rows = text.lines().skip(1).filter_map(|line| line.split(',').nth(1));
            rows.map(|layout| Start::Position(layout.replace('/', "\n"))).collect()
        }
    };
    let (mut times, mut all) = (Vec::new(), Vec::<PhaseFound<String>>::new());
    for (number, start) in starts.iter().enumerate() {
        let before = cpu();
        let found = game.phase(start, &task, &mut |_| false).expect("a deal is valid");
        // If the system does not measure CPU time, the wall time.
        let spent = cpu().zip(before).map(|(now, before)| now - before).filter(|_| task.threads == 1);
        times.push(spent.unwrap_or(found.stats.seconds));
        if list {
            println!(
                "{number} {} score {} of {} nodes {} {:.3} s, {} ends {} {:?}",
                found.status.name(),
                found.score,
                found.bound,
                found.stats.nodes,
                times[times.len() - 1],
                found.ends.len(),
                found.is_complete,
                found.stats
            );
        }
        all.push(found);
    }
    let checksum = all.iter().fold(0u64, |sum, found| {
        let verdict = if found.status == Status::Solved {
            49
        } else {
            u64::from(found.score_proved) * found.score as u64
        };
        sum.wrapping_mul(0x100_0000_01b3).wrapping_add(verdict + u64::from(found.status.is_decided()) * 64)
    });
    let of = |status: Status| all.iter().filter(|found| found.status == status).count();
    let seconds: f64 = times.iter().sum();
    let nodes: u64 = all.iter().map(|found| found.stats.nodes).sum();
    println!(
        "{} deals: {} won, {} lost, {} undecided, checksum {checksum:016x}",
        all.len(),
        of(Status::Solved),
        of(Status::Unsolvable),
        all.len() - of(Status::Solved) - of(Status::Unsolvable),
    );
    println!(
        "{nodes} nodes in {seconds:.3} s: {:.0} nodes/s; largest table {} bytes, evictions {}",
        nodes as f64 / seconds,
        all.iter().map(|found| found.stats.table_bytes).max().unwrap_or(0),
        all.iter().map(|found| found.stats.evictions).sum::<u64>(),
    );
    let mut expanded: Vec<u64> = all.iter().map(|found| found.stats.nodes).collect();
    times.sort_unstable_by(f64::total_cmp);
    expanded.sort_unstable();
    for (name, share) in
        [("median", 0.5), ("p90", 0.9), ("p95", 0.95), ("p97", 0.97), ("p98", 0.98), ("p99", 0.99)]
    {
        let place = ((times.len() as f64 * share) as usize).min(times.len() - 1);
        print!("{name} {:.3} s ({} nodes), ", times[place], expanded[place]);
    }
    println!("max {:.3} s ({} nodes)", times[times.len() - 1], expanded[expanded.len() - 1]);
}

/// Returns the CPU seconds of this thread: on a busy machine the wall clock means little.
fn cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<u64>().ok()? as f64 / 1e9)
}
