"""Building a table of what redeals of Gaps are worth: simulated redeals of some shapes, then the fit to them.

A file does not depend on the number of threads, nor on how often the work was broken off: what is sampled is kept
beside it until all is done.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from pathlib import Path
from time import monotonic
from typing import Any

from unshuffle import __version__, engine
from unshuffle.advise.building import alone, begun_otherwise, damaged, partial_of
from unshuffle.advise.gaps.sampling import sample_phases
from unshuffle.errors import UsageError, quote, unknown
from unshuffle.files import write_whole
from unshuffle.games.gaps.rules import MOST_SCORE
from unshuffle.games.gaps.values import SHAPES, TABLES, Shape, Table, index, write_table
from unshuffle.rulebook import write_rules
from unshuffle.solve import Status, cores

SAMPLES = 200
LEVELS = 3
SEED = 1
NODES = 2_000_000
"""Positions that the search of a phase may look at: what a player has who thinks for a second or two."""
MEMORY = 64_000_000

_FRESH = 3
"""A board with nothing locked is sampled so many times as often: no other shape is like it, and it comes most often."""

# A piece of work is made as large as what is done in about this time: so much is lost at the most.
_PIECE_SECONDS = 1.0
_KEPT_FORMAT = "unshuffle-gaps-samples 1"
_LETTERS = {Status.SOLVED: "w", Status.UNSOLVABLE: "l"}
_UNDECIDED = "u"

Kept = tuple[str, tuple[int, ...]]
"""A sample: `w`on, `l`ost or `u`ndecided, and the shapes with which its phase may end."""


def spread_shapes() -> Iterator[Shape]:
    """Shapes of all kinds: the even, the lopsided, the empty and the nearly finished."""
    for lengths in combinations_with_replacement((12, 9, 6, 3, 0), 4):
        # With little locked a search takes a hundred times as long; of such shapes the played ones must do.
        if not 0 < sum(lengths) < 9 and sum(lengths) < MOST_SCORE:
            yield lengths


PLAYED = """
    1000 1100 1110 1111 2000 2100 2110 2200 2222 3110 3210 3220 4321 4400 5421 5442 5543 6543 6554 7111
    7543 7552 7621 7653 7654 7655 7665 7762 8421 8742 8754 8775 8874 8876 8888 9643 9876 9987 9988 9997
    a211 a541 a753 a765 a852 a876 a884 a965 a976 aa96 aa98 aaaa b654 b987 bbaa bbbb c210 c221 c544 c762
    c764 c875 c876 c888 c975 c985 ca65 ca77 ca87 ca97 ca98 caa4 caa9 caaa cb76 cba6 cba7 cba8 cba9 cbaa
    cbbb cc82 cc85 cc87 cc88 cc95 cc97 cc98 cca7 cca9 ccaa ccb6 ccb9 ccba ccbb ccc4 ccc7 ccc8 ccca cccb
"""
"""Shapes with which phases ended in games that were played by the most cards, by values, with little locked and at
random, in all variants with redeals: chosen so that what came is near to one of them, and more so what came often;
beside these the even ones and the nearly finished. The lengths are digits to the base 13."""


def shapes_to_sample() -> tuple[Shape, ...]:
    """The shapes whose redeals are simulated, in the order of all shapes."""
    played = {tuple(int(digit, 13) for digit in word) for word in PLAYED.split()}
    return tuple(sorted(played | set(spread_shapes())))


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is to be built."""

    variant: str = "addiction"
    """The one whose table is built."""
    samples: int = SAMPLES
    """Redeals for each shape; more where nothing is locked."""
    levels: int = LEVELS
    """For 1, 2, ... so many redeals left."""
    seed: int = SEED
    nodes: int = NODES

    def __post_init__(self) -> None:
        if self.variant not in TABLES:
            raise unknown("table of values", self.variant, TABLES)
        if not 1 <= self.levels <= 9:
            raise UsageError(f"{self.levels} levels: there are 1..9, for as many redeals left")
        if not 2 <= self.samples <= 1_000_000:
            raise UsageError(f"{self.samples:,} redeals for each shape: 2..1,000,000 can be sampled")
        if not 1 <= self.nodes <= 1_000_000_000:
            raise UsageError(f"{self.nodes:,} positions for each search: expected 1..1,000,000,000")

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes whose redeals are sampled."""
        return shapes_to_sample()

    def samples_of(self, shape: Shape) -> int:
        """How many redeals of it are sampled."""
        return self.samples if any(shape) else _FRESH * self.samples

    @property
    def command(self) -> str:
        """The one command that builds this again."""
        words = [f"unshuffle values build gaps --variant {self.variant} --samples {self.samples} --seed {self.seed}"]
        words += [f"--levels {self.levels}"] if self.levels != LEVELS else []
        # Told even if it is the usual one: the values hang on it more than on anything else.
        return " ".join([*words, f"--nodes {self.nodes}"])

    @property
    def provenance(self) -> dict[str, str]:
        """How the values are made."""
        native = engine.native()
        return {
            "command": self.command,
            "version": __version__,
            "engine": "python" if native is None else f"native {native.version()}",
            "seed": str(self.seed),
            "samples": f"{self.samples} redeals of each of {len(self.shapes)} shapes, {_FRESH} times that of 0/0/0/0",
            "budget": f"{self.nodes} positions and {MEMORY} bytes for the search of a phase",
        }


Progress = Callable[[int, int], object]
"""Called with the redeals that are done, and those that are to be done."""


def build(recipe: Recipe, out: Path, *, threads: int | None = None, progress: Progress | None = None) -> Table:
    """Build the table into a file; after an interruption the same call goes on where it ended."""
    import gzip  # here, for reading the tables has no use for it

    with alone(out):
        samples = _Work(recipe, partial_of(out), threads or cores(), progress).run()
        table = make_table(recipe, samples)
        write_whole(out, gzip.compress(write_table(table).encode("ascii"), 9, mtime=0))
        partial_of(out).unlink(missing_ok=True)
        return table


@dataclass(slots=True)
class _Work:
    """The samples, as far as they have been taken."""

    recipe: Recipe
    partial: Path
    threads: int
    progress: Progress | None
    samples: dict[Shape, list[Kept]] = field(default_factory=dict)
    size: int = 1
    """Redeals that one thread is given at once."""

    def run(self) -> dict[Shape, list[Kept]]:
        """Sample shape after shape."""
        self._take_up()
        recipe = self.recipe
        of = sum(map(recipe.samples_of, recipe.shapes))
        with self.partial.open("a", encoding="ascii") as file, ThreadPoolExecutor(self.threads) as pool:
            if not file.tell():
                print(self._header(), file=file, flush=True)
            for shape in recipe.shapes:
                found = self.samples.setdefault(shape, [])
                while len(found) < recipe.samples_of(shape):
                    begun = monotonic()
                    sample = [(shape, piece) for piece in self._pieces(len(found), recipe.samples_of(shape))]
                    # In this thread if it is alone: only there does Ctrl-C stop a search at once.
                    each = map(self._sample, sample) if self.threads == 1 else pool.map(self._sample, sample)
                    new = [kept for part in each for kept in part]
                    line = [index(shape), len(found), [[letter, list(ends)] for letter, ends in new]]
                    print(json.dumps(line, separators=(",", ":")), file=file, flush=True)
                    found += new
                    took = monotonic() - begun
                    if took < _PIECE_SECONDS / 2:
                        self.size *= 2
                    elif took > _PIECE_SECONDS:
                        self.size = max(1, self.size // 2)
                    if self.progress is not None:
                        self.progress(sum(map(len, self.samples.values())), of)
        return self.samples

    def _pieces(self, first: int, last: int) -> list[range]:
        """What the threads do next."""
        starts = range(first, min(first + self.size * self.threads, last), self.size)
        return [range(start, min(start + self.size, last)) for start in starts]

    def _sample(self, what: tuple[Shape, range]) -> list[Kept]:
        shape, samples = what
        recipe = self.recipe
        rules = TABLES[recipe.variant]
        found = sample_phases(rules, shape, seed=recipe.seed, samples=samples, nodes=recipe.nodes, memory=MEMORY)
        return [(_LETTERS.get(status, _UNDECIDED), ends) for status, ends in found]

    def _header(self) -> str:
        shapes = [index(shape) for shape in self.recipe.shapes]
        return json.dumps({"format": _KEPT_FORMAT, "recipe": self.recipe.provenance, "shapes": shapes})

    def _take_up(self) -> None:
        """Go on with what was kept; a line that was cut off when the work ended is dropped."""
        if not self.partial.exists():
            return
        text = self.partial.read_text(encoding="ascii", errors="replace")
        head, *lines = text.splitlines(keepends=True) or [""]
        if head != self._header() + "\n":
            raise begun_otherwise(self.partial)
        if lines and not lines[-1].endswith("\n"):
            write_whole(self.partial, "".join([head, *lines[:-1]]).encode("ascii"))
            lines.pop()
        for number, line in enumerate(lines, 2):
            try:
                place, first, new = json.loads(line)
                shape, kept = SHAPES[range(len(SHAPES))[place]], [_read_kept(each) for each in new]
            except (ValueError, TypeError, IndexError, RecursionError):
                raise damaged(self.partial, f"line {number}: {quote(line.strip())}") from None
            found = self.samples.setdefault(shape, [])
            if first == len(found):
                found += kept


def _read_kept(value: Any) -> Kept:
    """A sample as it was kept; ValueError if it is none."""
    letter, ends = value
    if letter not in (*_LETTERS.values(), _UNDECIDED) or not all(
        type(end) is int and 0 <= end < len(SHAPES) for end in ends
    ):
        raise ValueError
    return letter, tuple(ends)


# From samples to the table.


def make_table(recipe: Recipe, samples: Mapping[Shape, Sequence[Kept]]) -> Table:
    """The fit to the samples."""
    from unshuffle.advise.gaps.fitting import FOLDS, Sample, value_shapes  # here, for it needs numpy

    rules = write_rules(TABLES[recipe.variant])
    taken = {
        shape: [Sample(letter == "w", letter != _UNDECIDED, ends) for letter, ends in found]
        for shape, found in samples.items()
    }
    valued = value_shapes(taken, recipe.levels)
    flat = [sample for found in taken.values() for sample in found]
    won, undecided = sum(sample.won for sample in flat), sum(not sample.decided for sample in flat)
    losses = " ".join(f"{key} {loss:.5f}" for key, loss in valued.losses.items())
    provenance = recipe.provenance | {
        "rules": " ".join(f"{key}={rules[key]}" for key in ("redeal_gaps", "twos_locked", "early_redeal")),
        "sampled": f"{len(flat)} redeals, {won} won, {undecided} undecided (count as not won)",
        "held-out log loss": f"{losses} ({FOLDS} folds of whole shapes, without 0/0/0/0)",
        "penalties": " ".join(f"{fit.strength:g}" for fit in valued.fits),
        "missed": " ".join(f"{fit.missed:.4f}" for fit in valued.fits),
        "rows": "shape, redeals, won, undecided; for each number of redeals left the fitted chance and its error",
    }
    return Table(recipe.variant, provenance, valued.rows)
