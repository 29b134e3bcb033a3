"""A game in play: its states, its moves, and the moves that were taken back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from unshuffle.advise.record import why_not
from unshuffle.errors import ParseError, RefusedError, UsageError
from unshuffle.game import AnyGame
from unshuffle.numbers import plural
from unshuffle.registry import deal
from unshuffle.views import OpenView


@dataclass
class Table:
    """A game from its deal to its current state. The state has all cards; a player is shown only `seen`."""

    game: AnyGame
    start: Any
    name: str
    """The id of its save."""
    created: str = ""
    states: list[Any] = field(default_factory=list)
    """The states from the deal to the current one."""
    moves: list[Any] = field(default_factory=list)
    """The moves between them."""
    undone: list[Any] = field(default_factory=list)
    """Moves that were taken back and can be made again, the next one last."""
    taken_back: int = 0
    """The total number of moves that were taken back."""
    hints: int = 0
    looked: bool = False
    """Whether hidden cards were looked at."""
    by_chance: bool = False
    """Whether unknown cards of a typed deal were dealt at random."""

    def __post_init__(self) -> None:
        self.states = self.states or [self.start]

    @property
    def state(self) -> Any:
        """The current state."""
        return self.states[-1]

    @property
    def seen(self) -> Any:
        """What the player sees of the current state."""
        return seen(self.state)

    @cached_property
    def is_named(self) -> bool:
        """Whether the deal id alone gives the start. A typed position may have an id and still differ."""
        try:
            return self.start.id is not None and bool(self.start == deal(self.start.id))
        except (ParseError, UsageError):  # a save may have an id that is no deal here
            return False

    @property
    def is_open(self) -> bool:
        """Whether nothing is hidden: no card, and no order of a redeal."""
        return isinstance(self.state.view(), OpenView)

    def read(self, tokens: Iterable[str], state: Any = None) -> list[Any]:
        """Return the moves of these tokens, one after the other. Raise ParseError for one that cannot be made."""
        state = self.state if state is None else state
        moves = []
        for token in tokens:
            try:
                moves.append(self.game.parse_move(token, state))
                state = state.play(moves[-1])
            except ValueError as error:
                raise ParseError(why_not(error)) from None
        return moves

    def play(self, move: Any) -> None:
        """Make a legal move. Keep the moves that were taken back only if this is the next of them."""
        if self.undone and self.undone[-1] == move:
            self.undone.pop()
        else:
            self.undone.clear()
        self.states.append(self.state.play(move))
        self.moves.append(move)

    def undo(self, count: int) -> list[Any]:
        """Take moves back, and return them in the order in which they were made."""
        made = len(self.moves)
        if count > made:
            raise RefusedError(f"only {plural(made, 'move')} can be taken back" if made else "no move was made yet")
        taken = self.moves[-count:]
        del self.moves[-count:], self.states[-count:]
        self.undone += reversed(taken)
        self.taken_back += count
        return taken

    def redo(self, count: int) -> list[Any]:
        """Make moves again that were taken back, and return them."""
        undone = len(self.undone)
        if count > undone:
            raise RefusedError(
                f"only {plural(undone, 'move')} can be made again" if undone else "no move was taken back"
            )
        again = self.undone[-count:][::-1]
        for move in again:
            self.play(move)
        return again


def seen(state: Any) -> Any:
    """Return what a player sees of a state: a view; or if all cards are open, the table without coming redeals."""
    view = state.view()
    return getattr(view, "table", view)
