//! Shapes: the lengths of the four runs, longest first. What a redeal is worth depends on nothing else.

use super::board::{Board, ROWS, Vector, WHOLE};

/// How many shapes there are.
pub const SHAPES: usize = 1820;

/// The place of a shape among all of them, in lexicographic order: 0/0/0/0, 1/0/0/0, 1/1/0/0, ...
pub fn place_of(mut lengths: [u8; ROWS]) -> usize {
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    let [a, b, c, d] = lengths.map(usize::from);
    // Before it come all shapes of which the first length that differs is smaller: so many are those whose
    // lengths from there on are all below it.
    (a * (a + 1) * (a + 2) * (a + 3)) / 24 + (b * (b + 1) * (b + 2)) / 6 + (c * (c + 1)) / 2 + d
}

/// The place of the shape of a lock vector.
pub fn shape_of(vector: Vector) -> usize {
    place_of(Board::runs_of(vector).map(|(_, length)| length))
}

/// The lengths of runs as they come from outside, checked.
pub fn read_shape(lengths: &[u8]) -> Option<[u8; ROWS]> {
    let lengths: [u8; ROWS] = lengths.try_into().ok()?;
    lengths.iter().all(|&length| length <= WHOLE).then_some(lengths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_sorted_list() {
        let mut place = 0;
        for a in 0..=WHOLE {
            for b in 0..=a {
                for c in 0..=b {
                    for d in 0..=c {
                        assert_eq!(place_of([a, b, c, d]), place);
                        assert_eq!(place_of([c, a, d, b]), place);
                        place += 1;
                    }
                }
            }
        }
        assert_eq!(place, SHAPES);
    }

    #[test]
    fn only_four_lengths_up_to_a_whole_row_are_a_shape() {
        assert_eq!(read_shape(&[12, 0, 3, 12]), Some([12, 0, 3, 12]));
        assert_eq!(read_shape(&[13, 0, 0, 0]), None);
        assert_eq!(read_shape(&[1, 1, 1]), None);
    }
}
