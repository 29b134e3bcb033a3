"""What an agent has to beat: `python benches/env_baselines.py [--games G ...] [--deals N] [--first N] [--seconds S]`.

The players of `simulate` inside the environments, with the registered limit of steps, and beside them the solver, who
sees all cards: no agent can win more often than the deals that can be won. One table for each game, the same deals for
all, with 95 % intervals (Wilson). A deal on which the solver met its limit is counted both ways. In Gaps the solver
answers for the first deal alone, which is no ceiling: redeals win more.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from typing import Any

import gymnasium as gym

import unshuffle as un
from unshuffle.envs.episodes import play_episode
from unshuffle.envs.playing import actions_of, describe_environment
from unshuffle.simulate import play_each
from unshuffle.solve import Status
from unshuffle.study.statistics import wilson

PLAYERS = {
    "aces-up": ("random", "greedy", "rules:2,1,10", "weights", "rollout:5", "planner:10"),
    "agnes": ("random", "greedy", "rollout:5"),
    "belle-lucie": ("random", "greedy", "value"),
    "gaps": ("random", "greedy", "max-locked:10000", "value:10000"),
    "spider": ("random:100", "greedy", "plan:20"),
}


def players(game: un.Game[Any, Any], deals: range) -> Iterator[str]:
    """A row for each player."""
    name, arguments = describe_environment(game)
    env = gym.make(name, obs="flat", disable_env_checker=True, **arguments)
    stepped = env.get_wrapper_attr("stepped")
    for policy in PLAYERS[game.id]:
        won = points = played = 0
        for record in play_each(game, policy, deals):
            state = game.deal(deals[played])
            played += 1
            if state.outcome is not None:  # as it was dealt
                continue
            episode = play_episode(env, str(state.id), actions_of(stepped, state, record.moves))
            won += episode.ended == "won"
            points += episode.score
        yield row(f"`{policy}`", "hidden", won, played, f"{points / played:.1f}")


def ceiling(game: un.Game[Any, Any], deals: range, seconds: float) -> str:
    """The row of the solver."""
    results = un.solve_many(game, seeds=deals, seconds=seconds)
    counts = Counter(result.status if result.is_decided else None for result in results)
    what = "solver, the first deal" if game.solves_phases else "solver"
    return row(what, "open", counts[Status.SOLVED], len(deals), "", undecided=counts[None])


def row(player: str, information: str, won: int, of: int, points: str, undecided: int = 0) -> str:
    """A line of the table."""
    low, high = wilson(won, of)[0], wilson(won + undecided, of)[1]
    count = f"{won} of {of}" + (f", {undecided} undecided" if undecided else "")
    return f"| {player} | {information} | {count} | {100 * low:.1f} to {100 * high:.1f} % | {points} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=PLAYERS, default=list(PLAYERS))
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--first", type=int, default=1_000_000_000, help="the first deal: far from those one trains on")
    parser.add_argument("--seconds", type=float, default=1.0, help="for the solver, on each deal")
    arguments = parser.parse_args()
    deals = range(arguments.first, arguments.first + arguments.deals)
    for name in arguments.games:
        game = un.game(name)
        print(f"\n{game}, deals {deals[0]} to {deals[-1]}\n")
        print("| player | information | won | 95 % (Wilson) | mean score |\n|---|---|---|---|---|")
        for line in players(game, deals):
            print(line, flush=True)
        print(ceiling(game, deals, arguments.seconds), flush=True)


if __name__ == "__main__":
    main()
