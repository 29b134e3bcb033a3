"""What a review answers."""

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
"""Differences below so many standard errors may be chance."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of the played line."""

    after: int
    """So many moves were made before it."""
    move: Any | None
    """The move that led here; None at the start."""
    state: Any
    verdict: Verdict
    """By one who knows every card, but no redeal that is chance to a solver or that nobody knows."""
    by: By
    """How that is known."""
    chance: Chance | None
    """The chance to win by what the player saw; None where nothing was hidden, or it was not asked for in time."""


@dataclass(frozen=True, slots=True)
class Loss:
    """The move that lost what could be won until then."""

    number: int
    """1 is the first move of the line."""
    played: Any
    instead: tuple[Any, ...]
    """A win from the position before it: its first move would have kept the game."""


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the line that is one question: the whole game, or what was played between two redeals by chance."""

    name: str
    """'' if it is the whole game, else what of it: 'phase 2 of 4', 'deal 3 of 3', 'deals 2 to 3 of 3'."""
    begins_here: bool
    """True if its first position is the one with which it began; False if play may have gone before."""
    goes_on: bool
    """True if a redeal may follow that its verdicts leave out: what is lost of it is no lost game."""
    first: int
    last: int
    """Its positions, both included."""
    last_winnable: int | None
    first_lost: int | None
    lost_by: Loss | None
    first_left: int | None
    """The first position from which no win is left without a redeal that nobody knows."""
    left_by: Loss | None
    """The move that led there from one that could be won without it."""

    @property
    def lost_between(self) -> tuple[int, int] | None:
        """The moves of which one lost it, first and last, where it is not known which.

        The first is `first + 1` too where it is not known whether it could be won at all.
        """
        if self.first_lost is None or self.first_lost == self.first or self.lost_by is not None:
            return None
        return self._known + 1, self.first_lost

    @property
    def left_between(self) -> tuple[int, int] | None:
        """The moves of which one led to `first_left`, in the same way."""
        if self.first_left is None or self.first_left == self.first or self.left_by is not None:
            return None
        return self._known + 1, self.first_left

    @property
    def _known(self) -> int:
        return self.first if self.last_winnable is None else self.last_winnable


@dataclass(frozen=True, slots=True)
class Drop:
    """The move with which the chance to win fell most."""

    number: int
    move: Any
    before: Chance
    after: Chance
    is_luck: bool
    """True if the move showed cards that nobody knew, so that the fall need not be the player's."""


@dataclass(frozen=True, slots=True)
class Review:
    """A played line, position by position."""

    game: AnyGame
    line: Line
    positions: tuple[Position, ...]
    spans: tuple[Span, ...]
    has_chances: bool
    """Whether chances were asked for and something was hidden from the player."""
    nodes: int
    """Of all searches."""
    searches: int
    seconds: float
    is_cut: bool
    """True if it was stopped: what is not known might have become known."""
    _ledgers: tuple[Ledger, ...] = field(repr=False)
    by_chance: bool = False
    """Whether chance has dealt what was unknown in the deal: the verdicts are of what it dealt."""

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
        """The review that these ledgers hold."""
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
        """Moves that win from the position after so many moves, where that is known."""
        ledger = next(ledger for ledger in reversed(self._ledgers) if ledger.first <= after)
        return ledger.win(after - ledger.first)

    def span_at(self, after: int) -> Span:
        """The part of the line in which the position after so many moves lies."""
        return next(span for span in self.spans if after <= span.last)

    @property
    def lost_by(self) -> Loss | None:
        """The move that lost the game, or the phase in hand; None if none did, or it is not known which."""
        return self.spans[-1].lost_by

    @property
    def drop(self) -> Drop | None:
        """The greatest fall of the chance by one move, if it is more than noise."""
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
        """The same for another program."""
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
    """Name the deals that the verdicts of this part, one of so many, are about; '' for the whole game.

    A game with redeals says which deal this is (`deal`), how many can follow (`redeals_left`) and which redeals are
    known (`redeals`). After a redeal that was chance a part is not the game, even where all that follows is known.
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
