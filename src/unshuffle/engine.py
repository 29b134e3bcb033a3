"""The choice of the engine: the native one if installed, the Python rules otherwise or on request."""

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
    """Return the native module; None to use the Python rules. Says once on stderr if the engine is missing."""
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
    """Return the scores of many games, which the engine packs as two bytes each, the lower first."""
    scores = array("h", packed)
    if sys.byteorder == "big":
        scores.byteswap()
    return scores


def describe_engine() -> str:
    """Return the word for `--version`: native or python."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted == "":
        return "python" if _native_module() is None else "native"
    return "python" if native() is None else "native"
