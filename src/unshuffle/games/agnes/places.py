"""Agnes Sorel: the places of cards, and the layout text of the base, with the faults that no deal leads to."""

from __future__ import annotations

from functools import cache

from unshuffle.cards import RANKS, Card, Suit
from unshuffle.errors import Place, quote
from unshuffle.games.agnes.rules import Rules, State
from unshuffle.games.agnes.view import View
from unshuffle.layout import Line, Token
from unshuffle.places import Area, Board, Dress, Mark, Pile, Places, Where
from unshuffle.places.reading import Reader
from unshuffle.places.text import EMPTY, Writer

SUIT_ORDER = (Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES, Suit.HEARTS)
"""The order of the suits in the text and the pictures of this game, and in quagnes."""


@cache
def places(rules: Rules) -> Places:
    """Return the places: stock and foundations above the piles, and the base rank."""
    return Places(
        rules=rules,
        areas=(
            Area(name="stock", kind="stock", deals=rules.piles),
            Area(name="foundations", kind="foundation", count=4, suits=SUIT_ORDER, form="tops"),
            Area(name="piles", kind="pile", count=rules.piles, form="numbered"),
        ),
        written=("base", "foundations", "piles", "stock"),
        marks=(Mark(name="base", values=range(1, rules.ranks + 1), start=1, is_always_written=True),),
        pack=rules.pack,
        reach=rules.ranks,
        top="Stock and foundations",
    )


def board(table: State | View) -> Board:
    """Return the board of a table: the piles, the stock and the foundations."""
    rules = table.rules
    stock = (None,) * table.stock if isinstance(table, View) else table.stock
    foundations = tuple([_up(suit, table.base, table.foundations[suit], rules.ranks) for suit in SUIT_ORDER])
    return Board(
        places(rules),
        {"stock": (stock,), "foundations": foundations, "piles": table.piles},
        {"base": table.base},
        {"stock": (len(stock),), "piles": table.down},
        is_seen=isinstance(table, View),
    )


@cache
def _up(suit: Suit, base: int, count: int, ranks: int) -> Pile:
    return tuple(Card((base - 1 + up) % ranks + 1, suit) for up in range(count))


def state_of(board: Board) -> State:
    """Return the state of a board."""
    (stock,) = board.told("stock")
    clubs, diamonds, spades, hearts = map(len, board.piles["foundations"])
    up = (clubs, diamonds, hearts, spades)
    return State(board.places.rules, board.told("piles"), board.down["piles"], stock, board.marks["base"], up)


def dress(table: State | View) -> Dress:
    """Return hints on what foundations and empty piles take."""
    rules = table.rules
    hints = {Where("foundations", number): Card(table.base, suit).glyph for number, suit in enumerate(SUIT_ORDER)}
    if rules.move_to_empty_pile.startswith("high"):
        high = RANKS[rules.high_rank(table.base) - 1]
        hints |= {Where("piles", number): high for number in range(rules.piles)}
    return Dress(hints=hints)


# Layout text.


class BaseWriter(Writer):
    """A writer of tables that writes the base as a rank."""

    def mark(self, mark: Mark, value: int) -> list[str]:
        """Return the line `Base: Q`."""
        return [f"Base: {RANKS[value - 1]}"]


class BaseReader(Reader):
    """A reader of tables that requires every line and notes what no deal leads to."""

    def line(self, name: str) -> Line | None:
        """Return the line with this label; note a fault if it is missing."""
        if name not in self.layout.labelled:
            self.faults.add(f"the line '{name.capitalize()}:' is missing")
        return super().line(name)

    def mark(self, mark: Mark, line: Line | None) -> int:
        """Return the base rank; 0 if it cannot be read."""
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
        """Return the base rank; None if it could not be read."""
        return self.marks["base"] or None

    def tops(self, area: Area) -> tuple[Pile, ...]:
        """Return the foundations; one of them has the base card from the start on."""
        piles = super().tops(area)
        if not self.unread and not any(piles):
            place = self.layout.labelled[area.name].place
            self.faults.add("no card is up, but the base card goes to its foundation at once", place)
        return piles

    def is_empty(self, line: Line, what: str) -> bool:
        """Return whether the line says that the place has no cards; a line without words is a fault."""
        if not line.tokens:
            self.faults.add(f"{what} has no cards; '{EMPTY}' says that it is empty", line.place)
        return super().is_empty(line, what)

    def split_pile(self, area: Area, line: Line) -> tuple[list[Token], list[Token]]:
        """Return the words of a pile, face down and face up; brackets are a fault if no card may lie face down."""
        words = super().split_pile(area, line)
        if self.places.rules.face_up and any("[" in token.text for token in line.tokens):
            self.faults.add("brackets: no card lies face down in these rules", line.place)
        return words

    def check_pile(self, number: int, down: int, pile: Pile, place: Place) -> None:
        """Note a fault if more cards lie face down than were dealt so."""
        if down > number - 1:
            cards = f"{down} face-down card{'s' * (down > 1)}"
            self.faults.add(f"pile {number} has {cards}; it is dealt with {number - 1}", place)

    def check_stock(self, area: Area, size: int, place: Place) -> None:
        """Note a size that no deal leaves: a deal takes a card for every pile."""
        sizes = self.places.rules.stock_sizes
        if size not in sizes:
            told = ", ".join(map(str, sizes))
            self.faults.add(f"the stock has {size} card{'s' * (size != 1)}; it can have {told}", place)
