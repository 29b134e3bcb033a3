"""Agnes Sorel's adviser for `unshuffle advise`. Its tables are views: a move names the cards that it turns up."""

from __future__ import annotations

from typing import Any

from unshuffle.advise.seen import SeenAdviser, ToldCards
from unshuffle.games.agnes import Agnes, View
from unshuffle.games.agnes.advise.table import TypedPiles


class ToldRows(ToldCards):
    """Entry of the cards that a move turns up; a deal brings one for every pile."""

    dealt_where = "from pile 1 on"


class AgnesAdviser(SeenAdviser):
    """The adviser: piles are typed one by one, and playouts with sampled unseen cards value every move."""

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
        """Return the number of cards up in each suit."""
        return list(state.foundations)
