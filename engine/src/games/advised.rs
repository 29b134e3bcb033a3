//! What a game adds to be played and planned by policies of its own, where redeals are not known.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::ThreadPool;

use super::{Notation, Start, playing};
use crate::Fault;
use crate::rng::Decks;
use crate::search::{Limits, Stats, Status, Watch};

/// A game that the engine plays by policies, with values of redeals. A game says what it has; without
/// anything of its own it is `impl Advised for ... { type Policy = (); }` and can be played at random.
pub trait Advised: Notation {
    /// A way of playing, read and checked.
    type Policy: Send + Sync;

    /// Whether a move is one of those that mass play counts in each game: a card was moved on the table. A game
    /// need not tell.
    const IS_TABLEAU_MOVE: Option<fn(Self::Move) -> bool> = None;

    fn policy(_rules: &Self::Rules, name: &str, _values: Option<&[u8]>) -> Result<Self::Policy, Fault> {
        Err(Fault::new(format!("the engine has no policy {name:?} of {}; it has random", Self::ID)))
    }

    /// Plays on to the end, seeing of each deal only what lies on the table. Its luck is the only source
    /// of chance: the stream of numbers that the Python player of the same game draws from.
    fn play_by(
        &self,
        _policy: &Self::Policy,
        _luck: &mut Decks,
        _watch: &mut Watch,
    ) -> Result<Vec<Self::Move>, Fault> {
        Err(lacks::<Self>("policies"))
    }

    /// Plays whole games by each of these policies; a game says whether it keeps their lines. Each start comes with the seed of the
    /// game's luck. A game may know a faster way than one game after the other.
    fn play_all(
        rules: &Self::Rules,
        policies: &[&Self::Policy],
        starts: &[(Start, u64)],
        watch: &mut Watch,
    ) -> Result<Vec<Results>, Fault> {
        let by = |policy: &&Self::Policy| {
            playing::results(starts, |start, luck| {
                playing::play_by::<Self>(rules, policy, start, luck, watch)
            })
        };
        policies.iter().map(by).collect()
    }

    /// Plans the deal that lies on the table: the best stops first, at most so many.
    fn plan(
        &self,
        _policy: &Self::Policy,
        _at_most: usize,
        _watch: &mut Watch,
    ) -> Result<Plan<Self::Move>, Fault> {
        Err(lacks::<Self>("plans"))
    }

    /// Values one state; see `Sampling`.
    fn sample(
        _rules: &Self::Rules,
        _state: usize,
        _sampling: &Sampling<Self::Policy>,
    ) -> Result<Sampled, Fault> {
        Err(lacks::<Self>("values"))
    }

    /// Plays each of these moves, and then on to the end by a simple policy, so many times, with what is not
    /// seen filled in by chance: the same for all moves. `luck` is the only source of chance, and the watch
    /// is asked in the calling thread.
    fn playouts(
        &self,
        _moves: &[Self::Move],
        _samples: u64,
        _luck: &mut Decks,
        _pool: &ThreadPool,
        _watch: &mut Watch,
    ) -> Result<Vec<Tally>, Fault> {
        Err(lacks::<Self>("playouts"))
    }

    /// Weighs plans, each up to where something new is seen, on so many supposed deals that fit what is seen. `luck`
    /// is the only source of chance; a watch that stops it gets what is known by then.
    fn weigh(
        &self,
        _samples: u32,
        _values: Option<&[u8]>,
        _luck: &mut Decks,
        _watch: &mut Watch,
    ) -> Result<Weighing<Self::Move>, Fault> {
        Err(lacks::<Self>("plans that are weighed"))
    }

    /// Goes on finding the numbers of a value by playing: these games of so many. None: from nothing.
    fn train(
        _rules: &Self::Rules,
        _numbers: Option<&[u8]>,
        _seed: u64,
        _games: Range<u64>,
        _of: u64,
    ) -> Result<Vec<u8>, Fault> {
        Err(lacks::<Self>("training"))
    }

    /// Searches the play between two deals, and gathers how it may end.
    fn phase(&self, _task: &PhaseTask, _watch: &mut Watch) -> Result<PhaseFound<Self::Move>, Fault> {
        Err(lacks::<Self>("phases"))
    }

    /// Deals phases by chance, or all that there are, and finds out how each may end.
    fn sample_phases(
        _rules: &Self::Rules,
        _sampling: &PhaseSampling,
        _watch: &mut Watch,
    ) -> Result<Vec<PhaseSample>, Fault> {
        Err(lacks::<Self>("samples of phases"))
    }

    /// How many states there are.
    fn states() -> usize {
        0
    }
}

fn lacks<G: Notation>(what: &str) -> Fault {
    Fault::new(format!("the engine has no {what} of {}", G::ID))
}

/// Where to stop in a deal.
#[derive(Clone, PartialEq, Debug)]
pub struct Stop<M> {
    pub moves: Vec<M>,
    /// The foundations then.
    pub heights: Vec<u8>,
    /// Mercis left then.
    pub mercis: u8,
    pub value: f64,
}

/// The plan for a deal.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan<M> {
    /// The best stop first.
    pub stops: Vec<Stop<M>>,
    /// What puts up the most cards.
    pub most: Stop<M>,
    /// The best stop is a win.
    pub is_won: bool,
    /// The game goes on with a redeal after it.
    pub redeals: bool,
    /// Everything was searched: there is no better stop.
    pub is_complete: bool,
    pub nodes: u64,
    pub seconds: f64,
}

/// Plans that were weighed, the best first.
#[derive(Clone, PartialEq, Debug)]
pub struct Weighing<M> {
    pub plans: Vec<WeighedPlan<M>>,
    /// The best plan wins the game, whatever the hidden cards are.
    pub is_won: bool,
    /// All cards are known, so there is nothing to suppose.
    pub is_open: bool,
    /// Supposed deals, and games played on from all the plans.
    pub samples: u32,
    pub playouts: u64,
    pub seconds: f64,
}

/// A plan, and what came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct WeighedPlan<M> {
    pub moves: Vec<M>,
    /// The mean chance of winning over its games.
    pub chance: f64,
    pub samples: u32,
    /// What the planner thinks that the table costs then: less is better.
    pub cost: i32,
}

/// What is asked of the play between two deals.
#[derive(Clone, Debug)]
pub struct PhaseTask {
    pub limits: Limits,
    pub threads: usize,
    /// Names of techniques that are switched off.
    pub without: Vec<String>,
    /// Prove the best score.
    pub maximize: bool,
    /// Gather the ends: once a win is ruled out, all of them.
    pub ends: bool,
}

/// What is known of the play between two deals.
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseFound<M> {
    pub status: Status,
    pub moves: Vec<M>,
    pub score: i32,
    pub score_proved: bool,
    /// No line has a higher score.
    pub bound: i32,
    pub ends: Vec<PhaseEnd<M>>,
    /// There are no other ends.
    pub is_complete: bool,
    pub stats: Stats,
}

/// A way in which the play between two deals may end, with the shortest line to it that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhaseEnd<M> {
    /// Suit and length of the locked run of each row; without a run the suit is empty.
    pub locks: Vec<(String, u8)>,
    pub moves: Vec<M>,
}

/// Which phases are dealt: after a redeal with these runs kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhaseSampling {
    /// The lengths of the runs.
    pub shape: Vec<u8>,
    /// None: not by chance, but all that there are, each once.
    pub seed: Option<u64>,
    /// Their numbers.
    pub samples: Range<u64>,
    /// Positions for each.
    pub nodes: u64,
    pub memory: usize,
}

/// A phase that was dealt by chance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhaseSample {
    pub status: Status,
    /// The shapes with which it may end, as far as they were met, by their places in the order of all shapes.
    pub shapes: Vec<usize>,
}

/// How states are valued: the deals and mercis that are left, and the policy that values stops.
pub struct Sampling<P> {
    pub redeals_left: u8,
    pub mercis: u8,
    pub samples: u64,
    pub seed: u64,
    /// Nothing where no redeal is left.
    pub policy: Option<P>,
}

/// A value: the mean of `count` samples, or `sum` exactly if that is 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sampled {
    pub sum: f64,
    pub squares: f64,
    pub count: u64,
}

/// How the games went that began with one move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    pub games: u64,
    pub wins: u64,
    /// The sum of the scores.
    pub score: i64,
    /// The greatest score; 0 before the first game.
    pub most: i32,
}

impl Tally {
    /// One more game.
    pub fn count(&mut self, score: i32, is_won: bool) {
        self.add(Tally { games: 1, wins: u64::from(is_won), score: i64::from(score), most: score });
    }

    /// More games with the same move.
    pub fn add(&mut self, other: Tally) {
        // Without a game there is no greatest score, and all may be below 0.
        self.most = match (self.games, other.games) {
            (0, _) => other.most,
            (_, 0) => self.most,
            _ => self.most.max(other.most),
        };
        self.games += other.games;
        self.wins += other.wins;
        self.score += other.score;
    }
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
    /// Where the game tells them.
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
        let byte = |moves: u32| {
            u8::try_from(moves)
                .map_err(|_| Fault::new(format!("{moves} tableau moves do not fit into a byte")))
        };
        let moves = tableau_moves.map(byte).transpose()?;
        self.scores.push(score);
        self.won.push(u8::from(is_won));
        if let Some(moves) = moves {
            self.tableau_moves.get_or_insert_default().push(moves);
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
        let fault = |results: &mut Results, score, moves| {
            results.push(score, false, moves).expect_err("it does not fit").to_string()
        };
        for score in [-32_769, 32_768] {
            let told = format!("the score {score} does not fit into two bytes");
            assert_eq!(fault(&mut results, score, None), told);
        }
        assert_eq!(fault(&mut results, 1, Some(256)), "256 tableau moves do not fit into a byte");
        assert_eq!(results, Results::default());
    }

    #[test]
    fn the_greatest_of_scores_below_0_is_below_0() {
        let (mut none, mut tally) = (Tally::default(), Tally::default());
        for score in [-300, -20, -100] {
            tally.count(score, false);
        }
        tally.add(Tally::default());
        none.add(tally);
        assert_eq!(none, Tally { games: 3, wins: 0, score: -420, most: -20 });
    }
}
