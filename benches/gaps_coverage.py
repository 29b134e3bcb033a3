"""Coverage of the value intervals of Gaps' redeals: `python benches/gaps_coverage.py [--out FILE] [--table NAME]`.

Samples ends of phases for each table: some uniformly from all shapes whose value is not exact, and some as they occur
in games, among the best ends of phases that cannot be won. From each end, plays out games by the values, on boards from
which the tables were not made, and counts the wins. The file has a line for each end; ends that it has already are left
out. A test checks the coverage of the stated intervals with this file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from unshuffle.games.gaps.hidden.sampling import sample_phases
from unshuffle.games.gaps.hidden.values import SHAPES, TABLES, Shape, shipped
from unshuffle.games.gaps.values.building import MEMORY
from unshuffle.solve import Status

OUT = Path(__file__).parents[1] / "tests" / "data" / "gaps" / "values-coverage.csv"
HEAD = "table,how,number,redeals left,shape,plays,wins,first"
SEED = 20_000
EVEN, MET = 32, 16
EVEN_FREE, MET_FREE = 20, 12
"""The same for free 2s."""
FIRST = 40
"""The wins of the first 40 plays are also written on their own: they stand for an adviser's samples."""
_PLAYS = ((27, 5000), (24, 500), (12, 100), (0, 20))
"""(Least number of locked cards, games from such an end): a game costs more if fewer cards are locked."""
_LEAST = 20
_SHARE = 4
"""With free 2s a game costs ten times as much: the number of games is divided by this, down to _LEAST."""
_BEST = 6


@dataclass(frozen=True)
class End:
    """An end of a phase whose value is tested."""

    table: str
    how: str
    number: int
    redeals_left: int
    shape: Shape

    @property
    def key(self) -> str:
        """The beginning of its line."""
        return f"{self.table},{self.how},{self.number},{self.redeals_left},{'/'.join(map(str, self.shape))}"

    @property
    def plays(self) -> int:
        """The number of games played from it."""
        plays = next(plays for least, plays in _PLAYS if sum(self.shape) >= least)
        return plays if TABLES[self.table].twos_locked else max(plays // _SHARE, _LEAST)


def nodes_of(table: str) -> int:
    """Return the node limit with which the table was made."""
    return int(shipped(table).provenance["budget"].split()[0])


def searched(table: str, shape: Shape, seed: int, numbers: range) -> Sequence[tuple[Status, tuple[int, ...]]]:
    """Return the results of sampled redeals from this shape."""
    return sample_phases(TABLES[table], shape, seed=seed, samples=numbers, nodes=nodes_of(table), memory=MEMORY)


def counts(table: str) -> tuple[int, int]:
    """Return how many ends are sampled uniformly, and how many as they occur in games."""
    return (EVEN, MET) if TABLES[table].twos_locked else (EVEN_FREE, MET_FREE)


def drawn(table: str) -> Iterator[End]:
    """Yield the sampled ends, those that occur in games last."""
    rng = Random(f"{SEED} {table}")
    rows = shipped(table).rows
    some = [shape for shape, row in zip(SHAPES, rows, strict=True) if not row.is_exact]
    even, most = counts(table)
    for number, shape in enumerate(rng.sample(some, even)):
        yield End(table, "even", number, 1 + number % 3, shape)
    number = even
    met = set()
    for game in range(1000):
        shape = SHAPES[0]
        for left in (3, 2, 1):
            status, ends = searched(table, shape, SEED, range(10 * game + left, 10 * game + left + 1))[0]
            if status is Status.SOLVED or not ends:
                break
            ranked = sorted(ends, key=lambda end: rows[end].planes[left - 1][0], reverse=True)
            chosen = rng.choice(ranked[:_BEST])
            if (left, chosen) not in met and not rows[chosen].is_exact:
                met.add((left, chosen))
                yield End(table, "met", number, left, SHAPES[chosen])
                number += 1
                if number == even + most:
                    return
            shape = SHAPES[ranked[0]]


def played(end: End, numbers: range) -> list[bool]:
    """Return whether the games with these numbers are won, keeping the end of greatest value after each lost phase."""
    rows = shipped(end.table).rows
    won = dict.fromkeys(numbers, False)
    at = dict.fromkeys(numbers, end.shape)
    for left in range(end.redeals_left, 0, -1):
        seed = SEED + 10 * (end.number + 1) + left
        is_first = left == end.redeals_left
        found = dict(zip(numbers, searched(end.table, end.shape, seed, numbers), strict=True)) if is_first else {}
        for number in list(at):
            each = found.get(number) or searched(end.table, at[number], seed, range(number, number + 1))[0]
            status, ends = each
            if status is Status.SOLVED:
                won[number] = True
                del at[number]
            elif left > 1 and ends:
                at[number] = SHAPES[max(ends, key=lambda place: rows[place].planes[left - 2][0])]
            else:
                del at[number]
    return [won[number] for number in numbers]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT, metavar="FILE")
    parser.add_argument("--table", action="append", choices=tuple(TABLES), metavar="NAME", help="[default: all]")
    arguments = parser.parse_args()
    lines = arguments.out.read_text(encoding="ascii").splitlines() if arguments.out.exists() else [HEAD]
    known = {line.rsplit(",", 3)[0] for line in lines}
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    for table in arguments.table or TABLES:
        for end in drawn(table):
            if end.key not in known:
                known.add(end.key)
                won = played(end, range(end.plays))
                lines.append(f"{end.key},{len(won)},{sum(won)},{sum(won[:FIRST])}")
                print(lines[-1], file=sys.stderr)
                arguments.out.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
