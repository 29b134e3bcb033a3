"""Looking for deals that are proved to be winnable, one number after the other."""

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
"""What the solver may spend on a deal before it is passed over, if nothing is said; the panel has as many seconds."""

LOOK_THROUGH = 100_000
"""So many deals are looked through at the most where the caller names no last one."""

PATIENCE = 1_000
"""Nor does the search go on there after so many winnable deals in a row that are not as hard as was asked for."""

_FLUSH_SECONDS = 1.0
_PIECE_SECONDS, _LARGEST_PIECE = 10.0, 1024
"""How much is looked at in one piece: at its end the solver's threads wait for its last deal."""


@dataclass
class Tally:
    """What became of the deals that were looked at."""

    found: int = 0
    lost: int = 0
    """Proved to be lost."""
    undecided: int = 0
    """Not decided within the limits, which is not a no."""
    other: int = 0
    """Winnable, but graded otherwise."""
    unmeasured: int = 0
    """Winnable, but not measured in time, where a difficulty was asked for."""
    stored: int = 0
    """Of all these: known from the store, so that nothing was searched."""
    game: int = 0
    """The number of the game that the panel plays on the deal in hand; 0: none."""

    @property
    def looked_at(self) -> int:
        """All of them."""
        return self.found + self.lost + self.undecided + self.unwanted

    @property
    def unwanted(self) -> int:
        """Winnable, but not known to be as hard as was asked for."""
        return self.other + self.unmeasured


@dataclass(kw_only=True)
class Search:
    """The deals that were asked for, as they are found; iterate over it. Whatever ends it, what was found is stored."""

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
        if self.game.solves_phases:  # there the panel has a say in what is proved
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
        """Deal by deal; None for one that was passed over."""
        # Small at first: the solver works ahead, and one deal may be all that is wanted.
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
        """What the store says of these deals; what was undecided under other limits is asked again."""
        if self._store is None:
            return {}
        first = self._source(seeds[0])
        passed = self._store.passed_in(self._grading, first, seeds[-1])
        known: dict[int, GradedDeal | PassedDeal] = {
            seed: each for seed, each in passed.items() if each.status == "lost" or each.limits == self._conditions
        }
        # A proof stands, whatever an earlier search could not decide.
        return known | {each.source.seed: each for each in self._store.graded_in(self._grading, first, seeds[-1])}

    @property
    def _is_cancelled(self) -> bool:
        return self.cancel is not None and self.cancel.is_set()

    def _search(self, seeds: list[int]) -> Any:
        """The solver's answers, in order; none after it was cancelled."""
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
        """One deal after the other, in searches that can be ended from outside."""
        for seed in seeds:
            result = un.solve(self.game.deal(self._source(seed)), cancel=self.cancel, **options)
            # A short search ends before it looks up, and one that was cancelled is not undecided.
            if self._is_cancelled:
                return
            yield result

    def _judge(self, source: Source, result: Result) -> GradedDeal | PassedDeal:
        state = result.state
        # Where the solver decides the deal on the table alone, a no of its says nothing about what redeals bring.
        is_phase = self.game.solves_phases and getattr(state, "redeals_left", 0) > 0
        if result.status is Status.UNSOLVABLE and not is_phase:
            return PassedDeal(source, "lost", "")
        if result.status is Status.SOLVED:
            return self._grade(source, state, result)
        if is_phase:
            return self._grade(source, state)
        return PassedDeal(source, "undecided", self._conditions)

    def _grade(self, source: Source, state: Any, solved: Result | None = None) -> GradedDeal | PassedDeal:
        """Let the panel play. Without a proof by the solver a game that the panel wins is one."""
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
        """A graded deal is stored at once; the others, which cost less, about every second."""
        if self._store is None:
            return
        if isinstance(found, GradedDeal):
            # What was not measured is looked at again another time.
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
    """Under which name the deals of this game are kept."""
    return Grading(game.id, game.variant, write_rules(game.rules), name_measure(game))


def name_measure(game: AnyGame) -> str:
    """The panel and the cuts: whoever is graded by others is graded anew."""
    cuts = cuts_of(game)
    return f"{name_panel(game)}; hard to {cuts.hard:.4g}, easy from {cuts.easy:.4g}"


def write_limits(limits: Limits) -> str:
    """As a store keeps them."""
    return f"nodes={limits.nodes} seconds={limits.seconds} memory={limits.memory}"


def read_difficulty(difficulty: str | None) -> Difficulty | None:
    """The difficulty that a text names."""
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
    """Look for deals that are proved to be winnable, of any difficulty or of one, until there are `count`.

    Deals are looked at by their numbers: those of `seeds`, or else from `start` on, until `LOOK_THROUGH` deals were
    looked at or `PATIENCE` winnable ones in a row were not as hard as wanted. With a store nothing that it knows is
    searched or graded again, and what is found goes into it; the answer is the same without.
    The limits are those of the solver for each deal; the panel has as many seconds again, and a deal for which they do
    not suffice is found as not measured, and not stored. `progress` is called with what became of the deals so far.
    Once `cancel` is set no further deal comes; with it the solver takes one deal after the other.
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
    Source(last, first.generator)  # refuses a number that is none
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
    """The deals of this game that a store has, graded as they are graded now; nothing is searched."""
    grading = grading_of(game)
    found = [
        each
        for each in store.graded(game.id, game.variant, read_difficulty(difficulty))
        if (each.rules, each.measure) == (grading.rules, grading.measure)
        and (seeds is None or each.source.seed in seeds)
    ]
    return found[:count]
