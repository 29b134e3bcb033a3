"""How long Agnes Sorel's lines are, before and after shortening: `python benches/agnes_lines.py [--decks N] [--json]`.

Decks 1..N of the python stream 12345. Counts the moves of the wins: as the search found them (`solve_many`), as
`solve` returns them (the engine has removed needless moves), and with `shorten=True` in addition. The Python rules
replay all three. A search ends after a million positions; a deal without a win is left out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import unshuffle as un

SEED = 12345
NODES = 1_000_000
VARIANTS = ("up-suit-highrun-nosplit", "up-suit-anyrun-nosplit", "up-suit-anyrun", "up-color-anyrun", "down-color-any1")


@dataclass(frozen=True, slots=True)
class Lengths:
    """The numbers of moves of the winning lines of some decks, in the same order."""

    variant: str
    decks: int
    found: list[int]
    tidied: list[int]
    shortened: list[int]

    def rows(self) -> Iterator[tuple[str, list[int]]]:
        yield "found", self.found
        yield "one deal", self.tidied
        yield "shorten", self.shortened


def measure(variant: str, decks: int) -> Lengths:
    """Measure the lines of one variant."""
    game = un.game("agnes", variant)
    states = [game.deal(SEED, "python", number) for number in range(1, decks + 1)]
    wins = [result for result in un.solve_many(states, nodes=NODES) if result.status is un.Status.SOLVED]
    found, tidied, shortened = ([len(result.moves) for result in wins], [], [])
    for result in wins:
        tidied.append(len(un.solve(result.state, nodes=NODES).moves))
        shortened.append(len(un.solve(result.state, nodes=NODES, shorten=True).moves))
    return Lengths(variant, decks, found, tidied, shortened)


def show(measured: Sequence[Lengths]) -> None:
    """Print a row for each kind of line."""
    print(f"{'variant':<26}{'decks':>6}{'wins':>6}  {'lines':<10}{'median':>8}{'mean':>9}{'most':>8}{'of found':>10}")
    for lengths in measured:
        if not lengths.found:
            print(f"{lengths.variant:<26}{lengths.decks:>6}{0:>6}")
            continue
        for name, moves in lengths.rows():
            share = sum(moves) / sum(lengths.found)
            print(
                f"{lengths.variant:<26}{lengths.decks:>6}{len(moves):>6}  {name:<10}"
                f"{median(moves):>8,.0f}{sum(moves) / len(moves):>9,.1f}{max(moves):>8,}{share:>10.1%}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", action="append", metavar="NAME", help="only this variant; may be repeated")
    parser.add_argument("--decks", type=int, default=100, metavar="N", help="decks 1..N of every variant (100)")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table")
    arguments = parser.parse_args()
    if arguments.decks < 1:
        parser.error("the number of decks is 1 or more")
    measured = [measure(variant, arguments.decks) for variant in arguments.variant or VARIANTS]
    if arguments.json:
        told: dict[str, Any] = {"stream": f"python:{SEED}", "lengths": [asdict(lengths) for lengths in measured]}
        print(json.dumps(told, indent=1))
    else:
        show(measured)


if __name__ == "__main__":
    main()
