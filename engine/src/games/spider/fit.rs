//! Fits the value function to games of the plain player.

use super::Spider;
use super::hidden::{Deal, Planned, Sight, Stop};
use super::planner::Planner;
use super::players::PLAIN;
use super::rules::Rules;
use super::values::{FEATURES, Values, dot, features, logistic};
use super::weights::SEEN;
use crate::games::Playable;
use crate::rng::Decks;

/// The ridge penalty: keeps the weight of a feature that never varies finite.
const RIDGE: f64 = 1.0;
const STEPS: usize = 25;

/// The fitted values, and for each number of rows left the number of views and their mean log loss.
pub struct Fitted {
    pub values: Values,
    pub losses: Vec<(usize, f64)>,
}

/// Plays the deals of these seeds and fits the values to the results.
pub fn fit(rules: &Rules, deals: impl Iterator<Item = u64>) -> Fitted {
    let mut views: [Vec<([f64; FEATURES], f64)>; 6] = Default::default();
    let player = Planned::new(&SEEN, PLAIN, vec![32]);
    let mut planner = Planner::new();
    for seed in deals {
        let table = Spider::deal(rules, &mut Decks::new(seed));
        let (deal, mut view) = (Deal::of(&table), Sight::of(&table, &player).view);
        let mut met = Vec::new();
        let is_won = loop {
            let rows = view.rows;
            match player.play_on(&mut planner, &deal, &mut view, Some(rows), &mut |_| {}) {
                Stop::Won => break true,
                Stop::Lost => break false,
                Stop::AtRow => {
                    met.push((usize::from(view.rows).min(5), features(&deal.ground, &view)));
                    // The plan at which the player stopped is still the planner's last.
                    let line = planner.ends.last().map(|end| planner.line(end)).unwrap_or_default();
                    player.carry_out(&deal, &mut view, &line);
                }
            }
        };
        for (rows, features) in met {
            views[rows].push((features, f64::from(u8::from(is_won))));
        }
    }
    let mut values = [[0.0; FEATURES]; 6];
    let mut losses = Vec::new();
    for (value, views) in values.iter_mut().zip(&views) {
        *value = regression(views);
        let loss = |(features, won): &([f64; FEATURES], f64)| {
            let chance = logistic(dot(value, features)).clamp(1e-9, 1.0 - 1e-9);
            -(won * chance.ln() + (1.0 - won) * (1.0 - chance).ln())
        };
        losses.push((views.len(), views.iter().map(loss).sum::<f64>() / views.len().max(1) as f64));
    }
    Fitted { values, losses }
}

/// Fits a logistic regression by Newton's method.
fn regression(views: &[([f64; FEATURES], f64)]) -> [f64; FEATURES] {
    let mut weights = [0.0; FEATURES];
    for _ in 0..STEPS {
        let (mut slope, mut bend) = (weights.map(|weight| -RIDGE * weight), [[0.0; FEATURES]; FEATURES]);
        for (i, row) in bend.iter_mut().enumerate() {
            row[i] = RIDGE;
        }
        for (features, won) in views {
            let chance = logistic(dot(&weights, features));
            for i in 0..FEATURES {
                slope[i] += (won - chance) * features[i];
                for j in 0..FEATURES {
                    bend[i][j] += chance * (1.0 - chance) * features[i] * features[j];
                }
            }
        }
        let step = solve(bend, slope);
        for (weight, by) in weights.iter_mut().zip(step) {
            *weight += by;
        }
        if step.iter().all(|by| by.abs() < 1e-9) {
            break;
        }
    }
    weights
}

/// Solves linear equations whose matrix is positive definite: no pivot is 0.
fn solve(mut matrix: [[f64; FEATURES]; FEATURES], mut right: [f64; FEATURES]) -> [f64; FEATURES] {
    for i in 0..FEATURES {
        let pivot = matrix[i];
        for row in i + 1..FEATURES {
            let factor = matrix[row][i] / pivot[i];
            matrix[row].iter_mut().zip(pivot).for_each(|(number, by)| *number -= factor * by);
            right[row] -= factor * right[i];
        }
    }
    for i in (0..FEATURES).rev() {
        let known = dot(&matrix[i], &right) - matrix[i][i] * right[i];
        // Left of the pivot there are zeros, so only the unknowns that are already solved count.
        right[i] = (right[i] - known) / matrix[i][i];
    }
    right
}
