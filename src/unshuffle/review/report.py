"""The result of a review."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unshuffle.game import AnyGame
from unshuffle.hidden.chance import Chance
from unshuffle.review.chances import Curve
from unshuffle.review.ledger import By, Ledger, Verdict
from unshuffle.solve import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOISE = 2
"""A difference of up to this many standard errors counts as noise."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of the played line."""

    after: int
    """The number of moves before this position."""
    move: Any | None
    """The move that led here; None at the start."""
    state: Any
    verdict: Verdict
    """With all cards known, but no redeal that is unknown or that the solver ignores."""
    by: By
    """How the verdict is known."""
    chance: Chance | None
    """The chance to win by what the player saw; None if nothing was hidden, or if it was not computed in time."""


@dataclass(frozen=True, slots=True)
class Loss:
    """The move that lost a winnable position."""

    number: int
    """The number of the move in the line, from 1."""
    played: Any
    instead: tuple[Any, ...]
    """A winning line from the position before the move."""


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the line with verdicts of its own: the whole game, or the play between two random redeals."""

    name: str
    """'' for the whole game, else 'phase 2 of 4', 'deal 3 of 3' or 'deals 2 to 3 of 3'."""
    begins_here: bool
    """Whether its first position is the start of the part; False if moves may have been made before."""
    goes_on: bool
    """Whether a redeal may follow that the verdicts ignore, so that a lost part is not a lost game."""
    first: int
    last: int
    """Its first and last positions, both included."""
    last_winnable: int | None
    first_lost: int | None
    lost_by: Loss | None
    first_left: int | None
    """The first position that cannot be won without an unknown redeal."""
    left_by: Loss | None
    """The move that led there from a winnable position."""

    @property
    def lost_between(self) -> tuple[int, int] | None:
        """The first and the last move of which one lost, if it is not known which one.

        The range begins at `first + 1` also if it is not known whether any position was winnable.
        """
        if self.first_lost is None or self.first_lost == self.first or self.lost_by is not None:
            return None
        return self._known + 1, self.first_lost

    @property
    def left_between(self) -> tuple[int, int] | None:
        """The same range of moves for `first_left`."""
        if self.first_left is None or self.first_left == self.first or self.left_by is not None:
            return None
        return self._known + 1, self.first_left

    @property
    def _known(self) -> int:
        return self.first if self.last_winnable is None else self.last_winnable


@dataclass(frozen=True, slots=True)
class Drop:
    """The move with the largest fall of the chance to win."""

    number: int
    move: Any
    before: Chance
    after: Chance
    is_luck: bool
    """Whether the move showed unknown cards, so that the fall may be bad luck."""


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a played line, position by position."""

    game: AnyGame
    line: Line
    positions: tuple[Position, ...]
    spans: tuple[Span, ...]
    has_chances: bool
    """Whether chances were asked for and something was hidden from the player."""
    nodes: int
    """The nodes of all searches."""
    searches: int
    seconds: float
    is_cut: bool
    """Whether the review was stopped before its end."""
    _ledgers: tuple[Ledger, ...] = field(repr=False)
    by_chance: bool = False
    """Whether unknown cards of the deal were dealt at random; the verdicts hold for these cards."""

    @classmethod
    def of(
        cls,
        game: AnyGame,
        line: Line,
        ledgers: Sequence[Ledger],
        curve: Curve | None,
        *,
        nodes: int,
        searches: int,
        seconds: float,
        is_cut: bool,
    ) -> Review:
        """Return the review of these ledgers."""
        positions = [
            Position(
                ledger.first + place,
                line.moves[ledger.first + place - 1] if ledger.first + place else None,
                state,
                ledger.verdicts[place],
                ledger.by[place],
                None if curve is None else curve.chance(ledger.first + place),
            )
            for ledger in ledgers
            for place, state in enumerate(ledger.line.states)
        ]
        spans = tuple(_span(game, ledger, len(ledgers)) for ledger in ledgers)
        has_chances = curve is not None and curve.is_wanted
        return cls(game, line, tuple(positions), spans, has_chances, nodes, searches, seconds, is_cut, tuple(ledgers))

    def win(self, after: int) -> tuple[Any, ...] | None:
        """Return moves that win from the position after `after` moves, or None if no win is known."""
        ledger = next(ledger for ledger in reversed(self._ledgers) if ledger.first <= after)
        return ledger.win(after - ledger.first)

    def span_at(self, after: int) -> Span:
        """Return the part of the line with the position after `after` moves."""
        return next(span for span in self.spans if after <= span.last)

    @property
    def lost_by(self) -> Loss | None:
        """The move that lost the game or its last part; None if none did, or if it is not known which."""
        return self.spans[-1].lost_by

    @property
    def drop(self) -> Drop | None:
        """The largest fall of the chance by one move, or None if no fall is more than noise."""
        return max(self._drops(), key=lambda drop: drop.before.p - drop.after.p, default=None)

    def _drops(self) -> Iterator[Drop]:
        for before, after in zip(self.positions, self.positions[1:], strict=False):
            if before.chance is None or after.chance is None:
                continue
            noise = _NOISE * math.hypot(before.chance.se or 0, after.chance.se or 0)
            if before.chance.p - after.chance.p > noise:
                turned = getattr(before.state.view(), "turned_by", None)
                is_luck = self.game.is_redeal(after.move) or (turned is not None and turned(after.move) > 0)
                yield Drop(after.after, after.move, before.chance, after.chance, bool(is_luck))

    def values(self) -> dict[str, Any]:
        """Return the review for JSON."""
        from unshuffle.review.words import summary

        start = self.line.states[0]
        between = self.spans[-1].lost_between
        drop = self.drop
        return {
            "game": self.game.id,
            "variant": self.game.variant,
            "deal": start.id,
            "moves": [move.token for move in self.line.moves],
            "outcome": None if self.line.outcome is None else self.line.outcome.value,
            "positions": [
                {
                    "after": position.after,
                    "token": None if position.move is None else position.move.token,
                    "verdict": position.verdict.value,
                    "by": position.by.value,
                    "chance": _chance_values(position.chance),
                }
                for position in self.positions
            ],
            "lost_by": self._loss_values(self.lost_by),
            "lost_between": None if between is None else list(between),
            "spans": [
                {
                    "name": span.name,
                    "goes_on": span.goes_on,
                    "first": span.first,
                    "last": span.last,
                    "lost_by": self._loss_values(span.lost_by),
                    "lost_between": None if span.lost_between is None else list(span.lost_between),
                    "left_by": self._loss_values(span.left_by),
                    "left_between": None if span.left_between is None else list(span.left_between),
                }
                for span in self.spans
            ],
            "drop": None
            if drop is None
            else {
                "move": drop.number,
                "token": drop.move.token,
                "before": _chance_values(drop.before),
                "after": _chance_values(drop.after),
                "luck": drop.is_luck,
            },
            "summary": summary(self),
            "nodes": self.nodes,
            "searches": self.searches,
            "seconds": round(self.seconds, 3),
            "interrupted": self.is_cut,
            "information": "open",
            "by_chance": self.by_chance,
            "chance_information": "hidden" if self.has_chances else None,
        }

    def _loss_values(self, loss: Loss | None) -> dict[str, Any] | None:
        if loss is None:
            return None
        before = self.line.states[loss.number - 1]
        kept = loss.instead[0]
        return {
            "move": loss.number,
            "token": loss.played.token,
            "text": self.game.describe(before, loss.played).text,
            "instead": {
                "token": kept.token,
                "text": self.game.describe(before, kept).text,
                "moves": [move.token for move in loss.instead],
            },
        }


def _chance_values(chance: Chance | None) -> dict[str, float | None] | None:
    return None if chance is None else {"p": chance.p, "se": chance.se}


def _span(game: AnyGame, ledger: Ledger, count: int) -> Span:
    last, lost, left = ledger.last_winnable, ledger.first_lost, ledger.first_left
    turned = None
    if 0 <= last == left - 1 < len(ledger) - 1:
        win = ledger.win(last)
        assert win is not None
        turned = Loss(ledger.first + left, ledger.line.moves[last], win)
    return Span(
        _name(game, ledger, count),
        ledger.first > 0 or game.is_dealt(ledger.line.states[0]),
        game.leaves_redeals_out(ledger.line.states[0]),
        ledger.first,
        ledger.first + len(ledger) - 1,
        None if last < 0 else ledger.first + last,
        None if lost == len(ledger) else ledger.first + lost,
        turned if left == lost else None,
        None if left == lost else ledger.first + left,
        turned if left != lost else None,
    )


def _name(game: AnyGame, ledger: Ledger, count: int) -> str:
    """Return the name of the deals that this part, one of `count`, is about; '' for the whole game.

    A state of a game with redeals has the number of its deal (`deal`), the number of redeals that may follow
    (`redeals_left`) and the known redeals (`redeals`). A part after a random redeal is never the whole game.
    """
    start = ledger.line.states[0]
    first = getattr(start, "deal", 1)
    deals = first + getattr(start, "redeals_left", 0)
    last = first if game.solves_phases else first + len(getattr(start, "redeals", ()))
    if deals == 1 or (count == 1 and (first, last) == (1, deals)):
        return ""
    if first == last:
        return f"{'phase' if game.solves_phases else 'deal'} {first} of {deals}"
    return f"deals {first} to {last} of {deals}"
