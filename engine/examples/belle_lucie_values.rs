//! Measures how long sampling takes: `cargo run --release --example belle_lucie_values RULES REDEALS_LEFT MERCIS
//! SAMPLES`, with rules as `field=value,field=value`. The value of a stop is the share of cards on the foundations.

use std::time::Instant;

use _engine::games::{Sampling, StoppingDeals, open_as};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let pair = |word: &str| {
        let (name, value) = word.split_once('=').expect("field=value");
        (name.to_string(), value.to_string())
    };
    let rules = words[0].split(',').map(pair).collect();
    let game = open_as::<dyn StoppingDeals>("belle-lucie", rules).expect("rules");
    let number = |place: usize| words[place].parse::<u64>().expect("a number");
    let (redeals_left, mercis, samples) = (number(1) as u8, number(2) as u8, number(3));
    let sampling = Sampling { redeals_left, mercis, samples, seed: 1, values: None };
    let states: Vec<usize> = (0..2380).step_by(20).collect();
    // Every state in the order of the heights, valued by their sum.
    let mut values = Vec::new();
    for a in 0..14u32 {
        for b in a..14 {
            for c in b..14 {
                for d in c..14 {
                    values.extend((f64::from(a + b + c + d) / 52.0).to_le_bytes());
                }
            }
        }
    }
    if words[0].contains("merci_deals=any") {
        values = values.repeat(2);
    }
    let begun = Instant::now();
    let rows = game.sample(&states, &sampling, Some(&values)).expect("states");
    let count: u64 = rows.iter().map(|row| row.count).sum();
    let sum: f64 = rows.iter().map(|row| row.sum).sum();
    let seconds = begun.elapsed().as_secs_f64();
    println!("{count} samples, sum {sum:.3}, {:.3} us each", 1e6 * seconds / count as f64);
}
