//! Many rule lists on the same decks. Lists that make the same moves share their play: the lines of all lists form a
//! tree, which is played once, and each list follows its path in it.

use super::game::WON;
use super::lists::{Found, NO_RULE, NUMBERS, RULES, RuleList};
use super::play::{self, Log};
use super::quick::{Opening, Slim, Table};
use super::rules::{Fill, Rules};
use crate::games::Results;

/// The length of a list's array of counts: one for each rule, and one for the cases where none moves.
const COUNTS: usize = 16;
/// An upper bound on the moves of a game: a list moves each card at most once, because the card is the bottom of its
/// pile then, and only a card that lies on others is moved.
const LONGEST: usize = 64;
/// In the place of a pile: the list deals.
const DEALS: u8 = 7;
/// In the place of a pile: not computed yet.
const UNKNOWN: u8 = 8;

/// The games of some lists: scores and moves, list after list.
pub(super) struct Many<'a> {
    rules: &'a Rules,
    lists: &'a [&'a RuleList],
    /// The number of games that each list plays.
    games: usize,
    /// The number of the current game.
    game: usize,
    scores: Vec<u8>,
    moves: Vec<u8>,
    /// How often each rule moved, in all games and in the won ones.
    counts: Vec<[u64; COUNTS]>,
    won_counts: Vec<[u64; COUNTS]>,
    /// The indices of the lists, grouped by their next moves.
    order: Vec<u16>,
    /// The next moves of the lists of a group, and buffer space for sorting.
    doing: Vec<u8>,
    spare: Vec<u16>,
    /// The conditions that were met at each choice of the current line.
    path: Vec<u8>,
}

/// The rules that have moved in a game.
struct Moved<'a> {
    counts: &'a mut [u64; COUNTS],
    rules: [u8; LONGEST],
    len: usize,
}

impl Log for Moved<'_> {
    #[inline(always)]
    fn moved(&mut self, rule: u8, _source: usize, _space: usize) {
        self.counts[usize::from(rule & 15)] += 1;
        self.rules[self.len & (LONGEST - 1)] = rule;
        self.len += 1;
    }
}

impl<'a> Many<'a> {
    pub(super) fn new(rules: &'a Rules, lists: &'a [&'a RuleList], games: usize) -> Many<'a> {
        let cells = lists.len() * games;
        Many {
            rules,
            lists,
            games,
            game: 0,
            scores: vec![0; cells],
            moves: vec![0; cells],
            counts: vec![[0; COUNTS]; lists.len()],
            won_counts: vec![[0; COUNTS]; lists.len()],
            order: (0..lists.len() as u16).collect(),
            doing: vec![0; lists.len()],
            spare: vec![0; lists.len()],
            path: Vec::new(),
        }
    }

    /// Plays the next game by every list.
    pub(super) fn play(&mut self, opening: &Opening) {
        if self.lists.is_empty() {
            return;
        }
        let mut order = std::mem::take(&mut self.order);
        self.path.clear();
        match self.rules.piles {
            4 => self.play_on(Table::<Slim, 4>::laid(opening), opening, &mut order, 0),
            _ => self.play_on(Table::<Slim, 5>::laid(opening), opening, &mut order, 0),
        }
        self.order = order;
        self.game += 1;
    }

    fn play_on<const P: usize>(
        &mut self,
        mut table: Table<Slim, P>,
        opening: &Opening,
        mut group: &mut [u16],
        mut moves: u8,
    ) {
        let (rules, stock) = (self.rules, opening.stock());
        let depth = self.path.len();
        'game: loop {
            if let &mut [list] = group {
                moves = self.play_alone(&mut table, opening, list, moves);
                break;
            }
            while let Some(space) = table.space(rules) {
                let found = Found::on(&table, rules.fill == Fill::AcesOnly);
                if found.is_nothing() {
                    break;
                }
                let (first, sizes) = self.part(&table, &found, group);
                self.path.push(found.pattern() as u8);
                let mut doing = first;
                if usize::from(sizes[usize::from(first)]) < group.len() {
                    self.sort(group, &sizes);
                    // All groups but the last play on copies of the table.
                    for pile in 0..=DEALS {
                        let (these, others) = group.split_at_mut(usize::from(sizes[usize::from(pile)]));
                        group = others;
                        doing = pile;
                        if group.is_empty() {
                            group = these;
                            break;
                        }
                        if !these.is_empty() {
                            let mut apart = table;
                            apart.shift(usize::from(pile), space);
                            self.play_on(apart, opening, these, moves + 1);
                        }
                    }
                }
                if doing == DEALS {
                    break;
                }
                table.shift(usize::from(doing), space);
                moves += 1;
                if group.len() == 1 {
                    continue 'game;
                }
            }
            if table.next == stock.len() {
                break;
            }
            table.deal(rules, stock);
        }
        self.end(opening.score(table.len(), 0), moves, group);
        self.path.truncate(depth);
    }

    /// Plays to the end by one list; returns the number of moves then.
    #[inline(always)]
    fn play_alone<const P: usize>(
        &mut self,
        table: &mut Table<Slim, P>,
        opening: &Opening,
        list: u16,
        moves: u8,
    ) -> u8 {
        let list = usize::from(list);
        let mut log =
            Moved { counts: &mut self.counts[list], rules: [NO_RULE; LONGEST], len: usize::from(moves) };
        play::play_on(table, self.rules, self.lists[list], opening.stock(), &mut log);
        let (rules, len) = (log.rules, log.len);
        if opening.score(table.len(), 0) >= WON {
            for &rule in &rules[usize::from(moves)..len] {
                self.won_counts[list][usize::from(rule & 15)] += 1;
            }
        }
        len as u8
    }

    /// Returns the next move of the first list of a group, and how many lists make each move. Counts the rules that
    /// move.
    #[inline(always)]
    fn part<const P: usize>(
        &mut self,
        table: &Table<Slim, P>,
        found: &Found,
        group: &[u16],
    ) -> (u8, [u16; 8]) {
        let pattern = found.pattern();
        let mut piles = [[UNKNOWN; COUNTS]; 2];
        piles.iter_mut().for_each(|piles| piles[usize::from(NO_RULE)] = DEALS);
        let mut sizes = [0; 8];
        for (&list, doing) in group.iter().zip(&mut self.doing) {
            let rules = self.lists[usize::from(list)];
            let rule = rules.rule(pattern);
            let pile = &mut piles[rules.dialect as usize][usize::from(rule & 15)];
            if *pile == UNKNOWN {
                *pile = rules.dialect.pick(rule, found, table) as u8;
            }
            *doing = *pile;
            sizes[usize::from(*pile & 7)] += 1;
            self.counts[usize::from(list)][usize::from(rule & 15)] += 1;
        }
        (self.doing[0], sizes)
    }

    /// Groups the lists by their next moves, in the order of these moves.
    fn sort(&mut self, group: &mut [u16], sizes: &[u16; 8]) {
        let mut places = [0; 8];
        for pile in 1..8 {
            places[pile] = places[pile - 1] + usize::from(sizes[pile - 1]);
        }
        let spare = &mut self.spare[..group.len()];
        for (&list, &doing) in group.iter().zip(&self.doing) {
            let place = &mut places[usize::from(doing & 7)];
            spare[*place] = list;
            *place += 1;
        }
        group.copy_from_slice(spare);
    }

    fn end(&mut self, score: i32, moves: u8, group: &[u16]) {
        for &list in group {
            let cell = usize::from(list) * self.games + self.game;
            self.scores[cell] = score as u8;
            self.moves[cell] = moves;
        }
        if score >= WON {
            for &list in group {
                let counts = &mut self.won_counts[usize::from(list)];
                for &pattern in &self.path {
                    let rule = self.lists[usize::from(list)].rule(usize::from(pattern));
                    counts[usize::from(rule & 15)] += 1;
                }
            }
        }
    }

    /// Returns the results, list by list.
    pub(super) fn results(&self) -> Vec<Results> {
        let of_list = |list: usize| {
            let cells = list * self.games..list * self.games + self.game;
            let scores: Vec<i16> = self.scores[cells.clone()].iter().copied().map(i16::from).collect();
            let won = scores.iter().map(|&score| u8::from(i32::from(score) >= WON)).collect();
            let (all, of_won) = (&self.counts[list], &self.won_counts[list]);
            let moved = (0..RULES).filter(|&rule| all[rule] > 0);
            let counts = moved.map(|rule| (NUMBERS[rule].to_string(), (all[rule], of_won[rule])));
            Results {
                scores,
                won,
                tableau_moves: Some(self.moves[cells].to_vec()),
                lines: None,
                counts: counts.collect(),
            }
        };
        (0..self.lists.len()).map(of_list).collect()
    }
}
