"""Owners of claims, and whether their processes are still alive."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta
from itertools import count

from unshuffle.numbers import read_whole
from unshuffle.processes import host, is_alive, start_of

_PATIENCE = timedelta(minutes=10)
"""A claim of another host, whose processes cannot be seen from here, expires after this time."""

_UNKNOWN = "unknown"
"""Stands for the start time of a process where the system does not tell it."""

_numbers = count(1)
_active: set[str] = set()


class Owner:
    """An owner of claims in this process, named 'host:pid:start:number'. Its claims hold until it is closed."""

    def __init__(self) -> None:
        pid = os.getpid()
        self.name = f"{_host()}:{pid}:{start_of(pid) or _UNKNOWN}:{next(_numbers)}"
        _active.add(self.name)

    def __str__(self) -> str:
        return self.name

    def close(self) -> None:
        """Mark the owner as gone: its remaining claims may be taken over."""
        _active.discard(self.name)


def is_abandoned(owner: str | None, claimed: str | None) -> bool:
    """Return whether the owner of this claim has ended."""
    parts = (owner or "").rsplit(":", 3)
    pid = read_whole(parts[1]) if len(parts) == 4 else None
    if pid is None:
        return True
    where, _, start, _ = parts
    if where != _host() or sys.platform == "win32":
        return _is_old(claimed)
    if pid == os.getpid() and start == (start_of(pid) or _UNKNOWN):
        return owner not in _active
    return not is_alive(pid, None if start == _UNKNOWN else start)


def _host() -> str:
    return host().replace(":", "-")


def _is_old(claimed: str | None) -> bool:
    try:
        # A claim from the future is old too: a clock was set back, and the claim might never expire. If its process is
        # alive after all, it finds its claim lost, which costs some work and spoils nothing.
        return abs(datetime.now(UTC) - datetime.fromisoformat(claimed or "")) > _PATIENCE
    except (ValueError, TypeError):
        return True


def now() -> str:
    """Return the present time as stores write it: UTC, ISO 8601, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
