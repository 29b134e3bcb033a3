"""The limits of a search."""

from __future__ import annotations

import re
from dataclasses import dataclass
from numbers import Integral, Real

from unshuffle.errors import ParseError, UsageError, quote

DEFAULT_MEMORY = 1 << 30
MOST_THREADS = 1024
"""The limit of the engine, which holds for the Python side too."""
_MOST = (1 << 63) - 1
"""The greatest limit that the engine and a store can hold."""
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30}
_MEMORY = re.compile(r"(?P<number>[0-9]{1,15}(?:\.[0-9]{1,6})?)[ \t]*(?P<unit>[A-Za-z]{0,3})")


def parse_memory(text: str | int) -> int:
    """Return the bytes that a number, or text such as 100MB or 1GiB, stands for."""
    if not isinstance(text, str):
        return text  # `Limits` checks it
    match = _MEMORY.fullmatch(text.strip())
    if match is None or match["unit"].upper() not in _UNITS:
        raise ParseError(f"{quote(text)} is not an amount of memory; expected bytes, or text such as 100MB or 1GiB")
    return int(float(match["number"]) * _UNITS[match["unit"].upper()])


@dataclass(frozen=True, slots=True)
class Limits:
    """Nodes, seconds and bytes for one deal; None is no limit."""

    nodes: int | None = None
    seconds: float | None = None
    memory: int = DEFAULT_MEMORY

    def __post_init__(self) -> None:
        if self.nodes is not None and not isinstance(self.nodes, Integral):
            raise UsageError(f"nodes={self.nodes!r} is not a whole number")
        if self.nodes is not None and self.nodes < 0:
            raise UsageError(f"nodes={self.nodes} is negative")
        # Not `seconds < 0`: NaN must raise, too.
        if self.seconds is not None and not (isinstance(self.seconds, Real) and self.seconds >= 0):
            raise UsageError(f"seconds={self.seconds!r} is not a time")
        if not isinstance(self.memory, Integral) or self.memory <= 0:
            raise UsageError(f"memory={self.memory!r} is not an amount of memory")
        for name, limit in (("nodes", self.nodes), ("memory", self.memory)):
            if limit is not None and limit > _MOST:
                raise UsageError(f"{name}={limit} is too great; it may be {_MOST} at the most")


def check_threads(threads: int | None) -> int | None:
    """Return the number of threads, None for all cores. Raise UsageError if it is out of range."""
    if threads is not None and not (isinstance(threads, Integral) and 1 <= threads <= MOST_THREADS):
        raise UsageError(f"threads={threads!r} is not allowed; it may be 1..{MOST_THREADS}")
    return threads
