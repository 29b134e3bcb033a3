"""The plan for one deal of La Belle Lucie: which cards go up, which are held back, and whether to deal again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter
from typing import Any, TypeVar

from unshuffle import engine
from unshuffle.errors import IllegalMoveError, InternalError
from unshuffle.games.belle_lucie.hidden import values as tables
from unshuffle.games.belle_lucie.hidden.reach import ALL_UP, Heights, Line, Reach, Walk, has_caps, mercis_now
from unshuffle.games.belle_lucie.hidden.values import AnyValues
from unshuffle.games.belle_lucie.moves import Merci
from unshuffle.games.belle_lucie.rules import Rules, State
from unshuffle.hidden.stopping import deaf
from unshuffle.registry import game_of
from unshuffle.rulebook import write_rules
from unshuffle.solve import has_twin, replay
from unshuffle.solve.shorten import shorten


@dataclass(frozen=True, slots=True)
class Alternative:
    """A way to play this deal: its moves, where they leave the foundations, and what that is worth."""

    moves: Line
    heights: Heights
    mercis: int
    """Mercis left after it."""
    value: float
    """What the planner compares: a value 0..1 of a table, and 1 for a win."""
    chance: float | None
    """The chance to win the game; None if no table was made for these rules."""
    se: float | None
    """Its standard error."""

    @property
    def wins(self) -> bool:
        """True if the moves win the game."""
        return self.heights == ALL_UP


@dataclass(frozen=True, slots=True)
class Plan(Alternative):
    """What to do in this deal: play the moves, then deal again if a redeal is left."""

    redeals: bool
    """True if the rest is to be dealt again after the moves."""
    complete: bool
    """False if the search was cut short: there may be a better plan."""
    most_cards: Alternative | None
    """The play that brings most cards up; of several the one that is worth most. None if it was not asked for."""
    next_best: Alternative | None
    """The best play that leaves other heights; None if the deal is won, in the last deal, or if not asked for."""
    nodes: int
    seconds: float


AlternativeT = TypeVar("AlternativeT", bound=Alternative)


def plan(state: State, *, values: AnyValues | None = None, alternatives: bool = True) -> Plan:
    """Return the best plan for this deal by the tables of its rules, or by `values`; known redeals are ignored.

    In the last deal that is a win, or else the most cards. Without `alternatives` only the plan itself is computed, and
    its moves are not replayed here: in mass play the rules check every move anyway.
    """
    table = state.view().table
    game = game_of(table)
    native = engine.native()
    chosen = tables.of_rules(table.rules) if values is None else values
    if native is not None and has_twin(game):
        packed = _packed(table.rules) if values is None else values.pack(table.rules)
        with deaf():
            found = native.plan(
                game.engine_id, write_rules(table.rules), game.wire(table), packed, alternatives=alternatives
            )
        made = _read(table, chosen, found)
    else:
        with deaf():
            made = make_plan(table, chosen, alternatives)
    if not alternatives:
        return made
    most_cards, next_best = (
        None if part is None else _shortened(table, part) for part in (made.most_cards, made.next_best)
    )
    return replace(_shortened(table, made), most_cards=most_cards, next_best=next_best)


@lru_cache
def _packed(rules: Rules) -> bytes:
    return tables.of_rules(rules).pack(rules)


def _read(table: State, values: AnyValues, found: dict[str, Any]) -> Plan:
    """Return the engine's answer as a plan."""
    complete = found["complete"]

    def read(part: dict[str, Any]) -> dict[str, Any]:
        moves = tuple(map(game_of(table).parse_move, part["moves"]))
        clubs, diamonds, hearts, spades = part["heights"]
        return _judge(table, values, moves, (clubs, diamonds, hearts, spades), part["mercis"], complete)

    most_cards, next_best = found.get("most_cards"), found.get("next_best")
    return Plan(
        **read(found),
        redeals=found["redeal"],
        complete=complete,
        most_cards=None if most_cards is None else Alternative(**read(most_cards)),
        next_best=None if next_best is None else Alternative(**read(next_best)),
        nodes=found["nodes"],
        seconds=found["seconds"],
    )


def _judge(
    table: State, values: AnyValues, moves: Line, heights: Heights, mercis: int, complete: bool
) -> dict[str, Any]:
    """Return the fields of an alternative: the value of leaving the deal there."""
    part = {"moves": moves, "heights": heights, "mercis": mercis}
    if heights == ALL_UP:
        return part | {"value": 1.0, "chance": 1.0, "se": 0.0}
    if table.redeals_left == 0:
        # A search that was cut short has not shown that the game is lost.
        return part | {"value": 0.0, "chance": 0.0 if complete else None, "se": 0.0 if complete else None}
    left = table.redeals_left - 1
    shown = values.shown(heights, left, mercis)
    chance, se = (None, None) if shown is None else (shown.p, shown.se)
    return part | {"value": values.at(heights, left, mercis), "chance": chance, "se": se}


def _shortened(table: State, part: AlternativeT) -> AlternativeT:
    """Return the alternative without moves that it does not need, replayed by the rules."""
    try:
        line = replay(table, part.moves)
        end = line.states[-1]
        if (end.foundations, end.mercis) == (part.heights, part.mercis):
            # A line that puts up as many cards puts up the same ones: only builds, and a merci, can be idle.
            shorter = shorten(line)
            return replace(part, moves=shorter.moves) if shorter.states[-1].mercis == part.mercis else part
        what = f"the plan's moves lead to the heights {end.foundations} with {end.mercis} mercis left"
    except IllegalMoveError as error:
        what = f"a move of the plan breaks the rules ({error.reason})"
    tokens = " ".join(move.token for move in part.moves)
    aim = f"aim: {part.heights}, mercis left: {part.mercis}"
    raise InternalError(what, f"rules: {table.rules!r}\nmoves: {tokens}\n{aim}\nposition:\n{table}")


# The Python side.


def make_plan(table: State, values: AnyValues, alternatives: bool) -> Plan:
    """Return the plan, computed by the Python side."""
    begun = perf_counter()
    kind = _Capped if has_caps(table.rules, mercis_now(table)) else _Walked
    search: _Capped | _Walked = kind(table, values)
    best_first = search.best_first()
    best = next(best_first)
    next_best = None
    if alternatives and best["heights"] != ALL_UP and table.redeals_left:
        next_best = next((part for part in best_first if part["heights"] != best["heights"]), None)
    return Plan(
        **best,
        redeals=table.redeals_left > 0 and best["heights"] != ALL_UP,
        complete=search.complete,
        most_cards=Alternative(**search.most_cards()) if alternatives else None,
        next_best=None if next_best is None else Alternative(**next_best),
        nodes=search.nodes,
        seconds=perf_counter() - begun,
    )


def _rank(part: dict[str, Any]) -> tuple[Any, ...]:
    """Return a sort key: best value, then most cards up, then higher clubs, diamonds, hearts, then most mercis left."""
    heights = part["heights"]
    return -part["value"], -sum(heights), *(-height for height in heights), -part["mercis"]


class _Capped:
    """Planning by targets in descending value: the first that the search with capped foundations meets is best."""

    complete = True

    def __init__(self, table: State, values: AnyValues) -> None:
        self._table = table
        self._values = values
        self._reach = Reach(table)
        self._spendable = range(mercis_now(table) + 1)

    @property
    def nodes(self) -> int:
        return self._reach.nodes

    def best_first(self) -> Iterator[dict[str, Any]]:
        for spent in self._spendable:
            # In the last deal most searches end at once when only a win is sought.
            line = self._reach.frontier(spent).get(ALL_UP) if self._table.redeals_left else self._reach.win(spent)
            if line is not None:
                yield self._judge(line, ALL_UP, _spent(line))
                return
        if self._table.redeals_left == 0:
            yield self.most_cards()
            return
        targets = [
            self._judge((), heights, spent) for spent in self._spendable for heights in self._reach.targets(spent)
        ]
        targets.sort(key=_rank)
        for target in targets:
            spendable = self._table.mercis - target["mercis"]
            line = self._reach.line_to(target["heights"], spendable)
            # A line that spends less belongs to a target of its own, which is worth more.
            if line is not None and _spent(line) == spendable:
                yield target | {"moves": line}

    def most_cards(self) -> dict[str, Any]:
        ends = [
            self._judge(line, heights, _spent(line))
            for spent in self._spendable
            for heights, line in self._reach.frontier(spent).items()
        ]
        return _most_cards(ends)

    def _judge(self, line: Line, heights: Heights, spent: int) -> dict[str, Any]:
        return _judge(self._table, self._values, line, heights, self._table.mercis - spent, True)


def _spent(line: Line) -> int:
    return sum(isinstance(move, Merci) for move in line)


class _Walked:
    """Planning by the stops that a walk over the positions has found."""

    def __init__(self, table: State, values: AnyValues) -> None:
        walk = Walk(table)
        self.complete = walk.is_complete or any(heights == ALL_UP for heights, _ in walk.stops)
        self.nodes = walk.nodes
        self._parts = [
            _judge(table, values, line, heights, mercis, self.complete)
            for (heights, mercis), line in walk.stops.items()
        ]

    def best_first(self) -> Iterator[dict[str, Any]]:
        return iter(sorted(self._parts, key=_rank))

    def most_cards(self) -> dict[str, Any]:
        return _most_cards(self._parts)


def _most_cards(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    most = max(sum(part["heights"]) for part in parts)
    return min((part for part in parts if sum(part["heights"]) == most), key=_rank)
