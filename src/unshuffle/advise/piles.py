"""Piles with face-down cards as a person types them: one answer for one pile, in every game that has such piles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from unshuffle.advise.adviser import Draft
from unshuffle.advise.answers import first_faults
from unshuffle.cards import EXPECTED_CARD, Card, format_cards, split_cards
from unshuffle.errors import Fault, Faults, RefusedError, quote
from unshuffle.layout import UNSEEN, Line, Token, read_cards, read_lines
from unshuffle.numbers import is_whole, plural, read_whole
from unshuffle.views import HiddenView

EMPTY = "-"
_MOST_DOWN = 60
_WORD = re.compile(r"[^\s\[\]]+")
_PLACE = re.compile(r"at line ([0-9]+), column [0-9]+")


def read_pile(line: Line, dealt: int) -> str:
    """The pile in strict writing; a word that is no card keeps its place, unless it stands alone.

    A single card is a pile as it was dealt, with so many cards face down under it.
    """
    texts = [token.text for token in line.tokens]
    if texts in ([], [EMPTY], ["--"]):
        return EMPTY
    words = [_written(token) for token in line.tokens]
    first = texts[0]
    if is_whole(first):
        down = read_whole(first, _MOST_DOWN)
        if down is None:
            raise RefusedError(f"{first} cards face down: no pile has so many")
        return pile_text(down, words[1:])
    if len(texts) == 1 and "[" not in first and not read_cards(line.tokens, Faults()):
        raise RefusedError(f"{quote(first)} is not a card; {EXPECTED_CARD}")
    return pile_text(dealt if len(words) == 1 and "[" not in first else 0, words)


def pile_text(down: int, words: Sequence[str]) -> str:
    """`[## ##] 9H 8H`."""
    return " ".join([*[f"[{' '.join([UNSEEN] * down)}]"] * (down > 0), *words])


def _written(token: Token) -> str:
    """The word with its cards in strict writing, and with a blank between face-down ones."""
    written = format_cards(card for card, _ in read_cards((token,), Faults())) or token.text
    return written.replace(UNSEEN * 2, f"{UNSEEN} {UNSEEN}").replace(UNSEEN * 2, f"{UNSEEN} {UNSEEN}")


def face_up(draft: Draft) -> Iterator[Card]:
    """The cards of the piles that one sees."""
    for cell in draft.cells:
        for line in read_lines(f"1: {cell}", Faults()):
            words = (Token(word, line.place) for token in line.tokens for word in _WORD.findall(token.text))
            yield from (card for card, _ in read_cards(words, Faults()))


def size(draft: Draft) -> int:
    """How many cards the piles have."""
    return sum(cell.count(UNSEEN) for cell in draft.cells) + sum(1 for _ in face_up(draft))


def pile_rows(draft: Draft, pack: Sequence[Card], for_person: bool) -> list[str]:
    """Numbered piles; `!` marks a card that is there more often than in the pack, quotes what is no card."""
    too_many = Counter(face_up(draft)) - Counter(pack)

    def shown(match: re.Match[str]) -> str:
        word = match[0]
        if word == EMPTY or not word.replace(UNSEEN, ""):
            return word
        found = split_cards(word)
        if found is None:
            return quote(word)
        cards = [Card.parse(text) for _, text in found]
        return " ".join((card.glyph if for_person else str(card)) + "!" * (card in too_many) for card in cards)

    return [f"{number:>2}: {_WORD.sub(shown, cell)}" for number, cell in enumerate(draft.cells, 1) if cell]


# Faults of a text in which line n is pile n.


def is_in_pile(fault: Fault, draft: Draft) -> bool:
    """Whether it belongs to a pile."""
    return fault.place is not None and fault.place.line <= len(draft.cells)


def named_faults(faults: Sequence[Fault], draft: Draft, is_wanted: Callable[[Fault], bool]) -> list[str]:
    """Those that are wanted, with piles for places; not more than a person reads."""
    return first_faults([_name(fault, draft) for fault in faults if is_wanted(fault)])


def hidden_again(view: HiddenView[Any, Any], start: HiddenView[Any, Any], rest: str) -> Iterator[str]:
    """What cannot be, for a card that was seen stays seen; `rest` is where cards are dealt from."""
    for number, (now, then) in enumerate(zip(view.down, start.down, strict=True), 1):
        if now > then:
            yield f"pile {number}: {plural(now, 'card')} face down, but the game began with {then}"
    hidden = Counter(view.unseen) - Counter(start.unseen)
    if hidden:
        yield f"{format_cards(sorted(hidden))}: seen when the game began, so not face down or in the {rest} now"


def _name(fault: Fault, draft: Draft) -> str:
    message = _PLACE.sub(lambda match: f"in pile {match[1]}", fault.message)
    if not is_in_pile(fault, draft):
        return message
    assert fault.place is not None
    # Some name their pile themselves.
    pile = f"pile {fault.place.line}"
    return message if message.startswith(f"{pile} ") else f"{pile}: {message}"
