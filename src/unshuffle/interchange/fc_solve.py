"""Board text of fc-solve, which PySolFC reads and writes too: a pile per line, and the foundations by suit.

    Foundations: H-0 C-2 D-A S-0
    : KC 2H 3S
    : 5D

The colon may be missing. `Founds:` and `FC:` are the short labels of PySolFC; places that are not listed are empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from unshuffle.cards import RANKS, Card, Suit
from unshuffle.errors import Faults, Place, quote
from unshuffle.layout import Layout, Line, Token, split_lines

_LABEL = re.compile(r"\s*([A-Za-z]+):")
_FOUNDATIONS = ("foundations", "foundation", "founds", "found")
_CELLS = ("freecells", "fc")
_TOP = re.compile(rf"([CDHScdhs])-(10|[0-9{RANKS}])", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_EMPTY = "-"
_SUIT_ORDER = (Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES)


def read(text: str, faults: Faults) -> Layout:
    """Return the board with `foundations` as top cards, and a row for every pile, `-` for an empty one."""
    labelled: dict[str, Line] = {}
    rows: list[Line] = []
    has_begun = False
    for number, raw in enumerate(split_lines(text.rstrip(), faults), 1):
        label = _LABEL.match(raw)
        if label is None:
            # A blank line is an empty pile, but not before the board begins.
            has_begun = has_begun or bool(raw.strip())
            if has_begun:
                rows.append(_pile(raw, number))
            continue
        has_begun = True
        name, place = label[1].lower(), Place(number, label.start(1) + 1)
        words = list(_words(raw, number, label.end()))
        if name in _FOUNDATIONS and "foundations" in labelled:
            faults.add(f"'Foundations:' is there twice (first at {labelled['foundations'].place})", place)
        elif name in _FOUNDATIONS:
            labelled["foundations"] = Line("foundations", tuple(_tops(words, faults)), place)
        elif name in _CELLS:
            for word in words:
                if word.text != _EMPTY:
                    faults.add(f"{quote(word.text)} is in a free cell, and this game has none", word.place)
        else:
            faults.add(f"{quote(label[1])} is not a label; expected Foundations: or Freecells:", place)
    return Layout(labelled, tuple(rows))


def _words(raw: str, number: int, start: int) -> Iterator[Token]:
    for match in _WORD.finditer(raw, start):
        yield Token(match.group(), Place(number, match.start() + 1))


def _pile(raw: str, number: int) -> Line:
    colon = re.match(r"\s*:", raw)
    words = [Token(_spell(word.text), word.place) for word in _words(raw, number, colon.end() if colon else 0)]
    place = words[0].place if words else Place(number, 1)
    return Line(None, tuple(words) or (Token(_EMPTY, place),), place)


def _spell(text: str) -> str:
    """Return the word with an ace as A: the format allows 1."""
    return f"A{text[1:]}" if text[:1] == "1" and text[:2] != "10" else text


def _tops(words: Iterable[Token], faults: Faults) -> Iterator[Token]:
    for word in words:
        top = _TOP.fullmatch(word.text)
        if top is None:
            faults.add(
                f"{quote(word.text)} is not a foundation; expected a suit and its top rank, H-0 or C-5", word.place
            )
        elif top[2] != "0":
            yield Token(_spell(top[2]) + top[1], word.place)


def write(piles: Sequence[Sequence[Card]], foundations: Sequence[int]) -> str:
    """Return a board; `foundations` has the height of each suit."""
    tops = " ".join(f"{suit.letter}-{RANKS[foundations[suit] - 1] if foundations[suit] else 0}" for suit in _SUIT_ORDER)
    rows = [" ".join([":", *map(str, pile)]) for pile in piles]
    return "\n".join([f"Foundations: {tops}", *rows]) + "\n"
