"""Agnes Sorel: where cards lie."""

from __future__ import annotations

from functools import cache

from unshuffle.cards import RANKS, Card, Suit
from unshuffle.games.agnes.rules import Rules, State
from unshuffle.games.agnes.view import View
from unshuffle.places import Area, Board, Dress, Mark, Pile, Places, Where

SUIT_ORDER = (Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES, Suit.HEARTS)
"""The order of the suits in the text and the pictures of this game, and in quagnes."""


@cache
def places(rules: Rules) -> Places:
    """Stock and foundations above the piles; the base rank."""
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
    """The piles, the stock and the foundations."""
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
    """The state of a board."""
    (stock,) = board.told("stock")
    clubs, diamonds, spades, hearts = map(len, board.piles["foundations"])
    up = (clubs, diamonds, hearts, spades)
    return State(board.places.rules, board.told("piles"), board.down["piles"], stock, board.marks["base"], up)


def dress(table: State | View) -> Dress:
    """What foundations and empty piles take."""
    rules = table.rules
    hints = {Where("foundations", number): Card(table.base, suit).glyph for number, suit in enumerate(SUIT_ORDER)}
    if rules.move_to_empty_pile.startswith("high"):
        high = RANKS[rules.high_rank(table.base) - 1]
        hints |= {Where("piles", number): high for number in range(rules.piles)}
    return Dress(hints=hints)
