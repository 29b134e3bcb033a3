"""Aces Up's rule lists: what each rule takes in either dialect, dead rules, and how many lists there are."""

from __future__ import annotations

import re
from collections import Counter
from itertools import permutations
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unshuffle.cards import PACK, Card
from unshuffle.errors import UsageError
from unshuffle.games.aces_up import Rules, State
from unshuffle.games.aces_up.strategy import (
    DIALECTS,
    RULES,
    RuleList,
    choose,
    expand,
    parse_list,
    reduced_lists,
)

NUMBERS = (1, 2, 3, 4, 5, 10, 20, 100, 200, 300, 400, 1000)


def table(text: str, rules: Rules | None = None) -> State:
    """Piles separated by bars, bottom cards first."""
    piles = tuple(tuple(map(Card.parse, pile.split())) for pile in text.split("|"))
    return State(rules or Rules(), piles, ())


def test_the_numbers_are_those_of_the_peer() -> None:
    assert tuple(RULES) == NUMBERS
    assert [rule.number for rule in RULES.values()] == list(NUMBERS)
    assert {number for number, rule in RULES.items() if rule.differs} == {2, 5, 100, 300, 400}
    for rule in RULES.values():
        assert (rule.description("classic") != rule.description("documented")) == rule.differs


# The pile that each rule takes: in `classic`, then in `documented` where that is another one. `-` is none.
TAKEN = [
    # Aces: by sum, by length, by what is below; the first or the last of equals.
    ("2D AC | 2H 9S | | 2C AS", {1: "1", 2: "-", 3: "1", 4: "1", 5: "4/1"}),
    ("3D AC | | 2H 9S 4S | 2D 2S AS", {1: "4", 2: "4", 3: "1", 4: "4", 5: "4/1"}),
    ("3C AC | | 2D AD | 2S AS", {1: "1", 2: "4/1", 3: "1", 4: "1", 5: "4/1"}),
    ("KC 2D AC | 3S 5S AS | | 2H TH", {1: "1", 2: "2", 3: "1", 4: "1", 5: "2/1"}),
    # A single ace is left alone.
    ("AC | | 2H 9S | KS QD", {1: "-", 2: "-", 3: "-", 4: "-", 5: "-", 200: "4"}),
    # Higher in suit below: an ace is higher than a king.
    ("AC KC | | 3D 9H 5H | 7S 2S", {10: "1", 20: "3", 100: "1"}),
    ("2H 5C 3C | | 8D 9H 5H | 7S 2S", {10: "4", 20: "1", 100: "3"}),
    # Rule 100: the highest on its suit. The queen lies on a lower card, so only `classic` takes it.
    ("3C QC | | 8D 9H 5H | 7S 6S", {10: "4", 20: "3", 100: "1/4"}),
    ("3C QC | | 8D 9H | 5S 7S", {10: "-", 20: "-", 100: "1/-"}),
    ("9C 4C | 8D 4D | | 2H 3S", {10: "1", 20: "1", 100: "1"}),
    # The highest card, the first of equals.
    ("2C KD | 4H KS | | 9D QC", {200: "1", 1000: "4"}),
    # Rule 300 in `classic` does not come back to a shorter pile with a lower top.
    ("2C 3C 9D | 4H 8S | | 5D 7C", {200: "1", 300: "1/2", 400: "1"}),
    ("2C 3C 9D | 4H TS | | 5D JC", {300: "4"}),
    ("2C 9D | 4H TS 3H KC | | 5D JC", {300: "4", 400: "2"}),
    ("2C 9D | 4H 9S | | 5D 9C", {200: "1", 300: "1", 400: "1"}),
    # Rule 400 in `classic` takes a longer pile only if its top is higher.
    ("2C 9D | 4H TS 8S | | 5D JC", {400: "1/2"}),
    ("2C 9D | 4H 3S TS | | 5D 6H 7C JH", {400: "4"}),
    ("2C 9D | 4H 3S TS | | 5D 6H JH", {200: "4", 400: "2/4"}),
    # The largest sum; aces count 14.
    ("2C AD | 7H 9S | | 5D TC", {1000: "1"}),
    ("2C KD | 7H 2S 9S | | 3D 4S TC", {1000: "2"}),
]


@pytest.mark.parametrize(("piles", "taken"), TAKEN, ids=[piles for piles, _ in TAKEN])
def test_which_pile_a_rule_takes(piles: str, taken: dict[int, str]) -> None:
    for number, found in taken.items():
        for dialect, pile in zip(DIALECTS, found.split("/") * 2, strict=False):
            expected = None if pile == "-" else (number, int(pile))
            assert choose(table(piles), RuleList((number,), dialect)) == expected, (number, dialect)


def test_every_rule_is_looked_at_above() -> None:
    assert {number for _, taken in TAKEN for number in taken} == set(NUMBERS)


def test_the_first_rule_that_finds_a_pile_moves() -> None:
    state = table("3C QC | | 8D 9H 5H | 7S 6S")
    assert choose(state, parse_list("1,2,10,200")) == (10, 4)
    assert choose(state, parse_list("1,2")) is None


def test_without_a_space_nothing_moves() -> None:
    assert choose(table("3C QC | 2H | 8D 9H 5H | 7S 6S"), parse_list("200")) is None


def test_without_a_pile_of_two_nothing_moves() -> None:
    assert choose(table("QC | | 5H | 6S"), parse_list("200")) is None


def test_where_only_aces_go_to_a_space_the_rules_see_no_other_pile() -> None:
    state = table("3C QC | | 8D 9H AH | KS 6S", Rules(fill="aces-only"))
    assert choose(state, parse_list("10,1000")) == (1000, 3)
    assert choose(table("3C QC | | 8D 9H 5H | KS 6S", Rules(fill="aces-only")), parse_list("10,1000")) is None


# Reading.


@pytest.mark.parametrize(
    ("text", "rules", "dialect", "written"),
    [
        ("2,1,10", (2, 1, 10), "classic", "2,1,10"),
        (" 2 , 1,10 ", (2, 1, 10), "classic", "2,1,10"),
        ("2 1 10", (2, 1, 10), "classic", "2,1,10"),
        ("1,1,10,1", (1, 10), "classic", "1,10"),
        ("1@classic", (1,), "classic", "1"),
        ("1,300@documented", (1, 300), "documented", "1,300@documented"),
    ],
)
def test_lists_as_text(text: str, rules: tuple[int, ...], dialect: str, written: str) -> None:
    found = parse_list(text)
    assert (found.rules, found.dialect, found.text) == (rules, dialect, written)
    assert parse_list(found.text) == found
    assert parse_list(text, dialect) == found
    assert parse_list(text.partition("@")[0], dialect) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("30", "rule 30 is not defined; rules are 1 2 3 4 5 10 20 100 200 300 400 1000"),
        ("1,30,200,7", "rules 30, 7 are not defined; rules are 1 2 3"),
        ("", "a list of rules is empty"),
        (" , ", "a list of rules is empty"),
        ("@documented", "a list of rules is empty"),
        ("1,x", "'x' is not the number of a rule; rules are 1 2 3"),
        ("1,-2", "'-2' is not the number of a rule"),
        ("1@clasic", "unknown dialect 'clasic'; did you mean 'classic'?"),
        ("1@", "unknown dialect ''"),
        ("1;seed=3", "is not the number of a rule"),
    ],
)
def test_faulty_lists(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        parse_list(text)


def test_two_dialects_at_once() -> None:
    with pytest.raises(UsageError, match="'1@classic' names the dialect classic, and documented is asked for"):
        parse_list("1@classic", "documented")
    with pytest.raises(UsageError, match="unknown dialect"):
        RuleList((1,), "modern")


# Dead rules.


@pytest.mark.parametrize(
    ("text", "reduced"),
    [
        ("2,1,100,10,1000", "2,1,100,1000"),
        ("3,2,1,20,10,300,200", "3,20,300"),
        ("2,1,100,10,1000@documented", "2,1,100,1000@documented"),
        ("10,100,4,200", "10,100,4,200"),
        ("10,100,4,200@documented", "10,4,200@documented"),
        ("100,2,10,20,5", "100,5"),
        ("100,2,10,20,5@documented", "100,2,5@documented"),
        ("200,1,2,3", "200"),
    ],
)
def test_what_is_left_of_a_list(text: str, reduced: str) -> None:
    found = parse_list(text).reduced()
    assert found.text == reduced
    assert found.reduced() == found


@pytest.mark.parametrize(
    ("dialect", "lengths", "guaranteeing"),
    [("classic", [12, 67, 200, 280, 160], 576), ("documented", [12, 66, 172, 144], 316)],
)
def test_so_many_lists_are_left(dialect: str, lengths: list[int], guaranteeing: int) -> None:
    lists = reduced_lists(dialect)
    assert [count for _, count in sorted(Counter(len(each.rules) for each in lists).items())] == lengths
    assert len(set(lists)) == len(lists) == sum(lengths)
    assert sum(each.is_guaranteeing for each in lists) == guaranteeing
    assert all(each.reduced() == each for each in lists)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_short_list_falls_on_one_of_them(dialect: str) -> None:
    found = set()
    for length in (1, 2, 3, 4):
        for rules in permutations(NUMBERS, length):
            reduced = RuleList(rules, dialect).reduced()
            found.add(reduced)
            assert reduced.is_guaranteeing == RuleList(rules, dialect).is_guaranteeing
    assert found == {each for each in reduced_lists(dialect) if len(each.rules) <= 4}


rule_lists = st.builds(
    RuleList,
    st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=12).map(tuple),
    st.sampled_from(DIALECTS),
)


@st.composite
def tables(draw: st.DrawFn) -> State:
    """Any cards on any four piles, one of them a space."""
    cards = draw(st.lists(st.sampled_from(PACK), unique=True, max_size=16))
    places = [draw(st.integers(0, 2)) for _ in cards]
    piles = [tuple(card for card, at in zip(cards, places, strict=True) if at == place) for place in range(3)]
    piles.insert(draw(st.integers(0, 3)), ())
    fill = draw(st.sampled_from(("optional", "must", "aces-only")))
    return State(Rules(fill=fill), tuple(piles), ())


@given(state=tables(), each=rule_lists)
def test_a_reduced_list_chooses_alike(state: State, each: RuleList) -> None:
    """Law: a dead rule never moves."""
    assert choose(state, each) == choose(state, each.reduced())
    if each.is_guaranteeing and state.rules.fill != "aces-only" and any(len(pile) > 1 for pile in state.piles):
        assert choose(state, each) is not None


# Many lists at once.


def walked(each: RuleList, prefixes: bool, permute: bool) -> set[tuple[int, ...]]:
    """The lists that are entered, one by one."""
    lengths = range(1, len(each.rules) + 1) if prefixes else [len(each.rules)]
    parts = [each.rules[:length] for length in lengths]
    return {order for part in parts for order in (permutations(part) if permute else [part])}


@pytest.mark.parametrize("prefixes", [False, True])
@pytest.mark.parametrize("permute", [False, True])
@given(
    rules=st.lists(st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=5), min_size=1, max_size=3),
    dialect=st.sampled_from(DIALECTS),
)
def test_orders_are_counted_as_if_they_were_walked(
    prefixes: bool, permute: bool, rules: list[list[int]], dialect: str
) -> None:
    lists = [RuleList(tuple(each), dialect) for each in rules]
    entered = set().union(*(walked(each, prefixes, permute) for each in lists))
    expected = Counter(RuleList(order, dialect).reduced() for order in entered)
    assert expand(lists, prefixes, permute) == expected


@pytest.mark.parametrize("dialect", DIALECTS)
def test_so_many_lists_are_entered(dialect: str) -> None:
    three, eight, twelve = (RuleList(NUMBERS[:n], dialect) for n in (3, 8, 12))
    assert sum(expand([three], prefixes=True).values()) == 3
    assert sum(expand([three], permute=True).values()) == 6
    assert sum(expand([three], prefixes=True, permute=True).values()) == 9
    assert sum(expand([eight], prefixes=True, permute=True).values()) == 46_233
    # Counted, for nobody walks so many.
    assert sum(expand([twelve], permute=True).values()) == factorial(12) == 479_001_600
    assert sum(expand([twelve], prefixes=True, permute=True).values()) == sum(map(factorial, range(1, 13)))


def test_all_orders_of_all_rules_leave_the_lists_that_guarantee() -> None:
    for dialect, left in zip(DIALECTS, (576, 316), strict=True):
        found = expand([RuleList(NUMBERS, dialect)], permute=True)
        assert len(found) == left
        assert set(found) == {each for each in reduced_lists(dialect) if each.is_guaranteeing}
