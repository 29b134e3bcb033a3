"""Aces Up's part in the flow of `unshuffle advise`. Its tables are views: a deal tells the cards that it brings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from unshuffle.advise.adviser import Draft, Setting
from unshuffle.advise.seen import SeenAdviser
from unshuffle.advise.words import join
from unshuffle.games.aces_up import AcesUp, Move, Shown, View
from unshuffle.games.aces_up.advise import table
from unshuffle.hidden.playouts import Plan

_TYPING = """\
Nothing is dealt yet? A blank answer begins the game: the cards of every deal are asked for when it comes.
For a game under way type one pile per answer, its bottom card first: QS 6H, or Q♠ 6♥; `-` is a space.
"""
_CELL = "Then the card in the cell. "
_DISCARDS = """\
After the piles come the discards, in any order: they tell which cards can still be in the stock.
`3: QS 6H` sets pile 3, `Discards: 4D 6H` the discards (`Discards: + 9C` adds one), `Stock: KC 3H` the stock in place
of them; its order stays hidden. `Deck:` and all cards in deal order begin a game, hidden too. Many lines may be
pasted."""


class AcesUpAdviser(SeenAdviser):
    """Piles are typed one by one; every option is weighed by games with the stock in orders drawn by chance."""

    game: AcesUp
    begins_empty = True
    kept_name = "discards"
    moves_help = (
        "3-1 from pile 3 to space 1, d deal; with the cards that it brings: d=QS QD 4H 4D; where the rules have them "
        "2x a discard, 2-r to the cell, r-1 back from it"
    )
    edit_prompt = "Pile and cards (3: QS 6H), blank to end?"

    @property
    def rules_in_words(self) -> str:
        """What is dealt where, and what may be moved."""
        from unshuffle.games.aces_up.advise.words import rules_in_words

        return rules_in_words(self.game.rules)

    # The table as it is typed.

    def entry_help(self, setting: Setting) -> str:
        """How piles are typed."""
        return _TYPING + (_CELL if self.game.rules.reserve else "") + _DISCARDS

    def next_place(self, draft: Draft, setting: Setting) -> str:
        """Piles, cell, discards."""
        return table.next_place(self.game, draft)

    def enter(self, draft: Draft, answer: str, setting: Setting, *, is_edit: bool) -> tuple[Draft, list[str]]:
        """A pile, a line with a label, or several."""
        return table.enter(self.game, draft, answer, is_edit)

    def is_complete(self, draft: Draft, setting: Setting) -> bool:
        """Everything is there, the discards too."""
        return table.is_complete(self.game, draft)

    def tidy(self, draft: Draft) -> Draft:
        """With the spaces."""
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
        return table.rows(draft, for_person)

    # Play.

    def kept(self, state: View) -> list[Any]:
        """The discards."""
        return list(map(str, state.discarded))

    def plan(self, view: View) -> Plan:
        """Cards discarded and wins, weighed together."""
        from unshuffle.games.aces_up.hidden import planner

        return planner.plan(view, is_stopped=self.is_stopped, **self.effort)

    def claim(self, view: View, plan: Plan) -> Iterable[str]:
        """The options and the best of them."""
        from unshuffle.games.aces_up.advise import words

        return words.claim(view, plan)

    def follows(self, state: View, move: Move | Shown[Move]) -> str:
        """The cards that go with a move, each with the one that beats it: '4D goes (QD)'."""
        return self.game.describe(state, move).text.partition("; ")[2]

    # Deals show cards.

    def asks(self, state: View, move: Move | Shown[Move]) -> str:
        """The cards that are dealt, and where they fall."""
        if isinstance(move, Shown) or move not in state.legal_moves() or not state.turned_by(move):
            return ""
        served = state.served()
        if len(served) == 1:
            return f"The card dealt to pile {served[0]}?"
        where = (
            "from pile 1 on"
            if served[0] == 1 and served[-1] == len(served)
            else f"to piles {join(list(map(str, served)))}"
        )
        return f"The {len(served)} cards dealt, {where}?"
