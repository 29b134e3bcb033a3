"""What `solve gaps` and `advise gaps` take beyond the options of every game: techniques, memory, models of an app.

Only what the options mean is here. The command line makes options of the fields, and reads and prints.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar

from unshuffle.options import GameOptions, option

_WITHOUT = (
    "Techniques of the search to do without, with commas: closure, alone, bound, history, ordering, facts, learned,"
    " widening, hops, table."
)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


@dataclass(frozen=True, kw_only=True)
class SolveOptions(GameOptions):
    """How the search is done."""

    examples: ClassVar[tuple[str, ...]] = (
        "unshuffle solve gaps --seed 7 --variant addiction-one-deal --stats",
        "unshuffle solve gaps board.txt --maximize --without bound,history --stats",
    )

    without: str = option(_WITHOUT, "NAMES", default="")

    @property
    def switched_off(self) -> list[str]:
        """Techniques that a search is to do without."""
        return _names(self.without)

    def notes(self, game: Any, table: Any = None) -> list[str]:
        """What the answer is not the usual search's, if it is not."""
        return [f"Without: {', '.join(self.switched_off)}."] if self.without else []


class Model(StrEnum):
    """What is thought of the app that shuffles, when the same game is played again."""

    NONE = "none"
    BOARD = "board"
    LOCKED = "locked"
    ORDER = "order"
    PERMUTATION = "permutation"


@dataclass(frozen=True, kw_only=True)
class AdviseOptions(GameOptions):
    """How much thought a phase is given, and what is known beforehand."""

    examples: ClassVar[tuple[str, ...]] = (
        "unshuffle advise gaps",
        "unshuffle advise gaps --id my-game --seconds 10",
        "unshuffle advise gaps board.txt --variant montana --json",
        "unshuffle advise gaps --import old-save.json",
    )

    memory: str = option("Memory for its search, such as 1GiB.", "SIZE", default="100MB")
    threads: int | None = option("Cores for it.  [default: all]", "N", min=1, max=256)
    model: Model | None = option(
        "What the app is thought to do when the same game is played again; kept in the save.  [default: locked]"
    )
    without: str = option(_WITHOUT, "NAMES", default="")
    import_: Path | None = option("Begin a game with a flat JSON save of 52 cells.", "FILE")

    @property
    def effort(self) -> dict[str, Any]:
        """As the adviser takes it."""
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
    """Which values are built, and from how much."""

    examples: ClassVar[tuple[str, ...]] = ("unshuffle values build gaps --variant addiction --samples 200 --seed 1",)

    variant: str | None = option("The variant whose redeals are valued.  [default: addiction]", "NAME")
    levels: int | None = option("For 1 to N redeals left.  [default: 3]", "N")
    samples: int | None = option("Redeals for each shape.  [default: 200]", "N")
    boards: int | None = option(
        "Search all boards, for an exact value, where a redeal brings at most N.  [default: 200,000]", "N"
    )
    nodes: int | None = option("Positions that a search may look at.  [default: 2,000,000]", "N")


OPTIONS = {"advise": AdviseOptions, "solve": SolveOptions, "values build": BuildOptions}
