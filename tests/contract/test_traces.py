"""Laws of traces and counts: what a search tells is what it did."""

from __future__ import annotations

import json
import re
import signal
from collections import Counter
from typing import Any

import pytest

import unshuffle as un
from tests.laws import IS_LONG, asked, every_game, native_games, native_module, worth
from unshuffle.game import Hooks
from unshuffle.solve import reference
from unshuffle.solve.limits import Limits
from unshuffle.solve.sides import search_in_python
from unshuffle.solve.tracing import Trace

Game = un.Game[Any, Any]
KEYS = ["position", "move", "depth", "cut", "forced", "key"]
COUNTS = [
    *("nodes", "seconds", "max_depth", "forced_moves", "dead_ends", "blocked"),
    *("table_entries", "table_bytes", "table_hits", "evictions"),
]


class Told:
    """The lines of a trace, as they come."""

    def __init__(self) -> None:
        self.text = ""

    def __call__(self, text: str) -> None:
        assert text.endswith("\n")
        self.text += text

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


def check_trace(game: Game, start: Any, found: Any, told: Told, *, in_breadth: bool = False) -> None:
    """Every line is true by the rules, and all together they say what the counts say.

    A search goes on from the position that it came to last, or back on its line; in breadth from any one depth before.
    """
    assert list(found.stats)[: len(COUNTS)] == COUNTS
    states: list[Any] = []
    shallow: list[list[Any]] = []
    of_key: dict[str, Any] = {}
    for number, line in enumerate(told.lines):
        assert list(line) == KEYS
        assert (line["move"] is None) == (line["depth"] == 0) == (number == 0)
        if number == 0:
            states = [start]
        elif in_breadth:
            parents = shallow[line["depth"] - 1]
            states = [come_from(game, parents, line)]
        else:
            before = states[: line["depth"]]
            assert len(before) == line["depth"], "a line grows by one move at a time"
            states = [*before, before[-1].play(game.parse_move(line["move"], before[-1]))]
        assert line["position"] == game.wire(states[-1])
        if line["depth"] == len(shallow):
            shallow.append([])
        shallow[line["depth"]].append(states[-1])
        assert re.fullmatch("[0-9A-Za-z]+", line["key"])
        # Positions that count as the same are worth the same, and have as many cards up.
        assert of_key.setdefault(line["key"], worth(game, states[-1])) == worth(game, states[-1])
        assert (line["cut"] == "won") == (states[-1].outcome is un.Outcome.WON)
    cuts = Counter(line["cut"] for line in told.lines)
    stats = found.stats
    assert [cuts["seen"], cuts["blocked"]] == [stats["table_hits"], stats["blocked"]]
    # In breadth a position may be told before its moves are looked at.
    assert cuts["dead-end"] == stats["dead_ends"] or (in_breadth and cuts["dead-end"] < stats["dead_ends"])
    assert sum(line["forced"] for line in told.lines) == stats["forced_moves"]
    assert max(line["depth"] for line in told.lines) == stats["max_depth"]
    # Where moves count, the search for the best score goes on after a win.
    assert bool(cuts["won"]) == (found.status == "solved")
    assert cuts["won"] <= 1 or game.charges_moves
    is_stopped = cuts["limit"] == 1
    assert is_stopped or found.status != "node-limit"
    assert not is_stopped or found.status == "node-limit" or (cuts["won"] and game.charges_moves)


def come_from(game: Game, parents: list[Any], line: dict[str, Any]) -> Any:
    """The position of the line, reached by its move from one of these."""
    move = game.parse_move(line["move"])
    reached = (parent.play(move) for parent in parents if move in parent.legal_moves())
    return next(state for state in reached if game.wire(state) == line["position"])


@pytest.mark.parametrize("game", native_games(), ids=str)
@pytest.mark.one_engine("checks the native engine")
def test_the_engine_tells_what_it_did(game: Game) -> None:
    for state in map(game.phase, (s for seed in range(2 if IS_LONG else 1) for s in game.small_states(seed))):
        for options in ({"nodes": 50}, {"nodes": 50, "maximize": True}, {"nodes": 50, "prune": False}, {"nodes": 2}):
            told = Told()
            found = native_module().solve(*asked(game, state), **options, trace=told)
            # The shortest win is looked for in breadth.
            in_breadth = game.charges_moves and "maximize" in options
            check_trace(game, state, found, told, in_breadth=in_breadth)


@pytest.mark.parametrize("game", every_game(), ids=str)
def test_the_python_side_tells_what_it_did(game: Game) -> None:
    for state in map(game.phase, (s for seed in range(2 if IS_LONG else 1) for s in game.small_states(seed))):
        for nodes, maximize in ((30, False), (30, True), (2, False)):
            told = Told()
            check_trace(game, state, search_in_python(state, game, Limits(nodes), maximize, write=told), told)


@pytest.mark.parametrize("game", native_games(), ids=str)
@pytest.mark.one_engine("checks the native engine")
def test_both_sides_count_under_the_same_names(game: Game) -> None:
    state = next(iter(game.small_states(1)))
    native = native_module().solve(*asked(game, state)).stats
    assert list(native) == list(search_in_python(state, game, Limits(), False).stats)
    # Several kinds of move may count under one name.
    assert list(native) == [*COUNTS, *dict.fromkeys(game.hooks().kinds.values())]


def test_moves_are_counted_by_their_kind() -> None:
    from unshuffle.games.belle_lucie.moves import ToFan, ToFoundation

    told = Told()
    game = un.game("belle-lucie")
    state = next(iter(game.small_states(2)))
    hooks: Hooks[Any, Any] = Hooks(kinds={ToFoundation: "ups", ToFan: "builds"})
    found = reference.search(state, Limits(), maximize=True, hooks=hooks, trace=Trace(told, str))
    made = Counter("ups" if line["move"].endswith("^") else "builds" for line in told.lines[1:])
    assert list(found.stats) == [*COUNTS, "ups", "builds"]
    assert made == {"ups": found.stats["ups"], "builds": found.stats["builds"]}
    assert found.stats["ups"]
    assert found.stats["builds"]


@pytest.mark.parametrize("name", ["belle-lucie", "golf"])
@pytest.mark.both_engines
def test_un_solve_traces_on_whichever_side_serves(name: str) -> None:
    game = un.game(name)
    for state in game.small_states(3):
        told = Told()
        result = un.solve(state, trace=told)
        assert told.lines[0]["position"] == game.wire(state)
        assert result.status == un.solve(state).status


# Without prunings this deal has many millions of positions: more than any test waits for.
PAIRS = un.game("belle-lucie", fan_size=2)
LONG = asked(PAIRS, PAIRS.deal(20))


@pytest.mark.both_engines
def test_ctrl_c_keeps_whole_lines() -> None:
    told = Told()

    def watch(*_: object) -> bool:
        signal.raise_signal(signal.SIGINT)
        return False

    found = native_module().solve(*LONG, prune=False, watch=watch, trace=told)
    assert found.interrupted
    assert told.lines[-1]["cut"] == "limit"
    assert len(told.lines) > found.stats["nodes"]

    told = Told()
    with pytest.raises(un.Interrupted):
        un.solve(un.game("golf").deal(1), progress=lambda _: signal.raise_signal(signal.SIGINT), trace=told)
    assert len(told.lines) > 1


@pytest.mark.both_engines
def test_what_the_writer_raises_ends_the_search() -> None:
    def full(text: str) -> None:
        raise OSError(28, "no space left")

    golf = un.game("golf")
    with pytest.raises(OSError, match="no space"):
        native_module().solve(*LONG, prune=False, trace=full)
    with pytest.raises(OSError, match="no space"):
        search_in_python(golf.deal(1), golf, Limits(), False, write=full)
