"""A law of the contract, and the deal on which it is tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from unshuffle.errors import IllegalMoveError
from unshuffle.game import AnyGame


class BrokenError(Exception):
    """A law does not hold: what is wrong, in a sentence."""


@dataclass
class Case:
    """One deal of a game. It remembers how far a law has come, so that a failure can be shown with its position."""

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
    """Whether it is a late position, or led to from one, and not from the deal."""
    passed: int = 0
    """Searches that hit the limit, so that nothing was compared."""

    @property
    def rng(self) -> Random:
        """A generator of its own for every use: what is drawn in one place changes nothing in another."""
        return Random(self.seed)

    def line(self, steps: int | None = None) -> Iterator[Any]:
        """The states along one line of random play, from the deal on."""
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
        """The state after a legal move of the position."""
        try:
            return self.state.play(move)
        except IllegalMoveError as error:
            raise BrokenError(f"`play` refuses {move.token!r}, which `legal_moves` lists: {error.reason}") from None

    def late(self) -> Iterator[Any]:
        """Late positions, which are soon searched out."""
        for state in self.game.small_states(self.seed):
            self.state, self.moves, self.is_late = state, [], True
            yield state


@dataclass(frozen=True)
class Law:
    """One law: what every game promises."""

    name: str
    """`cards`."""
    says: str
    """The law as a sentence."""
    check: Callable[[Case], None]
    """Raises BrokenError, or what the game raises, where the law does not hold."""
    asks_engine: bool
    """Whether its answer may depend on which engine serves."""
    concerns: Callable[[AnyGame], bool]
    """Whether it says anything of this game."""


def law(
    *, asks_engine: bool = False, concerns: Callable[[AnyGame], bool] = lambda game: True
) -> Callable[[Callable[[Case], None]], Law]:
    """Make a law of a function, whose docstring says it."""

    def make(check: Callable[[Case], None]) -> Law:
        says = (check.__doc__ or "").partition("\n")[0].rstrip(".")
        return Law(check.__name__.replace("_", "-"), says, check, asks_engine, concerns)

    return make
