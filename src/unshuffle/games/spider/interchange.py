"""Spider as Solvitaire writes it: ten piles of which only the top card lies face up, and the stock."""

from __future__ import annotations

from itertools import zip_longest

from unshuffle.cards import Card
from unshuffle.errors import Faults
from unshuffle.games.spider.rules import Rules, State, lay_out
from unshuffle.interchange import SOLVITAIRE, Form, solvitaire
from unshuffle.layout import read_deck


def read(rules: Rules, text: str, faults: Faults) -> State:
    """Return a whole deal, for the file has no moves made; so the case of letters (face up or down) is ignored."""
    lists = solvitaire.read(text, (solvitaire.PILES, solvitaire.STOCK), (solvitaire.FOUNDATIONS,), faults)
    piles, stock = lists[solvitaire.PILES], [token for line in lists[solvitaire.STOCK] for token in line.tokens]
    up = sum(len(line.tokens) for line in lists.get(solvitaire.FOUNDATIONS, ()))
    if up:
        faults.add(f"{up} cards are on the foundations; only a whole deal can be read")
    sizes = [down + 1 for down in rules.first_down]
    if len(piles) != len(sizes):
        faults.add(f"there are {len(piles)} piles, expected {len(sizes)}")
    for number, (pile, size) in enumerate(zip(piles, sizes, strict=False), 1):
        if len(pile.tokens) != size:
            faults.add(f"pile {number} has {len(pile.tokens)} cards; it is dealt {size}", pile.place)
    if len(stock) != rules.first_bank:
        faults.add(f"the stock has {len(stock)} cards, expected {rules.first_bank}")
    rows = zip_longest(*(pile.tokens for pile in piles))
    # The last card of the stock is dealt first.
    tokens = [token for row in rows for token in row if token is not None] + stock[::-1]
    deck = read_deck(tokens, rules.pack, faults)
    return lay_out(rules, rules.pack if faults else deck)


def why_not(state: State) -> str:
    """Return what the file cannot express; "" if it can express all."""
    if not state.rules.deal_on_empty:
        return "there a row may be dealt on an empty pile; the variants without '-strict' have the same rule"
    if state != lay_out(state.rules, _deck(state)):
        return "only whole deals are written: the file does not say how many moves were made, which the score counts"
    return ""


def _deck(state: State) -> tuple[Card, ...]:
    rows = zip_longest(*state.piles)
    return tuple(card for row in rows for card in row if card is not None) + state.bank


def write(state: State) -> str:
    """Return the deal as a deal file."""
    piles = [
        [*map(solvitaire.face_down, pile[:down]), *pile[down:]]
        for pile, down in zip(state.piles, state.down, strict=True)
    ]
    return solvitaire.write({solvitaire.PILES: piles, solvitaire.STOCK: state.bank[::-1]})


FORMS = {SOLVITAIRE: Form(read, why_not, write)}
