"""The search for deals that are proved winnable, seed by seed."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import unshuffle as un
from unshuffle.deals import LAST_SEED, OURS, Source
from unshuffle.engine import describe_engine
from unshuffle.errors import UsageError, unknown
from unshuffle.game import AnyGame
from unshuffle.pieces import Pace, parts
from unshuffle.rulebook import write_rules
from unshuffle.simulate import Record
from unshuffle.solve import Limits, Result, Status, cores, has_twin, replay
from unshuffle.solve.limits import parse_memory
from unshuffle.store import LAST_STORED_SEED, NOT_MEASURED, GradedDeal, Grading, PassedDeal, Store
from unshuffle.winnable.labels import Difficulty, cuts_of
from unshuffle.winnable.panels import LateError, Measured, Panel, StoppedError, count_games, name_panel

NODES = 1_000_000
SECONDS = 60.0
"""The default limits of the solver for each deal. The panel has the same time limit."""

LOOK_THROUGH = 100_000
"""The most deals to search if the caller gives no last one."""

PATIENCE = 1_000
"""In that case the search also ends after this many winnable deals in a row of other difficulties."""

_FLUSH_SECONDS = 1.0
_PIECE_SECONDS, _LARGEST_PIECE = 10.0, 1024
"""The target time and the most deals of a batch: at its end the solver's threads wait for its last deal."""


@dataclass
class Tally:
    """The counts of the deals that were searched."""

    found: int = 0
    lost: int = 0
    """Proved to be lost."""
    undecided: int = 0
    """Not decided within the limits."""
    other: int = 0
    """Winnable, but of another difficulty."""
    unmeasured: int = 0
    """Winnable, but not measured in time, if a difficulty was asked for."""
    stored: int = 0
    """How many of all these the store knew, so that they were not searched."""
    game: int = 0
    """The number of the game that the panel plays on the current deal; 0: none."""

    @property
    def looked_at(self) -> int:
        """The number of searched deals."""
        return self.found + self.lost + self.undecided + self.unwanted

    @property
    def unwanted(self) -> int:
        """Winnable deals that are not known to be of the difficulty asked for."""
        return self.other + self.unmeasured


@dataclass(kw_only=True)
class Search:
    """An iterable of the deals as they are found. They are stored even if the iteration is interrupted."""

    game: AnyGame
    difficulty: Difficulty | None
    count: int
    first: Source
    last: int
    store: Store | Path | None
    limits: Limits
    threads: int | None
    progress: Callable[[Tally], object] | None
    patience: int | None
    cancel: Event | None
    tally: Tally = field(default_factory=Tally)

    def __post_init__(self) -> None:
        self._panel = Panel(self.game)
        self._grading = grading_of(self.game)
        self._store: Store | None = None
        self._conditions = write_limits(self.limits)
        if self.game.solves_phases:  # there a win of the panel can be the proof
            self._conditions += f" {name_panel(self.game)}"
        self._passed: list[PassedDeal] = []
        self._flushed_at = monotonic()

    def __iter__(self) -> Generator[GradedDeal, None, None]:
        self.tally = Tally()
        if isinstance(self.store, Path):
            with Store.open(self.store) as self._store:
                yield from self._found()
        else:
            self._store = self.store
            yield from self._found()

    def _found(self) -> Iterator[GradedDeal]:
        others = 0
        try:
            with closing(self._looked_at()) as looked_at:
                for deal in looked_at:
                    if self.progress is not None:
                        self.progress(self.tally)
                    if deal is not None:
                        others = self.tally.unwanted
                        yield deal
                        if self.tally.found >= self.count:
                            return
                    elif self.patience is not None and self.tally.unwanted - others >= self.patience:
                        return
        finally:
            self._flush()

    def _looked_at(self) -> Generator[GradedDeal | None, None, None]:
        """Yield each searched deal, or None for one that is not wanted."""
        # The first batch is small: the solver works ahead, and one deal may be enough.
        least = 2 * (self.threads or cores())
        pace = Pace(_PIECE_SECONDS, first=least, least=least, most=_LARGEST_PIECE)
        for seeds in parts(range(self.first.seed, self.last + 1), pace):
            if self._is_cancelled:
                return
            yield from self._look_at(seeds)

    def _look_at(self, seeds: range) -> Iterator[GradedDeal | None]:
        known = self._known(seeds)
        searched = self._search([seed for seed in seeds if seed not in known])
        with closing(searched):
            for seed in seeds:
                found = known.get(seed)
                if found is None:
                    result = next(searched, None)
                    if result is None:
                        return  # cancelled
                    try:
                        found = self._judge(self._source(seed), result)
                    except StoppedError:
                        return
                    self._keep(found)
                else:
                    self.tally.stored += 1
                yield self._count_in(found)

    def _source(self, seed: int) -> Source:
        return Source(seed, self.first.generator, self.first.number)

    def _known(self, seeds: range) -> dict[int, GradedDeal | PassedDeal]:
        """Return what the store knows of these deals, without those that other limits left undecided."""
        if self._store is None:
            return {}
        first = self._source(seeds[0])
        passed = self._store.passed_in(self._grading, first, seeds[-1])
        known: dict[int, GradedDeal | PassedDeal] = {
            seed: each for seed, each in passed.items() if each.status == "lost" or each.limits == self._conditions
        }
        # A proof overrides an earlier undecided result.
        return known | {each.source.seed: each for each in self._store.graded_in(self._grading, first, seeds[-1])}

    @property
    def _is_cancelled(self) -> bool:
        return self.cancel is not None and self.cancel.is_set()

    def _search(self, seeds: list[int]) -> Any:
        """Return an iterator of the solver's results, in order. It ends when the search is cancelled."""
        options: dict[str, Any] = {
            "nodes": self.limits.nodes,
            "seconds": self.limits.seconds,
            "memory": self.limits.memory,
        }
        if self.cancel is not None:
            return self._search_each(seeds, options)
        options["threads"] = self.threads
        if self.first.generator == OURS and self.first.number == 1:
            return un.solve_many(self.game, seeds=seeds, **options)
        return un.solve_many((self.game.deal(self._source(seed)) for seed in seeds), **options)

    def _search_each(self, seeds: list[int], options: dict[str, Any]) -> Generator[Result, None, None]:
        """Yield the results of searches one after the other, each of which `cancel` can end."""
        for seed in seeds:
            result = un.solve(self.game.deal(self._source(seed)), cancel=self.cancel, **options)
            # A short search may end before it checks `cancel`. A cancelled search is not an undecided deal.
            if self._is_cancelled:
                return
            yield result

    def _judge(self, source: Source, result: Result) -> GradedDeal | PassedDeal:
        state = result.state
        # If the solver decides only the current phase, its "unsolvable" does not cover the redeals.
        is_phase = self.game.solves_phases and getattr(state, "redeals_left", 0) > 0
        if result.status is Status.UNSOLVABLE and not is_phase:
            return PassedDeal(source, "lost", "")
        if result.status is Status.SOLVED:
            return self._grade(source, state, result)
        if is_phase:
            return self._grade(source, state)
        return PassedDeal(source, "undecided", self._conditions)

    def _grade(self, source: Source, state: Any, solved: Result | None = None) -> GradedDeal | PassedDeal:
        """Measure the deal with the panel. Without a proof by the solver, a game that the panel wins is the proof."""
        measured: Measured | None
        try:
            measured = self._panel.measure(
                state, threads=self.threads, cancel=self.cancel, seconds=self.limits.seconds, progress=self._tell
            )
        except LateError:
            measured = None
        self.tally.game = 0
        if solved is not None:
            proof, line = "solver", solved.line
        else:
            record: Record | None = None if measured is None else measured.first_win()
            if record is None:
                return PassedDeal(source, "undecided", self._conditions)
            proof, line = f"policy:{record.policy}", replay(state, record.moves)
        return GradedDeal(
            game=self.game.id,
            variant=self.game.variant,
            rules=self._grading.rules,
            source=source,
            proof=proof,
            score=line.score,
            moves=" ".join(move.token for move in line.moves),
            measure=self._grading.measure,
            wins=0 if measured is None else measured.wins,
            games=0 if measured is None else len(measured.won),
            difficulty=NOT_MEASURED if measured is None else str(cuts_of(self.game).label(measured.value)),
            engine=describe_engine() if has_twin(self.game) else "python",
            package_version=un.__version__,
        )

    def _tell(self, game: int) -> None:
        self.tally.game = game
        if self.progress is not None:
            self.progress(self.tally)

    def _count_in(self, found: GradedDeal | PassedDeal) -> GradedDeal | None:
        if isinstance(found, PassedDeal):
            if found.status == "lost":
                self.tally.lost += 1
            else:
                self.tally.undecided += 1
            return None
        if self.difficulty is not None and found.difficulty != self.difficulty:
            self.tally.other += found.is_measured
            self.tally.unmeasured += not found.is_measured
            return None
        self.tally.found += 1
        return found

    def _keep(self, found: GradedDeal | PassedDeal) -> None:
        """Store a graded deal at once, and the others, which are cheap, about every second."""
        if self._store is None:
            return
        if isinstance(found, GradedDeal):
            # A deal that was not measured is not stored, so that it is tried again later.
            if found.is_measured:
                self._flush(found)
            return
        self._passed.append(found)
        if monotonic() - self._flushed_at > _FLUSH_SECONDS:
            self._flush()

    def _flush(self, *graded: GradedDeal) -> None:
        if self._store is not None and (graded or self._passed):
            self._store.add_graded(self._grading, graded, self._passed)
            self._passed = []
        self._flushed_at = monotonic()


def grading_of(game: AnyGame) -> Grading:
    """Return the key under which a store keeps the deals of this game."""
    return Grading(game.id, game.variant, write_rules(game.rules), name_measure(game))


def name_measure(game: AnyGame) -> str:
    """Return the name of the panel and its cuts. Deals with another name are graded again."""
    cuts = cuts_of(game)
    return f"{name_panel(game)}; hard to {cuts.hard:.4g}, easy from {cuts.easy:.4g}"


def write_limits(limits: Limits) -> str:
    """Return the limits as text for the store."""
    return f"nodes={limits.nodes} seconds={limits.seconds} memory={limits.memory}"


def read_difficulty(difficulty: str | None) -> Difficulty | None:
    """Return the difficulty that a text names. Raise UsageError for an unknown one."""
    try:
        return None if difficulty is None else Difficulty(difficulty)
    except ValueError:
        raise unknown("difficulty", str(difficulty), [each.value for each in Difficulty]) from None


def find(
    game: AnyGame,
    difficulty: str | None = None,
    count: int = 1,
    *,
    start: int | str | Source = 0,
    seeds: range | None = None,
    generator: str = OURS,
    store: Store | Path | str | None = None,
    nodes: int | None = NODES,
    seconds: float | None = SECONDS,
    memory: int | str = "1GiB",
    threads: int | None = None,
    progress: Callable[[Tally], object] | None = None,
    cancel: Event | None = None,
) -> Search:
    """Return a search for `count` deals that are proved winnable, of any difficulty or of one.

    The search goes through `seeds`, or from `start` on until `LOOK_THROUGH` deals were searched or `PATIENCE` winnable
    deals in a row had another difficulty. With a store, deals that it knows are not searched or graded again, and new
    ones are stored; the result is the same without a store.
    The limits are those of the solver for each deal. The panel has the same number of seconds; a deal that it cannot
    measure in that time is returned as not measured, and is not stored. `progress` is called with the counts so far.
    When `cancel` is set the search ends; with `cancel` the solver takes one deal at a time.
    """
    wanted = read_difficulty(difficulty)
    if count < 1:
        raise UsageError(f"count={count} is not a number of deals; it may be 1 or more")
    if seeds is not None and not seeds:
        raise UsageError("there is no deal in an empty range of seeds")
    if seeds is not None and seeds.step != 1:
        raise UsageError("deals are looked at one after the other; seeds must be a range with the step 1")
    first = _source(start if seeds is None else seeds[0], generator)
    last = min(LAST_SEED, first.seed + LOOK_THROUGH - 1) if seeds is None else seeds[-1]
    Source(last, first.generator)  # raises for a number that is no seed
    if store is not None and last > LAST_STORED_SEED:
        raise UsageError(f"a store has the seeds 0..{LAST_STORED_SEED}, and {last} is greater; look without a store")
    if wanted is not None and not cuts_of(game).can_be(wanted, count_games(game)):
        raise UsageError(f"no deal of {game} is {wanted}: the players who measure it are too much alike there")
    limits = Limits(nodes, seconds, parse_memory(memory))
    place = Path(store) if isinstance(store, str) else store
    patience = PATIENCE if seeds is None else None
    return Search(
        game=game, difficulty=wanted, count=count, first=first, last=last, store=place, limits=limits,
        threads=threads, progress=progress, patience=patience, cancel=cancel,
    )  # fmt: skip


def _source(start: int | str | Source, generator: str) -> Source:
    if isinstance(start, Source):
        return start
    return Source.parse(start, generator) if isinstance(start, str) else Source(start, generator)


def stored(
    game: AnyGame, store: Store, difficulty: str | None = None, count: int | None = None, seeds: range | None = None
) -> list[GradedDeal]:
    """Return the deals of this game in a store that have the current grading. Nothing is searched."""
    grading = grading_of(game)
    found = [
        each
        for each in store.graded(game.id, game.variant, read_difficulty(difficulty))
        if (each.rules, each.measure) == (grading.rules, grading.measure)
        and (seeds is None or each.source.seed in seeds)
    ]
    return found[:count]
