"""Races: many policies begin, and after each block of deals those that are far behind are dropped.

A race finds the best of many policies with fewer games. It proves nothing, as the same deals are tested repeatedly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unshuffle.simulate import Policy, Simulation, Tournament, TournamentInterrupted
from unshuffle.study.ranking import find_behind, wins_of

FIRST_BLOCK = 1_000
"""Deals before the first test. Each later test comes when twice as many deals have been played."""

Play = Callable[[Sequence[Policy], int], Tournament]
"""Lets these policies play the first n deals; games that were played before are not played again."""


@dataclass(frozen=True, slots=True)
class Race:
    """The games of each policy until it was dropped or the race ended, in the order in which they were entered."""

    simulations: tuple[Simulation, ...]
    seconds: tuple[float, ...]
    is_interrupted: bool = False


def run_race(play: Play, policies: Sequence[Policy], deals: int, first_block: int | None = None) -> Race:
    """Run a race: play block after block, and drop the policies that are behind. Ctrl-C ends the race early."""
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
            break
    return _race(policies, ended, seconds)


def _note(tournament: Tournament, ended: dict[str, Simulation], seconds: dict[str, float]) -> None:
    for simulation, took in zip(tournament.simulations, tournament.seconds, strict=True):
        # An interrupted block may have fewer games than were played before it.
        if simulation.policy not in ended or len(simulation) >= len(ended[simulation.policy]):
            ended[simulation.policy] = simulation
        seconds[simulation.policy] += took


def _race(
    policies: Sequence[Policy], ended: dict[str, Simulation], seconds: dict[str, float], *, is_interrupted: bool = False
) -> Race:
    names = [policy.name for policy in policies]
    return Race(tuple(ended[name] for name in names), tuple(seconds[name] for name in names), is_interrupted)
