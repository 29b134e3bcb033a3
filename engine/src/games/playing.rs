//! Whole games played by policies: those of a game's own, and `random`, which every game has.

use std::time::Duration;

use super::fixed::{start_of, tokens};
use super::{Advised, Game, Notation, Results, Start};
use crate::Fault;
use crate::rng::Decks;
use crate::search::{Progress, Watch};

/// A game that goes on after so many moves ends there, as on the Python side: where moves can be taken
/// back, some play would never end.
pub const MOST_MOVES: usize = 2_000;

/// Plays whole games by one policy.
pub trait Player: Send + Sync {
    /// Plays from `start`; `luck` is the seed of the game's stream of chance.
    fn play(&self, start: &Start, luck: u64, watch: &mut Watch) -> Result<Game, Fault>;
}

/// Plays whole games by several policies, each by every one of them.
pub trait Players: Send + Sync {
    /// Plays from these starts, each with the seed of the game's stream of chance: the results of each policy.
    fn play(&self, starts: &[(Start, u64)], watch: &mut Watch) -> Result<Vec<Results>, Fault>;
}

/// Someone who plays by the policy of this name.
pub fn sit_down<G: Advised + 'static>(
    rules: G::Rules,
    policy: &str,
    values: Option<&[u8]>,
) -> Result<Box<dyn Player>, Fault> {
    let policy = read_policy::<G>(&rules, policy, values)?;
    Ok(Box::new(Sitting::<G> { rules, policy }))
}

/// Those who play by the policies of these names.
pub fn sit_together<G: Advised + 'static>(
    rules: G::Rules,
    policies: &[String],
    values: Option<&[u8]>,
) -> Result<Box<dyn Players>, Fault> {
    let read = |policy: &String| read_policy::<G>(&rules, policy, values);
    let policies = policies.iter().map(read).collect::<Result<Vec<_>, Fault>>()?;
    Ok(Box::new(Round::<G> { rules, policies }))
}

/// One of the game's own policies; `None` is `random`, where every legal move is as likely as every other.
fn read_policy<G: Advised>(
    rules: &G::Rules,
    name: &str,
    values: Option<&[u8]>,
) -> Result<Option<G::Policy>, Fault> {
    if name == "random" { Ok(None) } else { G::policy(rules, name, values).map(Some) }
}

struct Sitting<G: Advised> {
    rules: G::Rules,
    policy: Option<G::Policy>,
}

impl<G: Advised> Player for Sitting<G> {
    fn play(&self, start: &Start, luck: u64, watch: &mut Watch) -> Result<Game, Fault> {
        let (game, line) = match &self.policy {
            Some(policy) => play_by::<G>(&self.rules, policy, start, luck, watch),
            None => ramble(&self.rules, start, luck, watch),
        }?;
        Ok(ended(game, &line))
    }
}

struct Round<G: Advised> {
    rules: G::Rules,
    policies: Vec<Option<G::Policy>>,
}

impl<G: Advised> Players for Round<G> {
    fn play(&self, starts: &[(Start, u64)], watch: &mut Watch) -> Result<Vec<Results>, Fault> {
        // Those of the game's own go together, for they may have much in common.
        let own: Vec<&G::Policy> = self.policies.iter().flatten().collect();
        let mut own = G::play_all(&self.rules, &own, starts, watch)?.into_iter();
        let mut of_policy = |policy: &Option<G::Policy>| match policy {
            Some(_) => Ok(own.next().expect("every policy has its results")),
            None => results(starts, |start, luck| ramble::<G>(&self.rules, start, luck, watch)),
        };
        self.policies.iter().map(&mut of_policy).collect()
    }
}

/// A position, and moves from it to the end.
type Line<G> = (G, Vec<<G as crate::search::Game>::Move>);

/// The games from these starts, each played by `play`.
pub fn results<G: Advised>(
    starts: &[(Start, u64)],
    mut play: impl FnMut(&Start, u64) -> Result<Line<G>, Fault>,
) -> Result<Results, Fault> {
    let tableau_moves = G::IS_TABLEAU_MOVE.map(|_| Vec::new());
    let mut results = Results { tableau_moves, ..Results::default() };
    for (start, luck) in starts {
        let (mut game, line) = play(start, *luck)?;
        let moved = G::IS_TABLEAU_MOVE.map(|is_one| line.iter().filter(|&&m| is_one(m)).count() as u32);
        for m in line {
            game.apply(m);
        }
        results.push(game.score(), game.is_won(), moved)?;
    }
    Ok(results)
}

/// Plays by a policy of the game's own.
pub fn play_by<G: Advised>(
    rules: &G::Rules,
    policy: &G::Policy,
    start: &Start,
    luck: u64,
    watch: &mut Watch,
) -> Result<Line<G>, Fault> {
    let game = start_of::<G>(rules, start)?;
    let mut is_stopped = false;
    let line = game.play_by(policy, &mut Decks::new(luck), &mut |progress| {
        is_stopped |= watch(progress);
        is_stopped
    })?;
    if is_stopped { Err(stopped()) } else { Ok((game, line)) }
}

/// Plays at random.
fn ramble<G: Notation>(
    rules: &G::Rules,
    start: &Start,
    luck: u64,
    watch: &mut Watch,
) -> Result<Line<G>, Fault> {
    let start = start_of::<G>(rules, start)?;
    let (score, bound) = (start.score(), start.max_score());
    // A game is over long before it would be time to look again.
    if watch(Progress { nodes: 0, elapsed: Duration::ZERO, best: score, bound }) {
        return Err(stopped());
    }
    let mut luck = Decks::new(luck);
    let (mut game, mut line, mut moves) = (start.clone(), Vec::new(), Vec::new());
    while line.len() < MOST_MOVES {
        moves.clear();
        game.moves(&mut moves);
        if moves.is_empty() && game.waits_for_chance() {
            return Err(Fault::new("the game goes on with a redeal whose order is not known"));
        }
        if moves.is_empty() || game.is_won() {
            break;
        }
        let m = moves[luck.below(moves.len() as u64) as usize];
        line.push(m);
        game.apply(m);
    }
    Ok((start, line))
}

/// What is wrong with a game that whoever watches has stopped.
pub fn stopped() -> Fault {
    Fault::new("the game was stopped")
}

/// How the game ends that is played from this position.
fn ended<G: Notation>(mut game: G, line: &[G::Move]) -> Game {
    let moves = tokens(&mut game, line);
    Game { score: game.score(), is_won: game.is_won(), moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::open;

    /// Mass play is the play of each game by each policy.
    #[test]
    fn players_play_as_each_of_them_does() {
        for (id, names) in [
            ("agnes", ["greedy", "random", "rollout:2"]),
            ("belle-lucie", ["random", "greedy", "random"]),
            ("aces-up", ["rules:2,1,10", "random", "rollout:2"]),
        ] {
            let game = || open(id, Vec::new()).expect("the default rules are supported");
            let policies = names.map(str::to_string);
            let starts: Vec<(Start, u64)> = (0..8)
                .map(|seed| match seed % 2 {
                    0 => (Start::Seed(seed), seed),
                    _ => (Start::Position(game().deal(&mut Decks::new(seed))), 3 * seed),
                })
                .collect();
            let together = game().players(&policies, None).expect("the engine has them");
            let together = together.play(&starts, &mut |_| false).expect("they play");
            for (policy, results) in policies.iter().zip(together) {
                let player = game().player(policy, None).expect("the engine has it");
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
            let stopped =
                game().players(&policies, None).expect("the engine has them").play(&starts, &mut |_| true);
            assert_eq!(stopped.expect_err("it was stopped").to_string(), "the game was stopped");
        }
    }
}
