//! An upper bound on the value of every redeal after a position: the greatest win probability of all shapes between
//! what is locked and what can still be locked.
//!
//! Where 2s stay, runs only grow, and none grows longer than the facts of `relax` allow. So every end that follows from
//! a position has in each row a run between the two lengths, and none is worth more than the best of these. A search
//! for the most valuable end may prune a position from which nothing better can follow.

use super::board::{ROWS, WHOLE};
use super::shapes::place_of;
use super::values::Values;

const LENGTHS: usize = WHOLE as usize + 1;
/// The number of pairs of a least and a greatest length.
const SPANS: usize = LENGTHS * (LENGTHS + 1) / 2;

/// The least and the greatest length of the run of each row.
pub type Spans = [(u8, u8); ROWS];

/// The greatest win probabilities with this number of redeals left.
#[derive(Clone, PartialEq, Debug)]
pub struct Peaks {
    redeals_left: u8,
    /// Indexed by two lengths, and then by all spans of the two others.
    greatest: Vec<f32>,
}

impl Peaks {
    pub fn new(values: &Values, redeals_left: u8) -> Peaks {
        let mut greatest = vec![0.0; LENGTHS * LENGTHS * SPANS * SPANS];
        for (two, spans) in greatest.chunks_exact_mut(SPANS * SPANS).enumerate() {
            let (a, b) = ((two / LENGTHS) as u8, (two % LENGTHS) as u8);
            for high in 0..=WHOLE {
                let last = ends_of_spans(|d| values.of(redeals_left, place_of([a, b, high, d])));
                for low in 0..=high {
                    let begin = SPANS * span(low, high);
                    let shorter = (low < high).then(|| SPANS * span(low, high - 1));
                    for (place, chance) in last.into_iter().enumerate() {
                        let before = shorter.map_or(0.0, |shorter| spans[shorter + place]);
                        spans[begin + place] = chance.max(before);
                    }
                }
            }
        }
        Peaks { redeals_left, greatest }
    }

    pub fn redeals_left(&self) -> u8 {
        self.redeals_left
    }

    /// Returns the greatest win probability of a shape within these spans.
    #[inline(always)]
    pub fn greatest(&self, mut spans: Spans) -> f32 {
        // All combinations of the first two spans are enumerated: they must be the narrowest.
        spans.sort_unstable_by_key(|&(low, high)| high - low);
        let [(a_low, a_high), (b_low, b_high), (c_low, c_high), (d_low, d_high)] = spans;
        let rest = SPANS * span(c_low, c_high) + span(d_low, d_high);
        let mut greatest: f32 = 0.0;
        for a in a_low..=a_high {
            for b in b_low..=b_high {
                let two = LENGTHS * usize::from(a) + usize::from(b);
                greatest = greatest.max(self.greatest[SPANS * SPANS * two + rest]);
            }
        }
        greatest
    }
}

/// Returns the index of a span.
#[inline(always)]
fn span(low: u8, high: u8) -> usize {
    usize::from(high) * (usize::from(high) + 1) / 2 + usize::from(low)
}

/// Returns the greatest value of each span.
fn ends_of_spans(chance: impl Fn(u8) -> f32) -> [f32; SPANS] {
    let mut greatest = [0.0; SPANS];
    for high in 0..=WHOLE {
        let last = chance(high);
        for low in 0..=high {
            let before = if low < high { greatest[span(low, high - 1)] } else { 0.0 };
            greatest[span(low, high)] = last.max(before);
        }
    }
    greatest
}

#[cfg(test)]
mod tests {
    use super::super::values::tests::table;
    use super::*;
    use crate::rng::{Decks, mix};

    #[test]
    fn the_greatest_chance_is_that_of_all_shapes_between() {
        let bytes = table(2, |place| (mix(place as u64) % 1000) as f32 / 1000.0);
        let values = Values::from_bytes(&bytes).expect("it is a table");
        let mut luck = Decks::new(3);
        for redeals_left in [1, 2] {
            let peaks = Peaks::new(&values, redeals_left);
            for _ in 0..300 {
                let spans: Spans = std::array::from_fn(|_| {
                    let (one, other) = (luck.below(13) as u8, luck.below(13) as u8);
                    (one.min(other), one.max(other))
                });
                let [a, b, c, d] = spans.map(|(low, high)| low..=high);
                let mut greatest: f32 = 0.0;
                for a in a {
                    for b in b.clone() {
                        for c in c.clone() {
                            for d in d.clone() {
                                greatest = greatest.max(values.of(redeals_left, place_of([a, b, c, d])));
                            }
                        }
                    }
                }
                assert_eq!(peaks.greatest(spans), greatest, "{spans:?}");
            }
        }
    }
}
