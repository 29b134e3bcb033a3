"""Files that take long to build: what is done is kept beside them."""

from __future__ import annotations

from pathlib import Path


def partial_of(out: Path) -> Path:
    """Where what is done is kept until all is done."""
    return out.with_name(out.name + ".part")
