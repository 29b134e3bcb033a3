"""Typed tables of Spider: a new deal at once, or pile by pile; then bank, runs and moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from unshuffle.advise.answers import faces_in, words_of
from unshuffle.advise.parts import Draft, Setting
from unshuffle.advise.typed import TypedPlaces
from unshuffle.errors import Fault
from unshuffle.games.spider import Spider, View
from unshuffle.games.spider.places import read_suit

_TYPING = """\
A new deal: its {piles} open cards in one answer, from pile 1 on: 6S KD 4H ...
Else one pile per answer, its bottom card first: `3 9H 8H` or `## ## ## 9H 8H` has three cards face down under the
nine, `0 9H` none; a single card is a pile as it was dealt, `-` an empty one. `3: 9H 8H` sets pile 3.
The bank is counted by itself: a blank answer ends the entry. For a position in play type `Completed: S H` (the runs
that have left) first, and `Moves: 40` if they are to count. `Deck:` and all cards in deal order lay out everything;
what is hidden stays hidden. Many lines may be pasted."""


class TypedPiles(TypedPlaces):
    """The entry of the piles and of the runs that have left; the program counts the bank."""

    game: Spider
    asked = ("bank", "completed", "moves")

    def help(self, setting: Setting) -> str:
        """Return how deals and piles are typed."""
        return _TYPING.format(piles=self.game.rules.piles)

    def wanted(self, draft: Draft) -> str:
        """Return the next label to ask for. In a pasted table the moves come last: with them the runs are known too."""
        wanted = super().wanted(draft)
        return "" if wanted == "completed" and "moves" in draft.labels else wanted

    def question(self, label: str, draft: Draft) -> str:
        """Return the question for the bank, the runs or the moves."""
        words = {"completed": "completed runs, such as S H (blank: none)", "moves": "moves (blank: 0)"}
        return words.get(label) or super().question(label, draft)

    def written(self, label: str, text: str) -> str:
        """Return the suits of the runs as letters, also if they were typed as names or without blanks."""
        if label != "completed":
            return text
        words = text.split()
        if any(read_suit(word) is None for word in words):
            words = list("".join(words))
        suits = [read_suit(word) for word in words]
        return text if None in suits else " ".join(suit.letter for suit in suits if suit is not None)

    def count(self, label: str, value: str, draft: Draft) -> int:
        """Return the number of cards; a run has one of every rank."""
        if label != "completed":
            return super().count(label, value, draft)
        return len(words_of(self.written(label, value))) * self.game.rules.ranks

    def stays(self, fault: Fault, draft: Draft) -> bool:
        """Return whether the fault stays whatever comes next, as for a card that is there too often."""
        too_many = Counter(card for cell in draft.cells for card in faces_in(cell)) - Counter(self.game.pack)
        return super().stays(fault, draft) or fault.message.startswith(tuple(f"'{card}' " for card in too_many))

    def check_now(self, table: View, start: View) -> Iterator[str]:
        """Yield what cannot follow from the start: play empties the bank and completes runs, and neither is undone."""
        if table.bank > start.bank:
            yield f"{table.bank} cards are in the bank, but the game began with {start.bank}"
        for suit in Counter(start.completed) - Counter(table.completed):
            yield f"{suit.word}: a run had left when the game began, so it is not back now"
        yield from super().check_now(table, start)
