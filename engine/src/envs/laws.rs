//! Laws of environments that hold in every game.

use super::{Actions, Stepped};
use crate::rng::Decks;

/// Plays random games: checks that the incremental observation equals a new one, and calls `look` on every position.
pub(crate) fn check_stepping<G: Stepped>(rules: &G::Rules, look: impl Fn(&G, &G::Legal)) {
    for deal in 0..20 {
        let (mut table, mut luck) = (G::deal(rules, &mut Decks::new(deal)), Decks::new(deal + 100));
        let mut observation = vec![0; G::bytes(rules)];
        table.observe(&mut observation);
        for _ in 0..200 {
            let legal = table.legal();
            look(&table, &legal);
            if legal.is_empty() {
                break;
            }
            table.act(legal.nth(luck.below(legal.len() as u64) as usize), &mut observation);
            let mut anew = vec![7; G::bytes(rules)];
            table.observe(&mut anew);
            assert_eq!(observation, anew, "{}", table.text());
            table.check_fit().expect("play leads to it");
            assert!((0.0..=1.0).contains(&table.potential()));
        }
    }
}
