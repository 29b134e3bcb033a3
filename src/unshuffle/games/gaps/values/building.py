"""Build a table of values of redeals of Gaps: all boards where few cards are loose, else samples and a fit.

The file does not depend on the number of threads or on interruptions: samples are kept beside it until all is done.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from math import factorial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from unshuffle import __version__, engine
from unshuffle.errors import UsageError, quote, unknown
from unshuffle.files import write_whole
from unshuffle.games.gaps.hidden.sampling import NODES, sample_phases
from unshuffle.games.gaps.hidden.values import SHAPES, TABLES, Shape, Table, index, write_table
from unshuffle.games.gaps.rules import MOST_SCORE, ROWS, Rules
from unshuffle.pieces import Pace
from unshuffle.rulebook import write_rules
from unshuffle.solve import Status, cores
from unshuffle.values.building import alone, begun_otherwise, damaged, partial_of

if TYPE_CHECKING:
    from unshuffle.games.gaps.values.fitting import Setting

SAMPLES = 200
LEVELS = 3
SEED = 1
BOARDS = 200_000
"""If a redeal can bring at most this many boards, all are searched, and the value is exact."""
MEMORY = 64_000_000
_SMALL_MEMORY = 1_000_000
"""Bytes for the search of a phase with few loose cards: to allocate a larger table takes longer than the search."""

_FRESH = 3
"""The factor of samples for the shape with nothing locked, which is the most frequent and like no other."""
_FEW_LOCKED = 24
"""Shapes with fewer locked cards may have fewer samples: their searches take up to a thousand times as long."""
_SHARE = 4
"""The divisor of samples for such shapes, unless games often reach them."""

# A piece of work takes about this time, which is all that an interruption can lose.
_PIECE_SECONDS, _MOST = 1.0, 1 << 20
_KEPT_FORMAT = "unshuffle-gaps-samples 2"
_LETTERS = {Status.SOLVED: "w", Status.UNSOLVABLE: "l"}
_UNDECIDED = "u"

Kept = tuple[str, tuple[int, ...]]
"""A sample: `w`on, `l`ost or `u`ndecided, and the indices of the shapes with which its phase may end."""
Tally = Counter[Kept]
"""How often each kind of sample occurred."""


PLAYED = """
    1000 1100 1110 1111 2000 2100 2110 2200 2222 3110 3210 3220 4321 4400 5421 5442 5543 6543 6554 7111
    7543 7552 7621 7653 7654 7655 7665 7762 8421 8742 8754 8775 8874 8876 8888 9643 9876 9987 9988 9997
    a211 a541 a753 a765 a852 a876 a884 a965 a976 aa96 aa98 aaaa b654 b987 bbaa bbbb c210 c221 c544 c762
    c764 c875 c876 c888 c975 c985 ca65 ca77 ca87 ca97 ca98 caa4 caa9 caaa cb76 cba6 cba7 cba8 cba9 cbaa
    cbbb cc82 cc85 cc87 cc88 cc95 cc97 cc98 cca7 cca9 ccaa ccb6 ccb9 ccba ccbb ccc4 ccc7 ccc8 ccca cccb
"""
"""Shapes with which phases ended in games of players that lock the most cards, follow values, lock little or move at
random, in all variants with redeals. They are chosen so that each shape that occurred is near to one of them, the more
so the more often it occurred. The lengths are digits to the base 13."""


def played_shapes() -> frozenset[Shape]:
    """Return the shapes that games often reach."""
    return frozenset(tuple(int(digit, 13) for digit in word) for word in PLAYED.split())


def shapes_to_value() -> tuple[Shape, ...]:
    """Return the shapes whose redeals are searched: all that a redeal can follow."""
    return SHAPES[:-1]


def boards_of(rules: Rules, shape: Shape) -> int:
    """Return how many boards a redeal of this shape can bring."""
    loose = MOST_SCORE - sum(shape)
    # With `after-run` the gaps have fixed places, else they are anywhere among the cards.
    return factorial(loose) if rules.redeal_gaps == "after-run" else factorial(loose + ROWS) // factorial(ROWS)


@dataclass(frozen=True, slots=True)
class Recipe:
    """The parameters of a table."""

    variant: str = "addiction"
    """The variant whose table is built."""
    samples: int = SAMPLES
    """Redeals for each shape; more where nothing is locked, and fewer where little is."""
    levels: int = LEVELS
    """The greatest number of redeals left."""
    seed: int = SEED
    nodes: int = NODES
    boards: int = BOARDS
    """If a redeal can bring at most this many boards, all of them are searched."""

    def __post_init__(self) -> None:
        if self.variant not in TABLES:
            raise unknown("table of values", self.variant, TABLES)
        if not 1 <= self.levels <= 9:
            raise UsageError(f"{self.levels} levels: there are 1..9, for as many redeals left")
        if not 2 <= self.samples <= 1_000_000:
            raise UsageError(f"{self.samples:,} redeals for each shape: 2..1,000,000 can be sampled")
        if not 1 <= self.nodes <= 1_000_000_000:
            raise UsageError(f"{self.nodes:,} positions for each search: expected 1..1,000,000,000")
        if not 0 <= self.boards <= 10_000_000:
            raise UsageError(f"{self.boards:,} boards for each shape: 0..10,000,000 can be searched")

    @property
    def rules(self) -> Rules:
        """The rules of the variant."""
        return TABLES[self.variant]

    def is_whole(self, shape: Shape) -> bool:
        """Return whether all boards of this shape are searched."""
        return boards_of(self.rules, shape) <= self.boards

    def samples_of(self, shape: Shape) -> int:
        """Return how many redeals of this shape are searched."""
        if self.is_whole(shape):
            return boards_of(self.rules, shape)
        if not any(shape):
            return _FRESH * self.samples
        if sum(shape) >= _FEW_LOCKED or shape in played_shapes():
            return self.samples
        return max(2, self.samples // _SHARE)

    @property
    def command(self) -> str:
        """The command that builds this table again."""
        words = [f"unshuffle values build gaps --variant {self.variant} --samples {self.samples} --seed {self.seed}"]
        words += [f"--levels {self.levels}"] if self.levels != LEVELS else []
        words += [f"--boards {self.boards}"] if self.boards != BOARDS else []
        # Named even if it is the default: the values depend on it more than on anything else.
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
            "samples": f"{self.samples} redeals of each shape; {_FRESH} times that of 0/0/0/0; a {_SHARE}th of that of"
            f" shapes with fewer than {_FEW_LOCKED} locked that games seldom reach; all boards, if a redeal brings at"
            f" most {self.boards}",
            "budget": f"{self.nodes} positions and {MEMORY} bytes for the search of a phase",
        }


Progress = Callable[[int, int], object]
"""Called with the number of redeals done, and of all redeals."""


def build(recipe: Recipe, out: Path, *, threads: int | None = None, progress: Progress | None = None) -> Table:
    """Build the table, write it to a file and return it; after an interruption the same call resumes."""
    import gzip  # not needed to read tables

    with alone(out):
        tallies = _Work(recipe, partial_of(out), threads or cores(), progress).run()
        table = make_table(recipe, tallies)
        write_whole(out, gzip.compress(write_table(table).encode("ascii"), 9, mtime=0))
        partial_of(out).unlink(missing_ok=True)
        return table


@dataclass(slots=True)
class _Work:
    """The search of the redeals of all shapes, which are numbered consecutively."""

    recipe: Recipe
    partial: Path
    threads: int
    progress: Progress | None
    tallies: dict[Shape, Tally] = field(default_factory=dict)
    done: int = 0
    pace: Pace = field(default_factory=lambda: Pace(_PIECE_SECONDS, most=_MOST))
    """How many redeals one thread gets at once."""
    _ends: list[int] = field(init=False)
    """The number that comes after the last redeal of each shape."""

    def __post_init__(self) -> None:
        self._ends = list(accumulate(map(self.recipe.samples_of, shapes_to_value())))

    def run(self) -> dict[Shape, Tally]:
        """Search what is left, piece by piece, and return the tallies."""
        self._take_up()
        of = self._ends[-1]
        with self.partial.open("a", encoding="ascii") as file, ThreadPoolExecutor(self.threads) as pool:
            if not file.tell():
                print(self._header(), file=file, flush=True)
            while self.done < of:
                begun = monotonic()
                pieces = self._pieces(self.done, of)
                # With one thread search in this one: only there does Ctrl-C stop a search at once.
                each = map(self._search, pieces) if self.threads == 1 else pool.map(self._search, pieces)
                for piece, found in zip(pieces, list(each), strict=True):
                    told = [[index(shape), _written(tally)] for shape, tally in found]
                    print(json.dumps([piece.start, piece.stop, told], separators=(",", ":")), file=file)
                    self._add(found, piece.stop)
                file.flush()
                self.pace.adapt(len(pieces[0]), monotonic() - begun)
                if self.progress is not None:
                    self.progress(self.done, of)
        return self.tallies

    def _pieces(self, first: int, last: int) -> list[range]:
        """Return the pieces that the threads search next."""
        size = self.pace.size
        starts = range(first, min(first + size * self.threads, last), size)
        return [range(start, min(start + size, last)) for start in starts]

    def _search(self, piece: range) -> list[tuple[Shape, Tally]]:
        """Search the redeals with these numbers and return their tallies, by shape."""
        recipe, shapes = self.recipe, shapes_to_value()
        found = []
        start = piece.start
        while start < piece.stop:
            place = bisect_right(self._ends, start)
            before = self._ends[place - 1] if place else 0
            stop = min(piece.stop, self._ends[place])
            shape = shapes[place]
            searched = sample_phases(
                recipe.rules,
                shape,
                seed=None if recipe.is_whole(shape) else recipe.seed,
                samples=range(start - before, stop - before),
                nodes=recipe.nodes,
                memory=_SMALL_MEMORY if recipe.is_whole(shape) else MEMORY,
            )
            found.append((shape, Counter((_LETTERS.get(status, _UNDECIDED), ends) for status, ends in searched)))
            start = stop
        return found

    def _add(self, found: Sequence[tuple[Shape, Tally]], done: int) -> None:
        for shape, tally in found:
            self.tallies.setdefault(shape, Counter()).update(tally)
        self.done = done

    def _header(self) -> str:
        shapes = [index(shape) for shape in shapes_to_value()]
        return json.dumps({"format": _KEPT_FORMAT, "recipe": self.recipe.provenance, "shapes": shapes})

    def _take_up(self) -> None:
        """Load the samples that were kept; drop a last line that an interruption cut off."""
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
                start, stop, told = json.loads(line)
                found = [(SHAPES[range(len(SHAPES))[place]], _read_tally(each)) for place, each in told]
                if start != self.done or stop - start != sum(tally.total() for _, tally in found):
                    raise ValueError
            except (ValueError, TypeError, IndexError, RecursionError):
                raise damaged(self.partial, f"line {number}: {quote(line.strip())}") from None
            self._add(found, stop)


def _written(tally: Tally) -> list[Any]:
    return [[letter, list(ends), times] for (letter, ends), times in sorted(tally.items())]


def _read_tally(told: Any) -> Tally:
    """Return samples as they were kept. Raise ValueError if they are malformed."""
    tally: Tally = Counter()
    for letter, ends, times in told:
        if (
            letter not in (*_LETTERS.values(), _UNDECIDED)
            or not all(type(end) is int and 0 <= end < len(SHAPES) for end in ends)
            or type(times) is not int
            or times < 1
        ):
            raise ValueError
        tally[letter, tuple(ends)] += times
    return tally


# From redeals to the table.


def make_table(recipe: Recipe, tallies: Mapping[Shape, Tally]) -> Table:
    """Return the table of values computed from the tallies."""
    from unshuffle.games.gaps.values.fitting import FOLDS, value_shapes  # it needs numpy

    rules = write_rules(recipe.rules)
    whole = {shape for shape in tallies if recipe.is_whole(shape)}
    valued = value_shapes(tallies, whole, recipe.levels)
    counts: Counter[str] = Counter()
    for shape, tally in tallies.items():
        if shape not in whole:
            for (letter, _), times in tally.items():
                counts[letter] += times
    losses = " ".join(f"{key} {loss:.5f}" for key, loss in valued.losses.items())
    exact = sum(row.is_exact for row in valued.rows)
    provenance = recipe.provenance | {
        "rules": " ".join(f"{key}={rules[key]}" for key in ("redeal_gaps", "twos_locked", "early_redeal")),
        "sampled": f"{counts.total()} redeals, {counts['w']} won, {counts['u']} undecided (count as not won)",
        "exact": f"{exact} shapes",
        "held-out log loss": f"{losses} ({FOLDS} folds of whole shapes, without 0/0/0/0 and exact shapes)",
        "settings": "; ".join(_setting_words(found.setting) for found in valued.fits),
        "rows": "shape, redeals, won, undecided; for each number of redeals left the chance and its standard error,"
        " which is 0 where the chance is exact",
    }
    return Table(recipe.variant, provenance, valued.rows)


def _setting_words(setting: Setting) -> str:
    return " ".join(f"{name} {value:g}" for name, value in asdict(setting).items())
