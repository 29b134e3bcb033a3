"""The adviser of Spider in `unshuffle advise`. Its tables are views: the player types the cards that a move shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from unshuffle.advise.adviser import Advice
from unshuffle.advise.seen import SeenAdviser, ToldCards
from unshuffle.advise.words import join
from unshuffle.cards import Card
from unshuffle.games.spider import Move, Shown, Spider, View
from unshuffle.games.spider.advise.table import TypedPiles
from unshuffle.hidden.playouts import Plan
from unshuffle.numbers import plural


class ToldRows(ToldCards):
    """The entry of the cards of a row; if a row completes a run, the card under the run comes after the row."""

    def dealt_question(self, state: View, count: int) -> str:
        """Return the question for a row."""
        return f"The {count} cards of the row, from pile 1 on?"

    def faults_of(self, state: View, cards: Sequence[Card]) -> Iterable[str]:
        """Return a fault for each card of which all copies are seen."""
        return state.faults_of(cards)


class SpiderAdviser(SeenAdviser):
    """The adviser of Spider, which evaluates whole plans by playouts on sampled deals."""

    game: Spider
    typed_by = TypedPiles
    told_by = ToldRows
    planner = "unshuffle.games.spider.hidden.planner"
    words = "unshuffle.games.spider.advise.words"
    kept_name = "completed"
    moves_help = "3-7 or 3-7x4 onto a pile, d a row; with the cards that they show: 3-7=AC, d=JS 9D KD ..."

    def phase_name(self, state: View) -> str:
        """Return the number of rows in the bank, in words."""
        return f"{plural(state.rows_left, 'row')} in the bank"

    def kept(self, state: View) -> list[Any]:
        """Return the suits of the runs that have left."""
        return [suit.letter for suit in state.completed]

    def claim(self, view: View, plan: Plan) -> Iterable[str]:
        """Return the plans and the best of them, in words."""
        from unshuffle.games.spider.advise import words

        return words.claim(view, plan)

    def advise(self, view: View) -> Advice:
        """Return the plans and the best of them."""
        advice = super().advise(view)
        if view.outcome is not None or advice.values["options"]:
            return advice
        # That no plan was found proves nothing.
        unknown = dict.fromkeys(("win_chance", "win_chance_low", "win_chance_high"))
        return replace(advice, values={**advice.values, **unknown})

    def follows(self, state: View, move: Move | Shown[Move]) -> str:
        """Return the runs that leave with a move, in words."""
        text = self.game.describe(state, move).text.rstrip(".")
        leaves = [part for part in text.split("; ")[1:] if part.startswith("completes")]
        return f"The move {join(leaves)}; what is complete leaves the table." if leaves else ""
