"""Deals as other programs write them: which forms there are, and how each is known.

The forms are read and written here; what they mean on a table is each game's business (`Game.foreign`, in the
game's own `interchange.py`). docs/interchange.md says which game exists where.
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
    """What a form means on the tables of a game."""

    read: Callable[[Any, str, Faults], Any]
    """The table of a text, by the rules that are asked for."""
    why_not: Callable[[Any], str]
    """What of a table cannot be said; "" if all can."""
    write: Callable[[Any], str]
    """The text of a table."""


# A foundation with its suit first and a dash, a line of free cells, or a colon before a pile: no text of ours has them.
_BOARD = re.compile(
    r"^[^\S\n]*(?::|(?:FC|Freecells):|Found(?:ation)?s?:[^\S\n]*[CDHS]-(?:10|[0-9ATJQK])\b)",
    re.MULTILINE | re.IGNORECASE,
)

# The first thing that is neither blank nor a comment is a pair in brackets; whether it is a card is looked at later.
# (Each `+` behind a `*` says: tried in one way only, however long the text.)
_PAIRS = re.compile(r"(?:\s|#[^\n\r]*+)*+\([^()\n\r]*,")


def find_form(text: str) -> str | None:
    """The form in which another program wrote this text; None for a text in ours."""
    if text.lstrip().startswith("{"):
        return SOLVITAIRE
    if _PAIRS.match(text):
        return QUAGNES
    return FC_SOLVE if _BOARD.search(text) else None


def check_form(form: str) -> None:
    """Refuse a form that there is not."""
    if form not in FORMS:
        raise unknown("form of a deal", form, FORMS)
