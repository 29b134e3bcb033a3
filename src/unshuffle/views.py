"""Views that several games share, and the pictures of tables in notebooks."""

from __future__ import annotations

from abc import ABC
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from unshuffle.cards import Card
from unshuffle.errors import IllegalMoveError
from unshuffle.game import AnyGame, Move, MoveT, Outcome, StateT
from unshuffle.places import Board
from unshuffle.registry import game_of

if TYPE_CHECKING:
    import random

_GAMES: dict[tuple[str, Any], AnyGame] = {}
"""A cache of games by table: naming a variant takes longer than everything else that a table needs from its game."""
_INDEX = attrgetter("index")
_ToldT = TypeVar("_ToldT", bound=Move, covariant=True)


def _game_of(table: Any) -> AnyGame:
    key = (table.game_id, table.rules)
    game = _GAMES.get(key)
    if game is None:
        game = _GAMES[key] = game_of(table)
    return game


class Pictured:
    """A table with layout text by its game's places, and with a picture for notebooks."""

    __slots__ = ()

    def __str__(self) -> str:
        shown: Any = getattr(self, "table", self)
        return _game_of(shown).write(shown)

    def _repr_html_(self) -> str:
        from unshuffle.notebook import write_table  # imported here: only notebooks need it

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
        """Return the only consistent state."""
        return self.table


@dataclass(frozen=True, slots=True)
class Shown(Generic[_ToldT]):
    """A move and the cards that it reveals, as a player names them who sees only the table."""

    move: _ToldT
    cards: tuple[Card, ...]
    """The dealt cards in their order, then the cards turned up in the order of their piles."""

    @property
    def token(self) -> str:
        """`2f=AC`, `d=JS,9D`."""
        return f"{self.move.token}={','.join(map(str, self.cards))}"


class _Known:
    """Values derived from a view, computed on first use."""

    __slots__ = ("board", "down", "game", "made", "some_state", "undealt", "unseen")

    def __init__(self, view: HiddenView[Any, Any], game: AnyGame) -> None:
        self.game = game
        self.board = board = game.board_of(view)
        hidden = [(area.kind == "stock", board.hidden.get(area.name, ())) for area in board.places.areas]
        self.down = tuple([count for is_stock, counts in hidden for count in counts if not is_stock])
        self.undealt = sum([sum(counts) for is_stock, counts in hidden if is_stock])
        """The number of unknown cards still to be dealt."""
        self.unseen: tuple[Card, ...] | None = None
        self.some_state: Any = None
        self.made: tuple[Any, tuple[Card, ...], _Made] | None = None
        """The move that was played last, with the named cards."""


class _Made(NamedTuple):
    """The result of a move played with named cards: the dealt ones in place, the turned ones anywhere."""

    view: Any
    """The view after it."""
    dealt: int
    """How many cards it dealt."""
    turned: tuple[int, ...]
    """The piles in which it turned a card up."""


class HiddenView(Pictured, ABC, Generic[StateT, MoveT]):
    """What a player sees where cards are hidden.

    The game can be played on from a view alone: a move that reveals cards must name them.
    """

    __slots__ = ("_kept",)

    can_redeal: ClassVar[bool] = False
    id: ClassVar[str | None] = None
    """None: the deal's id would reveal the cards."""

    # What a game supplies.

    piles: tuple[tuple[Card | None, ...], ...]
    """Bottom to top; None is an unknown card: it lies face down."""

    if TYPE_CHECKING:
        game_id: ClassVar[str]
        _kept: _Known

        @property
        def rules(self) -> Any:
            """The rules of this game."""

    def not_hidden(self, card: Card) -> str:
        """Return the message for a card that cannot be revealed."""
        return f"{card.glyph} is seen already"

    def refusal(self, shown: Shown[MoveT], count: int) -> str:
        """Return why this legal move, which reveals `count` cards, cannot reveal these; "" if it can."""
        if len(shown.cards) != count:
            return miscounted("turns up", count, len(shown.cards))
        unseen = Counter(self.unseen)
        if any(times > max(1, unseen[card]) for card, times in Counter(shown.cards).items()):
            return "a card is told twice"
        return next((self.not_hidden(card) for card in shown.cards if card not in unseen), "")

    # Methods derived from the game's places.

    @property
    def _known(self) -> _Known:
        try:
            known = self._kept
        except AttributeError:
            known = _Known(self, self._game)
            object.__setattr__(self, "_kept", known)
        return known

    @property
    def _game(self) -> AnyGame:
        return _game_of(self)

    def __str__(self) -> str:
        return self._game.write(self)

    @property
    def score(self) -> int:
        """The score of the table, which does not depend on hidden cards."""
        return self._any().score

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The hidden cards, sorted; their order says nothing."""
        known = self._known
        if known.unseen is None:
            known.unseen = known.board.unseen()
        return known.unseen

    def _lay(self, cards: Sequence[Card]) -> StateT:
        known = self._known
        state: StateT = known.game.state_of(known.board.filled(cards))
        return state

    def _made(self, move: MoveT, cards: tuple[Card, ...]) -> _Made:
        """Play a move with the named cards first in the stock, and compare what is hidden before and after it."""
        known = self._known
        if known.made is not None and known.made[:2] == (move, cards):
            return known.made[2]
        if cards:
            # Padded, because too many cards may be named; which cards lie below a turned one does not matter.
            order, first = (*_without(self.unseen, cards), *self.unseen), sum(known.down)
            state = self._lay((*order[:first], *cards, *order[first:]))
        else:
            state = self._any()
        view: Any = state.play(move).view()
        after = view._known if isinstance(view, HiddenView) else None
        dealt = known.undealt - (after.undealt if after else 0)
        turned: tuple[int, ...] = ()
        if len(cards) >= dealt:
            now = after.down if after else (0,) * len(known.down)
            numbers = enumerate(zip(known.down, now, strict=True), 1)
            turned = tuple([number for number, (was, left) in numbers if left < was])
        made = _Made(view, dealt, turned)
        known.made = (move, cards, made)
        return made

    def dealt_by(self, move: MoveT) -> int:
        """Return how many cards this legal move deals."""
        return self._made(move, ()).dealt

    def turns(self, move: MoveT | Shown[MoveT]) -> tuple[int, ...]:
        """Return the piles, in their order, in which this legal move turns a card up.

        For a move that deals, this is known only if the move names the dealt cards.
        """
        shown = as_shown(move)
        return self._made(shown.move, shown.cards).turned

    def turned_by(self, move: MoveT | Shown[MoveT]) -> int:
        """Return how many cards this legal move reveals, as far as that is known."""
        shown = as_shown(move)
        made = self._made(shown.move, shown.cards)
        return made.dealt + len(made.turned)

    # The interface of states and views.

    def view(self) -> Self:
        """Return the view itself."""
        return self

    @property
    def unknown(self) -> str:
        """The unknown cards in words; '' if only one state is consistent, because all unseen cards are alike."""
        if len(set(self.unseen)) <= 1:
            return ""
        kinds = [(sum(self._known.down), "face-down card", ""), (self._known.undealt, "card", " still to be dealt")]
        return " and ".join(f"{count} {card}{'s' * (count != 1)}{where}" for count, card, where in kinds if count)

    @property
    def down(self) -> tuple[int, ...]:
        """How many cards of each pile are unknown: they lie face down and were never seen."""
        return tuple([0 if all(pile) else pile.count(None) for pile in self.piles])  # `count` is slow

    @property
    def outcome(self) -> Outcome | None:
        """WON, STUCK when no move is left, or None while the game goes on."""
        return self._any().outcome

    def legal_moves(self) -> tuple[MoveT, ...]:
        """Return the legal moves, which do not depend on hidden cards."""
        return self._any().legal_moves()

    def laid(self, cards: Sequence[Card]) -> StateT:
        """Return the state with the unseen cards in this order: pile by pile from the bottom, then the stock's."""
        if sorted(cards, key=_INDEX) != list(self.unseen):
            raise ValueError(f"expected the {len(self.unseen)} unseen cards, in any order")
        return self._lay(cards)

    def sample(self, rng: random.Random) -> StateT:
        """Return a uniformly random consistent state: every order of the unseen cards is consistent."""
        cards = list(self.unseen)
        rng.shuffle(cards)
        return self._lay(cards)

    def _any(self) -> StateT:
        """Return some consistent state, for questions that do not depend on hidden cards."""
        known = self._known
        if known.some_state is None:
            known.some_state = self._lay(self.unseen)
        state: StateT = known.some_state
        return state

    def laid_for(self, shown: Shown[MoveT]) -> StateT:
        """Return a state in which the move reveals these cards."""
        return self.laid(self._order(shown.cards, self._made(shown.move, shown.cards)))

    def _order(self, cards: Sequence[Card], made: _Made) -> list[Card]:
        """Return the unseen cards in an order in which the move reveals these cards."""
        down = self._known.down
        first, order = sum(down), _without(self.unseen, cards)
        turned = (sum(down[:number]) - 1 for number in made.turned)
        for place, card in sorted(zip((*range(first, first + made.dealt), *turned), cards, strict=True)):
            order.insert(place, card)
        return order

    def play(self, move: MoveT | Shown[MoveT]) -> Self:
        """Return the view after the move, which names the cards it reveals. IllegalMoveError if it is impossible."""
        shown = as_shown(move)
        try:
            made = self._made(shown.move, shown.cards)
        except IllegalMoveError as error:
            raise self._refuse(move, error.reason) from None
        if reason := self.refusal(shown, made.dealt + len(made.turned)):
            raise self._refuse(move, reason)
        self._known.made = None  # otherwise a view would keep all its successors alive
        view: Self = made.view
        if made.turned:
            state: Any = self._lay(self._order(shown.cards, made))
            view = state.play(shown.move).view()
        return view

    def _refuse(self, move: MoveT | Shown[MoveT], reason: str) -> IllegalMoveError:
        return IllegalMoveError(move.token, " / ".join(str(self).splitlines()), reason)


@dataclass(frozen=True, slots=True)
class SeenTable(HiddenView[Any, Any]):
    """The view in games without a view class of their own: the board with its unknown cards masked."""

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
    """Return the view of a state with this board; an `OpenView` if nothing is unknown."""
    if not any(map(any, board.hidden.values())):
        return OpenView(state)
    return SeenTable(state.game_id, state.rules, board.seen())


def unknown_in(state: Any) -> str:
    """Return in words what is unknown in a state or view; '' for a state, and for a view with one consistent state."""
    return str(getattr(state, "unknown", "some cards are unknown")) if hasattr(state, "sample") else ""


def refusal_of(view: Any) -> str:
    """Return why no solver accepts a view, and what to use instead."""
    unknown = unknown_in(view)
    if not unknown:
        return "expected a state and not a view: nothing is unknown here, so pass the state that it shows"
    return (
        f"unknown: {unknown}. A position with unknown cards is never solved as if they were known: `estimate` tells the"
        " chance to win it, and `view.sample` deals the rest by chance"
    )


def _without(cards: Iterable[Card], told: Iterable[Card]) -> list[Card]:
    """Return the cards without the named ones, each left out as often as it is named."""
    counts, left = Counter(told), []
    for card in cards:
        if counts.get(card):
            counts[card] -= 1
        else:
            left.append(card)
    return left


def as_shown(move: MoveT | Shown[MoveT]) -> Shown[MoveT]:
    """Return the move as `Shown`, with no cards if it names none."""
    return move if isinstance(move, Shown) else Shown(move, ())


def miscounted(verb: str, count: int, told: int) -> str:
    """Return the message for a move that `verb` so many cards, when another number is named."""
    return f"it {verb} {count or 'no'} card{'s' * (count != 1)}, and {told or 'none'} {is_or_are(told)} told"


def is_or_are(count: int) -> str:
    """Return 'are' for several, else 'is'."""
    return "are" if count > 1 else "is"


def is_known(view: Any) -> bool:
    """Return whether no card is hidden: none is unseen, or all unseen ones are alike."""
    return not view.unknown
