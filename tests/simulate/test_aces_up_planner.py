"""Aces Up's player `planner`: what a table is worth, what can be reached before a deal, and the plans made of it."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.laws import IS_LONG
from tests.simulate.mass_play import check_run
from tests.simulate.test_aces_up_players import tables
from unshuffle import engine
from unshuffle.games.aces_up import Deal, State, ToSpace
from unshuffle.games.aces_up.hidden.players import Planner
from unshuffle.games.aces_up.hidden.reach import LAST_ORDERS, count_last_wins, reach
from unshuffle.games.aces_up.hidden.values import (
    FILE,
    GROUPS,
    SIZE,
    STAGES,
    Values,
    features,
    format_values,
    logistic,
    parse_values,
    read_values,
    shipped,
)
from unshuffle.games.aces_up.rules import Rules
from unshuffle.games.aces_up.values.training import learn
from unshuffle.simulate import Deals, Luck, play_block, play_game, policy_of
from unshuffle.solve import has_twin, replay

pytestmark = pytest.mark.both_engines

STANDARD = un.game("aces-up")
PLANNED = ("standard", "must-fill", "must-fill-any", "last-empty", "any-empty", "aces-only", "free")
NATIVE = pytest.mark.skipif(
    engine.native() is None or not has_twin(STANDARD), reason="the Python side plays all games one by one"
)


def test_its_names(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(FILE.read_text())
    for text, name in {
        "planner": "planner:60",
        "planner:0": "planner:0",
        "planner: 7 ; seed=3": "planner:7;seed=3",
        "planner;seed=3": "planner:60;seed=3",
    }.items():
        policy = policy_of(STANDARD, text)
        assert (policy.name, policy_of(STANDARD, policy.name).name) == (name, name)
    name = policy_of(STANDARD, f"planner:5;values={path}").name
    assert name.startswith(f"planner:5;values={path}#")
    assert policy_of(STANDARD, name).name == name
    path.write_text(format_values(Values((1,) * SIZE), {}))
    with pytest.raises(un.UsageError, match="their mark is"):
        policy_of(STANDARD, name)


@pytest.mark.parametrize("text", ["-1", "x", "1000001", "5;5", "5;sed=3", "5;values=a;values=b"])
def test_a_wrong_planner_is_named(text: str) -> None:
    with pytest.raises(un.UsageError, match="planner"):
        policy_of(STANDARD, f"planner:{text}")


@pytest.mark.parametrize("variant", [name for name in un.games()["aces-up"] if name not in PLANNED])
def test_rules_that_cannot_be_planned_for_are_refused(variant: str) -> None:
    with pytest.raises(un.UsageError, match="four piles, forced discards, deals in rows and no cell"):
        policy_of(un.game("aces-up", variant), "planner")


# What a table is worth.

POSITION = """\
Pile 1: QS 6H AH
Pile 2:
Pile 3: AD 3D 9D 4C
Pile 4: KS
Stock: 2C 3C 5C 6C 7C 8C 9C TC JC QC KC AC
"""


def test_the_features_of_a_table_are_those_counted_by_hand() -> None:
    state = STANDARD.parse(POSITION)
    assert isinstance(state, State)
    found = features(state.piles, 3, state.stock)
    named: list[tuple[str, int]] = []
    for place in found:
        for name, size in GROUPS.items():
            if place < STAGES * size:
                assert place // size == 3 - 1, "three deals are left"
                named.append((name, place % size))
                break
            place -= STAGES * size
    card = [place for name, place in named if name == "card"]
    # 6H: one on it, the higher right on it. QS: two on it, the only card of another pile beats it. 4C: more than two
    # of the eight unseen clubs are higher. 9D: an ace under it. 3D: the nine right on it, and the ace. KS: nothing.
    assert card == [
        ((((1 * 3 + 1) * 3 + 0) * 3 + 0) * 2 + 0),
        ((((2 * 3 + 0) * 3 + 2) * 3 + 0) * 2 + 0),
        ((((0 * 3 + 0) * 3 + 0) * 3 + 2) * 2 + 0),
        ((((1 * 3 + 0) * 3 + 0) * 3 + 0) * 2 + 1),
        ((((2 * 3 + 1) * 3 + 0) * 3 + 0) * 2 + 1),
        ((((0 * 3 + 0) * 3 + 0) * 3 + 0) * 2 + 0),
    ]
    # AH lies on two cards, AD under three.
    assert [place for name, place in named if name == "ace"] == [2 * 6 + 0, 0 * 6 + 3]
    assert [place for name, place in named if name == "rank"][:3] == [12 * 8 + 0, 4 * 8 + 1, 10 * 8 + 4 + 2]
    # Clubs: no ace, a card. Diamonds: the ace is the lowest, three cards, 3D has a higher one on it. Hearts: the ace is
    # on top, two cards, so has the six. Spades: no ace, two cards.
    assert [place for name, place in named if name == "suit"] == [
        (0 * 8 + 1) * 3 + 0,
        (1 * 8 + 3) * 3 + 1,
        (2 * 8 + 2) * 3 + 1,
        (0 * 8 + 2) * 3 + 0,
    ]
    assert [place for name, place in named if name == "table"] == [(2 * 5 + 1) * 5 + 1]
    assert [place for name, place in named if name == "count"] == [8]


def test_the_chance_grows_with_the_value() -> None:
    assert logistic(0.0) == 0.5
    chances = [logistic(x / 10) for x in range(-250, 251)]
    assert chances == sorted(chances)
    assert 0 < chances[0] < 1e-8
    assert logistic(-3.0) == pytest.approx(0.0474, abs=1e-3)


def test_values_in_a_file() -> None:
    values = read_values(FILE)
    assert parse_values(format_values(values, {"any": "thing"})) == values == shipped()
    assert len(values.packed) == 4 * SIZE


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("values 1", "values 9"), "format"),
        (('"ace": [', '"king": ['), "groups"),
        (('"count": [\n      [', '"count": [\n      [7,'), "'count' is not 12 lists of 32"),
        (('"count": [\n      [', '"count": [\n      ["7"],['), "'count' is not 12 lists of 32"),
        (('"card": [\n      [0,', '"card": [\n      [0.5,'), "whole number"),
        (('"card": [\n      [0,', '"card": [\n      [true,'), "whole number"),
    ],
)
def test_a_file_of_something_else_is_refused(change: tuple[str, str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "values.json"
    text = format_values(Values((0,) * SIZE), {})
    assert change[0] in text
    path.write_text(text.replace(*change))
    with pytest.raises(un.UsageError, match=message):
        read_values(path)
    with pytest.raises(un.UsageError, match="cannot read"):
        read_values(tmp_path / "nothing.json")


# What can be reached.


def walked(state: State, known: dict[Any, State]) -> dict[Any, State]:
    """Every table that legal moves lead to, by its piles in any order."""
    key = tuple(sorted(state.piles))
    if key not in known:
        known[key] = state
        for move in state.legal_moves():
            if isinstance(move, ToSpace) and len(state.piles[move.source - 1]) > 1:
                walked(state.play(move), known)
    return known


@pytest.mark.parametrize("variant", PLANNED)
def test_all_tables_are_reached_by_legal_moves(variant: str) -> None:
    game = un.game("aces-up", variant)
    chance = Random(5)
    for seed in range(10):
        state: Any = game.deal(seed)
        while state.legal_moves():
            found = reach(state.piles, game.rules)
            keys = [tuple(sorted(table.piles)) for table in found]
            assert len(set(keys)) == len(keys)
            assert set(keys) == set(walked(state, {}))
            for table in found:
                assert replay(state, table.path).states[-1].piles == table.piles
            state = state.play(chance.choice(state.legal_moves()))


def test_the_last_deal_is_known_in_all_its_orders() -> None:
    state = STANDARD.parse("Pile 1: AC KC\nPile 2:\nPile 3: AD\nPile 4: AH\nStock: 2C AS 3C 4C\n")
    assert isinstance(state, State)
    wins = 0
    for cards in permutations(state.stock):
        dealt = State(state.rules, state.piles, cards, None, state.discarded).play(Deal())
        wins += un.solve(dealt).status == "solved"
    assert 0 < wins < LAST_ORDERS
    assert count_last_wins(state.piles, state.stock, state.rules) == wins


# Plans.


def test_with_one_deal_left_the_most_orders_decide() -> None:
    """Whatever the values say."""
    for sign in (1, -1):
        planner = Planner(0, Values(tuple(sign * number for number in shipped().numbers)))
        for state in tables("standard", 11, 40):
            if len(state.stock) != 4:
                continue
            table: Any = state
            for move in planner.plan(state.view(), Luck("x"))[:-1]:
                table = table.play(move)
            most = max(count_last_wins(t.piles, state.stock, state.rules) for t in reach(state.piles, state.rules))
            assert count_last_wins(table.piles, state.stock, state.rules) == most


@pytest.mark.parametrize("variant", PLANNED)
def test_it_sees_no_hidden_card(variant: str) -> None:
    game = un.game("aces-up", variant)
    policy = policy_of(game, "planner:2")
    for state in tables(variant, 3, 4):
        other = State(state.rules, state.piles, tuple(reversed(state.stock)), None, state.discarded)
        plans = [policy.player(Luck("x"))(each.view(), each.legal_moves()) for each in (state, other)]
        assert plans[0] == plans[1]


def test_games_are_whole() -> None:
    """It stops at a win, or when nothing that could be discarded is left."""
    for seed in range(20):
        played = play_game(policy_of(STANDARD, "planner:0"), STANDARD.deal(seed), Luck(str(seed)))
        end = replay(STANDARD.deal(seed), played.moves).states[-1]
        assert (end.score, not end.stock) == (played.score, True)
        fewest = min(sum(map(len, table.piles)) for table in reach(end.piles, Rules()))
        assert sum(map(len, end.piles)) == fewest


@NATIVE
@pytest.mark.parametrize("variant", PLANNED)
def test_the_engine_plays_the_same_games(variant: str) -> None:
    game = un.game("aces-up", variant)
    first = PLANNED.index(variant) * 1000
    check_run(Deals(game, numbers=range(first, first + (300 if IS_LONG else 12))), "planner:0", threads=2)
    check_run(Deals(game, numbers=range(first, first + (60 if IS_LONG else 2))), f"planner:3;seed={first}")
    check_run(Deals(game, states=tables(variant, 3, 60 if IS_LONG else 4)), "planner:2", threads=2)


@NATIVE
def test_foreign_decks_and_results_on_any_number_of_threads() -> None:
    check_run(Deals(STANDARD, numbers=[12345], generator="python"), "planner:3")
    assert len({tuple(play_block(STANDARD, "planner:5", range(60), threads=threads)[0]) for threads in (1, 2, 3)}) == 1


@NATIVE
def test_the_engine_checks_its_values() -> None:
    native = engine.native()
    assert native is not None
    for values in (None, b"", shipped().packed[:-4], shipped().packed + b"1234"):
        with pytest.raises(ValueError, match="values"):
            native.Games("aces-up", {}, policy="planner:5", threads=1, values=values)
    for policy in ("planner:x", "planner:-1", "planner:"):
        with pytest.raises(ValueError, match="samples"):
            native.Games("aces-up", {}, policy=policy, threads=1, values=shipped().packed)
    with pytest.raises(ValueError, match="four piles"):
        native.Games("aces-up", {"piles": "5"}, policy="planner", threads=1, values=shipped().packed)
    for numbers in (b"", bytes(8 * SIZE - 1), bytes(8 * SIZE) + b"1"):
        with pytest.raises(ValueError, match="numbers"):
            native.train("aces-up", {}, seed=1, first=0, last=1, of=1, numbers=numbers)
    with pytest.raises(ValueError, match="training"):
        native.train("agnes", {}, seed=1, first=0, last=1, of=1)


@NATIVE
def test_the_engine_finds_the_same_numbers() -> None:
    from struct import pack

    native = engine.native()
    assert native is not None
    numbers = [0.0] * SIZE
    games = 200 if IS_LONG else 20
    for game in range(games):
        learn(numbers, Rules(), 7, game, games)
    assert any(numbers)
    how: dict[str, Any] = {"seed": 7, "of": games}
    half = native.train("aces-up", {}, first=0, last=games // 2, **how)
    assert native.train("aces-up", {}, first=games // 2, last=games, numbers=half, **how) == pack(f"<{SIZE}d", *numbers)


@NATIVE
def test_it_wins_more_than_the_weights_do() -> None:
    """On deals that none of the numbers were found with."""
    count = 100_000 if IS_LONG else 20_000
    wins = [
        sum(play_block(STANDARD, policy, range(5_000_000, 5_000_000 + count), replay_wins=0)[1])
        for policy in ("planner:0", "weights")
    ]
    assert wins[0] > wins[1]
