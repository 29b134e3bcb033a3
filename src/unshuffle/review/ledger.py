"""The verdicts on the positions of one part of the line, and what follows from them without a search."""

from __future__ import annotations

from collections.abc import Hashable
from enum import StrEnum
from typing import Any

from unshuffle.errors import InternalError
from unshuffle.game import AnyGame, Outcome
from unshuffle.solve import Line, replay
from unshuffle.views import unknown_in


class Verdict(StrEnum):
    """A verdict on a position with open information. A limit that was hit proves nothing."""

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
    """A search from here found a win, or proved that there is none."""
    PASSED = "passed"
    """A win that was found from another position passes through this one."""
    LATER = "later"
    """The played line leads to a position that can be won."""
    EARLIER = "earlier"
    """An earlier position is lost."""
    SAME = "same"
    """The same position occurs again later, and is lost there."""
    LIMIT = "limit"
    """A search hit its limit, so nothing is proved."""
    UNASKED = "unasked"
    """The review ended before it was searched."""
    CARDS = "cards"
    """Unknown cards have an invented order here, so the position is not searched."""
    REDEALS = "redeals"
    """It is proved that only an unknown redeal could win from here, so the position stays undecided."""


class Ledger:
    """The verdicts on one part of the line: winnable positions are a prefix of it, and lost positions a suffix.

    Between them may be positions that only an unknown redeal could win; no later position of the part is winnable.
    For each winnable position `win` returns a winning line, the proof.
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
        """The last position with unknown cards in an invented order (`unseen`); -1 without one."""
        if unseen:
            unknown = [place for place, state in enumerate(line.states) if unknown_in(state.view())]
            self.last_unseen = max(unknown, default=-1)
            self.by[: self.last_unseen + 1] = [By.CARDS] * (self.last_unseen + 1)
        self.needs_redeal = [False] * count
        """Whether the known win from each position uses a redeal."""
        # A winning line, and the number of its moves before it reaches the position; None if the win continues with
        # the played move. A separate line for every position would need quadratic memory.
        self._proofs: list[tuple[tuple[Any, ...], int] | None] = [None] * count
        self.last_winnable = -1
        self.first_left = count
        """The first position that only an unknown redeal could win, or that is lost."""
        self.first_lost = count
        # Where moves cost points, equal positions may differ in score.
        self._keys: list[Hashable] = [game.uncharged(state) for state in line.states]
        self._places: dict[Hashable, list[int]] = {}
        for place, key in enumerate(self._keys):
            self._places.setdefault(key, []).append(place)
        self._look()

    def __len__(self) -> int:
        return len(self.verdicts)

    def _look(self) -> None:
        """Enter the verdicts that follow from the rules alone."""
        for place, state in enumerate(self.line.states):
            if state.outcome is Outcome.WON:
                self.add_win(place, (), By.WON)
                self.by[:place] = [By.LINE] * place
            elif state.outcome is Outcome.STUCK:
                self.add_loss(place, By.STUCK)

    def is_askable(self, place: int) -> bool:
        """Return whether the position is undecided and may be searched."""
        return self.verdicts[place] is Verdict.UNDECIDED and self.by[place] not in (By.CARDS, By.REDEALS)

    def win(self, place: int) -> tuple[Any, ...] | None:
        """Return moves that win from the position, or None if no win is known."""
        if self.verdicts[place] is not Verdict.WINNABLE:
            return None
        first = place
        while (proof := self._proofs[place]) is None:
            place += 1
        line, made = proof
        return self.line.moves[first:place] + line[made:]

    def add_win(self, place: int, moves: tuple[Any, ...], by: By) -> None:
        """Enter a win. Positions that its line passes through are winnable too, and so is every earlier position."""
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
        """Mark a position as winnable, and return whether it was not marked before."""
        is_new = self.verdicts[place] is not Verdict.WINNABLE
        if is_new:
            self.verdicts[place] = Verdict.WINNABLE
            self.by[place] = by
        return is_new

    def add_loss(self, place: int, by: By) -> None:
        """Enter a loss. An equal earlier position is lost too, and so is every position after that."""
        first = self.first_like(place)
        for other in range(first, len(self)):
            if self.verdicts[other] is Verdict.UNDECIDED:
                self.verdicts[other] = Verdict.LOST
                self.by[other] = by if other == place else By.SAME if other == first < place else By.EARLIER
        self.first_lost = min(self.first_lost, first)
        self.first_left = min(self.first_left, first)
        self._check()

    def add_left(self, place: int) -> None:
        """Enter that only an unknown redeal could win, here, in an equal earlier position and in all after that."""
        first = self.first_like(place)
        for other in range(first, len(self)):
            if self.verdicts[other] is Verdict.UNDECIDED:
                self.by[other] = By.REDEALS
        self.first_left = min(self.first_left, first)
        self._check()

    def add_limit(self, place: int) -> None:
        """Enter that a search hit its limit, here and in equal positions."""
        for other in self._places[self._keys[place]]:
            self.by[other] = By.LIMIT

    def first_like(self, place: int) -> int:
        """Return the first place of an equal position."""
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
