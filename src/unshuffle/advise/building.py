"""Files that take long to build: what is done is kept beside them."""

from __future__ import annotations

from pathlib import Path

from unshuffle.errors import UsageError, quote


def partial_of(out: Path) -> Path:
    """Where what is done is kept until all is done."""
    return out.with_name(out.name + ".part")


def begun_otherwise(partial: Path) -> UsageError:
    """The error for what was kept of another work."""
    return UsageError(
        f"{quote(str(partial))} holds values that were begun with other settings; "
        "give those again, another --out, or remove the file"
    )


def damaged(partial: Path, what: object) -> UsageError:
    """The error for what was kept and cannot be gone on with."""
    return UsageError(
        f"{quote(str(partial))} is damaged ({what}); it was left as it is. Put a copy back, give another --out, or"
        " remove it to begin again"
    )
