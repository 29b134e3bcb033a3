"""The policies of Gaps. Each searches a phase when it is dealt, and wins it or chooses an end and redeals."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from struct import unpack_from
from typing import Any

from unshuffle.errors import UsageError, quote
from unshuffle.game import AnyGame
from unshuffle.games.gaps import State
from unshuffle.games.gaps.hidden import values
from unshuffle.games.gaps.hidden.ends import Budget, End, Moves, Searches
from unshuffle.games.gaps.hidden.planner import played_out
from unshuffle.games.gaps.rules import Rules
from unshuffle.hidden.planned import Planned
from unshuffle.hidden.policy import Counted, Make, Policy
from unshuffle.solve import Line, Status, replay

NODES = 300_000
"""The default node limit of a phase: about a third of a second in the engine."""
_MOST_NODES = 10**12
_MOST_SECONDS = 86_400
_MEMORY = 64_000_000
_PATIENCE = 1_000
"""Free 2s could move for ever, so with them a phase ends after this many moves without a better score."""
_BUDGET = re.compile(r"(?P<nodes>[0-9]{1,13})|(?P<seconds>[0-9]{1,6}(\.[0-9]{1,6})?)s")


class Thinking(Planned):
    """A policy that searches each phase within a limit of nodes or seconds, and plays a win if it finds one.

    With nodes the engine plays the same on every machine; with seconds it does not. The Python side searches in another
    order and may find other ends, so it plays other games by the same rule.
    """

    keeps_lines = True
    counted = Counted("redeals", "when the game ended", "by redeals taken,", is_moves=False)
    choice: str
    """The first part of the name."""

    def __init__(self, nodes: int | None = NODES, seconds: float | None = None, redeals: int = 3) -> None:
        self.nodes = nodes
        self.seconds = seconds
        self.uses_clock = seconds is not None
        self.redeals = redeals
        self.name = f"{self.choice}:{nodes if seconds is None else f'{seconds:g}s'}"
        if self.engine_policy is not None:  # a subclass without an engine twin has none
            self.engine_policy = self.name

    @abstractmethod
    def rank(self, table: State, end: End) -> tuple[float, ...]:
        """Return a key of the end; the policy takes the end with the greatest key."""

    def line(self, table: State) -> Moves:
        """Return the moves of a win if one is found, else those to the end with the greatest rank."""
        found = Searches().ends(table, Budget(self.seconds, self.nodes, _MEMORY, threads=1))
        if not table.redeals_left or (found.status is Status.SOLVED and _is_patient(table, found.moves)):
            moves = found.moves[: _patience(table, found.moves)]
            return moves if table.rules.has_free_twos else _to_the_end(table, moves)
        ends = list(found.ends)
        if not table.rules.early_redeal:
            # The best line may be the only one found; play it out, for a redeal requires that no card can move.
            moves = played_out(table, found.moves)
            ends.append(End(replay(table, moves).states[-1].locks, moves))
        elif table.may_redeal:
            ends.append(End(table.locks, ()))
        patient = [end for end in ends if _is_patient(table, end.moves)]
        return max(patient, key=lambda end: (*self.rank(table, end), -len(end.moves))).moves

    @property
    def rule_words(self) -> Mapping[int, str]:
        """The classes of games that take the place of rules: after how many redeals a game ended."""
        words = {0: "before any redeal", 1: "after 1 redeal"}
        return {number: words.get(number, f"after {number} redeals") for number in range(self.redeals + 1)}

    def rule_counts(self, line: Line) -> Mapping[int, int]:
        """Count one game under the number of redeals that it took."""
        return {line.states[-1].used: 1}


def _to_the_end(table: State, moves: Moves) -> Moves:
    """Return the line of a last phase, extended until no card can move."""
    end: State = replay(table, moves).states[-1]
    line = list(moves)
    while end.outcome is None:
        line.append(next(end.card_moves()))
        end = end.play(line[-1])
    return tuple(line)


def _patience(table: State, moves: Moves) -> int:
    """Return how many moves of a line are played until `_PATIENCE` moves bring no better score."""
    if len(moves) <= _PATIENCE or not table.rules.has_free_twos:
        return len(moves)
    best, since = table.score, 0
    for place, state in enumerate(replay(table, moves).states[1:]):
        if since == _PATIENCE:
            return place
        since += 1
        if state.score > best:
            best, since = state.score, 0
    return len(moves)


def _is_patient(table: State, moves: Moves) -> bool:
    return _patience(table, moves) == len(moves)


class MaxLocked(Thinking):
    """The policy that takes the most locked cards, then the shorter line."""

    choice = engine_policy = "max-locked"

    def rank(self, table: State, end: End) -> tuple[float, ...]:
        """Return the number of locked cards."""
        return (end.score,)


class BestValue(Thinking):
    """The policy that takes the greatest chance to win by the table; ties: more locked cards, then fewer moves."""

    choice = engine_policy = "value"

    def check(self, game: AnyGame) -> None:
        """Raise UsageError if there are no values for these rules."""
        if self.packed_values(game.rules) is None:
            raise UsageError(f"there are no redeal values for {game}, so the policy 'value' cannot play it")

    def packed_values(self, rules: Rules) -> bytes | None:
        """Return the values of these rules in the engine's format; None if there are none."""
        return _packed(rules)

    def rank(self, table: State, end: End) -> tuple[float, ...]:
        """Return the value, then the number of locked cards."""
        return _chance(_packed(table.rules) or b"", end.shape, table.redeals_left), end.score


@lru_cache(maxsize=16)
def _packed(rules: Rules) -> bytes | None:
    return values.packed(rules)


def _chance(packed: bytes, shape: Sequence[int], redeals_left: int) -> float:
    """Return the chance as the engine reads it; redeals beyond those of the table do not count."""
    shapes = (len(packed) - 4) // 4 // packed[3]
    plane = min(redeals_left, packed[3]) - 1
    chance: float = unpack_from("<f", packed, 4 + 4 * (plane * shapes + values.index(shape)))[0]
    return chance


class Fresh(Thinking):
    """The policy that locks as little as possible: it gives up at once a phase that it cannot win."""

    choice = engine_policy = "fresh"

    def check(self, game: AnyGame) -> None:
        """Raise UsageError if a redeal must wait until no card can move."""
        if not game.rules.early_redeal:
            raise UsageError(
                f"the policy 'fresh' gives a phase up at once, and in {game} a redeal waits until no card can move"
                " (early_redeal=no)"
            )

    def rank(self, table: State, end: End) -> tuple[float, ...]:
        """Return minus the number of locked cards."""
        return (-end.score,)


def _make(policy: type[Thinking]) -> Make:
    def make(game: AnyGame, text: str) -> Policy:
        return policy(**_read_budget(policy.choice, text.strip()), redeals=game.rules.redeals)

    return make


def _read_budget(policy: str, text: str) -> dict[str, Any]:
    """Return the arguments for a budget: `300000` (nodes), `0.3s`, or nothing."""
    found = _BUDGET.fullmatch(text)
    if not text:
        return {}
    if found is not None and found["nodes"] is not None and 1 <= int(found["nodes"]) <= _MOST_NODES:
        return {"nodes": int(found["nodes"])}
    if found is not None and found["seconds"] is not None and 0 < float(found["seconds"]) <= _MOST_SECONDS:
        return {"nodes": None, "seconds": float(found["seconds"])}
    raise UsageError(
        f"{quote(text)} in the policy {policy!r}: expected what a phase may cost, positions (1..{_MOST_NODES:,})"
        f" such as {policy}:300000 or seconds (up to {_MOST_SECONDS:,}) such as {policy}:0.3s"
    )


POLICIES: dict[str, Make] = {policy.choice: _make(policy) for policy in (MaxLocked, BestValue, Fresh)}
