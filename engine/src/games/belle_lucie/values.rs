//! The values of foundation heights before a redeal: tables over the four heights.

use std::sync::OnceLock;

use super::packed::Heights;
use crate::Fault;

/// The number of states: heights of four foundations where suits are alike, C(17, 4).
pub const STATES: usize = 2380;

/// Returns every state as ascending heights, in lexicographic order.
fn states() -> &'static [Heights] {
    static ALL: OnceLock<Vec<Heights>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Vec::with_capacity(STATES);
        for a in 0..14 {
            for b in a..14 {
                for c in b..14 {
                    all.extend((c..14).map(|d| [a, b, c, d]));
                }
            }
        }
        all
    })
}

/// Returns the state of each four heights, indexed by their hexadecimal digits.
fn numbers() -> &'static [u16] {
    static ALL: OnceLock<Vec<u16>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = vec![0; 1 << 16];
        for (place, entry) in all.iter_mut().enumerate() {
            let mut heights: Heights = std::array::from_fn(|suit| (place >> (12 - 4 * suit) & 15) as u8);
            heights.sort_unstable();
            // Entries that are no heights stay at 0 and are never read.
            *entry = states().binary_search(&heights).unwrap_or(0) as u16;
        }
        all
    })
}

/// Returns the number of a state, 0..2380.
pub fn state_of(heights: Heights) -> usize {
    let place = heights.iter().fold(0, |place, &height| place << 4 | height as usize);
    numbers()[place] as usize
}

/// Returns the ascending heights of a state.
pub fn heights_of(state: usize) -> Heights {
    states()[state]
}

/// Tables by redeals left after this one, mercis left, and state.
#[derive(Clone, Debug)]
pub struct Values {
    planes: usize,
    table: Vec<f64>,
}

impl Values {
    /// Reads little-endian 64-bit floats, level by level, each with this number of planes.
    pub fn from_bytes(bytes: &[u8], planes: usize) -> Result<Values, Fault> {
        let level = 8 * STATES * planes;
        if bytes.is_empty() || !bytes.len().is_multiple_of(level) {
            return Err(Fault::new(format!(
                "value tables of {} bytes; expected {level} bytes for each number of redeals",
                bytes.len()
            )));
        }
        let number = |bytes: &[u8]| f64::from_le_bytes(std::array::from_fn(|place| bytes[place]));
        let table: Vec<f64> = bytes.chunks_exact(8).map(number).collect();
        // Values are later ordered by their bits, which is right for numbers that are not negative.
        match table.iter().find(|&&value| !(value >= 0.0 && value.is_finite())) {
            Some(value) => Err(Fault::new(format!("{value} in a value table is no value"))),
            None => Ok(Values { planes, table }),
        }
    }

    /// Returns the table for this number of redeals and mercis left. Beyond the last level, it returns the table for
    /// the most redeals.
    pub fn plane(&self, redeals_left: usize, mercis: usize) -> &[f64] {
        let levels = self.table.len() / (STATES * self.planes);
        let plane = redeals_left.min(levels - 1) * self.planes + mercis.min(self.planes - 1);
        &self.table[STATES * plane..STATES * (plane + 1)]
    }
}

/// Returns the heuristic value that needs no table: cards up, a bonus if the rest is not divisible by three, and suits
/// alive.
pub fn thumb(heights: Heights) -> u32 {
    let up: u32 = heights.iter().map(|&height| u32::from(height)).sum();
    let over = [0, 4, 3][(52 - up) as usize % 3];
    let alive = heights.iter().filter(|&&height| height < 13).count() as u32;
    if up == 52 { u32::MAX } else { up + over + 6 * alive }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_its_heights_in_any_order() {
        assert_eq!(states().len(), STATES);
        for state in 0..STATES {
            let [a, b, c, d] = heights_of(state);
            assert_eq!(state_of([c, a, d, b]), state);
        }
    }

    #[test]
    fn tables_of_the_wrong_size_are_refused() {
        assert!(Values::from_bytes(&[], 1).is_err());
        assert!(Values::from_bytes(&vec![0; 8 * STATES + 8], 1).is_err());
        assert!(Values::from_bytes(&vec![255; 8 * STATES], 1).is_err());
        let values = Values::from_bytes(&vec![0; 16 * STATES], 2).unwrap();
        assert_eq!(values.plane(3, 1).len(), STATES);
    }
}
