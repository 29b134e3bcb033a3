//! Mass play gives the same results as single games by each policy, as far as they fit into its rows.

use _engine::games::{Game, Start, open, player, players};
use _engine::rng::Decks;

fn given(fields: &str) -> Vec<(String, String)> {
    let pairs = fields.split_whitespace().filter_map(|word| word.split_once('='));
    pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

#[test]
fn players_play_as_each_of_them_does() {
    for (id, fields, names) in [
        ("agnes", "", ["greedy", "random", "rollout:2"]),
        ("belle-lucie", "", ["random", "greedy", "random"]),
        ("aces-up", "", ["rules:2,1,10", "random", "rollout:2"]),
        ("aces-up", "destination=any singletons=yes reserve=1", ["random", "weights", "random"]),
        ("spider", "", ["random", "greedy", "random"]),
    ] {
        let game = open(id, given(fields)).expect("the rules are supported");
        let policies = names.map(str::to_string);
        let weights: Vec<u8> = (0..18).flat_map(|number| f64::from(number % 5).to_le_bytes()).collect();
        let values = Some(weights.as_slice());
        let starts: Vec<(Start, u64)> = (0..8)
            .map(|seed| match seed % 2 {
                0 => (Start::Seed(seed), seed),
                _ => (Start::Position(game.deal(&mut Decks::new(seed))), 3 * seed),
            })
            .collect();
        let together = || players(id, given(fields), &policies, values).expect("the engine has them");
        let played = together().play(&starts, &mut |_| false).expect("they play");
        for (policy, results) in policies.iter().zip(played) {
            let player = player(id, given(fields), policy, values).expect("the engine has it");
            for (number, (start, luck)) in starts.iter().enumerate() {
                let Game { score, is_won, moves } =
                    player.play(start, *luck, &mut |_| false).expect("it plays");
                let found = (i32::from(results.scores[number]), results.won[number] == 1);
                assert_eq!(found, (score, is_won), "{id} {policy} {number}");
                let moved = moves.iter().filter(|token| token.contains('-')).count();
                let told = results.tableau_moves.as_ref().map(|moves| usize::from(moves[number]));
                assert_eq!(told, (id == "aces-up").then_some(moved), "{id} {policy} {number}");
            }
        }
        let stopped = together().play(&starts, &mut |_| true);
        assert_eq!(stopped.expect_err("it was stopped").to_string(), "the game was stopped");
    }
}

/// A card moves back and forth more often than a byte can count.
#[test]
fn tableau_moves_beyond_a_byte_are_told_as_255() {
    let rules = || given("destination=any singletons=yes reserve=1 piles=5 deal=spaces");
    let (seed, policies) = (175_739, ["random".to_string()]);
    let game = player("aces-up", rules(), "random", None).expect("the engine has it");
    let game = game.play(&Start::Seed(seed), seed, &mut |_| false).expect("it plays");
    assert_eq!(game.moves.iter().filter(|token| token.contains('-')).count(), 531);
    let all = players("aces-up", rules(), &policies, None).expect("the engine has it");
    let results = all.play(&[(Start::Seed(seed), seed)], &mut |_| false).expect("they play");
    assert_eq!(results[0].tableau_moves, Some(vec![255]));
}

#[test]
fn nobody_plays_by_no_policy() {
    let nobody = players("spider", Vec::new(), &[], None).expect("nobody is needed");
    assert_eq!(nobody.play(&[(Start::Seed(1), 1)], &mut |_| false), Ok(Vec::new()));
}
