//! Measures how long one thread searches deals of Agnes Sorel: `cargo run --release --example agnes_times [DEALS]
//! [FIRST] [FIELD=VALUE ...]`, for example `300 0 variant=up-suit-anyrun-nosplit nodes=1000000`. The checksum changes
//! if any score does. FIELD is a field of the rules or one of these options:
//! - `variant=SLUG`
//! - `decks=FILE`: lines of a number, a comma and a deck. FIRST is then a number in the file, else a seed.
//! - `nodes=LIMIT`, `memory=BYTES`, `maximize=yes`, `prune=no`
//! - `list=yes`: prints a line for each deal.

use std::time::Instant;

use _engine::games::{FixedGame, Start, open};
use _engine::search::{Limits, Status, Task};

fn main() {
    let (rules, numbers): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.contains('='));
    let mut numbers = numbers.iter().map(|text| text.parse::<u64>().expect("a number"));
    let deals = numbers.next().unwrap_or(1000);
    let first = numbers.next().unwrap_or(0);
    let (mut fields, mut task, mut list, mut decks) = (Vec::new(), Task::default(), false, None);
    let Limits { nodes: limit, memory, .. } = &mut task.limits;
    for (field, value) in rules.iter().filter_map(|rule| rule.split_once('=')) {
        match field {
            "nodes" => *limit = Some(value.parse().expect("a number")),
            "memory" => *memory = value.parse().expect("a number"),
            "maximize" => task.maximize = value == "yes",
            "prune" => task.prune = value != "no",
            "list" => list = value == "yes",
            "decks" => decks = Some(std::fs::read_to_string(value).expect("a file of decks")),
            "variant" => fields.extend(variant(value)),
            _ => fields.push((field.to_string(), value.to_string())),
        }
    }
    let game = open("agnes", fields.clone()).expect("these rules are supported");
    let starts: Vec<(u64, Start)> = match &decks {
        None => (first..first + deals).map(|seed| (seed, Start::Seed(seed))).collect(),
        Some(decks) => {
            let rows = decks.lines().filter_map(|line| line.split_once(','));
            let rows = rows.filter_map(|(number, deck)| Some((number.parse::<u64>().ok()?, deck)));
            let rows = rows.filter(|(number, _)| (first..first + deals).contains(number));
            rows.map(|(number, deck)| (number, Start::Position(laid_out(deck, &fields)))).collect()
        }
    };
    let (mut times, mut nodes) = (Vec::new(), Vec::new());
    let (mut wins, mut scores, mut undecided, mut checksum) = (0u64, 0u64, 0u64, 0u64);
    let (started, cpu_before) = (Instant::now(), cpu());
    for (number, start) in &starts {
        let found = solve(&*game, start, &task);
        times.push(found.stats.seconds);
        if list {
            let (status, nodes, moves) = (found.status.name(), found.stats.nodes, found.moves.len());
            let (seconds, score) = (found.stats.seconds, found.score);
            println!(
                "{number} {status} score {score} nodes {nodes} moves {moves} {seconds:.6} {:?}",
                found.stats
            );
        }
        nodes.push(found.stats.nodes);
        wins += u64::from(found.status == Status::Solved);
        undecided += u64::from(!found.status.is_decided());
        scores += found.score as u64;
        checksum = checksum.wrapping_mul(0x100_0000_01b3).wrapping_add(found.score as u64);
    }
    let cpu_used = cpu().zip(cpu_before).map(|(now, before)| now - before);
    let wall = started.elapsed().as_secs_f64();
    let expanded = nodes.iter().sum::<u64>();
    // If the system does not measure CPU time, the wall time of the searches.
    let search = cpu_used.unwrap_or_else(|| times.iter().sum());
    times.sort_unstable_by(f64::total_cmp);
    nodes.sort_unstable();
    println!(
        "{} deals, {wins} won, {undecided} undecided, scores {scores}, checksum {checksum:016x}",
        starts.len()
    );
    print!("microseconds:");
    for (name, share) in [("median", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999)] {
        let place = ((starts.len() as f64 * share) as usize).min(times.len() - 1);
        print!(" {name} {:.2} ({} nodes),", times[place] * 1e6, nodes[place]);
    }
    println!(" max {:.1} ({} nodes)", times[times.len() - 1] * 1e6, nodes[nodes.len() - 1]);
    println!(
        "{search:.3} s of CPU: {:.0} deals/s, {expanded} nodes, {:.0} ns a node; {wall:.3} s in all",
        starts.len() as f64 / search,
        search / expanded.max(1) as f64 * 1e9,
    );
}

/// Returns the CPU seconds of this thread: on a busy machine the wall clock means little.
fn cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<u64>().ok()? as f64 / 1e9)
}

fn solve(game: &dyn FixedGame, start: &Start, task: &Task) -> _engine::games::Found {
    game.solve(start, task, &mut |_| false).expect("a deal is valid")
}

/// Returns the fields of a named variant, such as `up-suit-none-nosplit`.
fn variant(slug: &str) -> Vec<(String, String)> {
    let words: Vec<&str> = slug.split('-').collect();
    let yes = |is_so: bool| if is_so { "yes" } else { "no" };
    let empty = match words[2] {
        "any1" => "any-1",
        "high1" => "high-1",
        "anyrun" => "any-run",
        "highrun" => "high-run",
        _ => "none",
    };
    let pairs = [
        ("face_up", yes(words[0] == "up")),
        ("move_same_suit", yes(words[1] == "suit")),
        ("move_to_empty_pile", empty),
        ("split_runs", yes(words.len() < 4)),
    ];
    pairs.map(|(field, value)| (field.to_string(), value.to_string())).to_vec()
}

/// Returns the layout text of a deck of 52 cards in the order in which it is dealt.
fn laid_out(deck: &str, fields: &[(String, String)]) -> String {
    let cards: Vec<&str> = deck.split_whitespace().collect();
    let base = cards[0];
    let tops: Vec<&str> =
        ["C", "D", "S", "H"].map(|suit| if base.ends_with(suit) { base } else { "-" }).to_vec();
    let mut piles = vec![Vec::new(); 7];
    let mut next = cards[1..].iter();
    for row in 0..7 {
        for (pile, card) in piles[row..].iter_mut().zip(next.by_ref()) {
            pile.push(*card);
        }
    }
    let is_up = fields.iter().any(|(field, value)| field == "face_up" && value == "yes");
    let mut text = format!("Base: {}\nFoundations: {}\n", &base[..1], tops.join(" "));
    for (number, mut pile) in (1..).zip(piles) {
        let top = pile.pop().expect("every pile has a card");
        let below = pile.join(" ");
        let below = if is_up || below.is_empty() { below } else { format!("[{below}]") };
        text.push_str(&format!("{number}: {below} {top}\n"));
    }
    text + "Stock: " + &next.copied().collect::<Vec<_>>().join(" ") + "\n"
}
