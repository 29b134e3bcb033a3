//! Rule lists: the strategy language, in two dialects.
//!
//! A rule applies to piles of two or more cards. It has a condition, which says whether it finds a pile at all, and a
//! way of picking one of those that meet it. So the rule of a list that moves depends only on which of four conditions
//! some pile meets: a list is a table of 16 rules.

use std::fmt::Write;

use super::quick::{Record, Table, is_ace, rank_of};
use super::rules::{Fill, Rules};
use crate::Fault;

/// The numbers of the rules; elsewhere a rule is an index into this array.
pub(super) const NUMBERS: [u16; RULES] = [1, 2, 3, 4, 5, 10, 20, 100, 200, 300, 400, 1000];
pub(super) const RULES: usize = 12;
/// The index that stands for "no rule moves".
pub(super) const NO_RULE: u8 = RULES as u8;

/// The meaning of the rules: as the peer's program implements them, or as their names say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    Classic,
    Documented,
}

/// The piles from which a rule may move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Condition {
    /// The top is an ace.
    Ace,
    /// The top is an ace, and the card below has its suit.
    AceOnSuit,
    /// The card below has the suit of the top, and is higher.
    OnHigher,
    /// The card below has the suit of the top.
    OnSuit,
    /// Any pile of two or more cards.
    Always,
}

/// The pile that a rule picks of these; the first one, where two are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pick {
    First,
    Last,
    GreatestSum,
    Shortest,
    Longest,
    HighestTop,
    HighestTopOfShortest,
    HighestTopOfLongest,
    /// Scans the piles and takes one that is not longer than the one taken, with a higher top.
    NotLongerAndHigher,
    /// Scans the piles and takes one that is longer than the one taken, with a higher top.
    LongerAndHigher,
}

/// Returns the condition and pick of every rule, in the order of `NUMBERS`.
const fn meanings(dialect: Dialect) -> [(Condition, Pick); RULES] {
    use Condition::{Ace, AceOnSuit, Always, OnHigher, OnSuit};
    let (such, on_suit, of_shortest, of_longest) = match dialect {
        Dialect::Classic => (Pick::Last, OnSuit, Pick::NotLongerAndHigher, Pick::LongerAndHigher),
        Dialect::Documented => (Pick::First, OnHigher, Pick::HighestTopOfShortest, Pick::HighestTopOfLongest),
    };
    [
        (Ace, Pick::GreatestSum),
        (AceOnSuit, such),
        (Ace, Pick::Shortest),
        (Ace, Pick::Longest),
        (Ace, such),
        (OnHigher, Pick::Shortest),
        (OnHigher, Pick::Longest),
        (on_suit, Pick::HighestTop),
        (Always, Pick::HighestTop),
        (Always, of_shortest),
        (Always, of_longest),
        (Always, Pick::GreatestSum),
    ]
}

const CLASSIC: [(Condition, Pick); RULES] = meanings(Dialect::Classic);
const DOCUMENTED: [(Condition, Pick); RULES] = meanings(Dialect::Documented);

impl Dialect {
    fn meanings(self) -> &'static [(Condition, Pick); RULES] {
        match self {
            Dialect::Classic => &CLASSIC,
            Dialect::Documented => &DOCUMENTED,
        }
    }

    /// Returns the pile that a rule picks of the piles found, of which there is at least one.
    #[inline(always)]
    pub(super) fn pick<R: Record, const P: usize>(
        self,
        rule: u8,
        found: &Found,
        table: &Table<R, P>,
    ) -> usize {
        let (condition, pick) = self.meanings()[usize::from(rule)];
        pick_of(pick, found.piles(condition), table)
    }
}

/// The piles that meet each condition, as sets of bits.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    aces: u32,
    aces_on_suit: u32,
    on_higher: u32,
    on_suit: u32,
    all: u32,
}

impl Found {
    /// Returns what the rules find on this table.
    #[inline(always)]
    pub(super) fn on<R: Record, const P: usize>(table: &Table<R, P>, aces_only: bool) -> Found {
        let mut found = Found::default();
        for pile in 0..P {
            let top = table.top(pile);
            let record = table.record(top);
            let below = record.under();
            let is_many = u32::from(record.len() >= 2) << pile;
            let ace = if is_ace(top) { is_many } else { 0 };
            // With `fill=aces-only` no rule sees other cards.
            let seen = if aces_only { ace } else { is_many };
            let on_suit = if (top ^ below) & 3 == 0 { seen } else { 0 };
            found.all |= seen;
            found.aces |= ace;
            found.on_suit |= on_suit;
            found.aces_on_suit |= on_suit & ace;
            found.on_higher |= if below > top { on_suit } else { 0 };
        }
        found
    }

    #[inline(always)]
    fn piles(&self, condition: Condition) -> u32 {
        match condition {
            Condition::Ace => self.aces,
            Condition::AceOnSuit => self.aces_on_suit,
            Condition::OnHigher => self.on_higher,
            Condition::OnSuit => self.on_suit,
            Condition::Always => self.all,
        }
    }

    /// Returns true if no rule finds a pile.
    #[inline(always)]
    pub(super) fn is_nothing(&self) -> bool {
        self.all == 0
    }

    /// Returns which conditions some pile meets: a number below 16, for a table where some pile is found.
    #[inline(always)]
    pub(super) fn pattern(&self) -> usize {
        usize::from(self.aces != 0)
            | usize::from(self.aces_on_suit != 0) << 1
            | usize::from(self.on_higher != 0) << 2
            | usize::from(self.on_suit != 0) << 3
    }
}

/// Returns true if a condition is among those of a pattern.
fn is_met(condition: Condition, pattern: usize) -> bool {
    let bit = match condition {
        Condition::Ace => 0,
        Condition::AceOnSuit => 1,
        Condition::OnHigher => 2,
        Condition::OnSuit => 3,
        Condition::Always => return true,
    };
    pattern >> bit & 1 == 1
}

#[inline(always)]
fn pick_of<R: Record, const P: usize>(pick: Pick, piles: u32, table: &Table<R, P>) -> usize {
    let len = |pile: usize| table.record(table.top(pile)).len();
    let rank = |pile: usize| rank_of(table.top(pile));
    // All ways pick the only pile.
    if piles & (piles - 1) == 0 {
        return piles.trailing_zeros() as usize;
    }
    match pick {
        Pick::First => piles.trailing_zeros() as usize,
        Pick::Last => 31 - piles.leading_zeros() as usize,
        Pick::GreatestSum => best_of::<P>(piles, |pile| table.record(table.top(pile)).sum()),
        Pick::Shortest => best_of::<P>(piles, |pile| 255 - len(pile)),
        Pick::Longest => best_of::<P>(piles, len),
        Pick::HighestTop => best_of::<P>(piles, rank),
        Pick::HighestTopOfShortest => best_of::<P>(piles, |pile| 16 * (255 - len(pile)) + rank(pile)),
        Pick::HighestTopOfLongest => best_of::<P>(piles, |pile| 16 * len(pile) + rank(pile)),
        Pick::NotLongerAndHigher => {
            scan(piles, |pile, taken| len(pile) <= len(taken) && rank(pile) > rank(taken))
        }
        Pick::LongerAndHigher => {
            scan(piles, |pile, taken| len(pile) > len(taken) && rank(pile) > rank(taken))
        }
    }
}

/// Returns the pile with the greatest value; the first of several.
#[inline(always)]
fn best_of<const P: usize>(piles: u32, value: impl Fn(usize) -> u32) -> usize {
    let mut best = 0;
    for pile in 0..P {
        // The value first, then the earlier pile.
        let key = value(pile) << 3 | (7 - pile as u32);
        best = best.max(if piles >> pile & 1 == 1 { key } else { 0 });
    }
    7 - (best & 7) as usize
}

/// Starts with the first pile, and takes another if `is_better` prefers it to the one taken.
#[inline(always)]
fn scan(mut piles: u32, is_better: impl Fn(usize, usize) -> bool) -> usize {
    let mut taken = piles.trailing_zeros() as usize;
    piles &= piles - 1;
    while piles != 0 {
        let pile = piles.trailing_zeros() as usize;
        piles &= piles - 1;
        if is_better(pile, taken) {
            taken = pile;
        }
    }
    taken
}

/// An ordered list of rules, ready to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleList {
    pub(super) dialect: Dialect,
    /// The rules, by their indices, without duplicates.
    rules: Vec<u8>,
    /// The rule that moves, indexed by the conditions that some pile meets.
    by_pattern: [u8; 16],
}

impl RuleList {
    /// Parses `2,1,10` or `2,1,10@documented`.
    pub(super) fn parse(text: &str) -> Result<RuleList, Fault> {
        let (numbers, dialect) = match text.split_once('@') {
            None => (text, Dialect::Classic),
            Some((numbers, "classic")) => (numbers, Dialect::Classic),
            Some((numbers, "documented")) => (numbers, Dialect::Documented),
            Some((_, other)) => {
                let text = format!("there is no dialect {other:?}; dialects are classic documented");
                return Err(Fault::new(text));
            }
        };
        if numbers.trim().is_empty() {
            return Err(Fault::new("the list of rules is empty"));
        }
        let mut rules = Vec::new();
        for number in numbers.split(',').map(str::trim) {
            let place =
                number.parse().ok().and_then(|number: u16| NUMBERS.iter().position(|&rule| rule == number));
            let Some(place) = place else {
                let known = NUMBERS.map(|number| number.to_string()).join(" ");
                return Err(Fault::new(format!("rule {number} is not defined; rules are {known}")));
            };
            if !rules.contains(&(place as u8)) {
                rules.push(place as u8);
            }
        }
        let first = |pattern| {
            let moves = |&rule: &u8| is_met(dialect.meanings()[usize::from(rule)].0, pattern);
            rules.iter().copied().find(moves).unwrap_or(NO_RULE)
        };
        let by_pattern = std::array::from_fn(first);
        Ok(RuleList { dialect, rules, by_pattern })
    }

    /// Returns the list, if it can be played under these rules.
    pub(super) fn under(self, rules: &Rules) -> Result<RuleList, Fault> {
        if rules.fill == Fill::Must && !self.is_guaranteeing() {
            let mut text = String::new();
            for (place, &rule) in self.rules.iter().enumerate() {
                let comma = if place == 0 { "" } else { "," };
                write!(text, "{comma}{}", NUMBERS[usize::from(rule)]).expect("a string takes it");
            }
            return Err(Fault::new(format!(
                "the list {text} may find no pile, and with fill=must spaces are filled; \
                 it needs one of 200 300 400 1000"
            )));
        }
        Ok(self)
    }

    /// Returns true if some rule always finds a pile.
    fn is_guaranteeing(&self) -> bool {
        self.by_pattern[0] != NO_RULE
    }

    /// Returns the rule that moves where some pile meets these conditions; `NO_RULE` if none does.
    #[inline(always)]
    pub(super) fn rule(&self, pattern: usize) -> u8 {
        self.by_pattern[pattern & 15]
    }
}
