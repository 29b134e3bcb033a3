"""Aces Up as text: piles, cell, stock and discards, move tokens, and lines of play with their discards written out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from unshuffle.cards import PACK, Card, format_cards
from unshuffle.errors import Faults, IllegalMoveError, ParseError, Place, quote
from unshuffle.games.aces_up.moves import Deal, Discard, FromReserve, Move, ToReserve, ToSpace
from unshuffle.games.aces_up.rules import Pile, Rules, State, beaten, sort_discards
from unshuffle.games.aces_up.view import View
from unshuffle.layout import Layout, Line, Seen, read_cards

LABELS = ("pile n", "reserve", "stock", "discards")
EMPTY = "-"
UNKNOWN = "?"
"""A stock of which nobody sees more than that it is there."""


def format_state(state: State) -> str:
    """The piles from their bottom, the cell if there is one, the stock from its next card, and the discards, if any."""
    discards = [f"Discards: {format_cards(state.discarded)}"] * bool(state.discarded)
    return _format(state, format_cards(state.stock) or EMPTY, discards)


def format_view(view: View) -> str:
    """The same, with the stock unknown; which cards it holds is told by the discards, which are always there."""
    return _format(view, UNKNOWN if view.stock else EMPTY, [f"Discards: {format_cards(view.discarded) or EMPTY}"])


def _format(table: State | View, stock: str, discards: list[str]) -> str:
    lines = [f"Pile {number}: {format_cards(pile)}".rstrip() for number, pile in enumerate(table.piles, 1)]
    if table.rules.reserve:
        lines.append(f"Reserve: {table.reserve or EMPTY}")
    return "\n".join([*lines, f"Stock: {stock}", *discards]) + "\n"


# Reading a position.


def read(rules: Rules, layout: Layout, faults: Faults) -> State:
    """Read a position in which every card is known."""
    reader = _Reader(rules, faults)
    piles, reserve, stock, discarded = reader.table(layout)
    if stock is None:
        faults.add(
            f"'Stock: {UNKNOWN}' tells no cards; expected every card, the next one first "
            "(only hidden play does without, as in `unshuffle advise`)",
            layout.labelled["stock"].place,
        )
    return State(rules, piles, stock or (), reserve, discarded)


def read_seen(rules: Rules, layout: Layout, faults: Faults) -> State | View:
    """Read what a player sees: with an unknown stock it is a view."""
    piles, reserve, stock, discarded = _Reader(rules, faults).table(layout)
    if stock is not None:
        return State(rules, piles, stock, reserve, discarded)
    seen = len({reserve, *discarded, *(card for pile in piles for card in pile)} - {None})
    return View(rules, piles, len(PACK) - seen, reserve, discarded)


class _Reader:
    """The parts of a position, with all cards that are met on the way."""

    def __init__(self, rules: Rules, faults: Faults) -> None:
        self.rules = rules
        self.faults = faults
        self.seen = Seen(faults)

    def table(self, layout: Layout) -> tuple[tuple[Pile, ...], Card | None, Pile | None, Pile]:
        """Piles, cell, stock (None: unknown) and discards."""
        lines = layout.labelled
        for line in layout.rows:
            what = quote(line.tokens[0].text if line.label is None else f"{line.label}:")
            self.faults.add(f"{what}: expected a label, such as 'Pile 3:'", line.place)
            self._cards(line)  # cards in the wrong place, but not missing
        piles = self.piles({label: line for label, line in lines.items() if label.startswith("pile ")})
        reserve = self.reserve(lines.get("reserve"))
        stock = self.stock(lines.get("stock"))
        discarded = self.discards(lines.get("discards"), stock is None)
        if stock is None and "discards" in lines and not self.faults:
            self.check_stock_size(len(PACK) - len(self.seen.places), lines["stock"].place)
        if self.rules.discards == "forced":
            self.check_tops(piles)
        return piles, reserve, stock, discarded

    def piles(self, lines: dict[str, Line]) -> tuple[Pile, ...]:
        """The piles from 1 on."""
        numbers = range(1, self.rules.piles + 1)
        for label, line in lines.items():
            if label not in [f"pile {number}" for number in numbers]:
                self.faults.add(f"there is no {label}: the piles are 1..{self.rules.piles}", line.place)
                self._cards(line)
        missing = [f"'Pile {number}:'" for number in numbers if f"pile {number}" not in lines]
        if missing:
            what = f"lines {', '.join(missing)} are" if len(missing) > 1 else f"line {missing[0]} is"
            self.faults.add(f"the {what} missing: every pile has one, with nothing behind it if it is a space")
        return tuple(self._cards(lines.get(f"pile {number}")) for number in numbers)

    def reserve(self, line: Line | None) -> Card | None:
        """The card in the cell."""
        cards = self._cards(line)
        if self.rules.reserve:
            if line is None:
                self.faults.add(f"the line 'Reserve:' is missing: the card in the cell, '{EMPTY}' for none")
            elif len(cards) > 1:
                self.faults.add(f"the cell holds one card, not {len(cards)}", line.place)
        elif line is not None:
            self.faults.add("'Reserve:': there is no cell in these rules", line.place)
        return cards[0] if cards else None

    def stock(self, line: Line | None) -> Pile | None:
        """The stock from its next card on; None if it is unknown."""
        if line is None:
            self.faults.add(f"the line 'Stock:' is missing: the next card first, '{EMPTY}' for none")
            return ()
        if [token.text for token in line.tokens] == [UNKNOWN]:
            return None
        cards = self._cards(line)
        # A wrong word counts, and so do cards without a blank between.
        size = 0 if _is_empty(line) else max(len(line.tokens), len(cards))
        self.check_stock_size(size, line.place)
        return cards

    def check_stock_size(self, size: int, place: Place) -> None:
        """The stock has a size that deals can leave."""
        if size in self.rules.stock_sizes:
            return
        first, *later = self.rules.stock_sizes
        if self.rules.deal == "spaces":
            sizes = f"{first}, or at most {later[0]}"
        else:
            sizes = ", ".join(map(str, self.rules.stock_sizes))
        self.faults.add(f"the stock has {size} card{'s' * (size != 1)}; deals leave {sizes}", place)

    def discards(self, line: Line | None, is_stock_unknown: bool) -> Pile:
        """The discards; where they are not told, all cards that are nowhere else."""
        told = self._cards(line)
        rest = [card for card in PACK if card not in self.seen.places]
        if line is None:
            if is_stock_unknown:
                self.faults.add(
                    f"the line 'Discards:' is missing: with 'Stock: {UNKNOWN}' it tells which cards are gone, "
                    f"'{EMPTY}' if none"
                )
            return sort_discards(rest)
        if rest and not is_stock_unknown:
            verb = "is" if len(rest) == 1 else "are"
            self.faults.add(f"{format_cards(rest)} {verb} nowhere, neither on the table nor among the discards")
        return sort_discards(told)

    def check_tops(self, piles: Sequence[Pile]) -> None:
        """Where discards are forced, no top card is beaten."""
        owners = {pile[-1]: number for number, pile in enumerate(piles, 1) if pile}
        for number, by in beaten(piles):
            card = piles[number - 1][-1]
            self.faults.add(f"{card} on pile {number} is beaten by {by} on pile {owners[by]}", self.seen.places[card])

    def _cards(self, line: Line | None) -> Pile:
        """The cards of a line, each of them met for the first time."""
        if line is None or _is_empty(line):
            return ()
        return tuple(card for card, place in read_cards(line.tokens, self.faults) if self.seen.is_new(card, place))


def _is_empty(line: Line) -> bool:
    return [token.text for token in line.tokens] in ([], [EMPTY])


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
