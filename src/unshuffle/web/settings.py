"""What the server was started with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HOST = "127.0.0.1"
PORT = 8650
SECONDS = 600.0
"""No job may ask for more, unless the server was started with more."""
MEMORY = 1 << 30
"""For all jobs together; each has its share."""
BODY = 1 << 20
"""Bytes of a request: ten times the longest layout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where games and results are kept, and what requests may cost."""

    saves: Path
    store: Path
    jobs: int
    host: str = HOST
    seconds: float = SECONDS
    memory: int = MEMORY
    body: int = BODY
    queue: int = 32
    """Jobs that may wait for their turn."""
    tables: int = 256
    """Tables that are kept in memory; the others are read again from their saves."""

    @property
    def memory_of_job(self) -> int:
        """The share of one job."""
        return self.memory // self.jobs
