"""Words that a person types for a table: lines, cards in strict writing, whole decks, or why they are refused."""

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
    """Its lines; none if it is a comment."""
    try:
        return read_lines(answer, Faults())
    except InvalidDealError as error:
        raise RefusedError(str(error)) from None


# Cards.


def cards_in(word: str) -> list[Card]:
    """The cards of a word, with or without blanks between them; none if it is no card."""
    return [card for card, _ in read_cards((Token(word, Place(1, 1)),), Faults())]


def words_of(text: str) -> list[str]:
    """The words of a place or a label, without brackets."""
    return [word for word in _WORD.findall(text) if word != EMPTY]


def faces_in(text: str) -> Iterator[Card]:
    """The cards of a place that one sees."""
    for word in words_of(text):
        yield from cards_in(word)


def count_cards(text: str) -> int:
    """How many cards a place has; a word that is no card stands for one."""
    return sum(word.count(UNSEEN) or max(1, len(cards_in(word))) for word in words_of(text))


def mark_faults(text: str, wrong: Iterable[Card], *, for_person: bool, has_backs: bool = False) -> str:
    """The place for people's eyes: `!` behind each of the wrong cards, quotes around what is no card."""

    def shown(match: re.Match[str]) -> str:
        word = match[0]
        if word in (EMPTY, "?") or (has_backs and not word.replace(UNSEEN, "")):
            return word
        cards = cards_in(word)
        marked = ((card.glyph if for_person else str(card)) + "!" * (card in wrong) for card in cards)
        return " ".join(marked) or quote(word)

    return (_WORD if has_backs else _TOKEN).sub(shown, text)


def strict(tokens: Iterable[Token]) -> str:
    """The words with their cards in strict writing; one that is no card keeps its place."""
    return " ".join(format_cards(cards_in(token.text)) or token.text for token in tokens)


def check_lone(line: Line) -> None:
    """Refuse a word that stands alone and is no card."""
    if len(line.tokens) == 1 and not cards_in(line.tokens[0].text):
        raise RefusedError(f"{quote(line.tokens[0].text)} is not a card; {EXPECTED_CARD}")


def is_empty(line: Line) -> bool:
    """Whether it says that there is nothing."""
    return [token.text for token in line.tokens] in ([], [EMPTY], ["--"])


def read_pile(line: Line, dealt: int | None) -> str:
    """A place in strict writing. `2 9H 8H` or `[## ##] 9H 8H` tells how many cards lie face down.

    A single card is a pile as it was dealt, with so many cards face down under it; None: all cards lie face up.
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
    """`[## ##] 9H 8H`."""
    return f"[{' '.join([UNSEEN] * down)}] {text}".rstrip() if down else text


def write_pile(pile: Pile, down: int) -> str:
    """A pile as one would type it; a card that lies face down and is known stands in the brackets."""
    return (f"[{join(pile[:down])}] {join(pile[down:])}".rstrip() if down else join(pile)) or EMPTY


# Decks.


def read_whole_deck(line: Line, pack: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of a `Deck:` line, with all that is wrong with it."""
    faults = Faults()
    deck = read_deck(line.tokens, pack, faults)
    _refuse(faults, "\n")
    return deck


def read_typed_cards(line: Line) -> tuple[Card, ...]:
    """The cards of a line, in the order in which they are typed; refused if a word is none."""
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
    """The cards of a `Deck:` line of a game with one pack; refused with the cards that are missing."""
    cards = read_typed_cards(line)
    if sorted(cards) != sorted(pack):
        missing = sorted(set(pack) - set(cards))
        lacks = f"; missing: {format_cards(missing)}" if missing else ""
        raise RefusedError(f"'Deck:' has {plural(len(cards), 'card')}, expected {len(pack)}, each once{lacks}")
    return cards
