"""Typed entry of an Aces Up table: the piles, then the cell, then the discards, from which the stock follows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from unshuffle.advise.parts import Draft, Setting
from unshuffle.advise.typed import TypedPlaces
from unshuffle.cards import format_cards
from unshuffle.errors import Fault
from unshuffle.games.aces_up import AcesUp, State, View
from unshuffle.games.aces_up.places import UNKNOWN
from unshuffle.numbers import plural
from unshuffle.places.text import EMPTY

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


class TypedPiles(TypedPlaces):
    """Typed entry of the piles, the cell and the discards; all other cards are in the stock."""

    game: AcesUp
    example = "QS 6H"
    empty_words = " (- for a space)"

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels that are asked for; only some rules have a cell."""
        return ("reserve", "discards", "stock") if self.game.rules.reserve else ("discards", "stock")

    def help(self, setting: Setting) -> str:
        """Return the help on typing piles."""
        return _TYPING + (_CELL if self.game.rules.reserve else "") + _DISCARDS

    def wanted(self, draft: Draft) -> str:
        """Return what is asked for next: after the piles the cell and the discards, unless the stock is typed."""
        wanted = super().wanted(draft)
        return "" if wanted == "stock" or (wanted == "discards" and _is_told(draft)) else wanted

    def question(self, label: str, draft: Draft) -> str:
        """Return the question for the cell or the discards."""
        return "card in the cell (- for none)" if label == "reserve" else "discards, in any order (- for none)"

    @property
    def full(self) -> str:
        """The message for an answer when nothing is asked for any more."""
        return f"{super().full}, `Discards: ...` what is discarded"

    def tidy(self, draft: Draft) -> Draft:
        """Return the draft with what was not typed empty, and all other cards in the stock."""
        return self.whole(draft)

    def whole(self, draft: Draft) -> Draft:
        """Return the draft with all labels filled in."""
        labels = {label: draft.labels[label] for label in self.labels if label in draft.labels}
        if self.game.rules.reserve:
            labels.setdefault("reserve", EMPTY)
        if not _is_told(draft):
            labels["stock"] = UNKNOWN
            labels.setdefault("discards", EMPTY)
        cells = (cell or EMPTY for cell in (*draft.cells, *[""] * (self.game.rules.piles - len(draft.cells))))
        return Draft(tuple(cells), {label: labels[label] for label in self.labels if label in labels})

    def draft_of(self, state: State | View) -> Draft:
        """Return the draft of a table; the stock stays unknown, even where it is empty."""
        draft = super().draft_of(state)
        return self.whole(Draft(draft.cells, {**draft.labels, "stock": UNKNOWN}))

    def stays(self, fault: Fault, draft: Draft) -> bool:
        """Return whether a fault stays while more is typed: a doubled card, or a word that is no card.

        A beaten top card may still be covered, and the stock is counted again.
        """
        return "is on the table" in fault.message or "is not a card" in fault.message

    def place_of(self, fault: Fault, draft: Draft) -> str:
        """Return the place of a fault; the message on a beaten card names its pile itself."""
        return "" if "beaten" in fault.message else super().place_of(fault, draft)

    def check_now(self, table: View, start: View) -> Iterator[str]:
        """Yield what contradicts the start: cards that were dealt or discarded never come back."""
        if table.stock > start.stock:
            yield f"{plural(table.stock, 'card')} in the stock, but the game began with {start.stock}"
        back = set(start.discarded) - set(table.discarded)
        if back:
            yield f"{format_cards(sorted(back))}: discarded when the game began, so not back now"
        hidden = set(table.unseen) - set(start.unseen)
        if hidden:
            yield f"{format_cards(sorted(hidden))}: seen when the game began, so not in the stock now"


def _is_told(draft: Draft) -> bool:
    """Return whether the cards of the stock are typed, so that all others are discarded."""
    return draft.labels.get("stock", UNKNOWN) != UNKNOWN
