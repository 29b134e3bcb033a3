//! Tables that are stepped together accept any valid action and any text, and follow the rules: no panic.

mod fuzzing;

use _engine::envs::{self, Reward, Stepping, Terms, WhenInvalid};
use _engine::games::open;
use _engine::rng::Decks;
use fuzzing::{any_asked, any_game, cases};
use proptest::prelude::*;
use proptest::sample::Index;

fn terms() -> impl Strategy<Value = Terms> {
    let gamma = prop_oneof![0.0..1.0f64, Just(f64::NAN), Just(f64::INFINITY), Just(-1e300)];
    let reward =
        prop_oneof![Just(Reward::Delta), gamma.prop_map(|gamma| Reward::Shaped { gamma }), Just(Reward::Win)];
    let when_invalid = prop_oneof![Just(WhenInvalid::Noop), Just(WhenInvalid::Terminate)];
    let limit = prop_oneof![Just(None), (0..20u64).prop_map(Some), Just(Some(u64::MAX))];
    (reward, when_invalid, limit).prop_map(|(reward, when_invalid, limit)| Terms {
        reward,
        when_invalid,
        limit,
    })
}

/// Checks that the observation and mask of a table are those of its text laid out again.
fn check_shown(tables: &dyn Stepping, again: &mut dyn Stepping) -> Result<(), TestCaseError> {
    let text = tables.text(0);
    again.lay(0, &text).map_err(|fault| TestCaseError::fail(format!("{fault} in {text:?}")))?;
    let bytes = tables.bytes();
    prop_assert_eq!(&tables.observations()[..bytes], &again.observations()[..bytes], "{}", text);
    if !tables.seats()[0].terminated {
        let actions = tables.actions();
        prop_assert_eq!(&tables.masks()[..actions], &again.masks()[..actions], "{}", text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn tables_are_laid_or_refused(
        (id, rules) in any_game(), count in prop_oneof![0..4usize, Just(usize::MAX), Just((1 << 22) + 1)],
        threads in prop_oneof![0..3usize, Just(usize::MAX)], terms in terms(),
    ) {
        if let Ok(tables) = envs::open(id, rules, count, threads, terms) {
            prop_assert_eq!(tables.seats().len(), count);
            prop_assert_eq!(tables.masks().len(), count * tables.actions());
        }
    }

    #[test]
    fn steps_of_any_kind_keep_to_the_rules(
        asked in any_asked(), choices in prop::collection::vec((any::<Index>(), any::<bool>()), 0..60), terms in terms(),
        seed in any::<u64>(),
    ) {
        let opened = || envs::open(asked.id, asked.rules.clone(), 2, 1, terms);
        let (Ok(mut tables), Ok(mut again)) = (opened(), opened()) else { return Ok(()) };
        tables.deal(1, seed);
        if tables.lay(0, &asked.position).is_ok() {
            let game = open(asked.id, asked.rules.clone()).unwrap_or_else(|_| panic!("the rules were taken before"));
            prop_assert!(game.play(&asked.position, &[]).is_ok());
        }
        let (mut luck, mut drawn) = (Decks::new(seed), [0; 2]);
        for (choice, is_legal) in choices {
            tables.sample(&mut luck, &mut drawn);
            let action = if is_legal { drawn[0] } else { choice.index(tables.actions()) as i64 };
            tables.step(&[action, drawn[1]], &[0, u8::from(!is_legal)]);
        }
        check_shown(tables.as_ref(), again.as_mut())?;
    }
}
