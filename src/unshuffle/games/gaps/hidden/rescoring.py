"""The best ends of a phase of Gaps once more: what they are worth by fresh simulated redeals beside the table.

All candidates meet the same shuffles, so that luck falls on all alike; after each round the worse half is dropped.
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
"""For each search: a large table takes longer to be laid out than these searches take."""
_LAST = 2
"""So many candidates are never dropped: the margin between them is told."""
PAIRS = 5
"""The spread of fewer differences is anybody's guess."""
_FINE = 0.005
"""A margin that is known so well need not be known better."""
CLEAR = 2.0
"""A margin of so many standard errors exceeds its noise."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An end that may be chosen, with what the table says about its shape."""

    moves: Moves
    locks: Locks
    chance: float
    se: float

    @property
    def shape(self) -> Shape:
        """The lengths, longest first: what it is worth depends on nothing else."""
        return shape_of(self.locks)

    @property
    def is_exact(self) -> bool:
        """True if tries have nothing to add."""
        return self.se == 0


@dataclass(slots=True)
class Rescoring:
    """Simulated redeals of the ends of one phase; asked again, it goes on with further shuffles."""

    state: State
    candidates: dict[Shape, Candidate] = field(default_factory=dict)
    tries: dict[Shape, list[float]] = field(default_factory=dict)
    """What each shuffle was worth, for each end that was tried: all begin with the same one."""
    errors: dict[Shape, list[float]] = field(default_factory=dict)
    """The standard error of each of these: where a try is not won, it is worth what the table says of its best end."""
    _decks: list[Deck] = field(default_factory=list)
    _rng: Random = field(init=False)

    def __post_init__(self) -> None:
        # By the board, so that the same question has the same answer.
        self._rng = Random(str(self.state))

    def run(self, candidates: Sequence[Candidate], until: float, is_stopped: Callable[[], bool]) -> None:
        """Try the candidates until the time is used, or it is clear which is best."""
        # Those that were tried before keep their end, so that their shuffles stay the same ones.
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
        """Whether one of them is better than all others by more than the noise."""
        best, *others = sorted(alive, key=lambda candidate: self.worth(candidate.shape)[0], reverse=True)
        margins = (self.margin(best.shape, other.shape) for other in others)
        return all(points > CLEAR * noise or noise < _FINE for points, noise in margins)

    def _try(self, candidate: Candidate, until: float, is_stopped: Callable[[], bool]) -> bool:
        """One redeal more of this end; False if the time did not suffice, and then it counts for nothing."""
        left = until - monotonic()
        if left <= 0 or is_stopped():
            return False
        tries = self.tries.setdefault(candidate.shape, [])
        board = self._dealt(candidate, len(tries))
        # As much thought as the table rests on: a phase that more of it would win counts as lost there too.
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

    # What has come of it. Table and tries are each weighted by how sure they are: a few tries alone would be noise,
    # and the best of a dozen the luckiest.

    def worth(self, shape: Shape) -> tuple[float, float, int]:
        """Chance, standard error and number of tries."""
        candidate, tries = self.candidates[shape], self.tries.get(shape, ())
        if not tries:
            return candidate.chance, candidate.se, 0
        # No value between 0 and 1 varies more than wins and losses do.
        noise = max(candidate.chance * (1 - candidate.chance), 0.01) / len(tries) + self._carried(shape) ** 2
        return *_weighed((candidate.chance, candidate.se**2), (fmean(tries), noise)), len(tries)

    def _carried(self, shape: Shape) -> float:
        """What the errors of the table do to the mean of the tries: no number of tries makes them smaller."""
        errors = self.errors.get(shape, ())
        return fmean(errors) if errors else 0.0

    def margin(self, shape: Shape, other: Shape) -> tuple[float, float]:
        """How much more the one is worth than the other, and the standard error: by pairs, where luck is the same."""
        first, second = self.candidates[shape], self.candidates[other]
        known = first.chance - second.chance, first.se**2 + second.se**2
        if first.is_exact or second.is_exact:
            # There is no luck in what is exact, so that there is none to share.
            (one, error, _), (two, other_error, _) = self.worth(shape), self.worth(other)
            return one - two, hypot(error, other_error)
        pairs = [a - b for a, b in zip(self.tries.get(shape, ()), self.tries.get(other, ()), strict=False)]
        if len(pairs) < PAIRS:
            return known[0], sqrt(known[1])
        carried = self._carried(shape) ** 2 + self._carried(other) ** 2
        return _weighed(known, (fmean(pairs), max(variance(pairs), 0.01) / len(pairs) + carried))


_WON, _LOST = (1.0, 0.0), (0.0, 0.0)


def _weighed(known: tuple[float, float], found: tuple[float, float]) -> tuple[float, float]:
    """The mean of two estimates, each with its variance, and its standard error."""
    weight = known[1] / (known[1] + found[1])
    return known[0] + weight * (found[0] - known[0]), sqrt(known[1] * found[1] / (known[1] + found[1]))


def _left(board: State, shape: Shape) -> tuple[float, float]:
    """What the table says of an end of this phase, and the standard error."""
    value = values.lookup(board.rules, shape, board.redeals_left)
    return _LOST if value is None else (value.p, value.se)
