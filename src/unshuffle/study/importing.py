"""Import of other programs' results, and export of ours in their formats.

A game's manifest names a module for it, with `import_file` and `write_file` as here but without the game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import unshuffle as un
from unshuffle.errors import UsageError, quote
from unshuffle.registry import games_with
from unshuffle.store import Store

Progress = Callable[[int, int], object]
"""Called with the number of wins that were read and with the number of all wins."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import."""

    study: str
    batches: int
    """Batches stored by this import."""
    known: int
    """Batches that were stored before, and are left out."""
    wins: int
    """Wins in the new batches; the line of each was replayed."""
    decks: int
    strategies: int
    compared: int
    """Wins whose list is one of ours, so that our policy has played it too."""
    agreed: int
    """Compared wins with the same line, the same score and the same rule counts."""
    differing: tuple[int, ...]
    """The numbers, in the other program, of the compared wins that do not agree."""


def import_file(
    store: Store,
    game_id: str,
    path: str | Path,
    *,
    name: str | None = None,
    numbering: str = "v1",
    progress: Progress | None = None,
) -> Imported:
    """Import a results file into a study, all or nothing. The default name of the study is that of the file.

    Batches that are stored already are left out, so importing a file again adds what is new in it.
    """
    known = games_with("results")
    if game_id not in known:
        raise UsageError(
            f"there is no other program whose results of {quote(game_id)} can be imported;"
            f" there is of {', '.join(known)}"
        )
    program = un.game(game_id).own("results")
    done: Imported = program.import_file(store, path, name=name, numbering=numbering, progress=progress)
    return done


def write_file(store: Store, study: str, path: Path) -> int:
    """Write the wins of a study in the format of its game's other program, all or nothing, and return their number."""
    known = games_with("results")
    played = {run.game for run in store.runs(study)} | {batch.game for batch in store.batches(study)}
    game, *others = [each for each in known if each in played] or known[:1]
    if others:
        raise UsageError(f"the study {study!r} has games of {', '.join((game, *others))}, and a file has one game")
    wins: int = un.game(game).own("results").write_file(store, study, path)
    return wins
