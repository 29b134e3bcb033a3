"""A line of play in words, in columns."""

from __future__ import annotations

from collections.abc import Iterator

from unshuffle.game import AnyGame
from unshuffle.solve import Line


def moves_in_columns(game: AnyGame, line: Line) -> Iterator[tuple[str, str, str, str]]:
    """For each move its number, class, token and prose; the first three are padded to their columns."""
    words = [game.describe(state, move) for state, move in zip(line.states, line.moves, strict=False)]
    number_width = len(str(len(words)))
    kind_width = max((len(word.kind) for word in words), default=0)
    token_width = max((len(move.token) for move in line.moves), default=0)
    for number, (move, word) in enumerate(zip(line.moves, words, strict=True), 1):
        yield f"{number:>{number_width}}", word.kind.ljust(kind_width), move.token.ljust(token_width), word.text


def numbered(game: AnyGame, line: Line) -> list[str]:
    """The moves, a line of text each."""
    return ["  ".join(columns) for columns in moves_in_columns(game, line)]


def join(words: list[str], last: str = "and") -> str:
    """'a', 'a and b', 'a, b and c'."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def in_columns(cells: list[str], columns: int = 3) -> list[str]:
    """Cells side by side, read down each column."""
    width = max(map(len, cells), default=0) + 3
    rows = -(-len(cells) // columns)
    return ["".join(cell.ljust(width) for cell in cells[row::rows]).rstrip() for row in range(rows)]
