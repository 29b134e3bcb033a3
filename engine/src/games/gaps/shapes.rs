//! Shapes: the lengths of the four runs, longest first. The value of a redeal depends on nothing else.

use super::board::{Board, ROWS, Vector, WHOLE};

/// The number of shapes.
pub const SHAPES: usize = 1820;

/// Returns the index of a shape in lexicographic order: 0/0/0/0, 1/0/0/0, 1/1/0/0, ...
pub fn place_of(mut lengths: [u8; ROWS]) -> usize {
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    let [a, b, c, d] = lengths.map(usize::from);
    // Before it come all shapes whose first differing length is smaller. For each position these are the shapes whose
    // lengths from there on are all below its length.
    (a * (a + 1) * (a + 2) * (a + 3)) / 24 + (b * (b + 1) * (b + 2)) / 6 + (c * (c + 1)) / 2 + d
}

/// Returns the index of the shape of a lock vector.
pub fn shape_of(vector: Vector) -> usize {
    place_of(Board::runs_of(vector).map(|(_, length)| length))
}

/// Returns the lengths of runs, sorted and validated.
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
