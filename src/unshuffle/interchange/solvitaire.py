"""The deal files of Solvitaire, the solver of Blake and Gent: a JSON object with a list of cards for each place.

`"tableau piles"` lists the piles, each from its bottom card; `"sequences"` the rows of Gaps from the left, `""` for a
gap; `"stock"` the stock, its next card last; `"foundations"` every card on them. A card that lies face down has a
lower-case letter for its suit, in games whose piles have such cards. The file does not contain the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from unshuffle.cards import RANKS, SUITS, Card
from unshuffle.errors import Faults, Place, quote
from unshuffle.layout import Line, Token, split_lines

PILES, SEQUENCES, STOCK, FOUNDATIONS = "tableau piles", "sequences", "stock", "foundations"
_KEYS = (PILES, SEQUENCES, STOCK, FOUNDATIONS, "hole", "cells", "waste", "reserve", "accordion")
_NESTED = (PILES, SEQUENCES)

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
# The format also allows a rank as a number from 1 to 13, and has no letter for ten.
_NUMBERED = re.compile(rf"(1[0-3]?)([{SUITS}{SUITS.lower()}])")


class _Object(list[tuple[Any, Any]]):
    """A JSON object as its pairs: a dict would drop a repeated key."""


def read(text: str, expected: Sequence[str], optional: Sequence[str], faults: Faults) -> dict[str, tuple[Line, ...]]:
    """Return the lists of a deal file by key, each with its cards and their positions; one line per list of cards.

    `expected` keys must be there, `optional` keys may; anything else is a fault, unless it is empty.
    """
    split_lines(text, faults)  # raises the error of a text that is far too long
    pairs = _parse(text, faults)
    found: dict[str, tuple[Line, ...]] = {}
    for key, value in pairs:
        name = key.text
        if name not in _KEYS:
            faults.add(f"{quote(name)} is not a key of a deal; expected {_listed(_KEYS)}", key.place)
        elif name in found:
            faults.add(f"{quote(name)} is there twice", key.place)
        elif name in expected or name in optional:
            found[name] = _read_lists(key, value, faults)
        elif value not in ([], ""):
            faults.add(
                f"{quote(name)} has no place in this game; expected {_listed((*expected, *optional))}", key.place
            )
    for name in expected:
        if name not in found:
            faults.add(f"{quote(name)} is missing")
            found[name] = ()
    return found


def _parse(text: str, faults: Faults) -> _Object:
    """Return the pairs of the object, its strings as tokens with their positions."""
    import json  # imported here: only games with such files need it

    try:
        value = json.loads(text, object_pairs_hook=_Object)
    except json.JSONDecodeError as error:
        faults.add(f"this is not JSON: {error.msg}", Place(error.lineno, error.colno))
    except (RecursionError, ValueError):
        faults.add("this is not the JSON of a deal: it has a number or a depth that no deal has")
    else:
        if isinstance(value, _Object):
            placed = _place(value, _places(text))
            assert isinstance(placed, _Object)
            return placed
        faults.add("this is not the JSON of a deal: expected an object with lists of cards")
    faults.check()
    raise AssertionError("a fault was noted")


def _places(text: str) -> Iterator[Place]:
    """Yield the position of each string, in the order of the text."""
    line, start = 1, 0
    for match in _STRING.finditer(text):
        line += text.count("\n", start, match.start())
        start = match.start()
        yield Place(line, start - (text.rfind("\n", 0, start) + 1) + 1)


def _place(value: Any, places: Iterator[Place]) -> Any:
    if isinstance(value, str):
        return Token(value, next(places))
    if isinstance(value, _Object):
        return _Object((_place(key, places), _place(inner, places)) for key, inner in value)
    return [_place(inner, places) for inner in value] if isinstance(value, list) else value


def _read_lists(key: Token, value: Any, faults: Faults) -> tuple[Line, ...]:
    is_nested = key.text in _NESTED
    lists = value if is_nested else [value]
    # Older versions of Solvitaire wrote a list for each foundation.
    if key.text == FOUNDATIONS and isinstance(value, list) and all(isinstance(part, list) for part in value):
        lists = [[card for part in value for card in part]]
    lines = []
    for cards in lists if isinstance(lists, list) else [None]:
        if not isinstance(cards, list) or isinstance(cards, _Object) or not all(isinstance(c, Token) for c in cards):
            what = "a list of lists of cards" if is_nested else "a list of cards"
            faults.add(f"{quote(key.text)} is not {what}", key.place)
            return ()
        place = cards[0].place if cards else key.place
        lines.append(Line(None, tuple(Token(_spell(card.text), card.place) for card in cards), place))
    return tuple(lines)


def _spell(text: str) -> str:
    numbered = _NUMBERED.fullmatch(text)
    return text if numbered is None else RANKS[int(numbered[1]) - 1] + numbered[2]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(quote, names))


# Writing.


def write(lists: Mapping[str, Sequence[Any]]) -> str:
    """Return a deal file: cards, or words for them, None for a gap; one line per pile or row."""
    parts = []
    for key, value in lists.items():
        if key in _NESTED:
            rows = ",\n".join(f"    {_write_cards(cards)}" for cards in value)
            parts.append(f'  "{key}": [\n{rows}\n  ]')
        else:
            parts.append(f'  "{key}": {_write_cards(value)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def face_down(card: Card) -> str:
    """Return the word for a card that lies face down."""
    text = str(card)
    return text[:-1] + text[-1].lower()


def _write_cards(cards: Iterable[Card | str | None]) -> str:
    words = ("" if card is None else str(card).replace("T", "10") for card in cards)
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"
