"""Building the values of Aces Up's tables into a file.

The file does not depend on how often the work was broken off: what is done is kept beside it until all is done.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from math import floor
from pathlib import Path
from struct import pack, unpack
from time import monotonic
from typing import Any

from unshuffle import __version__, engine
from unshuffle.advise.aces_up.training import FIRST_STEP, LAST_STEP, STRAYS, learn
from unshuffle.advise.building import partial_of, write_whole
from unshuffle.errors import UsageError, quote
from unshuffle.games.aces_up import AcesUp
from unshuffle.games.aces_up.values import SCALE, SIZE, Values, format_values
from unshuffle.rulebook import write_rules
from unshuffle.solve import has_twin

GAMES = 1_000_000
SEED = 1
MOST_GAMES = 1_000_000_000

_PIECE_SECONDS = 1.0
"""A piece of work is made as large as what is done in about this time: so much is lost at the most."""
_KEPT_FORMAT = "unshuffle-aces-up-training 1"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is to be built."""

    games: int = GAMES
    """Games that are played to learn from."""
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
        """Where the values come from, as the file tells it."""
        return {
            "command": self.command,
            "version": __version__,
            "seed": self.seed,
            "games": self.games,
            "method": f"temporal differences, steps {FIRST_STEP:g} to {LAST_STEP:g}, one choice in {STRAYS} by chance",
            "variant": "standard",
        }


Progress = Callable[[int, int], object]
"""Called with the games that are played, and those that are to be played."""


def build(recipe: Recipe, out: Path, *, progress: Progress | None = None) -> None:
    """Build the values into a file; after an interruption the same call goes on where it ended."""
    out.parent.mkdir(parents=True, exist_ok=True)
    work = _Work(recipe, partial_of(out))
    work.take_up()
    try:
        while work.done < recipe.games:
            work.go_on()
            if progress is not None:
                progress(work.done, recipe.games)
    finally:
        work.keep()
    text = format_values(Values(tuple(map(_whole, work.numbers))), recipe.provenance)
    write_whole(out, text.encode())
    work.partial.unlink(missing_ok=True)


def _whole(number: float) -> int:
    return floor(number * SCALE + 0.5)


@dataclass(slots=True)
class _Work:
    """The numbers, as far as they have been found."""

    recipe: Recipe
    partial: Path
    numbers: list[float] = field(default_factory=lambda: [0.0] * SIZE)
    done: int = 0
    """Games that were learnt from."""
    size: int = 10
    """Games that are played at once."""
    kept: int = 0

    def go_on(self) -> None:
        """Play some more games."""
        begun = monotonic()
        last = min(self.done + self.size, self.recipe.games)
        # All or nothing: what is broken off in the midst of it is played again.
        self.numbers = self._learn(range(self.done, last))
        self.done = last
        took = monotonic() - begun
        if took < _PIECE_SECONDS / 2:
            self.size *= 2
        elif took > _PIECE_SECONDS:
            self.size = max(1, self.size // 2)
            self.keep()

    def _learn(self, games: range) -> list[float]:
        game, recipe, native = AcesUp(), self.recipe, engine.native()
        if native is not None and has_twin(game):
            found = native.train(
                AcesUp.id,
                write_rules(game.rules),
                seed=recipe.seed,
                first=games.start,
                last=games.stop,
                of=recipe.games,
                numbers=pack(f"<{SIZE}d", *self.numbers),
            )
            return list(unpack(f"<{SIZE}d", found))
        numbers = list(self.numbers)
        for number in games:
            learn(numbers, game.rules, recipe.seed, number, recipe.games)
        return numbers

    def take_up(self) -> None:
        """Go on with what was kept."""
        if not self.partial.exists():
            return
        try:
            found = json.loads(self.partial.read_text(encoding="utf-8"))
            fits = (found["format"], found["recipe"]) == (_KEPT_FORMAT, self.recipe.provenance)
            numbers, done = [float.fromhex(number) for number in found["numbers"]], int(found["done"])
        except (ValueError, TypeError, KeyError):
            fits, numbers, done = False, [], 0
        if not fits or len(numbers) != SIZE:
            raise UsageError(
                f"{quote(str(self.partial))} holds values that were begun with other settings; "
                "give those again, another --out, or remove the file"
            )
        self.numbers, self.done, self.kept = numbers, done, done

    def keep(self) -> None:
        """Write down what is done."""
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
