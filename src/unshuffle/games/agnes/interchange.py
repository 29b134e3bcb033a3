"""Agnes Sorel as quagnes writes it: a whole deck, a line such as `( 6, 2)` for each card in deal order."""

from __future__ import annotations

import re

from unshuffle.cards import Card
from unshuffle.errors import Faults, Place, quote
from unshuffle.games.agnes.places import SUIT_ORDER
from unshuffle.games.agnes.rules import Pile, Rules, State, lay_out
from unshuffle.interchange import QUAGNES, Form
from unshuffle.layout import Token, read_deck, split_lines

_PAIR = re.compile(r"\(\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\)")
_WORD = re.compile(r"\([^()]*\)?|[^\s,(]+")


def read(rules: Rules, text: str, faults: Faults) -> State:
    """Return the deal of a file, its deck in deal order: ranks 0..12, suits 0..3 for C D S H."""
    tokens = []
    for number, line in enumerate(split_lines(text, faults), 1):
        for word in _WORD.finditer(line.split("#", 1)[0]):
            place = Place(number, word.start() + 1)
            pair = _PAIR.fullmatch(word.group().strip())
            rank, suit = (int(pair[1]), int(pair[2])) if pair else (-1, -1)
            if 0 <= rank < 13 and 0 <= suit < 4:
                tokens.append(Token(str(Card(rank + 1, SUIT_ORDER[suit])), place))
            else:
                faults.add(
                    f"{quote(word.group().strip())} is not a card of a quagnes deck; "
                    "expected (rank, suit) with a rank 0..12 and a suit 0..3",
                    place,
                )
    deck = read_deck(tokens, rules.pack, faults)
    return lay_out(rules, rules.pack if faults else deck)


def why_not(state: State) -> str:
    """Return why a deck file cannot hold this table; "" if it can."""
    rules = state.rules
    if (rules.ranks, rules.piles) != (13, 7):
        return "it deals 52 cards into seven piles"
    if [len(pile) for pile in state.piles] != [*range(1, rules.piles + 1)] or lay_out(rules, _deck(state)) != state:
        return "its files hold whole decks, and here some moves were made"
    return ""


def write(state: State) -> str:
    """Return the deck of a table on which nothing was moved yet."""
    return "".join(f"({card.rank - 1:2d}, {SUIT_ORDER.index(card.suit)})\n" for card in _deck(state))


def _deck(state: State) -> Pile:
    """Return the cards in the order in which this table is dealt: the base card, row by row, the stock."""
    base = next(Card(state.base, suit) for suit in SUIT_ORDER if state.foundations[suit])
    rows = (pile[row] for row in range(len(state.piles)) for pile in state.piles[row:])
    return (base, *rows, *state.stock)


FORMS = {QUAGNES: Form(read, why_not, write)}
