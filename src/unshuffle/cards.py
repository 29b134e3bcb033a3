"""Cards and packs: one way to write them, many ways to read them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from functools import total_ordering
from typing import ClassVar

from unshuffle.errors import ParseError, quote

RANKS = "A23456789TJQK"
SUITS = "CDHS"
_RANK_NAMES = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
_GLYPHS = "♣♦♥♠"
_WHITE_GLYPHS = "♧♢♡♤"
# Phones add these behind a suit to mean "as an emoji" or "as text"; they are ignored.
_VARIATION_SELECTORS = re.compile("[\ufe0e\ufe0f]")

EXPECTED_CARD = "expected a rank A 2-9 T J Q K, then a suit C D H S"


class Suit(IntEnum):
    """The four suits in the order in which they are written and stored."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    def __repr__(self) -> str:
        return f"Suit.{self.name}"

    @property
    def letter(self) -> str:
        """C, D, H or S."""
        return SUITS[self]

    @property
    def glyph(self) -> str:
        """The suit's black glyph."""
        return _GLYPHS[self]

    @property
    def word(self) -> str:
        """The suit's name in prose: 'hearts'."""
        return self.name.lower()


@total_ordering
class Card:
    """A playing card: a rank from 1 (ace) to 13 (king) and a suit.

    There is one object for each of the 52 cards, so equal cards are the same object and comparing them costs nothing.
    """

    # All attributes are computed once: the rules read them millions of times.
    __slots__ = ("_text", "index", "next_down", "next_up", "rank", "suit")

    _ALL: ClassVar[dict[tuple[int, int], Card]] = {}

    rank: int
    suit: Suit
    index: int
    """0..51: clubs, diamonds, hearts, spades, each from ace to king."""
    next_up: Card | None
    """The card one rank higher in the same suit; a king has none."""
    next_down: Card | None
    """The card one rank lower in the same suit; an ace has none."""
    _text: str

    def __new__(cls, rank: int, suit: Suit | int) -> Card:
        """Return the one card of this rank and suit."""
        try:
            return cls._ALL[rank, suit]
        except KeyError:
            raise ParseError(f"no card has rank {rank!r} and suit {suit!r}; ranks are 1..13, suits 0..3") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cards do not change: cannot set {name!r}")

    def __reduce__(self) -> tuple[type[Card], tuple[int, int]]:
        return Card, (self.rank, int(self.suit))

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Card.parse({self._text!r})"

    @property
    def glyph(self) -> str:
        """The card with its suit glyph: 'T♥'."""
        return RANKS[self.rank - 1] + _GLYPHS[self.suit]

    @property
    def name(self) -> str:
        """The card in prose: 'ten of hearts'."""
        return f"{_RANK_NAMES[self.rank - 1]} of {self.suit.word}"

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read one card in any accepted spelling: TH 10H th 10h T♥ 10♥ ♥10 T♡ HT."""
        card = _SPELLINGS.get(text) or _SPELLINGS.get(_VARIATION_SELECTORS.sub("", text.strip()))
        if card is None:
            raise ParseError(f"{quote(text)} is not a card; {EXPECTED_CARD}")
        return card


def _make_cards() -> tuple[Card, ...]:
    def fix(card: Card, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(card, name, value)

    for suit in Suit:
        below: Card | None = None
        for rank in range(1, 14):
            card = object.__new__(Card)
            text = RANKS[rank - 1] + SUITS[suit]
            fix(card, rank=rank, suit=suit, index=13 * suit + rank - 1, next_down=below, next_up=None, _text=text)
            if below is not None:
                fix(below, next_up=card)
            Card._ALL[rank, suit] = below = card
    return tuple(Card._ALL.values())


PACK: tuple[Card, ...] = _make_cards()
"""The 52 cards in their order before a shuffle: AC..KC AD..KD AH..KH AS..KS."""


def _spellings() -> dict[str, Card]:
    # Listed rather than computed with upper(), which would let strange letters through ("ſ".upper() is "S").
    spellings = {}
    for card in PACK:
        letter = RANKS[card.rank - 1]
        ranks = {letter, letter.lower()} | ({"10"} if card.rank == 10 else set())
        suit = SUITS[card.suit]
        for r in ranks:
            for s in (suit, suit.lower(), _GLYPHS[card.suit], _WHITE_GLYPHS[card.suit]):
                spellings[r + s] = spellings[s + r] = card
    return spellings


_SPELLINGS = _spellings()
_RANK_FIRST = re.compile(
    f"(?:10|[{RANKS}{RANKS.lower()}])[{SUITS}{SUITS.lower()}{_GLYPHS}{_WHITE_GLYPHS}][\ufe0e\ufe0f]?"
)


def split_cards(text: str) -> list[tuple[int, str]] | None:
    """Return cards written without a separator (KH2S10D) as (offset, card text); None unless all of it is cards."""
    parts = []
    end = 0
    while end < len(text):
        match = _RANK_FIRST.match(text, end)
        if match is None:
            return None
        parts.append((end, match.group()))
        end = match.end()
    return parts


def format_cards(cards: Iterable[Card]) -> str:
    """Return cards in canonical notation, one blank between them."""
    return " ".join(map(str, cards))
