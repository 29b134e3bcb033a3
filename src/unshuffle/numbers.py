"""Whole numbers: told, and read as somebody wrote them, in the digits 0-9, and none so long that reading it fails.

Python's own `int` takes the digits of every script and `_` between them, and raises an error of its own for thousands
of digits. Text of users, files and requests is read here.
"""

from __future__ import annotations

MOST = 999_999_999
"""The greatest number that is read where nothing says how great one may be."""

_DIGITS = frozenset("0123456789")


def is_whole(text: str) -> bool:
    """Return whether the text is a whole number, however great: the digits 0-9 and nothing else."""
    return text != "" and _DIGITS.issuperset(text)


def read_whole(text: str, most: int = MOST, least: int = 0) -> int | None:
    """Return the whole number that the text is; None if it is none, or not one of `least`..`most`."""
    number = read_up_to(text, most + 1)
    return number if number is not None and least <= number <= most else None


def read_up_to(text: str, most: int) -> int | None:
    """Return the whole number that the text is, and `most` for a greater one; None if it is none."""
    if not is_whole(text):
        return None
    digits = text.lstrip("0")
    return most if len(digits) > len(str(most)) else min(int(digits or "0"), most)


def plural(number: int, noun: str) -> str:
    """1 move, 1,234 moves."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
