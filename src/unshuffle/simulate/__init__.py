"""Simulations: a policy, which sees what a person sees (hidden information), plays many deals.

numpy is imported only when an array is read, so that `import unshuffle` stays light.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from functools import partial
from typing import Any

from unshuffle.deals import OURS, Source
from unshuffle.game import AnyGame
from unshuffle.hidden.playing import (
    REPLAYED_WINS,
    Deals,
    Luck,
    Played,
    Player,
    Replays,
    Sitting,
    check_scores,
    count_tableau_moves,
    play_game,
)
from unshuffle.hidden.policy import Policy, policies, policy_of, register_policy
from unshuffle.simulate.chance import SAMPLES, Estimate, estimate, usual_policy
from unshuffle.simulate.simulation import Record, Simulation, SimulationInterrupted, run_policies, run_policy
from unshuffle.simulate.tournament import (
    Pair,
    Tournament,
    TournamentInterrupted,
    plan_tournament,
    play_tournament,
)
from unshuffle.solve import check_threads

__all__ = [
    "SAMPLES",
    "Deals",
    "Estimate",
    "Luck",
    "Pair",
    "Player",
    "Policy",
    "Record",
    "Replays",
    "Simulation",
    "SimulationInterrupted",
    "Sitting",
    "Tournament",
    "TournamentInterrupted",
    "estimate",
    "plan_tournament",
    "play_block",
    "play_each",
    "play_game",
    "play_tournament",
    "policies",
    "policy_of",
    "register_policy",
    "run_policies",
    "run_policy",
    "simulate",
    "usual_policy",
]


def simulate(
    game: AnyGame,
    policy: str | Policy = "greedy",
    seeds: Iterable[int | str | Source] | None = None,
    *,
    states: Iterable[Any] | None = None,
    generator: str = OURS,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Simulation:
    """Play many games with one policy, which sees only what a player sees, and return the scores and wins.

    The games start from `seeds` (deal numbers; by default the first 10,000) or from `states`. The result does not
    depend on `threads`, which only policies that the engine plays make use of. `progress` is called with the number of
    games played. Ctrl-C raises `SimulationInterrupted`, which holds the games that were played.
    """
    deals = _deals(game, seeds, states, generator)
    return run_policy(deals, policy_of(game, policy), threads=threads, progress=progress)


def play_block(
    game: AnyGame,
    policy: str | Policy,
    seeds: Sequence[int],
    *,
    generator: str = OURS,
    threads: int | None = None,
    replay_wins: int | None = REPLAYED_WINS,
) -> tuple[array[int], list[bool]]:
    """Play the seeds and return the scores and whether each game was won. `replay_wins` is as in `run_policy`."""
    deals = Deals(game, numbers=seeds, generator=generator)
    simulation = run_policy(deals, policy_of(game, policy), threads=threads, replay_wins=replay_wins)
    return simulation.packed[0], [bool(won) for won in simulation.packed[1]]


def play_each(
    game: AnyGame,
    policy: str | Policy,
    seeds: Iterable[int | str | Source] | None = None,
    *,
    states: Iterable[Any] | None = None,
    generator: str = OURS,
    threads: int | None = None,
) -> Generator[Record, None, None]:
    """Yield the games one by one as they are played, each with its moves. Arguments as in `simulate`."""
    deals = _deals(game, seeds, states, generator)
    chosen = policy_of(game, policy)
    return _each(deals, chosen, check_threads(threads))


def _each(deals: Deals, policy: Policy, threads: int | None) -> Generator[Record, None, None]:
    with closing(policy.play_many(deals, threads=threads)) as games:
        for place, played in enumerate(games):
            [score] = check_scores([played.score], deals, place)
            moves = count_tableau_moves(deals.game, played.moves)
            yield Record(deals.state(place).id, policy.name, score, played.won, moves, partial(_as_it_is, played))


def _as_it_is(played: Played) -> Played:
    return played


def _deals(
    game: AnyGame, seeds: Iterable[int | str | Source] | None, states: Iterable[Any] | None, generator: str
) -> Deals:
    if seeds is None and states is None:
        seeds = range(10_000)
    numbers = seeds if seeds is None or isinstance(seeds, range) else tuple(seeds)
    return Deals(game, numbers=numbers, generator=generator, states=None if states is None else tuple(states))
