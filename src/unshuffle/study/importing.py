"""Results of other programs in our store, and ours as their files: a game's manifest names who reads and writes them.

That is a module with `import_file` and `write_file`, which are called as those here are, without the game.
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
"""Called with the wins that are looked through and with their number."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to."""

    study: str
    batches: int
    """Stored now."""
    known: int
    """Batches that were in the store already, and are not stored again."""
    wins: int
    """Of the batches that are stored now; the line of each was replayed."""
    decks: int
    strategies: int
    compared: int
    """Wins whose list is one of ours, so that our player has played it too."""
    agreed: int
    """Of these: the same line, the same score and the same counts of rules."""
    differing: tuple[int, ...]
    """The numbers of the others, as they are there."""


def import_file(
    store: Store,
    game_id: str,
    path: str | Path,
    *,
    name: str | None = None,
    numbering: str = "v1",
    progress: Progress | None = None,
) -> Imported:
    """Import a results file under the name of a study (the file's own without one): all of it, or nothing.

    Batches that are in the store already are left out, so importing a file again adds what is new in it.
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
    """Write what a study has for the other program of its game, and return the number of wins; whole or not at all."""
    known = games_with("results")
    played = {run.game for run in store.runs(study)} | {batch.game for batch in store.batches(study)}
    game, *others = [each for each in known if each in played] or known[:1]
    if others:
        raise UsageError(f"the study {study!r} has games of {', '.join((game, *others))}, and a file has one game")
    wins: int = un.game(game).own("results").write_file(store, study, path)
    return wins
