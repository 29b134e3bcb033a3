"""Agnes Sorel as text: the base rank, what no deal leads to, and move tokens."""

from __future__ import annotations

import re
from functools import lru_cache

from unshuffle.cards import RANKS
from unshuffle.errors import ParseError, Place, quote
from unshuffle.games.agnes.moves import Deal, Move, ToFoundation, ToPile
from unshuffle.layout import Line, Token
from unshuffle.places import Area, Mark, Pile
from unshuffle.places.reading import Reader
from unshuffle.places.text import EMPTY, Writer


class BaseWriter(Writer):
    """Writes the base as a rank."""

    def mark(self, mark: Mark, value: int) -> list[str]:
        """`Base: Q`."""
        return [f"Base: {RANKS[value - 1]}"]


class BaseReader(Reader):
    """Reads a table whose lines must all be there, and notes what no deal leads to."""

    def line(self, name: str) -> Line | None:
        """The line with this label, which is a fault where it is missing."""
        if name not in self.layout.labelled:
            self.faults.add(f"the line '{name.capitalize()}:' is missing")
        return super().line(name)

    def mark(self, mark: Mark, line: Line | None) -> int:
        """The base rank; 0 where it cannot be told."""
        if line is None:
            return 0
        words = " ".join(token.text for token in line.tokens)
        rank = RANKS.find("T" if words == "10" else words.upper()) + 1 if len(words) == 1 or words == "10" else 0
        if rank in mark.values:
            return rank
        expected = " ".join(RANKS[: mark.values[-1]])
        self.faults.add(f"{quote(words)} is not a base; expected one rank: {expected}", line.place)
        return 0

    def base(self) -> int | None:
        """The base rank."""
        return self.marks["base"] or None

    def tops(self, area: Area) -> tuple[Pile, ...]:
        """The foundations; one has the base card from the start on."""
        piles = super().tops(area)
        if not self.unread and not any(piles):
            place = self.layout.labelled[area.name].place
            self.faults.add("no card is up, but the base card goes to its foundation at once", place)
        return piles

    def is_empty(self, line: Line, what: str) -> bool:
        """Whether the line says that the place has no cards; a line without words is a fault."""
        if not line.tokens:
            self.faults.add(f"{what} has no cards; '{EMPTY}' says that it is empty", line.place)
        return super().is_empty(line, what)

    def split_pile(self, area: Area, line: Line) -> tuple[list[Token], list[Token]]:
        """The words of a pile; brackets only where the rules have face-down cards."""
        words = super().split_pile(area, line)
        if self.places.rules.face_up and any("[" in token.text for token in line.tokens):
            self.faults.add("brackets: no card lies face down in these rules", line.place)
        return words

    def check_pile(self, number: int, down: int, pile: Pile, place: Place) -> None:
        """No more cards lie face down than were dealt."""
        if down > number - 1:
            cards = f"{down} face-down card{'s' * (down > 1)}"
            self.faults.add(f"pile {number} has {cards}; it is dealt with {number - 1}", place)

    def check_stock(self, area: Area, size: int, place: Place) -> None:
        """A deal takes a card for every pile."""
        sizes = self.places.rules.stock_sizes
        if size not in sizes:
            told = ", ".join(map(str, sizes))
            self.faults.add(f"the stock has {size} card{'s' * (size != 1)}; it can have {told}", place)


# Moves.

_MOVE = re.compile(
    r"(?P<deal>d)|(?P<up>[0-9]{1,3})f|(?P<source>[0-9]{1,3})-(?P<target>[0-9]{1,3})(?:x(?P<count>[0-9]{1,3}))?"
)
_EXPECTED_MOVE = (
    "expected d (deal), 3f (top card of pile 3 to its foundation), "
    "3-5 (one card from pile 3 to pile 5) or 3-5x4 (a unit of four cards)"
)


@lru_cache(maxsize=4096)  # There are few moves, and the lines of mass runs name each of them often.
def parse_token(token: str) -> Move:
    """Read a move; capitals do not matter, and `x1` may stand behind a single card."""
    match = _MOVE.fullmatch(token.strip().lower())
    if match is None:
        raise ParseError(f"{quote(token)} is not a move; {_EXPECTED_MOVE}")
    if match["deal"]:
        return Deal()
    if match["up"]:
        return ToFoundation(int(match["up"]))
    return ToPile(int(match["source"]), int(match["target"]), int(match["count"] or 1))
