"""The options to end a phase of Gaps, and the choice among them."""

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
    """A phase that the model predicts: its board and the moves to play on it."""

    layout: Cells
    moves: Moves
    wins: bool


@dataclass(frozen=True, slots=True)
class Option:
    """An end of this phase, with its value."""

    moves: Moves
    locks: Locks
    chance: float | None
    """The chance to win the game; None if unknown."""
    se: float | None
    """The standard error of the chance; None if unknown, 0 if the chance is exact."""
    known: tuple[Known, ...] = ()
    """The phases that follow, as far as the model predicts them."""
    foretold: int = 0
    """How many boards the next redeal may bring by the model; 0 if it predicts nothing."""
    tries: int = 0
    """Simulated redeals that refine the chance of the table."""

    @property
    def score(self) -> int:
        """The number of locked cards."""
        return sum(length for _, length in self.locks)

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the runs, longest first."""
        return shape_of(self.locks)


def policy_of(rules: Rules) -> str:
    """Return the policy that measures best over whole games; without a table of values, the best of the others."""
    if values.table_of(rules) is not None:
        return "value"
    return "fresh" if rules.early_redeal else "max-locked"


# Sort keys. Ties are broken by more locked cards, then by fewer moves.


def chosen(policy: str, options: Sequence[Option]) -> Option:
    """Return the option that the policy takes."""
    if policy == "fresh":
        return min(options, key=_fresh_first)
    return max(options, key=value_first if policy == "value" else most_first)


def value_first(option: Option) -> tuple[float, ...]:
    """Return a sort key by the chance to win."""
    return -1.0 if option.chance is None else option.chance, option.score, -len(option.moves)


def most_first(option: Option) -> tuple[float, ...]:
    """Return a sort key by the number of locked cards."""
    return option.score, -1.0 if option.chance is None else option.chance, -len(option.moves)


def _fresh_first(option: Option) -> tuple[float, ...]:
    return option.score, len(option.moves)


def others(best: Option, ranked: Sequence[Option]) -> Iterator[Option]:
    """Yield the first options of other shapes than the best, one for each shape."""
    met = {best.shape}
    for option in ranked:
        if option.shape not in met and len(met) <= _RIVALS:
            met.add(option.shape)
            yield option
