//! The default generator of deals, frozen: a seed must name the same deal for ever.
//!
//! SplitMix64 with the seed as its state, unbiased draws by rejection, Fisher-Yates from the top index down. Each deck
//! of a stream is a new shuffle of the ordered deck.

/// Returns `z` after the SplitMix64 finaliser: every bit of the result depends on every bit of `z`.
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The number of precomputed reciprocals: more than a deck has cards.
const KEPT: usize = 64;

/// `u64::MAX / n`, for dividing by `n` without a division.
const RECIPROCALS: [u64; KEPT] = {
    let mut reciprocals = [0; KEPT];
    let mut n = 1;
    while n < KEPT {
        reciprocals[n] = u64::MAX / n as u64;
        n += 1;
    }
    reciprocals
};

/// Returns `x % n`, with the reciprocal of `n`.
fn remainder(x: u64, n: u64, reciprocal: u64) -> u64 {
    // The reciprocal is less than 2^64 / n by less than 1, so the quotient is right or one too small.
    let quotient = ((u128::from(x) * u128::from(reciprocal)) >> 64) as u64;
    let rest = x - quotient * n;
    if rest >= n { rest - n } else { rest }
}

/// The decks of one seed, one after the other.
#[derive(Clone, Debug)]
pub struct Decks {
    state: u64,
}

impl Decks {
    /// Returns the stream of a seed; its first deck is the deal.
    pub fn new(seed: u64) -> Decks {
        Decks { state: seed }
    }

    /// Returns the state of the stream: `new` with this number continues it.
    pub fn state(&self) -> u64 {
        self.state
    }

    /// Returns the next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.state)
    }

    /// Returns a number below `n`, each equally likely.
    pub fn below(&mut self, n: u64) -> u64 {
        let reciprocal = RECIPROCALS.get(n as usize).copied();
        self.draw(n, reciprocal.unwrap_or_else(|| u64::MAX / n))
    }

    #[inline(always)]
    fn draw(&mut self, n: u64, reciprocal: u64) -> u64 {
        let x = self.bits();
        // The lowest 2^64 mod n numbers are rejected. That is less than n, so the division is seldom needed.
        let x = if x >= n { x } else { self.draw_again(x, n) };
        remainder(x, n, reciprocal)
    }

    #[cold]
    fn draw_again(&mut self, mut x: u64, n: u64) -> u64 {
        while x < n.wrapping_neg() % n {
            x = self.bits();
        }
        x
    }

    /// Returns the next deck: indices into the ordered deck, the card that is dealt first at the front.
    pub fn deck(&mut self, size: usize) -> Vec<usize> {
        let mut deck: Vec<usize> = (0..size).collect();
        self.shuffle(&mut deck);
        deck
    }

    /// Permutes these cards into the order of the next deck of this size.
    #[inline(never)]
    pub fn shuffle<T>(&mut self, cards: &mut [T]) {
        for i in (KEPT - 1..cards.len()).rev() {
            cards.swap(i, self.below(i as u64 + 1) as usize);
        }
        // Shuffling is a third of the work of a quick game, so a deck is shuffled without a division.
        let few = cards.len().min(KEPT - 1);
        for i in (1..few).rev() {
            let j = self.draw(i as u64 + 1, RECIPROCALS[i + 1]) as usize;
            cards[..few].swap(i, j);
        }
    }

    /// Skips one deck.
    pub fn skip(&mut self, size: usize) {
        for i in (1..size).rev() {
            self.below(i as u64 + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_is_the_published_one() {
        // The first outputs for seed 1234567 in the test of Vigna's C code (Rosetta Code, "Splitmix64").
        let mut decks = Decks::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(expected, [decks.bits(), decks.bits(), decks.bits()]);
    }

    #[test]
    fn remainders_are_those_of_a_division() {
        let mut decks = Decks::new(3);
        for n in (1..200).chain([1 << 40, u64::MAX - 1, u64::MAX]) {
            let random = std::iter::repeat_with(|| decks.bits()).take(100);
            let edges = [0, 1, n - 1, n, n.saturating_add(1), u64::MAX - 1, u64::MAX];
            let multiples = [u64::MAX / n * n, (u64::MAX / n * n).wrapping_sub(1), u64::MAX / n / 2 * n];
            for x in random.chain(edges).chain(multiples) {
                assert_eq!(remainder(x, n, u64::MAX / n), x % n, "{x} % {n}");
            }
        }
    }

    #[test]
    fn skipping_a_deck_leaves_the_stream_where_dealing_it_does() {
        for size in [0, 1, 2, 52, 104] {
            let (mut dealt, mut skipped) = (Decks::new(7), Decks::new(7));
            dealt.deck(size);
            skipped.skip(size);
            assert_eq!(dealt.deck(52), skipped.deck(52));
        }
    }

    #[test]
    fn a_stream_goes_on_from_where_it_stands() {
        let mut decks = Decks::new(7);
        decks.deck(52);
        assert_eq!(Decks::new(decks.state()).deck(52), decks.deck(52));
    }

    #[test]
    fn a_deck_has_every_card_once() {
        let mut deck = Decks::new(u64::MAX).deck(104);
        deck.sort_unstable();
        assert!(deck.into_iter().eq(0..104));
    }
}
