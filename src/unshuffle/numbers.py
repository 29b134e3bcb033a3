"""Reading and writing whole numbers: only the digits 0-9, and safe for any length of text.

Python's own `int` accepts the digits of every script and `_` between them, and raises an error of its own for
thousands of digits. Text of users, files and requests is read here.
"""

from __future__ import annotations

MOST = 999_999_999
"""The default upper bound of numbers that are read."""

_DIGITS = frozenset("0123456789")


def is_whole(text: str) -> bool:
    """Return whether the text is a whole number of any size: the digits 0-9 and nothing else."""
    return text != "" and _DIGITS.issuperset(text)


def read_whole(text: str, most: int = MOST, least: int = 0) -> int | None:
    """Return the whole number in the text; None if it is not a number, or not one of `least`..`most`."""
    number = read_up_to(text, most + 1)
    return number if number is not None and least <= number <= most else None


def read_up_to(text: str, most: int) -> int | None:
    """Return the whole number in the text, or `most` if it is greater; None if it is not a number."""
    if not is_whole(text):
        return None
    digits = text.lstrip("0")
    return most if len(digits) > len(str(most)) else min(int(digits or "0"), most)


def plural(number: int, noun: str) -> str:
    """Return the number with its noun: 1 move, 1,234 moves."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
