"""A Spider table as text for a terminal, in two colour themes. The text itself is the same in both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from unshuffle.cards import Card, Suit
from unshuffle.games.spider.envs.shown import Shown

Cell = tuple[str, str]
"""A text and its colour; no colour for blanks."""

RESET = "\x1b[0m"
_BACK = " ▒▒"
_NOTHING = "   "
_EMPTY_SLOT = " ··"


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a terminal, as SGR codes."""

    black: str
    """Spades and clubs."""
    red: str
    """Hearts and diamonds."""
    rest: str
    """Backs and words."""

    def of(self, suit: Suit) -> str:
        """Return the colour of the suit."""
        return self.red if suit in (Suit.HEARTS, Suit.DIAMONDS) else self.black


THEMES = {
    "dark": Theme(black="\x1b[33m", red="\x1b[36m", rest="\x1b[37m"),
    "light": Theme(black="\x1b[34m", red="\x1b[31m", rest="\x1b[30m"),
}


def write(shown: Shown, theme: str) -> str:
    """Return slots and bank, the piles as columns, the hand, score and moves. Every line ends with a colour reset."""
    colours = THEMES[theme]
    lines = [_slots(shown, colours)]
    # Down the table: the first line has the bottom card of every pile.
    for cells in zip_longest(*(tuple(_cells(pile, colours)) for pile in shown.piles), fillvalue=(_NOTHING, "")):
        lines.append(_line(cells))
    lines.append(_hand(shown, colours))
    lines.append(_line([(f"score: {shown.score}  moves: {shown.moves}", colours.rest)]))
    return "\n".join(lines) + "\n"


def _line(cells: Iterable[Cell]) -> str:
    """Return the cells side by side, without trailing blanks; a code stands only where the colour changes."""
    parts = []
    present = ""
    for text, colour in cells:
        if colour and colour != present:
            parts.append(colour)
            present = colour
        parts.append(text)
    return "".join(parts).rstrip() + RESET


def _cells(cards: Iterable[Card | None], colours: Theme) -> Iterator[Cell]:
    for card in cards:
        yield (_BACK, colours.rest) if card is None else (f" {card.glyph}", colours.of(card.suit))


def _slots(shown: Shown, colours: Theme) -> str:
    # A completed run is shown by its king.
    cells = list(_cells((Card(shown.ranks, suit) for suit in shown.completed), colours))
    cells += [(_EMPTY_SLOT, colours.rest)] * (shown.slots - len(shown.completed))
    return _line([*cells, (f"  bank: {shown.bank}", colours.rest)])


def _hand(shown: Shown, colours: Theme) -> str:
    if not shown.hand:
        return _line([("hand: -", colours.rest)])
    return _line([("hand:", colours.rest), *_cells(shown.hand, colours), (f" (pile {shown.source})", colours.rest)])
