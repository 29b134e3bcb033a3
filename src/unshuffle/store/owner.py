"""Who works on a piece of work, and whether that process is still there."""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

_PATIENCE = timedelta(minutes=10)
"""A claim of another host, whose processes cannot be seen from here, is given up after this time."""

_numbers = count(1)
_active: set[str] = set()


class Owner:
    """One run of this process, by name: 'host:pid:start:number'. Its claims are its own until it is closed."""

    def __init__(self) -> None:
        pid = os.getpid()
        self.name = f"{_host()}:{pid}:{_start_of(pid) or 'unknown'}:{next(_numbers)}"
        _active.add(self.name)

    def __str__(self) -> str:
        return self.name

    def close(self) -> None:
        """Whatever it still claims may be taken over."""
        _active.discard(self.name)


def is_abandoned(owner: str | None, claimed: str | None) -> bool:
    """True if nobody works on this claim any more."""
    parts = (owner or "").rsplit(":", 3)
    if len(parts) != 4 or not parts[1].isdecimal():
        return True
    host, pid, start, _ = parts
    if host != _host() or sys.platform == "win32":
        return _is_old(claimed)
    if int(pid) == os.getpid() and start == (_start_of(int(pid)) or "unknown"):
        return owner not in _active
    return not _is_alive(int(pid), start)


def _host() -> str:
    return platform.node().replace(":", "-") or "localhost"


def _is_alive(pid: int, start: str) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # it is there, and belongs to somebody else
    # A number that was given to another process since is not the process that claimed.
    present = _start_of(pid)
    return present is None or start in ("unknown", present)


def _start_of(pid: int) -> str | None:
    """When the process began, where the system tells it (Linux): clock ticks since this boot."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8")[:8]
    except OSError:
        return None
    state, *fields = stat.rpartition(")")[2].split()
    # A zombie has ended; only its parent has not yet looked.
    return None if len(fields) < 19 else f"{'ended' if state in 'ZX' else fields[18]}-{boot}"


def _is_old(claimed: str | None) -> bool:
    try:
        # From far ahead too: a clock was set back, and nobody would live to see it reached. A process that does go on
        # there finds its claim lost, which costs some work and spoils nothing.
        return abs(datetime.now(UTC) - datetime.fromisoformat(claimed or "")) > _PATIENCE
    except (ValueError, TypeError):
        return True


def now() -> str:
    """The time as stores write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
