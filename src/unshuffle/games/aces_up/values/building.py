"""Training of Aces Up's values and weights, into files.

A file does not depend on how often the work was interrupted: progress is kept beside it until all is done.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from math import floor, isfinite
from pathlib import Path
from struct import pack, unpack
from time import monotonic
from typing import Any, Protocol

from unshuffle import __version__, engine
from unshuffle.errors import UsageError
from unshuffle.files import write_whole
from unshuffle.games.aces_up import AcesUp
from unshuffle.games.aces_up.hidden.values import SCALE, SIZE, Values, format_values
from unshuffle.games.aces_up.values.training import FIRST_STEP, LAST_STEP, STRAYS, learn
from unshuffle.pieces import Pace
from unshuffle.rulebook import write_rules
from unshuffle.solve import has_twin
from unshuffle.values.building import alone, begun_otherwise, damaged, partial_of

GAMES = 1_000_000
SEED = 1
MOST_GAMES = 1_000_000_000

_PIECE_SECONDS, _MOST = 1.0, 1 << 20
"""A piece of work takes about this time, and at most `_MOST` steps. An interruption loses at most one piece."""
_KEPT_FORMAT = "unshuffle-aces-up-training 1"


class Buildable(Protocol):
    """A recipe for numbers that are found step by step."""

    @property
    def provenance(self) -> dict[str, Any]:
        """Where the numbers come from, as recorded in the file."""
        ...

    @property
    def steps(self) -> int:
        """The number of steps."""
        ...

    def start(self) -> list[float]:
        """Return the numbers before the first step."""
        ...

    def go_on(self, numbers: list[float], steps: range, threads: int | None) -> list[float]:
        """Return the numbers after these steps."""
        ...

    def text(self, numbers: list[float]) -> str:
        """Return the text of the file."""
        ...


@dataclass(frozen=True, slots=True)
class Recipe:
    """The settings of a training of values."""

    games: int = GAMES
    """The number of training games."""
    seed: int = SEED

    def __post_init__(self) -> None:
        if not 1 <= self.games <= MOST_GAMES:
            raise UsageError(f"{self.games:,} games to learn from: expected 1..{MOST_GAMES:,}")

    @property
    def command(self) -> str:
        """The one command that builds this again."""
        words = ["unshuffle values build aces-up"]
        words += [f"--games {self.games}"] if self.games != GAMES else []
        words += [f"--seed {self.seed}"] if self.seed != SEED else []
        return " ".join(words)

    @property
    def provenance(self) -> dict[str, Any]:
        """Where the values come from, as recorded in the file."""
        return {
            "command": self.command,
            "version": __version__,
            "seed": self.seed,
            "games": self.games,
            "method": f"temporal differences, steps {FIRST_STEP:g} to {LAST_STEP:g}, one choice in {STRAYS} by chance",
            "variant": "standard",
        }

    @property
    def steps(self) -> int:
        """The number of steps; each is a game."""
        return self.games

    def start(self) -> list[float]:
        """Return zeros: nothing is known."""
        return [0.0] * SIZE

    def go_on(self, numbers: list[float], steps: range, threads: int | None) -> list[float]:
        """Play these games; each learns from those before it, so threads are of no use."""
        game, native = AcesUp(), engine.native()
        if native is not None and has_twin(game):
            found = native.train(
                AcesUp.id,
                write_rules(game.rules),
                seed=self.seed,
                first=steps.start,
                last=steps.stop,
                of=self.games,
                numbers=pack(f"<{SIZE}d", *numbers),
            )
            return list(unpack(f"<{SIZE}d", found))
        numbers = list(numbers)
        for number in steps:
            learn(numbers, game.rules, self.seed, number, self.games)
        return numbers

    def text(self, numbers: list[float]) -> str:
        """Return the text of the file, with the values in thousandths."""
        return format_values(Values(tuple(floor(number * SCALE + 0.5) for number in numbers)), self.provenance)


Progress = Callable[[int, int], object]
"""Called with the number of steps that are done, and of all steps."""


def build(recipe: Buildable, out: Path, *, threads: int | None = None, progress: Progress | None = None) -> None:
    """Build the file; after an interruption the same call continues where it ended."""
    with alone(out):
        work = _Work(recipe, partial_of(out), recipe.start())
        work.take_up()
        try:
            while work.done < recipe.steps:
                work.go_on(threads)
                if progress is not None:
                    progress(work.done, recipe.steps)
        finally:
            work.keep()
        write_whole(out, recipe.text(work.numbers).encode())
        work.partial.unlink(missing_ok=True)


@dataclass(slots=True)
class _Work:
    """The numbers found so far."""

    recipe: Buildable
    partial: Path
    numbers: list[float]
    done: int = 0
    pace: Pace = field(default_factory=lambda: Pace(_PIECE_SECONDS, most=_MOST))
    """The number of steps made at once."""
    kept: int = 0

    def go_on(self, threads: int | None) -> None:
        """Make some more steps."""
        begun = monotonic()
        steps = range(self.done, min(self.done + self.pace.size, self.recipe.steps))
        # All or nothing: a piece that is interrupted is done again.
        self.numbers = self.recipe.go_on(self.numbers, steps, threads)
        self.done = steps.stop
        took = monotonic() - begun
        self.pace.adapt(len(steps), took)
        if took >= _PIECE_SECONDS / 2:
            self.keep()

    def take_up(self) -> None:
        """Continue with what was kept, if anything was."""
        if not self.partial.exists():
            return
        try:
            found = json.loads(self.partial.read_text(encoding="utf-8"))
            fits = (found["format"], found["recipe"]) == (_KEPT_FORMAT, self.recipe.provenance)
        except (ValueError, TypeError, KeyError, RecursionError):
            fits = False
        if not fits:
            raise begun_otherwise(self.partial)
        try:
            numbers, done = [float.fromhex(number) for number in found["numbers"]], int(found["done"])
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise damaged(self.partial, error) from None
        if len(numbers) != len(self.numbers) or not all(map(isfinite, numbers)) or not 0 <= done <= self.recipe.steps:
            raise damaged(self.partial, f"{len(numbers)} numbers, {done} steps")
        self.numbers, self.done, self.kept = numbers, done, done

    def keep(self) -> None:
        """Write the progress to the partial file."""
        if self.kept == self.done:
            return
        kept = {
            "format": _KEPT_FORMAT,
            "recipe": self.recipe.provenance,
            "done": self.done,
            "numbers": [number.hex() for number in self.numbers],
        }
        write_whole(self.partial, f"{json.dumps(kept)}\n".encode())
        self.kept = self.done
