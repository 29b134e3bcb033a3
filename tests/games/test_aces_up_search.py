"""What the search of Aces Up leaves out, against the search that leaves out nothing, on small decks and late tables."""

from __future__ import annotations

import csv
from collections.abc import Hashable
from dataclasses import replace
from itertools import count, islice
from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.games.test_aces_up_rules import position
from tests.laws import CHANGED, DATA
from unshuffle.cards import PACK, Card
from unshuffle.game import Hooks
from unshuffle.games.aces_up import AcesUp, Deal, Discard, Move, Rules, State, ToSpace, search
from unshuffle.games.aces_up.rules import ACE, beaten, beats, discard_all, sort_discards, strength
from unshuffle.solve import Status, has_twin, reference
from unshuffle.solve.limits import Limits

VARIANTS = un.games()["aces-up"]
GAMES: list[AcesUp] = [
    *(AcesUp(variant) for variant in VARIANTS),
    *(AcesUp(**fields) for fields in CHANGED["aces-up"]),
]
HOOKS: dict[str, Hooks[Any, Any]] = {
    "forced": Hooks(forced=search.forced),
    "bound": Hooks(bound=search.bound),
    "key": Hooks(key=search.key),
    "all": AcesUp().hooks(),
}


def find(state: State, hooks: Hooks[Any, Any] | None = None, *, maximize: bool = True, nodes: int | None = None) -> Any:
    """A search of the whole of it, unless it is too large."""
    return reference.search(state, Limits(nodes=nodes), maximize=maximize, most_score=48, hooks=hooks)


def small_table(rules: Rules, rng: Random, stock: int) -> State:
    """The aces and a few other cards: so many in the stock, and the others on the table."""
    others = [card for card in PACK if strength(card) < ACE]
    others.sort(key=lambda card: strength(card) + 7 * rng.random())
    cards = [card for card in PACK if strength(card) == ACE] + others[-rng.randint(max(3, stock - 4), 14) :]
    rng.shuffle(cards)
    piles: list[tuple[Card, ...]] = [()] * rules.piles
    for card in cards[stock:]:
        place = rng.randrange(rules.piles)
        piles[place] = (*piles[place], card)
    table = tuple(piles) if rules.discards == "optional" else discard_all(piles)[0]
    left = {*cards[:stock], *(card for pile in table for card in pile)}
    discards = sort_discards(card for card in PACK if card not in left)
    return State(rules, table, tuple(cards[:stock]), None, discards)


def check_hooks(rules: Rules, tables: int, nodes: int, first: int) -> set[Status]:
    """Compare every hook with the plain search, on so many tables that are small enough for it."""
    met = set()
    sizes = [size for size in rules.stock_sizes if size <= 12]
    for seed in count(first):
        rng = Random(seed)
        state = small_table(rules, rng, sizes[seed % len(sizes)])
        plain = find(state, nodes=nodes)
        if plain.status is Status.NODE_LIMIT:
            continue
        met.add(plain.status)
        assert search.bound(state) >= plain.score, str(state)
        for name, hooks in HOOKS.items():
            best = find(state, hooks)
            assert (best.status, best.score, best.score_proved) == (plain.status, plain.score, True), (name, str(state))
            assert find(state, hooks, maximize=False).status is plain.status, (name, str(state))
        tables -= 1
        if not tables:
            break
    return met


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_no_hook_changes_a_verdict_or_a_best_score(game: AcesUp) -> None:
    # Each variant has tables of its own.
    check_hooks(game.rules, 8, 150, 1000 * GAMES.index(game))


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_no_hook_changes_a_verdict_or_a_best_score_on_many_tables(game: AcesUp) -> None:
    met = check_hooks(game.rules, 300, 1000, 1000 * GAMES.index(game) + 500)
    assert met == {Status.SOLVED, Status.UNSOLVABLE} or game.rules.piles == 5  # with five piles little is ever lost


# Forced moves.


def test_the_deal_is_forced_where_nothing_else_is_legal() -> None:
    assert search.forced(AcesUp().deal(7)) == Deal()
    assert search.forced(position("AS 2H | KD | | 2C", stock="9C 9D 9H 9S")) is None
    assert search.forced(position("AS | KD | | 2C", stock="9C 9D 9H 9S")) == Deal()
    assert search.forced(position("AS | KD | | 2C", "free", stock="9C 9D 9H 9S")) is None
    assert search.forced(position("AS 2H | KD | | 2C", "must-fill", stock="9C 9D 9H 9S")) is None


def test_a_card_on_a_higher_one_of_its_suit_goes_at_once_when_the_stock_is_empty() -> None:
    assert search.forced(position("AS 2H | 3D KD QD | | 2C KC")) == ToSpace(2, 3)
    assert search.forced(position("AS 2H | 3D KD QD | | | 2C KC", "last-empty", piles=5)) == ToSpace(2, 4)
    assert search.forced(position("AS 2H | 3D KD QD | 3S | 2C KC")) is None  # no space
    assert search.forced(position("AS 2H | 3D KD QD | | 2C KC", "aces-only")) is None
    assert search.forced(position("AS 2H | 3D KD QD | | 2C KC", stock="9C 9D 9H 9S")) is None
    assert search.forced(position("AS 2H | 3D KD QD | | 2C KC", "firing-squad")) is None
    assert search.forced(position("AS 2H | AH | | 2C KC", "relaxed-discards")) == Discard(1)


def always_safe(state: State) -> Move | None:
    """The rule for an empty stock without a cell, taken for all tables."""
    if state.rules.discards == "optional":
        for number, _ in beaten(state.piles):
            return Discard(number)
    for number, pile in enumerate(state.piles, 1):
        if state.spaces and len(pile) > 1 and beats(pile[-2], pile[-1]):
            return ToSpace(number, state.targets()[0])
    return None


@pytest.mark.parametrize(
    ("table", "fields", "best", "worse"),
    [
        # A card that could go waits, for the one that beats it must go to the cell.
        ("KH QD AH | AS KS | QC QS JH AC | KD AD KC", {"reserve": 1}, 48, 43),
        ("9H AH | AS JD QS KS JH TC | QH AD KC KH | AC KD", {"reserve": 1}, 48, 42),
        # The next deal falls on a card that could go, instead of the one under it.
        ("AD KS | TH AH AS | AC KH | QH", {"stock": "QC KD JD QS"}, 47, 46),
        ("AC AH JC AD | JD | KD | QH AS TH KH", {"stock": "QS QD KC QC"}, 46, 45),
    ],
)
@pytest.mark.both_engines
def test_with_a_cell_or_a_stock_a_discard_may_have_to_wait(
    table: str, fields: dict[str, Any], best: int, worse: int
) -> None:
    state = position(table, discards="optional", **fields)
    assert find(state).score == find(state, HOOKS["all"]).score == un.solve(state, maximize=True).score == best
    assert find(state, Hooks(forced=always_safe)).score == worse


# The key.


def shuffled(state: State, first: int, rng: Random) -> State:
    """The same table with the piles from this one on in another order."""
    later = list(state.piles[first:])
    rng.shuffle(later)
    return replace(state, piles=state.piles[:first] + tuple(later))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_piles_that_no_deal_reaches_have_no_order(game: AcesUp) -> None:
    rng = Random(GAMES.index(game))
    sizes = [0, 2] if game.rules.piles == 5 and game.rules.deal == "row" else [0]
    for size in sizes:
        for state in islice((small_table(game.rules, rng, size) for _ in range(100)), 4):
            other = shuffled(state, size, rng)
            assert search.key(other) == search.key(state)
            one, two = (find(table, nodes=1500) for table in (state, other))
            if Status.NODE_LIMIT not in (one.status, two.status):
                assert (one.status, one.score) == (two.status, two.score)


def test_piles_that_a_deal_reaches_have_an_order() -> None:
    one, two = (position(table, stock="9C 9D 9H 9S") for table in ("AS | KD | 2C |", "KD | AS | 2C |"))
    assert search.key(one) != search.key(two)
    cell, none = (position("AS | KD | 2C |", "firing-squad", cell=cell) for cell in ("QS", "-"))
    assert search.key(cell) != search.key(none)


def as_a_set(state: State) -> Hashable:
    """Single cards without their places, wherever they can go to and fro."""
    if not state.stock or all(state.piles):
        return search.key(state)
    longer = tuple(pile if len(pile) > 1 else () for pile in state.piles)
    return len(state.stock), longer, frozenset(pile for pile in state.piles if len(pile) == 1)


@pytest.mark.both_engines
def test_single_cards_keep_their_places_in_the_key() -> None:
    # Each of their orders can be reached from the others, but the search looks at the deals of one of them only.
    state = position("|||", "free", stock="AS KD AH AD KH AC KC QD")
    assert find(state).status is find(state, HOOKS["key"]).status is Status.SOLVED
    assert find(state, Hooks(key=as_a_set)).status is Status.UNSOLVABLE
    assert un.solve(state).status is Status.SOLVED


# The bound.


def test_a_last_row_of_four_suits_ends_the_game() -> None:
    state = position("|||", stock="AS KD AH AD KH AC KC QD")
    assert search.bound(state) == 48
    state = position("|||", stock="AS KD AH AC KH AD KC QS")
    # The row, AH and AS stay; all aces but AD are on the table, and AD is in the row.
    assert search.bound(state) == 48 - 3
    assert find(state).score <= search.bound(state)
    assert search.bound(position("|||", stock="KD KC KS KH AS AH AD AC")) == 48
    assert search.bound(position("|||", "firing-squad", stock="AS KD AH AC KH AD KC QS")) == 48
    assert search.bound(position("|||", "russian", stock="AS KD AH AC KH AD KC QS")) == 48
    stuck = position("2S AS | 2H KH | 2C QC | 2D AD")
    assert search.bound(stuck) == stuck.score


# The reference: verdicts and best scores of other programs. The Python side takes fewer rows where they are costly.

REFERENCE = [variant for variant in VARIANTS if variant != "relaxed-discards"]
COSTLY = ("free", "standard", "last-empty", "any-empty", "russian")


VERDICTS = list(csv.DictReader((DATA / "aces-up" / "verdicts.csv").read_text().splitlines()))


def deck_texts() -> dict[str, str]:
    decks = csv.DictReader((DATA / "aces-up" / "verdict-decks.csv").read_text().splitlines())
    return {row["deck_name"]: f"Deck: {row['deck']}" for row in decks}


def check_rows(variant: str, step: int) -> None:
    texts = deck_texts()
    for row in [row for row in VERDICTS if row["variant"] == variant][::step]:
        state = AcesUp(variant).parse(texts[row["deck_name"]])
        best = un.solve(state, maximize=True)
        assert (best.status, best.score, best.score_proved) == (row["status"], int(row["best_score"]), True), row
        assert un.solve(state).status == row["status"], row


def test_the_reference_has_all_variants_but_the_hard_one() -> None:
    assert len(VERDICTS) == 1700
    assert {row["variant"] for row in VERDICTS} == {*VARIANTS} - {"relaxed-discards"}


@pytest.mark.parametrize("variant", REFERENCE)
@pytest.mark.both_engines
def test_a_sample_of_the_reference(variant: str) -> None:
    check_rows(variant, 13 if variant not in COSTLY or has_twin(AcesUp(variant)) else 150)


@pytest.mark.long
@pytest.mark.parametrize("variant", REFERENCE)
@pytest.mark.both_engines
def test_the_whole_reference(variant: str) -> None:
    check_rows(variant, 1 if variant != "free" or has_twin(AcesUp(variant)) else 20)
