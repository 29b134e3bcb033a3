"""Agnes Sorel's part in the flow of `unshuffle advise`. Its tables are views: a move tells the cards that it shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from unshuffle.advise.adviser import Draft, Setting
from unshuffle.advise.seen import SeenAdviser
from unshuffle.games.agnes import Agnes, Move, Shown, View
from unshuffle.games.agnes.advise import table
from unshuffle.hidden.playouts import Plan

_TYPING = """\
First the base card, then one pile per answer, its bottom card first and the playable card last: 9H 8H, or 9♥ 8♥.
The stock is counted by itself: a blank answer ends the entry."""
_DOWN = """
A single card is a pile as it was dealt. Else say how many cards lie face down under the others:
`2 9H 8H` or `[## ##] 9H 8H`, `0 9H` if none."""
_POSITIONS = """
`3: 9H 8H` sets pile 3, `-` is an empty one. `Deck:` and all cards in deal order lay out everything; what is
hidden stays hidden. For a position in play type `Base: 7` and `Foundations: 9C - 7S -` (the order is C D S H) first.
Many lines may be pasted."""


class AgnesAdviser(SeenAdviser):
    """Piles are typed one by one; every move is weighed by games with the unseen cards filled in."""

    game: Agnes
    kept_name = "foundations"
    moves_help = (
        "2f to its foundation, 3-5 or 3-5x4 onto a pile, d deal; with the cards that they show: 2f=AC, d=JS 9D KD"
    )
    edit_prompt = "Pile and cards (3: 2 9H 8H), blank to end?"

    @property
    def rules_in_words(self) -> str:
        """What lies open, what moves together, and where to."""
        from unshuffle.games.agnes.advise.words import rules_in_words

        return rules_in_words(self.game.rules)

    # The table as it is typed.

    def entry_help(self, setting: Setting) -> str:
        """How piles are typed."""
        return _TYPING + ("" if self.game.rules.face_up else _DOWN) + _POSITIONS

    def next_place(self, draft: Draft, setting: Setting) -> str:
        """Base card, piles, stock."""
        return table.next_place(self.game, draft)

    def enter(self, draft: Draft, answer: str, setting: Setting, *, is_edit: bool) -> tuple[Draft, list[str]]:
        """A pile, a line with a label, or several."""
        return table.enter(self.game, draft, answer, setting, is_edit)

    def is_complete(self, draft: Draft, setting: Setting) -> bool:
        """Everything is there, the stock too."""
        return table.is_complete(draft)

    def tidy(self, draft: Draft) -> Draft:
        """With the stock."""
        return table.tidy(self.game, draft)

    def faults(self, draft: Draft, setting: Setting) -> list[str]:
        """In the words of the game."""
        return table.faults(self.game, draft, setting)

    def early_faults(self, draft: Draft, setting: Setting) -> list[str]:
        """Doubled cards, and words that are no cards."""
        return table.faults(self.game, draft, setting, early=True)

    def lay_out(self, draft: Draft, setting: Setting) -> View:
        """What is seen."""
        return table.lay_out(self.game, draft)

    def draft_of(self, state: View) -> Draft:
        """Its piles."""
        return table.draft_of(state)

    def rows(self, draft: Draft, *, for_person: bool) -> list[str]:
        """Numbered piles."""
        return table.rows(self.game, draft, for_person)

    # Play.

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

    # Moves that show cards.

    def asks(self, state: View, move: Move | Shown[Move]) -> str:
        """The cards that are dealt, or the one that is turned."""
        if isinstance(move, Shown) or move not in state.legal_moves():
            return ""
        if dealt := state.dealt_by(move):
            return "The card dealt?" if dealt == 1 else f"The {dealt} cards dealt, from pile 1 on?"
        turned = state.turns(move)
        return f"The card turned up on pile {turned[0]}?" if turned else ""
