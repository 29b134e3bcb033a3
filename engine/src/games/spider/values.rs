//! The probability that the plain player wins from a view just before a row: logistic functions of a few features,
//! fitted to its own games (`cargo run --release --example spider_values`). The caller supplies the weights.

use super::node::{Ground, Node};
use super::table::{rank, suit};
use crate::Fault;

/// The number of features of a view just before a row.
pub const FEATURES: usize = 8;

pub fn features(ground: &Ground, view: &Node) -> [f64; FEATURES] {
    let (mut down, mut clear, mut joins, mut off) = (0, 0, 0, 0);
    for place in 0..ground.piles {
        let pile = &view.piles[place];
        down += i32::from(pile.down);
        clear += i32::from(pile.down == 0);
        for pair in view.pile(place)[usize::from(pile.down)..].windows(2) {
            let follows = rank(pair[0]) == rank(pair[1]) + 1;
            let in_suit = suit(pair[0]) == suit(pair[1]);
            joins += i32::from(follows && in_suit);
            off += i32::from(follows && !in_suit);
        }
    }
    let [cost, down, clear, joins, off] = [view.cost, down, clear, joins, off].map(f64::from);
    let (empty, done) = (f64::from(view.empty), f64::from(view.done));
    [1.0, cost / 200.0, down / 10.0, empty, done, clear / 5.0, joins / 10.0, off / 10.0]
}

/// The weights of the features, by the rows left; with no row left none are needed.
pub type Values = [[f64; FEATURES]; 6];

/// Parses values from little-endian floats of 8 bytes, row after row.
pub fn read_values(bytes: &[u8]) -> Result<Values, Fault> {
    let (numbers, rest) = bytes.as_chunks::<8>();
    let numbers: Vec<f64> = numbers.iter().map(|number| f64::from_le_bytes(*number)).collect();
    if numbers.len() != 6 * FEATURES || !rest.is_empty() || !numbers.iter().all(|number| number.is_finite()) {
        let expected = 6 * FEATURES;
        return Err(Fault::new(format!("values of spider are {expected} finite floats of 8 bytes")));
    }
    let mut values = [[0.0; FEATURES]; 6];
    values.as_flattened_mut().copy_from_slice(&numbers);
    Ok(values)
}

/// Returns the probability that a view with these features is won.
pub fn chance(values: &Values, rows: u8, features: &[f64; FEATURES]) -> f64 {
    logistic(dot(&values[usize::from(rows).min(values.len() - 1)], features))
}

pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

pub fn dot(a: &[f64; FEATURES], b: &[f64; FEATURES]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
