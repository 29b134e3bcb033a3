//! Rule lists against the words of the specification, in every variant, and many lists at once against each list alone.

use super::lists::{NUMBERS, RuleList};
use super::plain::{Plain, VARIANTS, any_rules, random_deck, rules};
use super::play;
use super::rules::{Fill, Rules};
use super::table_tests::game;
use crate::cards::Card;
use crate::games::{self, Playable, Players, Results, Start};
use crate::rng::Decks;
use crate::search::Game;

fn strength(card: Card) -> usize {
    if card.rank() == 1 { 14 } else { card.rank() }
}

/// A pile of two or more cards with the properties that rules test.
#[derive(Clone, Copy)]
struct Seen {
    pile: usize,
    top: Card,
    below: Card,
    len: usize,
    sum: usize,
}

impl Seen {
    fn is_ace(&self) -> bool {
        self.top.rank() == 1
    }

    fn is_on_suit(&self) -> bool {
        self.top.suit() == self.below.suit()
    }

    fn is_on_higher(&self) -> bool {
        self.is_on_suit() && strength(self.below) > strength(self.top)
    }
}

/// Returns the first pile with the greatest value among those that fit.
fn first_most(piles: &[Seen], fits: impl Fn(&Seen) -> bool, value: impl Fn(&Seen) -> i64) -> Option<usize> {
    let mut found: Option<(i64, usize)> = None;
    for seen in piles.iter().filter(|&seen| fits(seen)) {
        if found.is_none_or(|(most, _)| value(seen) > most) {
            found = Some((value(seen), seen.pile));
        }
    }
    found.map(|(_, pile)| pile)
}

/// Returns the pile that a rule finds.
fn find(rule: u16, piles: &[Seen], is_classic: bool) -> Option<usize> {
    let (len, sum) = (|seen: &Seen| seen.len as i64, |seen: &Seen| seen.sum as i64);
    let rank = |seen: &Seen| strength(seen.top) as i64;
    let any = |_: &Seen| true;
    let last = |fits: &dyn Fn(&Seen) -> bool| piles.iter().rfind(|&s| fits(s)).map(|s| s.pile);
    let scan = |takes: &dyn Fn(&Seen, &Seen) -> bool| {
        let (mut taken, rest) = piles.split_first()?;
        for seen in rest {
            if takes(seen, taken) {
                taken = seen;
            }
        }
        Some(taken.pile)
    };
    match (rule, is_classic) {
        (1, _) => first_most(piles, Seen::is_ace, sum),
        (2, true) => last(&|seen| seen.is_ace() && seen.is_on_suit()),
        (2, false) => first_most(piles, |seen| seen.is_ace() && seen.is_on_suit(), |_| 0),
        (3, _) => first_most(piles, Seen::is_ace, |seen| -len(seen)),
        (4, _) => first_most(piles, Seen::is_ace, len),
        (5, true) => last(&Seen::is_ace),
        (5, false) => first_most(piles, Seen::is_ace, |_| 0),
        (10, _) => first_most(piles, Seen::is_on_higher, |seen| -len(seen)),
        (20, _) => first_most(piles, Seen::is_on_higher, len),
        (100, true) => first_most(piles, Seen::is_on_suit, rank),
        (100, false) => first_most(piles, Seen::is_on_higher, rank),
        (200, _) => first_most(piles, any, rank),
        (300, true) => scan(&|seen, taken| seen.len <= taken.len && rank(seen) > rank(taken)),
        (300, false) => {
            let shortest = piles.iter().map(len).min()?;
            first_most(piles, |seen| len(seen) == shortest, rank)
        }
        (400, true) => scan(&|seen, taken| seen.len > taken.len && rank(seen) > rank(taken)),
        (400, false) => {
            let longest = piles.iter().map(len).max()?;
            first_most(piles, |seen| len(seen) == longest, rank)
        }
        (1000, _) => first_most(piles, any, sum),
        _ => panic!("there is no rule {rule}"),
    }
}

/// Returns the moves of a list, whose rules are tried one by one.
fn plain_line(start: &Plain, rules: &Rules, list: &[u16], is_classic: bool) -> (Vec<String>, Plain) {
    let (mut table, mut line) = (start.clone(), Vec::new());
    loop {
        let mut moves = table.moves(rules);
        let mut piles = Vec::new();
        for (pile, cards) in table.piles.iter().enumerate() {
            if let [.., below, top] = cards[..] {
                let sum = cards.iter().map(|&card| strength(card)).sum();
                piles.push(Seen { pile, top, below, len: cards.len(), sum });
            }
        }
        piles.retain(|seen| rules.fill != Fill::AcesOnly || seen.is_ace());
        let has_space = table.piles.iter().any(Vec::is_empty);
        let found = list.iter().find_map(|&rule| find(rule, &piles, is_classic)).filter(|_| has_space);
        let wanted = |token: &str| match found {
            _ if moves.iter().any(|(token, _)| token.ends_with('x')) => token.ends_with('x'),
            Some(pile) => token.starts_with(&format!("{}-", pile + 1)) && !token.ends_with('r'),
            None => token == "d",
        };
        let Some(place) = moves.iter().position(|(token, _)| wanted(token)) else { return (line, table) };
        let (token, after) = moves.swap_remove(place);
        line.push(token);
        table = after;
    }
}

fn random_list(luck: &mut Decks) -> Vec<u16> {
    let mut list = NUMBERS.to_vec();
    luck.shuffle(&mut list);
    list.truncate(1 + luck.below(6) as usize);
    list
}

fn text_of(list: &[u16], is_classic: bool) -> String {
    let numbers: Vec<String> = list.iter().map(u16::to_string).collect();
    numbers.join(",") + if is_classic { "" } else { "@documented" }
}

fn check_lines(fields: &str, decks: u64) {
    let rules = rules(fields);
    for seed in 0..decks {
        let mut luck = Decks::new(seed);
        let deck = random_deck(if seed % 4 == 3 { 12 } else { 52 }, seed);
        let (mut start, mut plain) = (game(fields, &deck), Plain::new(&rules, &deck));
        // A start from somewhere in the middle.
        for _ in 0..luck.below(2) * luck.below(12) {
            let mut moves = plain.moves(&rules);
            if moves.is_empty() {
                break;
            }
            let (token, after) = moves.swap_remove(luck.below(moves.len() as u64) as usize);
            let m = start.parse_token(&token).expect("it is legal");
            start.apply(m);
            plain = after;
        }
        for _ in 0..4 {
            let (mut list, is_classic) = (random_list(&mut luck), luck.below(2) == 0);
            if rules.fill == Fill::Must {
                list.push(1000);
            }
            let (expected, end) = plain_line(&plain, &rules, &list, is_classic);
            let text = text_of(&list, is_classic);
            let line = play::line(&start, &RuleList::parse(&text).expect("a list"));
            let mut game = start.clone();
            let mut tokens = Vec::new();
            for m in line {
                tokens.push(game.token(m));
                game.apply(m);
            }
            assert_eq!(tokens, expected, "{fields} {text}:\n{}", start.text());
            let results = players(fields, &[format!("rules:{text}")]);
            let results =
                results.play(&[(Start::Position(start.text()), 0)], &mut |_| false).expect("it plays");
            let moved = tokens.iter().filter(|token| token.contains('-')).count();
            let Results { scores, won, tableau_moves, counts, .. } = &results[0];
            assert_eq!((i32::from(scores[0]), won[0] == 1), (end.score, end.score >= 48), "{fields} {text}");
            assert_eq!(tableau_moves.as_deref(), Some(&[moved as u8][..]));
            assert_eq!(counts.values().map(|count| count.0).sum::<u64>(), moved as u64);
        }
    }
}

fn players(fields: &str, policies: &[String]) -> Box<dyn Players> {
    let given = fields.split_whitespace().filter_map(|word| word.split_once('='));
    let given = given.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    games::players("aces-up", given, policies, None).expect("the engine has them")
}

#[test]
fn lists_play_as_the_specification_says() {
    for (_, fields) in VARIANTS {
        check_lines(fields, 60);
    }
    for number in 0..60 {
        check_lines(&any_rules(number), 6);
    }
}

/// Shared play changes nothing: scores, moves, and counts over all and over won games.
#[test]
fn many_lists_play_as_each_alone() {
    for (fields, first) in
        [("", 0), ("destination=last piles=5", 7), ("deal=spaces", 50), ("fill=aces-only", 9)]
    {
        let mut luck = Decks::new(first);
        let list = |number| format!("rules:{}", text_of(&random_list(&mut luck), number % 2 == 0));
        let policies: Vec<String> = (0..40).map(list).collect();
        let starts: Vec<(Start, u64)> = (first..first + 400).map(|seed| (Start::Seed(seed), 0)).collect();
        let together = players(fields, &policies).play(&starts, &mut |_| false).expect("they play");
        let mut wins = 0;
        for (policy, result) in policies.iter().zip(together) {
            let alone = players(fields, std::slice::from_ref(policy))
                .play(&starts, &mut |_| false)
                .expect("it plays");
            assert_eq!(alone, std::slice::from_ref(&result), "{fields} {policy}");
            wins += result.won.iter().filter(|&&won| won == 1).count();
        }
        assert!(wins > 0 || fields.contains("aces-only"), "{fields}");
    }
}

#[test]
fn what_is_wrong_with_a_list_is_named() {
    let fault = |text: &str| RuleList::parse(text).expect_err(text).to_string();
    assert_eq!(fault("1,30"), "rule 30 is not defined; rules are 1 2 3 4 5 10 20 100 200 300 400 1000");
    assert_eq!(fault(""), "the list of rules is empty");
    assert_eq!(fault("@documented"), "the list of rules is empty");
    assert_eq!(fault("1@modern"), "there is no dialect \"modern\"; dialects are classic documented");
    assert!(fault("1,,2").starts_with("rule  is not defined"));
    let list = RuleList::parse("2,1,2,10").expect("a list");
    assert_eq!(list, RuleList::parse("2,1,10@classic").expect("a list"));
    let refused = list.under(&rules("fill=must")).expect_err("it may find no pile").to_string();
    assert!(refused.starts_with("the list 2,1,10 may find no pile"), "{refused}");
    assert!(RuleList::parse("2,1000").expect("a list").under(&rules("fill=must")).is_ok());
}
