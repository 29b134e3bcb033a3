"""Gaps as Solvitaire writes it: four sequences from the left."""

from __future__ import annotations

from dataclasses import replace

from unshuffle.errors import Faults, quote
from unshuffle.games.gaps.places import CellReader, places, state_of
from unshuffle.games.gaps.rules import Rules, State, rows_of
from unshuffle.interchange import SOLVITAIRE, Form, solvitaire
from unshuffle.layout import Layout, Line, Token

_GAP = "--"


def read(rules: Rules, text: str, faults: Faults) -> State:
    """Return the board of a file, under the given rules, for the file has none."""
    lists = solvitaire.read(text, (solvitaire.SEQUENCES,), (), faults)
    layout = Layout({}, tuple(map(_row, lists[solvitaire.SEQUENCES])))
    return state_of(CellReader(places(rules), layout, faults).board())


def _row(line: Line) -> Line:
    return replace(line, tokens=tuple(Token(token.text or _GAP, token.place) for token in line.tokens))


def why_not(state: State) -> str:
    """Return the rule that Solvitaire does not have; "" if it has all."""
    rules = state.rules
    if rules.redeals:
        return "it has no redeals; --variant one-deal, or --rule redeals=0, asks about one deal alone"
    if rules.fixed_suits:
        suits = quote(rules.fixed_suits)
        return "" if rules.fixed_suits == "CHSD" else f"there the suits of the rows are CHSD, and not {suits}"
    return "there a 2 may leave column 1 again; --variant one-deal has the same rule" if rules.twos_locked else ""


def write(state: State) -> str:
    """Return the board as a deal file."""
    return solvitaire.write({solvitaire.SEQUENCES: rows_of(state.cells)})


FORMS = {SOLVITAIRE: Form(read, why_not, write)}
