"""Spider: what a player sees. The faces of face-down cards and of the bank are not in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unshuffle.cards import Card, Suit
from unshuffle.games.spider.moves import Move
from unshuffle.views import HiddenView, Shown, is_or_are, miscounted

if TYPE_CHECKING:
    from unshuffle.games.spider.rules import Rules, State  # noqa: F401 # the base class below names State as text


@dataclass(frozen=True, slots=True)
class View(HiddenView["State", Move]):
    """The face-up cards, the completed runs, and how many cards lie face down and in the bank."""

    game_id: ClassVar[str] = "spider"

    rules: Rules
    piles: tuple[tuple[Card | None, ...], ...]
    """Bottom to top; None is a card that lies face down."""
    bank: int
    """Cards left in the bank."""
    completed: tuple[Suit, ...] = ()
    moves: int = 0

    @property
    def rows_left(self) -> int:
        """Rows in the bank."""
        return self.bank // len(self.piles)

    # Playing on.

    def refusal(self, shown: Shown[Move], count: int) -> str:
        """Return the faults: a wrong number of cards, and every card that cannot be shown."""
        told = len(shown.cards)
        faults = [miscounted("shows", count, told)] if told != count else []
        return "; ".join([*faults, *self.faults_of(shown.cards)])

    def faults_of(self, told: Sequence[Card]) -> Iterator[str]:
        """Yield why these cards cannot all be shown."""
        unseen, pack = Counter(self.unseen), Counter(self.rules.pack)
        for card, times in Counter(told).items():
            if card not in pack:
                yield f"{card.glyph} does not belong to this pack"
            elif times > unseen[card]:
                so_often = f" {times} times" if times > 1 else ""
                left = unseen[card]
                of_how_many = f"{left or 'none'} of its {pack[card]} {is_or_are(left)} unseen"
                yield f"{card.glyph} is told{so_often}, but {of_how_many}"
