//! Every entry point of the engine returns an answer or an error, within its limits, whatever the input: no panic.

mod fuzzing;

use std::time::Duration;

use _engine::batch::{Batch, Next};
use _engine::games::{
    FixedGame, Learning, PhaseSampling, PhaseTask, Phasing, PlayingOut, Sampling, Start, StoppingDeals,
    WeighingPlans, open_as, player, players,
};
use _engine::rng::Decks;
use _engine::search::{Limits, MOST_DEPTH, Progress, Status, Task};
use fuzzing::{Asked, any_asked, any_game, any_id, cases, game_of, tokens, wild_text};
use proptest::prelude::*;
use proptest::sample::select;
use rayon::{ThreadPool, ThreadPoolBuilder};

const NODES: u64 = 2_000;

/// Returns a watch that stops after this number of calls: nothing may run for ever.
fn patience(looks: u32) -> impl FnMut(Progress) -> bool {
    let mut left = looks;
    move |_| {
        left = left.saturating_sub(1);
        left == 0
    }
}

fn limits() -> impl Strategy<Value = Limits> {
    let memory = prop_oneof![
        Just(0),
        Just(1),
        0..100_000usize,
        Just(10_000_000),
        Just(usize::MAX),
        Just(usize::MAX / 2),
        Just(isize::MAX as usize),
    ];
    let time = prop_oneof![Just(None), Just(Some(Duration::ZERO)), Just(Some(Duration::MAX))];
    (0..=NODES, time, memory).prop_map(|(nodes, time, memory)| Limits { nodes: Some(nodes), time, memory })
}

fn task() -> impl Strategy<Value = Task> {
    (limits(), any::<bool>(), any::<bool>()).prop_map(|(limits, maximize, prune)| Task {
        limits,
        maximize,
        prune,
    })
}

fn start() -> impl Strategy<Value = (Asked, Start)> {
    (any_asked(), any::<u64>(), 0..4).prop_map(|(asked, seed, which)| {
        let start = if which == 0 { Start::Seed(seed) } else { Start::Position(asked.position.clone()) };
        (asked, start)
    })
}

/// Generates tables of values: of the sizes that games have, and of others.
fn values() -> impl Strategy<Value = Option<Vec<u8>>> {
    const STATES: usize = 2380;
    const SHAPES: usize = 1820;
    const TRAINED: usize = 11_052;
    let number = select(vec![0.0, 0.5, 1.0, -1.0, 1e300, -1e300, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE]);
    let floats = (select(vec![18, 48, TRAINED, STATES, 2 * STATES, 20 * STATES]), number)
        .prop_map(|(count, number)| number.to_le_bytes().repeat(count));
    let gaps = (0..5u8, select(vec![0.0f32, 1.0, 0.3, -1.0, f32::NAN]), 0..2usize).prop_map(
        |(most, chance, more)| {
            [b"GW1".as_slice(), &[most], &chance.to_le_bytes().repeat((usize::from(most) + more) * SHAPES)]
                .concat()
        },
    );
    let wild = prop::collection::vec(any::<u8>(), 0..200);
    prop_oneof![1 => Just(None), 2 => floats.prop_map(Some), 1 => gaps.prop_map(Some), 1 => wild.prop_map(Some)]
}

/// Generates four runs, or something else.
fn shape() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![4 => prop::collection::vec(0..=12u8, 4), 1 => prop::collection::vec(any::<u8>(), 0..6)]
}

/// Generates names of policies with small budgets.
fn policy() -> impl Strategy<Value = String> {
    let known = select(vec![
        "random",
        "greedy",
        "value",
        "weights",
        "planner:1",
        "planner:0",
        "rollout:1",
        "rollout:1;bonus=1000000",
        "rollout:2;base=weights",
        "rules:1",
        "rules:2,1,10",
        "rules:1,1000@documented",
        "rules:1,20,300",
        "plan:1",
        "plan:2",
        "random:1",
        "search:1",
        "max-locked:500",
        "value:500",
        "fresh:500",
        "value:0s",
        "max-locked:0",
    ]);
    let wild = select(vec![
        "rules:",
        "rules:0",
        "rules:1,1",
        "rules:99999999999999999999",
        "rules:1@",
        "rollout:0",
        "rollout:-1",
        "rollout;;",
        "rollout:1;base=",
        "rollout:1;bonus=9999999999",
        "planner:",
        "planner:x",
        "plan:0",
        "plan:99999",
        "search:0",
        "search:100001",
        "random:0",
        "value:-1s",
        "value:nans",
        "value:1e999s",
        "value:infs",
        "fresh:",
        "max-locked:s",
        ":",
        "",
    ]);
    prop_oneof![
        4 => known.prop_map(str::to_string),
        1 => wild.prop_map(str::to_string),
        1 => wild_text().prop_map(|text| format!("rules:{text}")),
        1 => wild_text(),
    ]
}

fn pool() -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(1).build().expect("a thread is to be had")
}

fn replay(game: &dyn FixedGame, start: &Start, moves: &[String]) -> (i32, Option<&'static str>) {
    let position = match start {
        Start::Position(text) => text.clone(),
        Start::Seed(seed) => game.deal(&mut Decks::new(*seed)),
    };
    let played = game.play(&position, moves).expect("the moves of an answer can be played");
    (played.score, played.outcome)
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_search_answers_within_its_limits((asked, start) in start(), task in task(), is_traced in any::<bool>()) {
        let game = asked.game();
        let mut written = 0;
        let found = if is_traced {
            game.trace(&start, &task, &mut patience(1000), &mut |text| written += text.len())
        } else {
            game.solve(&start, &task, &mut patience(1000))
        };
        if let Ok(found) = found {
            // Spider's beams finish the level that they are in.
            let slack = if asked.id == "spider" { 100_000 } else { 0 };
            prop_assert!(found.stats.nodes <= task.limits.nodes.unwrap_or(0) + slack, "{} nodes", found.stats.nodes);
            let (score, outcome) = replay(game.as_ref(), &start, &found.moves);
            prop_assert_eq!(score, found.score);
            prop_assert!(found.status != Status::Solved || outcome == Some("won"), "{outcome:?}");
        }
        prop_assert!(written < 100_000_000);
    }

    #[test]
    fn a_count_of_moves_ends(asked in any_asked(), depth in prop_oneof![4 => 0..4u32, 1 => Just(MOST_DEPTH), 1 => Just(MOST_DEPTH + 1), 1 => Just(u32::MAX)]) {
        let mut left = 10;
        let counted = asked.game().perft(&asked.position, depth, &mut || {
            left -= 1;
            left <= 0
        });
        let is_read = asked.game().legal_moves(&asked.position).is_ok();
        prop_assert_eq!(counted.is_ok(), is_read && depth <= MOST_DEPTH);
        if let (Ok(Some(count)), 0) = (counted, depth) {
            prop_assert_eq!(count, 1);
        }
    }

    #[test]
    fn a_line_is_shortened_or_refused(asked in any_asked(), line in tokens(), nodes in 0..NODES, is_own in any::<bool>()) {
        let game = asked.game();
        let start = Start::Position(asked.position.clone());
        let task = Task { limits: Limits { nodes: Some(nodes), ..Limits::default() }, ..Task::default() };
        let line = match game.solve(&start, &task, &mut patience(1000)) {
            Ok(found) if is_own => found.moves,
            _ => line,
        };
        if let Ok(shorter) = game.shorten(&asked.position, &line, Duration::from_millis(5), &mut patience(100)) {
            prop_assert!(shorter.len() <= line.len());
            let (before, after) = (replay(game.as_ref(), &start, &line), replay(game.as_ref(), &start, &shorter));
            prop_assert_eq!(before.1, after.1);
            prop_assert!(after.0 >= before.0);
        }
    }

    #[test]
    fn players_play_to_an_end_or_refuse(
        (asked, start) in start(), policy in policy(), values in values(), luck in any::<u64>(),
    ) {
        let Ok(player) = player(asked.id, asked.rules.clone(), &policy, values.as_deref()) else { return Ok(()) };
        if let Ok(game) = player.play(&start, luck, &mut patience(2000)) {
            let (score, outcome) = replay(asked.game().as_ref(), &start, &game.moves);
            prop_assert_eq!((score, outcome == Some("won")), (game.score, game.is_won));
        }
    }

    #[test]
    fn players_that_sit_together_play_all_or_refuse(
        (asked, start) in start(), policies in prop::collection::vec(policy(), 0..3), values in values(), luck in any::<u64>(),
    ) {
        let Ok(players) = players(asked.id, asked.rules.clone(), &policies, values.as_deref()) else { return Ok(()) };
        let starts = [(start, luck), (Start::Seed(luck), 0)];
        if let Ok(results) = players.play(&starts, &mut patience(2000)) {
            prop_assert_eq!(results.len(), policies.len());
            prop_assert!(results.iter().all(|each| each.scores.len() == 2 && each.won.len() == 2));
        }
        if let Ok(results) = players.play(&[], &mut patience(2000)) {
            prop_assert!(results.iter().all(|each| each.scores.is_empty()));
        }
    }

    #[test]
    fn plans_are_made_or_refused(asked in any_asked(), values in values(), at_most in 1..3usize) {
        let values = values.unwrap_or_default();
        let Some(game) = asked.game_as::<dyn StoppingDeals>() else { return Ok(()) };
        if let Ok(plan) = game.plan(&asked.position, &values, at_most, &mut patience(200)) {
            prop_assert!((1..=at_most.max(2)).contains(&plan.stops.len()));
        }
    }

    #[test]
    fn playouts_are_counted_or_refused(asked in any_asked(), line in tokens(), samples in 0..3u64, luck in any::<u64>()) {
        let Some(game) = asked.game_as::<dyn PlayingOut>() else { return Ok(()) };
        let moves = asked.game().legal_moves(&asked.position).unwrap_or(line);
        let tallies = game.playouts(&asked.position, &moves, samples, &mut Decks::new(luck), &pool(), &mut patience(200));
        if let Ok(tallies) = tallies {
            prop_assert_eq!(tallies.len(), moves.len());
        }
    }

    #[test]
    fn plans_are_weighed_or_refused(asked in any_asked(), samples in 0..2u32, values in values(), luck in any::<u64>()) {
        let Some(game) = asked.game_as::<dyn WeighingPlans>() else { return Ok(()) };
        let weighed = game.weigh(&asked.position, samples, values.as_deref(), &mut Decks::new(luck), &mut patience(50));
        if let Ok(weighed) = weighed {
            prop_assert!(weighed.plans.iter().all(|plan| (0.0..=1.0).contains(&plan.chance)), "{weighed:?}");
        }
    }

    #[test]
    fn states_are_valued_or_refused(
        (id, rules) in prop_oneof![3 => game_of("belle-lucie"), 1 => any_game()], states in prop::collection::vec(prop_oneof![0..2400usize, any::<usize>()], 0..3),
        redeals_left in prop_oneof![0..3u8, any::<u8>()], mercis in prop_oneof![0..3u8, any::<u8>()], samples in 0..3u64,
        seed in any::<u64>(), values in values(),
    ) {
        let Ok(game) = open_as::<dyn StoppingDeals>(id, rules) else { return Ok(()) };
        let sampling = Sampling { redeals_left, mercis, samples, seed, values: None };
        if let Ok(sampled) = pool().install(|| game.sample(&states, &sampling, values.as_deref())) {
            prop_assert_eq!(sampled.len(), states.len());
        }
    }

    #[test]
    fn phases_are_searched_within_their_limits(
        (asked, start) in start(), limits in limits(), threads in 0..3usize, maximize in any::<bool>(), ends in any::<bool>(),
        without in prop::collection::vec(prop_oneof![select(vec!["closure", "table", "bound", "hops"]).prop_map(str::to_string), wild_text()], 0..2),
    ) {
        // Several threads take all the memory that they may have, and there is no sense in filling the machine here.
        let memory = if threads > 1 { limits.memory.min(20_000_000) } else { limits.memory };
        let task = PhaseTask { limits: Limits { memory, ..limits }, threads, without, maximize, ends };
        let Some(game) = asked.game_as::<dyn Phasing>() else { return Ok(()) };
        if let Ok(found) = game.phase(&start, &task, &mut patience(1000)) {
            prop_assert_eq!(replay(asked.game().as_ref(), &start, &found.moves).0, found.score);
            prop_assert!(found.score <= found.bound);
        }
    }

    #[test]
    fn phases_are_sampled_or_refused(
        (id, rules) in prop_oneof![3 => game_of("gaps"), 1 => any_game()], shape in shape(), seed in any::<Option<u64>>(),
        first in prop_oneof![Just(0), Just(u64::MAX), Just(u64::MAX - 1), any::<u64>()], count in 0..3u64, nodes in 0..NODES,
        memory in prop_oneof![Just(0), 0..100_000usize, Just(16_000_000)],
    ) {
        let Ok(game) = open_as::<dyn Phasing>(id, rules) else { return Ok(()) };
        let samples = first..first.saturating_add(count);
        let expected = samples.end - samples.start;
        let found = game.sample_phases(&PhaseSampling { shape, seed, samples, nodes, memory }, &mut patience(1000));
        if let Ok(found) = found {
            prop_assert_eq!(found.len() as u64, expected);
        }
    }

    #[test]
    fn numbers_are_trained_or_refused(
        id in prop_oneof![3 => Just("aces-up"), 1 => any_id()], first in prop_oneof![0..3u64, Just(u64::MAX - 1), any::<u64>()], count in 0..2u64, seed in any::<u64>(),
        of in prop_oneof![0..4u64, any::<u64>()], numbers in values(),
    ) {
        let Ok(game) = open_as::<dyn Learning>(id, Vec::new()) else { return Ok(()) };
        let games = first..first.saturating_add(count);
        if let Ok(numbers) = game.train(numbers.as_deref(), seed, games, of) {
            prop_assert!(numbers.chunks_exact(8).all(|each| f64::from_le_bytes(each.try_into().expect("8 bytes")).is_finite()));
        }
    }

    #[test]
    fn a_batch_answers_everything_in_order((asked, start) in start(), task in task(), threads in prop_oneof![0..3usize, Just(usize::MAX)]) {
        let Ok(batch) = Batch::solving(asked.game(), task, threads) else {
            prop_assert!(!(1..=1024).contains(&threads));
            return Ok(());
        };
        batch.submit([start.clone(), Start::Position("nonsense".to_string()), start]);
        let mut answers = Vec::new();
        while let Next::Ready(answer) = batch.next(Duration::from_secs(60)) {
            answers.push(answer);
        }
        prop_assert_eq!(answers.len(), 3);
        prop_assert!(matches!(answers[1], Err(_engine::batch::Failure::Invalid(_))));
        prop_assert!(!answers.iter().any(|each| matches!(each, Err(_engine::batch::Failure::Panicked(_)))), "{answers:?}");
    }
}
