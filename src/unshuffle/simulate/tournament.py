"""Tournaments: several policies on the same deals, for paired comparisons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from time import monotonic
from typing import TYPE_CHECKING, Any

from unshuffle.deals import OURS
from unshuffle.errors import UsageError, quote
from unshuffle.game import AnyGame
from unshuffle.hidden.playing import Deals, Replays
from unshuffle.hidden.policy import Policy, policy_of
from unshuffle.simulate.simulation import Simulation, SimulationInterrupted, run_policies

if TYPE_CHECKING:
    from unshuffle.simulate.stored import StoredTournament
    from unshuffle.store import Store

Progress = Callable[[int, int], object]
"""Called with the games played and the games to play."""

# Up to this many policies are compared pairwise; of more policies, each is compared with the first.
_FEW = 4


@dataclass(frozen=True, slots=True)
class Pair:
    """Two policies on the same deals: how many were won by both, by one of them, by neither."""

    a: str
    b: str
    both: int
    only_a: int
    only_b: int
    neither: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """A simulation per policy, all on the same deals and in the same order."""

    simulations: tuple[Simulation, ...]
    seconds: tuple[float, ...] = ()
    """For each policy the time in which its games were played; games that were stored before count as 0."""

    def __len__(self) -> int:
        """Return the number of deals."""
        return len(self.simulations[0])

    def pairs(self) -> list[Pair]:
        """Return the comparisons: all pairs of up to four policies, else each other policy with the first."""
        if len(self.simulations) <= _FEW:
            return [_compare(a, b) for a, b in combinations(self.simulations, 2)]
        first, *others = self.simulations
        return [_compare(first, other) for other in others]


def _compare(a: Simulation, b: Simulation) -> Pair:
    counts = Counter(zip(a.packed[1], b.packed[1], strict=True))
    return Pair(a.policy, b.policy, counts[1, 1], counts[1, 0], counts[0, 1], counts[0, 0])


class TournamentInterrupted(KeyboardInterrupt):
    """Ctrl-C during a tournament; `tournament` has the deals that every policy has played."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__("interrupted")
        self.tournament = tournament


def play_tournament(
    game: AnyGame,
    policies: Sequence[str | Policy],
    seeds: range | None = None,
    *,
    states: Sequence[Any] | None = None,
    decks: Sequence[int] | None = None,
    generator: str = OURS,
    threads: int | None = None,
    store: Store | None = None,
    study: str | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Let every policy play every deal and return the results.

    The deals are `seeds`, `states`, or `decks` (ids of decks in the store). With a store, the games are stored under
    the name of a study, and games that are stored already are not played again. `progress` is called with the games
    played and the games to play. Ctrl-C raises `TournamentInterrupted`, which has what was played.
    """
    if [seeds, states, decks].count(None) != 2:
        raise UsageError("a tournament takes seeds, states or decks, one of the three")
    if store is not None:
        if states is not None:
            raise UsageError("a store keeps deals by their numbers, and decks by their ids; states have neither")
        planned = plan_tournament(store, game, policies, seeds, decks=decks, generator=generator, study=study)
        return planned.play(threads=threads, progress=progress)
    if decks is not None:
        raise UsageError("decks are those of a store, and none is given")
    chosen = _chosen(game, policies)
    _check_seeds(seeds)
    return _play(Deals(game, numbers=seeds, generator=generator, states=states), chosen, threads, progress)


def plan_tournament(
    store: Store,
    game: AnyGame,
    policies: Sequence[str | Policy],
    seeds: range | None = None,
    *,
    decks: Sequence[int] | None = None,
    generator: str = OURS,
    study: str | None = None,
) -> StoredTournament:
    """Return a tournament whose games are kept in a store; it can count, time and play the missing games."""
    from unshuffle.simulate.stored import SeededDeals, StoredDecks, StoredTournament

    chosen = _chosen(game, policies)
    asked: SeededDeals | StoredDecks
    if decks is None:
        _check_seeds(seeds)
        assert seeds is not None
        asked = SeededDeals(game, seeds, generator)
    else:
        asked = StoredDecks(game, decks, store)
    return StoredTournament(store, study or f"tournament-{game.id}-{game.variant}{asked.suffix}", asked, chosen)


def _chosen(game: AnyGame, policies: Sequence[str | Policy]) -> list[Policy]:
    chosen = [policy_of(game, policy) for policy in policies]
    if not chosen:
        raise UsageError("a tournament needs policies")
    for name, times in Counter(policy.name for policy in chosen).items():
        if times > 1:
            raise UsageError(f"the policy {quote(name)} is given twice")
    return chosen


def _check_seeds(seeds: range | None) -> None:
    if seeds is not None and (seeds.step != 1 or not seeds):
        raise UsageError("a tournament needs deal numbers without gaps, such as range(1000)")


def _play(deals: Deals, policies: list[Policy], threads: int | None, progress: Progress | None) -> Tournament:
    games = len(deals) * len(policies)
    begun = monotonic()

    def report(now: int) -> None:
        if progress is not None:
            progress(now, games)

    try:
        played = run_policies(deals, policies, threads=threads, replays=Replays.shared(len(policies)), progress=report)
    except SimulationInterrupted as interrupted:
        raise TournamentInterrupted(_tournament(interrupted.simulations, begun)) from None
    return _tournament(played, begun)


def _tournament(played: Sequence[Simulation], begun: float) -> Tournament:
    # The policies played in turns within one call, so the time is divided equally among them.
    return Tournament(tuple(played), ((monotonic() - begun) / len(played),) * len(played))
