"""Agnes Sorel's part in the flow of `unshuffle advise`. Its tables are views: a move tells the cards that it shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from unshuffle.advise.seen import SeenAdviser, ToldCards
from unshuffle.games.agnes import Agnes, View
from unshuffle.games.agnes.advise.table import TypedPiles
from unshuffle.hidden.playouts import Plan


class ToldRows(ToldCards):
    """A card falls on every pile."""

    dealt_where = "from pile 1 on"


class AgnesAdviser(SeenAdviser):
    """Piles are typed one by one; every move is weighed by games with the unseen cards filled in."""

    game: Agnes
    typed_by = TypedPiles
    told_by = ToldRows
    kept_name = "foundations"
    moves_help = (
        "2f to its foundation, 3-5 or 3-5x4 onto a pile, d deal; with the cards that they show: 2f=AC, d=JS 9D KD"
    )

    @property
    def rules_in_words(self) -> str:
        """What lies open, what moves together, and where to."""
        from unshuffle.games.agnes.advise.words import rules_in_words

        return rules_in_words(self.game.rules)

    def kept(self, state: View) -> list[Any]:
        """The cards up, suit by suit."""
        return list(state.foundations)

    def plan(self, view: View) -> Plan:
        """Safe cards first, then what wins most."""
        from unshuffle.games.agnes.hidden import planner

        return planner.plan(view, is_stopped=self.is_stopped, **self.effort)

    def claim(self, view: View, plan: Plan) -> Iterable[str]:
        """The options and the best of them."""
        from unshuffle.games.agnes.advise import words

        return words.claim(view, plan)
