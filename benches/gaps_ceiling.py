"""An upper bound for players of Gaps: `python benches/gaps_ceiling.py [--deals N] [--first SEED] [--seconds S]`.

After a phase that cannot be won, only the shape of the locked cards matters, so no player wins more often than one who
knows all ends of every phase and chooses the one with the greatest value. This win rate is the mean over deals of 1 if
the first phase can be won, else the greatest value among *all* its ends, by the package's table of values. A deal whose
ends are not all found in the time counts with the best end that was found; their number is printed.
"""

from __future__ import annotations

import argparse
import sys
from math import sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import unshuffle as un
from unshuffle.games.gaps.hidden import values
from unshuffle.games.gaps.hidden.ends import Budget, Searches

MEMORY = 800_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="addiction", help="with redeals  [default: addiction]")
    parser.add_argument("--deals", type=int, default=250, metavar="N", help="[default: 250]")
    parser.add_argument("--first", type=int, default=20_000, metavar="SEED", help="[default: 20000]")
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help="for a phase  [default: 60]")
    arguments = parser.parse_args()
    game = un.game("gaps", arguments.variant)
    worths: list[float] = []
    lost = incomplete = 0
    for number, seed in enumerate(range(arguments.first, arguments.first + arguments.deals), 1):
        print(f"\rdeal {number} of {arguments.deals}", end="", file=sys.stderr)
        deal = game.deal(seed)
        found = un.solve(deal, seconds=arguments.seconds, memory=MEMORY)
        if found.status is un.Status.SOLVED:
            worths.append(1.0)
            continue
        ends = Searches().ends(deal, Budget(seconds=arguments.seconds, memory=MEMORY, threads=1))
        chances = [values.lookup(game.rules, end.shape, deal.redeals_left) for end in ends.ends]
        worths.append(max((chance.p for chance in chances if chance is not None), default=0.0))
        lost += 1
        incomplete += not ends.complete
    print(file=sys.stderr)
    won = arguments.deals - lost
    mean = sum(worths) / len(worths)
    rest = sorted(worth for worth in worths if worth < 1)
    spread = sqrt(sum((worth - mean) ** 2 for worth in worths) / max(len(worths) - 1, 1) / len(worths))
    print(f"{game}, deals {arguments.first} to {arguments.first + arguments.deals - 1}: first phase won in {won};"
          f" of the other {lost} not all ends were found in {incomplete}")  # fmt: skip
    if rest:
        print(f"value of the best end of those: mean {sum(rest) / len(rest):.4f}, least {rest[0]:.4f},"
              f" median {rest[len(rest) // 2]:.4f}")  # fmt: skip
    print(f"a player who knows all ends wins {mean:.2%} +- {spread:.2%} (one standard error, of the deals alone)")


if __name__ == "__main__":
    main()
