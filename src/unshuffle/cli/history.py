"""`--save-wins DIR`: one text file per win, for people to read and for `unshuffle verify` to check."""

from __future__ import annotations

import hashlib
import io
import re
from pathlib import Path

import unshuffle as un
from unshuffle.cli import show
from unshuffle.errors import UsageError
from unshuffle.files import write_whole
from unshuffle.game import AnyGame
from unshuffle.solve import Line

_UNSAFE = re.compile(r"[^A-Za-z0-9@+=.-]")


class Histories:
    """A folder with a file for each win."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--save-wins: cannot make the folder {str(folder)!r}: {error.strerror}") from None

    def save(self, game: AnyGame, line: Line, how: str) -> Path:
        """Write the file atomically, and return its path."""
        path = self._folder / file_name(game, line)
        try:
            write_whole(path, history(game, line, how).encode())
        except OSError as error:
            raise UsageError(f"--save-wins: cannot write {str(path)!r}: {error.strerror}") from None
        return path


def file_name(game: AnyGame, line: Line) -> str:
    """Return a safe file name: from the deal's id, or for a typed deal from a hash of its text and redeals."""
    state = line.states[0]
    redeals = [move.token for move in line.moves if game.is_told_redeal(move)]
    typed = hashlib.sha256("".join([game.format(state), *redeals]).encode())
    return _UNSAFE.sub("_", state.id or f"{game}@typed-{typed.hexdigest()[:12]}") + ".txt"


def history(game: AnyGame, line: Line, how: str) -> str:
    """Return the start as layout text, followed by comments: the moves, the end and the line of tokens."""
    page = show.Page(io.StringIO())
    state = line.states[0]
    start = [
        f"# {state.id or f'{game} (typed)'}: won in {show.plural(len(line.moves), 'move')}",
        f"# unshuffle {un.__version__}, {how}",
        "",
        *game.format(state).splitlines(),
        "",
    ]
    if show.count_deals(state) > 1:
        rest = list(show.play_rows(page, game, line))
    else:
        rest = [*show.moves_in_words(page, game, line), "", "The end:", *show.picture(page, game, line.states[-1]), ""]
    rest.append(f"Moves: {' '.join(move.token for move in line.moves)}")
    return "\n".join(start + [f"# {row}".rstrip() for row in rest]) + "\n"
