"""Every function of the native module, asked for nonsense of the right types: an error in words, never a panic."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unshuffle as un
from tests.fuzz.mangling import mangled, noise
from tests.laws import OURS, deal_numbers, native_games, native_module, random_line
from unshuffle.engine import VARIABLE
from unshuffle.rulebook import write_rules

# What is said of the engine itself need not be tried in both runs.
pytestmark = [
    pytest.mark.one_engine("checks the native engine itself"),
    pytest.mark.skipif(os.environ.get(VARIABLE) == "python", reason="the native engine's own manners"),
]

# The last of an array of another kind, as Python says it.
REFUSALS = (ValueError, OverflowError, TypeError, BufferError)
"""A panic would be a RuntimeError, or PyO3's PanicException, which is no Exception at all."""

many = settings(max_examples=4 * settings().max_examples)

numbers = st.one_of(
    st.integers(0, 3), st.sampled_from([-1, 10, 255, 256, 2**31, 2**32, 2**63, 2**64 - 1, 2**64, 10**30])
)
few = st.integers(-1, 2)
"""Of what work is asked for by number."""
seconds = st.sampled_from([None, 0.0, -0.0, 0.001, -1.0, 1e-300, float("nan"), float("inf"), -float("inf"), 1e308])
memory = st.sampled_from([0, 1, 100, 10_000, 1_000_000, 2**40, 2**63, 2**64 - 1, 2**64, -1])
threads = st.sampled_from([0, 1, 2, -1, 1025, 2**31, 2**63, 2**64 - 1])
games = st.one_of(st.sampled_from(OURS), noise)
policies = st.sampled_from(
    ["random", "greedy", "value", "weights", "planner:1", "rollout:1", "rules:1,20,300", "plan:1", "search:1",
     "random:1", "max-locked:200", "value:200", "fresh:200", "rollout:0", "rules:", "rules:9", "value:nans",
     "plan:99999", ""]
)  # fmt: skip
tables = st.one_of(
    st.none(),
    st.binary(max_size=40),
    st.builds(lambda number, count: np.full(count, number).tobytes(),
              st.sampled_from([0.0, 0.5, 1.0, np.nan, np.inf, 1e300]), st.sampled_from([18, 48, 2380, 4760, 11_052])),
    st.builds(lambda most, chance: b"GW1" + bytes([most]) + np.full(1820 * most, chance, "<f4").tobytes(),
              st.integers(0, 4), st.sampled_from([0.0, 0.5, 1.0, np.nan])),
)  # fmt: skip


@st.composite
def asked(draw: st.DrawFn) -> tuple[str, dict[str, str], str]:
    """A game, its rules and a position, of which any may have a slip in it."""
    game = draw(st.sampled_from(native_games()))
    seed = draw(deal_numbers)
    *_, state = random_line(game, seed, draw(st.integers(0, 30)))
    rules, position = write_rules(game.rules), game.wire(state)
    slip = draw(st.integers(0, 9))
    if slip == 0:
        rules[draw(st.sampled_from(list(rules)))] = draw(noise)
    elif slip == 1:
        rules[draw(noise)] = draw(noise)
    elif slip < 5:
        position = draw(mangled(position))
    elif slip == 5:
        position = draw(noise)
    return draw(games) if slip == 6 else game.id, rules, position


tokens = st.lists(
    st.one_of(noise, st.sampled_from(["d", "1x", "1-2", "r", "r=AS", "KC^", "9H>TH", "AS>r1c1"])), max_size=3
)


def ask(call: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """The answer, or the refusal, which has words."""
    try:
        return call(*arguments, **named)
    except REFUSALS as error:
        assert str(error)
        return error


def test_every_function_is_asked() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    public = {name for name in dir(native_module()) if not name.startswith("_")} - {"Found"}
    assert {name for name in public if f"native_module().{name}" not in text} == set()
    methods = {name for name in dir(native_module().Tables) if not name.startswith("_")}
    assert {name for name in methods if f"tables.{name}" not in text} == set()


@many
@given(asked=asked(), seed=numbers, number=st.sampled_from([0, 1, 2, -1, 10**6 + 1, 2**63, 2**64]), size=numbers)
def test_rules_deals_and_decks(asked: tuple[str, dict[str, str], str], seed: int, number: int, size: int) -> None:
    assert native_module().version()
    assert "gaps" in native_module().games()
    game, rules, _ = asked
    ask(native_module().supports, game, rules)
    ask(native_module().deal, game, rules, seed, number)
    deck = ask(native_module().shuffle, seed, number, size)
    if isinstance(deck, list):
        assert sorted(deck) == list(range(size))


@many
@given(asked=asked(), tokens=tokens, depth=st.sampled_from([0, 1, 2, -1, 10_001, 2**31, 2**32]))
def test_moves_and_counts(asked: tuple[str, dict[str, str], str], tokens: list[str], depth: int) -> None:
    moves = ask(native_module().legal_moves, *asked)
    ask(native_module().play, *asked, tokens)
    if isinstance(moves, list):
        for token in moves[:3]:
            assert isinstance(ask(native_module().play, *asked, [token]), tuple)
    count = ask(native_module().perft, *asked, depth)
    if isinstance(moves, list) and depth == 1:
        assert count >= len(moves)


@many
@given(
    asked=asked(),
    nodes=st.integers(0, 500),
    seconds=seconds,
    memory=memory,
    maximize=st.booleans(),
    prune=st.booleans(),
    is_traced=st.booleans(),
    tokens=tokens,
)
def test_searches(
    asked: tuple[str, dict[str, str], str],
    nodes: int,
    seconds: float | None,
    memory: int,
    maximize: bool,
    prune: bool,
    is_traced: bool,
    tokens: list[str],
) -> None:
    written: list[str] = []
    limits = {"nodes": nodes, "seconds": seconds, "memory": memory, "maximize": maximize, "prune": prune}
    found = ask(native_module().solve, *asked, **limits, trace=written.append if is_traced else None)
    line = tokens
    if not isinstance(found, Exception):
        # A phase of Spider's search ends its level.
        assert found.stats["nodes"] <= nodes + (100_000 if asked[0] == "spider" else 0)
        assert native_module().play(*asked, found.moves)[2] == found.score
        line = found.moves
    ask(native_module().shorten, *asked, line, seconds=min(seconds or 0.0, 0.01))


@many
@given(
    asked=asked(),
    nodes=st.sampled_from([-1, 0, 1, 300, 2**64]),
    memory=memory,
    threads=threads,
    seeds=st.lists(numbers, max_size=2),
)
def test_batches(
    asked: tuple[str, dict[str, str], str], nodes: int, memory: int, threads: int, seeds: list[int]
) -> None:
    game, rules, position = asked
    batch = ask(native_module().Batch, game, rules, threads=threads, nodes=nodes, memory=memory)
    if isinstance(batch, Exception):
        return
    batch.submit([position])
    ask(batch.submit_seeds, seeds)
    while ask(batch.next) is not None:
        pass
    batch.cancel()


@many
@given(
    asked=asked(),
    policies=st.lists(policies, max_size=2),
    values=tables,
    threads=threads,
    seeds=st.lists(numbers, max_size=2),
    lucks=st.none() | st.lists(numbers, max_size=2),
)
def test_games_by_policies(
    asked: tuple[str, dict[str, str], str],
    policies: list[str],
    values: bytes | None,
    threads: int,
    seeds: list[int],
    lucks: list[int] | None,
) -> None:
    game, rules, position = asked
    common = {"threads": threads, "values": values}
    for starts in ({"seeds": seeds}, {"positions": [position]}, {}, {"seeds": [1], "positions": [position]}):
        results = ask(native_module().simulate_many, game, rules, policies, **starts, lucks=lucks, **common)
        assert isinstance(results, Exception) or len(results) == len(policies)
    for policy in policies:
        batch = ask(native_module().Games, game, rules, policy=policy, **common)
        if isinstance(batch, Exception):
            continue
        ask(batch.submit, [position], lucks)
        ask(batch.submit_seeds, seeds, lucks)
        while ask(batch.next) is not None:
            pass
        batch.cancel()


@many
@given(asked=asked(), values=tables, samples=few, luck=numbers, threads=threads, tokens=tokens, seconds=seconds)
def test_advice(
    asked: tuple[str, dict[str, str], str],
    values: bytes | None,
    samples: int,
    luck: int,
    threads: int,
    tokens: list[str],
    seconds: float | None,
) -> None:
    moves = ask(native_module().legal_moves, *asked)
    line = moves[:3] if isinstance(moves, list) else tokens
    ask(native_module().playouts, *asked, line, samples=samples, luck=luck, threads=threads)
    ask(native_module().weigh, *asked, samples=samples, luck=luck, seconds=seconds, values=values)
    if values is not None:
        ask(native_module().plan, *asked, values, alternatives=samples > 0)


@many
@given(asked=asked(), data=st.data())
def test_values_and_phases(asked: tuple[str, dict[str, str], str], data: st.DataObject) -> None:
    game, rules, _ = asked
    draw = data.draw
    ask(
        native_module().sample_values, game, rules, redeals_left=draw(numbers), mercis=draw(numbers),
        states=draw(st.lists(st.one_of(st.integers(-1, 2381), numbers), max_size=2)), samples=draw(few),
        seed=draw(numbers), threads=draw(threads), values=draw(tables),
    )  # fmt: skip
    # Several threads take all the memory that they may have, and there is no sense in filling the machine here.
    count = draw(st.sampled_from([0, 1, 2, 2**63, -1]))
    room = draw(memory if count < 2 else st.sampled_from([0, 1, 10_000, 10_000_000]))
    ask(
        native_module().phase_ends, *asked, seconds=draw(seconds), nodes=draw(st.integers(0, 300)), memory=room,
        threads=count, without=draw(st.none() | st.lists(noise, max_size=1)),
        maximize=draw(st.booleans()), ends=draw(st.booleans()),
    )  # fmt: skip
    ask(
        native_module().sample_phases, game, rules,
        draw(st.one_of(st.lists(st.integers(0, 12), min_size=4, max_size=4), st.lists(numbers, max_size=5))),
        seed=draw(st.none() | numbers), first=draw(numbers), count=draw(few), nodes=draw(st.integers(0, 300)),
        memory=draw(memory),
    )  # fmt: skip
    first = draw(numbers)
    ask(
        native_module().train, game, rules, seed=draw(numbers), first=first, last=first + draw(few), of=draw(numbers),
        numbers=draw(tables),
    )  # fmt: skip


def array(draw: Any, kind: Any, size: int) -> Any:
    """An array as it should be, or one of another size, kind or order."""
    slip = draw(st.integers(0, 8))
    if slip == 0:
        size += draw(st.sampled_from([-1, 1, 100]))
    elif slip == 1:
        kind = np.float32
    made = np.zeros(max(size, 0), kind)
    if slip == 2:
        made = np.zeros(2 * max(size, 0), kind)[::2]
    elif slip == 3:
        made.flags.writeable = False
    return made


@many
@given(asked=asked(), data=st.data())
def test_tables(asked: tuple[str, dict[str, str], str], data: st.DataObject) -> None:
    game, rules, position = asked
    draw = data.draw
    counts = st.one_of(st.integers(1, 3), st.sampled_from([0, -1, 2**22 + 1, 2**63, 2**64 - 1]))
    tables = ask(
        native_module().Tables, game, rules, count=draw(counts), threads=draw(threads),
        reward=draw(st.sampled_from(["delta", "shaped", "win", "", "Δ"])),
        gamma=draw(st.sampled_from([0.99, 0.0, -1.0, float("nan"), float("inf")])),
        when_invalid=draw(st.sampled_from(["noop", "terminate", "x"])), limit=draw(st.none() | numbers),
    )  # fmt: skip
    if isinstance(tables, Exception):
        return
    count = len(tables.save()[1])
    ask(tables.deal, draw(st.lists(numbers, max_size=2)), draw(st.lists(numbers, max_size=2)))
    ask(tables.lay, draw(numbers), position)
    ask(tables.text, draw(numbers))
    ask(tables.seed, draw(numbers))
    ask(tables.sample, array(draw, np.int64, count))
    for _ in range(3):
        actions = array(draw, np.int64, count)
        if actions.flags.writeable:
            actions[:] = draw(st.integers(-2, 300))
        skip = draw(
            st.sampled_from([None, np.zeros(count, np.uint8), np.ones(count, np.uint8), np.zeros(count + 1, np.uint8)])
        )
        ask(tables.first_illegal, actions, skip)
        ask(tables.step, actions, skip)
    widths = st.sampled_from([1, 104, 145, 208, 1000])
    ask(tables.step_one, draw(numbers), array(draw, np.uint8, draw(widths)), array(draw, np.int8, draw(widths)))
    ask(tables.read_one, draw(numbers), array(draw, np.uint8, draw(widths)), array(draw, np.int8, draw(widths)))
    ask(
        tables.read, array(draw, np.uint8, count * draw(widths)), array(draw, np.int8, count * draw(widths)),
        array(draw, np.float64, count), array(draw, np.int64, 3 * count), array(draw, np.uint8, 4 * count),
        draw(st.none() | st.lists(numbers, max_size=2)),
    )  # fmt: skip
    luck, kept = tables.save()
    if draw(st.booleans()):
        kept = [(draw(mangled(text)), *rest) for text, *rest in kept]
    ask(tables.restore, (draw(numbers), kept))
    ask(tables.restore, (luck, [("", 2**64 - 1, 2**63 - 1, float("nan"), (True, True, True))] * count))


def test_what_fuzzing_found_is_refused() -> None:
    """Each of these once ran for hours, filled the memory, or gave numbers that are none."""
    lucie = un.game("belle-lucie")
    rules = write_rules(lucie.rules)
    native = native_module()
    with pytest.raises(ValueError, match="depth=4294967295 is not allowed; expected 0 to 10000"):
        native.perft("belle-lucie", rules, str(lucie.deal(7)), 2**32 - 1)
    with pytest.raises(ValueError, match="number=1000001 is not allowed; expected 1 to 1000000"):
        native.shuffle(7, 1_000_001, 52)
    with pytest.raises(ValueError, match="last=1 is not allowed; there are 0 games in all"):
        native.train("aces-up", {}, seed=0, first=0, last=1, of=0)
    with pytest.raises(ValueError, match="last=18446744073709551615 is not allowed; there are 5 games in all"):
        native.train("aces-up", {}, seed=0, first=2**64 - 2, last=2**64 - 1, of=5)
    with pytest.raises(ValueError, match="threads=0 is not allowed; expected 1 to 1024"):
        native.sample_values("belle-lucie", rules, redeals_left=0, mercis=0, states=[0], samples=1, seed=0, threads=0)
