//! Fits the values that the sampling player of Spider uses, and prints them as the engine keeps them.
//!
//! `cargo run --release --example spider_values [DEALS] [FIRST]`: the plain player plays so many deals of each variant.

use _engine::games::spider::{Rules, fit};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a number"));
    let count = numbers.next().unwrap_or(20_000);
    let first = numbers.next().unwrap_or(5_000_000);
    for (name, suits) in [("ONE_SUIT", 1), ("TWO_SUITS", 2), ("FOUR_SUITS", 4)] {
        for (strict, deal_on_empty) in [("", true), ("_STRICT", false)] {
            let rules = Rules { suits, deal_on_empty, ..Rules::USUAL };
            let fitted = fit(&rules, first..first + count);
            for (rows, (views, loss)) in fitted.losses.iter().enumerate().skip(1) {
                eprintln!("{name}{strict}: {rows} rows left, {views} views, mean log loss {loss:.3}");
            }
            println!("const {name}{strict}: Values = [");
            for row in fitted.values {
                println!("    [{}],", row.map(|number| format!("{number:.3}")).join(", "));
            }
            println!("];");
        }
    }
}
