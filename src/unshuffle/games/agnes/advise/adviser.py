"""Agnes Sorel's part in the flow of `unshuffle advise`. Its tables are views: a move tells the cards that it shows."""

from __future__ import annotations

from typing import Any

from unshuffle.advise.seen import SeenAdviser, ToldCards
from unshuffle.games.agnes import Agnes, View
from unshuffle.games.agnes.advise.table import TypedPiles


class ToldRows(ToldCards):
    """A card falls on every pile."""

    dealt_where = "from pile 1 on"


class AgnesAdviser(SeenAdviser):
    """Piles are typed one by one; every move is weighed by games with the unseen cards filled in."""

    game: Agnes
    typed_by = TypedPiles
    told_by = ToldRows
    planner = "unshuffle.games.agnes.hidden.planner"
    words = "unshuffle.games.agnes.advise.words"
    kept_name = "foundations"
    moves_help = (
        "2f to its foundation, 3-5 or 3-5x4 onto a pile, d deal; with the cards that they show: 2f=AC, d=JS 9D KD"
    )

    def kept(self, state: View) -> list[Any]:
        """The cards up, suit by suit."""
        return list(state.foundations)
