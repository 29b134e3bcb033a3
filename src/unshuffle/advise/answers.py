"""Parsing of the answers that type a table: lines, cards in canonical notation, whole decks, and their faults."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from unshuffle.cards import EXPECTED_CARD, Card, format_cards
from unshuffle.errors import Faults, InvalidDealError, Place, RefusedError, quote
from unshuffle.layout import UNSEEN, Line, Token, read_cards, read_deck, read_lines
from unshuffle.numbers import is_whole, plural, read_whole
from unshuffle.places import Pile
from unshuffle.places.text import EMPTY, join

_MOST_DOWN = 60
_WORD = re.compile(r"[^\s\[\]]+")
_TOKEN = re.compile(r"\S+")


def read_answer(answer: str) -> list[Line]:
    """Return the lines of an answer; none if it is a comment."""
    try:
        return read_lines(answer, Faults())
    except InvalidDealError as error:
        raise RefusedError(str(error)) from None


# Cards.


def cards_in(word: str) -> list[Card]:
    """Return the cards of a word, with or without blanks between them; none if it is not a card."""
    return [card for card, _ in read_cards((Token(word, Place(1, 1)),), Faults())]


def words_of(text: str) -> list[str]:
    """Return the words of a place or a label, without brackets."""
    return [word for word in _WORD.findall(text) if word != EMPTY]


def faces_in(text: str) -> Iterator[Card]:
    """Yield the visible cards of a place."""
    for word in words_of(text):
        yield from cards_in(word)


def count_cards(text: str) -> int:
    """Return how many cards a place has; a word that is not a card counts as one."""
    return sum(word.count(UNSEEN) or max(1, len(cards_in(word))) for word in words_of(text))


def mark_faults(text: str, wrong: Iterable[Card], *, for_person: bool, has_backs: bool = False) -> str:
    """Return the place for display: `!` behind each of the wrong cards, quotes around words that are not cards."""

    def shown(match: re.Match[str]) -> str:
        word = match[0]
        if word in (EMPTY, "?") or (has_backs and not word.replace(UNSEEN, "")):
            return word
        cards = cards_in(word)
        marked = ((card.glyph if for_person else str(card)) + "!" * (card in wrong) for card in cards)
        return " ".join(marked) or quote(word)

    return (_WORD if has_backs else _TOKEN).sub(shown, text)


def strict(tokens: Iterable[Token]) -> str:
    """Return the words with their cards in canonical notation; words that are not cards stay unchanged."""
    return " ".join(format_cards(cards_in(token.text)) or token.text for token in tokens)


def check_lone(line: Line) -> None:
    """Raise RefusedError if the line is one word that is not a card."""
    if len(line.tokens) == 1 and not cards_in(line.tokens[0].text):
        raise RefusedError(f"{quote(line.tokens[0].text)} is not a card; {EXPECTED_CARD}")


def is_empty(line: Line) -> bool:
    """Return whether the line stands for an empty place."""
    return [token.text for token in line.tokens] in ([], [EMPTY], ["--"])


def read_pile(line: Line, dealt: int | None) -> str:
    """Return a place in canonical notation. `2 9H 8H` or `[## ##] 9H 8H` tells how many cards lie face down.

    `dealt`: how many face-down cards a new deal puts under a single card; None: all cards lie face up.
    """
    if is_empty(line):
        return EMPTY
    first, *rest = line.tokens
    if dealt is None or "[" not in first.text:
        if dealt is not None and is_whole(first.text):
            down = read_whole(first.text, _MOST_DOWN)
            if down is None:
                raise RefusedError(f"{first.text} cards face down: no pile has so many")
            return _backs(down, strict(rest))
        check_lone(line)
    text = strict(line.tokens)
    if dealt is None:
        return text
    text = text.replace(UNSEEN * 2, f"{UNSEEN} {UNSEEN}").replace(UNSEEN * 2, f"{UNSEEN} {UNSEEN}")
    return _backs(dealt if not rest and "[" not in first.text else 0, text)


def _backs(down: int, text: str) -> str:
    """Return the place with its face-down cards: `[## ##] 9H 8H`."""
    return f"[{' '.join([UNSEEN] * down)}] {text}".rstrip() if down else text


def write_pile(pile: Pile, down: int) -> str:
    """Return a pile as one would type it; known face-down cards stand in the brackets."""
    return (f"[{join(pile[:down])}] {join(pile[down:])}".rstrip() if down else join(pile)) or EMPTY


# Decks.


def read_whole_deck(line: Line, pack: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards of a `Deck:` line. RefusedError names all faults."""
    faults = Faults()
    deck = read_deck(line.tokens, pack, faults)
    _refuse(faults, "\n")
    return deck


def read_typed_cards(line: Line) -> tuple[Card, ...]:
    """Return the cards of a line, in the order in which they are typed. RefusedError if a word is not a card."""
    faults = Faults()
    cards = tuple(card for card, _ in read_cards(line.tokens, faults))
    _refuse(faults, "; ")
    return cards


def _refuse(faults: Faults, joint: str) -> None:
    try:
        faults.check()
    except InvalidDealError as error:
        raise RefusedError(joint.join(fault.message for fault in error.faults)) from None


def read_one_pack(line: Line, pack: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards of a `Deck:` line of a game with one pack. RefusedError names the missing cards."""
    cards = read_typed_cards(line)
    if sorted(cards) != sorted(pack):
        missing = sorted(set(pack) - set(cards))
        lacks = f"; missing: {format_cards(missing)}" if missing else ""
        raise RefusedError(f"'Deck:' has {plural(len(cards), 'card')}, expected {len(pack)}, each once{lacks}")
    return cards
