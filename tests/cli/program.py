"""The program, run in this process where that is enough and in one of its own where processes matter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

PROGRAM = [sys.executable, "-m", "unshuffle"]
WON, LOST = 3, 6
"""Deal numbers of belle-lucie/one-deal; both are decided in a blink on either engine."""


@dataclass(frozen=True)
class Ended:
    """What a run left behind."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[Any]:
        """Stdout as JSON objects, one per line."""
        return [json.loads(line) for line in self.out.splitlines()]


def environment(**changes: str) -> dict[str, str]:
    """The environment of a new process: the engine that is under test, no settings of the person who runs it."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "UNSHUFFLE_DEBUG")}
    return {**kept, "TERM": "xterm", **changes}


def program(*arguments: str | os.PathLike[str], stdin: str | bytes = b"", **changes: str) -> Ended:
    """Run the real program to its end."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    ended = subprocess.run(
        [*PROGRAM, *arguments], input=data, capture_output=True, env=environment(**changes), timeout=120, check=False
    )
    out, err = ended.stdout.decode(), ended.stderr.decode()
    assert "Traceback" not in out + err, out + err
    return Ended(ended.returncode, out, err)
