"""Several policies on the same deals, so that luck favours none of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import combinations, compress
from time import monotonic
from typing import TYPE_CHECKING

from unshuffle.deals import OURS
from unshuffle.errors import UsageError, quote
from unshuffle.game import AnyGame
from unshuffle.rulebook import write_rules
from unshuffle.simulate.playing import REPLAYED_WINS, Deals
from unshuffle.simulate.policy import Policy, policy_of
from unshuffle.simulate.simulation import Simulation, SimulationInterrupted, run_policy

if TYPE_CHECKING:
    from unshuffle.store import Run, RunSpec, Store

Progress = Callable[[int, int], object]
"""Called with the games played and the games to play."""

# So many policies are all compared with each other; of more each is compared with the first.
_FEW = 4

# A piece of work is made as large as what is played in about this time: so much is lost at the most.
_PIECE_SECONDS = 0.5
_FIRST_PIECE, _LARGEST_PIECE = 64, 1 << 16


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

    def __len__(self) -> int:
        """The number of deals."""
        return len(self.simulations[0])

    def pairs(self) -> list[Pair]:
        """Every pair of policies; of many policies each of the others with the first."""
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
    seeds: range,
    *,
    generator: str = OURS,
    threads: int | None = None,
    store: Store | None = None,
    study: str | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Let every policy play every deal.

    With a store the games go into it, under the name of a study, and those that are there already are not played
    again. `progress` is called with the games played and the games to play.
    """
    chosen = [policy_of(game, policy) for policy in policies]
    names = [policy.name for policy in chosen]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"the policy {quote(name)} is given twice")
    if not chosen:
        raise UsageError("a tournament needs policies")
    if seeds.step != 1 or not seeds:
        raise UsageError("a tournament needs deal numbers without gaps, such as range(1000)")
    deals = Deals(game, numbers=seeds, generator=generator)
    if store is None:
        return _play(deals, chosen, threads, progress)
    return _Stored(store, study or f"tournament-{game.id}-{game.variant}", deals, seeds, chosen).play(threads, progress)


def _play(deals: Deals, policies: list[Policy], threads: int | None, progress: Progress | None) -> Tournament:
    games = len(deals) * len(policies)
    played: list[Simulation] = []

    def report(now: int) -> None:
        if progress is not None:
            progress(len(deals) * len(played) + now, games)

    for policy in policies:
        played.append(run_policy(deals, policy, threads=threads, progress=report))
    return Tournament(tuple(played))


@dataclass(slots=True)
class _Turn:
    """A run and how its next piece is played."""

    run: Run
    policy: Policy
    size: int = _FIRST_PIECE
    replay_wins: int = REPLAYED_WINS


class _Stored:
    """A tournament whose games are kept in a store."""

    def __init__(self, store: Store, study: str, deals: Deals, seeds: range, policies: list[Policy]) -> None:
        self._store = store
        self._deals = deals
        self._seeds = seeds
        self._policies = policies
        self._runs = [store.add_run(study, self._spec(policy)) for policy in policies]

    def _spec(self, policy: Policy) -> RunSpec:
        from unshuffle import __version__
        from unshuffle.store import RunSpec

        game = self._deals.game
        return RunSpec(
            game=game.id,
            variant=game.variant,
            rules=write_rules(game.rules),
            method=f"policy:{policy.name}",
            information=policy.information,
            generator=self._deals.generator,
            first_seed=self._seeds[0],
            last_seed=self._seeds[-1],
            engine=policy.engine(game),
            package_version=__version__,
        )

    def play(self, threads: int | None, progress: Progress | None) -> Tournament:
        """Play what is missing, and give back all of it."""
        from unshuffle.store import Owner

        owner = Owner()
        try:
            self._play_missing(str(owner), threads, progress)
        except KeyboardInterrupt:
            raise TournamentInterrupted(self._read()) from None
        finally:
            for run in self._runs:
                self._store.release(run, str(owner))
            owner.close()
        return self._read()

    def _play_missing(self, owner: str, threads: int | None, progress: Progress | None) -> None:
        """A piece for each policy in turn, so that at any moment nearly all games have their counterparts."""
        missing = [len(self._seeds) - self._count_done(run) for run in self._runs]
        games, played = sum(missing), 0
        turns = [
            _Turn(run, policy) for run, policy, left in zip(self._runs, self._policies, missing, strict=True) if left
        ]
        while turns:
            for turn in list(turns):
                claimed = self._store.claim(turn.run, owner, turn.size, self._seeds)
                if claimed is None:
                    turns.remove(turn)
                    continue
                report = None if progress is None else partial(_report, progress, played, games)
                played += self._play_piece(turn, range(claimed[0], claimed[1] + 1), owner, threads, report)

    def _play_piece(
        self,
        turn: _Turn,
        seeds: range,
        owner: str,
        threads: int | None,
        report: Callable[[int], object] | None,
    ) -> int:
        deals = Deals(self._deals.game, numbers=seeds, generator=self._deals.generator)
        begun = monotonic()
        interruption: SimulationInterrupted | None = None
        try:
            # Wins are replayed up to a number for each run; a piece that comes later finds it used up.
            played = run_policy(deals, turn.policy, threads=threads, replay_wins=turn.replay_wins, progress=report)
        except SimulationInterrupted as interrupted:
            played, interruption = interrupted.simulation, interrupted
        seconds = monotonic() - begun
        if len(played):
            self._keep(turn, seeds[0], played, owner, seconds)
        if interruption is not None:
            raise interruption
        turn.replay_wins = max(0, turn.replay_wins - played.wins)
        if seconds < _PIECE_SECONDS:
            turn.size = min(_LARGEST_PIECE, 2 * turn.size)
        return len(played)

    def _keep(self, turn: _Turn, first: int, played: Simulation, owner: str, seconds: float) -> None:
        from unshuffle.store import ClaimLostError

        scores, won = played.packed
        # Whoever took the work over, after a long sleep of this process, has stored the same games.
        with suppress(ClaimLostError):
            self._store.finish_policy_chunk(
                turn.run,
                first,
                scores,
                [bool(each) for each in won],
                owner=owner,
                engine=turn.policy.engine(self._deals.game),
                replayed=played.replayed,
                seconds=seconds,
            )

    def _count_done(self, run: Run) -> int:
        ends = ((max(first, self._seeds[0]), min(last, self._seeds[-1])) for first, last in self._store.seeds_done(run))
        return sum(max(0, last - first + 1) for first, last in ends)

    def _read(self) -> Tournament:
        """The deals that every policy has played, whoever played them."""
        first = self._seeds[0]
        columns = []
        for run in self._runs:
            scores, won, done = (bytearray(len(self._seeds)) for _ in range(3))
            for row in self._store.rows(run):
                if row["seed"] in self._seeds:
                    place = row["seed"] - first
                    scores[place], won[place], done[place] = row["score"], row["won"], 1
            columns.append((scores, won, done))
        common = bytes(map(min, zip(*(done for _, _, done in columns), strict=True)))
        deals = self._deals
        if not all(common):
            numbers = tuple(compress(self._seeds, common))
            deals = Deals(deals.game, numbers=numbers, generator=deals.generator)
        return Tournament(
            tuple(
                Simulation(deals, policy, bytes(compress(scores, common)), bytes(compress(won, common)))
                for policy, (scores, won, _) in zip(self._policies, columns, strict=True)
            )
        )


def _report(progress: Progress, before: int, games: int, now: int) -> None:
    progress(before + now, games)
