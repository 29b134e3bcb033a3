"""La Belle Lucie's family: `python benches/belle_lucie_family.py [--deals N] [--plans N]`.

Prints engine time per deal on one thread for the variants that can be solved, time per plan and for the advice in a
whole game of three deals, and the ratio of lblsolve's recorded times (tests/data/belle-lucie/peer.csv, of another
machine) to ours on the same deals.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parent))

import harness
import unshuffle as un
from unshuffle.games.belle_lucie.hidden.planner import plan
from unshuffle.games.belle_lucie.moves import Redeal

PEER = Path(__file__).parent.parent / "tests" / "data" / "belle-lucie" / "peer.csv"

SOLVED = (
    "one-deal",
    "one-deal+merci=play",
    "one-deal+merci=front",
    "one-deal+merci=second",
    "fan",
    "fan-18",
    "classic",
    "merci",
    "classic+merci=front",
    "trefoil",
)


def solving(deals: int) -> None:
    """Measure deciding the deals of each variant; with building in suit and without redeals, also their best scores."""
    timings = []
    for variant in SOLVED:
        results = list(un.solve_many(un.game("belle-lucie", variant), seeds=range(deals), threads=1))
        undecided = sum(not result.is_decided for result in results)
        won = sum(result.status is un.Status.SOLVED for result in results)
        seconds = [result.stats.seconds for result in results]
        name = f"{variant}: {100 * won / deals:.1f} %" + (f", {undecided} open" if undecided else "")
        timings.append(harness.Timing.of(name, seconds, sum(result.stats.nodes for result in results)))
    harness.show(timings, ratios=False)


def planning(games: int) -> None:
    """Measure the plans of whole games by `value`, as policies use them, and with the alternatives that people see."""
    timings = []
    for variant in ("classic", "merci", "trefoil", "three-shuffles-and-a-draw", "super-flower-garden"):
        bare: list[float] = []
        advised: list[float] = []
        for seed in range(games):
            state = un.game("belle-lucie", variant).deal(seed)
            begun = process_time()
            while True:
                made = plan(state)
                bare.append(plan(state, alternatives=False).seconds)
                for move in made.moves:
                    state = state.play(move)
                if not made.redeals:
                    break
                state = state.play(Redeal())
            advised.append(process_time() - begun)
        timings += [
            harness.Timing.of(f"{variant}: one plan", bare),
            harness.Timing.of(f"{variant}: a game advised", advised),
        ]
    harness.show(timings, ratios=False)


def recorded() -> None:
    """Compare with the recorded times of the peer, on the deals that it finished."""
    rows = [row for row in csv.DictReader(PEER.open(encoding="utf-8")) if row["peer_cpu_seconds"]]
    game = un.game("belle-lucie")
    states = [game.parse(row["fans"]) for row in rows]
    harness.measure(states)  # warm up: the first call is slow
    ours, results = harness.measure(states)
    wrong = [row["id"] for row, result in zip(rows, results, strict=True) if int(row["best"]) != result.score]
    harness.show([ours, harness.Timing.of("lblsolve, recorded", [float(row["peer_cpu_seconds"]) for row in rows])])
    print(f"best scores agree on {len(rows) - len(wrong)} of {len(rows)}" + (f"; not on {wrong}" if wrong else ""))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1000, help="default deals 0..N-1 of each variant (1000)")
    parser.add_argument("--plans", type=int, default=100, help="games that are advised, of each variant (100)")
    arguments = parser.parse_args()
    solving(arguments.deals)
    print()
    planning(arguments.plans)
    print()
    recorded()


if __name__ == "__main__":
    main()
