"""Aces Up as text: discards and an unknown stock, move tokens, and lines of play with their discards written out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from unshuffle.cards import PACK, Card, format_cards
from unshuffle.errors import IllegalMoveError, ParseError, Place, quote
from unshuffle.games.aces_up.moves import Deal, Discard, FromReserve, Move, ToReserve, ToSpace
from unshuffle.games.aces_up.rules import State, beaten, sort_discards
from unshuffle.layout import Line
from unshuffle.places import Area, Board, Pile
from unshuffle.places.reading import Reader
from unshuffle.places.text import EMPTY, Writer, join

UNKNOWN = "?"
"""A stock of which nobody sees more than that it is there."""


class DiscardsWriter(Writer):
    """Writes a stock that nobody sees without its size: the discards tell which cards it holds."""

    empty = ""

    def area(self, area: Area) -> list[str]:
        """The lines of an area; discards where there are any, or where they tell the stock."""
        is_needless = area.kind == "discards" and not self.board.is_seen and not any(self.board.piles[area.name])
        return [] if is_needless else super().area(area)

    def labelled(self, area: Area, piles: Sequence[Pile]) -> str:
        """The stock, the cell or the discards."""
        if area.kind == "stock" and self.board.is_seen and piles[0]:
            return UNKNOWN
        return join(piles[0]) or EMPTY


class DiscardsReader(Reader):
    """Reads a table in which cards that lie nowhere are discarded, and notes what no deal leads to."""

    is_stock_unknown = False

    def board(self) -> Board:
        """Read the whole table. An unknown stock holds the cards that lie nowhere else."""
        board = super().board()
        if not self.is_stock_unknown:
            return board
        stock: Pile = (None,) * (len(PACK) - len(self.seen.places))
        return replace(board, piles={**board.piles, "stock": (stock,)}, down={"stock": (len(stock),)}, is_seen=True)

    def read_rest(self) -> None:
        """Lines without a label are faults, but their cards are not missing."""
        for line in self.layout.rows:
            what = quote(line.tokens[0].text if line.label is None else f"{line.label}:")
            self.faults.add(f"{what}: expected a label, such as 'Pile 3:'", line.place)
            self.faces_of(line, "no place")

    def labelled(self, area: Area, line: Line | None) -> tuple[Pile, ...]:
        """The stock, the cell or the discards."""
        if area.kind == "cell":
            return self.cell(area, line)
        return (self.discards(line),) if area.kind == "discards" else super().labelled(area, line)

    def cell(self, area: Area, line: Line | None) -> tuple[Pile, ...]:
        """The card in the cell."""
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
        """The stock from its next card on; nothing where it is unknown."""
        cards: Pile = ()
        if line is None:
            self.faults.add(f"the line 'Stock:' is missing: the next card first, '{EMPTY}' for none")
        elif [token.text for token in line.tokens] == [UNKNOWN]:
            self.is_stock_unknown = True
        elif not self.is_empty(line, "the stock"):
            cards = self.faces(line.tokens, "the stock")
            # A wrong word counts, and so do cards without a blank between.
            self.check_stock(area, max(len(line.tokens), len(cards)), line.place)
        self.down[area.name] = (len(cards),)
        return cards

    def check_stock(self, area: Area, size: int, place: Place) -> None:
        """The stock has a size that deals can leave."""
        rules = self.places.rules
        if size not in rules.stock_sizes:
            first, *later = rules.stock_sizes
            sizes = (
                f"{first}, or at most {later[0]}" if rules.deal == "spaces" else ", ".join(map(str, (first, *later)))
            )
            self.faults.add(f"the stock has {size} card{'s' * (size != 1)}; deals leave {sizes}", place)

    def discards(self, line: Line | None) -> Pile:
        """The discards; where they are not told, all cards that are nowhere else."""
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
        """The size of an unknown stock; and where discards are forced, no top card is beaten."""
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
        """No top card is beaten."""
        owners = {pile[-1]: number for number, pile in enumerate(piles, 1) if pile}
        for number, by in beaten(piles):
            card = piles[number - 1][-1]
            self.faults.add(f"{card} on pile {number} is beaten by {by} on pile {owners[by]}", self.seen.places[card])


# Moves.

_MOVE = re.compile(r"(?P<deal>d)|(?P<discard>[0-9]{1,3})x|(?P<source>[0-9]{1,3}|r)-(?P<target>[0-9]{1,3}|r)")
_EXPECTED_MOVE = (
    "expected d (deal), 3-1 (top card of pile 3 to space 1), 2x (discard from pile 2), "
    "2-r (top card of pile 2 to the cell) or r-1 (from the cell to space 1)"
)


@lru_cache(maxsize=4096)  # There are few moves, and the lines of mass runs name each of them often.
def parse_token(token: str) -> Move:
    """Read a move; capitals do not matter."""
    match = _MOVE.fullmatch(token.strip().lower())
    if match is None or match["source"] == match["target"] == "r":
        raise ParseError(f"{quote(token)} is not a move; {_EXPECTED_MOVE}")
    if match["deal"]:
        return Deal()
    if match["discard"]:
        return Discard(int(match["discard"]))
    if match["source"] == "r":
        return FromReserve(int(match["target"]))
    if match["target"] == "r":
        return ToReserve(int(match["source"]))
    return ToSpace(int(match["source"]), int(match["target"]))


# Lines of play.


def read_log(tokens: Sequence[str], state: State) -> Iterator[Move | None]:
    """A line of play with its forced discards written out behind each move, in any order: None for each of these.

    Exactly what goes must be written: IllegalMoveError for a discard that is missing, or that is none.
    """
    rules = replace(state.rules, discards="optional")
    told = replace(state, rules=rules)
    """The table as far as the line tells it."""
    for token in tokens:
        move = parse_token(token)
        if isinstance(move, Discard):
            told = told.play(move)
            yield None
            continue
        _check_told(told, token)
        after = state.play(move)
        told = State(rules, *state.before_discards(move), state.discarded)
        state = after
        yield move
    _check_told(told, tokens[-1])


def _check_told(told: State, token: str) -> None:
    """No discard is missing when the next move is made."""
    for number, by in beaten(told.piles):
        card = told.piles[number - 1][-1]
        reason = f"{card} goes first ({by}), but '{number}x' is not written"
        raise IllegalMoveError(token, " / ".join(str(told).splitlines()), reason)
