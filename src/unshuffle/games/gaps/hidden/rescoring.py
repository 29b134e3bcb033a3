"""Rescoring of the best ends of a phase of Gaps: simulated redeals refine the values of the table.

All candidates get the same shuffles (common random numbers); after each round the worse half is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil, hypot, log2, sqrt
from random import Random
from statistics import fmean, variance
from time import monotonic

from unshuffle.cards import PACK
from unshuffle.games.gaps import State
from unshuffle.games.gaps.hidden import values
from unshuffle.games.gaps.hidden.ends import Budget, Moves, met_shapes, shape_of
from unshuffle.games.gaps.hidden.foresight import Locks
from unshuffle.games.gaps.hidden.sampling import NODES
from unshuffle.games.gaps.hidden.values import Shape
from unshuffle.games.gaps.rules import Deck
from unshuffle.solve import Status, replay

_MEMORY = 16_000_000
"""Bytes for each search: to allocate a larger table takes longer than these searches."""
_LAST = 2
"""How many candidates are never dropped: the margin between them is reported."""
PAIRS = 5
"""The fewest paired differences whose variance is trusted."""
_FINE = 0.005
"""The standard error at which a margin is known well enough."""
CLEAR = 2.0
"""A margin of more standard errors than this is clear."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An end that may be chosen, with the table's value of its shape."""

    moves: Moves
    locks: Locks
    chance: float
    se: float

    @property
    def shape(self) -> Shape:
        """The lengths of the runs, longest first: the value depends on nothing else."""
        return shape_of(self.locks)

    @property
    def is_exact(self) -> bool:
        """True if the value is exact, so that tries add nothing."""
        return self.se == 0


@dataclass(slots=True)
class Rescoring:
    """Simulated redeals of the ends of one phase; each `run` continues with further shuffles."""

    state: State
    candidates: dict[Shape, Candidate] = field(default_factory=dict)
    tries: dict[Shape, list[float]] = field(default_factory=dict)
    """The value of each try, by shape; the n-th try of every shape has the same shuffle."""
    errors: dict[Shape, list[float]] = field(default_factory=dict)
    """The standard error of each try: one that is not won has the table's value of its best end."""
    _decks: list[Deck] = field(default_factory=list)
    _rng: Random = field(init=False)

    def __post_init__(self) -> None:
        # Seeded by the board, so that the same question has the same answer.
        self._rng = Random(str(self.state))

    def run(self, candidates: Sequence[Candidate], until: float, is_stopped: Callable[[], bool]) -> None:
        """Try the candidates until the time is over or the best is clear."""
        # A shape that was tried before keeps its candidate, so that its tries belong together.
        alive = [self.candidates.setdefault(candidate.shape, candidate) for candidate in candidates]
        rounds = ceil(log2(len(alive))) if len(alive) > 1 else 0
        for number in range(rounds):
            now = monotonic()
            share = now + (until - now) / (rounds - number)
            while open_ends := [candidate for candidate in alive if not candidate.is_exact]:
                counts = [len(self.tries.get(candidate.shape, ())) for candidate in open_ends]
                if min(counts) == max(counts) and (monotonic() >= share or self._is_clear(alive)):
                    break
                if not self._try(open_ends[counts.index(min(counts))], until, is_stopped):
                    return
            alive.sort(key=lambda candidate: self.worth(candidate.shape)[0], reverse=True)
            del alive[max(_LAST, ceil(len(alive) / 2)) :]

    def _is_clear(self, alive: Sequence[Candidate]) -> bool:
        """Return whether one candidate is better than all others by more than the noise."""
        best, *others = sorted(alive, key=lambda candidate: self.worth(candidate.shape)[0], reverse=True)
        margins = (self.margin(best.shape, other.shape) for other in others)
        return all(points > CLEAR * noise or noise < _FINE for points, noise in margins)

    def _try(self, candidate: Candidate, until: float, is_stopped: Callable[[], bool]) -> bool:
        """Try one more redeal of this end. Return False, and record nothing, if the time does not suffice."""
        left = until - monotonic()
        if left <= 0 or is_stopped():
            return False
        tries = self.tries.setdefault(candidate.shape, [])
        board = self._dealt(candidate, len(tries))
        # The node limit that built the table: there too a phase counts as lost if only more nodes would win it.
        budget = Budget(seconds=left, nodes=NODES, memory=_MEMORY, threads=1, is_stopped=is_stopped)
        status, shapes = met_shapes(board, budget)
        if status in (Status.TIME_LIMIT, Status.CANCELLED):
            return False
        worth = _WON if status is Status.SOLVED else max((_left(board, shape) for shape in shapes), default=_LOST)
        tries.append(worth[0])
        self.errors.setdefault(candidate.shape, []).append(worth[1])
        return True

    def _dealt(self, candidate: Candidate, number: int) -> State:
        while len(self._decks) <= number:
            self._decks.append(tuple(self._rng.sample(PACK, len(PACK))))
        end: State = replay(self.state, candidate.moves).states[-1]
        cells = list(end.cells)
        for cell, card in zip(end.free_cells, end.dealt(self._decks[number]), strict=True):
            cells[cell] = card
        return State(end.rules, tuple(cells), end.used + 1)

    # Results. Table and tries are weighted by their inverse variances: a few tries alone would be noise, and the best
    # of a dozen ends the luckiest.

    def worth(self, shape: Shape) -> tuple[float, float, int]:
        """Return the chance, its standard error and the number of tries."""
        candidate, tries = self.candidates[shape], self.tries.get(shape, ())
        if not tries:
            return candidate.chance, candidate.se, 0
        # The variance of values between 0 and 1 is at most that of wins and losses.
        noise = max(candidate.chance * (1 - candidate.chance), 0.01) / len(tries) + self._carried(shape) ** 2
        return *_weighed((candidate.chance, candidate.se**2), (fmean(tries), noise)), len(tries)

    def _carried(self, shape: Shape) -> float:
        """Return the part of the standard error that comes from the table; more tries do not reduce it."""
        errors = self.errors.get(shape, ())
        return fmean(errors) if errors else 0.0

    def margin(self, shape: Shape, other: Shape) -> tuple[float, float]:
        """Return the difference of two values and its standard error, from paired tries where there are enough."""
        first, second = self.candidates[shape], self.candidates[other]
        known = first.chance - second.chance, first.se**2 + second.se**2
        if first.is_exact or second.is_exact:
            # An exact value has no noise, so pairing does not help.
            (one, error, _), (two, other_error, _) = self.worth(shape), self.worth(other)
            return one - two, hypot(error, other_error)
        pairs = [a - b for a, b in zip(self.tries.get(shape, ()), self.tries.get(other, ()), strict=False)]
        if len(pairs) < PAIRS:
            return known[0], sqrt(known[1])
        carried = self._carried(shape) ** 2 + self._carried(other) ** 2
        return _weighed(known, (fmean(pairs), max(variance(pairs), 0.01) / len(pairs) + carried))


_WON, _LOST = (1.0, 0.0), (0.0, 0.0)


def _weighed(known: tuple[float, float], found: tuple[float, float]) -> tuple[float, float]:
    """Return the inverse-variance mean of two estimates with their variances, and its standard error."""
    weight = known[1] / (known[1] + found[1])
    return known[0] + weight * (found[0] - known[0]), sqrt(known[1] * found[1] / (known[1] + found[1]))


def _left(board: State, shape: Shape) -> tuple[float, float]:
    """Return the table's value of an end of this phase, and its standard error."""
    value = values.lookup(board.rules, shape, board.redeals_left)
    return _LOST if value is None else (value.p, value.se)
