"""Views that several games share, and the picture that a notebook shows of a table."""

from __future__ import annotations

from abc import ABC
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from unshuffle.cards import Card
from unshuffle.errors import IllegalMoveError
from unshuffle.game import AnyGame, Move, MoveT, Outcome, StateT
from unshuffle.places import Board
from unshuffle.registry import game_of

if TYPE_CHECKING:
    import random

_GAMES: dict[tuple[str, Any], AnyGame] = {}
"""The games of views: naming a variant takes longer than all else that a view asks of its game."""
_ToldT = TypeVar("_ToldT", bound=Move, covariant=True)


class Pictured:
    """A table that a notebook shows as a picture."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from unshuffle.notebook import write_table  # here, for few tables are ever shown so

        shown: Any = getattr(self, "table", self)
        return write_table(game_of(shown), self)


@dataclass(frozen=True, slots=True)
class OpenView(Pictured, Generic[StateT]):
    """The view of a game in which every card lies face up and nothing is left to chance."""

    table: StateT

    @property
    def unknown(self) -> str:
        """Return '': nothing is unknown."""
        return ""

    def sample(self, rng: random.Random) -> StateT:
        """The one state that fits."""
        return self.table


@dataclass(frozen=True, slots=True)
class Shown(Generic[_ToldT]):
    """A move and the cards that it brings to light, as a player tells them who sees no more than the table."""

    move: _ToldT
    cards: tuple[Card, ...]
    """Those that are dealt, in their order; then those that are turned up, in the order of their piles."""

    @property
    def token(self) -> str:
        """`2f=AC`, `d=JS,9D`."""
        return f"{self.move.token}={','.join(map(str, self.cards))}"


class HiddenView(Pictured, ABC, Generic[StateT, MoveT]):
    """What a player sees where cards are hidden.

    The game can be played on with no more than that: a move that brings cards to light then takes their faces.
    """

    __slots__ = ()

    can_redeal: ClassVar[bool] = False
    id: ClassVar[str | None] = None
    """The deal would tell the cards, so a view never knows it."""

    # What a game supplies.

    piles: tuple[tuple[Card | None, ...], ...]
    """Bottom to top; None is a card that lies face down."""

    if TYPE_CHECKING:
        game_id: ClassVar[str]

        @property
        def rules(self) -> Any:
            """The rules that hold on this table."""

    def not_hidden(self, card: Card) -> str:
        """The words for a card that cannot come to light."""
        return f"{card.glyph} is seen already"

    # What it gets, for the places of its game; a game without places supplies these itself.

    @property
    def _game(self) -> AnyGame:
        key = (self.game_id, self.rules)
        if key not in _GAMES:
            _GAMES[key] = game_of(self)
        return _GAMES[key]

    def __str__(self) -> str:
        return self._game.write(self)

    @property
    def score(self) -> int:
        """The score of the table: no hidden card plays a part in it."""
        return self._any().score

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The hidden cards, sorted: nobody sees which is where."""
        return self._game.board_of(self).unseen()

    def _lay(self, cards: Sequence[Card]) -> StateT:
        """The state with the unseen cards in this order."""
        game = self._game
        state: StateT = game.state_of(game.board_of(self).filled(cards))
        return state

    def dealt_by(self, move: MoveT) -> int:
        """How many cards this legal move deals."""
        return self._shows(move)[0]

    def turns(self, move: MoveT | Shown[MoveT]) -> tuple[int, ...]:
        """The piles, in their order, in which this legal move turns a card up.

        Of a move that deals it is known only once the dealt cards are told.
        """
        return self._shows(move)[1]

    def turned_by(self, move: MoveT | Shown[MoveT]) -> int:
        """How many cards this legal move brings to light, as far as that is known."""
        dealt, turned = self._shows(move)
        return dealt + len(turned)

    def _shows(self, move: MoveT | Shown[MoveT]) -> tuple[int, tuple[int, ...]]:
        """How many cards this legal move deals, and the piles in which it turns one up.

        It is played with the told cards first in the stock and any others elsewhere; places tell what came to light.
        """
        shown: Shown[MoveT] = as_shown(move)
        game, first = self._game, sum(self.down)
        rest = (Counter(self.unseen) - Counter(shown.cards)).elements() if shown.cards else ()
        # Too many cards may be told, so that the rest does not go round; any card will do below one that is turned.
        rest = (*rest, *self.unseen)
        state = self._lay((*rest[:first], *shown.cards, *rest[first:]))
        before, after = game.board(state), game.board(state.play(shown.move))
        dealt = turned = 0
        piles = []
        for area in before.places.areas:
            if area.kind == "stock":
                dealt += before.size(area) - after.size(area)
            elif area.name in before.hidden:
                for was, now in zip(before.hidden[area.name], after.hidden[area.name], strict=True):
                    turned += 1
                    piles += [turned] * (now < was)
        return dealt, tuple(piles) if len(shown.cards) >= dealt else ()

    def refusal(self, shown: Shown[MoveT]) -> str:
        """Why this legal move cannot bring just these cards to light; "" if it can."""
        count, unseen = self.turned_by(shown.move), self.unseen
        if len(shown.cards) != count:
            return miscounted("turns up", count, len(shown.cards))
        if any(times > max(1, unseen.count(card)) for card, times in Counter(shown.cards).items()):
            return "a card is told twice"
        return next((self.not_hidden(card) for card in shown.cards if card not in unseen), "")

    # What it gets.

    def view(self) -> Self:
        """All that is seen of what is seen."""
        return self

    @property
    def unknown(self) -> str:
        """Name the unknown cards in words; '' if only one state fits, because all unseen cards are alike."""
        if len(set(self.unseen)) <= 1:
            return ""
        down = sum(self.down)
        kinds = [(down, "face-down card", ""), (len(self.unseen) - down, "card", " still to be dealt")]
        return " and ".join(f"{count} {card}{'s' * (count != 1)}{where}" for count, card, where in kinds if count)

    @property
    def down(self) -> tuple[int, ...]:
        """How many cards of each pile lie face down."""
        return tuple(pile.count(None) for pile in self.piles)

    @property
    def outcome(self) -> Outcome | None:
        """Won, stuck when nothing can be done, or None while the game goes on."""
        return self._any().outcome

    def legal_moves(self) -> tuple[MoveT, ...]:
        """The moves, which hang on no hidden card."""
        return self._any().legal_moves()

    def laid(self, cards: Sequence[Card]) -> StateT:
        """The state with the unseen cards in this order: pile by pile, each from its bottom, then those to be dealt."""
        if sorted(cards) != list(self.unseen):
            raise ValueError(f"expected the {len(self.unseen)} unseen cards, in any order")
        return self._lay(cards)

    def sample(self, rng: random.Random) -> StateT:
        """A state, uniform over all that fit the view: every order of the unseen cards does."""
        cards = list(self.unseen)
        rng.shuffle(cards)
        return self._lay(cards)

    def _any(self) -> StateT:
        """Some state that fits, for what hangs on no hidden card."""
        return self._lay(self.unseen)

    def laid_for(self, shown: Shown[MoveT]) -> StateT:
        """A state in which the move brings these cards to light."""
        first, (count, piles) = sum(self.down), self._shows(shown)
        turned = (sum(self.down[:number]) - 1 for number in piles)
        told = dict(zip((*range(first, first + count), *turned), shown.cards, strict=True))
        rest = (Counter(self.unseen) - Counter(shown.cards)).elements()
        return self.laid([told[place] if place in told else next(rest) for place in range(len(self.unseen))])

    def play(self, move: MoveT | Shown[MoveT]) -> Self:
        """What is seen after the move; one that shows cards tells them. IllegalMoveError says what is wrong."""
        shown = as_shown(move)
        try:
            after: Any = self._any().play(shown.move)
        except IllegalMoveError as error:
            raise self._refuse(move, error.reason) from None
        if reason := self.refusal(shown):
            raise self._refuse(move, reason)
        if shown.cards:
            after = self.laid_for(shown).play(shown.move)
        seen: Self = after.view()
        return seen

    def _refuse(self, move: MoveT | Shown[MoveT], reason: str) -> IllegalMoveError:
        return IllegalMoveError(move.token, " / ".join(str(self).splitlines()), reason)


@dataclass(frozen=True, slots=True)
class SeenTable(HiddenView[Any, Any]):
    """What a player sees in a game that has no words of its own for it: the board with its unknown cards masked."""

    game_id: str  # type: ignore[misc]
    rules: Any
    seen_board: Board

    def __hash__(self) -> int:
        return hash((self.game_id, self.rules, tuple(self.seen_board.piles.values())))

    @property
    def piles(self) -> tuple[tuple[Card | None, ...], ...]:  # type: ignore[override]
        """The places, stocks apart, in which cards may be hidden."""
        board = self.seen_board
        areas = [area for area in board.places.areas if area.kind != "stock" and area.name in board.hidden]
        return tuple(pile for area in areas for pile in board.piles[area.name])


def see(state: Any, board: Board) -> SeenTable | OpenView[Any]:
    """Return the view of a state with this board; an open one where nothing is unknown."""
    seen = board.seen()
    return SeenTable(state.game_id, state.rules, seen) if seen.unseen() else OpenView(state)


def unknown_in(state: Any) -> str:
    """Name in words what is unknown in a state or view; '' for a state, and for a view that only one state fits."""
    return str(getattr(state, "unknown", "some cards are unknown")) if hasattr(state, "sample") else ""


def refusal_of(view: Any) -> str:
    """Say why no solver is asked about a view, and what can be asked instead."""
    unknown = unknown_in(view)
    if not unknown:
        return "expected a state and not a view: nothing is unknown here, so pass the state that it shows"
    return (
        f"unknown: {unknown}. A position with unknown cards is never solved as if they were known: `estimate` tells the"
        " chance to win it, and `view.sample` deals the rest by chance"
    )


def as_shown(move: MoveT | Shown[MoveT]) -> Shown[MoveT]:
    """The move with no card told, if it comes without."""
    return move if isinstance(move, Shown) else Shown(move, ())


def miscounted(verb: str, count: int, told: int) -> str:
    """The words for a move that `verb` so many cards, where another number is told."""
    return f"it {verb} {count or 'no'} card{'s' * (count != 1)}, and {told or 'none'} {is_or_are(told)} told"


def is_or_are(count: int) -> str:
    """'are' for several."""
    return "are" if count > 1 else "is"


def is_known(view: Any) -> bool:
    """Whether no card is hidden: none is unseen, or all that are, are alike."""
    return not view.unknown
