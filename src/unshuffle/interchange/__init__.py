"""Deals in the formats of other programs: which forms there are, and how to recognise them.

The forms are read and written here; each game maps them to its tables (`Game.foreign`, in the game's own
`interchange.py`). docs/interchange.md lists the forms of each game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from unshuffle.errors import Faults, unknown

SOLVITAIRE = "solvitaire"
FC_SOLVE = "fc-solve"
QUAGNES = "quagnes"

FORMS: Mapping[str, str] = {SOLVITAIRE: "Solvitaire", FC_SOLVE: "fc-solve and PySolFC", QUAGNES: "quagnes"}
"""Each form with the programs that read it."""


class Form(NamedTuple):
    """How a form maps to the tables of a game."""

    read: Callable[[Any, str, Faults], Any]
    """Returns the table of a text, for the given rules."""
    why_not: Callable[[Any], str]
    """Returns what the form cannot express of a table; "" if nothing."""
    write: Callable[[Any], str]
    """Returns the text of a table."""


# A foundation with its suit first and a dash, a line of free cells, or a colon before a pile: our texts have none.
_BOARD = re.compile(
    r"^[^\S\n]*(?::|(?:FC|Freecells):|Found(?:ation)?s?:[^\S\n]*[CDHS]-(?:10|[0-9ATJQK])\b)",
    re.MULTILINE | re.IGNORECASE,
)

# The first text that is neither blank nor a comment is a pair in brackets; whether it is a card is checked later.
# (The `+` after each `*` makes it possessive: no backtracking, however long the text.)
_PAIRS = re.compile(r"(?:\s|#[^\n\r]*+)*+\([^()\n\r]*,")


def find_form(text: str) -> str | None:
    """Return the form in which another program wrote this text; None for a text in our own format."""
    if text.lstrip().startswith("{"):
        return SOLVITAIRE
    if _PAIRS.match(text):
        return QUAGNES
    return FC_SOLVE if _BOARD.search(text) else None


def check_form(form: str) -> None:
    """Raise UsageError for an unknown form."""
    if form not in FORMS:
        raise unknown("form of a deal", form, FORMS)
