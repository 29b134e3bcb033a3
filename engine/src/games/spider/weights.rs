//! The cost function of the searches, in whole numbers: the lower the sum, the better.

use crate::rng::Decks;

/// The parameters of the cost function: what each feature costs, and how that changes with the rows left.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Taste {
    /// A face-down card, and the square of their number in a pile.
    pub down: f64,
    pub down2: f64,
    /// The open bottom card of a pile that is no king.
    pub bottom: f64,
    /// A join out of suit. It costs more than a break: breaks are mostly dealt, such joins mostly made.
    pub off: f64,
    /// A card that lies on one it does not follow, and the extra cost if that one is lower.
    pub gap: f64,
    pub inverse: f64,
    /// A rank of the segment's suit, lower than its first card, that lies somewhere below it.
    pub buried: f64,
    /// A segment of a pile with face-down cards.
    pub above: f64,
    /// The square of a segment's joins, as a gain.
    pub joins: f64,
    /// A pile whose run has no target.
    pub stranded: f64,
    /// A rank that ends some pile and takes another card, as a gain.
    pub taking: f64,
    /// Empty piles, as gains: the first, the second, each further one.
    pub empty: [f64; 3],
    /// A completed run, as a gain.
    pub done: f64,
    /// The relative increase with all five rows left, of `down`, `gap`, `off` and `empty`.
    pub down_by_rows: f64,
    pub gap_by_rows: f64,
    pub off_by_rows: f64,
    pub empty_by_rows: f64,
    /// For plans that end in an unknown row: the cost of the row, and the share of their gain that empty piles keep.
    pub row: f64,
    pub empty_at_row: f64,
}

/// For open tables, tuned on 4 suits.
pub const OPEN: Taste = Taste {
    down: 56.0,
    down2: 2.0,
    bottom: 30.0,
    off: 69.0,
    gap: 32.0,
    inverse: 1.0,
    buried: 3.0,
    above: 10.0,
    joins: 1.0,
    stranded: 12.0,
    taking: 0.0,
    empty: [100.0, 133.0, 37.0],
    done: 37.0,
    down_by_rows: 0.22,
    gap_by_rows: -0.26,
    off_by_rows: 0.0,
    empty_by_rows: -1.04,
    row: 0.0,
    empty_at_row: 0.0,
};

/// For tables of which only the face-up cards are known.
pub const SEEN: Taste = Taste {
    down: 93.0,
    down2: 1.0,
    stranded: 20.0,
    empty: [160.0, 150.0, 67.0],
    done: 36.0,
    down_by_rows: 0.44,
    gap_by_rows: -0.36,
    off_by_rows: -0.03,
    empty_by_rows: 0.0,
    row: 288.0,
    empty_at_row: -0.34,
    ..OPEN
};

impl Taste {
    pub const COUNT: usize = 21;

    pub fn numbers(&self) -> [f64; Taste::COUNT] {
        let [first, second, third] = self.empty;
        [
            self.down,
            self.down2,
            self.bottom,
            self.off,
            self.gap,
            self.inverse,
            self.buried,
            self.above,
            self.joins,
            self.stranded,
            first,
            second,
            third,
            self.done,
            self.down_by_rows,
            self.gap_by_rows,
            self.off_by_rows,
            self.empty_by_rows,
            self.row,
            self.empty_at_row,
            self.taking,
        ]
    }

    pub fn of(n: [f64; Taste::COUNT]) -> Taste {
        Taste {
            down: n[0],
            down2: n[1],
            bottom: n[2],
            off: n[3],
            gap: n[4],
            inverse: n[5],
            buried: n[6],
            above: n[7],
            joins: n[8],
            stranded: n[9],
            empty: [n[10], n[11], n[12]],
            done: n[13],
            down_by_rows: n[14],
            gap_by_rows: n[15],
            off_by_rows: n[16],
            empty_by_rows: n[17],
            row: n[18],
            empty_at_row: n[19],
            taking: n[20],
        }
    }

    /// Returns a variant with every parameter multiplied by a random factor, up to `e^spread` either way.
    pub fn varied(&self, spread: f64, chance: &mut Decks) -> Taste {
        let factor = |bits: u64| (((bits >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0) * spread).exp();
        Taste::of(self.numbers().map(|number| number * factor(chance.bits())))
    }

    /// Returns the weights of the layer with this number of rows left.
    pub fn weights(&self, rows: u8) -> Weights {
        let share = f64::from(rows.min(5)) / 5.0;
        let by = |number: f64, slope: f64| (number * (1.0 + slope * share)).round() as i32;
        let (down, gap, empty) = (self.down_by_rows, self.gap_by_rows, self.empty_by_rows);
        let mut gains = [0; 11];
        for count in 1..gains.len() {
            gains[count] = gains[count - 1] + by(self.empty[(count - 1).min(2)], empty);
        }
        Weights {
            down: by(self.down, down),
            down2: by(self.down2, down),
            bottom: by(self.bottom, 0.0),
            off: by(self.off, self.off_by_rows),
            gap: by(self.gap, gap),
            inverse: by(self.inverse, gap),
            buried: by(self.buried, 0.0),
            above: by(self.above, 0.0),
            joins: by(self.joins, 0.0),
            stranded: by(self.stranded, 0.0),
            taking: by(self.taking, 0.0),
            empty: gains,
            done: by(self.done, 0.0),
            row: by(self.row, 0.0),
            empty_at_row: self.empty_at_row,
        }
    }
}

/// The weights of one layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    pub down: i32,
    pub down2: i32,
    pub bottom: i32,
    pub off: i32,
    pub gap: i32,
    pub inverse: i32,
    pub buried: i32,
    pub above: i32,
    pub joins: i32,
    pub stranded: i32,
    pub taking: i32,
    /// The gain of each number of empty piles.
    pub empty: [i32; 11],
    pub done: i32,
    pub row: i32,
    pub empty_at_row: f64,
}
