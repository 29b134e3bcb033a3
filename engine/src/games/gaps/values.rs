//! The value of a redeal: the probability of a win, by the shape that is kept and the redeals left.

use super::shapes::SHAPES;
use crate::Fault;

/// The start of a table in this format. It is followed by a byte K, the most redeals left that the table covers, and
/// for each k from 1 to K the probabilities of all shapes in the order of `shapes::place_of`, as little-endian
/// four-byte floats.
const MARK: &[u8] = b"GW1";
const BYTES: usize = size_of::<f32>();

#[derive(Clone, PartialEq, Debug)]
pub struct Values {
    /// The probabilities for k = 1, then those for k = 2, ...
    chances: Vec<f32>,
}

impl Values {
    pub fn from_bytes(bytes: &[u8]) -> Result<Values, Fault> {
        let wrong = |what: &str| Fault::new(format!("this is no table of redeal values of gaps: {what}"));
        let Some((&most, bytes)) = bytes.strip_prefix(MARK).and_then(<[u8]>::split_first) else {
            return Err(wrong("it does not begin with GW1"));
        };
        if most == 0 || bytes.len() != usize::from(most) * SHAPES * BYTES {
            let (found, expected) = (bytes.len(), usize::from(most.max(1)) * SHAPES * BYTES);
            return Err(wrong(&format!("{found} bytes of chances, expected {expected}")));
        }
        let chance = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let chances: Vec<f32> = bytes.chunks_exact(BYTES).map(chance).collect();
        match chances.iter().find(|chance| !(0.0..=1.0).contains(*chance)) {
            Some(chance) => Err(wrong(&format!("{chance} is not a chance"))),
            None => Ok(Values { chances }),
        }
    }

    /// Returns the most redeals left that the table covers.
    pub fn redeals(&self) -> u8 {
        (self.chances.len() / SHAPES) as u8
    }

    /// Returns the probability with this number of redeals left, the next about to be made, for the shape with this
    /// index. Beyond the last k it returns those for the last k: shapes are only compared.
    pub fn of(&self, redeals_left: u8, shape: usize) -> f32 {
        let plane = usize::from(redeals_left.clamp(1, self.redeals())) - 1;
        self.chances[plane * SHAPES + shape]
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn table(planes: u8, chance: impl Fn(usize) -> f32) -> Vec<u8> {
        let mut bytes = [MARK, &[planes]].concat();
        for place in 0..usize::from(planes) * SHAPES {
            bytes.extend(chance(place).to_le_bytes());
        }
        bytes
    }

    #[test]
    fn chances_are_found_by_redeals_and_shape() {
        let values = Values::from_bytes(&table(2, |place| place as f32 / 4000.0)).expect("it is a table");
        assert_eq!(values.of(1, 5), 5.0 / 4000.0);
        assert_eq!(values.of(2, 5), 1825.0 / 4000.0);
        assert_eq!(values.of(9, 1819), 3639.0 / 4000.0);
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let whole = table(1, |_| 0.5);
        for wrong in [b"".to_vec(), b"GW1".to_vec(), b"GW1\0".to_vec(), b"GW2\x01".to_vec()] {
            assert!(Values::from_bytes(&wrong).is_err());
        }
        assert!(Values::from_bytes(&whole[..whole.len() - 1]).is_err());
        assert!(Values::from_bytes(&table(1, |place| if place == 7 { f32::NAN } else { 0.5 })).is_err());
        assert!(Values::from_bytes(&table(1, |place| if place == 7 { 1.5 } else { 0.5 })).is_err());
        assert!(Values::from_bytes(&whole).is_ok());
    }
}
