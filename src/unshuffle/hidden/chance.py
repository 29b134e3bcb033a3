"""A win probability, and how it is written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chance:
    """A win probability and its standard error (0: exact; None: unknown)."""

    p: float
    se: float | None

    def __str__(self) -> str:
        return percent(self.p, self.se) + " (exact)" * (self.se == 0 and 0 < self.p < 1)


def what_it_brings(chance: Chance | None) -> str:
    """Return a clause on what a redeal brings; `chance` is the win probability of a game that only a redeal can win."""
    is_sure = chance is not None and (chance.p, chance.se) == (1, 0)
    return "some play wins whatever one brings" if is_sure else "what one brings nobody can say"


def percent(p: float, se: float | None = None) -> str:
    """Return a probability in percent, with its standard error if it has one: '24.1 % ± 0.1'."""
    digits = 1 if not se or se >= 0.0005 else 2
    error = f" ± {max(100 * se, 0.01):.{digits}f}" if se else ""
    value = "100" if p == 1 else "0" if p == 0 else f"{100 * p:.{digits}f}"
    return f"{value} %{error}"
