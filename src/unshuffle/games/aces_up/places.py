"""Aces Up: the places of cards, and the layout text of discards and of an unknown stock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from unshuffle.cards import PACK, Card, format_cards
from unshuffle.errors import Place, quote
from unshuffle.games.aces_up.moves import Deal, Discard, FromReserve, Move, ToReserve, ToSpace
from unshuffle.games.aces_up.rules import Rules, State, beaten, sort_discards
from unshuffle.games.aces_up.view import View
from unshuffle.layout import Line
from unshuffle.places import Area, Board, Pile, Places, Where
from unshuffle.places.gestures import Gesture
from unshuffle.places.reading import Reader
from unshuffle.places.text import EMPTY, Writer, join

UNKNOWN = "?"
"""The text of a stock whose cards are not known."""


@cache
def places(rules: Rules) -> Places:
    """Return the places: stock, cell and discards above the piles."""
    return Places(
        rules=rules,
        areas=(
            Area(name="stock", kind="stock", deals=rules.piles if rules.deal == "row" else 0),
            Area(name="reserve", kind="cell", count=rules.reserve),
            Area(name="discards", kind="discards"),
            Area(name="piles", kind="pile", count=rules.piles, form="each"),
        ),
        written=("piles", "reserve", "stock", "discards"),
        reach=1,
        top="Stock and discards",
    )


def board(table: State | View) -> Board:
    """Return the board of a table: the piles, the stock, the cell and the discards."""
    stock = (None,) * table.stock if isinstance(table, View) else table.stock
    cells = ((),) * table.rules.reserve if table.reserve is None else ((table.reserve,),)
    return Board(
        places(table.rules),
        {"stock": (stock,), "reserve": cells, "discards": (table.discarded,), "piles": table.piles},
        down={"stock": (len(stock),)},
        is_seen=isinstance(table, View),
    )


def state_of(board: Board) -> State:
    """Return the state of a board."""
    (stock,), (discards,) = board.told("stock"), board.told("discards")
    cell = next(iter(board.told("reserve")), ())
    return State(board.places.rules, board.told("piles"), stock, cell[0] if cell else None, discards)


def gesture(table: State | View, move: Move) -> Gesture:
    """Return the move's own card; discards may go with it, so the boards alone do not tell which card moved."""
    match move:
        case Deal():
            return Gesture(Where("stock", 0))
        case FromReserve(target):
            return Gesture(Where("reserve", 0), 0, 1, Where("piles", target - 1))
        case ToReserve(pile):
            source, onto = pile - 1, Where("reserve", 0)
        case ToSpace(pile, target):
            source, onto = pile - 1, Where("piles", target - 1)
        case Discard(pile):
            source, onto = pile - 1, Where("discards", 0)
    return Gesture(Where("piles", source), len(table.piles[source]) - 1, 1, onto)


# Layout text.


class DiscardsWriter(Writer):
    """A writer of tables that leaves out the size of an unseen stock: the discards tell which cards it holds."""

    empty = ""

    def area(self, area: Area) -> list[str]:
        """Return the lines of an area; discards if there are any, or if the stock follows from them."""
        is_needless = area.kind == "discards" and not self.board.is_seen and not any(self.board.piles[area.name])
        return [] if is_needless else super().area(area)

    def labelled(self, area: Area, piles: Sequence[Pile]) -> str:
        """Return the text of the stock, the cell or the discards."""
        if area.kind == "stock" and self.board.is_seen and piles[0]:
            return UNKNOWN
        return join(piles[0]) or EMPTY


class DiscardsReader(Reader):
    """A reader of tables: cards that lie nowhere are discarded, and what no deal leads to is a fault."""

    is_stock_unknown = False

    def board(self) -> Board:
        """Read the whole table. An unknown stock holds the cards that lie nowhere else."""
        board = super().board()
        if not self.is_stock_unknown:
            return board
        stock: Pile = (None,) * (len(PACK) - len(self.seen.places))
        return replace(board, piles={**board.piles, "stock": (stock,)}, down={"stock": (len(stock),)}, is_seen=True)

    def read_rest(self) -> None:
        """Note a fault for each line without a label; its cards do not count as missing."""
        for line in self.layout.rows:
            what = quote(line.tokens[0].text if line.label is None else f"{line.label}:")
            self.faults.add(f"{what}: expected a label, such as 'Pile 3:'", line.place)
            self.faces_of(line, "no place")

    def labelled(self, area: Area, line: Line | None) -> tuple[Pile, ...]:
        """Return the stock, the cell or the discards."""
        if area.kind == "cell":
            return self.cell(area, line)
        return (self.discards(line),) if area.kind == "discards" else super().labelled(area, line)

    def cell(self, area: Area, line: Line | None) -> tuple[Pile, ...]:
        """Return the card in the cell."""
        cards = self.faces_of(line, "the cell")
        if not area.count:
            if line is not None:
                self.faults.add("'Reserve:': there is no cell in these rules", line.place)
            return ()
        if line is None:
            self.faults.add(f"the line 'Reserve:' is missing: the card in the cell, '{EMPTY}' for none")
        elif len(cards) > 1:
            self.faults.add(f"the cell holds one card, not {len(cards)}", line.place)
        return (cards[:1],)

    def stock(self, area: Area, line: Line | None) -> Pile:
        """Return the stock from its next card on; nothing if it is unknown."""
        cards: Pile = ()
        if line is None:
            self.faults.add(f"the line 'Stock:' is missing: the next card first, '{EMPTY}' for none")
        elif [token.text for token in line.tokens] == [UNKNOWN]:
            self.is_stock_unknown = True
        elif not self.is_empty(line, "the stock"):
            cards = self.faces(line.tokens, "the stock")
            # Wrong words count, and so do cards without a blank between them.
            self.check_stock(area, max(len(line.tokens), len(cards)), line.place)
        self.down[area.name] = (len(cards),)
        return cards

    def check_stock(self, area: Area, size: int, place: Place) -> None:
        """Note a size that no deal leaves."""
        rules = self.places.rules
        if size not in rules.stock_sizes:
            first, *later = rules.stock_sizes
            sizes = (
                f"{first}, or at most {later[0]}" if rules.deal == "spaces" else ", ".join(map(str, (first, *later)))
            )
            self.faults.add(f"the stock has {size} card{'s' * (size != 1)}; deals leave {sizes}", place)

    def discards(self, line: Line | None) -> Pile:
        """Return the discards; if they are not given, all cards that are nowhere else."""
        told = self.faces_of(line, "the discards")
        rest = [card for card in PACK if card not in self.seen.places]
        if line is None:
            if self.is_stock_unknown:
                what = f"with 'Stock: {UNKNOWN}' it tells which cards are gone, '{EMPTY}' if none"
                self.faults.add(f"the line 'Discards:' is missing: {what}")
            return sort_discards(rest)
        if rest and not self.is_stock_unknown:
            verb = "is" if len(rest) == 1 else "are"
            self.faults.add(f"{format_cards(rest)} {verb} nowhere, neither on the table nor among the discards")
        return sort_discards(told)

    def check(self, piles: Mapping[str, tuple[Pile, ...]]) -> None:
        """Check the size of an unknown stock and, where discards are forced, that no top card is beaten."""
        lines = self.layout.labelled
        if self.is_stock_unknown and "discards" in lines and not self.faults:
            self.check_stock(self.places["stock"], len(PACK) - len(self.seen.places), lines["stock"].place)
        if self.places.rules.discards == "forced":
            self.check_tops([tuple(card for card in pile if card is not None) for pile in piles["piles"]])
        if self.is_stock_unknown and not self.is_seen_enough:
            expected = (
                "expected every card, the next one first (only hidden play does without, as in `unshuffle advise`)"
            )
            self.faults.add(f"'Stock: {UNKNOWN}' tells no cards; {expected}", lines["stock"].place)

    def check_tops(self, piles: Sequence[tuple[Card, ...]]) -> None:
        """Note a fault for each top card that is beaten."""
        owners = {pile[-1]: number for number, pile in enumerate(piles, 1) if pile}
        for number, by in beaten(piles):
            card = piles[number - 1][-1]
            self.faults.add(f"{card} on pile {number} is beaten by {by} on pile {owners[by]}", self.seen.places[card])
