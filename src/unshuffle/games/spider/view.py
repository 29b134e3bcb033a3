"""Spider: what a player sees. The faces of face-down cards and of the bank are not in it.

The game can be played on with no more than that: a move that brings cards to light then takes their faces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unshuffle.cards import Card, Suit
from unshuffle.errors import IllegalMoveError
from unshuffle.game import Outcome
from unshuffle.games.spider.moves import Move, Row
from unshuffle.views import Pictured

if TYPE_CHECKING:
    import random

    from unshuffle.games.spider.rules import Rules, State


@dataclass(frozen=True, slots=True)
class Shown:
    """A move and the cards that it brings to light, as a player tells them who sees no more than the table."""

    move: Move
    cards: tuple[Card, ...]
    """Those of a row, from the first pile on; then those that are turned up, in the order of their piles."""

    @property
    def token(self) -> str:
        """`3-7=AC`, `d=JS,9D` and so on."""
        return f"{self.move.token}={','.join(map(str, self.cards))}"


@dataclass(frozen=True, slots=True)
class View(Pictured):
    """The face-up cards, the completed runs, and how many cards lie face down and in the bank."""

    game_id: ClassVar[str] = "spider"
    can_redeal: ClassVar[bool] = False
    id: ClassVar[str | None] = None
    """The deal would tell the cards, so a view never knows it."""

    rules: Rules
    piles: tuple[tuple[Card | None, ...], ...]
    """Bottom to top; None is a card that lies face down."""
    bank: int
    """Cards left in the bank."""
    completed: tuple[Suit, ...] = ()
    moves: int = 0

    def __str__(self) -> str:
        from unshuffle.games.spider.notation import format_view  # it reads views itself

        return format_view(self)

    def view(self) -> View:
        """All that is seen of what is seen."""
        return self

    @property
    def down(self) -> tuple[int, ...]:
        """How many cards of each pile lie face down."""
        return tuple(pile.count(None) for pile in self.piles)

    @property
    def score(self) -> int:
        """The Sun score less the moves made: no hidden card plays a part in it."""
        return self._any().score

    @property
    def outcome(self) -> Outcome | None:
        """Won when all runs have left, stuck when nothing can be done."""
        return self._any().outcome

    @property
    def rows_left(self) -> int:
        """Rows in the bank."""
        return self.bank // len(self.piles)

    def legal_moves(self) -> tuple[Move, ...]:
        """The moves, which hang on face-up cards alone."""
        return self._any().legal_moves()

    # What is not seen.

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that lie face down or in the bank, sorted: nobody sees which is where."""
        left = Counter(self.rules.pack)
        left.subtract(card for pile in self.piles for card in pile if card is not None)
        left.subtract(Card(rank, suit) for suit in self.completed for rank in range(1, self.rules.ranks + 1))
        return tuple(sorted(left.elements()))

    def sample(self, rng: random.Random) -> State:
        """A state, uniform over all that fit the view: every order of the unseen cards does."""
        cards = list(self.unseen)
        rng.shuffle(cards)
        return self.laid(cards)

    def laid(self, cards: Sequence[Card]) -> State:
        """The state with the unseen cards in this order: pile by pile, each from its bottom, then the bank."""
        from unshuffle.games.spider.rules import State  # it makes views itself

        if sorted(cards) != list(self.unseen):
            raise ValueError(f"expected the {len(self.unseen)} unseen cards, each as often as it is there")
        rest = iter(cards)
        piles = tuple(tuple(next(rest) if card is None else card for card in pile) for pile in self.piles)
        return State(self.rules, piles, self.down, tuple(rest), self.completed, self.moves)

    def _any(self) -> State:
        """Some state that fits, for what hangs on no hidden card."""
        return self.laid(self.unseen)

    # Playing on.

    def turns(self, move: Move | Shown) -> tuple[int, ...]:
        """The piles, in their order, in which this legal move turns a card up.

        Whether a row does so is known only once its cards are told: one of them may complete a run.
        """
        from unshuffle.games.spider.rules import whole_run  # it makes views itself

        shown = _as_shown(move)
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

    def turned_by(self, move: Move | Shown) -> int:
        """How many cards this legal move brings to light, as far as that is known."""
        shown = _as_shown(move)
        return len(self.piles) * isinstance(shown.move, Row) + len(self.turns(shown))

    def laid_for(self, shown: Shown) -> State:
        """A state in which the move brings these cards to light."""
        places = [sum(self.down[:number]) - 1 for number in self.turns(shown)]
        if isinstance(shown.move, Row):
            first = sum(self.down)
            places = [*range(first, first + len(self.piles)), *places]
        told = dict(zip(places, shown.cards, strict=True))
        rest = (Counter(self.unseen) - Counter(shown.cards)).elements()
        return self.laid([told[place] if place in told else next(rest) for place in range(len(self.unseen))])

    def play(self, move: Move | Shown) -> View:
        """What is seen after the move; one that shows cards tells them. IllegalMoveError says what is wrong."""
        shown = _as_shown(move)
        try:
            after = self._any().play(shown.move)
        except IllegalMoveError as error:
            raise self._refuse(move, error.reason) from None
        count, told = self.turned_by(shown), len(shown.cards)
        faults = list(self.faults_of(shown.cards))
        if told != count:
            shows = f"it shows {count or 'no'} card{'s' * (count != 1)}"
            faults.insert(0, f"{shows}, and {told or 'none'} {_is(told)} told")
        if faults:
            raise self._refuse(move, "; ".join(faults))
        return (self.laid_for(shown).play(shown.move) if shown.cards else after).view()

    def faults_of(self, told: Sequence[Card]) -> Iterator[str]:
        """Why these cards cannot all come to light."""
        unseen, pack = Counter(self.unseen), Counter(self.rules.pack)
        for card, times in Counter(told).items():
            if card not in pack:
                yield f"{card.glyph} does not belong to this pack"
            elif times > unseen[card]:
                so_often = f" {times} times" if times > 1 else ""
                left = unseen[card]
                yield f"{card.glyph} is told{so_often}, but {left or 'none'} of its {pack[card]} {_is(left)} unseen"

    def _refuse(self, move: Move | Shown, reason: str) -> IllegalMoveError:
        return IllegalMoveError(move.token, " / ".join(str(self).splitlines()), reason)


def _as_shown(move: Move | Shown) -> Shown:
    return move if isinstance(move, Shown) else Shown(move, ())


def _is(count: int) -> str:
    return "are" if count > 1 else "is"
