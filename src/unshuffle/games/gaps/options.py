"""Options of Gaps in `solve`, `advise` and `values build`, beside those of every game.

This module has the fields and their meaning. The command line makes options of them, and reads and prints.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar

from unshuffle.options import GameOptions, option

_WITHOUT = (
    "Search techniques to switch off, separated by commas: closure, alone, bound, history, ordering, facts, learned,"
    " widening, hops, table."
)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


@dataclass(frozen=True, kw_only=True)
class SolveOptions(GameOptions):
    """The options of a search."""

    examples: ClassVar[tuple[str, ...]] = (
        "unshuffle solve gaps --seed 7 --variant addiction-one-deal --stats",
        "unshuffle solve gaps board.txt --maximize --without bound,history --stats",
    )

    without: str = option(_WITHOUT, "NAMES", default="")

    @property
    def switched_off(self) -> list[str]:
        """The techniques to switch off."""
        return _names(self.without)

    def notes(self, game: Any, table: Any = None) -> list[str]:
        """Return a note for the reader if techniques are switched off."""
        return [f"Without: {', '.join(self.switched_off)}."] if self.without else []


class Model(StrEnum):
    """The model of the app's shuffle, for further passes through the same game."""

    NONE = "none"
    BOARD = "board"
    LOCKED = "locked"
    ORDER = "order"
    PERMUTATION = "permutation"


@dataclass(frozen=True, kw_only=True)
class AdviseOptions(GameOptions):
    """The limits of the search of a phase, and what is known beforehand."""

    examples: ClassVar[tuple[str, ...]] = (
        "unshuffle advise gaps",
        "unshuffle advise gaps --id my-game --seconds 10",
        "unshuffle advise gaps board.txt --variant montana --json",
        "unshuffle advise gaps --import old-save.json",
    )

    memory: str = option("Memory for the search, such as 1GiB.", "SIZE", default="100MB")
    threads: int | None = option("Cores for the search.  [default: all]", "N", min=1, max=256)
    model: Model | None = option(
        "How the app is assumed to redeal when the same game is played again; kept in the save.  [default: locked]"
    )
    without: str = option(_WITHOUT, "NAMES", default="")
    import_: Path | None = option("Start a game from a flat JSON save of 52 cells.", "FILE")

    @property
    def effort(self) -> dict[str, Any]:
        """The options as the adviser takes them."""
        model = None if self.model is None else self.model.value
        said: dict[str, Any] = {"memory": self.memory, "threads": self.threads, "model": model}
        if self.without:
            said["without"] = _names(self.without)
        return {name: value for name, value in said.items() if value is not None}

    @property
    def import_file(self) -> Path | None:
        """The save of another program."""
        return self.import_


@dataclass(frozen=True, kw_only=True)
class BuildOptions(GameOptions):
    """The table of values to build, and the number of samples."""

    examples: ClassVar[tuple[str, ...]] = ("unshuffle values build gaps --variant addiction --samples 200 --seed 1",)

    variant: str | None = option("The variant whose redeals are valued.  [default: addiction]", "NAME")
    levels: int | None = option("Values for 1 to N redeals left.  [default: 3]", "N")
    samples: int | None = option("Redeals for each shape.  [default: 200]", "N")
    boards: int | None = option(
        "Search all boards, for an exact value, where a redeal brings at most N.  [default: 200,000]", "N"
    )
    nodes: int | None = option("The most positions that a search may expand.  [default: 2,000,000]", "N")


OPTIONS = {"advise": AdviseOptions, "solve": SolveOptions, "values build": BuildOptions}
