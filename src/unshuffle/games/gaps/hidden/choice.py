"""Ways to end a phase of Gaps, and which of them to choose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unshuffle.games.gaps.hidden import values
from unshuffle.games.gaps.hidden.ends import Moves, shape_of
from unshuffle.games.gaps.hidden.foresight import Locks
from unshuffle.games.gaps.rules import Cells, Rules

_RIVALS = 5


@dataclass(frozen=True, slots=True)
class Known:
    """A phase that comes if the model is right: its board, and what to play on it."""

    layout: Cells
    moves: Moves
    wins: bool


@dataclass(frozen=True, slots=True)
class Option:
    """A way to end this phase, and what that is worth."""

    moves: Moves
    locks: Locks
    chance: float | None
    """The chance to win the game; None if nobody knows."""
    se: float | None
    """Its standard error; None if nobody knows it, 0 if the chance is exact."""
    known: tuple[Known, ...] = ()
    """The phases that follow, as far as the model foretells them."""
    foretold: int = 0
    """How many boards the next redeal may bring by the model; 0 if it foretells nothing."""
    tries: int = 0
    """Simulated redeals that the chance rests on beside the table."""

    @property
    def score(self) -> int:
        """Locked cards."""
        return sum(length for _, length in self.locks)

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths, longest first."""
        return shape_of(self.locks)


def policy_of(rules: Rules) -> str:
    """The way of choosing that measures best over whole games; without a table of values, the best of the others."""
    if values.table_of(rules) is not None:
        return "value"
    return "fresh" if rules.early_redeal else "max-locked"


# Orders. Between equals more locked cards, then fewer moves.


def chosen(policy: str, options: Sequence[Option]) -> Option:
    """The end that the policy takes."""
    if policy == "fresh":
        return min(options, key=_fresh_first)
    return max(options, key=value_first if policy == "value" else most_first)


def value_first(option: Option) -> tuple[float, ...]:
    """By the chance to win."""
    return -1.0 if option.chance is None else option.chance, option.score, -len(option.moves)


def most_first(option: Option) -> tuple[float, ...]:
    """By the number of locked cards."""
    return option.score, -1.0 if option.chance is None else option.chance, -len(option.moves)


def _fresh_first(option: Option) -> tuple[float, ...]:
    return option.score, len(option.moves)


def others(best: Option, ranked: Sequence[Option]) -> Iterator[Option]:
    """The first few ends of other shapes."""
    met = {best.shape}
    for option in ranked:
        if option.shape not in met and len(met) <= _RIVALS:
            met.add(option.shape)
            yield option
