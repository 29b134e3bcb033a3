"""The piles of Aces Up as a person types them; then the cell, and what is discarded, which tells what is left."""

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
    """The piles, the cell and the discards; the stock is all that is nowhere else."""

    game: AcesUp
    example = "QS 6H"
    empty_words = " (- for a space)"

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The cell is there by some rules."""
        return ("reserve", "discards", "stock") if self.game.rules.reserve else ("discards", "stock")

    def help(self, setting: Setting) -> str:
        """How piles are typed."""
        return _TYPING + (_CELL if self.game.rules.reserve else "") + _DISCARDS

    def wanted(self, draft: Draft) -> str:
        """Behind the piles the cell and the discards; whoever tells the stock tells these too."""
        wanted = super().wanted(draft)
        return "" if wanted == "stock" or (wanted == "discards" and _is_told(draft)) else wanted

    def question(self, label: str, draft: Draft) -> str:
        """The cell or the discards."""
        return "card in the cell (- for none)" if label == "reserve" else "discards, in any order (- for none)"

    @property
    def full(self) -> str:
        """Refuses an answer where nothing is asked for any more."""
        return f"{super().full}, `Discards: ...` what is discarded"

    def tidy(self, draft: Draft) -> Draft:
        """What was not typed is empty, and the stock is all that is nowhere else."""
        return self.whole(draft)

    def whole(self, draft: Draft) -> Draft:
        """The same: the text tells all of it."""
        labels = {label: draft.labels[label] for label in self.labels if label in draft.labels}
        if self.game.rules.reserve:
            labels.setdefault("reserve", EMPTY)
        if not _is_told(draft):
            labels["stock"] = UNKNOWN
            labels.setdefault("discards", EMPTY)
        cells = (cell or EMPTY for cell in (*draft.cells, *[""] * (self.game.rules.piles - len(draft.cells))))
        return Draft(tuple(cells), {label: labels[label] for label in self.labels if label in labels})

    def draft_of(self, state: State | View) -> Draft:
        """The stock stays unknown, also where it is empty."""
        draft = super().draft_of(state)
        return self.whole(Draft(draft.cells, {**draft.labels, "stock": UNKNOWN}))

    def stays(self, fault: Fault, draft: Draft) -> bool:
        """Doubled cards and words that are no cards; a beaten top may be covered, and the stock be counted anew."""
        return "is on the table" in fault.message or "is not a card" in fault.message

    def place_of(self, fault: Fault, draft: Draft) -> str:
        """A beaten card names its pile itself."""
        return "" if "beaten" in fault.message else super().place_of(fault, draft)

    def check_now(self, table: View, start: View) -> Iterator[str]:
        """Play deals and discards cards; none of that comes back."""
        if table.stock > start.stock:
            yield f"{plural(table.stock, 'card')} in the stock, but the game began with {start.stock}"
        back = set(start.discarded) - set(table.discarded)
        if back:
            yield f"{format_cards(sorted(back))}: discarded when the game began, so not back now"
        hidden = set(table.unseen) - set(start.unseen)
        if hidden:
            yield f"{format_cards(sorted(hidden))}: seen when the game began, so not in the stock now"


def _is_told(draft: Draft) -> bool:
    """Whether the cards of the stock are typed, so that all others are discarded."""
    return draft.labels.get("stock", UNKNOWN) != UNKNOWN
