"""Spider with all cards known: `python benches/spider.py [--part NAME ...] [--variant NAME ...] [--deals N]`.

Parts, each on one thread:

- `solve`: how many deals are won within 10 s, and the distributions of times and lengths (goals: all of `1-suit`, 99 %
  of `2-suits`, 99.5 % of `4-suits` with a mean under 0.2 s; the strict variants are measured too);
- `shorten`: the lengths of lines of `4-suits` before and after a second of `--shorten` (goal: towards 145 moves).

Times are processor seconds of the search, as wall time says little on a shared machine; a deal that takes more
processor time than its limit is not counted as won in time. The Python rules replay every line.
The environments are measured by `benches/envs.py`, the players by `studies/spider-players.toml`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from time import thread_time

sys.path.insert(0, str(Path(__file__).parent))

import harness
import unshuffle as un

VARIANTS = tuple(un.games()["spider"])
GOALS = {"1-suit": 1.0, "2-suits": 0.99, "4-suits": 0.995}
DEALS = {"solve": 1000, "shorten": 100}
LIMIT = 10
SLACK = 5
"""The factor of the wall-time limit over the limit by processor time, so that a busy machine ends no search early."""
SHORTENING = 1.0
"""Seconds for shortening a line."""


def spread(numbers: Sequence[float], digits: int) -> str:
    """Return mean, median and upper percentiles as text."""
    shares = (("median", 50), ("p90", 90), ("p99", 99), ("most", 100))
    told = ", ".join(f"{name} {harness.percentile(numbers, share):.{digits}f}" for name, share in shares)
    return f"mean {sum(numbers) / len(numbers):.{digits}f}, {told}"


def solve(variants: Sequence[str], seeds: range) -> None:
    """Measure how many deals are won in time."""
    for variant in variants:
        game = un.game("spider", variant)
        times, lengths, late = [], [], []
        for seed in seeds:
            print(f"\r{variant}: deal {seed - seeds.start + 1} of {len(seeds)}", end="", file=sys.stderr)
            state = game.deal(seed)
            begun = thread_time()
            result = un.solve(state, seconds=SLACK * LIMIT)
            times.append(thread_time() - begun)
            if result.status is un.Status.SOLVED and times[-1] <= LIMIT:
                lengths.append(len(result.moves))
            else:
                late.append(f"{seed} ({result.status}, {times[-1]:.1f} s)")
        print(file=sys.stderr)
        goal = f"; goal {GOALS[variant]:.1%}" if variant in GOALS else ""
        share = f"{len(lengths)} of {len(seeds)} = {len(lengths) / len(seeds):.2%}"
        print(f"{variant}: {share} won within {LIMIT} s{goal}")
        print(f"  seconds: {spread(sorted(times), 3)}")
        if lengths:
            print(f"  moves: {spread(sorted(lengths), 0)}")
        if late:
            print(f"  not in time: {', '.join(late)}")


def shorten(variants: Sequence[str], seeds: range) -> None:
    """Measure the lengths of lines before and after shortening."""
    for variant in variants:
        game = un.game("spider", variant)
        before, after = [], []
        for seed in seeds:
            print(f"\r{variant}: deal {seed - seeds.start + 1} of {len(seeds)}", end="", file=sys.stderr)
            found = un.solve(game.deal(seed), seconds=LIMIT)
            if found.status is not un.Status.SOLVED:
                continue
            # The search finds the same line again; the rest of the time is for shortening it.
            shorter = un.solve(game.deal(seed), seconds=found.stats.seconds + SHORTENING, shorten=True)
            if shorter.status is un.Status.SOLVED:
                before.append(len(found.moves))
                after.append(len(shorter.moves))
        print(file=sys.stderr)
        print(f"{variant}: {len(before)} of {len(seeds)} lines made shorter for {SHORTENING:g} s each")
        if before:
            print(f"  moves before: {spread(sorted(before), 0)}")
            print(f"  moves after: {spread(sorted(after), 0)}")


PARTS = {"solve": (solve, VARIANTS), "shorten": (shorten, ("4-suits",))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=PARTS, help="what to measure  [default: all]")
    parser.add_argument(
        "--variant", action="append", choices=VARIANTS, help="of which game  [default: each part's own]"
    )
    parser.add_argument("--deals", type=int, metavar="N", help=f"deals of each part  [default: {DEALS}]")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first of them  [default: 0]")
    arguments = parser.parse_args()
    if arguments.deals is not None and arguments.deals < 1:
        parser.error("--deals is 1 or more")
    for part in arguments.part or PARTS:
        measure, variants = PARTS[part]
        measure(
            arguments.variant or variants, range(arguments.first, arguments.first + (arguments.deals or DEALS[part]))
        )


if __name__ == "__main__":
    main()
