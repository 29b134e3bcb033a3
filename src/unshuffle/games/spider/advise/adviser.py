"""Spider's part in the flow of `unshuffle advise`. Its tables are views: a move tells the cards that it shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from unshuffle.advise.adviser import Advice, Draft, Setting
from unshuffle.advise.seen import SeenAdviser, read_shown
from unshuffle.advise.words import join
from unshuffle.errors import ParseError, RefusedError
from unshuffle.games.spider import Move, Shown, Spider, View
from unshuffle.games.spider.advise import table
from unshuffle.hidden.playouts import Plan
from unshuffle.numbers import plural
from unshuffle.views import as_shown

_TYPING = """\
A new deal: its {piles} open cards in one answer, from pile 1 on: 6S KD 4H ...
Else one pile per answer, its bottom card first: `3 9H 8H` or `## ## ## 9H 8H` has three cards face down under the
nine, `0 9H` none; a single card is a pile as it was dealt, `-` an empty one. `3: 9H 8H` sets pile 3.
The bank is counted by itself: a blank answer ends the entry. For a position in play type `Completed: S H` (the runs
that have left) first, and `Moves: 40` if they are to count. `Deck:` and all cards in deal order lay out everything;
what is hidden stays hidden. Many lines may be pasted."""


class SpiderAdviser(SeenAdviser):
    """Piles are typed one by one or all at once; whole plans are weighed by games with the unseen cards filled in."""

    game: Spider
    kept_name = "completed"
    moves_help = "3-7 or 3-7x4 onto a pile, d a row; with the cards that they show: 3-7=AC, d=JS 9D KD ..."
    edit_prompt = "Pile and cards (3: 2 9H 8H), blank to end?"

    @property
    def rules_in_words(self) -> str:
        """The suits, and when a row may be dealt."""
        from unshuffle.games.spider.advise.words import rules_in_words

        return rules_in_words(self.game.rules)

    # The table as it is typed.

    def entry_help(self, setting: Setting) -> str:
        """How deals and piles are typed."""
        return _TYPING.format(piles=self.game.rules.piles)

    def next_place(self, draft: Draft, setting: Setting) -> str:
        """A new deal, piles, bank."""
        return table.next_place(self.game, draft)

    def enter(self, draft: Draft, answer: str, setting: Setting, *, is_edit: bool) -> tuple[Draft, list[str]]:
        """A new deal, a pile, a line with a label, or several."""
        return table.enter(self.game, draft, answer, setting, is_edit)

    def is_complete(self, draft: Draft, setting: Setting) -> bool:
        """Everything is there, the bank too."""
        return table.is_complete(draft)

    def tidy(self, draft: Draft) -> Draft:
        """With the bank."""
        return table.tidy(self.game, draft)

    def faults(self, draft: Draft, setting: Setting) -> list[str]:
        """In the words of the game."""
        return table.faults(self.game, draft, setting)

    def early_faults(self, draft: Draft, setting: Setting) -> list[str]:
        """Cards that are there too often, and words that are no cards."""
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

    def phase_name(self, state: View) -> str:
        """How much is left to be dealt."""
        return f"{plural(state.rows_left, 'row')} in the bank"

    def kept(self, state: View) -> list[Any]:
        """The suits of the runs that have left."""
        return [suit.letter for suit in state.completed]

    def plan(self, view: View) -> Plan:
        """Plans up to the next unknown card, the best one first."""
        from unshuffle.games.spider.hidden import planner

        return planner.plan(view, is_stopped=self.is_stopped, **self.effort)

    def claim(self, view: View, plan: Plan) -> Iterable[str]:
        """The plans and the best of them."""
        from unshuffle.games.spider.advise import words

        return words.claim(view, plan)

    def advise(self, view: View) -> Advice:
        """The plans and the best of them."""
        advice = super().advise(view)
        if view.outcome is not None or advice.values["options"]:
            return advice
        # That no plan was found is no proof.
        unknown = dict.fromkeys(("win_chance", "win_chance_low", "win_chance_high"))
        return replace(advice, values={**advice.values, **unknown})

    def follows(self, state: View, move: Move | Shown[Move]) -> str:
        """The runs that leave with a move."""
        text = self.game.describe(state, move).text.rstrip(".")
        leaves = [part for part in text.split("; ")[1:] if part.startswith("completes")]
        return f"The move {join(leaves)}; what is complete leaves the table." if leaves else ""

    # Moves that show cards.

    def asks(self, state: View, move: Move | Shown[Move]) -> str:
        """The row, or the cards that are turned; where a row completes a run, the card under it comes after the row."""
        shown: Shown[Move] = as_shown(move)
        if shown.move not in state.legal_moves():
            return ""
        told, dealt = len(shown.cards), state.dealt_by(shown.move)
        if dealt and told < dealt:
            # One that is told in part is refused as it is.
            return "" if told else f"The {dealt} cards of the row, from pile 1 on?"
        turned = state.turns(shown)[told - dealt :]
        if not turned:
            return ""
        piles = join(list(map(str, turned)))
        return f"The card turned up on pile {piles}?" if len(turned) == 1 else f"The cards turned up on piles {piles}?"

    def tell(self, state: View, move: Move | Shown[Move], answer: str) -> str:
        """The move with the cards of the answer behind those that are told already."""
        try:
            cards = read_shown(answer)
        except ParseError as error:
            raise RefusedError(str(error)) from None
        before: Shown[Move] = as_shown(move)
        after = Shown(before.move, before.cards + cards)
        count, told = state.turned_by(after), len(after.cards)
        is_short = told < state.dealt_by(after.move)
        faults = list(state.faults_of(after.cards))
        if is_short or told > count:
            faults.insert(0, f"{plural(len(cards), 'card')}, expected {count - len(before.cards)}")
        if faults:
            raise RefusedError("; ".join(faults))
        return after.token
