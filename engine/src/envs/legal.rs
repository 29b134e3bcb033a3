//! The legal actions of a position, as a set of numbers.

use std::fmt::Debug;

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

/// A set of actions: [`Legal`] with as many words as a game needs.
pub trait Actions: Copy + Default + Eq + Debug + Send + Sync {
    /// The capacity of the set.
    const MOST: usize;

    fn contains(&self, action: usize) -> bool;
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    /// Returns the legal action that follows `before` others; 0 if there is none.
    fn nth(&self, before: usize) -> usize;
    /// Writes a 1 for every legal action, and a 0 for the others.
    fn write(&self, mask: &mut [i8]);
    /// Updates the mask of the set `before` to this one.
    fn write_over(&self, before: &Self, mask: &mut [i8]);
}

/// A set of actions, 64 to a word; action 0 is the lowest bit of the first word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Legal<const WORDS: usize>(pub [u64; WORDS]);

impl<const WORDS: usize> Default for Legal<WORDS> {
    fn default() -> Self {
        Legal([0; WORDS])
    }
}

impl<const WORDS: usize> Legal<WORDS> {
    /// Adds an action to the set.
    #[inline]
    pub fn insert(&mut self, action: usize) {
        self.0[action / 64] |= 1 << (action % 64);
    }
}

impl<const WORDS: usize> Actions for Legal<WORDS> {
    const MOST: usize = 64 * WORDS;

    #[inline]
    fn contains(&self, action: usize) -> bool {
        self.0.get(action / 64).is_some_and(|word| word >> (action % 64) & 1 == 1)
    }

    #[inline]
    fn len(&self) -> usize {
        // Most words of a large set are empty, and without POPCNT counting takes a dozen operations.
        self.0.iter().filter(|&&word| word != 0).map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    #[inline]
    fn nth(&self, mut before: usize) -> usize {
        for (place, &word) in self.0.iter().enumerate().filter(|&(_, &word)| word != 0) {
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

    #[inline]
    fn write(&self, mask: &mut [i8]) {
        let bytes = self.0.map(u64::to_le_bytes);
        let bytes = bytes.as_flattened();
        let (eights, rest) = mask.as_chunks_mut::<8>();
        for (eight, &byte) in eights.iter_mut().zip(bytes) {
            *eight = SPREAD[usize::from(byte)];
        }
        if let Some(&byte) = bytes.get(eights.len()) {
            rest.copy_from_slice(&SPREAD[usize::from(byte)][..rest.len()]);
        }
    }

    #[inline]
    fn write_over(&self, before: &Self, mask: &mut [i8]) {
        for ((word, was), bytes) in self.0.iter().zip(before.0).zip(mask.chunks_mut(64)) {
            if *word != was {
                Legal([*word]).write(bytes);
            }
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
            let mut legal = Legal::<4>::default();
            set.iter().for_each(|&action| legal.insert(action));
            assert_eq!((legal.len(), legal.is_empty()), (set.len(), set.is_empty()));
            let mut other = Legal::<4>::default();
            [0, 65, 66, 210].iter().for_each(|&action| other.insert(action));
            let listed: Vec<usize> = (0..legal.len()).map(|before| legal.nth(before)).collect();
            assert_eq!(listed, set);
            assert_eq!(legal.nth(set.len()), 0);
            for size in [211, 208, 256] {
                let mut mask = vec![7; size];
                legal.write(&mut mask);
                let mut over = vec![0; size];
                other.write(&mut over);
                legal.write_over(&other, &mut over);
                assert_eq!(over, mask);
                for (action, &byte) in mask.iter().enumerate() {
                    assert_eq!(byte == 1, set.contains(&action), "{action} of {size}");
                    assert!(byte <= 1);
                    assert_eq!(byte == 1, legal.contains(action));
                }
            }
            assert!(!legal.contains(Legal::<4>::MOST));
        }
    }
}
