//! The legal actions of a position, as a set of numbers.

/// Words of 64 actions each.
const WORDS: usize = 4;

/// Each byte as eight bytes of 0 or 1, its lowest bit first.
const SPREAD: [[i8; 8]; 256] = {
    let mut spread = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte][bit] = (byte >> bit & 1) as i8;
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// A set of actions, up to 256 of them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Legal([u64; WORDS]);

impl Legal {
    /// How many actions there may be.
    pub const MOST: usize = 64 * WORDS;

    /// The actions 0..128, and those from 128 on, as bits.
    #[inline]
    pub fn new(low: u128, high: u128) -> Legal {
        Legal([low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64])
    }

    #[inline]
    pub fn contains(&self, action: usize) -> bool {
        self.0.get(action / 64).is_some_and(|word| word >> (action % 64) & 1 == 1)
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// The action that has so many legal ones before it; 0 if there are not so many.
    #[inline]
    pub fn nth(&self, mut before: usize) -> usize {
        for (place, &word) in self.0.iter().enumerate() {
            let here = word.count_ones() as usize;
            if before < here {
                let mut left = word;
                for _ in 0..before {
                    left &= left - 1;
                }
                return 64 * place + left.trailing_zeros() as usize;
            }
            before -= here;
        }
        0
    }

    /// A 1 for every legal action, and a 0 for the others.
    #[inline]
    pub fn write(&self, mask: &mut [i8]) {
        let mut bytes = [0; 8 * WORDS];
        for (eight, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(self.0) {
            *eight = word.to_le_bytes();
        }
        let (eights, rest) = mask.as_chunks_mut::<8>();
        for (eight, byte) in eights.iter_mut().zip(bytes) {
            *eight = SPREAD[usize::from(byte)];
        }
        if let Some(&byte) = bytes.get(eights.len()) {
            rest.copy_from_slice(&SPREAD[usize::from(byte)][..rest.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_the_same_in_every_form() {
        for set in
            [vec![], vec![0], vec![0, 1, 63, 64, 100, 127, 128, 129, 191, 192, 210], (0..211).collect()]
        {
            let (mut low, mut high) = (0, 0);
            for &action in &set {
                if action < 128 { low |= 1u128 << action } else { high |= 1u128 << (action - 128) }
            }
            let legal = Legal::new(low, high);
            assert_eq!((legal.len(), legal.is_empty()), (set.len(), set.is_empty()));
            let listed: Vec<usize> = (0..legal.len()).map(|before| legal.nth(before)).collect();
            assert_eq!(listed, set);
            assert_eq!(legal.nth(set.len()), 0);
            for size in [211, 208, 256] {
                let mut mask = vec![7; size];
                legal.write(&mut mask);
                for (action, &byte) in mask.iter().enumerate() {
                    assert_eq!(byte == 1, set.contains(&action), "{action} of {size}");
                    assert!(byte <= 1);
                    assert_eq!(byte == 1, legal.contains(action));
                }
            }
            assert!(!legal.contains(Legal::MOST));
        }
    }
}
