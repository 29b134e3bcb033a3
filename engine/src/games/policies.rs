//! Whole games played by policies: those of a game's own, and `random`, which every game has.

use std::collections::BTreeMap;
use std::time::Duration;

use super::fixed::{Fixed, start_of, tokens};
use super::{FixedGame, Given, Playable, Start, open, open_as};
use crate::Fault;
use crate::rng::Decks;
use crate::search::{Progress, Watch};

/// A game that goes on after so many moves ends there, as on the Python side: where moves can be taken
/// back, some play would never end.
pub const MOST_MOVES: usize = 2_000;

/// The policy that every game has.
const RANDOM: &str = "random";

/// A game with policies of its own.
pub trait PlaysPolicies: Playable {
    /// A way of playing, read and checked.
    type Policy: Send + Sync;

    fn policy(rules: &Self::Rules, name: &str, values: Option<&[u8]>) -> Result<Self::Policy, Fault>;

    /// Plays on to the end, seeing of each deal only what lies on the table. Its luck is the only source
    /// of chance: the stream of numbers that the Python player of the same game draws from.
    fn play_by(
        &self,
        policy: &Self::Policy,
        luck: &mut Decks,
        watch: &mut Watch,
    ) -> Result<Vec<Self::Move>, Fault>;

    /// Plays whole games by each of these policies; a game says whether it keeps their lines. Each start comes with the seed of the
    /// game's luck. A game may know a faster way than one game after the other.
    fn play_all(
        rules: &Self::Rules,
        policies: &[&Self::Policy],
        starts: &[(Start, u64)],
        watch: &mut Watch,
    ) -> Result<Vec<Results>, Fault> {
        let by = |policy: &&Self::Policy| {
            results(starts, |start, luck| play_by::<Self>(rules, policy, start, luck, watch))
        };
        policies.iter().map(by).collect()
    }
}

/// The same with the rules fixed.
pub trait Playing: Send + Sync {
    /// Sits down to play by a policy.
    fn player(self: Box<Self>, policy: &str, values: Option<&[u8]>) -> Result<Box<dyn Player>, Fault>;
    /// Those who sit down to play by several policies.
    fn players(self: Box<Self>, policies: &[&str], values: Option<&[u8]>) -> Result<Box<dyn Players>, Fault>;
}

impl<G: PlaysPolicies> Playing for Fixed<G> {
    fn player(self: Box<Self>, policy: &str, values: Option<&[u8]>) -> Result<Box<dyn Player>, Fault> {
        let policy = G::policy(&self.rules, policy, values)?;
        Ok(Box::new(Sitting::<G> { rules: self.rules, policy }))
    }

    fn players(self: Box<Self>, policies: &[&str], values: Option<&[u8]>) -> Result<Box<dyn Players>, Fault> {
        let read = |policy: &&str| G::policy(&self.rules, policy, values);
        let policies = policies.iter().map(read).collect::<Result<Vec<_>, Fault>>()?;
        Ok(Box::new(SittingTogether::<G> { rules: self.rules, policies }))
    }
}

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
pub fn player(id: &str, given: Given, policy: &str, values: Option<&[u8]>) -> Result<Box<dyn Player>, Fault> {
    match policy {
        RANDOM => Ok(Box::new(AtRandom(open(id, given)?))),
        _ => open_as::<dyn Playing>(id, given)?.player(policy, values),
    }
}

/// Those who play by the policies of these names.
pub fn players(
    id: &str,
    given: Given,
    policies: &[String],
    values: Option<&[u8]>,
) -> Result<Box<dyn Players>, Fault> {
    let is_own: Vec<bool> = policies.iter().map(|policy| policy != RANDOM).collect();
    let own: Vec<&str> = policies.iter().map(String::as_str).filter(|&policy| policy != RANDOM).collect();
    let at_random = open(id, given.clone())?;
    let own = match own.is_empty() {
        true => None,
        false => Some(open_as::<dyn Playing>(id, given)?.players(&own, values)?),
    };
    Ok(Box::new(Round { is_own, at_random, own }))
}

/// Who plays at random.
struct AtRandom(Box<dyn FixedGame>);

impl Player for AtRandom {
    fn play(&self, start: &Start, luck: u64, watch: &mut Watch) -> Result<Game, Fault> {
        self.0.ramble(start, luck, watch)
    }
}

/// Who plays by a policy of the game's own.
struct Sitting<G: PlaysPolicies> {
    rules: G::Rules,
    policy: G::Policy,
}

impl<G: PlaysPolicies> Player for Sitting<G> {
    fn play(&self, start: &Start, luck: u64, watch: &mut Watch) -> Result<Game, Fault> {
        let (game, line) = play_by::<G>(&self.rules, &self.policy, start, luck, watch)?;
        Ok(ended(game, &line))
    }
}

/// Those who play by several of them.
struct SittingTogether<G: PlaysPolicies> {
    rules: G::Rules,
    policies: Vec<G::Policy>,
}

impl<G: PlaysPolicies> Players for SittingTogether<G> {
    fn play(&self, starts: &[(Start, u64)], watch: &mut Watch) -> Result<Vec<Results>, Fault> {
        let policies: Vec<&G::Policy> = self.policies.iter().collect();
        G::play_all(&self.rules, &policies, starts, watch)
    }
}

/// Those who play by the game's own policies, and those who play at random.
struct Round {
    is_own: Vec<bool>,
    at_random: Box<dyn FixedGame>,
    own: Option<Box<dyn Players>>,
}

impl Players for Round {
    fn play(&self, starts: &[(Start, u64)], watch: &mut Watch) -> Result<Vec<Results>, Fault> {
        // Those of the game's own go together, for they may have much in common.
        let own = self.own.as_ref().map(|own| own.play(starts, watch)).transpose()?;
        let mut own = own.into_iter().flatten();
        let mut of_policy = |&is_own: &bool| match is_own {
            true => Ok(own.next().expect("every policy has its results")),
            false => self.at_random.ramble_all(starts, watch),
        };
        self.is_own.iter().map(&mut of_policy).collect()
    }
}

/// A position, and moves from it to the end.
type Line<G> = (G, Vec<<G as crate::search::Game>::Move>);

/// The games from these starts, each played by `play`.
pub fn results<G: Playable>(
    starts: &[(Start, u64)],
    mut play: impl FnMut(&Start, u64) -> Result<Line<G>, Fault>,
) -> Result<Results, Fault> {
    let is_tableau_move = G::tableau_moves();
    let mut results = Results { tableau_moves: is_tableau_move.map(|_| Vec::new()), ..Results::default() };
    for (start, luck) in starts {
        let (mut game, line) = play(start, *luck)?;
        let moved = is_tableau_move.map(|is_one| line.iter().filter(|&&m| is_one(m)).count() as u32);
        for m in line {
            game.apply(m);
        }
        results.push(game.score(), game.is_won(), moved)?;
    }
    Ok(results)
}

/// Plays by a policy of the game's own.
pub fn play_by<G: PlaysPolicies>(
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
pub(super) fn ramble<G: Playable>(
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
pub(super) fn ended<G: Playable>(mut game: G, line: &[G::Move]) -> Game {
    let moves = tokens(&mut game, line);
    Game { score: game.score(), is_won: game.is_won(), moves }
}

/// A game played to its end by a policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    pub score: i32,
    pub is_won: bool,
    pub moves: Vec<String>,
}

/// How many games went by one policy, in the order of their starts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Results {
    pub scores: Vec<i16>,
    /// 1 for a game that was won, else 0.
    pub won: Vec<u8>,
    /// Where the game counts them; 255 are 255 or more, as on the Python side.
    pub tableau_moves: Option<Vec<u8>>,
    /// The tokens of each game, where they cost little beside the play.
    pub lines: Option<Vec<Vec<String>>>,
    /// What the game counts, by name: in all games, and in those that were won.
    pub counts: BTreeMap<String, (u64, u64)>,
}

impl Results {
    /// One more game.
    pub fn push(&mut self, score: i32, is_won: bool, tableau_moves: Option<u32>) -> Result<(), Fault> {
        let narrow = |_| Fault::new(format!("the score {score} does not fit into two bytes"));
        let score = i16::try_from(score).map_err(narrow)?;
        self.scores.push(score);
        self.won.push(u8::from(is_won));
        if let Some(moves) = tableau_moves {
            // A game of many moves that can be taken back has more than a byte holds.
            self.tableau_moves.get_or_insert_default().push(u8::try_from(moves).unwrap_or(u8::MAX));
        }
        Ok(())
    }

    /// Adds the games that come after these.
    pub fn extend(&mut self, more: Results) {
        let Results { scores, won, tableau_moves, lines, counts } = more;
        self.scores.extend(scores);
        self.won.extend(won);
        if let Some(more) = tableau_moves {
            self.tableau_moves.get_or_insert_default().extend(more);
        }
        if let Some(more) = lines {
            self.lines.get_or_insert_default().extend(more);
        }
        for (name, (all, of_won)) in counts {
            let count = self.counts.entry(name).or_default();
            *count = (count.0 + all, count.1 + of_won);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_below_0_and_above_a_byte_are_kept() {
        let mut results = Results::default();
        for score in [-2000, -1, 0, 990] {
            results.push(score, score == 990, None).expect("it fits");
        }
        results.extend(results.clone());
        assert_eq!(results.scores, [-2000, -1, 0, 990, -2000, -1, 0, 990]);
        assert_eq!((results.won, results.tableau_moves), (vec![0, 0, 0, 1, 0, 0, 0, 1], None));
    }

    #[test]
    fn what_does_not_fit_is_told_and_nothing_is_kept_of_it() {
        let mut results = Results::default();
        for score in [-32_769, 32_768] {
            let told = format!("the score {score} does not fit into two bytes");
            let fault = results.push(score, false, Some(1)).expect_err("it does not fit");
            assert_eq!(fault.to_string(), told);
        }
        assert_eq!(results, Results::default());
    }

    #[test]
    fn tableau_moves_beyond_a_byte_are_255() {
        let mut results = Results::default();
        for moves in [0, 254, 255, 256, 511, 512, 1986] {
            results.push(1, false, Some(moves)).expect("it fits");
        }
        assert_eq!(results.tableau_moves, Some(vec![0, 254, 255, 255, 255, 255, 255]));
    }
}
