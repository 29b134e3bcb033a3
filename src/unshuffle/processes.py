"""Processes of this machine, and whether they are still there: what a dead one has left behind may be cleared away."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from zlib import crc32

_ENDED = "ended"


def host() -> str:
    """The name of this machine."""
    return platform.node() or "localhost"


@cache
def neighbourhood() -> str:
    """Eight digits for the processes that can be seen from here; those of another machine or container have others."""
    facts = [host()]
    # Names of machines are given twice, and containers have numbers of their own (Linux; elsewhere the name must do).
    with suppress(OSError):
        facts.append(Path("/etc/machine-id").read_text(encoding="utf-8", errors="replace"))
    with suppress(OSError):
        facts.append(os.readlink("/proc/self/ns/pid"))
    return f"{crc32(' '.join(facts).encode()):08x}"


def start_of(pid: int) -> str | None:
    """When the process began, where the system tells it (Linux): clock ticks since this boot."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8")[:8]
    except OSError:
        return None
    state, *fields = stat.rpartition(")")[2].split()
    # A zombie has ended; only its parent has not yet looked.
    return None if len(fields) < 19 else f"{_ENDED if state in 'ZX' else fields[18]}-{boot}"


def is_alive(pid: int, start: str | None = None) -> bool:
    """Whether the process is there; with `start`, whether it is the one that began then."""
    if sys.platform == "win32":
        return True  # nothing is known: there a signal, even none, would end it
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass  # it is there, and belongs to somebody else
    present = start_of(pid)
    if present is None:
        return True
    # A number that was given to another process since is not the process that began then.
    return not present.startswith(_ENDED) if start is None else start == present
