"""The replay by the Python rules that every line passes before it is returned: only a replayed win is a win."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from unshuffle.errors import IllegalMoveError, InternalError
from unshuffle.game import AnyGame, Outcome
from unshuffle.registry import game_of
from unshuffle.solve.result import Status


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play: the states it passes through, the start first, and the moves between them."""

    states: tuple[Any, ...]
    moves: tuple[Any, ...]

    @property
    def outcome(self) -> Outcome | None:
        """The outcome at the end of the line."""
        outcome: Outcome | None = self.states[-1].outcome
        return outcome

    @property
    def score(self) -> int:
        """The score at the end of the line."""
        return int(self.states[-1].score)

    def _repr_html_(self) -> str:
        from unshuffle.notebook import write_line  # rarely needed

        return write_line(game_of(self.states[0]), self)


def moves_in_columns(game: AnyGame, line: Line) -> Iterator[tuple[str, str, str, str]]:
    """Yield for each move its number, class, token and description; the first three are padded to columns."""
    words = [game.describe(state, move) for state, move in zip(line.states, line.moves, strict=False)]
    number_width = len(str(len(words)))
    kind_width = max((len(word.kind) for word in words), default=0)
    token_width = max((len(move.token) for move in line.moves), default=0)
    for number, (move, word) in enumerate(zip(line.moves, words, strict=True), 1):
        yield f"{number:>{number_width}}", word.kind.ljust(kind_width), move.token.ljust(token_width), word.text


def numbered(game: AnyGame, line: Line) -> list[str]:
    """Return a line of text for each move."""
    return ["  ".join(columns) for columns in moves_in_columns(game, line)]


def replay(state: Any, moves: Iterable[Any]) -> Line:
    """Play the moves and return the line. Raise IllegalMoveError if the rules forbid a move."""
    states = [state]
    played = []
    for move in moves:
        states.append(states[-1].play(move))
        played.append(move)
    return Line(tuple(states), tuple(played))


def check(
    state: Any, moves: tuple[Any, ...], status: Status, score: int, engine: str, *, is_shorter: bool = False
) -> Line:
    """Replay the line of a search and return it. Raise InternalError, for a bug, if the claim does not hold.

    `is_shorter`: moves were left out of the line, so the score may be greater than `score` where moves cost points.
    """

    def evidence() -> str:
        return (
            f"deal: {state.id or 'typed'}\nrules: {state.rules!r}\nposition:\n{state}"
            f"moves: {' '.join(move.token for move in moves)}\nclaimed: {status}, score {score}, engine {engine}"
        )

    try:
        line = replay(state, moves)
    except IllegalMoveError as error:
        raise InternalError(f"the {engine} search plays a move that the rules forbid ({error})", evidence()) from error
    if line.score < score or (line.score > score and not is_shorter):
        raise InternalError(f"the {engine} search claims score {score}, its line scores {line.score}", evidence())
    if (status is Status.SOLVED) != (line.outcome is Outcome.WON):
        raise InternalError(f"the {engine} search says {status}, its line ends {line.outcome}", evidence())
    return line
