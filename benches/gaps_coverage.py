"""Whether the values of Gaps' redeals keep their word: `python benches/gaps_coverage.py [--out FILE] [--table NAME]`.

Ends of phases are drawn for each table: some evenly from all shapes whose value is not exact, and some as they come in
games, among the best ends of phases that cannot be won. From each end games are played out by the values, with other
boards than those that the tables were made from, and the wins are counted. The file has a line for each end; ends that
it has already are left out. A test holds the stated intervals against it.
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
"""The same where 2s are free."""
FIRST = 40
"""Of so many plays the wins are told apart: the tries of an adviser, against all others."""
_PLAYS = ((27, 5000), (24, 500), (12, 100), (0, 20))
"""Games from an end with at least so many locked: a game costs the more the less is locked."""
_LEAST = 20
_SHARE = 4
"""With free 2s a game costs ten times as much, and so many times fewer are played, but no fewer than the least."""
_BEST = 6


@dataclass(frozen=True)
class End:
    """An end of a phase whose value is tried."""

    table: str
    how: str
    number: int
    redeals_left: int
    shape: Shape

    @property
    def key(self) -> str:
        """How its line begins."""
        return f"{self.table},{self.how},{self.number},{self.redeals_left},{'/'.join(map(str, self.shape))}"

    @property
    def plays(self) -> int:
        """How many games are played from it."""
        plays = next(plays for least, plays in _PLAYS if sum(self.shape) >= least)
        return plays if TABLES[self.table].twos_locked else max(plays // _SHARE, _LEAST)


def nodes_of(table: str) -> int:
    """The positions that the table rests on."""
    return int(shipped(table).provenance["budget"].split()[0])


def searched(table: str, shape: Shape, seed: int, numbers: range) -> Sequence[tuple[Status, tuple[int, ...]]]:
    """What redeals of this shape bring."""
    return sample_phases(TABLES[table], shape, seed=seed, samples=numbers, nodes=nodes_of(table), memory=MEMORY)


def counts(table: str) -> tuple[int, int]:
    """How many ends are drawn evenly, and how many as they come in games."""
    return (EVEN, MET) if TABLES[table].twos_locked else (EVEN_FREE, MET_FREE)


def drawn(table: str) -> Iterator[End]:
    """The ends that are tried, those that come in games last."""
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
    """Whether the games with these numbers were won: after a phase that is not, the end that is worth most is kept."""
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
