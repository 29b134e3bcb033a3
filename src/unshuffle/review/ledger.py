"""What is known about each position of a part of the line, and what follows from it without a search."""

from __future__ import annotations

from collections.abc import Hashable
from enum import StrEnum
from typing import Any

from unshuffle.errors import InternalError
from unshuffle.game import AnyGame, Outcome
from unshuffle.solve import Line, replay
from unshuffle.views import unknown_in


class Verdict(StrEnum):
    """What one who knows every card can say about a position. A limit that was hit is not a no."""

    WINNABLE = "winnable"
    LOST = "lost"
    UNDECIDED = "undecided"


class By(StrEnum):
    """How a verdict is known, or why there is none."""

    WON = "won"
    """The game is won here."""
    STUCK = "stuck"
    """No move is left."""
    LINE = "line"
    """The rest of the played line wins."""
    SEARCH = "search"
    """A search from here has found a win, or ruled out every way of playing."""
    PASSED = "passed"
    """A win that was found from another position passes through this one."""
    LATER = "later"
    """The played line leads to a position that can be won."""
    EARLIER = "earlier"
    """It was lost before."""
    SAME = "same"
    """The same position comes again, and is lost there."""
    LIMIT = "limit"
    """A search hit its limit, which is not a no."""
    UNASKED = "unasked"
    """The review ended before it was searched."""
    CARDS = "cards"
    """Cards are unknown there, and stand in a made-up order, so it is not searched."""
    REDEALS = "redeals"
    """It is proved that only a redeal that nobody knows could win from here, so nobody can say."""


class Ledger:
    """One part of the line. What can be won is a beginning of it, and what is lost an end.

    Between them may lie what only a redeal could win that nobody knows: it never comes to a win again in this part.
    From each winnable position `win` is a line that wins, so that nothing is claimed without a proof.
    """

    def __init__(self, game: AnyGame, line: Line, first: int, *, unseen: bool = False) -> None:
        self.game = game
        self.line = line
        self.first = first
        """The number of its first position in the whole line."""
        count = len(line.states)
        self.verdicts = [Verdict.UNDECIDED] * count
        self.by = [By.UNASKED] * count
        self.last_unseen = -1
        """The last position in which cards are unknown, if such cards stand in a made-up order (`unseen`)."""
        if unseen:
            unknown = [place for place, state in enumerate(line.states) if unknown_in(state.view())]
            self.last_unseen = max(unknown, default=-1)
            self.by[: self.last_unseen + 1] = [By.CARDS] * (self.last_unseen + 1)
        self.needs_redeal = [False] * count
        """Whether the win that is known from there goes through a redeal."""
        # A line that wins, and how many of its moves were made when it comes by; None where the played move is its
        # first. A line of its own for every position would be the square of them.
        self._proofs: list[tuple[tuple[Any, ...], int] | None] = [None] * count
        self.last_winnable = -1
        self.first_left = count
        """The first position that is left to such a redeal, or lost."""
        self.first_lost = count
        # One position has many scores where moves cost points.
        self._keys: list[Hashable] = [game.uncharged(state) for state in line.states]
        self._places: dict[Hashable, list[int]] = {}
        for place, key in enumerate(self._keys):
            self._places.setdefault(key, []).append(place)
        self._look()

    def __len__(self) -> int:
        return len(self.verdicts)

    def _look(self) -> None:
        """What the rules alone say."""
        for place, state in enumerate(self.line.states):
            if state.outcome is Outcome.WON:
                self.add_win(place, (), By.WON)
                self.by[:place] = [By.LINE] * place
            elif state.outcome is Outcome.STUCK:
                self.add_loss(place, By.STUCK)

    def is_askable(self, place: int) -> bool:
        """Whether a search could decide it."""
        return self.verdicts[place] is Verdict.UNDECIDED and self.by[place] not in (By.CARDS, By.REDEALS)

    def win(self, place: int) -> tuple[Any, ...] | None:
        """Moves that win from there, where that is known."""
        if self.verdicts[place] is not Verdict.WINNABLE:
            return None
        first = place
        while (proof := self._proofs[place]) is None:
            place += 1
        line, made = proof
        return self.line.moves[first:place] + line[made:]

    def add_win(self, place: int, moves: tuple[Any, ...], by: By) -> None:
        """These moves win from there. So do their rests from what they pass through, and every position before."""
        last_redeal = max((step for step, move in enumerate(moves) if self.game.is_redeal(move)), default=-1)
        furthest = place
        for made, state in enumerate(replay(self.line.states[place], moves).states):
            for other in self._places.get(self.game.uncharged(state), ()):
                if self._is_new(other, by if other == place else By.PASSED):
                    self._proofs[other] = moves, made
                    self.needs_redeal[other] = made <= last_redeal
                furthest = max(furthest, other)
        for before in reversed(range(furthest)):
            if self._is_new(before, By.LATER):
                self.needs_redeal[before] = (
                    self.game.is_redeal(self.line.moves[before]) or self.needs_redeal[before + 1]
                )
        self.last_winnable = max(self.last_winnable, furthest)
        self._check()

    def _is_new(self, place: int, by: By) -> bool:
        """Note a win, unless one was known from there."""
        is_new = self.verdicts[place] is not Verdict.WINNABLE
        if is_new:
            self.verdicts[place] = Verdict.WINNABLE
            self.by[place] = by
        return is_new

    def add_loss(self, place: int, by: By) -> None:
        """Nobody wins from there; nor from the same position before, nor from any after it."""
        first = self.first_like(place)
        for other in range(first, len(self)):
            if self.verdicts[other] is Verdict.UNDECIDED:
                self.verdicts[other] = Verdict.LOST
                self.by[other] = by if other == place else By.SAME if other == first < place else By.EARLIER
        self.first_lost = min(self.first_lost, first)
        self.first_left = min(self.first_left, first)
        self._check()

    def add_left(self, place: int) -> None:
        """Nobody wins from there without a redeal that nobody knows; nor from the same position, nor from any after."""
        first = self.first_like(place)
        for other in range(first, len(self)):
            if self.verdicts[other] is Verdict.UNDECIDED:
                self.by[other] = By.REDEALS
        self.first_left = min(self.first_left, first)
        self._check()

    def add_limit(self, place: int) -> None:
        """A search did not decide it, nor would it where the same position comes again."""
        for other in self._places[self._keys[place]]:
            self.by[other] = By.LIMIT

    def first_like(self, place: int) -> int:
        """Where the same position stood first."""
        return self._places[self._keys[place]][0]

    def _check(self) -> None:
        if self.last_winnable >= self.first_left:
            start = self.line.states[0]
            raise InternalError(
                "a position is lost, and one after it can be won",
                f"deal: {start.id or 'typed'}\nrules: {start.rules!r}\nposition:\n{start}"
                f"moves: {' '.join(move.token for move in self.line.moves)}\n"
                f"lost after {self.first_lost}, no win without a redeal after {self.first_left}, "
                f"winnable after {self.last_winnable}",
            )
