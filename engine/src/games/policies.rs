//! Whole games played by policies: the game's own, and `random`, which every game has.

use std::collections::BTreeMap;
use std::time::Duration;

use super::fixed::{Fixed, start_of, tokens};
use super::{FixedGame, Given, Playable, Start, open, open_as};
use crate::Fault;
use crate::rng::Decks;
use crate::search::{Progress, Watch};

/// The number of moves after which a game ends, as on the Python side: where moves can be taken back, some play would
/// never end.
pub const MOST_MOVES: usize = 2_000;

/// The name of the policy that every game has.
const RANDOM: &str = "random";

/// A game with policies of its own.
pub trait PlaysPolicies: Playable {
    /// A validated policy.
    type Policy: Send + Sync;

    fn policy(rules: &Self::Rules, name: &str, values: Option<&[u8]>) -> Result<Self::Policy, Fault>;

    /// Plays to the end, and sees of each deal only the face-up cards. `luck` is the only source of randomness: the
    /// same stream that the Python player of this game draws from.
    fn play_by(
        &self,
        policy: &Self::Policy,
        luck: &mut Decks,
        watch: &mut Watch,
    ) -> Result<Vec<Self::Move>, Fault>;

    /// Plays whole games by each of these policies. Each start has the seed of its random stream. The game decides
    /// whether it keeps the lines, and may know a faster way than one game after the other.
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

/// [`PlaysPolicies`] with the rules fixed.
pub trait Playing: Send + Sync {
    /// Returns a player of one policy.
    fn player(self: Box<Self>, policy: &str, values: Option<&[u8]>) -> Result<Box<dyn Player>, Fault>;
    /// Returns a player of several policies.
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
    /// Plays one game from `start`; `luck` is the seed of its random stream.
    fn play(&self, start: &Start, luck: u64, watch: &mut Watch) -> Result<Game, Fault>;
}

/// Plays whole games by several policies, each of them from every start.
pub trait Players: Send + Sync {
    /// Plays from these starts, each with the seed of its random stream; returns the results of each policy.
    fn play(&self, starts: &[(Start, u64)], watch: &mut Watch) -> Result<Vec<Results>, Fault>;
}

/// Returns a player of the named policy.
pub fn player(id: &str, given: Given, policy: &str, values: Option<&[u8]>) -> Result<Box<dyn Player>, Fault> {
    match policy {
        RANDOM => Ok(Box::new(AtRandom(open(id, given)?))),
        _ => open_as::<dyn Playing>(id, given)?.player(policy, values),
    }
}

/// Returns a player of the named policies.
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

/// Plays at random.
struct AtRandom(Box<dyn FixedGame>);

impl Player for AtRandom {
    fn play(&self, start: &Start, luck: u64, watch: &mut Watch) -> Result<Game, Fault> {
        self.0.ramble(start, luck, watch)
    }
}

/// Plays by one of the game's own policies.
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

/// Plays by several of the game's own policies.
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

/// Plays by the game's own policies and at random.
struct Round {
    is_own: Vec<bool>,
    at_random: Box<dyn FixedGame>,
    own: Option<Box<dyn Players>>,
}

impl Players for Round {
    fn play(&self, starts: &[(Start, u64)], watch: &mut Watch) -> Result<Vec<Results>, Fault> {
        // The game's own policies play together, because they may share much of the work.
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

/// Returns the results of the games from these starts, each played by `play`.
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

/// Plays by one of the game's own policies; returns the start and the line.
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

/// Plays at random; returns the start and the line.
pub(super) fn ramble<G: Playable>(
    rules: &G::Rules,
    start: &Start,
    luck: u64,
    watch: &mut Watch,
) -> Result<Line<G>, Fault> {
    let start = start_of::<G>(rules, start)?;
    let (score, bound) = (start.score(), start.max_score());
    // One check is enough: a game ends long before the next would be due.
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

/// Returns the error for a game that its watch has stopped.
pub fn stopped() -> Fault {
    Fault::new("the game was stopped")
}

/// Returns the result of a line played from this position.
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

/// The results of one policy, in the order of the starts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Results {
    pub scores: Vec<i16>,
    /// 1 for a game that was won, else 0.
    pub won: Vec<u8>,
    /// Where the game counts them; 255 means 255 or more, as on the Python side.
    pub tableau_moves: Option<Vec<u8>>,
    /// The tokens of each game, if recording them costs little besides the play.
    pub lines: Option<Vec<Vec<String>>>,
    /// Counters of the game by name: over all games, and over the games won.
    pub counts: BTreeMap<String, (u64, u64)>,
}

impl Results {
    /// Adds one game.
    pub fn push(&mut self, score: i32, is_won: bool, tableau_moves: Option<u32>) -> Result<(), Fault> {
        let narrow = |_| Fault::new(format!("the score {score} does not fit into two bytes"));
        let score = i16::try_from(score).map_err(narrow)?;
        self.scores.push(score);
        self.won.push(u8::from(is_won));
        if let Some(moves) = tableau_moves {
            // Where moves can be taken back, a game may have more of them than a byte holds.
            self.tableau_moves.get_or_insert_default().push(u8::try_from(moves).unwrap_or(u8::MAX));
        }
        Ok(())
    }

    /// Appends the games that come after these.
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
