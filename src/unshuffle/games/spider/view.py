"""Spider: what a player sees. The faces of face-down cards and of the bank are not in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unshuffle.cards import Card, Suit
from unshuffle.games.spider.moves import Move, Row
from unshuffle.views import HiddenView, Shown, as_shown, is_or_are, miscounted

if TYPE_CHECKING:
    from unshuffle.games.spider.rules import Rules, State


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

    def __str__(self) -> str:
        from unshuffle.games.spider.notation import write_table  # it reads views itself

        return write_table(self)

    @property
    def score(self) -> int:
        """The Sun score less the moves made: no hidden card plays a part in it."""
        return self._any().score

    @property
    def rows_left(self) -> int:
        """Rows in the bank."""
        return self.bank // len(self.piles)

    # What is not seen.

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that lie face down or in the bank, sorted: nobody sees which is where."""
        left = Counter(self.rules.pack)
        left.subtract(card for pile in self.piles for card in pile if card is not None)
        left.subtract(Card(rank, suit) for suit in self.completed for rank in range(1, self.rules.ranks + 1))
        return tuple(sorted(left.elements()))

    def _lay(self, cards: Sequence[Card]) -> State:
        from unshuffle.games.spider.rules import State  # it makes views itself

        rest = iter(cards)
        piles = tuple(tuple(next(rest) if card is None else card for card in pile) for pile in self.piles)
        return State(self.rules, piles, self.down, tuple(rest), self.completed, self.moves)

    # Playing on.

    def dealt_by(self, move: Move) -> int:
        """A card for each pile."""
        return len(self.piles) if isinstance(move, Row) else 0

    def turns(self, move: Move | Shown[Move]) -> tuple[int, ...]:
        """The piles, in their order, in which this legal move turns a card up.

        Whether a row does so is known only once its cards are told: one of them may complete a run.
        """
        from unshuffle.games.spider.rules import whole_run  # it makes views itself

        shown: Shown[Move] = as_shown(move)
        faces = [tuple(card for card in pile if card is not None) for pile in self.piles]
        if isinstance(shown.move, Row):
            row = shown.cards[: len(faces)]
            if len(row) < len(faces):
                return ()
            faces = [(*face, card) for face, card in zip(faces, row, strict=True)]
        else:
            source, target, count = shown.move.source - 1, shown.move.target - 1, shown.move.count
            faces[target] += faces[source][-count:]
            faces[source] = faces[source][:-count]
        ranks = self.rules.ranks
        return tuple(
            number
            for number, (face, down) in enumerate(zip(faces, self.down, strict=True), 1)
            if down and (not face or face == whole_run(face[-1].suit, ranks))
        )

    def refusal(self, shown: Shown[Move]) -> str:
        """Another number of cards, and every card that cannot come to light."""
        count, told = self.turned_by(shown), len(shown.cards)
        faults = [miscounted("shows", count, told)] if told != count else []
        return "; ".join([*faults, *self.faults_of(shown.cards)])

    def faults_of(self, told: Sequence[Card]) -> Iterator[str]:
        """Why these cards cannot all come to light."""
        unseen, pack = Counter(self.unseen), Counter(self.rules.pack)
        for card, times in Counter(told).items():
            if card not in pack:
                yield f"{card.glyph} does not belong to this pack"
            elif times > unseen[card]:
                so_often = f" {times} times" if times > 1 else ""
                left = unseen[card]
                of_how_many = f"{left or 'none'} of its {pack[card]} {is_or_are(left)} unseen"
                yield f"{card.glyph} is told{so_often}, but {of_how_many}"
