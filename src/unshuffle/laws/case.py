"""A law of the contract, and the deal on which it is tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from unshuffle.errors import IllegalMoveError
from unshuffle.game import AnyGame


class BrokenError(Exception):
    """A law does not hold; the message says why, in a sentence."""


@dataclass
class Case:
    """One deal of a game, and the position that a law has reached, so that a failure can be shown with it."""

    game: AnyGame
    seed: int
    steps: int = 25
    """The longest line of random play."""
    nodes: int | None = None
    """The most positions that one search may expand; None: no limit."""
    state: Any = None
    """The position on which the law is tried."""
    moves: list[Any] = field(default_factory=list)
    """The moves that led to it."""
    is_late: bool = False
    """Whether the moves start at a late position (see `late`) and not at the deal."""
    passed: int = 0
    """How many searches hit the limit, so that nothing was compared."""

    @property
    def rng(self) -> Random:
        """A new generator for every use, so that draws in one place do not change those in another."""
        return Random(self.seed)

    def line(self, steps: int | None = None) -> Iterator[Any]:
        """Yield the states along one line of random play, from the deal on."""
        rng = self.rng
        self.moves, self.is_late = [], False
        self.state = self.game.deal(self.seed)
        yield self.state
        for _ in range(self.steps if steps is None else min(steps, self.steps)):
            legal = self.state.legal_moves()
            if not legal:
                return
            move = rng.choice(legal)
            self.state = self.play(move)
            self.moves.append(move)
            yield self.state

    def play(self, move: Any) -> Any:
        """Return the state after a legal move. Raise BrokenError if `play` refuses the move."""
        try:
            return self.state.play(move)
        except IllegalMoveError as error:
            raise BrokenError(f"`play` refuses {move.token!r}, which `legal_moves` lists: {error.reason}") from None

    def late(self) -> Iterator[Any]:
        """Yield late positions, which a search exhausts quickly."""
        for state in self.game.small_states(self.seed):
            self.state, self.moves, self.is_late = state, [], True
            yield state


@dataclass(frozen=True)
class Law:
    """A property that every game must have."""

    name: str
    """The name to select it by, such as `cards`."""
    says: str
    """The law as a sentence."""
    check: Callable[[Case], None]
    """Raises BrokenError, or whatever the game raises, if the law does not hold."""
    asks_engine: bool
    """Whether the result may depend on the engine in use."""
    concerns: Callable[[AnyGame], bool]
    """Whether the law applies to a game."""


def law(
    *, asks_engine: bool = False, concerns: Callable[[AnyGame], bool] = lambda game: True
) -> Callable[[Callable[[Case], None]], Law]:
    """Return a decorator that makes a law of a function; the first line of its docstring states the law."""

    def make(check: Callable[[Case], None]) -> Law:
        says = (check.__doc__ or "").partition("\n")[0].rstrip(".")
        return Law(check.__name__.replace("_", "-"), says, check, asks_engine, concerns)

    return make
