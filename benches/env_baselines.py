"""Baselines for agents: `python benches/env_baselines.py [--games G ...] [--deals N] [--slow N] [--first N]`.

Runs the policies of `simulate` inside the environments, with the registered limit of steps, and the solver, which knows
all cards and the redeals to come: its win rate is an upper bound for agents. Prints one table for each variant, with
the same deals for all and 95 % intervals (Wilson); policies that think for a second or more play only the first
`--slow` deals. A deal on which the solver met its limit is counted both ways. In Gaps with redeals the solver answers
for the first deal only, which is no upper bound: redeals win more.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from typing import Any

import unshuffle as un
from unshuffle.envs.episodes import play_deals
from unshuffle.solve import Status
from unshuffle.study.statistics import wilson

PLAYERS: dict[str, dict[str, tuple[str, ...]]] = {
    "aces-up": {"standard": ("random", "greedy", "rules:2,1,10", "weights", "rollout:5", "planner:10")},
    "agnes": {
        "down-color-none": ("random", "greedy", "rollout:5"),
        "up-suit-anyrun": ("random", "greedy", "rollout:5"),
    },
    "belle-lucie": {
        "one-deal": ("random", "greedy", "value"),
        "classic": ("random", "greedy", "thumb", "value"),
    },
    "gaps": {
        "addiction": ("random", "greedy", "max-locked:10000", "value:10000"),
        "addiction-one-deal": ("random", "greedy", "max-locked:10000"),
    },
    "spider": {
        "4-suits": ("random:100", "greedy", "plan:20", "search:4"),
        "1-suit": ("random:100", "greedy", "plan:20", "search:4"),
    },
}
SLOW = ("search",)


def players(game: un.Game[Any, Any], deals: range, slow: int) -> Iterator[str]:
    """Yield a row for each player."""
    for policy in PLAYERS[game.id][game.variant]:
        played = deals[:slow] if policy.startswith(SLOW) else deals
        # A deal without a legal move is lost at once.
        ends = [
            (False, game.deal(deal).score) if episode is None else (episode.ended == "won", episode.score)
            for deal, episode in zip(played, play_deals(game, policy, played), strict=True)
        ]
        mean = sum(score for _, score in ends) / len(ends)
        yield row(f"`{policy}`", "hidden", sum(won for won, _ in ends), len(ends), f"{mean:.1f}")


def ceiling(game: un.Game[Any, Any], deals: range, seconds: float) -> str:
    """Return the row of the solver."""
    results = un.solve_many(game, seeds=deals, seconds=seconds)
    counts = Counter(result.status if result.is_decided else None for result in results)
    has_redeals = getattr(game.rules, "redeals", 0) > 0
    what = "solver"
    if has_redeals:
        what += ", the first deal" if game.solves_phases else ", redeals known"
    return row(what, "open", counts[Status.SOLVED], len(deals), "", undecided=counts[None])


def row(player: str, information: str, won: int, of: int, points: str, undecided: int = 0) -> str:
    """Return a line of the table."""
    low, high = wilson(won, of)[0], wilson(won + undecided, of)[1]
    count = f"{won} of {of}" + (f", {undecided} undecided" if undecided else "")
    return f"| {player} | {information} | {count} | {100 * low:.1f} to {100 * high:.1f} % | {points} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=PLAYERS, default=list(PLAYERS))
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--slow", type=int, default=100, help="deals of the players that take long")
    parser.add_argument("--first", type=int, default=1_000_000_000, help="the first deal: far from those one trains on")
    parser.add_argument("--seconds", type=float, default=1.0, help="for the solver, on each deal")
    arguments = parser.parse_args()
    deals = range(arguments.first, arguments.first + arguments.deals)
    for name in arguments.games:
        for variant in PLAYERS[name]:
            game = un.game(name, variant)
            print(f"\n## `{game}`, deals {deals[0]} to {deals[-1]}\n")
            print("| player | information | won | 95 % (Wilson) | mean score |\n|---|---|---|---|---|")
            for line in players(game, deals, arguments.slow):
                print(line, flush=True)
            print(ceiling(game, deals, arguments.seconds), flush=True)


if __name__ == "__main__":
    main()
