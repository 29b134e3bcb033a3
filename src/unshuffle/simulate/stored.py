"""A tournament whose games are kept in a store: plays the missing games piece by piece, then reads all of them."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Any

from unshuffle.game import AnyGame
from unshuffle.hidden.playing import Deals, Replays
from unshuffle.hidden.policy import Policy
from unshuffle.pieces import Pace, pieces
from unshuffle.rulebook import write_rules
from unshuffle.simulate.simulation import Simulation, SimulationInterrupted, run_policies
from unshuffle.simulate.tournament import Progress, Tournament, TournamentInterrupted
from unshuffle.solve import check_threads, cores
from unshuffle.store import DECKS, Entry, PolicyChunk, Run, RunSpec, Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PIECE_SECONDS = 1.4
"""The approximate playing time of a piece, which is the most that can be lost."""
_LARGEST_PIECE = 1 << 18


class SeededDeals:
    """Deals by consecutive numbers of a generator."""

    suffix = ""
    """The end of the default name of their study."""

    def __init__(self, game: AnyGame, seeds: range, generator: str) -> None:
        self.game = game
        self.generator = generator
        self.numbers: Sequence[int] = seeds
        self.deals_of(seeds)  # raises UsageError for an unknown generator before anything is stored

    def deals_of(self, numbers: Sequence[int]) -> Deals:
        """Return the deals with these seeds, ready to be played."""
        return Deals(self.game, numbers=numbers, generator=self.generator)


class StoredDecks:
    """Decks of a store, by their ids."""

    suffix = "-decks"
    generator = DECKS

    def __init__(self, game: AnyGame, ids: Sequence[int], store: Store) -> None:
        self.game = game
        self.numbers: Sequence[int] = sorted(set(ids))
        decks = store.decks(game.id, self.numbers)
        self._decks = dict(zip(self.numbers, decks, strict=True))

    def deals_of(self, numbers: Sequence[int]) -> Deals:
        """Return the decks with these ids, ready to be played. Their names seed the luck of a random policy."""
        states = [self.game.start(self._decks[number]) for number in numbers]
        return Deals(self.game, states=states, names=[f"deck {number}" for number in numbers])


class StoredTournament:
    """A tournament whose games are kept in a store."""

    def __init__(self, store: Store, study: str, asked: SeededDeals | StoredDecks, policies: Sequence[Policy]) -> None:
        self._store = store
        self._study = study
        self._asked = asked
        self._policies = policies
        self._seconds = [0.0] * len(policies)
        self._ranges = list(_ranges(asked.numbers))
        self._runs: list[Run] = []
        self._replays = Replays.shared(len(policies))

    def _spec(self, policy: Policy) -> RunSpec:
        from unshuffle import __version__

        game = self._asked.game
        return RunSpec(
            game=game.id,
            variant=game.variant,
            rules=write_rules(game.rules),
            method=f"policy:{policy.name}",
            information=policy.information,
            generator=self._asked.generator,
            first_seed=self._ranges[0][0],
            last_seed=self._ranges[-1][-1],
            engine=policy.engine(game),
            package_version=__version__,
        )

    def play(
        self,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        entered: Sequence[Entry] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Tournament:
        """Play the missing games and return all of them; the store keeps `entered` and `settings` with the batch."""
        check_threads(threads)
        game = self._asked.game
        self._runs = self._store.add_runs(self._study, [self._spec(policy) for policy in self._policies])
        entries = [Entry(policy.name, policy.name) for policy in self._policies] if entered is None else entered
        engines = sorted({policy.engine(game) for policy in self._policies})
        batch = self._store.add_batch(
            self._study,
            self._settings() | dict(settings or {}),
            entries,
            game=game.id,
            variant=game.variant,
            engine="+".join(engines),
        )
        begun = monotonic()
        is_interrupted = False
        with self._store.owner() as owner:
            try:
                self._play_missing(owner, threads, progress)
            except KeyboardInterrupt:
                is_interrupted = True
        ended = self._read(threads)
        games, wins = len(ended) * len(self._runs), sum(each.wins for each in ended.simulations)
        state = "interrupted" if is_interrupted else "finished"
        self._store.end_batch(batch, state, games=games, wins=wins, seconds=monotonic() - begun)
        if is_interrupted:
            raise TournamentInterrupted(ended)
        return ended

    def _settings(self) -> dict[str, Any]:
        numbers = self._asked.numbers
        asked: dict[str, Any] = {"generator": self._asked.generator}
        if isinstance(numbers, range):
            return asked | {"seeds": f"{numbers[0]}..{numbers[-1]}"}
        return asked | {"decks": list(numbers)}

    def count_missing(self) -> list[int]:
        """Return for each policy how many of its games are not in the store yet. Only reads the store."""
        known: dict[str, Run] = {}
        if self._study in (study.name for study in self._store.studies()):
            game = self._asked.game
            runs = (run for run in self._store.runs(self._study) if (run.game, run.variant) == (game.id, game.variant))
            known = {run.method: run for run in runs}
        done = (known.get(f"policy:{policy.name}") for policy in self._policies)
        return [
            len(self._asked.numbers) - (0 if run is None else self._store.count_done(run, *self._ranges))
            for run in done
        ]

    def estimate(self, threads: int | None, trial: float = 0.2) -> float:
        """Estimate how many seconds `play` will take, from trial games of about `trial` seconds, which are not kept."""
        missing = self.count_missing()
        game = self._asked.game
        lacking = [place for place, count in enumerate(missing) if count]
        light = [place for place in lacking if _is_light(game, self._policies[place])]
        costs = dict.fromkeys(light, self._try_out(light, trial, threads)) if light else {}
        slow = [place for place in lacking if place not in costs]
        begun = monotonic()
        # A policy that the trial has no time for is assumed to cost the mean of the others.
        for place in slow:
            if place == slow[0] or monotonic() - begun < trial:
                costs[place] = self._try_out([place], trial / len(slow), threads)
        tried = [costs[place] for place in slow if place in costs]
        usual = sum(tried) / len(tried) if tried else 0.0
        return sum(missing[place] * costs.get(place, usual) for place in lacking)

    def _try_out(self, places: list[int], trial: float, threads: int | None) -> float:
        """Measure the seconds per game of these policies over about `trial` seconds of play."""
        policies = [self._policies[place] for place in places]
        begun, size, before = monotonic(), 1, 0.0
        while True:
            deals = self._asked.deals_of(self._asked.numbers[:size])
            started = monotonic()
            run_policies(deals, policies, threads=threads, replays=Replays.none(len(policies)), first_block=size)
            took = monotonic() - started
            if monotonic() - begun >= trial or size >= len(self._asked.numbers):
                # The difference to the previous call, with a quarter of the deals, cancels the fixed cost of a call.
                more = took - before if 0 < before < took else took
                return more / (len(deals) - (size // 4 if more < took else 0)) / len(policies)
            size, before = 4 * size, took

    def _play_missing(self, owner: str, threads: int | None, progress: Progress | None) -> None:
        """Play the missing pieces in order, each by all policies that lack it, so that nearly all games have pairs."""
        games, played = sum(self.count_missing()), 0
        places = {run.id: place for place, run in enumerate(self._runs)}
        # At least one deal for each thread of the engine, even if a game takes long.
        is_native = any(policy.engine(self._asked.game) == "native" for policy in self._policies)
        pace = Pace(_PIECE_SECONDS, least=(threads or cores()) if is_native else 1, most=_LARGEST_PIECE)

        def report(now: int) -> None:
            if progress is not None:
                progress(played + now, games)

        for asked in self._ranges:
            claim = partial(self._store.claim_together, self._runs, owner, seeds=asked)
            for first, last, lacking in pieces(claim, pace, lambda claimed: claimed[1] - claimed[0] + 1):
                seeds = range(first, last + 1)
                self._play_piece(seeds, [places[run.id] for run in lacking], owner, threads, report)
                played += len(seeds) * len(lacking)

    def _play_piece(
        self,
        seeds: range,
        places: list[int],
        owner: str,
        threads: int | None,
        report: Callable[[int], object],
    ) -> None:
        deals = self._asked.deals_of(seeds)
        policies = [self._policies[place] for place in places]
        replays = [self._replays[place] for place in places]
        begun = monotonic()
        interruption: SimulationInterrupted | None = None
        try:
            played: Sequence[Simulation] = run_policies(
                deals, policies, threads=threads, replays=replays, first_block=len(seeds), progress=report
            )
        except SimulationInterrupted as interrupted:
            played, interruption = interrupted.simulations, interrupted
        if len(played[0]):
            self._keep(places, seeds[0], played, owner, (monotonic() - begun) / len(places))
        if interruption is not None:
            raise interruption

    def _keep(
        self, places: Sequence[int], first: int, played: Sequence[Simulation], owner: str, seconds: float
    ) -> None:
        """Store these games. Skips those that another process took over while this one was suspended."""
        chunks = []
        for place, games in zip(places, played, strict=True):
            self._seconds[place] += seconds
            engine = self._policies[place].engine(self._asked.game)
            chunks.append(PolicyChunk(self._runs[place], first, games.kept(seconds), engine))
        self._store.finish_policy_chunks(chunks, owner=owner)

    def _read(self, threads: int | None) -> Tournament:
        """Return the deals that every policy has played, in this process or another."""
        # Only finished ranges are read: the part that is not played may be far larger and must cost nothing.
        common = self._ranges
        for run in self._runs:
            common = list(_overlap(common, self._store.seeds_done(run)))
        numbers: Sequence[int] = self._asked.numbers
        if common != self._ranges:
            numbers = common[0] if len(common) == 1 else list(chain.from_iterable(common))
        columns = [_Column(self._store, run, common) for run in self._runs]
        deals = self._asked.deals_of(numbers)
        simulations = []
        for policy, run, column in zip(self._policies, self._runs, columns, strict=True):
            counts, won_counts = self._read_counts(run, policy, numbers, threads)
            simulations.append(
                Simulation(
                    deals,
                    policy,
                    array("h", column.scores.tobytes()),
                    column.won.tobytes(),
                    packed_moves=column.moves.tobytes() if column.has_moves else None,
                    rule_counts=counts,
                    won_rule_counts=won_counts,
                )
            )
        return Tournament(tuple(simulations), tuple(self._seconds))

    def _read_counts(
        self, run: Run, policy: Policy, numbers: Sequence[int], threads: int | None
    ) -> tuple[Counter[int], Counter[int]]:
        """Return how often each rule of a list moved, in these games and in the won ones.

        The store has these counts by chunk. For a chunk that is only partly in `numbers`, the games are played again.
        """
        counts: Counter[int] = Counter()
        won_counts: Counter[int] = Counter()
        for part in _ranges(numbers):
            found = self._store.rule_counts(run, part[0], part[-1])
            counts.update({int(rule): moves for rule, (moves, _) in found.items()})
            won_counts.update({int(rule): moves for rule, (_, moves) in found.items() if moves})
            if policy.rule_words:
                for cut in self._store.cut_chunks(run, part[0], part[-1]):
                    [again] = run_policies(
                        self._asked.deals_of(cut), [policy], threads=threads, replays=Replays.none(1)
                    )
                    counts.update(again.rule_counts)
                    won_counts.update(again.won_rule_counts)
        return counts, won_counts


class _Column:
    """The stored games of a run as arrays, in the order of the seeds, all of which must be finished."""

    def __init__(self, store: Store, run: Run, ranges: Sequence[range]) -> None:
        import numpy as np

        count = sum(map(len, ranges))
        self.scores: NDArray[np.int16] = np.zeros(count, dtype=np.int16)
        self.won: NDArray[np.uint8] = np.zeros(count, dtype=np.uint8)
        self.moves: NDArray[np.uint8] = np.zeros(count, dtype=np.uint8)
        self.has_moves = False
        begin = 0
        for asked in ranges:
            for games in store.games(run, asked[0], asked[-1]):
                part = slice(begin + games.first - asked[0], begin + games.first - asked[0] + len(games.scores))
                self.scores[part] = np.frombuffer(games.scores, dtype=np.int16)
                self.won[part] = np.frombuffer(games.won, dtype=np.uint8)
                if games.tableau_moves is not None:
                    self.has_moves = True
                    self.moves[part] = np.frombuffer(games.tableau_moves, dtype=np.uint8)
            begin += len(asked)


def _is_light(game: AnyGame, policy: Policy) -> bool:
    """Return whether the engine needs only the policy's name, so that one call can play many such policies."""
    return policy.engine(game) == "native" and not policy.draws_lots and policy.packed_values(game.rules) is None


def _ranges(numbers: Sequence[int]) -> Iterator[range]:
    """Yield ascending numbers as maximal ranges without gaps."""
    if isinstance(numbers, range):
        yield numbers
        return
    begin = 0
    for place in range(1, len(numbers) + 1):
        if place == len(numbers) or numbers[place] != numbers[place - 1] + 1:
            yield range(numbers[begin], numbers[place - 1] + 1)
            begin = place


def _overlap(asked: Sequence[range], done: Sequence[tuple[int, int]]) -> Iterator[range]:
    """Yield the intersection of two ascending sequences of ranges; those of `done` include both ends."""
    there = iter(done)
    first, last = next(there, (0, -1))
    for part in asked:
        start = part.start
        while start < part.stop and first <= last:
            if last >= start:
                common = range(max(start, first), min(part.stop, last + 1))
                if common:
                    yield common
                if last >= part.stop - 1:
                    break
                start = last + 1
            first, last = next(there, (0, -1))
