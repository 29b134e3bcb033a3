"""Which engine serves: the native one where it is there, the Python rules otherwise or on request."""

from __future__ import annotations

import os
import sys
from array import array
from functools import cache
from types import ModuleType

from unshuffle.errors import UsageError

VARIABLE = "UNSHUFFLE_ENGINE"


@cache
def _native_module() -> ModuleType | None:
    try:
        from unshuffle import _engine
    except ImportError:
        return None
    return _engine


@cache
def _say_missing() -> None:
    print("unshuffle: the native engine is not installed; the Python side serves, complete but slow", file=sys.stderr)


def native() -> ModuleType | None:
    """The native module, or None where the Python side is to serve. Says once if the engine is missing."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", "native", "python"):
        raise UsageError(f"{VARIABLE}={wanted!r} is not known; expected native or python")
    if wanted == "python":
        return None
    module = _native_module()
    if module is None and wanted == "native":
        raise UsageError(
            f"{VARIABLE}=native, but the native engine is not installed (a Rust toolchain and `pip install .`)"
        )
    if module is None:
        _say_missing()
    return module


def read_scores(packed: bytes) -> array[int]:
    """The scores of many games, of which the engine tells each in two bytes, the lower first."""
    scores = array("h", packed)
    if sys.byteorder == "big":
        scores.byteswap()
    return scores


def describe_engine() -> str:
    """The word for `--version`: native or python."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted == "":
        return "python" if _native_module() is None else "native"
    return "python" if native() is None else "native"
