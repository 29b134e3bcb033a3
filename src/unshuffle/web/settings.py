"""The settings of the server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HOST = "127.0.0.1"
PORT = 8650
SECONDS = 600.0
"""The default of the highest time limit that a job may ask for."""
MEMORY = 1 << 30
"""Bytes for all jobs together; each has an equal share."""
BODY = 1 << 20
"""The most bytes of a request: ten times the longest layout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The folder of saves, the store, and the limits of requests."""

    saves: Path
    store: Path
    jobs: int
    host: str = HOST
    seconds: float = SECONDS
    memory: int = MEMORY
    body: int = BODY
    queue: int = 32
    """The most queued jobs."""
    tables: int = 256
    """The most tables in memory; others are read again from their saves."""

    @property
    def memory_of_job(self) -> int:
        """The memory limit of one job, in bytes."""
        return self.memory // self.jobs
