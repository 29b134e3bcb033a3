"""La Belle Lucie as other programs write it: fans as piles."""

from __future__ import annotations

from dataclasses import replace

from unshuffle.cards import PACK, Card
from unshuffle.errors import Faults, Place
from unshuffle.games.belle_lucie.places import FanReader, places, state_of
from unshuffle.games.belle_lucie.rules import Rules, State, lay_out
from unshuffle.interchange import FC_SOLVE, fc_solve, solvitaire
from unshuffle.layout import Layout, Line, Token, read_cards


def read(rules: Rules, form: str, text: str, faults: Faults) -> State:
    """A table of fans; the rules are those that are asked for, for the text has none."""
    layout = fc_solve.read(text, faults) if form == FC_SOLVE else _read_solvitaire(text, faults)
    return state_of(FanReader(places(rules), layout, faults).board())


def _read_solvitaire(text: str, faults: Faults) -> Layout:
    lists = solvitaire.read(text, (solvitaire.PILES,), (solvitaire.FOUNDATIONS,), faults)
    piles = lists[solvitaire.PILES]
    rows = tuple(line if line.tokens else replace(line, tokens=(Token("-", line.place),)) for line in piles)
    up = next((line for line in lists.get(solvitaire.FOUNDATIONS, ()) if line.tokens), None)
    return Layout({} if up is None else {"foundations": _tops(up, faults)}, rows)


def _tops(line: Line, faults: Faults) -> Line:
    """The line with the top card of each foundation alone: there every card that is up is listed."""
    places: dict[Card, Place] = {}
    for card, place in read_cards(line.tokens, faults):
        if places.setdefault(card, place) is not place:
            faults.add(f"'{card}' is up twice (first at {places[card]})", place)
        # In the order in which they went up.
        if card.next_down is not None and card.next_down not in places:
            faults.add(f"'{card}' is up, but {card.next_down} is not under it", place)
    tops = tuple(Token(str(card), place) for card, place in places.items() if card.next_up not in places)
    return replace(line, tokens=tops)


def why_not(rules: Rules) -> str:
    """The rule that neither of the other programs has; "" if they have all."""
    if rules.redeals:
        return "it has no redeals; --variant one-deal, or --rule redeals=0, asks about one deal alone"
    if rules.merci != "none":
        return "it has no merci"
    if rules.build_up:
        return "there fans are built down only"
    return "there a fan may hold any number of cards" if rules.max_cards else ""


def write(state: State, form: str) -> str:
    """The table in this form."""
    fans = list(state.fans)
    if not state.rules.kings_to_spaces:
        # An emptied fan is gone with us; there the number of piles belongs to the rules.
        fans += [()] * (len(lay_out(state.rules, PACK).fans) - len(fans))
    if form == FC_SOLVE:
        return fc_solve.write(fans, state.foundations)
    up = [card for card in PACK if card.rank <= state.foundations[card.suit]]
    return solvitaire.write({solvitaire.PILES: fans} | ({solvitaire.FOUNDATIONS: up} if up else {}))
