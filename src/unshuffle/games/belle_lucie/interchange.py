"""La Belle Lucie as other programs write it: fans as piles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from unshuffle.cards import PACK, Card
from unshuffle.errors import Faults, Place
from unshuffle.games.belle_lucie.places import FanReader, places, state_of
from unshuffle.games.belle_lucie.rules import Rules, State, lay_out
from unshuffle.interchange import FC_SOLVE, SOLVITAIRE, Form, fc_solve, solvitaire
from unshuffle.layout import Layout, Line, Token, read_cards


def _read_as(layout_of: Callable[[str, Faults], Layout], rules: Rules, text: str, faults: Faults) -> State:
    """Return a table of fans under the given rules, for the text has none."""
    return state_of(FanReader(places(rules), layout_of(text, faults), faults).board())


def _read_solvitaire(text: str, faults: Faults) -> Layout:
    lists = solvitaire.read(text, (solvitaire.PILES,), (solvitaire.FOUNDATIONS,), faults)
    piles = lists[solvitaire.PILES]
    rows = tuple(line if line.tokens else replace(line, tokens=(Token("-", line.place),)) for line in piles)
    up = next((line for line in lists.get(solvitaire.FOUNDATIONS, ()) if line.tokens), None)
    return Layout({} if up is None else {"foundations": _tops(up, faults)}, rows)


def _tops(line: Line, faults: Faults) -> Line:
    """Return the line with only the top card of each foundation; there every card that is up is listed."""
    places: dict[Card, Place] = {}
    for card, place in read_cards(line.tokens, faults):
        if places.setdefault(card, place) is not place:
            faults.add(f"'{card}' is up twice (first at {places[card]})", place)
        # The cards must be in the order in which they went up.
        if card.next_down is not None and card.next_down not in places:
            faults.add(f"'{card}' is up, but {card.next_down} is not under it", place)
    tops = tuple(Token(str(card), place) for card, place in places.items() if card.next_up not in places)
    return replace(line, tokens=tops)


def why_not(state: State) -> str:
    """Return the rule that both of the other programs lack; "" if they have all."""
    rules = state.rules
    if rules.redeals:
        return "it has no redeals; --variant one-deal, or --rule redeals=0, asks about one deal alone"
    if rules.merci != "none":
        return "it has no merci"
    if rules.build_up:
        return "there fans are built down only"
    return "there a fan may hold any number of cards" if rules.max_cards else ""


def _fans(state: State) -> list[tuple[Card, ...]]:
    fans = list(state.fans)
    if not state.rules.kings_to_spaces:
        # Here an emptied fan leaves the table; there the number of piles belongs to the rules.
        fans += [()] * (len(lay_out(state.rules, PACK).fans) - len(fans))
    return fans


def _write_solvitaire(state: State) -> str:
    up = [card for card in PACK if card.rank <= state.foundations[card.suit]]
    return solvitaire.write({solvitaire.PILES: _fans(state)} | ({solvitaire.FOUNDATIONS: up} if up else {}))


def _write_fc_solve(state: State) -> str:
    return fc_solve.write(_fans(state), state.foundations)


FORMS = {
    SOLVITAIRE: Form(partial(_read_as, _read_solvitaire), why_not, _write_solvitaire),
    FC_SOLVE: Form(partial(_read_as, fc_solve.read), why_not, _write_fc_solve),
}
