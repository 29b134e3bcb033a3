"""`--save-wins DIR`: one text file per win, for people to read and for `unshuffle verify` to check."""

from __future__ import annotations

import hashlib
import io
import os
import re
from pathlib import Path

import unshuffle as un
from unshuffle.cli import show
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame
from unshuffle.solve import Result, replay

_UNSAFE = re.compile(r"[^A-Za-z0-9@+=.-]")


class Histories:
    """A folder with a file for each win."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--save-wins: cannot make the folder {str(folder)!r}: {error.strerror}") from None

    def save(self, game: AnyGame, result: Result) -> Path:
        """Write the file, whole or not at all, and return its path."""
        path = self._folder / file_name(game, result)
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            draft.write_text(history(game, result), encoding="utf-8")
            draft.replace(path)
        except OSError as error:
            raise UsageError(f"--save-wins: cannot write {str(path)!r}: {error.strerror}") from None
        finally:
            draft.unlink(missing_ok=True)
        return path


def file_name(game: AnyGame, result: Result) -> str:
    """The deal's id with nothing in it that a file system minds; a typed deal is named by its text."""
    layout = game.format(result.state)
    name = result.state.id or f"{game}@typed-{hashlib.sha256(layout.encode()).hexdigest()[:12]}"
    return _UNSAFE.sub("_", name) + ".txt"


def history(game: AnyGame, result: Result) -> str:
    """The start as layout text, and in comments the moves, the end and the line of tokens."""
    page = show.Page(io.StringIO())
    line = replay(result.state, result.moves)
    search = f"{show.plural(result.stats.nodes, 'node')}, {show.duration(result.stats.seconds)}"
    start = [
        f"# {result.state.id or f'{game} (typed)'}: won in {show.plural(len(line.moves), 'move')}",
        f"# unshuffle {un.__version__}, {result.engine} engine, {search}",
        "",
        *game.format(result.state).splitlines(),
        "",
    ]
    rest = [
        *show.moves_in_words(page, game, line),
        "",
        "The end:",
        *show.picture(page, game, line.states[-1]),
        "",
        f"Moves: {' '.join(move.token for move in line.moves)}",
    ]
    return "\n".join(start + [f"# {row}".rstrip() for row in rest]) + "\n"
