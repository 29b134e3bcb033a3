"""Agnes Sorel as text: base, foundations, piles, stock and move tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from unshuffle.cards import RANKS, Card, Suit, format_cards
from unshuffle.errors import Faults, ParseError, Place, quote
from unshuffle.games.agnes.moves import Deal, Move, ToFoundation, ToPile
from unshuffle.games.agnes.rules import Foundations, Rules, State
from unshuffle.games.agnes.view import View
from unshuffle.layout import (
    UNSEEN,
    Layout,
    Line,
    Seen,
    Token,
    is_unseen,
    read_cards,
    read_pile_lines,
    split_brackets,
)
from unshuffle.numbers import read_whole

LABELS = ("base", "foundations", "stock")
SUIT_ORDER = (Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES, Suit.HEARTS)
"""The order of the suits in the text of this game, and in quagnes."""
_EMPTY = "-"


def format_state(state: State) -> str:
    """The base rank, the foundations' top cards, the piles from their bottom, and the stock from its next card."""
    return _format(state, format_cards(state.stock) or _EMPTY)


def format_view(view: View) -> str:
    """The same with `##` for each face-down card, and of the stock only its size."""
    return _format(view, str(view.stock))


def _format(table: State | View, stock: str) -> str:
    lines = [f"Base: {RANKS[table.base - 1]}", f"Foundations: {format_foundations(table)}"]
    for number, (pile, down) in enumerate(zip(table.piles, table.down, strict=True), 1):
        lines.append(f"{number}: {format_pile(pile, down)}")
    return "\n".join([*lines, f"Stock: {stock}"]) + "\n"


def format_foundations(table: State | View) -> str:
    """The top cards in their order, '-' for none."""
    tops = (top_card(table, suit) for suit in SUIT_ORDER)
    return " ".join(_EMPTY if card is None else str(card) for card in tops)


def format_pile(pile: Sequence[Card | None], down: int) -> str:
    """A pile from its bottom, the face-down cards in brackets."""
    words = [UNSEEN if card is None else str(card) for card in pile]
    parts = [f"[{' '.join(words[:down])}]"] * (down > 0) + words[down:]
    return " ".join(parts) or _EMPTY


def top_card(state: State | View, suit: Suit) -> Card | None:
    """The card on top of a suit's foundation."""
    up = state.foundations[suit]
    return Card((state.base + up - 2) % state.rules.ranks + 1, suit) if up else None


# Reading a position.


def read(rules: Rules, layout: Layout, faults: Faults) -> State:
    """Read a position in which every card is known."""
    base, foundations, piles, down, stock = _Reader(rules, faults).table(layout)
    known = tuple(tuple(card for card in pile if card is not None) for pile in piles)
    return State(rules, known, down, tuple(card for card in stock if card is not None), base, foundations)


def read_view(rules: Rules, layout: Layout, faults: Faults) -> View:
    """Read what a player sees: face-down cards may be `##` and the stock a number. Faces that are told are hidden."""
    base, foundations, piles, down, stock = _Reader(rules, faults, takes_unseen=True).table(layout)
    seen = tuple((None,) * count + pile[count:] for pile, count in zip(piles, down, strict=True))
    return View(rules, seen, len(stock), base, foundations)


def _line(layout: Layout, label: str, faults: Faults) -> Line | None:
    if label not in layout.labelled:
        faults.add(f"the line '{label.capitalize()}:' is missing")
    return layout.labelled.get(label)


_Cards = tuple[Card | None, ...]


class _Reader:
    """The parts of a position, with all cards that are met on the way."""

    def __init__(self, rules: Rules, faults: Faults, takes_unseen: bool = False) -> None:
        self.rules = rules
        self.faults = faults
        self.seen = Seen(faults)
        self.takes_unseen = takes_unseen
        """Whether cards may be there whose faces are not told."""
        self.unseen = 0
        """How many they are."""

    def table(self, layout: Layout) -> tuple[int, Foundations, tuple[_Cards, ...], tuple[int, ...], _Cards]:
        """Base, foundations, piles, face-down cards of each, and stock; None is a card that is not told."""
        base = self.base(_line(layout, "base", self.faults))
        up = self.foundations(_line(layout, "foundations", self.faults), base)
        piles, down = self.piles(layout.rows)
        stock = self.stock(_line(layout, "stock", self.faults))
        self.check_cards(up, base)
        clubs, diamonds, hearts, spades = (up.get(suit) or 0 for suit in Suit)
        return base or 1, (clubs, diamonds, hearts, spades), piles, down, stock

    def base(self, line: Line | None) -> int | None:
        """The base rank; None if it cannot be told."""
        if line is None:
            return None
        words = " ".join(token.text for token in line.tokens)
        rank = RANKS.find("T" if words == "10" else words.upper()) + 1 if len(words) == 1 or words == "10" else 0
        if 1 <= rank <= self.rules.ranks:
            return rank
        expected = " ".join(RANKS[: self.rules.ranks])
        self.faults.add(f"{quote(words)} is not a base; expected one rank: {expected}", line.place)
        return None

    def foundations(self, line: Line | None, base: int | None) -> Mapping[Suit, int]:
        """How many cards are up, for every suit for which it can be told."""
        if line is None:
            return {}
        if len(line.tokens) != 4:
            self.faults.add(
                f"the foundations have {len(line.tokens)} entries; expected 4: "
                f"the top cards in the order C D S H, '{_EMPTY}' for none",
                line.place,
            )
            return {}
        up: dict[Suit, int] = {}
        for suit, token in zip(SUIT_ORDER, line.tokens, strict=True):
            if token.text == _EMPTY:
                up[suit] = 0
                continue
            for card, place in self._cards([token]):
                if card.suit is not suit:
                    self.faults.add(
                        f"'{card}' stands in the place of {suit.word}; the order is C D S H, '{_EMPTY}' for none", place
                    )
                elif base is not None:
                    up[suit] = self.rules.heights(base)[card] + 1
        if len(up) == 4 and not any(up.values()):
            self.faults.add("no card is up, but the base card goes to its foundation at once", line.place)
        return up

    def piles(self, rows: Sequence[Line]) -> tuple[tuple[_Cards, ...], tuple[int, ...]]:
        """The piles and how many of their cards lie face down."""
        count = self.rules.piles
        lines, others = read_pile_lines(rows, count, self.faults)
        for line in others:
            self._pile(0, line)  # a pile in the wrong place, but its cards are not missing
        read = [self._pile(number, lines[number]) if number in lines else ((), 0) for number in range(1, count + 1)]
        return tuple(pile for pile, _ in read), tuple(down for _, down in read)

    def _pile(self, number: int, line: Line) -> tuple[_Cards, int]:
        if not self._holds_cards(line, f"pile {number}"):
            return (), 0
        down: list[Token] = []
        tokens: list[Token] = []
        opened: Token | None = None
        brackets = 0
        for token in split_brackets(line.tokens):
            if token.text == "[":
                if opened is not None or brackets or tokens:
                    self.faults.add("'[': the face-down cards of a pile lie together at its bottom", token.place)
                opened, brackets = token, brackets + 1
            elif token.text == "]":
                if opened is None:
                    self.faults.add("']' closes nothing", token.place)
                elif not down:
                    self.faults.add("the brackets are empty", opened.place)
                opened = None
            else:
                (tokens if opened is None else down).append(token)
        if opened is not None:
            self.faults.add("'[' is never closed", opened.place)
        if brackets and self.rules.face_up:
            self.faults.add("brackets: no card lies face down in these rules", line.place)
        below = self._new_cards(down, line)
        above = tuple(card for card in self._new_cards(tokens, line) if card is not None)
        if number and down and not tokens:
            self.faults.add(f"pile {number} has only face-down cards: its top card is face up", line.place)
        count = max(len(down), len(below))
        if number and count > number - 1:
            self.faults.add(
                f"pile {number} has {count} face-down card{'s' * (count > 1)}; it is dealt with {number - 1}",
                line.place,
            )
        return below + above, len(below)

    def stock(self, line: Line | None) -> _Cards:
        """The stock from its next card on."""
        if line is None or not self._holds_cards(line, "the stock"):
            return ()
        size = line.tokens[0].text if len(line.tokens) == 1 else ""
        number = read_whole(size, 999)
        if number is not None:
            cards = self._untold(number, f"'Stock: {size}' tells no cards", line.place)
            count = number
        else:
            cards = self._new_cards(line.tokens, line)
            count = max(len(line.tokens), len(cards))  # a wrong word counts, and so do cards without a blank between
        if count not in self.rules.stock_sizes:
            sizes = ", ".join(map(str, self.rules.stock_sizes))
            self.faults.add(f"the stock has {count} card{'s' * (count != 1)}; it can have {sizes}", line.place)
        return cards

    def _untold(self, count: int, what: str, place: Place) -> _Cards:
        """Cards whose faces nobody sees, where that is enough."""
        self.unseen += count
        if count and not self.takes_unseen:
            self.faults.add(f"{what}; expected every card (only hidden play does without, as in `advise`)", place)
        return (None,) * count

    def check_cards(self, up: Mapping[Suit, int], base: int | None) -> None:
        """Each card of the pack lies in one place: on the table or, below a top card, on a foundation."""
        if base is None:
            return
        height = self.rules.heights(base)
        missing = []
        for card in self.rules.pack:
            if card.suit not in up:
                continue
            place = self.seen.places.get(card)
            is_up = height[card] < up[card.suit]
            if is_up and place is not None:
                self.faults.add(f"'{card}' is on the table, but the foundation of {card.suit.word} holds it too", place)
            elif not is_up and place is None:
                missing.append(card)
        if self.unseen and len(missing) != self.unseen:
            self.faults.add(
                f"{self.unseen} cards are unseen, but {len(missing)} are neither on the table nor on a foundation"
                + (f": {format_cards(missing)}" if len(missing) < self.unseen else "")
            )
        elif missing and not self.unseen:
            verb = "is" if len(missing) == 1 else "are"
            self.faults.add(f"{format_cards(missing)} {verb} nowhere, neither on the table nor on a foundation")

    def _holds_cards(self, line: Line, what: str) -> bool:
        if not line.tokens:
            self.faults.add(f"{what} has no cards; '{_EMPTY}' says that it is empty", line.place)
        return bool(line.tokens) and [token.text for token in line.tokens] != [_EMPTY]

    def _cards(self, tokens: Sequence[Token]) -> Iterator[tuple[Card, Place]]:
        """The cards of these words that the pack has."""
        for card, place in read_cards(tokens, self.faults):
            if card.rank <= self.rules.ranks:
                yield card, place
            else:
                self.faults.add(f"'{card}' does not belong to this pack", place)

    def _new_cards(self, tokens: Sequence[Token], line: Line) -> _Cards:
        """The cards of these words, each of them on the table for the first time."""
        told = [token for token in tokens if not is_unseen(token)]
        cards = tuple(card for card, place in self._cards(told) if self.seen.is_new(card, place))
        untold = sum(len(token.text) // len(UNSEEN) for token in tokens if is_unseen(token))
        return self._untold(untold, f"'{UNSEEN}' tells no card", line.place) + cards


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
