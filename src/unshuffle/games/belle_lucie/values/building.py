"""Building of the value tables, level by level: the deals before a redeal are played by the values of the level below.

The file depends neither on the number of threads nor on interruptions: progress is kept beside it until all is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import sqrt
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from unshuffle import engine
from unshuffle.errors import UsageError, unknown
from unshuffle.files import write_whole
from unshuffle.games.belle_lucie import BelleLucie
from unshuffle.games.belle_lucie.hidden.sampling import Sums, sample_values
from unshuffle.games.belle_lucie.hidden.values import (
    FORMAT,
    STATES,
    TABLES,
    Block,
    Plane,
    Value,
    Values,
    mercis_of_planes,
    read_text,
    write_block,
    write_row,
)
from unshuffle.games.belle_lucie.rules import Rules
from unshuffle.pieces import Pace
from unshuffle.rulebook import write_rules
from unshuffle.solve import cores, has_twin
from unshuffle.values.building import alone, begun_otherwise, damaged, partial_of

if TYPE_CHECKING:
    import numpy

SAMPLES: Mapping[str, tuple[int, int, int]] = {
    "none": (20_000, 6_000, 3_000),
    "play": (10_000, 5_000, 2_500),
    "front": (10_000, 5_000, 2_500),
    "second-any": (10_000, 1_600, 400),
    "build-any": (200, 100, 50),
}
"""The number of deals for each state: in the last deal, before one redeal, and before more."""
LEVELS = 3
SEED = 1
SMOOTHED_BELOW = 1_600
"""Fewer deals leave noise that costs wins: the values of such a table are replaced by a fit."""

# A piece of work is sized to take about this time: an interruption loses at most a piece.
_PIECE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Recipe:
    """The settings of a build."""

    tables: Sequence[str] = tuple(TABLES)
    levels: int = LEVELS
    samples: int | None = None
    """Deals for each state of every table; None: as many as each table needs."""
    seed: int = SEED

    def __post_init__(self) -> None:
        for name in self.tables:
            if name not in TABLES:
                raise unknown("table of values", name, TABLES)
        if not 1 <= self.levels <= 9:
            raise UsageError(f"{self.levels} levels: there are 1..9, for 0..8 redeals left")
        if self.samples is not None and not 2 <= self.samples <= 10_000_000:
            raise UsageError(f"{self.samples:,} deals for each state: 2..10,000,000 can be sampled")

    @property
    def command(self) -> str:
        """The one command that builds this again."""
        words = ["unshuffle values build belle-lucie"]
        if tuple(self.tables) != tuple(TABLES):
            words += [f"--table {name}" for name in self.tables]
        words += [f"--levels {self.levels}"] if self.levels != LEVELS else []
        words += [f"--samples {self.samples}"] if self.samples is not None else []
        words += [f"--seed {self.seed}"] if self.seed != SEED else []
        return " ".join(words)

    def header(self) -> str:
        """Return the first lines of the file."""
        lines = [
            FORMAT,
            "game: belle-lucie",
            f"command: {self.command}",
            f"engine: {_engine_version()}",
            f"seed: {self.seed}",
            "rows: chance to win, standard error, deals sampled (0: exact); one for each state, which are the heights",
            "of the foundations in ascending order, from 0 0 0 0 to 13 13 13 13 in lexicographic order",
        ]
        plain = write_rules(Rules())
        for name in self.tables:
            rules = write_rules(TABLES[name])
            lines.append(f"rules of {name}: {' '.join(f'{k}={v}' for k, v in rules.items() if v != plain[k])}")
        return "\n".join(lines) + "\n"

    def planes(self) -> Iterator[Block]:
        """Yield every plane in the order of building, still without its rows."""
        for name in self.tables:
            for level in range(self.levels):
                for mercis in mercis_of_planes(TABLES[name]):
                    like = self.same_as(name, mercis)
                    samples = self.samples if self.samples is not None else SAMPLES[like][min(level, 2)]
                    yield Block(name, level, mercis, samples, samples < SMOOTHED_BELOW)

    def same_as(self, name: str, mercis: int) -> str:
        """Return the table with the same plane: with no merci left, that of the game without, if built before."""
        before = self.tables[: self.tables.index(name)]
        return "none" if mercis == 0 and TABLES[name].build == "suit" and "none" in before else name


def _engine_version() -> str:
    native = engine.native()
    if native is not None:
        return f"native {native.version()}"
    from unshuffle import __version__

    return f"python {__version__}"


Progress = Callable[[Block, int, int], object]
"""Called with the plane that is being built, the number of states that are done in all planes, and of all states."""


def build(recipe: Recipe, out: Path, *, threads: int | None = None, progress: Progress | None = None) -> None:
    """Build the tables into a file; after an interruption the same call continues where it ended."""
    import gzip  # imported here: reading the tables does not need it

    with alone(out):
        work = _Work(recipe, partial_of(out), threads or cores(), progress)
        try:
            parts = [f"\n{write_block(block)}" for block in work.run()]
        finally:
            work.keep()
        write_whole(out, gzip.compress((recipe.header() + "".join(parts)).encode("ascii"), 9, mtime=0))
        work.partial.unlink(missing_ok=True)


@dataclass(slots=True)
class _Work:
    """The planes built so far."""

    recipe: Recipe
    partial: Path
    threads: int
    progress: Progress | None
    rows: dict[tuple[str, int, int], list[str]] = field(default_factory=dict)
    pace: Pace = field(default_factory=lambda: Pace(_PIECE_SECONDS, first=10, most=len(STATES)))
    """The number of states in one call."""
    kept_at: float = field(default_factory=monotonic)
    is_kept: bool = True

    def run(self) -> Iterator[Block]:
        """Yield plane after plane as it is built; a level is sampled with the levels below it."""
        planes = list(self.recipe.planes())
        self._take_up()
        levels: list[list[Plane]] = []
        for block in planes:
            if block.mercis == mercis_of_planes(TABLES[block.table])[0]:
                levels = [*levels[: block.level], []]
            rows = self.rows.setdefault((block.table, block.level, block.mercis), [])
            like = self.recipe.same_as(block.table, block.mercis)
            if like != block.table:
                rows[:] = self.rows[like, block.level, block.mercis]
            while len(rows) < len(STATES):
                begun = monotonic()
                states = range(len(rows), min(len(rows) + self.pace.size, len(STATES)))
                rows += self._sample(block, levels[:-1], states)
                self.is_kept = False
                self.pace.adapt(len(states), monotonic() - begun)
                if monotonic() - self.kept_at > _PIECE_SECONDS:
                    self.keep()
                if self.progress is not None:
                    self.progress(block, sum(map(len, self.rows.values())), len(planes) * len(STATES))
            done = replace(block, text="".join(smooth(rows) if block.is_smoothed else rows))
            levels[-1].append(done.plane())
            yield done

    def _sample(self, block: Block, below: list[list[Plane]], states: range) -> list[str]:
        rules = replace(TABLES[block.table], redeals=block.level)
        values = Values(below, mercis_of_planes(rules)[0]) if below else None
        how: dict[str, Any] = {
            "redeals_left": block.level,
            "mercis": block.mercis,
            "samples": block.samples,
            "seed": self.recipe.seed,
        }
        native = engine.native()
        found: list[Sums]
        if native is not None and has_twin(BelleLucie(**asdict(rules))):
            packed = None if values is None else values.pack(rules)
            game, written = BelleLucie.id, write_rules(rules)
            how |= {"values": packed, "threads": self.threads}
            found = native.sample_values(game, written, states=list(states), **how)
        else:
            found = sample_values(rules, states=states, values=values, **how)
        return [write_row(_value(*sums)) for sums in found]

    def _take_up(self) -> None:
        if not self.partial.exists():
            return
        text = self.partial.read_text(encoding="ascii", errors="replace")
        header, blocks = read_text(text, str(self.partial))
        if header + "\n" != self.recipe.header():
            raise begun_otherwise(self.partial)
        if not text.endswith("\n"):
            raise damaged(self.partial, "its last line is cut off")
        known = {(block.table, block.level, block.mercis) for block in self.recipe.planes()}
        for block in blocks:
            try:
                plane = block.plane()
            except ValueError as error:
                raise damaged(self.partial, error) from None
            key = block.table, block.level, block.mercis
            if key not in known or len(plane.p) > len(STATES) or not all(0 <= p <= 1 for p in plane.p):
                raise damaged(self.partial, f"table {block.table}, {block.level} redeals left")
            self.rows[key] = block.text.splitlines(keepends=True)

    def keep(self) -> None:
        """Write the progress to the partial file."""
        if self.is_kept:
            return
        parts = [
            f"\n{write_block(replace(block, text=''.join(rows)))}"
            for block in self.recipe.planes()
            if (rows := self.rows.get((block.table, block.level, block.mercis)))
        ]
        write_whole(self.partial, (self.recipe.header() + "".join(parts)).encode("ascii"))
        self.kept_at, self.is_kept = monotonic(), True


def _value(total: float, squares: float, n: int) -> Value:
    if n == 0:
        return Value(total, 0.0, 0)
    p = total / n
    # If all deals have the same value, take 1/n as the error: the next deal might have been the first to differ.
    return Value(p, sqrt(max(squares / n - p * p, 0.0) / (n - 1)) or 1 / n, n)


def smooth(rows: Sequence[str]) -> list[str]:
    """Return the rows with a fit's values in place of noisy ones; the error is the fit's, the same for all states.

    It is a logistic fit on ten terms. Exact values stay.
    """
    import numpy as np

    values = Block("", 0, 0, 0, False, "".join(rows)).plane()
    p, se, n = np.array(values.p), np.array(values.se), np.array(values.n)
    noisy = n > 0
    terms = _terms(STATES)
    weights = np.where(noisy, n, n.max())
    weights[-1] = 0  # nothing is left to deal there
    fit = _fit(terms, p, weights)
    # The error has two parts: what the fit misses beyond the noise of the sample, and the noise left in the fit.
    noise = float(np.mean(se[noisy] ** 2))
    missed = max(float(np.mean((fit - p)[noisy] ** 2)) - noise, 0.0)
    error = sqrt(missed + noise * terms.shape[1] / len(terms))
    return [
        write_row(Value(float(fit[place]), error, int(n[place]))) if noisy[place] else rows[place]
        for place in range(len(rows))
    ]


def _terms(states: Sequence[tuple[int, ...]]) -> numpy.ndarray[Any, Any]:
    import numpy as np

    left = 13.0 - np.array(states)
    cards = np.maximum(left.sum(axis=1), 1.0)
    one, two = cards % 3 == 1, cards % 3 == 2
    return np.column_stack(
        (
            np.ones(len(states)),
            cards,
            np.sqrt(cards),
            one,
            two,
            (left > 0).sum(axis=1),
            left.max(axis=1),
            one / cards,
            two / cards,
            (left**2).sum(axis=1) / 13,
            left.min(axis=1),
        )
    )


def _fit(terms: Any, p: Any, weights: Any) -> Any:
    """Return the logistic fit, by Newton's method."""
    import numpy as np

    scale = terms.std(axis=0)
    scale[0] = 1
    terms = terms / scale
    factors = np.zeros(terms.shape[1])
    for _ in range(50):
        fit = 1 / (1 + np.exp(-terms @ factors))
        spread = weights * fit * (1 - fit)
        step = np.linalg.solve((terms * spread[:, None]).T @ terms, terms.T @ (weights * (p - fit)))
        factors += step
        if np.abs(step).max() < 1e-10:
            break
    return 1 / (1 + np.exp(-terms @ factors))
