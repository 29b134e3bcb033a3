"""A race: many policies begin, and those that are far behind after a block of deals play no further.

It finds the best of many with fewer games. It proves nothing, as the deals are looked at again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unshuffle.simulate import Policy, Simulation, Tournament, TournamentInterrupted
from unshuffle.study.ranking import find_behind, wins_of

FIRST_BLOCK = 1_000
"""Deals before the first look; each later one comes when twice as many have been played."""

Play = Callable[[Sequence[Policy], int], Tournament]
"""Lets these policies play so many deals, the first ones; what they have played already is not played again."""


@dataclass(frozen=True, slots=True)
class Race:
    """What each policy has played until it fell out, or to the end; in the order in which they were entered."""

    simulations: tuple[Simulation, ...]
    seconds: tuple[float, ...]
    is_interrupted: bool = False


def run_race(play: Play, policies: Sequence[Policy], deals: int, first_block: int | None = None) -> Race:
    """Play block after block, and drop who is behind; Ctrl-C ends the race where it is."""
    ended: dict[str, Simulation] = {}
    seconds = dict.fromkeys((policy.name for policy in policies), 0.0)
    racing = list(policies)
    played = 0
    while played < deals:
        played = min(deals, 2 * played or first_block or FIRST_BLOCK)
        try:
            tournament = play(racing, played)
        except TournamentInterrupted as interrupted:
            _note(interrupted.tournament, ended, seconds)
            return _race(policies, ended, seconds, is_interrupted=True)
        _note(tournament, ended, seconds)
        behind = set(find_behind(wins_of(tournament.simulations)))
        racing = [policy for place, policy in enumerate(racing) if place not in behind]
        if len(racing) == 1:
            break  # nobody is left to race against
    return _race(policies, ended, seconds)


def _note(tournament: Tournament, ended: dict[str, Simulation], seconds: dict[str, float]) -> None:
    for simulation, took in zip(tournament.simulations, tournament.seconds, strict=True):
        # Of an interrupted block less may be left than all had played before it.
        if simulation.policy not in ended or len(simulation) >= len(ended[simulation.policy]):
            ended[simulation.policy] = simulation
        seconds[simulation.policy] += took


def _race(
    policies: Sequence[Policy], ended: dict[str, Simulation], seconds: dict[str, float], *, is_interrupted: bool = False
) -> Race:
    names = [policy.name for policy in policies]
    return Race(tuple(ended[name] for name in names), tuple(seconds[name] for name in names), is_interrupted)
