"""The result of a search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from unshuffle.registry import game_of

if TYPE_CHECKING:
    from unshuffle.solve.replay import Line


class Status(StrEnum):
    """What is known about a deal. A limit that was hit proves nothing."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    NODE_LIMIT = "node-limit"
    TIME_LIMIT = "time-limit"
    MEMORY_LIMIT = "memory-limit"
    CANCELLED = "cancelled"
    UNKNOWN_REDEALS = "unknown-redeals"
    """Proved: no win without an unknown redeal. With the redeal the game may be won."""

    @property
    def is_decided(self) -> bool:
        """True if the question was answered."""
        return self in (Status.SOLVED, Status.UNSOLVABLE)


class Stats(Mapping[str, int | float]):
    """The counts of a search. Every field is an item and an attribute; `nodes` and `seconds` are always there."""

    __slots__ = ("_fields",)

    nodes: int
    """Positions expanded."""
    seconds: float
    """Time of the search itself."""

    def __init__(self, fields: Mapping[str, int | float]) -> None:
        self._fields = dict(fields)

    def __getitem__(self, name: str) -> int | float:
        return self._fields[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._fields:
            raise AttributeError(f"this search has no count {name!r}; it has {', '.join(self._fields)}")
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        return f"Stats({self._fields!r})"

    def __reduce__(self) -> tuple[type[Stats], tuple[dict[str, int | float]]]:
        return Stats, (self._fields,)


_TELLING = 1.0
"""Seconds: in less time a rate measures mostly the start, with its tables, threads and files."""


def per_second(count: float, seconds: float) -> float | None:
    """Return the count per second, or None if the time is too short for a rate."""
    return count / seconds if seconds >= _TELLING else None


@dataclass(frozen=True, slots=True)
class Result:
    """The result for one deal; the Python rules have replayed its line of play."""

    state: Any
    """The state that was searched."""
    status: Status
    moves: tuple[Any, ...]
    """The winning line, or the best line found."""
    score: int
    """The score at the end of the line."""
    score_proved: bool
    """True if no line of play does better; one that wins is better than any that does not."""
    stats: Stats
    engine: str
    """native or python."""
    _line: Line | None = field(default=None, repr=False, compare=False)

    @property
    def is_decided(self) -> bool:
        """True if the question was answered."""
        return self.status.is_decided

    @property
    def line(self) -> Line:
        """The moves with the states between them, as they were replayed when the result was made.

        A result of `solve_many` drops the states when the next result is requested, and a pickle has none: then the
        moves are replayed again.
        """
        from unshuffle.solve.replay import replay  # it imports this module

        return replay(self.state, self.moves) if self._line is None else self._line

    def drop_line(self) -> None:
        """Drop the states of the line: with them a result takes two to five times the memory of the moves alone."""
        object.__setattr__(self, "_line", None)

    def __reduce__(self) -> tuple[type[Result], tuple[Any, ...]]:
        return Result, tuple(getattr(self, each.name) for each in fields(self)[:-1])

    def _repr_html_(self) -> str:
        from unshuffle.notebook import write_result  # rarely needed

        return write_result(game_of(self.state), self)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a search."""

    nodes: int
    seconds: float
    score: int
    """The best score so far."""
    bound: int
    """The score that no line can exceed."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a search; `result` is what was found so far: `cancelled`, or a win that may not be the best."""

    def __init__(self, result: Result) -> None:
        super().__init__("interrupted")
        self.result = result
