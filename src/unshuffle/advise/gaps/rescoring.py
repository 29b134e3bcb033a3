"""The best ends of a phase of Gaps once more: what they are worth by fresh simulated redeals beside the table.

All candidates meet the same shuffles, so that luck falls on all alike; after each round the worse half is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil, log2, sqrt
from random import Random
from time import monotonic

from unshuffle.advise.gaps.building import NODES
from unshuffle.advise.gaps.ends import Budget, Moves, met_shapes
from unshuffle.advise.gaps.foresight import Locks
from unshuffle.cards import PACK
from unshuffle.games.gaps import State, values
from unshuffle.games.gaps.rules import Deck
from unshuffle.solve import Status, replay

_MEMORY = 16_000_000
"""For each search: a large table takes longer to be laid out than these searches take."""
_LAST = 2
"""So many candidates are never dropped: the margin between them is told."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An end that may be chosen, with what the table says about its shape."""

    moves: Moves
    locks: Locks
    chance: float
    se: float


@dataclass(slots=True)
class Rescoring:
    """Simulated redeals of the ends of one phase; asked again, it goes on with further shuffles."""

    state: State
    tries: dict[Locks, list[float]] = field(default_factory=dict)
    """What each shuffle was worth, for each end that was tried: all begin with the same one."""
    _decks: list[Deck] = field(default_factory=list)
    _rng: Random = field(init=False)

    def __post_init__(self) -> None:
        # By the board, so that the same question has the same answer.
        self._rng = Random(str(self.state))

    def run(self, candidates: Sequence[Candidate], until: float, is_stopped: Callable[[], bool]) -> None:
        """Try the candidates until the time is used."""
        alive = list(candidates)
        rounds = max(1, ceil(log2(len(alive)))) if alive else 0
        for number in range(rounds):
            now = monotonic()
            share = now + (until - now) / (rounds - number)
            while True:
                counts = [len(self.tries.get(candidate.locks, ())) for candidate in alive]
                is_even = min(counts) == max(counts)
                if is_even and monotonic() >= share:
                    break
                if not self._try(alive[counts.index(min(counts))], until, is_stopped):
                    return
            alive.sort(key=lambda candidate: self.worth(candidate)[0], reverse=True)
            del alive[max(_LAST, ceil(len(alive) / 2)) :]

    def _try(self, candidate: Candidate, until: float, is_stopped: Callable[[], bool]) -> bool:
        """One redeal more of this end; False if the time did not suffice, and then it counts for nothing."""
        left = until - monotonic()
        if left <= 0:
            return False
        tries = self.tries.setdefault(candidate.locks, [])
        board = self._dealt(candidate, len(tries))
        # As much thought as the table rests on: a phase that more of it would win counts as lost there too.
        budget = Budget(seconds=left, nodes=NODES, memory=_MEMORY, threads=1, is_stopped=is_stopped)
        status, shapes = met_shapes(board, budget)
        if status in (Status.TIME_LIMIT, Status.CANCELLED):
            return False
        tries.append(1.0 if status is Status.SOLVED else max((self._left(board, shape) for shape in shapes), default=0))
        return True

    def _dealt(self, candidate: Candidate, number: int) -> State:
        while len(self._decks) <= number:
            self._decks.append(tuple(self._rng.sample(PACK, len(PACK))))
        end: State = replay(self.state, candidate.moves).states[-1]
        cells = list(end.cells)
        for cell, card in zip(end.free_cells, end.dealt(self._decks[number]), strict=True):
            cells[cell] = card
        return State(end.rules, tuple(cells), end.used + 1)

    @staticmethod
    def _left(board: State, shape: tuple[int, ...]) -> float:
        value = values.lookup(board.rules, shape, board.redeals_left)
        return 0.0 if value is None else value.p

    def worth(self, candidate: Candidate) -> tuple[float, float, int]:
        """Chance, standard error and number of tries: table and tries, each weighted by how sure it is.

        A few tries alone would be noise, and the best of a dozen the luckiest.
        """
        tries = self.tries.get(candidate.locks, ())
        if not tries:
            return candidate.chance, candidate.se, 0
        # No value between 0 and 1 varies more than wins and losses do.
        noise = max(candidate.chance * (1 - candidate.chance), 0.01) / len(tries)
        known = candidate.se**2
        weight = known / (known + noise)
        chance = candidate.chance + weight * (sum(tries) / len(tries) - candidate.chance)
        return chance, sqrt(known * noise / (known + noise)), len(tries)
