"""Processes of this machine, and whether they still run: the leftovers of dead ones may be removed."""

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
    """Return the name of this machine."""
    return platform.node() or "localhost"


@cache
def neighbourhood() -> str:
    """Return eight hex digits for the processes visible from here; other machines and containers have other digits."""
    facts = [host()]
    # Machine names are not unique, and containers have process ids of their own (Linux; elsewhere the name must do).
    with suppress(OSError):
        facts.append(Path("/etc/machine-id").read_text(encoding="utf-8", errors="replace"))
    with suppress(OSError):
        facts.append(os.readlink("/proc/self/ns/pid"))
    return f"{crc32(' '.join(facts).encode()):08x}"


def start_of(pid: int) -> str | None:
    """Return when the process began, where the system tells it (Linux): clock ticks since boot, and the boot's id."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8")[:8]
    except OSError:
        return None
    state, *fields = stat.rpartition(")")[2].split()
    # A zombie has ended; its parent has not waited for it yet.
    return None if len(fields) < 19 else f"{_ENDED if state in 'ZX' else fields[18]}-{boot}"


def is_alive(pid: int, start: str | None = None) -> bool:
    """Return whether the process runs; with `start`, whether it is the process that began then."""
    if sys.platform == "win32":
        return True  # unknown: on Windows any signal, even 0, would end the process
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass  # it exists and belongs to another user
    present = start_of(pid)
    if present is None:
        return True
    # With another start time, the id was reused by another process.
    return not present.startswith(_ENDED) if start is None else start == present
