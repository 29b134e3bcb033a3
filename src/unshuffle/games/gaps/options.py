"""What `unshuffle advise gaps` takes beyond the options of every game: how long it thinks, and what an app may do.

Only what the options mean is here. The command line makes options of the fields, and reads and prints.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar


class Model(StrEnum):
    """What is thought of the app that shuffles, when the same game is played again."""

    NONE = "none"
    BOARD = "board"
    LOCKED = "locked"
    ORDER = "order"
    PERMUTATION = "permutation"


@dataclass(frozen=True, kw_only=True)
class AdviseOptions:
    """How much thought a phase is given, and what is known beforehand."""

    examples: ClassVar[tuple[str, ...]] = (
        "unshuffle advise gaps",
        "unshuffle advise gaps --id my-game --seconds 10",
        "unshuffle advise gaps board.txt --variant montana --json",
        "unshuffle advise gaps --import old-save.json",
    )

    seconds: float = field(
        default=2.0, metadata={"metavar": "S", "help": "Time for the plan of a phase.", "min": 0.01, "max": 86400}
    )
    memory: str = field(default="100MB", metadata={"metavar": "SIZE", "help": "Memory for its search, such as 1GiB."})
    threads: int | None = field(
        default=None, metadata={"metavar": "N", "help": "Cores for it.  [default: all]", "min": 1, "max": 256}
    )
    model: Model | None = field(
        default=None,
        metadata={
            "help": "What the app is thought to do when the same game is played again; kept in the save."
            "  [default: locked]"
        },
    )
    import_: Path | None = field(
        default=None, metadata={"metavar": "FILE", "help": "Begin a game with a flat JSON save of 52 cells."}
    )

    @property
    def effort(self) -> dict[str, Any]:
        """As the adviser takes it."""
        model = None if self.model is None else self.model.value
        said = {"seconds": self.seconds, "memory": self.memory, "threads": self.threads, "model": model}
        return {name: value for name, value in said.items() if value is not None}

    @property
    def asks_open(self) -> bool:
        """All cards lie open, and a search is what the advice is made of."""
        return False

    @property
    def import_file(self) -> Path | None:
        """The save of another program."""
        return self.import_


OPTIONS = {"advise": AdviseOptions}
