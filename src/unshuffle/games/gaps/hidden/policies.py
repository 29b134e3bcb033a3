"""Gaps' own players. Each thinks about a phase when it lies on the table: wins it, or ends it and deals again."""

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
"""What a phase may cost if nothing is said: about a third of a second of the engine's."""
_MOST_NODES = 10**12
_MOST_SECONDS = 86_400
_MEMORY = 64_000_000
_PATIENCE = 1_000
"""With free 2s, which could go round for ever, a phase ends after so many moves without a better score."""
_BUDGET = re.compile(r"(?P<nodes>[0-9]{1,13})|(?P<seconds>[0-9]{1,6}(\.[0-9]{1,6})?)s")


class Thinking(Planned):
    """A player with so many positions, or seconds, for each phase. Winning it comes first.

    By positions the engine's play is the same everywhere; by seconds it is not. The Python side searches in another
    order and plays other games by the same rule.
    """

    keeps_lines = True
    counted = Counted("redeals", "when the game ended", "by redeals taken,", is_moves=False)
    choice: str
    """The first part of its name."""

    def __init__(self, nodes: int | None = NODES, seconds: float | None = None, redeals: int = 3) -> None:
        self.nodes = nodes
        self.seconds = seconds
        self.uses_clock = seconds is not None
        self.redeals = redeals
        self.name = f"{self.choice}:{nodes if seconds is None else f'{seconds:g}s'}"
        if self.engine_policy is not None:  # a player of another kind has none
            self.engine_policy = self.name

    @abstractmethod
    def rank(self, table: State, end: End) -> tuple[float, ...]:
        """How good it is to end the phase like this; great is good."""

    def line(self, table: State) -> Moves:
        """A win if one is found, else the moves to the end that is liked best."""
        found = Searches().ends(table, Budget(self.seconds, self.nodes, _MEMORY, threads=1))
        if not table.redeals_left or (found.status is Status.SOLVED and _is_patient(table, found.moves)):
            moves = found.moves[: _patience(table, found.moves)]
            return moves if table.rules.has_free_twos else _to_the_end(table, moves)
        ends = list(found.ends)
        if not table.rules.early_redeal:
            # The best line may be the only one that was found; a redeal waits until no card can move.
            moves = played_out(table, found.moves)
            ends.append(End(replay(table, moves).states[-1].locks, moves))
        elif table.may_redeal:
            ends.append(End(table.locks, ()))
        patient = [end for end in ends if _is_patient(table, end.moves)]
        return max(patient, key=lambda end: (*self.rank(table, end), -len(end.moves))).moves

    @property
    def rule_words(self) -> Mapping[int, str]:
        """In the place of rules: after how many redeals games end."""
        words = {0: "before any redeal", 1: "after 1 redeal"}
        return {number: words.get(number, f"after {number} redeals") for number in range(self.redeals + 1)}

    def rule_counts(self, line: Line) -> Mapping[int, int]:
        """One game, by the redeals that were taken in it."""
        return {line.states[-1].used: 1}


def _to_the_end(table: State, moves: Moves) -> Moves:
    """The line of a last phase, and whatever can be played after it."""
    end: State = replay(table, moves).states[-1]
    line = list(moves)
    while end.outcome is None:
        line.append(next(end.card_moves()))
        end = end.play(line[-1])
    return tuple(line)


def _patience(table: State, moves: Moves) -> int:
    """How far a line goes before its player loses patience."""
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
    """The most locked cards, then the shorter line."""

    choice = engine_policy = "max-locked"

    def rank(self, table: State, end: End) -> tuple[float, ...]:
        """Locked cards."""
        return (end.score,)


class BestValue(Thinking):
    """The greatest chance to win by the table of values; between equals more locked cards, then the shorter line."""

    choice = engine_policy = "value"

    def check(self, game: AnyGame) -> None:
        """There must be values for these rules."""
        if self.packed_values(game.rules) is None:
            raise UsageError(f"there are no redeal values for {game}, so the policy 'value' cannot play it")

    def packed_values(self, rules: Rules) -> bytes | None:
        """The values of these rules."""
        return _packed(rules)

    def rank(self, table: State, end: End) -> tuple[float, ...]:
        """Its value, then locked cards."""
        return _chance(_packed(table.rules) or b"", end.shape, table.redeals_left), end.score


@lru_cache(maxsize=16)
def _packed(rules: Rules) -> bytes | None:
    return values.packed(rules)


def _chance(packed: bytes, shape: Sequence[int], redeals_left: int) -> float:
    """As the engine reads it: with more redeals left than the table knows, the most that it knows."""
    shapes = (len(packed) - 4) // 4 // packed[3]
    plane = min(redeals_left, packed[3]) - 1
    chance: float = unpack_from("<f", packed, 4 + 4 * (plane * shapes + values.index(shape)))[0]
    return chance


class Fresh(Thinking):
    """As little locked as possible: a phase that is not won is given up at once."""

    choice = engine_policy = "fresh"

    def check(self, game: AnyGame) -> None:
        """It redeals while cards can move."""
        if not game.rules.early_redeal:
            raise UsageError(
                f"the policy 'fresh' gives a phase up at once, and in {game} a redeal waits until no card can move"
                " (early_redeal=no)"
            )

    def rank(self, table: State, end: End) -> tuple[float, ...]:
        """As few locked cards as can be."""
        return (-end.score,)


def _make(policy: type[Thinking]) -> Make:
    def make(game: AnyGame, text: str) -> Policy:
        return policy(**_read_budget(policy.choice, text.strip()), redeals=game.rules.redeals)

    return make


def _read_budget(policy: str, text: str) -> dict[str, Any]:
    """`300000` positions or `0.3s`."""
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
