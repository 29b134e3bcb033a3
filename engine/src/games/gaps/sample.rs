//! Samples of phases after a redeal, for estimating the values of shapes. Each phase is dealt at random, or all are
//! enumerated, and a player thinks about it.

use super::board::{Board, CELLS, GAP, ROWS, cell_at};
use super::rules::Rules;
use super::shapes::{place_of, read_shape, shape_of};
use super::think::{Effort, Want, think};
use crate::Fault;
use crate::cards::PACK;
use crate::games::policies::stopped;
use crate::games::{PhaseSample, PhaseSampling};
use crate::rng::{Decks, mix};
use crate::search::{Status, Watch};

/// Returns the phases of these samples. Each depends only on the seed, the shape and its number. Without a seed the
/// numbers enumerate all boards that a redeal can produce, and a phase counts as decided only if all its ends are
/// known.
pub fn sample(rules: &Rules, sampling: &PhaseSampling, watch: &mut Watch) -> Result<Vec<PhaseSample>, Fault> {
    let PhaseSampling { ref shape, seed, ref samples, nodes, memory } = *sampling;
    let Some(lengths) = read_shape(shape) else {
        return Err(Fault::new(format!("{shape:?} is no shape; expected four run lengths from 0 to 12")));
    };
    let board = kept(rules, lengths);
    let stream = seed.map(|seed| mix(seed ^ mix(place_of(lengths) as u64)));
    let mut found = Vec::new();
    for number in samples.clone() {
        let dealt = match stream {
            Some(stream) => {
                let mut chance = Decks::new(mix(stream.wrapping_add(number)));
                let deck: Vec<u8> = chance.deck(PACK).into_iter().map(|card| card as u8).collect();
                board.redealt(rules, &deck)
            }
            None => board
                .arranged(rules, number)
                .ok_or_else(|| Fault::new(format!("a redeal of this shape brings no board {number}")))?,
        };
        let thought = think(rules, &dealt, Want::Ends, None, Effort::Nodes(nodes), memory, watch);
        if thought.status == Status::Cancelled {
            return Err(stopped());
        }
        let is_open = stream.is_none() && thought.status == Status::Unsolvable && !thought.is_complete;
        let status = if is_open { Status::NodeLimit } else { thought.status };
        let mut shapes: Vec<usize> = thought.ends.iter().map(|(vector, _)| shape_of(vector)).collect();
        shapes.sort_unstable();
        shapes.dedup();
        found.push(PhaseSample { status, shapes });
    }
    Ok(found)
}

/// Returns a board with these runs, longest first in the order of suits and rows, as it is before a redeal. Neither the
/// rows nor the suits of the runs change a probability.
pub(super) fn kept(rules: &Rules, mut lengths: [u8; ROWS]) -> Board {
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    let suits = rules.fixed_suits.unwrap_or([0, 1, 2, 3]);
    let is_locked = |card: u8| {
        let row = suits.iter().position(|&suit| suit == card % 4).unwrap_or_default();
        card / 4 <= lengths[row]
    };
    let mut loose = (ROWS as u8..PACK as u8).filter(|&card| !is_locked(card));
    let mut cards = [GAP; CELLS];
    for row in 0..ROWS {
        for column in 0..CELLS / ROWS {
            cards[cell_at(row, column) as usize] = match column.cmp(&lengths[row].into()) {
                std::cmp::Ordering::Less => 4 * (column as u8 + 1) + suits[row],
                // A gap behind each run, so that it ends there.
                std::cmp::Ordering::Equal => GAP,
                std::cmp::Ordering::Greater => loose.next().unwrap_or(GAP),
            };
        }
    }
    Board::new(rules, cards)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gaps::board::COLUMNS;

    const ADDICTION: Rules = Rules {
        redeals: 3,
        gaps_after_runs: false,
        twos_locked: true,
        early_redeal: false,
        fixed_suits: None,
    };

    fn sampling(shape: [u8; 4], samples: std::ops::Range<u64>) -> PhaseSampling {
        PhaseSampling { shape: shape.to_vec(), seed: Some(7), samples, nodes: 3000, memory: 16_000_000 }
    }

    #[test]
    fn what_is_kept_has_the_shape_and_every_card() {
        for shape in [[0, 0, 0, 0], [12, 12, 12, 12], [3, 12, 0, 7], [1, 1, 1, 1]] {
            for fixed_suits in [None, Some([2, 0, 3, 1])] {
                let rules = Rules { fixed_suits, ..ADDICTION };
                let board = kept(&rules, shape);
                let mut lengths = shape;
                lengths.sort_unstable_by(|a, b| b.cmp(a));
                assert_eq!(board.runs(), lengths);
                assert_eq!(board.gaps().count_ones(), 4);
                let mut cards: Vec<u8> = (0..(ROWS * COLUMNS) as u8).map(|cell| board.card(cell)).collect();
                cards.sort_unstable();
                assert!(cards[4..].iter().copied().eq(4..PACK as u8));
            }
        }
    }

    #[test]
    fn samples_can_be_taken_in_pieces() {
        let watch: &mut Watch = &mut |_| false;
        let all = sample(&ADDICTION, &sampling([9, 9, 8, 8], 0..6), watch).expect("they are sampled");
        let mut pieces = sample(&ADDICTION, &sampling([8, 9, 9, 8], 0..4), watch).expect("they are sampled");
        pieces.extend(sample(&ADDICTION, &sampling([9, 8, 8, 9], 4..6), watch).expect("they are sampled"));
        assert_eq!(all, pieces);
        assert!(all.iter().any(|phase| phase.status == Status::Unsolvable), "{all:?}");
        // A redeal takes nothing away, so no end has a shape of fewer cards.
        let least = place_of([9, 9, 8, 8]);
        assert!(all.iter().flat_map(|phase| &phase.shapes).all(|&shape| shape >= least), "{all:?}");
    }

    #[test]
    fn every_board_is_dealt_once() {
        let after_runs = Rules { gaps_after_runs: true, ..ADDICTION };
        for (rules, shape, count) in [
            (ADDICTION, [12, 12, 12, 10], 30),
            (ADDICTION, [12, 12, 11, 10], 210),
            (after_runs, [12, 12, 10, 10], 24),
        ] {
            let board = kept(&rules, shape);
            let mut boards: Vec<_> = (0..count)
                .map(|number| *board.arranged(&rules, number).expect("it is there").cards())
                .collect();
            boards.sort_unstable();
            boards.dedup();
            assert_eq!(boards.len() as u64, count);
            assert!(board.arranged(&rules, count).is_none());
            assert!(board.arranged(&rules, u64::MAX).is_none());
        }
    }

    #[test]
    fn all_boards_decided_or_said_not_to_be() {
        let watch: &mut Watch = &mut |_| false;
        let every = PhaseSampling { seed: None, ..sampling([12, 12, 12, 10], 0..30) };
        let all = sample(&ADDICTION, &every, watch).expect("they are searched");
        assert_eq!(all.iter().filter(|phase| phase.status == Status::Solved).count(), 26);
        assert_eq!(all.iter().filter(|phase| phase.status == Status::Unsolvable).count(), 4);
        let cut = sample(&ADDICTION, &PhaseSampling { nodes: 0, ..every.clone() }, watch)
            .expect("they are searched");
        assert!(cut.iter().all(|phase| phase.status != Status::Unsolvable));
        assert!(sample(&ADDICTION, &PhaseSampling { samples: 0..31, ..every }, watch).is_err());
    }

    #[test]
    fn who_watches_can_stop_it() {
        let found = sample(&ADDICTION, &sampling([0, 0, 0, 0], 0..6), &mut |_| true);
        assert_eq!(found.expect_err("it was stopped").to_string(), "the game was stopped");
    }
}
