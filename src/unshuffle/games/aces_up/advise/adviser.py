"""Aces Up's adviser for `unshuffle advise`. Its tables are views: a deal names the cards that it brings."""

from __future__ import annotations

from typing import Any

from unshuffle.advise.seen import SeenAdviser, ToldCards
from unshuffle.advise.words import join
from unshuffle.games.aces_up import AcesUp, Move, Shown, View
from unshuffle.games.aces_up.advise.table import TypedPiles


class ToldDeals(ToldCards):
    """Entry of the cards that a move turns up; only deals do."""

    def dealt_question(self, state: View, count: int) -> str:
        """Return the question for the cards that are dealt, with the piles on which they fall."""
        served = state.served()
        if count == 1:
            return f"The card dealt to pile {served[0]}?"
        is_whole = served == tuple(range(1, count + 1))
        where = "from pile 1 on" if is_whole else f"to piles {join(list(map(str, served)))}"
        return f"The {count} cards dealt, {where}?"


class AcesUpAdviser(SeenAdviser):
    """The adviser: piles are typed one by one, and playouts with sampled orders of the stock value every option."""

    game: AcesUp
    typed_by = TypedPiles
    told_by = ToldDeals
    planner = "unshuffle.games.aces_up.hidden.planner"
    words = "unshuffle.games.aces_up.advise.words"
    kept_name = "discards"
    moves_help = (
        "3-1 from pile 3 to space 1, d deal; with the cards that it brings: d=QS QD 4H 4D; where the rules have them "
        "2x a discard, 2-r to the cell, r-1 back from it"
    )

    def kept(self, state: View) -> list[Any]:
        """Return the discards."""
        return list(map(str, state.discarded))

    def follows(self, state: View, move: Move | Shown[Move]) -> str:
        """Return the cards that go with a move, each with the one that beats it: '4D goes (QD)'."""
        return self.game.describe(state, move).text.partition("; ")[2]
